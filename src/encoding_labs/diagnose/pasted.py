"""Judge pasted text: the source of a function, or a table of numbers as CSV, JSON or a print-out of NumPy or PyTorch."""

from __future__ import annotations

import ast
import math
import re

import numpy as np

from encoding_labs.diagnose.foreign import Unreadable, turns_rows
from encoding_labs.diagnose.verdict import Verdict, judge_numbers, judge_rope, judge_table
from labkit.student.model.text import in_a_line
from labkit.student.notebook.language import translated as _

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
ROW = re.compile(rf"\s*{NUMBER}(?:[\s,;]+{NUMBER})*[\s,;]*")
SOURCE = re.compile(r"^\s*(def|class|import|from|@)\b", re.MULTILINE)


def diagnose_text(text: str) -> Verdict:
    """Judge what somebody pasted. Source code is run in this process. Errors: Unreadable."""
    return _of_source(text) if SOURCE.search(text) else judge_numbers(*numbers_in(text))


def _of_source(text: str) -> Verdict:
    """Judge the last function or class in the text that can be judged."""
    names: dict[str, object] = {"np": np, "numpy": np, "math": math}
    try:
        defined = [each.name for each in ast.parse(text).body if isinstance(each, (ast.FunctionDef, ast.ClassDef))]
        exec(compile(text, "<pasted>", "exec"), names)
    except BaseException as error:  # whatever the text does
        raise Unreadable(_("the text stops with {error}", error=in_a_line(error))) from None
    problem = Unreadable(_("the text defines no function or class"))
    for name in reversed(defined):
        function = names[name]
        try:
            return (judge_rope if turns_rows(function) else judge_table)(function, name)
        except Unreadable as error:
            problem = error
    raise problem


def numbers_in(text: str) -> tuple[np.ndarray, float]:
    """The table in a text, of shape (T, d), and the unit to which its numbers are rounded. Errors: Unreadable."""
    if "..." in text or "…" in text:
        raise Unreadable(_("the print-out leaves numbers out; print all: np.set_printoptions(threshold=np.inf)"))
    parts = re.findall(r"\[([^\[\]]*)\]", text) if "[" in text else text.splitlines()
    rows = [re.findall(NUMBER, part) for part in parts if ROW.fullmatch(part)]
    if not rows:
        raise Unreadable(_("no table of numbers"))
    if len(lengths := sorted({*map(len, rows)})) > 1:
        raise Unreadable(_("rows of {lengths} numbers; a table has rows of one length", lengths=str(lengths)))
    return np.array(rows, dtype=np.float64), max(_unit_of(rows), 1e-17)


def _unit_of(rows: list[list[str]]) -> float:
    """One in the last decimal place of the longest number. Zeros at the end are often left out."""
    decimals = [len(number.lower().partition("e")[0].partition(".")[2]) for row in rows for number in row]
    return 10.0 ** -max(decimals)
