"""Write docs/grader_graded.md: how every sample, right or wrong, was graded. Run: python docs/grader_graded.py"""

import sys
import warnings
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "course"), str(ROOT / "tests")]
warnings.simplefilter("ignore")

import numpy as np
from in_process import verdicts

from autograder.samples import all_samples
from encoding_labs import COURSE

np.seterr(all="ignore")
HEAD = """# The grader, graded

`python docs/grader_graded.py` makes this page from the samples in `tests/autograder/LAB/samples`: right and wrong answers in many styles.
Each was graded with the autograder's own tests. `tests/course/test_grader_graded.py` grades them again.

"""


def summary() -> list[str]:
    """A table with three counts for each exercise: wrong answers, different mistakes, and mistakes not named."""
    ids = defaultdict(list)
    for _, sample in all_samples():
        if sample.mistakes:
            ids[COURSE.lab_of(sample.exercise)[:2], sample.exercise].append(sample.mistakes)
    lines = [
        "## Wrong answers",
        "",
        "A mistake is not named if two known mistakes fit the answer, or none does.",
        "",
        "| lab | exercise | wrong answers | mistakes | without a name |",
        "|---|---|---|---|---|",
    ]
    unnamed = {key: sum("unknown" in each for each in found) for key, found in ids.items()}
    for (lab, name), found in sorted(ids.items()):
        mistakes = {id for each in found for id in each} - {"unknown", "unseen"}
        lines.append(f"| {lab} | {name} | {len(found)} | {len(mistakes)} | {unnamed[lab, name]} |")
    total = sum(map(len, ids.values()))
    return [*lines, "", f"{total:,} wrong answers, {sum(unnamed.values()):,} of them without a name.", ""]


def table() -> str:
    right, wrong = defaultdict(list), defaultdict(list)
    for _, sample in all_samples():
        judged = list(verdicts(sample.exercise, sample.answer))
        points, most = sum(each.points for each in judged), sum(each.most for each in judged)
        named = {mistake for each in judged for mistake in each.mistakes}
        if sample.mistakes:
            for mistake in sample.mistakes:
                wrong[COURSE.lab_of(sample.exercise)[:2], sample.exercise, mistake].append(
                    (points, most, mistake in named, named)
                )
        else:
            right[COURSE.lab_of(sample.exercise)[:2], sample.exercise].append(all(each.passed for each in judged))
    lines = ["## Right answers", "", "| lab | exercise | styles | with full points |", "|---|---|---|---|"]
    lines += [f"| {lab} | {name} | {len(full)} | {sum(full)} |" for (lab, name), full in sorted(right.items())]
    lines += [
        "",
        f"{sum(map(len, right.values()))} right answers, {sum(map(sum, right.values()))} with full points.",
        "",
    ]
    lines += [
        *summary(),
        "## Mistakes",
        "",
        "Points are the lowest and the highest score of the samples, out of the points for the exercise. A sample with",
        "two mistakes is in two rows.",
        "",
        "| lab | exercise | mistake | samples | points | named |",
        "|---|---|---|---|---|---|",
    ]
    for (lab, name, mistake), found in sorted(wrong.items()):
        points = sorted({points for points, *_ in found})
        shown = f"{points[0]:g}" if len(points) == 1 else f"{points[0]:g} to {points[-1]:g}"
        names = (
            "none, as expected"
            if mistake == "unknown" and not any(n for *_, n in found)
            else f"{sum(hit for _, _, hit, _ in found)} of {len(found)}"
        )
        lines.append(f"| {lab} | {name} | {mistake} | {len(found)} | {shown} of {found[0][1]:g} | {names} |")
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("grader_graded.md").write_text(table(), "utf-8")
