"""Grade a submission in Gradescope's container, as a class of one student, and write results.json.

    source/course, submission/, submission_metadata.json  ->  results/results.json

If the submission cannot be graded (a course error, no isolation, a machine fault), no results.json is written. The reason is
printed for instructors, and the exit code is the one from `labkit grade`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from labkit.desk.lms.items import gradescope_result
from labkit.desk.people import score_store
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.score_store import Run
from labkit.grade.batch.store import whole
from labkit.grade.intake.download_files import METADATA
from labkit.student.model.course import Course
from labkit.student.model.project import use


def main(lab: str, *options: str) -> int:
    """Grade the submission in the working directory, which has Gradescope's layout. Returns the exit code. Errors: OSError."""
    project = use(Path("source/course"))
    with tempfile.TemporaryDirectory(prefix="labkit-") as place:
        as_a_download(Path(place, "class"))
        out = Path(place, "out")
        paths = [Path(place, "class"), "--out", out, "--course", "source/course"]
        done = subprocess.run([sys.executable, "-m", "labkit", "grade", *paths, "--jobs", "1", *options])
        if done.returncode == 0:
            with whole(Path("results", "results.json")) as file:
                json.dump(result_of(project.course, lab, *score_store.read(out)), file, indent=1, ensure_ascii=False)
    return done.returncode


def as_a_download(folder: Path) -> None:
    """Arrange the submission like Gradescope's export of a class, which includes the submitter and the time."""
    try:
        metadata = json.loads(Path("submission_metadata.json").read_text("utf-8"))
        user = {name: str(metadata["users"][0].get(name) or "") for name in ("name", "email")}
        created = str(metadata["created_at"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        user, created = {"name": "somebody"}, ""
    lines = ["submission_1:", "  :submitters:", *_item(user), f"  :created_at: {json.dumps(created)}"]
    shutil.copytree("submission", folder / "submission_1", symlinks=True)
    (folder / METADATA).write_text("\n".join(lines) + "\n", "utf-8")


def _item(user: dict[str, str]) -> list[str]:
    fields = [f":{name}: {json.dumps(text)}" for name, text in user.items()]
    return [f"  {'-' if number == 0 else ' '} {field}" for number, field in enumerate(fields)]


def result_of(course: Course, lab: str, run: Run, rows: list[FinalScore]) -> dict:
    """Build results.json for this lab's submission or, if there is none, for the file that was submitted instead."""
    row = min(rows, key=lambda row: row.lab != lab)
    if row.lab != lab and row.lab in course.names:
        message = f"This notebook is for {row.lab}, but this assignment is for {lab}."
        return {"score": 0, "output": message, "visibility": "visible", "stdout_visibility": "hidden"}
    return gradescope_result(row, run)


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main(*sys.argv[1:]))
