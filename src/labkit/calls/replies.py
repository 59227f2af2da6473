"""What an answer gave, as text on its way out of a kernel, and read again on the other side.

The check in the notebook sends values the same way, so that it sees just what the grader sees: a subclass of an array
arrives as a plain array, and what cannot leave is told as an error.
"""

from __future__ import annotations

from labkit.calls import wire
from labkit.judging.observation import Raised


def reply(value: object) -> str:
    """The text that goes out: ["value", data], or ["raised", error, message]."""
    try:
        if isinstance(value, Raised):
            return wire.dumps(["raised", value.error[:80], value.message[:500]])
        return wire.dumps(["value", value])
    except (wire.Unsendable, ValueError, TypeError) as error:
        return wire.dumps(["raised", "Unsendable", str(error)[:500]])


def read_reply(text: object) -> object:
    """The value, or Raised. Bytes that `reply` did not write give Raised too."""
    try:
        match wire.loads(text) if isinstance(text, str) else None:
            case ["value", value]:
                return value
            case ["raised", str(error), str(message)]:
                return Raised(error, message)
        return Raised("Malformed", "sent back no reply")
    except wire.Malformed as error:
        return Raised("Malformed", f"sent back {error}")
