"""A fork's first steps: confine itself, become a kernel, and report ready before any submitted code can run."""

from __future__ import annotations

import os
import socket
import tempfile

import numpy

from labkit.kernel.child import zeromq
from labkit.kernel.child.shell import PipeKernel
from labkit.sandbox.confine import Confinement, confine, refuse_names
from labkit.sandbox.faults import in_words


def run(kernel: PipeKernel, request: dict, connection: socket.socket) -> None:
    """Serve requests on the socket, or send the reason there. For Jupyter tools the kernel is ipykernel's own application."""
    try:
        os.environ.update(request["environment"])
        tempfile.tempdir = None
        numpy.random.seed()  # otherwise all children would share the server's random state
        open_own_null()
        confine(Confinement.from_json(request["confinement"]), request["layer"])
        serve = zeromq.prepare(request, connection) if "connection" in request else kernel.prepare(connection)
        if "connection" not in request:  # ipykernel's application still has to bind named sockets
            refuse_names(request["layer"])
    except BaseException as error:
        connection.send(in_words(error).encode())
        raise
    serve()


def open_own_null() -> None:
    """Reopen /dev/null: an inherited file shares its status flags with all heirs, which could read each other's changes."""
    own = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(own, standard)
    os.close(own)
