"""Write a Gradescope autograder for each lab: a zip with `setup.sh`, `run_autograder`, a wheel, the course and its requirements.

Gradescope unpacks the zip into /autograder/source, runs setup.sh once, and copies run_autograder to /autograder, where it runs for
every submission.
"""

from __future__ import annotations

import re
import shlex
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from labkit.author.release.parts import copy_parts, requirements, write_wheel
from labkit.student.model.course import Lab
from labkit.student.model.project import Project

SCRIPTS = Path(__file__).parent
EXECUTABLE = 0o755 << 16  # file mode in a zip


def write_zips(project: Project, labs: Iterable[Lab], seed: int, allow_unsandboxed: bool, out: Path) -> Iterator[Path]:
    """Write each zip atomically, and yield its path. Errors: OSError, UserError."""
    with tempfile.TemporaryDirectory(prefix=".labkit-release-", dir=out) as making:
        made = Path(making)
        write_wheel(made)
        (made / "requirements.txt").write_text(requirements(project), "utf-8")
        copy_parts(project, made / "course")
        secret = [path.relative_to(project.root).as_posix() for path in (project.autograder, project.solutions)]
        files = [path for path in sorted(made.rglob("*")) if path.is_file()]
        for lab in labs:
            facts = {
                "LAB": lab.name,
                "SEED": str(seed),
                "CONSENT": "--allow-unsandboxed" if allow_unsandboxed else "",
                "SECRET": shlex.join(f"course/{name}" for name in secret),
            }
            unfinished = made / f"{lab.name}.part"
            with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
                for name in ("setup.sh", "run_autograder"):
                    script = re.sub("<([A-Z]+)>", lambda found: facts[found[1]], (SCRIPTS / f"{name}.txt").read_text())
                    info = zipfile.ZipInfo(name)
                    info.external_attr, info.compress_type = EXECUTABLE, zipfile.ZIP_DEFLATED
                    archive.writestr(info, script)
                for path in files:
                    archive.write(path, path.relative_to(made).as_posix())
            yield unfinished.rename(out / f"{lab.name}.zip")
