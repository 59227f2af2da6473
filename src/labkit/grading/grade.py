"""Grade a class: every submission gets a row, whatever is in it, and none costs another anything."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from labkit import course
from labkit.budgets import Budgets
from labkit.course import CourseError
from labkit.grading import worker
from labkit.grading.cache import ResultCache, in_the_name_of
from labkit.grading.course_check import must_be_right, solution_of
from labkit.grading.pool import Pool
from labkit.grading.results import Result, unjudged
from labkit.grading.worker import CourseCheck, Task
from labkit.intake.choose import Chosen
from labkit.kernel import workdir
from labkit.kernel.fork_server.client import ServerHandle
from labkit.kernel.fork_server.process import available, start_server
from labkit.sandbox import privileges
from labkit.sandbox.confine import best_layer

STARTING_SECONDS = 60.0  # of a worker, besides the time that a submission may take
NO_MEMORY = 127  # how glibc ends a process whose thread finds none
BROKE = (-signal.SIGABRT, -signal.SIGSEGV, -signal.SIGBUS, NO_MEMORY)  # ends of a worker that broke on what it was sent


@dataclass(frozen=True)
class Settings:
    """How a class is graded."""

    jobs: int = 1
    seed: int = 1
    budgets: Budgets = Budgets()
    memory_share: int | None = None  # bytes that each kernel is left, where that is less than its budget
    resume: bool = False  # take every finished result, a timed-out one too
    use_cache: bool = True


Executor = Callable[[Mapping[str, Chosen], Settings], Iterator[tuple[str, Result]]]  # each submission by its key


class Results:
    """The results of a class by student and lab. They lie in the cache, and are read one by one as they are gone through."""

    def __init__(self, cache: ResultCache, rows: list[tuple[Chosen, str | Result]]):
        self._cache, self._rows = cache, sorted(rows, key=lambda row: (row[0].student, row[0].lab))
        self._targets: dict[str, Mapping[str, str]] = {}  # by lab

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Result]:
        lost = "its result was removed while the class was graded: grade it again"
        for chosen, kept in self._rows:
            known = kept if isinstance(kept, Result) else self._cache.get(kept, chosen)
            yield known or row_of(chosen, "not_judged", lost, 0)

    def target(self, lab: str, exercise: str) -> str:
        """What the figure that an exercise asks for looks like: PNG in base64, "" where none is kept."""
        if lab not in self._targets:
            known = self._cache.get(self._cache.key(solution := solution_of(lab)), solution)
            self._targets[lab] = known.pictures if known else {}
        return self._targets[lab].get(exercise, "")


def grade(
    submissions: Sequence[Chosen],
    out: Path,
    settings: Settings,
    tell: Callable[[Result], None],
    judged: Executor | None = None,
) -> Results:
    """The results of all submissions, sorted by student and lab. `tell` hears each as soon as it is there.

    What is not kept yet is `judged`: by processes of this machine, or wherever that does it. Errors: CourseError before
    anybody is judged by a lab that cannot judge its own solution.
    """
    workdir.keep_short()
    cache = ResultCache(out / "cache", settings.seed, settings.budgets)
    rows: list[tuple[Chosen, str | Result]] = []
    for chosen, kept, result in _results(submissions, cache, settings, judged or judged_here):
        tell(result)
        rows.append((chosen, kept))
    return Results(cache, rows)


def _results(
    submissions: Sequence[Chosen], cache: ResultCache, settings: Settings, judged: Executor
) -> Iterator[tuple[Chosen, str | Result, Result]]:
    """Each submission, the key under which its result is kept (or the result, when it is not), and the result."""
    solutions = {}
    for lab in {chosen.lab for chosen in submissions if not chosen.refusal}:
        chosen = solution_of(lab)
        if known := _known(cache, key := cache.key(chosen), chosen, settings):
            must_be_right(known)
        else:
            solutions[key] = chosen
    waiting: dict[str, list[Chosen]] = {}  # who handed in the same bytes have the same result, so they are run once
    for chosen in submissions:
        if chosen.refusal:
            result = row_of(chosen, chosen.refusal.status, chosen.refusal.reason, settings.seed)
            yield chosen, result, result
        elif known := _known(cache, key := cache.key(chosen), chosen, settings):
            yield chosen, key, known
        else:
            waiting.setdefault(key, []).append(chosen)
    queue = {**solutions, **{key: several[0] for key, several in waiting.items()}}
    for key, result in judged(dict(sorted(queue.items(), key=lambda each: _turn(*each, solutions))), settings):
        kept = result.status != "not_judged" and cache.put(key, result)
        if key in solutions:
            must_be_right(result)
        for chosen in waiting.get(key, ()):
            own = in_the_name_of(chosen, result)
            yield chosen, key if kept else own, own


def _turn(key: str, chosen: Chosen, solutions: Mapping[str, Chosen]) -> tuple:
    """One lab after another, so that its kernels are warm, and its solution before what was handed in."""
    return chosen.lab, key not in solutions, chosen.student, chosen.entry.file


def _known(cache: ResultCache, key: str, chosen: Chosen, settings: Settings) -> Result | None:
    known = cache.get(key, chosen) if settings.use_cache or settings.resume else None
    # What surrounds a kernel may have caused a time-out: it gets another chance.
    return known if known and (known.status != "timed_out" or settings.resume) else None


def judged_here(queue: Mapping[str, Chosen], settings: Settings) -> Iterator[tuple[str, Result]]:
    """Judge side by side, after a look at the course. What is judged is known by its key."""
    if not queue:
        return
    tasks = {_task(chosen, settings): (key, chosen) for key, chosen in queue.items()}
    names = tuple(dict.fromkeys(chosen.lab for chosen in queue.values()))
    prefix, jobs = f"lk-{os.getpid()}-", min(settings.jobs, len(tasks))
    servers = _server_ahead(names[0], settings, jobs)
    clients = servers[1:]
    limit = settings.budgets.longest_seconds() + STARTING_SECONDS
    try:
        with Pool(jobs, lambda: worker.start(prefix, clients.pop() if clients else None), limit) as pool:
            _check_course(pool, names)
            for task, answer in pool.run(tasks):
                key, chosen = tasks[task]
                course.current().labs  # for the reports; their modules are loaded now, while others are judged
                yield key, _result_of(chosen, answer, settings)
    finally:
        for server in servers[:1]:
            server.close()
        worker.sweep(prefix)


def _check_course(pool: Pool, names: tuple[str, ...]) -> None:
    for _, faults in pool.run([CourseCheck(names)]):
        if isinstance(faults, list) and faults:
            raise CourseError(faults[0] if len(faults) == 1 else f"{faults[0]} (and {len(faults) - 1} more like this)")


def _result_of(chosen: Chosen, answer: object, settings: Settings) -> Result:
    match answer:
        case Result():
            return answer
        case TimeoutError():
            return row_of(chosen, "timed_out", "judging it took too long", settings.seed)
        case EOFError() if answer.args[0] in BROKE and privileges.allows("RLIMIT_AS", settings.budgets.memory_bytes):
            return row_of(chosen, "crashed", "judging it ended the grader's own process twice", settings.seed)
        case EOFError():  # killed from outside, or for want of the machine's memory
            return row_of(chosen, "not_judged", "the grader's own process died on it twice", settings.seed)
    return row_of(chosen, "not_judged", f"the grader failed, please report this: {answer}", settings.seed)


def row_of(chosen: Chosen, status: str, reason: str, seed: int) -> Result:
    return in_the_name_of(chosen, unjudged(chosen.student, chosen.lab, status, reason, seed))


def _task(chosen: Chosen, settings: Settings) -> Task:
    budgets = replace(settings.budgets, memory_share=settings.memory_share)
    return Task(chosen.entry.path, chosen.student, settings.seed, budgets, chosen.digest)


def _server_ahead(lab: str, settings: Settings, jobs: int) -> list[ServerHandle]:
    """Handles on a fork server for the first lab, this process's and the workers'; it gets warm while they start."""
    if settings.budgets.stock_kernel or not available():
        return []
    return start_server(best_layer(), course.current().environment_of(lab), clients=jobs)
