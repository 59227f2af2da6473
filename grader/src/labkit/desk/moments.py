"""Read a time as people and LMSs write it: 2026-03-01T23:59+01:00, or "Sunday, 1 March 2026, 11:59 PM"."""

from __future__ import annotations

import re
from datetime import datetime

from labkit.model.text import printable, shortened

EXAMPLE = "2026-03-01T23:59"
NONE = ("", "-", "–")  # nothing was submitted
MONTHS = {  # by their first three letters, in English and Spanish
    name: number
    for number, names in enumerate(
        ("jan ene", "feb", "mar", "apr abr", "may", "jun", "jul", "aug ago", "sep set", "oct", "nov", "dec dic"), 1
    )
    for name in names.split()
}
IN_WORDS = re.compile(  # Moodle's long form, with the day or the month first, and perhaps a weekday
    r"(?:[^\W\d]+\.?,?\s+)?"
    r"(?:(?P<day>\d{1,2})\.?(?:\s+de)?\s+(?P<month>[^\W\d]{3,})\.?|(?P<month_2>[^\W\d]{3,})\.?\s+(?P<day_2>\d{1,2}))"
    r"(?:\s+de)?,?\s+(?P<year>\d{4}),?\s+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?"
    r"\s*(?:(?P<half>[ap])\.?\s*m\.?)?",
    re.IGNORECASE,
)


class NoMoment(ValueError):
    """A text that is no time; the message says what is."""


def moment(said: str) -> datetime | None:
    """The time, with a zone only where the text has one; None where the text says that there is none."""
    if said in NONE:
        return None
    try:
        if found := IN_WORDS.fullmatch(said):
            return _in_words(found)
        if ":" in said:
            return datetime.fromisoformat(said)
    except (ValueError, KeyError):
        pass
    raise NoMoment(f"{shortened(printable(said), 40)!r} is no time that can be read; write it as {EXAMPLE}")


def _in_words(found: re.Match) -> datetime:
    month = MONTHS[(found["month"] or found["month_2"])[:3].casefold()]
    hour, half = int(found["hour"]), (found["half"] or "").casefold()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return datetime(int(found["year"]), month, int(found["day"] or found["day_2"]), hour, int(found["minute"]))
