"""`labkit.grade.grade` yields a record of facts for each submission, without a desk and an author."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import labkit as package
from labkit.student.model import project

GRADE = """
import json, sys
from labkit.grade import grade

print(json.dumps([*grade(sys.argv[1], seed=1, course=sys.argv[2])]))  # workers must not run this again
print(sorted(name for name in sys.modules if name.startswith(("labkit.desk", "labkit.author", "labkit.cli"))), file=sys.stderr)
"""


def test_the_records_are_those_of_results_json_even_where_desk_and_author_are_missing(tmp_path, labkit, handout):
    for student, solved in (("ada", True), ("bob", False)):
        handout("01_spread", solved=solved).save(tmp_path / "class" / student / "01_spread.ipynb")
    (tmp_path / "class/eve").mkdir()
    (tmp_path / "class/eve/01_spread.ipynb").write_text("no notebook")
    assert labkit("grade", tmp_path / "class", "--out", tmp_path / "out").returncode == 0
    expected = json.loads((tmp_path / "out/results.json").read_text())
    for row in expected:
        del row["feedback"]  # the desk's words
    left_out = shutil.ignore_patterns("desk", "author", "cli", "__pycache__")
    shutil.copytree(Path(package.__file__).parent, tmp_path / "alone/labkit", ignore=left_out)
    (tmp_path / "alone").chmod(0o755)
    (tmp_path / "program.py").write_text(GRADE)
    command = [sys.executable, tmp_path / "program.py", tmp_path / "class", project.current().root]
    done = subprocess.run(
        command,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path / "alone"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected and [row["score"] for row in expected] == [6, 0, 0]
    assert done.stderr.splitlines()[-1] == "[]"
