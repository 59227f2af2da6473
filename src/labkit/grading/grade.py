"""Grade a class: every submission gets a row, whatever is in it, and none costs another anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from labkit import temporary
from labkit.budgets import Budgets
from labkit.course import NAMES, labs
from labkit.grading import worker
from labkit.grading.cache import ResultCache
from labkit.grading.discover import Entry
from labkit.grading.pool import in_processes
from labkit.grading.results import Result
from labkit.grading.task import Task
from labkit.kernel.confine import best_layer
from labkit.kernel.server_process import ServerProcess, available, start_server
from labkit.setup_cell import has_locked_module, setup_imports


@dataclass(frozen=True)
class Settings:
    """How a class is graded."""

    jobs: int = 1
    seed: int = 1
    budgets: Budgets = Budgets()
    lab: str | None = None  # only this lab
    resume: bool = False  # take every finished result, a timed-out one too
    use_cache: bool = True


class Results(Sequence[Result]):
    """The results of a class by student and lab. They lie in the cache, and are read when they are asked for."""

    def __init__(self, cache: ResultCache, rows: dict[tuple[str, str], str | Result]):
        self._cache, self._rows = cache, sorted(rows.items())

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Result:
        (student, lab), kept = self._rows[index]
        if isinstance(kept, Result):
            return kept
        lost = "its result was removed while the class was graded: grade it again"
        return self._cache.get(kept, student) or Result.unjudged(student, lab, "crashed", lost, 0)


def grade(entries: list[Entry], out: Path, settings: Settings, tell: Callable[[Result], None]) -> Results:
    """The results of all entries, sorted by student and lab. `tell` hears each as soon as it is there."""
    temporary.keep_short()
    cache = ResultCache(out / "cache", settings.seed, settings.budgets)
    rows: dict[tuple[str, str], str | Result] = {}
    ages: dict[tuple[str, str], float] = {}
    for entry, kept, result in _results(entries, cache, settings):
        if settings.lab and result.lab != settings.lab and result.lab in NAMES:
            continue
        tell(result)
        labs()  # for the reports; their modules are loaded now, while others are judged
        row, age = (result.student, result.lab), entry.path.lstat().st_mtime if entry.path else 0.0
        if row not in ages or age >= ages[row]:  # of two files for one lab the later one counts
            rows[row], ages[row] = kept, age
    return Results(cache, rows)


def _results(
    entries: list[Entry], cache: ResultCache, settings: Settings
) -> Iterator[tuple[Entry, str | Result, Result]]:
    """Each entry, the key under which its result is kept (or the result, when it is not), and the result."""
    waiting: list[tuple[Entry, str]] = []
    for entry in entries:
        if entry.path is None:
            reason = f"no notebook was handed in (found: {entry.found})"
            result = Result.unjudged(entry.student, settings.lab or "", "not_a_lab", reason, settings.seed)
            yield entry, result, result
            continue
        try:
            key = cache.key(entry.path)
        except OSError as error:
            result = _refused(entry, settings, f"the file cannot be read: {error.strerror}")
            yield entry, result, result
            continue
        known = cache.get(key, entry.student) if settings.use_cache or settings.resume else None
        if known and (known.status != "timed_out" or settings.resume):  # a busy machine may have caused the time-out
            yield entry, key, known
        else:
            waiting.append((entry, key))
    waiting.sort(key=lambda item: item[0].path.name)  # one lab after another, so that its kernels are warm
    for entry, key, result in _judged(waiting, settings):
        cache.put(key, result)
        yield entry, key, result


def _judged(waiting: list[tuple[Entry, str]], settings: Settings) -> Iterator[tuple[Entry, str, Result]]:
    """Judge side by side; what a worker died on twice has a row that says so."""
    if not waiting:
        return
    prefix = f"lk-{os.getpid()}-"
    tasks = {Task(entry.path, entry.student, settings.seed, settings.budgets): (entry, key) for entry, key in waiting}
    jobs = min(settings.jobs, len(tasks))
    server = _server_ahead(waiting[0][0], settings, jobs)
    guests = list(server.guests) if server else []
    try:
        for task, result in in_processes(tasks, jobs, lambda: worker.start(prefix, guests.pop() if guests else None)):
            entry, key = tasks[task]
            yield (
                entry,
                key,
                result or _refused(entry, settings, "the grader's own process died on it twice", "crashed"),
            )
    finally:
        if server:
            server.close()
        worker.sweep(prefix)


def _server_ahead(entry: Entry, settings: Settings, jobs: int) -> ServerProcess | None:
    """A warm server for the first submission's lab, all workers' own, that gets warm while they start."""
    lab = next((name for name in NAMES if name in entry.path.name), None)
    if lab is None or settings.budgets.stock_kernel or not available():
        return None
    return start_server(best_layer(), has_locked_module(lab), setup_imports(lab), guests=jobs)


def _refused(entry: Entry, settings: Settings, reason: str, status: str = "unreadable") -> Result:
    return Result.unjudged(entry.student, entry.path.stem, status, reason, settings.seed)
