"""Temporary folders: with names short enough for sockets, whose paths may have about 100 characters, and removed whole."""

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress

LONGEST = 48  # leaves room for what multiprocessing and ZeroMQ put below it
USUAL = "/tmp"


def keep_short() -> None:
    """Use the usual temporary folder where the one that the environment names is too long."""
    if len(os.fsencode(tempfile.gettempdir())) > LONGEST and os.access(USUAL, os.W_OK):
        tempfile.tempdir = USUAL


def remove(folder: str | os.PathLike) -> None:
    """Remove a folder with all in it, and never fail. Folders can lie deeper in one another than Python goes; rm goes there."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(["rm", "-rf", "--", folder], capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
