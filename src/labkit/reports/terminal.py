"""What an instructor sees while a class is graded, and at the end."""

from __future__ import annotations

import os
import statistics
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from labkit.grading.results import Result

AT_A_GLANCE = 40  # rows


class Listener(Console):
    """A console whose reader may leave: writing is an OSError then, and not the end of the grader."""

    def on_broken_pipe(self) -> None:
        raise  # what rich is handling


class Progress:
    """One line per result, with the time left, on standard error."""

    def __init__(self, total: int):
        self.total, self.done, self.started = total, 0, time.monotonic()
        self.console = Listener(stderr=True, highlight=False, soft_wrap=True)

    def tell(self, result: Result) -> None:
        self.done += 1
        left = (time.monotonic() - self.started) / self.done * (self.total - self.done)
        score = f"{result.score:g}/{result.max_score:g}" if result.max_score else result.status
        width = len(str(self.total))
        line = f"[{self.done:>{width}}/{self.total}] {printable(result.student)}  {printable(result.lab)}  {score}"
        with suppress(OSError):  # nobody reads it any more; the results are files
            self.console.print(Text(f"{line}  · {_duration(left)} left" if self.done < self.total else line))


def _duration(seconds: float) -> str:
    return f"about {seconds / 60:.0f} min" if seconds >= 90 else f"about {seconds:.0f} s"


def summary(results: Sequence[Result], files: Sequence[Path]) -> None:
    """The gradebook at a glance (of a large class, who was not graded), the mistakes seen most, where the files are."""
    try:
        _summary(results, files)
        sys.stdout.flush()
    except OSError:  # nobody reads it any more: what Python still holds for standard output goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def not_judged(results: Sequence[Result]) -> str:
    """What an instructor must know when the machine or the grader failed on some; empty when it did not."""
    reasons = Counter(result.reason for result in results if result.status == "not_judged")
    if not reasons:
        return ""
    (reason, _), several = reasons.most_common(1)[0], len(reasons) > 1
    return (
        f"{reasons.total():,} of {len(results):,} submissions were not judged, which is nobody's result and is not kept: "
        f"{printable(reason)}{' (and other reasons)' if several else ''}; when it is mended, run the same command again"
    )


def _summary(results: Sequence[Result], files: Sequence[Path]) -> None:
    console = Listener(highlight=False)
    table = Table(box=None, pad_edge=False)
    for column in ("student", "lab", "score", "status"):
        table.add_column(column, justify="right" if column == "score" else "left", no_wrap=column != "status")
    seen, waiting, scores, left_out, passed_over = Counter(), 0, [], 0, 0
    for result in results:
        seen.update({check.mistake for check in result.checks if check.mistake})
        waiting += sum(check.outcome == "manual" for check in result.checks)
        scores.append(result.score)
        passed_over += len(result.passed_over)
        if len(results) <= AT_A_GLANCE or result.status != "graded" and table.row_count < AT_A_GLANCE:
            status = f"{result.status}: {result.reason}" if result.reason else result.status
            score = f"{result.score:g}/{result.max_score:g}" if result.max_score else "–"
            table.add_row(*map(_cell, (result.student, result.lab, score, status)))
        else:
            left_out += 1
    if table.row_count:
        console.print(table)
    if left_out:
        shown = f"{left_out:,} more of {len(results):,}" if table.row_count else f"{left_out:,} submissions"
        console.print(Text(f"{shown} in the files below; the median of all scores is {statistics.median(scores):g}."))
    if seen:
        console.print(
            Text("Mistakes seen most: " + ", ".join(f"{name} ({count})" for name, count in seen.most_common(5)))
        )
    if waiting:
        console.print(Text(f"Written answers for a person to read: {waiting:,}; scores count them once they are read."))
    if passed_over:
        line = f"Files passed over for another of the same student and lab: {passed_over:,}; the gradebook names them."
        console.print(Text(line))
    for path in files:
        print(path)


def _cell(text: str) -> Text:
    return Text(printable(text))


def printable(text: str) -> str:
    """Text that cannot steer a terminal: control and direction characters become visible."""
    return "".join(f"\\u{ord(char):04x}" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char for char in text)
