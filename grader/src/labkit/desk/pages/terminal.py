"""Print the instructor's output on the terminal: progress during grading, and a summary at the end."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.score_store import Change
from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED, Result
from labkit.student.model.text import amount, in_points, printable, some

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar

REFRESH = 0.1  # seconds between updates of the bar
RECENT = 50  # results used to estimate the time left; older ones may have come from the cache, all at once
AT_A_GLANCE = 40  # maximum number of rows in a printed list
MISSING = 10  # maximum number of students named as missing a lab


def _console(**settings: bool) -> Console:
    """A console that raises OSError, instead of ending the grader, when the program reading its output is gone."""
    from rich.console import Console

    class Listener(Console):
        def on_broken_pipe(self) -> None:
            raise  # the exception that rich is handling

    return Listener(highlight=False, **settings)


@contextmanager
def _while_somebody_reads() -> Iterator[None]:
    """Ignore the error raised when the program reading standard output is gone."""
    try:
        yield
        sys.stdout.flush()
    except OSError:  # discard what Python has buffered for standard output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def out_of(result: Result) -> str:
    """The points from the checks, such as 6/10; "" if no check has points."""
    return f"{in_points(result.score)}/{in_points(result.max_score)}" if result.max_score else ""


class Progress:
    """A context manager that shows each result on standard error as it arrives."""

    def __init__(self, total: int):
        self.total, self.done = total, 0
        self._came = deque([time.monotonic()], maxlen=RECENT + 1)
        self.odd: Counter[str] = Counter()
        self.bar = _bar(total) if sys.stderr.isatty() else None
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
                print(self._line(result), file=sys.stderr, flush=True)

    def say(self, line: str) -> None:
        """Print a line that is not a result."""
        with suppress(OSError):
            if self.bar:
                self.bar.console.out(printable(line))
            else:
                print(printable(line), file=sys.stderr, flush=True)

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


def _bar(total: int) -> Bar:
    """Make a bar that is redrawn only when a result arrives. A refresh thread would not notice that the terminal is gone."""
    from rich import progress

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}", style="dim"),
        progress.TimeRemainingColumn(compact=True),
        progress.TextColumn("{task.fields[odd]}", style="yellow"),
    )
    bar = progress.Progress(*columns, console=_console(stderr=True, soft_wrap=True), auto_refresh=False)
    bar.add_task("Grading", total=total, rate="", odd="")
    return bar


class Summary:
    """Collects a short gradebook (in a large class, only submissions with problems) and the most frequent mistakes."""

    def __init__(self, total: int, strangers: Sequence[str] = (), adjustments: int = 0, notes: Sequence[str] = ()):
        self.adjustments = adjustments  # number of adjustments in the file, for all labs
        self.notes = notes  # about the labs
        self.total, self.rows, self.left_out = total, [], 0
        self.strangers = strangers  # submitters that match no person in the roster, or more than one
        self.seen, self.reasons, self.scores = Counter(), Counter(), []
        self.waiting, self.passed_over, self.by_hand, self.late = 0, 0, 0, 0
        self.absent: dict[str, list[str]] = {}  # students who did not submit a lab, by lab
        self.outdated: list[str] = []  # manual decisions made for an earlier attempt

    def add(self, final_score: FinalScore) -> None:
        result = final_score.result
        self.seen.update({check.mistake for check in result.checks if check.mistake})
        self.waiting += len(final_score.unread)
        self.by_hand += len(final_score.given)
        self.late += final_score.penalty > 0
        self.outdated += _outdated(final_score)
        self.passed_over += len(result.submission.passed_over)
        is_absent = final_score.status == NOT_HANDED_IN
        if is_absent:
            self.absent.setdefault(result.lab, []).append(result.student)
        self.scores += [] if is_absent or final_score.excused else [final_score.score]
        if result.status == NOT_JUDGED:
            self.reasons[result.why()] += 1
        is_odd = result.status not in ("graded", NOT_HANDED_IN)
        if is_absent:
            return
        if self.total <= AT_A_GLANCE or is_odd and len(self.rows) < AT_A_GLANCE:
            status = ": ".join(filter(None, (result.status, result.why())))
            self.rows.append((result.student, result.lab, out_of(result) or "–", status))
        else:
            self.left_out += 1

    def not_judged(self) -> str:
        """A message about faults of the machine or the grader; "" if there were none."""
        if not self.reasons:
            return ""
        reason, others = self.reasons.most_common(1)[0][0], " (and other reasons)" if len(self.reasons) > 1 else ""
        return (
            f"{self.reasons.total():,} of {self.total:,} submissions could not be graded: {printable(reason)}{others}. "
            "They have no result yet; fix the problem and run the same command again"
        )

    @_while_somebody_reads()
    def show(self, files: Sequence[Path]) -> None:
        from rich.table import Table
        from rich.text import Text

        console = _console()
        if self.rows:
            table = Table(box=None, pad_edge=False)
            for column in ("student", "lab", "score", "status"):
                table.add_column(column, justify="right" if column == "score" else "left", no_wrap=column != "status")
            for row in self.rows:
                table.add_row(*(Text(printable(text)) for text in row))
            console.print(table)
        for line in self._lines():
            console.print(Text(line))
        for path in files:
            print(path)
        if pages := [path for path in files if path.suffix == ".html"]:
            print(f"To open in a browser: {pages[0]}")

    def _median(self) -> str:
        from statistics import median  # not before grading, because it loads much

        return f"; the median of all scores is {median(self.scores):g}" if self.scores else ""

    def _lines(self) -> Iterator[str]:
        if self.left_out:
            shown = f"{self.left_out:,} more of {self.total:,}" if self.rows else amount(self.left_out, "submission")
            yield f"{shown} in the files below{self._median()}."
        if self.seen:
            yield "Most frequent mistakes: " + ", ".join(
                f"{name} ({count})" for name, count in self.seen.most_common(5)
            )
        if self.waiting:
            yield f"Written answers awaiting manual grading: {self.waiting:,}. Use `labkit read`, then grade again."
        if self.late:
            yield f"Late submissions that lost points: {self.late:,}. The gradebook's column `final` shows what is left."
        if self.adjustments:
            others = self.adjustments - self.by_hand
            elsewhere = f"; {others:,} more are for labs that this run did not grade" if others else ""
            yield f"Points changed by hand: {self.by_hand:,}{elsewhere}."
        yield from _outdated_lines(self.outdated, AT_A_GLANCE)
        for lab, students in sorted(self.absent.items()):
            yield f"{lab}: {len(students):,} missing: {some(students, MISSING)}."
        yield from self.notes
        if self.strangers:
            yield f"Submissions that match no person in the roster, or more than one: {some(self.strangers, AT_A_GLANCE)}."
        if self.passed_over:
            files = f"{self.passed_over:,}; they are listed in the gradebook."
            yield f"Files not graded, because another file by the same student counts for the lab: {files}"


@_while_somebody_reads()
def show_changes(found: Sequence[Change], total: int, all_of_them: bool) -> None:
    """Print which final scores changed since the last grading: all of them, or only the first few."""
    shown = found if all_of_them else found[:AT_A_GLANCE]
    if found:
        gone = sum(change.now is None for change in found)
        left = f" ({gone:,} no longer there)" if gone else ""
        print(f"Final scores that changed since the last grading: {len(found):,} of {total + gone:,}{left}")
    elif all_of_them:
        print("No final score would change.")
    for change in shown:
        print(f"  {change.line()}")
    if len(shown) < len(found):
        print(f"  and {len(found) - len(shown):,} more; list all with --diff")
    print(end="\n" if found else "")


@_while_somebody_reads()
def show_outdated(rows: Iterable[FinalScore]) -> None:
    """Print which manual decisions were made for an earlier attempt."""
    made = [line for row in rows for line in _outdated(row)]
    for line in _outdated_lines(made, len(made)):
        print(line)


def _outdated(row: FinalScore) -> list[str]:
    return [f"{printable(row.student)}  {printable(row.lab)}  {made}" for made in row.outdated]


def _outdated_lines(made: Sequence[str], most: int) -> Iterator[str]:
    """Say what to do about manual decisions that were made for an earlier attempt, and list the first ones."""
    if made:
        yield (
            f"Decided by hand for an earlier attempt, and still applied: {len(made):,}. Delete each row, "
            "or confirm it by writing its code in the column `answer`."
        )
        yield from (f"  {line}" for line in made[:most])
    if len(made) > most:
        yield f"  and {len(made) - most:,} more; list all with --diff"
