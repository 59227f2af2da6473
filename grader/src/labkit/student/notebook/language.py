"""The language of a notebook. Its setup cell calls `use_style(language="es")`, and all later messages are in that language.

Sentences in a lab's code are written in English where they are used. Their translations are in `texts.<language>.toml`, in the
lab folder or the course folder. Each file is a list of `[[text]]` tables, each with the English as `en` and the translation under its
language code.
"""

from __future__ import annotations

import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path

from labkit.student.judging.words import filled
from labkit.student.model.course import Course, current

ENGLISH = "en"
_spoken = ENGLISH


def use_language(language: str) -> None:
    """Show everything from now on in this language. Errors: TypeError."""
    global _spoken
    if not isinstance(language, str):
        raise TypeError(f'language must be a code such as "en" or "es", not {language!r}')
    _spoken = language


def spoken(language: str | None = None) -> str:
    """The given language, else the notebook's."""
    return language or _spoken


def translated(text: str, /, **facts: object) -> str:
    """Translate a sentence of the course into the notebook's language, if possible, and fill in its placeholders.

    Lab code imports this as `_`, so that the English stays readable in the code: `_("anchor {anchor}", anchor=20)`.
    """
    return in_language(text, _spoken, **facts)


def deferred(text: str) -> str:
    """Mark a constant sentence for translation and return it unchanged; `_(CONSTANT)` translates it when shown."""
    return text


def in_language(text: str, language: str, /, **facts: object) -> str:
    """Translate a sentence into the given language."""
    if language != ENGLISH:
        with suppress(LookupError):  # no course has been imported
            text = translations(current(), language).get(text, text)
    return filled(text, facts, language) if facts else text


@cache
def translations(course: Course, language: str) -> dict[str, str]:
    """The course's translations into a language, by English text."""
    tables = (each for path in course.texts(language) for each in entries(path))
    return {each[ENGLISH]: each[language] for each in tables if each[language]}


def entries(path: Path) -> list[dict[str, str]]:
    """The tables of a translation file, in order. Errors: ValueError."""
    tables: list[dict[str, str]] = tomllib.loads(path.read_text("utf-8")).get("text", [])
    return tables
