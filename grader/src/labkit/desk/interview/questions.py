"""Make questions about a student's code from what its changed versions returned. Every answer was computed by running it.

- predict: what the code returns at arguments that the student has not seen.
- change: what it returns after one change.
- where: which of several changes makes a true statement about its result false.
- repair: which sentence the notebook's check shows after one change.

The wrong options come from other changes to the same code, and from the exercise's catalogue of mistakes.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from labkit.desk.interview.shown import differ, is_picture, shown
from labkit.desk.pages.feedback import phrase
from labkit.grade.judge.changes import Change
from labkit.grade.judge.trials import Tried, Tries
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Raised
from labkit.student.judging.words import say
from labkit.student.notebook.figures import png_of

OPTIONS = 4  # of each question
PROSE = re.compile(r"#.*|\"{3}[\s\S]*?\"{3}|'{3}[\s\S]*?'{3}|\"[^\"\n]*\"|'[^'\n]*'")  # comments and strings
NUMBER, WORD = re.compile(r"-?\d+(?:\.\d*)?(?:e[-+]?\d+)?"), re.compile(r"[^\W\d]{4,}")
QUESTION = re.compile(r"(?:(?<=[.:?] )|^)(?:[^.:?]|[.:](?! ))*\?")
FEW = 1 / 4  # of an exercise's sentences
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
        makers = (self._predict(), self._change(), self._where(), self._repair())
        return [question for maker in makers if (question := next(maker, None))]

    def _say(self, id: str, **facts: object) -> str:
        return phrase(f"interview-{id}", self.language, **facts)

    def _line(self, change: Change | None) -> str:
        return f"{change.line:>2}  {change.line_after(self.tries.code)}" if change else ""

    def _question(
        self, kind: str, ask: str, options: Sequence[Option], about: Change | None = None, **more: str
    ) -> Question:
        """A question whose options are shuffled. The first one is right."""
        shuffled = self.draw.sample(options, len(options))
        right = shuffled.index(options[0])
        return Question(
            kind, self.tries.exercise, ask, tuple(shuffled), right, line=self._line(about), change=about, **more
        )

    def _values(self, kind: str, call: int, *first: Tried) -> Iterator[Question]:
        """Ask what the first of these versions returns, if enough others return something else."""
        found, text = [*first], self.tries.calls[call]
        for each in sorted(self.changed, key=lambda each: _unlike(first[0].values[call], each.values[call])):
            if isinstance(each.values[call], Raised) and any(isinstance(other.values[call], Raised) for other in found):
                break
            if all(differ(each.values[call], other.values[call]) for other in found):
                found.append(each)
        if len(found) >= OPTIONS:
            ask = self._say("draws" if is_picture(self.original.values[call]) else "returns", call=text)
            options = [self._option(each, each.values[call]) for each in found[:OPTIONS]]
            yield self._question(kind, ask, options, first[0].change, call=text)

    def _option(self, tried: Tried, value: object) -> Option:
        why = self._say("version", line=self._line(tried.change).strip()) if tried.change else self._say("unchanged")
        picture = png_of(value) if is_picture(value) else ""  # type: ignore[arg-type]
        return Option("" if picture else shown(value), why, picture, tried.change)

    def _predict(self) -> Iterator[Question]:
        for call in range(len(self.original.values)):
            yield from (each for each in self._values("predict", call, self.original) if not self._is_told(each))

    def _is_told(self, question: Question) -> bool:
        """Whether comments or strings in the code have numbers of the right option that another option lacks."""
        written = _numbers(" ".join(PROSE.findall(self.tries.code)))
        told = [
            {begin for line in each.text.split("\n") if (begin := _numbers(line, 2)).strip() and begin in written}
            for each in question.options
        ]
        return told[question.right] != set.intersection(*told)

    def _change(self) -> Iterator[Question]:
        for call in reversed(range(len(self.original.values))):
            for each in self.changed:
                value = each.values[call]
                if not isinstance(value, Raised) and differ(value, self.original.values[call]):
                    yield from self._values("change", call, each, self.original)

    def _where(self) -> Iterator[Question]:
        value = self.original.values[0] if self.original.values else None
        parts = [] if value is None or is_picture(value) else parts_of(value)
        for id, part in self.draw.sample(parts, len(parts)):
            false, true = [], []
            for each in self.changed:
                if each.change and not isinstance(each.values[0], Raised):
                    (false if differ(part(each.values[0]), part(value)) else true).append(each.change)
            if false and len(true) >= OPTIONS - 1:
                other_lines = {change.line: change for change in true if change.line != false[0].line}.values()
                others = [*other_lines, *(change for change in true if change not in other_lines)]
                options = [Option(self._line(each), self._say("true"), change=each) for each in others[: OPTIONS - 1]]
                right = Option(self._line(false[0]), self._say("false"), change=false[0])
                stated = self._say(id, values=shown(part(value)).split("\n")[0])
                ask = self._say("where", call=self.tries.calls[0], part=stated)
                yield self._question("where", ask, [right, *options], call=self.tries.calls[0], part=id)

    def _repair(self) -> Iterator[Question]:
        named = [(each.change, each.mistake) for each in self.changed if each.mistake]
        catalogue = self.draw.sample(self.tries.sentences, len(self.tries.sentences))
        for change, right in named:
            findings = (right, *(mistake for _, mistake in named), *catalogue)
            known = {self._sentence(each, right.facts): str(each.mistake) for each in findings}
            telling, text = _telling(known), next(iter(known))
            others = [each for each in known if not telling[each] & telling[text]]
            for some in combinations(others, OPTIONS - 1):
                if not any(telling[one] & telling[other] for one, other in combinations(some, 2)):
                    options = [Option(each, known[each]) for each in (text, *some)]
                    yield self._question("repair", self._say("repair"), options, change)

    def _sentence(self, finding: Finding, facts: Mapping[str, object]) -> str:
        """The finding in words, about the call in these facts: the right option is not the only one about its call."""
        call = {"call": facts["call"]} if "call" in facts and "call" in finding.facts else {}
        return say(self.tries.exercise, replace(finding, facts={**finding.facts, **call}), self.language).strip()


def _telling(known: Mapping[str, str]) -> dict[str, set[str]]:
    """The words of each text's statements that few texts have, and its id. Two that share one may state the same fact."""
    words = {text: {*WORD.findall(QUESTION.sub("", text).lower())} for text in known}
    of_all = Counter(word for own in words.values() for word in own)
    few = {word for word, count in of_all.items() if count <= max(2, len(known) * FEW)}
    return {text: own & few | {known[text]} for text, own in words.items()}


def _numbers(text: str, most: int | None = None) -> str:
    """The first numbers in the text, between spaces."""
    return f" {' '.join(f'{float(each):g}' for each in NUMBER.findall(text)[:most])} "


def _unlike(one: object, other: object) -> int:
    """0 for values of the same shape, 2 for an error."""
    return 2 if isinstance(other, Raised) else int(getattr(one, "shape", ()) != getattr(other, "shape", ()))


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
