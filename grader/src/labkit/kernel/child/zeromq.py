"""Inside a fork: ipykernel's own application on ZeroMQ, for tools that speak the Jupyter protocol."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

import IPython.core.debugger  # noqa: F401  # imported here, so that applications do not each import it and tornado's
import tornado.platform.asyncio  # noqa: F401
from ipykernel.kernelapp import IPKernelApp
from ipykernel.zmqshell import ZMQInteractiveShell
from traitlets import Any
from traitlets.config import Config

from labkit.kernel.messages import HELLO
from labkit.kernel.skipped_magics import skip_shell_magics
from labkit.notebook.cells import watch_cells
from labkit.notebook.figures import NO_PICTURES
from labkit.sandbox.confine import refuse_names


class ForkedApp(IPKernelApp):
    """Takes its connection from the settings instead of a file. Reports on a socket when its ports are bound."""

    settings, bound = Any(), Any()

    def init_connection_file(self) -> None:
        self.load_connection_info(self.settings["connection"])

    def write_connection_file(self, **_: object) -> None:
        refuse_names(self.settings["layer"])
        self.bound.sendall(HELLO)
        self.bound.close()


def prepare(settings: dict, bound: socket.socket) -> Callable[[], None]:
    """Make a kernel without history and bind its ports. Returns a function that runs the kernel until shutdown."""
    for warm in (IPKernelApp, ZMQInteractiveShell):  # the server created these instances only to import their modules
        warm.clear_instance()
    config = Config()
    config.HistoryManager.enabled = False
    if settings["pictures"]:
        del os.environ[NO_PICTURES]
    else:
        config.InlineBackend.figure_formats = set()
    # With process 1 as parent, ipykernel prints no hints and watches no parent. The kernel ends with the server anyway.
    app = ForkedApp.instance(settings=settings, bound=bound, config=config, parent_handle=1)
    app.initialize(settings["arguments"])
    skip_shell_magics(app.shell)
    watch_cells()
    return app.start
