"""Inside a kernel: skip shell commands, directory changes and windows, with a note, and let `exit` end only its own cell.

Cells from Colab start with `!pip install` or `%cd /content/drive`, and cells from a desktop with `%matplotlib qt`. Under
isolation these would raise an error, and the answer below them in the cell would lose its points. The cells and calls after an
`exit` need the kernel.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, wraps
from typing import NoReturn

from ipykernel.zmqshell import ZMQInteractiveShell
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList

FOLDERS = ("cd", "pushd", "popd", "bookmark")
PROGRAMS = ("edit", "rehashx")  # magics that start an editor, or search for programs
INSTALLERS = ("pip", "conda", "mamba", "micromamba", "uv")
SCRIPTS = ("bash", "sh", "script", "perl", "ruby", "pypy", "python", "python2", "python3")
WITHOUT_WINDOWS = ("inline", "auto", "agg", "cairo", "pdf", "pgf", "ps", "svg", "template")  # matplotlib's backends
COMMANDS = "shell commands and folder changes are not possible"
WINDOWS = "figures cannot be interactive"
LONGEST = 60  # characters of a command in the note


def skip_shell_magics(shell: InteractiveShell) -> None:
    """Make this shell skip `!command` and similar magics, installers, scripts and directory changes."""
    shell.system = partial(_skip, "!")
    shell.getoutput = lambda command, *_, **__: _skip("!", command) or SList()
    for name in (*FOLDERS, *PROGRAMS, *INSTALLERS):
        shell.register_magic_function(partial(_skip, f"%{name} "), "line", name)
    for name in SCRIPTS:
        shell.register_magic_function(partial(_skip, f"%%{name} "), "cell", name)
    shell.register_magic_function(partial(_skip, "%gui ", why=WINDOWS), "line", "gui")
    for name in ("matplotlib", "pylab"):
        shell.register_magic_function(partial(_without_window, shell.find_line_magic(name), name), "line", name)


def exit_cell_only(shell: ZMQInteractiveShell) -> None:
    """Make `exit`, `quit`, `ask_exit()` and `exit_now = True` raise SystemExit.

    ipykernel would stop the event loop 0.1 s later, so that it depends on the machine's speed which calls are answered.
    """

    def leave(*_: object, **__: object) -> NoReturn:
        shell.set_trait("exit_now", False)
        raise SystemExit

    shell.exit_now = False
    shell.unobserve_all("exit_now")
    shell.observe(lambda change: change["new"] and leave(), "exit_now")
    shell.ask_exit = leave


def skip_windows() -> None:
    """Make pyplot keep its backend where a cell selects one with windows, as with `matplotlib.use("TkAgg")`."""
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.switch_backend = _kept_without_display(pyplot.switch_backend)  # type: ignore[attr-defined]


def _kept_without_display(switch_backend: Callable[[str], None]) -> Callable[[str], None]:
    @wraps(switch_backend)
    def switched(newbackend: str) -> None:
        try:
            switch_backend(newbackend)
        except ImportError:
            _skip("backend ", newbackend, why=WINDOWS)

    return switched


def _without_window(magic: Callable[[str], None], name: str, line: str = "") -> None:
    """Run `%matplotlib` or `%pylab`, unless it selects a backend with windows or controls. `%pylab` still imports its names."""
    words = line.split()
    backend = next((word.strip("'\"") for word in words if not word.startswith("-")), "inline")
    if backend.lower() in WITHOUT_WINDOWS or backend.endswith("backend_inline"):
        return magic(line)
    _skip(f"%{name} ", line, why=WINDOWS)
    return magic(" ".join([*(word for word in words if word.startswith("-")), "inline"])) if name == "pylab" else None


def _skip(sign: str, command: str = "", *_: object, why: str = COMMANDS, **__: object) -> None:
    line = " ".join(f"{sign}{command}".split())
    shown = line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
    print(f"Skipped, because {why} here: {shown}")
