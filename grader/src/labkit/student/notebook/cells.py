"""If a cell uses an exercise that the student has not written yet, show one grey line instead of an error."""

from __future__ import annotations

import html
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps

from labkit.student.calls.unanswered import remember, stub_of
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import load, say, title
from labkit.student.model.course import current
from labkit.student.notebook.language import spoken


def watch_cells() -> None:
    """From the next cell on, quietly end each cell that uses an unwritten exercise, so that Run All continues.

    Also records, for `check`, why an answer is missing. Outside IPython there are no cells, so this does nothing.
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and NotImplementedError not in shell.custom_exceptions:
        shell.set_custom_exc((NotImplementedError,), _not_written)
        shell.events.register("post_run_cell", _cell_ended)


def _not_written(shell, kind, error, traceback, tb_offset=None) -> None:
    """Close unfinished figures and show which exercise the cell needs. Any other error is shown as usual."""
    if not (name := stub_of(error)):
        shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
        return
    _close_figures()
    _say_unwritten(name)


def _say_unwritten(name: str) -> None:
    """Show one grey line, with the exercise's title if a course is loaded."""
    with suppress(LookupError):
        load(current())
    language = spoken()
    grey_line(say("", Finding("check-unwritten", {"name": title(name, language)}), language))


def _close_figures() -> None:
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def quiet(function: Callable) -> Callable:
    """Wrap the callback of an interactive control, so that it also shows one grey line for an unwritten exercise."""

    @wraps(function)
    def called(*args: object, **named: object) -> object:
        try:
            return function(*args, **named)
        except NotImplementedError as error:
            if not (name := stub_of(error)):
                raise
            _close_figures()
            _say_unwritten(name)

    return called


def _cell_ended(result) -> None:
    before, error = result.error_before_exec, result.error_before_exec or result.error_in_exec
    remember(result.info.raw_cell or "", error, before is not None)
    if stub_of(error):
        result.error_in_exec = None  # the kernel then replies "ok", and Run All continues


def grey_line(text: str) -> None:
    from IPython.display import display

    display({"text/html": f'<span style="opacity: 0.7">{html.escape(text)}</span>', "text/plain": text}, raw=True)
