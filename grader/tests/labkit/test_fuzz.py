"""Some hundred mutated notebooks, and replies; `python grader/tests/labkit/fuzz.py` runs 10,000, fuzz_replies.py beside it 100,000."""

import json

import fuzz
import fuzz_replies

from labkit.intake.notebooks import Refusal, parse_notebook
from labkit.model import project


def test_mutated_notebooks_are_read_or_refused():
    _, kinds = fuzz.fuzz(300, derandomize=True)
    assert kinds["Notebook"] > 50 and kinds["Refusal"] > 50  # the mutations are neither too mild nor too wild


def test_a_reason_is_one_line_whatever_the_file_says():
    refusal = parse_notebook(project.current(), json.dumps({"cells": [], "nbformat": "4\n\x1b[2J\u202e"}).encode())
    assert isinstance(refusal, Refusal) and refusal.reason.isprintable()


def test_mutated_replies_are_judged_or_refused():
    _, kinds = fuzz_replies.fuzz(1_000)
    assert {"wrong", "NoMessage", "OverBudget"} <= set(kinds) and kinds["wrong"] > 300
