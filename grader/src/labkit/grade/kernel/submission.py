"""A submission's kernel with nbval's interface, so that nbval can run its cells as usual."""

from __future__ import annotations

from collections.abc import Callable

from labkit.grade.kernel.clock import Clock
from labkit.grade.kernel.meter import Meter, NoMessage, OverBudget
from labkit.grade.kernel.nbval_bridge import RunningKernel


class SubmissionKernel(RunningKernel):
    """The common part of forked and stock kernels, which differ in how they send and receive."""

    meter: Meter
    supply: Callable[[str], str] | None = None  # answers questions from the kernel; without it, they stay unanswered

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """Wait for the next message. Errors: Empty when time is up (clock.py); KernelDied; MachineFailed."""
        left = self.clock.countdown(stream, timeout)
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
            self.clock.heard()

    @property
    def clock(self) -> Clock:
        return self.meter.clock

    @property
    def out_of_time(self) -> bool:
        return self.clock.out_of_time

    def look_at_disk(self) -> None:
        """Check that the workdir has free space. Errors: MachineFailed if almost nothing can be written."""
        self.meter.watch.look_at_disk()
