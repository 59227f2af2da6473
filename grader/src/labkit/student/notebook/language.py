"""The language of a notebook. Its setup cell calls `use_style(language="es")`, and all later messages are in that language.

Sentences in a lab's code are written in English where they are used. `labkit build` writes their translations into
`translation.<language>.json`, in the lab's folder or the course's.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from labkit.student.judging.words import filled, stored_in
from labkit.student.model.course import Course, current

ENGLISH = "en"
_spoken = ENGLISH


def use_language(language: str) -> None:
    """Show everything from now on in this language. Errors: TypeError."""
    global _spoken
    if not isinstance(language, str):
        raise TypeError(f'language must be a code such as "en" or "es", not {language!r}')
    _spoken = language


def spoken() -> str:
    """The notebook's language."""
    return _spoken


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
    stored = (stored_in(folder).get(language, {}) for folder in course.folders)
    return {english: other for each in stored for english, other in each.get("sentences", {}).items()}
