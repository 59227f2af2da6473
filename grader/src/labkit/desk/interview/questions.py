"""Make questions about a student's code from what its changed versions returned. Every answer was computed by running it.

- predict: what the code returns at arguments that the student has not seen.
- change: what it returns after one change.
- where: which of several changes makes a true statement about its result false.
- repair: which sentence the notebook's check shows after one change.

The wrong options come from other changes to the same code, and from the exercise's catalogue of mistakes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from labkit.desk.interview.shown import differ, is_picture, shown
from labkit.desk.pages.feedback import phrase
from labkit.grade.judge.changes import Change
from labkit.grade.judge.trials import Tried, Tries
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Raised
from labkit.student.judging.words import say
from labkit.student.notebook.figures import png_of

OPTIONS, FEWEST = 4, 3  # options of a question; `where` may have fewer, as it needs a line for each
BEGINS = 4  # numbers with which a row begins


@dataclass(frozen=True)
class Option:
    """One option of a question: text, code or a picture. `why` tells the assistant which version of the code gives it."""

    text: str
    why: str
    picture: str = ""  # PNG in base64
    change: Change | None = None


@dataclass(frozen=True)
class Question:
    """A question about one exercise's code. `right` is the index of its answer."""

    kind: str
    exercise: str
    ask: str
    options: tuple[Option, ...]
    right: int
    call: str = ""  # the call whose value the options show
    line: str = ""  # the changed line, with its number
    change: Change | None = None  # the change that the question is about
    part: str = ""  # the part of the value that a statement is about

    @property
    def letter(self) -> str:
        return "ABCD"[self.right]

    @property
    def is_code(self) -> bool:
        return self.kind != "repair"

    @property
    def versions(self) -> set[tuple[str, Change]]:
        """The changed versions of the exercise's code that the question shows."""
        changes = (self.change, *(option.change for option in self.options))
        return {(self.exercise, change) for change in changes if change}


class Questions:
    """Makes the questions about one exercise, at most one of each kind."""

    def __init__(self, tries: Tries, language: str, draw: random.Random):
        self.tries, self.language, self.draw = tries, language, draw
        self.original, *self.changed = tries.tried or (Tried(None, ()),)
        draw.shuffle(self.changed)

    def all(self) -> list[Question]:
        makers = (self._predict, self._change, self._where, self._repair)
        return [question for maker in makers for question in maker()]

    def _say(self, id: str, **facts: object) -> str:
        return phrase(f"interview-{id}", self.language, **facts)

    def _line(self, change: Change) -> str:
        return f"{change.line:>2}  {change.line_after(self.tries.code)}"

    def _option(self, tried: Tried, value: object) -> Option:
        why = self._say("version", line=self._line(tried.change).strip()) if tried.change else self._say("unchanged")
        picture = png_of(value) if is_picture(value) else ""  # type: ignore[arg-type]
        return Option("" if picture else shown(value), why, picture, tried.change)

    def _question(self, kind: str, ask: str, right: Option, others: Sequence[Option], **more: object) -> Question:
        options = [right, *others]
        self.draw.shuffle(options)
        return Question(kind, self.tries.exercise, ask, tuple(options), options.index(right), **more)  # type: ignore[arg-type]

    def _apart(self, call: int, *first: Tried) -> list[Tried]:
        """These versions, and others whose values all look different: first those of the first one's shape, last errors.

        At most one error counts.
        """
        found, shape = [*first], _shape(first[0].values[call])
        for each in sorted(self.changed, key=lambda each: _unlike(each.values[call], shape)):
            error = isinstance(each.values[call], Raised)
            if error and any(isinstance(other.values[call], Raised) for other in found):
                break
            if all(differ(each.values[call], other.values[call]) for other in found):
                found.append(each)
        return found[:OPTIONS]

    def _asks(self, call: int) -> str:
        return self._say("draws" if is_picture(self.original.values[call]) else "returns", call=self.tries.calls[call])

    def _predict(self) -> Iterator[Question]:
        for call, text in enumerate(self.tries.calls[: len(self.original.values)]):
            apart = self._apart(call, self.original)
            if len(apart) == OPTIONS:
                right, *others = (self._option(each, each.values[call]) for each in apart)
                yield self._question("predict", self._asks(call), right, others, call=text)
                return

    def _change(self) -> Iterator[Question]:
        for call in reversed(range(len(self.original.values))):
            for each in self.changed:
                value = each.values[call]
                if not each.change or isinstance(value, Raised) or not differ(value, self.original.values[call]):
                    continue
                apart = self._apart(call, each, self.original)
                if len(apart) == OPTIONS:
                    right, *others = (self._option(one, one.values[call]) for one in apart)
                    more = {"call": self.tries.calls[call], "line": self._line(each.change), "change": each.change}
                    yield self._question("change", self._asks(call), right, others, **more)
                    return

    def _where(self) -> Iterator[Question]:
        if not self.original.values or is_picture(self.original.values[0]):
            return
        for id, part in self.draw.sample(parts := parts_of(self.original.values[0]), len(parts)):
            before = part(self.original.values[0])
            runs = [(each, part(each.values[0])) for each in self.changed if not isinstance(each.values[0], Raised)]
            false = next((each for each, now in runs if differ(now, before)), None)
            others = {each.change.line: each for each, now in runs if each.change and not differ(now, before)}
            if false is None or false.change is None:
                continue
            others.pop(false.change.line, None)
            if len(others) >= FEWEST - 1:
                kept = [*others.values()][: OPTIONS - 1]
                right, *rest = (
                    Option(self._line(each.change), self._say(how), change=each.change)
                    for each, how in [(false, "false"), *((each, "true") for each in kept)]
                    if each.change
                )
                ask = self._say(
                    "where", call=self.tries.calls[0], part=self._say(id, values=shown(before).split("\n")[0])
                )
                yield self._question("where", ask, right, rest, call=self.tries.calls[0], part=id)
                return

    def _repair(self) -> Iterator[Question]:
        named = [each for each in self.changed if each.mistake]
        if not named or (right := named[0]).mistake is None or right.change is None:
            return
        sentences = {right.mistake.mistake: self._sentence(right.mistake)}
        catalogue = self.draw.sample(self.tries.sentences, len(self.tries.sentences))
        for finding in (*(each.mistake for each in named), *catalogue):
            if finding and self._sentence(finding) not in sentences.values():
                sentences.setdefault(finding.mistake, self._sentence(finding))
        if len(sentences) < OPTIONS:
            return
        answer, *others = (Option(text, str(id)) for id, text in [*sentences.items()][:OPTIONS])
        more = {"line": self._line(right.change), "change": right.change}
        yield self._question("repair", self._say("repair"), answer, others, **more)

    def _sentence(self, finding: Finding) -> str:
        return say(self.tries.exercise, finding, self.language).strip()


def _shape(value: object) -> tuple[int, ...]:
    return value.shape if isinstance(value, np.ndarray) else ()


def _unlike(value: object, shape: tuple[int, ...]) -> int:
    return 2 if isinstance(value, Raised) else int(_shape(value) != shape)


def parts_of(value: object) -> list[tuple[str, Callable[[object], object]]]:
    """Parts of a value about which a statement can be made: the id of the statement, and what it is about."""
    match value:
        case np.ndarray() if value.ndim == 2:
            row, column = (lambda v: _table(v)[:1, :BEGINS].ravel()), (lambda v: _table(v)[:BEGINS, :1].ravel())
            return [("part-row", row), ("part-column", column), ("part-shape", np.shape)]
        case np.ndarray() if value.ndim == 1:
            return [("part-begins", lambda v: _table(v)[:1, :BEGINS].ravel()), ("part-shape", np.shape)]
    return [("part-is", lambda v: v)]


def _table(value: object) -> np.ndarray:
    """The value as a table; without entries if its rows have unequal lengths."""
    try:
        return np.atleast_2d(np.asarray(value))
    except ValueError:
        return np.empty((0, 0))


def choose(found: Sequence[Question], many: int, draw: random.Random) -> list[Question]:
    """Choose questions of different exercises and kinds, as far as there are. One gives no hint at another, if possible."""
    waiting, chosen = draw.sample(found, len(found)), []
    while waiting and len(chosen) < many:
        exercises, kinds = ([getattr(each, name) for each in chosen] for name in ("exercise", "kind"))
        seen = {version for each in chosen for version in each.versions}
        best = min(
            waiting,
            key=lambda each: (bool(seen & each.versions), exercises.count(each.exercise), kinds.count(each.kind)),
        )
        waiting.remove(best)
        chosen.append(best)
    return chosen
