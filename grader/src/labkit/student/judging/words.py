"""Put findings into words, with templates by id and language, for one exercise or for all."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from labkit.student.judging.finding import Finding
from labkit.student.model.course import Course, folder_of
from labkit.student.model.errors import UserError
from labkit.student.model.text import in_a_line

_FOUR_DIGITS = re.compile(r"^(\D*\d),(\d{3})(?!\d|,)")
WORDS = "words.en.toml"
FINDINGS = "findings"  # the key, in an exercise's table, for findings of its own check
SHIPPED = "shipped"  # the key, in an exercise's table, for programs that shipped with a mistake, by its id
TITLES = "titles"  # the table with the titles of a lab (`lab`) and its exercises
_TEMPLATES: dict[tuple[str, str], dict[str, str]] = {}  # by exercise ("" for all) and id, then by language
_TITLES: dict[tuple[str, str], str] = {}  # by lab or exercise, and language


def register(templates: Mapping[str, Mapping[str, str]], *exercises: str) -> None:
    """Register words by language and id, for these exercises or for all. Errors: ValueError for an id that has other words."""
    for language, by_id in templates.items():
        for id, template in by_id.items():
            list(Formatter().parse(template))  # find an error in a template now, not after grading a class
            for exercise in exercises or ("",):
                known = _TEMPLATES.setdefault((exercise, id), {})
                if known.setdefault(language, template) != template:
                    raise ValueError(f"{id!r} already has words in {language} for {exercise or 'every exercise'}")


def templates(exercise: str, id: str) -> Mapping[str, str]:
    """The templates for a finding by language: the exercise's own, else the general ones."""
    return _TEMPLATES.get((exercise, id)) or _TEMPLATES.get(("", id)) or {}


@cache
def load(course: Course) -> None:
    """Import the course's mistakes and read its word files, once. Errors: UserError for an invalid file.

    Each lab's folder has a file `words.en.toml`; words that labs share are in such a file in the course's folder. The table
    `[similarity]` has the sentences for one exercise by the mistake's id, and `["similarity closed_form"]` has sentences for two
    exercises. Sentences for findings of an exercise's own check are in `[similarity.findings]`. `[similarity.shipped]` names a
    program that shipped with a mistake. `[titles]` has the titles of the lab and its exercises. Translations are in the same form.
    """
    course.mistakes
    labs = {folder_of(name): name for name in course.names}
    for folder in course.folders:
        try:
            for language, stated in words_in(folder).items():
                for name, words in stated.pop(TITLES, {}).items():
                    _TITLES[labs[folder.name] if name == "lab" else name, language] = str(words)
                for exercises, words in stated.items():
                    shipped = {f"{SHIPPED} {id}": program for id, program in words.pop(SHIPPED, {}).items()}
                    sentences = words.pop(FINDINGS, {}) | shipped | words
                    register({language: sentences}, *exercises.split())
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise UserError(f"{folder.name}/{WORDS}: {in_a_line(error)}") from None


def words_in(folder: Path) -> dict[str, dict[str, Any]]:
    """The words in a folder by language: `words.en.toml`, and translations as generated from it. Errors: ValueError."""
    path = folder / WORDS
    english = {"en": tomllib.loads(path.read_text("utf-8"))} if path.exists() else {}
    return english | {language: stored["words"] for language, stored in stored_in(folder).items() if "words" in stored}


def stored_in(folder: Path) -> dict[str, dict[str, Any]]:
    """What `labkit build` generated from the translations of a folder, by language. Errors: ValueError."""
    paths = sorted(folder.glob("translation.*.json"))
    return {path.name.split(".")[1]: json.loads(path.read_text("utf-8")) for path in paths}


def title(name: str, language: str = "en") -> str:
    """The title of a lab or exercise: in this language, else in English, else its name.

    Call `load` first.
    """
    return _TITLES.get((name, language)) or _TITLES.get((name, "en")) or name


def lab_title(name: str, language: str = "en") -> str:
    """A lab's number and title, such as 01 · Build the table."""
    known = title(name, language)
    return name if known == name else f"{name[:2]} · {known}"


def say(exercise: str, finding: Finding, language: str = "en") -> str:
    """Put a finding into words, with the exercise's own template or else the general one.

    If the template is missing in this language, another language is used.

    Call `load` first for a course's words.
    """
    known = templates(exercise, finding.id)
    formatter = _FactFormatter(exercise, language)
    if not known:  # a finding of the course's own check
        facts = (f"{name} {formatter.format_field(fact, '')}" for name, fact in finding.facts.items())
        return ", ".join((finding.id, *facts))
    return formatter.vformat(known.get(language, next(iter(known.values()))), (), finding.facts)


def in_words(exercise: str, fact: object, language: str = "en") -> str:
    """Put one fact of a finding into words."""
    return _FactFormatter(exercise, language).format_field(fact, "")


def filled(text: str, facts: Mapping[str, object], language: str = "en") -> str:
    """Fill in a sentence's {…} fields as in findings, with numbers in the language's format."""
    return _FactFormatter("", language).vformat(text, (), facts)


def say_all(exercise: str, findings: Iterable[Finding], language: str = "en") -> str:
    """Put all findings into words, in one line."""
    return " ".join(say_each(exercise, findings, language))


def say_each(exercise: str, findings: Iterable[Finding], language: str = "en") -> list[str]:
    """Put each finding into words, once. The first mistake that is known to have shipped in a program gets a sentence about it."""
    said = {say(exercise, finding, language): shipped(exercise, finding, language) for finding in findings}
    first = next((text for text, program in said.items() if program), None)
    return [f"{text} {program}" if text == first else text for text, program in said.items()]


def shipped(exercise: str, finding: Finding, language: str = "en") -> str:
    """A sentence that names a program which shipped with this mistake, or "" if none is known."""
    known = finding.named and templates(exercise, f"{SHIPPED} {finding.id}").get(language)
    return say("", Finding(SHIPPED, {"program": known}), language) if known else ""


register(words_in(Path(__file__).parent))


class _FactFormatter(Formatter):
    """Fills in facts. They may come from a student, so no fact raises an error; at worst it is shown unformatted.

    In addition to Python's formats, there are `shape`, which writes a list as a tuple, and `a`, which adds an English article.
    """

    def __init__(self, exercise: str, language: str):
        self.exercise, self.language = exercise, language

    def get_value(self, key: int | str, args: Sequence[object], facts: Mapping[str, object]) -> object:
        return facts.get(str(key), "?")

    def format_field(self, value: Any, spec: str) -> str:
        match value, spec:
            case Finding(), _:
                return say(self.exercise, value, self.language)
            case list(), "shape":
                return str(tuple(value))
            case list(), _:
                return ", ".join(self.format_field(each, spec) for each in value)
            case str(), "a":
                article = "an" if value[:1] in tuple("aeiou") else "a"
                return f"{article} {value}" if self.language == "en" else value
        for kind in (lambda fact: fact, float):  # JSON stores infinities and NaN as text
            try:
                return self._grouped(format(kind(value), spec), spec)
            except (ValueError, TypeError, OverflowError):
                pass
        return str(value)

    def _grouped(self, number: str, spec: str) -> str:
        """In Spanish, group thousands only in numbers of five or more digits."""
        if "," not in spec or self.language != "es":
            return number
        return _FOUR_DIGITS.sub(r"\1\2", number).replace(",", "\N{NO-BREAK SPACE}")


# Each error message as a pattern, with the id of the question in words.en.toml.
HINTS = {
    r"could not be broadcast together": "hint-shapes",
    r"could not broadcast input array": "hint-assigned-shape",
    r"setting an array element with a sequence\.$": "hint-one-cell",
    r"mismatch in its core dimension|not aligned": "hint-inner-sizes",
    r"cannot reshape array": "hint-reshape",
    r"only (0-dimensional|length-1|size-1) arrays can be converted": "hint-one-number",
    r"truth value of an array": "hint-truth",
    r"is out of bounds for axis|index out of range": "hint-index",
    r"'numpy\.ndarray' object is not callable": "hint-brackets",
    r"multiply sequence by non-int|operand type.*'(list|range|tuple)'|or slices, not tuple": "hint-list",
    r"only integers, slices|cannot be interpreted as an integer|or slices, not float": "hint-whole",
    r"^Cannot interpret '\d+' as a data type": "hint-shape-tuple",
    r"'NoneType'": "hint-none",
    r"^name '.*' is not defined": "hint-name",
}


def hint_of(message: str) -> Finding | None:
    """The question about an error message, or None if the message is not a common one."""
    return next((Finding(hint) for pattern, hint in HINTS.items() if re.search(pattern, message)), None)
