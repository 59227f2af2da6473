"""Compare the scores of examples/class from `labkit grade` with those from nbgrader after `labkit release`.

`python grader/benchmarks/agreement.py [LAB or STUDENT…]` prints both scores of each submission, one line each. It takes minutes.
Set LABKIT_NO_PICTURES=1 to skip drawing pictures, which doesn't affect scores.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import peers

from labkit.student.model import project

sys.path.append(str(project.current().root / "tests" / "course"))
from class_of_examples import MADE, Example, build_class

SEED = 1


def labkit(*words: object) -> None:
    """Run a labkit command. Errors: CalledProcessError."""
    subprocess.run([sys.executable, "-m", "labkit", *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def by_labkit(examples: Iterable[Example], folder: Path) -> dict[tuple[str, str], float]:
    """Each example's score from `labkit grade`."""
    build_class(folder / "class", examples)
    labkit("grade", folder / "class", "--out", folder / "graded", "--seed", SEED)
    rows = json.loads((folder / "graded" / "results.json").read_text("utf-8"))
    labs = {example.student: example.lab for example in examples}  # some files do not contain their lab's name
    return {(row["student"], labs[row["student"]]): row["score"] for row in rows}


def by_nbgrader(examples: Iterable[Example], folder: Path) -> dict[tuple[str, str], float]:
    """Each example's score from nbgrader. The student's answers are put into the notebook that nbgrader released."""
    labs = sorted({example.lab for example in examples})
    labkit(
        "release",
        "--to",
        "nbgrader",
        "--out",
        folder,
        "--seed",
        SEED,
        *(word for lab in labs for word in ("--lab", lab)),
    )
    for lab in labs:
        peers.run("nbgrader", ["nbgrader", "generate_assignment", lab], folder)
    for example in examples:
        submitted = folder / "submitted" / example.student / example.lab
        build_class(folder / "handed", [example], folder / "release" / example.lab)
        submitted.parent.mkdir(parents=True)
        (folder / "handed" / example.student).rename(submitted)
    for example in examples:  # one at a time, because one notebook can make nbgrader abort the whole run
        try:
            peers.run("nbgrader", ["nbgrader", "autograde", example.lab, "--student", example.student], folder)
        except RuntimeError as error:
            print(f"{example.student}: nbgrader gave up\n{error}", file=sys.stderr)
    peers.run("nbgrader", ["nbgrader", "export", "--to", "grades.csv"], folder)
    with open(folder / "grades.csv", newline="") as file:
        rows = {(row["student_id"], row["assignment"]): float(row["raw_score"]) for row in csv.DictReader(file)}
    return {(example.student, example.lab): rows.get((example.student, example.lab), 0.0) for example in examples}


def main() -> None:
    peers.install("nbgrader")
    wanted = set(sys.argv[1:])
    examples = [example for example in MADE if not wanted or wanted & {example.lab, example.student}]
    with tempfile.TemporaryDirectory(prefix="labkit-agreement-") as place:
        ours = by_labkit(examples, Path(place))
        theirs = by_nbgrader(examples, Path(place, "tree"))
    for example in examples:
        here, there = (scores[example.student, example.lab] for scores in (ours, theirs))
        print(f"{'=' if here == there else '!'} {example.student} {example.lab}: {here:g} {there:g}  {example.what}")
    same = sum(ours[each] == theirs[each] for each in ours)
    print(f"{same} of {len(ours)} submissions have the same score")


if __name__ == "__main__":
    main()
