"""No reply from a kernel makes this course's checks raise an error. `python grader/tests/labkit/fuzz_replies.py` tries 100,000 replies."""

import fuzz_replies
import numpy as np
import pytest
from longer import times

from encoding_labs import COURSE
from labkit.student.calls.calling import read_reply, reply
from labkit.student.notebook.examine import examine


def test_mutated_replies_are_judged_or_refused():
    _, kinds = fuzz_replies.fuzz(times(600, 6_000), seed=1)
    assert {"wrong", "NoMessage", "OverBudget"} <= set(kinds) and kinds["wrong"] > times(200, 2_000)


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("landmarks", (np.zeros(3), 5)),
        ("landmarks", [[np.zeros(3)], 5]),
        ("sinusoidal_pe", np.float32(0)),
        ("by_hand", [np.zeros(3), "value"]),
        ("decode", 1.7e308),
    ],
)
def test_answers_that_once_broke_a_judge_are_wrong(exercise, answer):
    assert examine(COURSE, COURSE.exercises[exercise], lambda probe: read_reply(reply(answer))).findings


def test_a_reply_that_begins_with_an_array_is_none():
    from labkit.student.calls import wire

    assert read_reply(wire.dumps([np.zeros(3), 1])).error == "Malformed"
