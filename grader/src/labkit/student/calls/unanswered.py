"""Find out why an answer cannot be called: it is unwritten, or the cell that should define it failed."""

from __future__ import annotations

import re

from labkit.student.judging.observation import Raised

STUBS = {"en": "{name}: write your answer here", "es": "{name}: escribe aquí tu respuesta"}
STUB = STUBS["en"]
_STUB = re.compile("|".join(stub.format(name=r"(\w+)") for stub in STUBS.values()))
_DEFINES = re.compile(r"^(?:async[ \t]+def|def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?:=(?!=)|:)", re.MULTILINE)
_MOST_LINES = 10_000

_failed: dict[
    str, tuple[str, bool]
] = {}  # by name: how the defining cell ended, and whether it failed before its first line
_unwritten: set[str] = set()  # exercises whose placeholder raised its error when the cell ran, as for short answers


def stub_of(error: BaseException | None) -> str | None:
    """The unwritten exercise that raised this error, or None for another error."""
    found = _STUB.fullmatch(str(error)) if type(error) is NotImplementedError else None
    return found and found[found.lastindex or 0]


def remember(source: str, error: BaseException | None, before: bool = False) -> None:
    """Record whether a cell defined its names or failed. `before`: it failed before its first line ran."""
    stub = stub_of(error)
    if stub:
        _unwritten.add(stub)
    for names in _DEFINES.findall("\n".join(source.splitlines()[:_MOST_LINES])):
        name = names[0] or names[1]
        _failed.pop(name, None)
        _unwritten.discard(name)
        if error is not None and not stub:
            _failed[name] = (_in_short(error), before)


def missing(name: str, defined: bool) -> Raised | None:
    """Why the answer `name` cannot be called: it is undefined, or its cell no longer runs. Returns None if it can be called."""
    how, before = _failed.get(name, ("", False))
    if how and (before or not defined):
        return Raised("DoesNotRun", how)
    if not defined:
        return unwritten(name, name) if name in _unwritten else Raised("Undefined", name)
    return None


def unwritten(name: str, stub: str) -> Raised:
    """The result of calling the answer `name` when it needs the unwritten exercise `stub`."""
    if stub != name:
        return Raised("RestsOn", stub)
    how, _ = _failed.get(name, ("", False))
    return Raised("DoesNotRun", how) if how else Raised("NotImplementedError", STUB.format(name=name))


def _in_short(error: BaseException) -> str:
    """Shorten an error to a phrase such as "SyntaxError, line 2: invalid syntax"."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}, line {error.lineno}: {error.msg}"
    return f"{type(error).__name__}: {error}"[:300]
