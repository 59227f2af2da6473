"""One submission's kernel behind nbval's own interface, so that nbval runs and compares cells as it always does."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from queue import Empty

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager
from nbval.kernel import RunningKernel

from labkit import project
from labkit.kernel import launch
from labkit.kernel.budgets import Budgets

SLICE = 0.25  # seconds between two looks at whether the kernel still lives


class KernelDied(RuntimeError):
    """The kernel's process ended by itself."""


class SubmissionKernel(RunningKernel):
    """A stock IPython kernel with a scrubbed environment, a home of its own, POSIX limits and a deadline."""

    def __init__(self, locked_module: bool, budgets: Budgets):
        self.deadline = time.monotonic() + budgets.notebook_seconds
        self.folder = Path(tempfile.mkdtemp(prefix="labkit-"))
        try:
            self._start(locked_module, budgets)
        except BaseException:
            self.stop()
            raise

    def _start(self, locked_module: bool, budgets: Budgets) -> None:
        home, view = self.folder / "home", self.folder / "view"
        home.mkdir()
        view.mkdir()
        for package in ("labkit", "minimodel") if locked_module else ("labkit",):
            (view / package).symlink_to(project.SOURCE / package)
        command = [sys.executable, "-I", launch.__file__, str(view), str(project.SOURCE), json.dumps(budgets.limits())]
        spec = KernelSpec(argv=[*command, "-f", "{connection_file}", "--HistoryManager.hist_file=:memory:"])
        self.km = KernelManager(
            kernel_spec_manager=_OneSpec(spec),
            connection_file=str(self.folder / "connection.json"),
            transport="ipc",
            ip=str(self.folder / "kernel"),
        )
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self.km.start_kernel(cwd=str(home), env=_environment(home), **quiet)
        self.group = os.getpgid(self.km.provisioner.pid)
        self.kc = self.km.client()
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=60)

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """The next message. Raises Empty after `timeout` or at the deadline, and KernelDied at once when it died."""
        receive = {"iopub": self.kc.get_iopub_msg, "shell": self.kc.get_shell_msg}[stream]
        until = min(self.deadline, time.monotonic() + timeout) if timeout is not None else self.deadline
        while True:
            try:
                return receive(timeout=max(0.0, min(SLICE, until - time.monotonic())))
            except Empty:
                if not self.is_alive():
                    raise KernelDied("the kernel's process ended by itself") from None
                if time.monotonic() >= until:
                    raise

    @property
    def out_of_time(self) -> bool:
        return time.monotonic() >= self.deadline

    def is_alive(self) -> bool:
        return getattr(self, "km", None) is not None and self.km.is_alive()

    def stop(self) -> None:
        """Kill the kernel and whatever it started, and remove its folder. Safe to call twice."""
        if getattr(self, "kc", None) is not None:
            self.kc.stop_channels()
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


class _OneSpec(KernelSpecManager):
    """Knows one kernel, whatever a notebook's metadata ask for."""

    def __init__(self, spec: KernelSpec):
        super().__init__()
        self.spec = spec

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return self.spec


def _environment(home: Path) -> dict[str, str]:
    """Nothing of the caller's environment but where programs are; one thread, since kernels run side by side."""
    config = home / "matplotlib"
    config.mkdir()
    _copy_font_cache(config)
    threads = {name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
    return {
        "PATH": os.defpath,
        "HOME": str(home),
        "TMPDIR": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "MPLCONFIGDIR": str(config),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LABKIT_NO_PICTURES": "1",
        **threads,
    }


def _copy_font_cache(config: Path) -> None:
    """Matplotlib lists the system's fonts once; a fresh home would list them again for every submission."""
    import matplotlib

    for cache in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):
        shutil.copy(cache, config)
