"""One submission's kernel behind nbval's own interface, so that nbval runs and compares cells as it always does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from queue import Empty

import zmq
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager
from nbval.kernel import RunningKernel

from labkit import project
from labkit.budgets import Budgets
from labkit.course import Environment
from labkit.kernel import stock_process, temporary
from labkit.kernel.clock import SHORTEST, SLICE, Clock
from labkit.kernel.meter import KernelDied, OverBudget, death_by
from labkit.kernel.outputs import Outputs
from labkit.kernel.workdir import environment_variables, make_font_cache, make_import_root, packages
from labkit.sandbox.confine import Confinement, best_layer, hand_over, wrap
from labkit.sandbox.disk import DiskWatch
from labkit.sandbox.faults import blame_machine, memory_kills
from labkit.text import clean_all


class SubmissionKernel(RunningKernel):
    """A stock IPython kernel with a scrubbed environment and a workdir of its own, confined and within budgets."""

    def __init__(self, environment: Environment, budgets: Budgets):
        self.budgets, self._outputs = budgets, Outputs(budgets)
        self._kills_before = memory_kills()
        with blame_machine("starting a kernel", RuntimeError, zmq.ZMQError):
            self.folder = Path(tempfile.mkdtemp(prefix="labkit-"))
            try:
                self._start(environment, budgets)
            except BaseException:
                self.stop()
                raise
        self.clock = Clock(budgets.notebook_seconds, _innermost(self.km.provisioner.pid))

    def _start(self, environment: Environment, budgets: Budgets) -> None:
        workdir, import_root = self.folder / "workdir", self.folder / "import_root"
        workdir.mkdir()
        self._disk = DiskWatch(workdir, budgets)
        make_import_root(import_root, environment)
        variables = environment_variables(workdir, make_font_cache(workdir / "matplotlib"))
        self.folder.chmod(0o711)  # the kernel may be another user: it may pass, but not look
        hand_over(workdir)
        layer, connection = best_layer(), str(self.folder / "connection.json")
        confinement = Confinement(
            str(workdir), (str(import_root), *packages(environment), connection), budgets.limits()
        )
        source = str(project.current().source)
        command = [sys.executable, "-I", stock_process.__file__, str(import_root), source, confinement.to_json(), layer]
        command += ["-f", connection, "--HistoryManager.hist_file=:memory:"]
        self.km = KernelManager(connection_file=connection, transport="ipc", ip=str(workdir / ".kernel"))
        self.km.write_connection_file()
        hand_over(connection)
        if layer == "bubblewrap":
            command = wrap(command, confinement)
        # Asked by message to stop a cell: a signal would go to bubblewrap.
        self.km.kernel_spec_manager = _OneSpec(KernelSpec(argv=command, interrupt_mode="message"))
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.km.start_kernel(cwd=str(workdir), env=variables, **quiet)
        self.group = os.getpgid(self.km.provisioner.pid)
        context = zmq.Context()
        context.setsockopt(zmq.MAXMSGSIZE, budgets.output_bytes)  # of each socket; what is larger is dropped
        self.kc = self.km.client(context=context)
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=60)

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        self._outputs.begin()
        self.clock.begin()
        return super().execute_cell_input(cell_input, allow_stdin)

    def ask_answer(self, request: str) -> str:
        """Ask for what an answer gives (labkit.calls.outbox says it); the message's id, as of a cell."""
        return self.execute_cell_input(
            f"__import__('labkit.calls.outbox').calls.outbox.send_answer({request!r})", allow_stdin=False
        )

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """The next message. Raises Empty when its time is up (clock.py), and KernelDied or MachineFailed at once."""
        left = self.clock.countdown(stream, timeout)
        try:
            message = self._receive(stream, left)
            size, levels = _size_and_levels(message["content"])
            self._outputs.count(size=size, number=1)
            if levels > self.budgets.json_depth:
                raise OverBudget(f"made an output nested more than {self.budgets.json_depth} levels deep")
            return {**message, "content": clean_all(message["content"])}
        except OverBudget:
            self.stop()
            raise
        finally:
            self.clock.heard()

    def _receive(self, stream: str, left: Callable[[], float]) -> dict:
        if self.kc is None:
            raise KernelDied("the kernel was stopped")
        receive = {"iopub": self.kc.get_iopub_msg, "shell": self.kc.get_shell_msg}[stream]
        while True:
            if complaint := self._disk.complaint():
                raise OverBudget(complaint)
            seconds = left()
            try:
                return receive(timeout=max(SHORTEST, min(SLICE, seconds)))
            except (ValueError, KeyError, TypeError, RecursionError):  # not JSON, too deep, or not signed
                raise KernelDied("the kernel sent what is no message") from None
            except Empty:
                if not self.is_alive():
                    raise death_by(self._signal(), self.budgets, self._kills_before) from None
                if seconds <= 0:
                    raise

    def _signal(self) -> int | None:
        """The signal that ended the process; bubblewrap tells it as a shell does."""
        code = self.km.provisioner.process.poll() or 0
        return -code if code < 0 else code - 128 if code > 128 else None

    def look_at_disk(self) -> None:
        """Errors: MachineFailed when next to nothing can be written in its workdir."""
        self._disk.look_at_disk()

    @property
    def out_of_time(self) -> bool:
        return self.clock.out_of_time

    def is_alive(self) -> bool:
        return getattr(self, "km", None) is not None and self.km.is_alive()

    def stop(self) -> None:
        """Kill the kernel and whatever it started, and remove its folder. Safe to call twice."""
        if hasattr(self, "clock"):
            self.clock.settle()
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
        temporary.remove(self.folder)


def _innermost(process: int) -> int:
    """The kernel's own process, which in bubblewrap is a child's child of the one that was started."""
    try:
        while children := Path(f"/proc/{process}/task/{process}/children").read_text().split():
            process = int(children[0])
    except OSError:  # not Linux, or it does not tell
        pass
    return process


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
