"""The local executor: several processes, each of which grades one submission after another.

As many run as fit into the free memory. Their kernels' shares add up to less than it, so none can use up another's share.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.util import get_temp_dir
from typing import TYPE_CHECKING

from labkit.grade.batch import Settings, worker
from labkit.grade.batch.pool import Lost, Pool
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_JUDGED, CourseCheck, Result, Task, unjudged
from labkit.grade.kernel.servers import ServerHandle, available, start_server
from labkit.grade.sandbox import privileges
from labkit.grade.sandbox.confine import best_layer
from labkit.grade.sandbox.faults import memory_left
from labkit.student.model.budgets import MIB, Budgets
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount, in_a_line

if TYPE_CHECKING:
    from labkit.grade.judge.trials import Trial, Tries

GRADER, WORKER = 256 * MIB, 300 * MIB  # for the command with its fork server, and for each grading process
LEAST = 768 * MIB  # the smallest share of a kernel; honest submissions need far less
STARTING_SECONDS = 60.0  # time for a worker to start, in addition to a submission's time


def judge_locally(
    project: Project,
    queue: Mapping[str, Submission],
    settings: Settings,
    meanwhile: Callable[[], object] = lambda: None,
    say: Callable[[str], None] = lambda _: None,
    servers: list[ServerHandle] | None = None,
) -> Iterator[tuple[str, Result]]:
    """Check the course, then grade as many submissions at once as fit into memory. Yields cache keys with results.

    `meanwhile` is called while workers start. `say` prints a line if memory allows fewer workers than requested.
    `servers` are the handles of a fork server that is already starting.
    """
    if queue:
        if privileges.LINUX and not available() and not settings.budgets.stock_kernel:
            say("this Linux has no Landlock, so bubblewrap is started for each submission, which takes longer")
        first = next(iter(queue.values())).lab
        settings = within(replace(settings, jobs=min(settings.jobs, len(queue))), say)
        with judges(project, first, settings, servers) as judged:
            meanwhile()
            yield from judged(queue)


@contextmanager
def judges(
    project: Project, first: str, settings: Settings, servers: list[ServerHandle] | None = None
) -> Iterator[Callable[[Mapping[str, Submission]], Iterator[tuple[str, Result]]]]:
    """Start workers, warmed up for the lab `first`. The context manager gives a function that grades a queue.

    The function raises UserError, before it grades anything, if a lab in the queue has a course error.
    """
    looked_at: set[str] = set()

    def judged(queue: Mapping[str, Submission]) -> Iterator[tuple[str, Result]]:
        names = tuple(dict.fromkeys(each.lab for each in queue.values() if each.lab not in looked_at))
        if names:
            probe = None if looked_at or settings.unsandboxed else settings.budgets
            _check_course(pool, CourseCheck(names, probe))
            looked_at.update(names)
        tasks = {Task(each, settings.seed, settings.budgets): key for key, each in queue.items()}
        for task, answer in _again(pool, tasks):
            yield tasks[task], _result_of(project, task, answer)
            project.course.labs  # the reports need these; they are imported now, while workers grade

    with _workers(project, first, settings, servers) as pool:
        yield judged


@contextmanager
def _workers(
    project: Project, first: str, settings: Settings, servers: list[ServerHandle] | None = None
) -> Iterator[Pool]:
    """Start workers, warmed up for the lab `first`, and remove their files afterwards."""
    worker.get_ready(project)
    prefix = f"{get_temp_dir()}-{secrets.token_hex(2)}-"  # so that the workers' folders are removed with this process's
    servers = server_ahead(project, [first], settings) if servers is None else servers
    clients = servers[1:]
    limit = settings.budgets.longest_seconds() + STARTING_SECONDS
    try:
        worker.read_ahead(project, first)
        with Pool(
            settings.jobs, lambda: worker.start(project, prefix, clients.pop() if clients else None), limit
        ) as pool:
            yield pool
    finally:
        for server in servers[:1]:
            server.close()
        worker.sweep(prefix)


def try_each(
    project: Project, trials: Sequence[Trial], settings: Settings, say: Callable[[str], None]
) -> Iterator[tuple[Trial, tuple[Tries, ...]]]:
    """Try changes to students' answers, several students at once. Yields each trial with its tries, as they are ready."""
    if not trials:
        return
    from labkit.grade.judge.trials import Tries  # brings NumPy, which grading needs only in its workers

    settings = within(replace(settings, jobs=min(settings.jobs, len(trials))), say)
    tasks = {replace(each, budgets=settings.budgets): each for each in trials}
    with _workers(project, trials[0].lab, settings) as pool:
        for task, answer in pool.run(tasks):
            lost = answer.outcome()[1] if isinstance(answer, Lost) else in_a_line(RuntimeError(str(answer)))
            failed = tuple(Tries(name, "", reason=lost) for name in task.exercises)
            yield tasks[task], answer if isinstance(answer, tuple) else failed


def _again(pool: Pool, tasks: Collection[Task]) -> Iterator[tuple[Task, object]]:
    """Yield each task with its answer. If the machine failed during a task, the task is repeated at the end.

    By then a killed fork server has been replaced, and a kernel that filled the disk is gone.
    """
    times, waiting = 0, tasks
    while waiting:
        times, failed = times + 1, []
        for task, answer in pool.run(waiting):
            at_fault = isinstance(answer, Result) and answer.status == NOT_JUDGED
            if at_fault and Lost("machine", times).is_tried_again:
                failed.append(task)
            else:
                yield task, answer
        waiting = failed


def _check_course(pool: Pool, check: CourseCheck) -> None:
    """Check the course in one worker. Meanwhile the others collect the tests that they need next. Errors: UserError."""
    others = [CourseCheck(check.labs[:1])] * (len(pool.workers) - 1)
    for each, faults in pool.run([check, *others]):
        if each is check and isinstance(faults, list) and faults:
            raise UserError(faults[0] if len(faults) == 1 else f"{faults[0]} (and {len(faults) - 1} more like this)")


def _result_of(project: Project, task: Task, answer: object) -> Result:
    if isinstance(answer, Result):
        return answer
    lost = answer if isinstance(answer, Lost) else Lost("error", reason=str(answer))
    memory_is_whole = privileges.allows("RLIMIT_AS", task.budgets.memory_bytes)
    return unjudged(project, task.submission, *lost.outcome(memory_is_whole), task.seed)


def server_ahead(project: Project, labs: Sequence[str], settings: Settings) -> list[ServerHandle]:
    """Start a fork server for the first of these labs, with handles for this process and the workers. It warms up meanwhile."""
    if settings.budgets.stock_kernel or not available():
        return []
    return start_server(project, best_layer(), project.course.environment_of(min(labs)), clients=settings.jobs)


def fitting(jobs: int, budgets: Budgets, left: int | None) -> tuple[int, int | None]:
    """Return how many of `jobs` kernels fit into `left` bytes, and each one's share. A share of None means the whole budget.

    share = (left - GRADER) / jobs - WORKER, at least LEAST. One kernel always fits. If `left` is None, all fit.
    """
    if left is None:
        return jobs, None
    for_kernels = left - GRADER
    jobs = max(1, min(jobs, for_kernels // (WORKER + LEAST)))
    share = max(LEAST, for_kernels // jobs - WORKER)
    return jobs, share if budgets.shared_bytes() + share < budgets.memory_bytes else None


def within(settings: Settings, say: Callable[[str], None]) -> Settings:
    """Adjust jobs and memory shares to the memory that is free now. `say` prints a line if fewer jobs fit."""
    left = memory_left()
    jobs, share = fitting(settings.jobs, settings.budgets, left)
    if left is not None and jobs < settings.jobs:
        say(
            f"grading {amount(jobs, 'submission')} at once instead of {settings.jobs}, "
            f"because only {left / MIB:,.0f} MiB of memory is free"
        )
    return replace(settings, jobs=jobs, budgets=replace(settings.budgets, memory_share=share))
