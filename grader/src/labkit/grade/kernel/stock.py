"""A stock IPython kernel with its own environment and workdir, confined and limited by budgets."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty

import zmq
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from labkit.grade.kernel import stock_process, workdir
from labkit.grade.kernel.meter import MAX_MESSAGE, SHORTEST, SLICE, KernelDied, Meter, NoMessage, check_form
from labkit.grade.kernel.nbval_bridge import SubmissionKernel, execute
from labkit.grade.sandbox.confine import Confinement, best_layer, hand_over, wrap
from labkit.grade.sandbox.faults import blame_machine
from labkit.student.calls import wire
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment
from labkit.student.model.project import Project
from labkit.student.model.text import clean_all, deeper_than


class StockKernel(SubmissionKernel):
    """One submission's kernel in a separate process."""

    meter = km = kc = group = context = None  # not started yet, or already stopped

    def __init__(self, project: Project, environment: Environment, budgets: Budgets):
        with blame_machine("starting a kernel", RuntimeError, zmq.ZMQError):
            self.folder = Path(tempfile.mkdtemp(prefix="labkit-"))
            try:
                self._start(project, environment, budgets)
            except BaseException:
                self.stop()
                raise
        self.meter.follow(_innermost(self.km.provisioner.pid))

    def _start(self, project: Project, environment: Environment, budgets: Budgets) -> None:
        home = self.folder / "workdir"
        home.mkdir()
        self.meter = Meter(budgets, home)
        import_root = workdir.make_import_root(project, self.folder / "import_root", environment)
        variables = workdir.environment_variables(home, workdir.make_font_cache(home / "matplotlib"))
        self.folder.chmod(0o711)  # the kernel may run as another user, who may enter the folder but not list it
        hand_over(home)
        layer, connection = best_layer(), str(self.folder / "connection.json")
        readable = (str(import_root), *workdir.packages(project, environment), connection)
        confinement = Confinement(str(home), readable, budgets.limits())
        command = [sys.executable, *workdir.ISOLATED, stock_process.__file__, str(import_root), str(project.source)]
        command += [confinement.to_json(), layer, "-f", connection, "--HistoryManager.hist_file=:memory:"]
        self.context = zmq.Context()
        self.context.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE)  # for every socket; larger messages are dropped
        self.context.setsockopt(zmq.SNDTIMEO, round(1000 * budgets.cell_seconds))  # a kernel may stop reading
        settings = {"connection_file": connection, "transport": "ipc", "ip": str(home / ".kernel")}
        self.km = KernelManager(context=self.context, **settings)
        self.km.write_connection_file()
        hand_over(connection)
        if layer == "bubblewrap":
            command = wrap(command, confinement)
        # Interrupt by message, because a signal would go to bubblewrap.
        spec = KernelSpec(argv=command, interrupt_mode="message")
        self.km.kernel_spec_manager.get_kernel_spec = lambda _: spec  # whatever kernel the notebook's metadata requests
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.km.start_kernel(cwd=str(home), env=variables, **quiet)
        self.group = os.getpgid(self.km.provisioner.pid)
        self.kc = self.km.client(context=self.context)
        self.kc.start_channels(hb=False)  # the process shows whether it is alive; a heartbeat thread might never end
        self.kc.wait_for_ready(timeout=60)

    def execute_cell_input(self, cell_input: str, allow_stdin: bool | None = None) -> str:
        if self.kc is None:
            raise KernelDied("the kernel was stopped")
        self.meter.begin()
        with _sending():
            return super().execute_cell_input(cell_input, allow_stdin)

    def answer(self, request: bytes, seconds: float) -> bytes | None:
        text = wire.as_text(request)
        source = f"__import__('labkit.student.calls.calling').student.calls.calling.send_answer({text!r})"
        data = (output.get("data", {}) for output in execute(self, source, seconds))
        return next((wire.from_text(each[wire.MIME]) for each in data if wire.MIME in each), None)

    def _receive(self, stream: str, left: Callable[[], float]) -> dict:
        if self.kc is None:
            raise KernelDied("the kernel was stopped")
        receive = {"iopub": self.kc.get_iopub_msg, "shell": self.kc.get_shell_msg}[stream]
        longest = SHORTEST if self.supply else SLICE  # the kernel's questions arrive on a third socket
        while True:
            self.meter.look_around()
            seconds = left()
            try:
                self._supply()
                message = receive(timeout=max(SHORTEST, min(longest, seconds)))
                content = json.dumps([message["content"]], ensure_ascii=False).encode(errors="replace")
                check_form(message["msg_type"], message["content"])
                break
            except (ValueError, KeyError, TypeError, RecursionError):  # not JSON, nested too deep, or unsigned
                raise NoMessage from None
            except Empty:
                if not self.is_alive():
                    raise self.meter.death_by(self._signal()) from None
                if seconds <= 0:
                    raise
        self.meter.count(size=len(content), number=1)
        if deeper_than(self.meter.budgets.json_depth, content):
            raise self.meter.too_deep()
        if "data" in message["content"]:
            self.meter.count_parts(content)
        return {**message, "content": clean_all(message["content"])}

    def _supply(self) -> None:
        """Answer a question from the kernel, if there is one."""
        if self.supply and self.kc.stdin_channel.msg_ready():
            message = self.kc.get_stdin_msg()
            self.meter.count(size=len(str(message["content"])), number=1)
            check_form(message["msg_type"], message["content"])
            with _sending():
                self.kc.input(self.supply(message["content"]["prompt"]))

    def _signal(self) -> int | None:
        """The signal that ended the process. bubblewrap reports it as a shell does, as 128 + the signal."""
        code = self.km.provisioner.process.poll() or 0
        return -code if code < 0 else code - 128 if code > 128 else None

    def interrupt(self) -> None:
        with _sending():
            super().interrupt()

    def is_alive(self) -> bool:
        return self.km is not None and self.km.is_alive()

    def stop(self) -> None:
        """Kill the kernel and everything it started, and remove its folder. Safe to call twice."""
        if self.meter:
            self.meter.clock.settle()
        if self.kc:
            self.kc.stop_channels()
        if self.group:
            with suppress(ProcessLookupError):
                os.killpg(self.group, signal.SIGKILL)
        if self.km and self.km.has_kernel:  # not through the manager, which would interrupt the kernel and wait forever
            self.km.provisioner.process.kill()
            self.km.provisioner.process.wait()
            self.km.cleanup_resources()
        if self.context:
            self.context.destroy(linger=0)
        self.km = self.kc = self.group = self.context = None
        workdir.remove(self.folder)


@contextmanager
def _sending() -> Iterator[None]:
    """Send something to the kernel. Errors: KernelDied."""
    try:
        yield
    except zmq.Again:
        raise KernelDied("the kernel accepts no more requests") from None


def _innermost(process: int) -> int:
    """Find the kernel's own process. Under bubblewrap it is a grandchild of the started process."""
    with suppress(OSError):  # not Linux, or not readable
        while children := Path(f"/proc/{process}/task/{process}/children").read_text().split():
            process = int(children[0])
    return process
