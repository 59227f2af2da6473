"""The seam to nbval: all imports from it, and a submission's kernel with its interface, so that nbval can run cells as usual.

The imports are in one file because nbval has had no release since 2024-03 and may break.

nbval's kernel is imported with this file. nbval's plugin is imported when one of its names is first used: it imports pytest and
nbformat, which a process that only starts kernels does not need.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager, RunningKernel

from labkit.grade.intake.fast_nbformat import only_nodes
from labkit.grade.kernel.meter import Meter, NoMessage, OverBudget

if TYPE_CHECKING:
    from nbval.plugin import (
        IPyNbCell,
        IPyNbFile,
        NbCellError,
        coalesce_streams,
        find_comment_markers,
        find_metadata_tags,
    )

OUTPUT_SECONDS = 10.0  # how long outputs may lag behind the reply on a busy machine
PLUGIN = "nbval.plugin"
__all__ = [
    "CURRENT_ENV_KERNEL_NAME",
    "IPyNbCell",
    "IPyNbFile",
    "NbCellError",
    "NbvalKernelspecManager",
    "coalesce_streams",
    "find_comment_markers",
    "find_metadata_tags",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if PLUGIN not in sys.modules:  # without coverage of notebooks, which would import all of coverage
        sys.modules["nbval.cover"] = SimpleNamespace(setup_coverage=None, teardown_coverage=None)  # type: ignore[assignment]
    with only_nodes():
        return getattr(import_module(PLUGIN), name)


class SubmissionKernel(RunningKernel):
    """The common part of forked and stock kernels, which differ in how they send and receive."""

    meter: Meter
    supply: Callable[[str], str] | None = None  # answers questions from the kernel; without it, they stay unanswered

    def plan(self, requests: Iterable[bytes]) -> None:
        """Announce the next calls to `answer`, in order, so that several can be sent at once. Stock kernels get each by itself.

        Announce public calls only: a submission could read the arguments of calls that it has not made yet.
        """

    @abstractmethod
    def answer(self, request: bytes, seconds: float) -> bytes | None:
        """Let `reply_to` in labkit.student.calls.calling call an answer. Returns the reply, or None if there is none.

        Errors: Empty if it takes too long, and KernelDied.
        """

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """Wait for the next message. Errors: Empty when time is up (clock.py); KernelDied; MachineFailed."""
        left = self.meter.clock.countdown(stream, timeout)
        try:
            message = self._receive(stream, left)
            while message["msg_type"] == "stream" and not self.meter.keeps(message["content"]["text"]):
                message = self._receive(stream, left)
            return message
        except (OverBudget, NoMessage):
            self.stop()
            raise
        except MemoryError:  # stopping the kernel frees the memory of what was received
            self.stop()
            raise OverBudget("made outputs that take too much memory to be read") from None
        finally:
            self.meter.clock.heard()


def execute(kernel: SubmissionKernel, source: str, seconds: float) -> list[dict[str, Any]]:
    """Run code and return the contents of its display messages. Errors: Empty if it takes too long, and KernelDied."""
    message = kernel.execute_cell_input(source, allow_stdin=False)
    outputs: list[dict[str, Any]] = []
    kernel.await_reply(message, timeout=seconds)
    while True:
        received = kernel.get_message("iopub", timeout=OUTPUT_SECONDS)
        if received["parent_header"].get("msg_id") != message:
            continue
        if received["msg_type"] == "status" and received["content"].get("execution_state") == "idle":
            return outputs
        if received["msg_type"] in ("display_data", "stream", "error"):
            outputs.append(received["content"])
