"""Answer a name for which the notebook has no check: suggest the name that was probably meant."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say, title
from labkit.student.model.course import Course, Exercise
from labkit.student.model.text import shortened
from labkit.student.notebook.messages import card, laid_out, paragraphs, tell

LONGEST = 60  # characters of a name that are repeated


class UnknownExercise(LookupError):
    """The notebook has no check for this name. The finding says why, such as a written answer, or no such exercise."""

    def __init__(self, finding: Finding, exercise: Exercise | None = None):
        super().__init__(finding)
        self.finding, self.exercise = finding, exercise

    def line(self, language: str = "en") -> str:
        name = title(self.exercise.name, language) if self.exercise else self.finding.facts["name"]
        return say("", Finding(self.finding.id, {**self.finding.facts, "name": name}), language)

    def tell(self, language: str = "en") -> None:
        state, line = "open" if self.exercise else "wrong", self.line(language)
        badge = self.finding.id.replace("check", "badge").removesuffix("-close").removesuffix("-alone")
        word = say("", Finding(badge), language)
        name = title(self.exercise.name, language) if self.exercise else ""
        body = line.removeprefix(f"… {name}: ") if name else line.removeprefix("✘ ")
        tell(laid_out(line), card(state, word, name, paragraphs(body), language))


def unknown(course: Course, name: object, namespace: Mapping[str, object]) -> UnknownExercise:
    """The answer to a name that no exercise has. The open lab is the one whose answers are in the namespace."""
    own = _open_lab(course, namespace)
    if not isinstance(name, str):
        meant = _name_of(course, name, namespace) or [*own, *course.exercises][0]
        return UnknownExercise(Finding("check-unquoted", {"name": meant}))
    facts = {"name": shortened(name, LONGEST)}
    if close := _closest(name, own) or _closest(name, [*course.exercises]):
        return UnknownExercise(Finding("check-unknown-close", {**facts, "names": close}))
    return UnknownExercise(
        Finding("check-unknown", {**facts, "names": own}) if own else Finding("check-unknown-alone", facts)
    )


def _closest(name: str, names: list[str]) -> list[str]:
    return get_close_matches(name.strip().casefold(), names, 1)


def _open_lab(course: Course, namespace: Mapping[str, object]) -> list[str]:
    """The names of the lab's exercises; none if answers of no lab, or equally many of several labs, are defined."""
    found = [[each.name for each in lab.exercises if each.name in namespace] for lab in course.labs.values()]
    most = max(map(len, found), default=0)
    labs = [lab for lab, names in zip(course.labs.values(), found) if len(names) == most]
    return [each.name for each in labs[0].exercises if each.checked] if most and len(labs) == 1 else []


def _name_of(course: Course, answer: object, namespace: Mapping[str, object]) -> str:
    """The exercise that this value answers; "" if it answers none."""
    named = getattr(answer, "__name__", "")
    if isinstance(named, str) and named in course.exercises:
        return named
    return next((name for name in course.exercises if name in namespace and namespace[name] is answer), "")
