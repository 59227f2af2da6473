"""A submission's kernel behind nbval's own interface, so that nbval runs and compares cells as it always does."""

from __future__ import annotations

from collections.abc import Callable

from labkit.kernel.clock import Clock
from labkit.kernel.meter import Meter, NoMessage, OverBudget
from labkit.kernel.nbval_bridge import RunningKernel


class SubmissionKernel(RunningKernel):
    """What a fork and a stock kernel have in common. Each has ways of its own to ask and to receive."""

    meter: Meter
    supply: Callable[[str], str] | None = None  # answers what the kernel asks for; without it, no question is answered

    def get_message(self, stream: str, timeout: float | None = None) -> dict:
        """The next message. Raises Empty when its time is up (clock.py), and KernelDied or MachineFailed at once."""
        left = self.clock.countdown(stream, timeout)
        try:
            message = self._receive(stream, left)
            while message["msg_type"] == "stream" and not self.meter.keeps(message["content"]["text"]):
                message = self._receive(stream, left)
            return message
        except (OverBudget, NoMessage):
            self.stop()
            raise
        except MemoryError:  # what has been taken of it is let go before anything else is asked for
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
        """Errors: MachineFailed when next to nothing can be written in its workdir."""
        self.meter.watch.look_at_disk()
