"""A submission's kernel behind nbval's own interface, so that nbval runs and compares cells as it always does."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from nbval.kernel import RunningKernel

from labkit.kernel.clock import Clock
from labkit.kernel.meter import Meter, NoMessage, OverBudget


class SubmissionKernel(RunningKernel):
    """What a fork and a stock kernel have in common: a meter, which is looked at while a message is waited for."""

    meter: Meter

    @abstractmethod
    def ask_answer(self, request: str) -> str:
        """Ask for what an answer gives (labkit.calls.outbox says it); the message's id, as of a cell."""

    @abstractmethod
    def _receive(self, stream: str, left: Callable[[], float]) -> dict:
        """The next message, if it comes before no time is left."""

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """The next message. Raises Empty when its time is up (clock.py), and KernelDied or MachineFailed at once."""
        left = self.clock.countdown(stream, timeout)
        try:
            return self._receive(stream, left)
        except (OverBudget, NoMessage):
            self.stop()
            raise
        finally:
            self.clock.heard()

    @property
    def clock(self) -> Clock:
        return self.meter.clock

    @property
    def out_of_time(self) -> bool:
        return self.clock.out_of_time

    def look_at_disk(self) -> None:
        """Errors: MachineFailed when next to nothing can be written in its workdir."""
        self.meter.disk.look_at_disk()
