"""A fork's first steps, before any submitted code can run: confine itself, become a kernel, and report ready."""

from __future__ import annotations

import json
import os
import random
import socket
import tempfile

import numpy

from labkit.grade.kernel.child.channel import read
from labkit.grade.kernel.child.shell import PipeKernel
from labkit.grade.sandbox.confine import Confinement, confine, refuse_names
from labkit.grade.sandbox.faults import in_words


def run(kernel: PipeKernel, connection: socket.socket) -> None:
    """Read this kernel's settings from the socket and serve requests on it, or send the reason why this is impossible."""
    try:
        settings = json.loads(read(connection))
        os.environ.update(settings["environment"])
        tempfile.tempdir = None
        numpy.random.seed(0)  # an answer that draws without a seed gets the same points in every run
        random.seed(0)
        open_own_null()
        confine(Confinement.from_json(settings["confinement"]), settings["layer"])
        serve = kernel.prepare(connection)
        refuse_names(settings["layer"])
    except BaseException as error:
        connection.send(in_words(error).encode())
        raise
    serve()


def open_own_null() -> None:
    """Reopen /dev/null. Processes that inherit an open file share its status flags, and could communicate through them."""
    own = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(own, standard)
    os.close(own)
