"""The kind of answer for lab 03's `shift`: a call that also reports whether it left its table unchanged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from labkit.student.calls.calling import add_kind
from labkit.student.calls.wire import Malformed
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, describe

KIND = "function of a table that is kept"


@dataclass(frozen=True)
class Overwritten:
    """The result of a call that changed the table it was given."""

    result: object


def _call(answer: Callable, inputs: tuple) -> list:
    table = inputs[0].copy()
    result = answer(table, *inputs[1:])
    return [result, bool(np.array_equal(table, inputs[0]))]


def _read(plain: object, _: tuple) -> object:
    match plain:
        case [result, bool(kept)]:
            return result if kept else Overwritten(result)
    raise Malformed("not a pair: a result, and whether the table is unchanged")


add_kind(KIND, _call, _read)


def judge_kept(observation: Observation) -> Finding | None:
    """Check the values and, in public calls only, that the table is unchanged. So an answer that changes it fails just one check."""
    if isinstance(observation.actual, Overwritten):
        if observation.public:
            return Finding("input-overwritten")
        observation = replace(observation, actual=observation.actual.result)
    return describe(observation) if observation.difference else None
