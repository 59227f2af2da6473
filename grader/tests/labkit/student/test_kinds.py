"""A course adds its own kind of answer, which is called and checked like the others."""

import numpy as np
import pytest

from labkit.student.calls import calling
from labkit.student.calls.calling import call_answer, read_reply, reply
from labkit.student.calls.wire import Malformed
from labkit.student.judging.observation import Raised
from labkit.student.model.course import Exercise, Probe


@pytest.fixture
def words(monkeypatch):
    """A kind of answer that is called with a text and returns words, which are compared as a set."""
    monkeypatch.setattr(calling, "KINDS", dict(calling.KINDS))

    def read(plain, inputs):
        if not isinstance(plain, list) or not all(isinstance(word, str) for word in plain):
            raise Malformed("no words")
        return set(plain)

    calling.add_kind("words", lambda answer, inputs: list(answer(*inputs)), read)
    return Exercise("longest", kind="words", probes=(Probe(("a to the",)),))


def given(exercise: Exercise, answer) -> object:
    probe = exercise.probes[0]
    value = call_answer({exercise.name: answer}, exercise.name, exercise.kind, probe.inputs())
    return calling.received(exercise, probe, read_reply(reply(value)))


def test_an_added_kind_is_called_in_the_kernel_and_read_outside(words):
    assert given(words, lambda text: text.split()) == {"a", "to", "the"}
    assert given(words, lambda text: [1]) == Raised("Malformed", "no words")
    assert given(words, lambda text: 1 / 0).error == "ZeroDivisionError"


def test_an_answer_that_changes_its_argument_changes_only_a_copy():
    values = np.array([3.0, 1.0])
    assert call_answer({"last": lambda values: values.sort() or values[-1]}, "last", "function", (values,)) == 3
    assert values.tolist() == [3, 1]
