"""How every sample, right or wrong, is graded: totals by lab on a page, and each mistake in a table.

python docs/grader_graded.py [FILE]    write docs/grader_graded.md and, if named, FILE with a row for each mistake
"""

import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "course"), str(ROOT / "tests")]
warnings.simplefilter("ignore")

import numpy as np
from in_process import verdicts

from autograder.samples import Sample, all_samples
from autograder.shipped import OUTSIDE
from encoding_labs import COURSE

np.seterr(all="ignore")
PAGE = """# The grader, graded

`python docs/grader_graded.py` makes this page from the samples in `tests/autograder/LAB/samples`: right and wrong answers in many styles,
and one wrong formula of each exercise; the notebook's check is tested on all formulas. `tests/course/test_grader_graded.py` grades
each sample with the autograder's own tests, and expects the points and the names of mistakes that the sample states. To list every mistake with its points, name a file:
`python docs/grader_graded.py mistakes.md`.

| lab | right answers | wrong answers | mistakes | wrong answers without a name | from public programs, named |
|---|---|---|---|---|---|
{rows}

Every right answer earns full points; the test fails otherwise. A wrong answer has no name if two known mistakes fit it, or none does.

The last column counts mistakes that others made and reported, found by searching public threads in November 2026; see
[Mistakes that shipped](site/en/mistakes_that_shipped.md). When they were first tried, 11 of 17 got a name. The others got one since.
"""
TABLE = """# Every mistake in the samples

Points are the lowest and the highest score of the samples, out of the points for the exercise. A sample with two mistakes is in
two rows.

| lab | exercise | mistake | samples | points | named |
|---|---|---|---|---|---|
{rows}
"""


def page() -> str:
    """The page's text. It needs no grading: a test proves that every right sample gets full points."""
    of_lab: dict[str, list[Sample]] = defaultdict(list)
    for _, sample in all_samples():
        of_lab[COURSE.lab_of(sample.exercise)[:2]].append(sample)
    rows = [_row(lab, samples) for lab, samples in sorted(of_lab.items())]
    everything = [sample for samples in of_lab.values() for sample in samples]
    return PAGE.format(rows="\n".join([*rows, _row("all", everything)]))


def _row(lab: str, samples: Iterable[Sample]) -> str:
    wrong = [sample for sample in samples if sample.mistakes]
    right = sum(not sample.mistakes for sample in samples)
    mistakes = {(sample.exercise, id) for sample in wrong for id in sample.mistakes if id not in ("unknown", "unseen")}
    unnamed = sum("unknown" in sample.mistakes for sample in wrong)
    outside = [sample for sample in wrong if sample.style.startswith(OUTSIDE)]
    named = sum("unknown" not in sample.mistakes for sample in outside)
    cells = (f"{count:,}" for count in (right, len(wrong), len(mistakes), unnamed))
    return f"| {lab} | {' | '.join(cells)} | {f'{named} of {len(outside)}' if outside else '–'} |"


def table() -> str:
    """A row for each mistake: how many samples make it, their points, and how many of them got its name."""
    wrong = defaultdict(list)
    for _, sample in all_samples():
        judged = list(verdicts(sample.exercise, sample.answer)) if sample.mistakes else []
        points, most = sum(each.points for each in judged), sum(each.most for each in judged)
        named = {mistake for each in judged for mistake in each.mistakes}
        for mistake in sample.mistakes:
            wrong[COURSE.lab_of(sample.exercise)[:2], sample.exercise, mistake].append((points, most, mistake in named))
    return TABLE.format(rows="\n".join(_listed(*key, found) for key, found in sorted(wrong.items())))


def _listed(lab: str, exercise: str, mistake: str, found: list[tuple[float, float, bool]]) -> str:
    points, most = sorted({points for points, _, _ in found}), found[0][1]
    shown = f"{points[0]:g}" if len(points) == 1 else f"{points[0]:g} to {points[-1]:g}"
    named = "none" if mistake == "unknown" else f"{sum(hit for *_, hit in found)} of {len(found)}"
    return f"| {lab} | {exercise} | {mistake} | {len(found)} | {shown} of {most:g} | {named} |"


if __name__ == "__main__":
    Path(__file__).with_name("grader_graded.md").write_text(page(), "utf-8")
    for file in sys.argv[1:]:
        Path(file).write_text(table(), "utf-8")
