"""One submission's kernel behind nbval's own interface, so that nbval runs and compares cells as it always does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from queue import Empty

import zmq
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager
from nbval.kernel import RunningKernel

from labkit import project
from labkit.budgets import Budgets
from labkit.kernel import launch
from labkit.kernel.confine import Confinement, best_layer, give_home, wrap
from labkit.kernel.disk import DiskWatch
from labkit.kernel.home import make_font_cache, make_view, packages, surroundings

SLICE = 0.25  # seconds between two looks at whether the kernel still lives


class KernelDied(RuntimeError):
    """The kernel's process ended by itself."""


class OverBudget(KernelDied):
    """The kernel was ended, because it used more than it may; the message says what."""


def death_by(number: int | None, budgets: Budgets) -> KernelDied:
    """The error to raise for a kernel that ended by this signal, or without one."""
    if number == signal.SIGXCPU:
        return OverBudget(f"used more than {budgets.cpu_seconds} seconds of processor time")
    return KernelDied("the kernel's process ended by itself")


class SubmissionKernel(RunningKernel):
    """A stock IPython kernel with a scrubbed environment and a home of its own, confined, with budgets and a deadline."""

    def __init__(self, locked_module: bool, budgets: Budgets):
        self.deadline = time.monotonic() + budgets.notebook_seconds
        self.budgets, self._outputs, self._bytes = budgets, 0, 0
        self.folder = Path(tempfile.mkdtemp(prefix="labkit-"))
        self._disk = DiskWatch(self.folder / "home", budgets)
        try:
            self._start(locked_module, budgets)
        except BaseException:
            self.stop()
            raise

    def _start(self, locked_module: bool, budgets: Budgets) -> None:
        home, view = self.folder / "home", self.folder / "view"
        home.mkdir()
        make_view(view, locked_module)
        environment = surroundings(home, make_font_cache(home / "matplotlib"))
        self.folder.chmod(0o711)  # the kernel may be another user: it may pass, but not look
        give_home(home)
        layer, connection = best_layer(), str(self.folder / "connection.json")
        confinement = Confinement(str(home), (str(view), *packages(locked_module), connection), budgets.limits())
        command = [sys.executable, "-I", launch.__file__, str(view), str(project.SOURCE), confinement.to_json(), layer]
        command += ["-f", connection, "--HistoryManager.hist_file=:memory:"]
        self.km = KernelManager(connection_file=connection, transport="ipc", ip=str(home / ".kernel"))
        self.km.write_connection_file()
        give_home(connection)
        if layer == "bubblewrap":
            command = wrap(command, confinement)
        # Asked by message to stop a cell: a signal would go to bubblewrap.
        self.km.kernel_spec_manager = _OneSpec(KernelSpec(argv=command, interrupt_mode="message"))
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.km.start_kernel(cwd=str(home), env=environment, **quiet)
        self.group = os.getpgid(self.km.provisioner.pid)
        context = zmq.Context()
        context.setsockopt(zmq.MAXMSGSIZE, budgets.output_bytes)  # of each socket; what is larger is dropped
        self.kc = self.km.client(context=context)
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=60)

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        self._outputs = self._bytes = 0
        return super().execute_cell_input(cell_input, allow_stdin)

    def ask_answer(self, request: str) -> str:
        """Ask for what an answer gives (labkit.outbox says it); the message's id, as of a cell."""
        return self.execute_cell_input(
            f"__import__('labkit.outbox').outbox.send_answer({request!r})", allow_stdin=False
        )

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """The next message. Raises Empty after `timeout` or at the deadline, and KernelDied at once when it died."""
        message = self._receive(stream, timeout)
        self._outputs += 1
        size, levels = _size_and_levels(message["content"])
        self._bytes += size
        if self._outputs > self.budgets.outputs:
            self._too_much(f"made more than {self.budgets.outputs:,} outputs in one cell")
        if self._bytes > self.budgets.output_bytes:
            self._too_much(f"wrote more than {self.budgets.output_bytes / 2**20:.0f} MiB in one cell")

        if levels > self.budgets.json_depth:
            self._too_much(f"made an output nested more than {self.budgets.json_depth} levels deep")
        return message

    def _too_much(self, what: str) -> None:
        self.stop()
        raise OverBudget(what)

    def _receive(self, stream: str, timeout: float | None) -> dict:
        if self.kc is None:
            raise KernelDied("the kernel was stopped")
        receive = {"iopub": self.kc.get_iopub_msg, "shell": self.kc.get_shell_msg}[stream]
        until = min(self.deadline, time.monotonic() + timeout) if timeout is not None else self.deadline
        while True:
            if complaint := self._disk.complaint():
                self._too_much(complaint)
            try:
                return receive(timeout=max(0.0, min(SLICE, until - time.monotonic())))
            except (ValueError, KeyError, TypeError, RecursionError):  # not JSON, too deep, or not signed
                raise KernelDied("the kernel sent what is no message") from None
            except Empty:
                if not self.is_alive():
                    raise death_by(self._signal(), self.budgets) from None
                if time.monotonic() >= until:
                    raise

    def _signal(self) -> int | None:
        """The signal that ended the process; bubblewrap tells it as a shell does."""
        code = self.km.provisioner.process.poll() or 0
        return -code if code < 0 else code - 128 if code > 128 else None

    @property
    def out_of_time(self) -> bool:
        return time.monotonic() >= self.deadline

    def is_alive(self) -> bool:
        return getattr(self, "km", None) is not None and self.km.is_alive()

    def stop(self) -> None:
        """Kill the kernel and whatever it started, and remove its folder. Safe to call twice."""
        if getattr(self, "kc", None) is not None:
            self.kc.stop_channels()
            self.kc.context.destroy(linger=0)
            self.kc = None
        if getattr(self, "group", None):
            try:
                os.killpg(self.group, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.group = None
        if getattr(self, "km", None) is not None:
            if self.km.has_kernel:
                self.km.shutdown_kernel(now=True)
            self.km = None
        shutil.rmtree(self.folder, ignore_errors=True)


def _size_and_levels(content: object) -> tuple[int, int]:
    """How long the texts in a message are together, and how deep it is nested."""
    waiting, size, deepest = [(content, 1)], 0, 0
    while waiting:
        value, level = waiting.pop()
        deepest = max(deepest, level)
        match value:
            case str() as text:
                size += len(text)
            case dict() as entries:
                waiting += [(each, level + 1) for pair in entries.items() for each in pair]
            case list() as items:
                waiting += [(each, level + 1) for each in items]
            case _:
                size += 8
    return size, deepest


class _OneSpec(KernelSpecManager):
    """Knows one kernel, whatever a notebook's metadata ask for."""

    def __init__(self, spec: KernelSpec):
        super().__init__()
        self.spec = spec

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return self.spec
