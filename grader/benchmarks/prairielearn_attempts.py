"""Run all attacks in a student's process of pytest-prairielearn-grader: `python prairielearn_attempts.py [USER]`.

Run it in that tool's environment. It makes two runs, and prints as JSON what each attempt gained in each. In the first run,
the student's code has only the builtins and modules that the tool allows by default. In the second it has all of them: one
line of code restores them, because `importlib` is not forbidden. The tool's own fixture starts the process (as USER, if
given). Some attacks try to reach a second such process, which stands for another student's.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

from attacks import ATTEMPTS
from attacks.in_kernels import PRELUDE, reset, targets
from pytest_prairielearn_grader.fixture import StudentFiles, StudentFixture
from pytest_prairielearn_grader.plugin import DEFAULT_IMPORT_BLACKLIST

SECONDS = 20.0
FORBIDDEN = "import os\n"  # students' code may not import this
OF_A_STUDENT = PRELUDE.replace(FORBIDDEN, "import importlib\nexec = importlib.import_module('builtins').exec\n", 1)
ONE_LINE = "    scope['__builtins__'] = importlib.import_module('builtins')\n"
HELPERS = "import importlib\nos, builtins = map(importlib.import_module, ('os', 'builtins'))\n"
HELPERS += "open, exec, next = builtins.open, builtins.exec, builtins.next\n"
AFTER_ONE_LINE = PRELUDE.replace(FORBIDDEN, HELPERS, 1).replace(
    "    try:\n        exec(", f"{ONE_LINE}    try:\n        exec(", 1
)


def started(folder: Path, code: str, user: str | None) -> StudentFixture:
    path, none = folder / "student_code.py", folder / "none"
    path.write_text(code)
    student = StudentFixture(StudentFiles(none, none, path, none), None, DEFAULT_IMPORT_BLACKLIST, {}, None, None, user)
    said = student.start_student_code_server(initialization_timeout=SECONDS)
    if said["status"] != "success":
        raise RuntimeError(str(said))
    return student


def gained(folder: Path, code: str, user: str | None, facts: dict) -> dict[str, str]:
    found, student = {}, started(folder, code, user)
    for name, attempt in ATTEMPTS.items():
        try:
            answer = student.query_function_raw("_attempt", attempt.source, facts, query_timeout=SECONDS)
            found[name] = answer["value"] or ""
        except Exception:  # the process has exited or does not reply; the next attempt gets a new one
            found[name] = ""
            student._cleanup()
            student = started(folder, code, user)
        if reset(Path(facts["secret"])):
            found[name] = found[name] or "the file outside changed"
    student._cleanup()
    return found


def main() -> None:
    user = sys.argv[1] if len(sys.argv) > 1 else None
    with tempfile.TemporaryDirectory() as name:
        home = Path(name, "sibling")
        home.mkdir()
        home.chmod(0o777)
        Path(home, "answer").write_text("42")
        os.chdir(home)
        sibling = started(Path(name), "", user)
        with targets(str(home)) as facts:
            found = [gained(Path(name), code, user, facts) for code in (OF_A_STUDENT, AFTER_ONE_LINE)]
        sibling._cleanup()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
