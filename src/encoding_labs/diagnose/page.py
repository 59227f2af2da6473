"""The answer to pasted text as data for a web page, in the page's language."""

from __future__ import annotations

import json

import numpy as np

from encoding_labs import COURSE
from encoding_labs.diagnose.foreign import Unreadable
from encoding_labs.diagnose.pasted import diagnose_text
from encoding_labs.diagnose.verdict import Verdict
from labkit.student.judging.compare import errors
from labkit.student.judging.words import lab_title, load, title
from labkit.student.model.text import in_a_line
from labkit.student.notebook.language import translated as _
from labkit.student.notebook.language import use_language

MOST = 64  # rows and columns to draw


def answer(text: str, language: str) -> str:
    """Judge what somebody pasted. Returns JSON: `problem` with a line if it can't be judged, else what `facts` returns."""
    use_language(language)
    try:
        return json.dumps(facts(diagnose_text(text), language))
    except Unreadable as error:
        return json.dumps({"problem": str(error)})
    except BaseException as error:  # such as SystemExit from a function
        return json.dumps({"problem": _("the text stops with {error}", error=in_a_line(error))})


def facts(verdict: Verdict, language: str) -> dict[str, object]:
    """The verdict, its lines, the exercise about it, and the numbers to draw, from the row and column `start` on."""
    seen = verdict.observation
    given, right = np.asarray(seen.actual, dtype=np.float64), np.asarray(seen.expected, dtype=np.float64)
    error, wrong = errors(given, right, seen.exercise.tolerance)
    wrong |= ~np.isfinite(given)
    first = [int(index) for index in np.argwhere(wrong)[0]] if wrong.any() else None
    start = [max(0, index - MOST // 2) if index >= MOST else 0 for index in first or (0, 0)]
    window = tuple(slice(index, index + MOST) for index in start)
    load(COURSE)
    lab = COURSE.lab_of(seen.exercise.name)
    return {
        "kind": verdict.kind,
        "mistakes": verdict.mistakes,
        "lines": verdict.lines,
        "first": first,
        "place": _place(first, given, right),
        "given": _numbers(given[window]),
        "right": _numbers(right[window]),
        "start": start,
        "wrong": int(wrong.sum()),
        "all": wrong.size,
        "exercise": f"{title(seen.exercise.name, language)}, {lab_title(lab, language)}",
        "lab": lab,
    }


def _place(first: list[int] | None, given: np.ndarray, right: np.ndarray) -> str:
    if first is None:
        return ""
    row, column = first
    told = {"row": row, "column": column, "given": given[row, column], "right": right[row, column]}
    return _("The first difference is in row {row}, column {column}: {given:.6g} instead of {right:.6g}.", **told)


def _numbers(table: np.ndarray) -> list[list[float | None]]:
    """The numbers with four decimals; None for infinity and NaN, which JSON lacks."""
    return [[round(value, 4) if np.isfinite(value) else None for value in row] for row in table.tolist()]
