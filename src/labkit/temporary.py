"""Temporary folders whose names are short enough for sockets: the path of one may have about 100 characters."""

import os
import tempfile

LONGEST = 48  # leaves room for what multiprocessing and ZeroMQ put below it
USUAL = "/tmp"


def keep_short() -> None:
    """Use the usual temporary folder where the one that the environment names is too long."""
    if len(os.fsencode(tempfile.gettempdir())) > LONGEST and os.access(USUAL, os.W_OK):
        tempfile.tempdir = USUAL
