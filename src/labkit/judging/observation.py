"""What was seen when an answer was called, and whether it is right; if it is wrong in no known way, what differs first."""

from __future__ import annotations

from dataclasses import dataclass, field

from labkit.course import Exercise, StandIn
from labkit.judging.compare import difference, kind_of
from labkit.judging.finding import Finding
from labkit.text import shortened

# By the error that stands for it: why there was no answer to call, by the id of its words.
NO_ANSWER = {
    "Undefined": "undefined",
    "DoesNotRun": "does-not-run",
    "RestsOn": "rests-on",
    "NotCallable": "not-callable",
}


@dataclass(frozen=True)
class Raised:
    """What an answer raised instead of returning: the error's name, and its message, or what the grader found."""

    error: str
    message: str | Finding = ""
    kinds: tuple[str, ...] = field(default=(), compare=False)  # the error's class and those that it is made from


@dataclass(frozen=True)
class Observation:
    """One call of an answer: what went in, what came out, and what is right."""

    exercise: Exercise
    args: tuple  # as the probe states them; a stand-in for its array
    actual: object
    expected: object = None
    raises: str | None = None  # the error that is right here
    twice: bool = False  # the second of two calls, the first result having been overwritten
    public: bool = True  # whether it may be told what went in and what is right

    @property
    def difference(self) -> Finding | None:
        """Where an error is right there is no right value to differ from."""
        return (
            None
            if self.raises
            else difference(self.actual, self.expected, self.exercise.tolerance, self.exercise.dtype)
        )


def judge(observation: Observation) -> Finding | None:
    """What is wrong with one observation; None when it is right."""
    exercise, actual = observation.exercise, observation.actual
    if observation.raises or isinstance(actual, Raised):
        as_asked = isinstance(actual, Raised) and observation.raises in (actual.error, *actual.kinds)
        return None if as_asked else describe(observation)
    if exercise.judge:
        return exercise.judge(observation)
    return describe(observation) if observation.difference else None


def describe(observation: Observation) -> Finding:
    """The finding for a wrong observation that no mistake of the catalogue explains."""
    exercise, call, actual = observation.exercise, call_text(observation), observation.actual
    if isinstance(actual, Raised):
        if actual.error in NO_ANSWER:
            why = shortened(actual.message) if observation.public else ""
            return Finding(NO_ANSWER[actual.error], {"name": exercise.name, "why": why})
        if isinstance(actual.message, Finding):
            return Finding("unanswered", {"call": call, "why": actual.message})
        if actual.error == "ReturnedError":
            return Finding("returned-error", {"call": call, "error": shortened(actual.message)})
        if actual.error == "Unsendable":
            seen = Finding("something-else", {"message": shortened(actual.message)})
            return (
                _should_raise(observation, seen)
                if observation.raises
                else Finding("unsendable", {"call": call, "seen": seen})
            )
        if observation.raises:
            return Finding("raised-other", {"call": call, "error": observation.raises, "seen": actual.error})
        if not observation.public:  # the message is the answer's own, and could say what it was asked
            return Finding("hidden-raised", {"call": call, "error": actual.error})
        message = shortened(actual.message) or Finding("no-words")
        return Finding("raised", {"call": call, "error": actual.error, "message": message})
    if observation.raises:
        return _should_raise(observation, kind_of(actual))
    kind, facts = observation.difference.id, {"call": call, **observation.difference.facts}
    if observation.public or kind not in ("value", "values", "shape"):
        return Finding(kind, facts)
    return Finding(f"hidden-{kind}", {name: facts[name] for name in ("call", "where", "columns") if name in facts})


def _should_raise(observation: Observation, seen: Finding) -> Finding:
    return Finding("should-raise", {"call": call_text(observation), "error": observation.raises, "seen": seen})


def call_text(observation: Observation) -> str:
    """The call as the student would write it; a table is written by its size, and what is not public not at all."""
    if not observation.public and observation.args:
        return f"{observation.exercise.name}(…)"
    exercise, written = observation.exercise, map(_argument_text, observation.args)
    if exercise.kind == "formula":  # its arguments are names of symbols
        written = observation.args
    return exercise.name if exercise.kind == "value" else f"{exercise.name}({', '.join(written)})"


def _argument_text(arg: object) -> str:
    if isinstance(arg, StandIn):
        return str(arg)
    return f"ndarray{arg.shape}" if hasattr(arg, "shape") else repr(arg)
