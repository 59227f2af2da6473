"""A few hundred mutated notebooks and replies; `python grader/tests/labkit/fuzz.py` runs 10,000, fuzz_replies.py 100,000."""

import json

import fuzz
import fuzz_replies
from longer import times

from labkit.grade.intake.notebooks import Refusal, parse_notebook
from labkit.student.model import project


def test_mutated_notebooks_are_read_or_refused():
    _, kinds = fuzz.fuzz(count := times(60, 300), derandomize=True)
    assert min(kinds["Notebook"], kinds["Refusal"]) > count / 6  # enough mutations are readable, and enough are not


def test_every_refusal_reason_is_one_line():
    refusal = parse_notebook(project.current(), json.dumps({"cells": [], "nbformat": "4\n\x1b[2J\u202e"}).encode())
    assert isinstance(refusal, Refusal) and refusal.reason.isprintable()


def test_mutated_replies_are_judged_or_refused():
    _, kinds = fuzz_replies.fuzz(count := times(200, 1_000))
    assert {"wrong", "NoMessage", "OverBudget"} <= set(kinds) and kinds["wrong"] > 0.3 * count
