"""The result of calling an answer: whether it is right, and if not, the first difference."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np

from labkit.student.judging.compare import NUMBERS, difference, kind_alone, kind_of
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import hint_of
from labkit.student.model.course import Exercise, SymbolicArgument
from labkit.student.model.text import shortened

# The message id for each error that means that there is no answer to call.
NO_ANSWER = {
    "Undefined": "undefined",
    "InMagic": "in-magic",
    "DoesNotRun": "does-not-run",
    "RestsOn": "rests-on",
    "NotCallable": "not-callable",
}
# The errors that a message about a hidden call names. Among many more names, an answer could choose one for each argument.
COMMON_ERRORS = frozenset({"ValueError", "TypeError", "IndexError"})


@dataclass(frozen=True)
class Raised:
    """An error raised by an answer: its name and message, or the grader's own finding."""

    error: str
    message: str | Finding = ""
    kinds: tuple[str, ...] = field(default=(), compare=False)  # the error's class and base classes


@dataclass(frozen=True)
class Observation:
    """One call to an answer: its arguments, its result and the expected result."""

    exercise: Exercise
    args: tuple[Any, ...]  # as in the probe, so an array may be symbolic
    actual: object
    expected: object = None
    raises: str | None = None  # the expected error
    twice: bool = False  # whether this is the second of two equal calls, made after the first result was overwritten
    public: bool = True  # whether arguments and the right result may be shown
    fixed: bool = False  # a hidden call whose arguments are not drawn, so that they may be shown

    @property
    def difference(self) -> Finding | None:
        """The first difference from the expected value. Returns None if an error is expected."""
        if self.raises:
            return None
        return difference(self.actual, self.expected, self.exercise.tolerance, self.exercise.dtype)

    def told(self, fact: object) -> object:
        """Return the fact, but "…" for a hidden call: through the fact, a submission could leak the call's arguments."""
        return fact if self.public else "…"


def judge(observation: Observation) -> Finding | None:
    """Find what is wrong with one observation. Returns None if it is right."""
    exercise, actual = observation.exercise, observation.actual
    if observation.raises or isinstance(actual, Raised):
        as_asked = isinstance(actual, Raised) and observation.raises in (actual.error, *actual.kinds)
        return None if as_asked else describe(observation)
    if exercise.judge:
        own: Finding | None = exercise.judge(observation)
        return own
    return describe(observation) if observation.difference else None


def describe(observation: Observation) -> Finding:
    """Describe a wrong observation without a recognized mistake. Errors: ValueError if the observation is right."""
    exercise, call, actual = observation.exercise, call_of(observation), observation.actual
    if isinstance(actual, Raised):
        if isinstance(actual.message, Finding):
            return Finding("unanswered", {"call": call, "why": actual.message})
        if actual.error in NO_ANSWER:
            why = shortened(actual.message) if observation.public else ""
            return Finding(NO_ANSWER[actual.error], {"name": exercise.name, "why": why})
        if actual.error == "Unsendable" and not observation.public:  # the message contains a class name
            return Finding("hidden-unsendable", {"call": call})
        if actual.error == "ReturnedError":
            return Finding("returned-error", {"call": call, "error": _error_told(observation, "Exception")})
        if actual.error == "Unsendable":
            seen = Finding("something-else", {"message": shortened(actual.message)})
            if observation.raises:
                return _should_raise(observation, seen)
            return Finding("unsendable", {"call": call, "seen": seen})
        if observation.raises:
            other = _error_told(observation, Finding("another-error"))
            return Finding("raised-other", {"call": call, "error": observation.raises, "seen": other})
        if actual.error == "NotImplementedError":
            return Finding("stub-left", {"call": call})
        if not observation.public:  # the answer wrote the message, so it could contain the arguments
            return Finding("hidden-raised", {"call": call, "error": _error_told(observation, Finding("an-error"))})
        message = shortened(actual.message)
        facts = {"call": call, "error": actual.error, "message": message or Finding("no-words")}
        if hint := hint_of(actual.message):  # a sentence follows the message, after a full stop
            return Finding("raised-hint", {**facts, "message": message.rstrip("."), "hint": hint})
        return Finding("raised", facts)
    if observation.raises:
        seen = kind_of(actual) if observation.public else kind_alone(actual)
        return _should_raise(observation, seen)
    found = observation.difference
    if found is None:
        raise ValueError(f"{exercise.name} is right, so there is nothing to describe")
    if observation.public:
        return Finding(found.id, {"call": call, **found.facts})
    if found.id == "shape" and observation.fixed:  # but not the returned shape, which could encode drawn arguments
        call = call_of(replace(observation, public=True))
        return Finding("fixed-shape", {"call": call, "wanted": found.facts["wanted"]})
    return _hidden(call, actual, found)


def _error_told(observation: Observation, otherwise: str | Finding) -> str | Finding:
    """The name of the error that the answer raised or returned. For a hidden call, it is one of COMMON_ERRORS or `otherwise`."""
    raised = cast("Raised", observation.actual)
    if raised.error == "ReturnedError":
        raised = Raised(shortened(cast("str", raised.message)))
    if observation.public:
        return raised.error
    return next((kind for kind in (raised.error, *raised.kinds) if kind in COMMON_ERRORS), otherwise)


def _hidden(call: str | Finding, actual: object, found: Finding) -> Finding:
    """Remove sizes, positions and numbers from a finding, because an answer could encode its arguments in them."""
    if found.id == "container":
        return Finding("container", {"call": call, "seen": kind_alone(actual), "wanted": found.facts["wanted"]})
    if found.id == "dtype":
        dtype = np.asarray(actual).dtype
        seen = dtype.name if dtype.kind in NUMBERS else dtype.type.__name__  # without a string's length
        return Finding("dtype", {"call": call, "seen": seen, "wanted": found.facts["wanted"]})
    if found.id != "values":
        return Finding(f"hidden-{found.id}", {"call": call})
    where = found.facts["where"]
    places = where.facts.values() if isinstance(where, Finding) else ()
    index = [number for place in places for number in np.ravel(np.asarray(place))]
    return Finding("hidden-values", {"call": call, "where": Finding("further-on" if any(index) else "at-first")})


def _should_raise(observation: Observation, seen: Finding) -> Finding:
    facts = {"call": call_of(observation), "error": observation.raises}
    if seen.id == "nothing":
        return Finding("should-raise-none", facts)
    return Finding("should-raise", {**facts, "seen": seen})


def call_of(observation: Observation) -> str | Finding:
    """The call as a student would write it, with tables shown by size; a Finding if an argument needs translating.

    Hidden arguments are left out.
    """
    if not observation.public and observation.args:
        return f"{observation.exercise.name}(…)"
    exercise, args = observation.exercise, [_described(arg) for arg in observation.args]
    if exercise.kind == "value":
        return exercise.name
    if any(isinstance(arg, Finding) for arg in args):
        return Finding("call", {"function": exercise.name, "arguments": args})
    return f"{exercise.name}({', '.join(map(str, args))})"


def _described(arg: object) -> object:
    if isinstance(arg, SymbolicArgument):
        return arg.described()
    return f"ndarray{arg.shape}" if hasattr(arg, "shape") else repr(arg)
