"""Inside the kernel: before each call of an answer, end and undo what cells left behind, where no answer can rely on it.

A forgotten timer or tracer would otherwise end or slow calls at a moment that depends on the machine's speed. Settings that an
answer may rely on, such as `np.seterr` or a changed folder, stay as they are.
"""

from __future__ import annotations

import builtins
import faulthandler
import gc
import signal
import sys
import threading
from typing import Any

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
