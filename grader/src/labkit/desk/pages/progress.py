"""Show progress: on a terminal a bar with rate, time left and unusual statuses, elsewhere a line for each result."""

from __future__ import annotations

import time
from collections import Counter, deque
from contextlib import suppress
from typing import Self

from rich import progress
from rich.text import Text

from labkit.desk.pages.terminal import Listener, out_of
from labkit.grade.judge.results import Result
from labkit.student.model.text import printable

REFRESH = 0.1  # seconds between updates of the bar
RECENT = 50  # results used to estimate the time left; older ones may have come from the cache, all at once


class Progress:
    """A context manager that shows each result on standard error as it arrives."""

    def __init__(self, total: int):
        self.total, self.done = total, 0
        self._came = deque([time.monotonic()], maxlen=RECENT + 1)
        self.console = Listener(stderr=True, highlight=False, soft_wrap=True)
        self.odd: Counter[str] = Counter()
        self.bar = _bar(self.console, total) if self.console.is_terminal else None
        self._shown = 0.0

    def __enter__(self) -> Self:
        if self.bar:
            with suppress(OSError):
                self.bar.start()
        return self

    def __exit__(self, *problem: object) -> None:
        if self.bar:
            with suppress(OSError):
                self.bar.stop()

    def tell(self, result: Result) -> None:
        self.done += 1
        self._came.append(time.monotonic())
        self.odd.update([result.status] if result.status != "graded" else [])
        with suppress(OSError):  # the stream may be closed; the results are in files
            if self.bar:
                self._show()
            else:
                self.console.print(Text(self._line(result)))

    def say(self, line: str) -> None:
        """Print a line that is not a result."""
        with suppress(OSError):
            self.console.print(Text(printable(line)))

    def _line(self, result: Result) -> str:
        left = self._seconds_each() * (self.total - self.done)
        time_left = f"about {left / 60:.0f} min" if left >= 90 else f"about {left:.0f} s"
        score = out_of(result) or result.status
        width = len(str(self.total))
        line = f"[{self.done:>{width}}/{self.total}] {printable(result.student)}  {printable(result.lab)}  {score}"
        return f"{line}  · {time_left} left" if self.done < self.total else line

    def _seconds_each(self) -> float:
        return (self._came[-1] - self._came[0]) / (len(self._came) - 1)

    def _show(self) -> None:
        now = self._came[-1]
        if now - self._shown >= REFRESH or self.done == self.total:
            self._shown = now
            rate = f"{1 / max(self._seconds_each(), 1e-9):.1f}/s"
            odd = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in self.odd.most_common())
            self.bar.update(0, completed=self.done, rate=rate, odd=odd, refresh=True)


def _bar(console: Listener, total: int) -> progress.Progress:
    """Make a bar that is redrawn only when a result arrives. A refresh thread would not notice that the terminal is gone."""
    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}", style="dim"),
        progress.TimeRemainingColumn(compact=True),
        progress.TextColumn("{task.fields[odd]}", style="yellow"),
    )
    bar = progress.Progress(*columns, console=console, auto_refresh=False)
    bar.add_task("Grading", total=total, rate="", odd="")
    return bar
