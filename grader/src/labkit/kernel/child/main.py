"""What a fork does first: it is held in, becomes a kernel, and says so before anything submitted can run."""

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
    """Serve requests on the socket, or say there in words why not. For a tool the kernel is ipykernel's own application."""
    try:
        os.environ.update(request["environment"])
        tempfile.tempdir = None
        numpy.random.seed()  # nothing of the server's is kept that the next child could not have too
        open_own_null()
        confine(Confinement.from_json(request["confinement"]), request["layer"])
        serve = zeromq.prepare(request, connection) if "connection" in request else kernel.prepare(connection)
        if "connection" not in request:  # ipykernel's application has names to give
            refuse_names(request["layer"])
    except BaseException as error:
        connection.send(in_words(error).encode())
        raise
    serve()


def open_own_null() -> None:
    """A file that is inherited has one set of flags for all that inherited it, and each of them could read the others'."""
    own = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(own, standard)
    os.close(own)
