"""Grade a class: every submission gets a row, whatever is in it, and none costs another anything."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.util import get_temp_dir
from pathlib import Path

from labkit import temporary
from labkit.budgets import Budgets
from labkit.course import labs
from labkit.grading import worker
from labkit.grading.cache import ResultCache
from labkit.grading.discover import Entry
from labkit.grading.results import Result


@dataclass(frozen=True)
class Settings:
    """How a class is graded."""

    jobs: int = 1
    seed: int = 1
    budgets: Budgets = Budgets()
    lab: str | None = None  # only this lab
    resume: bool = False  # take every finished result, a timed-out one too
    use_cache: bool = True


def grade(entries: list[Entry], out: Path, settings: Settings, tell: Callable[[Result], None]) -> list[Result]:
    """The results of all entries, sorted by student and lab. `tell` hears each as soon as it is there."""
    temporary.keep_short()
    cache = ResultCache(out / "cache", settings.seed, settings.budgets)
    results: dict[tuple[str, str], tuple[float, Result]] = {}
    for entry, result in _results(entries, cache, settings):
        if settings.lab and result.lab != settings.lab and result.lab in labs():
            continue
        tell(result)
        key, age = (result.student, result.lab), entry.path.lstat().st_mtime if entry.path else 0.0
        if key not in results or results[key][0] <= age:  # of two files for one lab the later one counts
            results[key] = age, result
    return [result for _, (_, result) in sorted(results.items())]


def _results(entries: list[Entry], cache: ResultCache, settings: Settings) -> Iterator[tuple[Entry, Result]]:
    waiting: list[tuple[Entry, str]] = []
    for entry in entries:
        if entry.path is None:
            reason = f"no notebook was handed in (found: {entry.found})"
            yield entry, Result.unjudged(entry.student, settings.lab or "", "not_a_lab", reason, settings.seed)
            continue
        try:
            key = cache.key(entry.path)
        except OSError as error:
            yield entry, _refused(entry, settings, f"the file cannot be read: {error.strerror}")
            continue
        known = cache.get(key, entry.student) if settings.use_cache or settings.resume else None
        if known and (known.status != "timed_out" or settings.resume):  # a busy machine may have caused the time-out
            yield entry, known
        else:
            waiting.append((entry, key))
    waiting.sort(key=lambda item: item[0].path.name)  # one lab after another, so that its kernels are warm
    for entry, key, result in _judged(waiting, settings):
        cache.put(key, result)
        yield entry, result


def _judged(waiting: list[tuple[Entry, str]], settings: Settings) -> Iterator[tuple[Entry, str, Result]]:
    """Judge side by side. A worker that dies takes nothing with it: what it had in hand is tried once more, alone."""
    retry = []
    for jobs, batch in ((settings.jobs, waiting), (1, retry)):
        for pack in [batch] if batch is waiting else [[item] for item in batch]:
            for item, result in _pooled(pack, min(jobs, len(pack)), settings):
                if result is not None:
                    yield *item, result
                elif batch is waiting:
                    retry.append(item)
                else:
                    yield *item, _refused(item[0], settings, "the grader's own process died on it twice", "crashed")


def _pooled(pack: list, jobs: int, settings: Settings) -> Iterator[tuple[tuple[Entry, str], Result | None]]:
    if not pack:
        return
    prefix = f"lk-{os.getpid()}-"
    with ProcessPoolExecutor(
        jobs, mp_context=_clean_processes(), initializer=worker.prepare, initargs=(get_temp_dir(), prefix)
    ) as pool:
        running: dict[Future, tuple[Entry, str]] = {}
        queue = iter(pack)
        try:
            while True:
                for item in queue:
                    running[pool.submit(judge_safely, item[0], settings)] = item
                    if len(running) >= 2 * jobs:
                        break
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    item = running.pop(future)
                    yield item, future.result()
        except BrokenProcessPool:
            for item in (item, *running.values(), *queue):
                yield item, None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            worker.sweep(prefix)


def _clean_processes() -> multiprocessing.context.BaseContext:
    """Workers that share nothing with this process; where that is possible they are forks of one that imported all."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["labkit.grading.judge", "matplotlib"])
    return context


def judge_safely(entry: Entry, settings: Settings) -> Result:
    """The result of an entry. A fault of the grader itself is a row too, and says what to report."""
    from labkit.grading.judge import judge_file

    try:
        return judge_file(entry.path, entry.student, settings.seed, settings.budgets)
    except Exception as error:  # the class goes on, whatever went wrong here
        reason = f"the grader failed on it, please report this: {type(error).__name__}: {error}"
        return _refused(entry, settings, " ".join(reason.split())[:500], "crashed")


def _refused(entry: Entry, settings: Settings, reason: str, status: str = "unreadable") -> Result:
    return Result.unjudged(entry.student, entry.path.stem, status, reason, settings.seed)
