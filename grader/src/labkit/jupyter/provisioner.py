"""Start forked kernels for any Jupyter tool: jupyter_client does this for kernelspecs that name the provisioner in this file.

The kernelspec `labkit` does so (see kernel.json). A fork server forks each kernel and confines it. A kernel ends when its tool does.
"""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from jupyter_client.provisioning import KernelProvisionerBase
from traitlets import List, Unicode

from labkit.kernel import workdir
from labkit.kernel.fork_server.client import hear_hello
from labkit.kernel.fork_server.process import available, server_for
from labkit.kernel.meter import KernelDied
from labkit.model.budgets import Budgets
from labkit.model.course import Environment
from labkit.model.project import current
from labkit.notebook.figures import NO_PICTURES
from labkit.sandbox.confine import CHOICE, best_layer
from labkit.sandbox.faults import MachineFailed
from labkit.sandbox.watch import Watch

PORTS = {f"{name}_port": number for number, name in enumerate(("shell", "iopub", "stdin", "control", "hb"), 1)}


class WarmProvisioner(KernelProvisionerBase):
    """One kernel. Its traits come from `config` in the kernelspec. The kernel does not run in the tool's working directory."""

    warm = List(Unicode(), help="Modules that the fork server imports in advance, if installed.").tag(config=True)
    packages = List(Unicode(), help="Packages in the course's source folder that kernels can import.").tag(config=True)
    labs = List(Unicode(), help="Labs whose folders kernels can import. By default, all.").tag(config=True)

    server = workdir = number = None

    @property
    def has_process(self) -> bool:
        return self.number is not None

    async def pre_launch(self, **settings: Any) -> dict[str, Any]:
        """Check that kernels can be confined. Errors: RuntimeError, with a message for the tool's user."""
        layer = best_layer()
        if not available() or layer == "limits" and os.environ.get(CHOICE) != "limits":
            raise RuntimeError(
                "the kernel `labkit` needs Linux with Landlock, with or without bubblewrap (see `labkit doctor`); the kernel "
                "`python3` runs everywhere but isolates nothing"
            )
        arguments = [*self.kernel_spec.argv, *settings.pop("extra_arguments", ())]
        return {**await super().pre_launch(**settings), "cmd": arguments}

    async def launch_kernel(self, cmd: list[str], **settings: Any) -> dict[str, Any]:
        """Start the kernel with these ipykernel arguments. NO_PICTURES is the only environment variable it inherits."""
        pictures = not settings["env"].get(NO_PICTURES)
        await asyncio.to_thread(self._start, cmd, pictures)  # the first kernel waits for the server's imports
        return self.connection_info

    def _start(self, arguments: list[str], pictures: bool) -> None:
        workdir.keep_short()
        installed = tuple(module for module in self.warm if find_spec(module.partition(".")[0]))
        project = current()
        server = server_for(
            project, Environment(tuple(self.packages), installed, tuple(self.labs) or project.course.names)
        )
        if server is not self.server:  # a restarted kernel keeps its address, because clients connect to it
            self.server, self.workdir = server, server.next_workdir()
        session = self.parent.session
        self.connection_info = {"transport": "ipc", "ip": str(self.workdir / ".kernel"), **PORTS, "key": session.key,
                                "signature_scheme": session.signature_scheme}  # fmt: skip
        connection = {**self.connection_info, "key": session.key.decode()}
        wishes = {"connection": connection, "arguments": arguments, "pictures": pictures}
        self.number, bound = server.start_kernel(self.workdir, budgets := Budgets(), **wishes)
        self.watch = Watch(self.workdir, budgets)
        try:
            with bound:
                self.watch.process = hear_hello(bound)
        except MachineFailed as error:
            self._stop()
            raise KernelDied(f"{error} (its arguments: {json.dumps(arguments)})") from None

    async def poll(self) -> int | None:
        """Return None while the kernel runs, then 0 if it was stopped, or 1 if it ended by itself or filled the disk."""
        if not self.has_process:
            return 0
        if not self.server.tell(self.number, "alive").get("alive"):
            return 1
        with suppress(MachineFailed):
            if not self.watch.complaint():
                return None
        self._stop()
        return 1

    async def wait(self) -> int | None:
        while (code := await self.poll()) is None:
            await asyncio.sleep(0.1)
        self._stop()
        return code

    async def send_signal(self, signum: int) -> None:
        if self.has_process:
            self.server.tell(self.number, "signal", signal=signum)

    async def _end(self, restart: bool = False) -> None:
        """Stop the kernel at once. Ending it gracefully would take seconds, for exit hooks that a submission does not need."""
        self._stop()

    kill = terminate = shutdown_requested = cleanup = _end

    def _stop(self) -> None:
        """Kill the kernel and remove its workdir. Safe to call twice."""
        if self.has_process:
            self.server.stop_kernel(self.number, self.workdir)
            self.number = None
