"""Inside a kernel: skip shell commands and directory changes, with a note, so that the rest of their cell still runs.

Cells from Colab start with `!pip install` or `%cd /content/drive`. Under isolation both would raise an error, and the answer
below them in the cell would lose its points.
"""

from __future__ import annotations

from functools import partial

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList

FOLDERS = ("cd", "pushd", "popd", "bookmark")
PROGRAMS = ("edit", "rehashx")  # magics that start an editor, or search for programs
INSTALLERS = ("pip", "conda", "mamba", "micromamba", "uv")
SCRIPTS = ("bash", "sh", "script", "perl", "ruby", "pypy", "python", "python2", "python3")
LONGEST = 60  # characters of a command in the note


def skip_shell_magics(shell: InteractiveShell) -> None:
    """Make this shell skip `!command` and similar magics, installers, scripts and directory changes."""
    shell.system = partial(_skip, "!")
    shell.getoutput = lambda command, *_, **__: _skip("!", command) or SList()
    for name in (*FOLDERS, *PROGRAMS, *INSTALLERS):
        shell.register_magic_function(partial(_skip, f"%{name} "), "line", name)
    for name in SCRIPTS:
        shell.register_magic_function(partial(_skip, f"%%{name} "), "cell", name)


def _skip(sign: str, command: str = "", *_: object, **__: object) -> None:
    line = " ".join(f"{sign}{command}".split())
    shown = line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
    print(f"Skipped, because shell commands and folder changes are not possible here: {shown}")
