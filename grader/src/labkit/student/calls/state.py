"""Inside the kernel: before each call of an answer, end and undo what cells left behind, where no answer can rely on it.

A forgotten timer or tracer would otherwise end or slow calls at a moment that depends on the machine's speed. Settings that an
answer may rely on, such as `np.seterr` or a changed folder, stay as they are.
"""

from __future__ import annotations

import builtins
import faulthandler
import gc
import re
import signal
import sys
import threading
from typing import Any

from labkit.student.judging.observation import Raised

TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF) if hasattr(signal, "setitimer") else ()
_names = dict(vars(builtins))
_started: dict[str, Any] = {}


def remember() -> None:
    """Take the state of a kernel that has run no cell yet as the one to restore."""
    _names.update(vars(builtins))
    _started.update(trace=sys.gettrace(), profile=sys.getprofile(), threshold=gc.get_threshold())


def after_cell() -> None:
    """End a cell's timers (`signal.alarm` uses the first), and restore builtins, which the event loop needs."""
    for timer in TIMERS:
        signal.setitimer(timer, 0)
    faulthandler.cancel_dump_traceback_later()
    vars(builtins).update(_names)


def restore() -> None:
    """Restore the remembered state. It does nothing in a process that remembers none, such as a student's notebook."""
    if not _started:
        return
    after_cell()
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
    sys.settrace(_started["trace"])
    sys.setprofile(_started["profile"])
    gc.enable()
    gc.set_threshold(*_started["threshold"])
    if tracemalloc := sys.modules.get("tracemalloc"):
        tracemalloc.stop()


STUBS = {"en": "{name}: write your answer here", "es": "{name}: escribe aquí tu respuesta"}
STUB = STUBS["en"]
_STUB = re.compile("|".join(stub.format(name=r"(\w+)") for stub in STUBS.values()))
_DEFINES = re.compile(r"^(?:async[ \t]+def|def|class)[ \t]+(\w+)|^(\w+)[ \t]*(?:=(?!=)|:)", re.MULTILINE)
_MOST_LINES = 10_000

# By name: how the defining cell ended, and whether it failed before its first line.
_failed: dict[str, tuple[str, bool]] = {}
_in_magic: set[str] = set()  # names that a cell with a magic, such as %%timeit, would define
passed: set[str] = set()  # exercises whose check has passed in this session
_unwritten: set[str] = set()  # exercises whose placeholder raised its error when the cell ran, as for short answers


def stub_of(error: BaseException | None) -> str | None:
    """The unwritten exercise that raised this error, or None for another error."""
    found = _STUB.fullmatch(str(error)) if type(error) is NotImplementedError else None
    return found and found[found.lastindex or 0]


def record_cell(source: str, error: BaseException | None, before: bool = False) -> None:
    """Record whether a cell defined its names or failed. `before`: it failed before its first line ran."""
    stub, has_magic = stub_of(error), source.lstrip().startswith("%%")
    if stub:
        _unwritten.add(stub)
    for names in _DEFINES.findall("\n".join(source.splitlines()[:_MOST_LINES])):
        name = names[0] or names[1]
        _failed.pop(name, None)
        _unwritten.discard(name)
        (_in_magic.add if has_magic else _in_magic.discard)(name)
        if error is not None and not stub:
            _failed[name] = (_in_short(error), before)


def missing(name: str, defined: bool) -> Raised | None:
    """Why the answer `name` cannot be called: it is undefined, or its cell no longer runs. Returns None if it can be called."""
    how, before = _failed.get(name, ("", False))
    if how and (before or not defined):
        return Raised("DoesNotRun", how)
    if not defined:
        kind = "InMagic" if name in _in_magic else "Undefined"
        return unwritten(name, name) if name in _unwritten else Raised(kind, name)
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
