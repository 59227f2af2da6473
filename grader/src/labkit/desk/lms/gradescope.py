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
from collections.abc import Iterator
from pathlib import Path

from labkit.desk.pages.feedback import LONGEST, Feedback, feedback, line_of, own_remarks, short
from labkit.desk.people import score_store
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.score_store import Run
from labkit.grade.batch.store import whole
from labkit.grade.intake.download_files import METADATA
from labkit.student.model.course import Course
from labkit.student.model.project import use
from labkit.student.model.text import printable, shortened


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


def gradescope_result(row: FinalScore, run: Run) -> dict:
    """Build what a Gradescope autograder writes: the final score, which replaces the sum of the tests, and each test's points.

    All tests are visible to the student, because a hidden test would also hide the total.
    """
    lab = feedback(row)
    decided = (line_of(lab, part, part.adjusted) for part in lab.parts if part.adjusted)
    tests = [
        {
            "name": printable(shortened(name, 200)),
            "number": str(number),
            "score": points,
            "max_score": most,
            "status": "passed" if points >= most else "failed",
            "output": printable(shortened(message, LONGEST)),
            "output_format": "text",
            "visibility": "visible",
        }
        for number, (name, points, most, message) in enumerate(_tests(row, lab), 1)
    ]
    return {
        "score": row.final,
        "output": "\n".join(short((lab.score(), *lab.reasons(), *decided))),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {
            "lab": row.lab,
            "run": str(run),
            "raw_score": row.score,
            "penalty": row.penalty,
            "adjusted": row.moved,
        },
    }


def _tests(row: FinalScore, lab: Feedback) -> Iterator[tuple[str, float, float, str]]:
    """Yield the checks with points, then the graded written answers. The first check that lost points has the remarks."""
    result, remarks = row.result, {part.exercise: own_remarks(lab, part) for part in lab.parts}
    for check in filter(result.max_points, result.checks):
        title = f"{row.feedback['exercises'][check.exercise]['title']}: {check.name.replace('_', ' ')}"
        message = remarks.pop(check.exercise, ()) if check.outcome != "passed" else ()
        yield title, result.points(check), result.max_points(check), " ".join(message)
    for part in lab.parts:
        if part.exercise in row.readings:
            yield part.title, row.readings[part.exercise].points, part.of, part.reader_comment


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main(*sys.argv[1:]))
