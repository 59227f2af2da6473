"""A submission that is being graded: its kernels, the replies of its answers, and what its cells and tests showed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from queue import Empty
from typing import TypeVar

from labkit.grade.intake.notebooks import Notebook
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.answers import UNWRITTEN, Answers
from labkit.grade.judge.assemble import Assembled, assemble
from labkit.grade.judge.results import LONGEST_CODE, REFERENCE_OUTPUTS, RUBRIC, Check, Result
from labkit.grade.kernel.forked import start_kernel
from labkit.grade.kernel.meter import Clock, KernelDied, OverBudget
from labkit.grade.kernel.nbval_bridge import SubmissionKernel, execute
from labkit.grade.sandbox import privileges
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.calls import wire
from labkit.student.calls.calling import read_reply
from labkit.student.judging.finding import Finding, together
from labkit.student.judging.observation import Raised
from labkit.student.model.budgets import MIB, Budgets
from labkit.student.model.course import Exercise, Probe
from labkit.student.model.project import Project

MAX_KEPT = 2**23  # bytes of all cached replies; beyond that, requests are sent again
MAX_STARTS = 8  # kernels per submission, so that a hostile answer cannot make the grader start kernels forever
Sent = TypeVar("Sent")  # what a request gives
LONGEST_TEXT = 100_000  # characters of a written answer that are kept for manual grading


@dataclass
class Run:
    """An assembled notebook, and the kernel with its answers. If a cell or answer kills the kernel, a new one starts without it."""

    project: Project
    assembled: Assembled
    budgets: Budgets = Budgets()
    seed: int = 0
    notes: tuple[Finding, ...] = ()  # for the submission's row: how it was read
    clocks: list[Clock] = field(default_factory=list)  # one for each of its kernels, in order
    supply: Callable[[str], str] | None = None  # answers questions from the kernel
    before: Callable[[Exercise, Probe], None] | None = None  # called before each call to an answer
    kernel: SubmissionKernel | None = field(default=None, init=False)
    starts: int = field(default=0, init=False)
    stopped: dict[str, Raised] = field(default_factory=dict, init=False)  # cells and exercises that hung or killed it
    replies: dict[bytes, object] = field(default_factory=dict, init=False)
    digests: dict[bytes, bytes] = field(default_factory=dict, init=False)  # of replies that were too large to cache
    kept: int = field(default=0, init=False)  # bytes of the cached replies
    failures: dict[str, Finding] = field(default_factory=dict, init=False)  # by id of the cell that failed
    differing: frozenset[str] = field(default=frozenset(), init=False)  # answered exercises that fail their own check
    checks: list[Check] = field(default_factory=list, init=False)  # of the tests that ran

    def __post_init__(self) -> None:
        self.lab = self.assembled.lab
        self.cells = [(cell.id, cell.source) for cell in self.assembled.defining_cells()]  # what answers need

    @classmethod
    def of(cls, project: Project, notebook: Notebook, budgets: Budgets = Budgets(), seed: int = 0) -> Run:
        """Assemble a notebook for grading."""
        return cls(project, assemble(project, notebook), budgets, seed, notebook.notes)

    @cached_property
    def answers(self) -> Answers:
        return Answers(self.project, self.lab, self)

    def ask(self, exercise: Exercise, probe: Probe) -> object:
        """Call the answer and cache the reply. Returns the value (for a figure, its data) or Raised."""
        if self.before:
            self.before(exercise, probe)
        request = request_of(exercise, probe)
        if request not in self.replies:
            value, reply = self._ask(exercise, request)
            if reply and (request in self.digests or self.kept + len(reply) > MAX_KEPT):
                same = self.digests.setdefault(request, digest := sha256(reply).digest()) == digest
                return value if same else Raised("Malformed", Finding("other-reply"))
            self.replies[request], self.kept = value, self.kept + len(reply)
        return self.replies[request]

    def ask_public(self) -> None:
        """Make all public calls first, before hidden values are drawn, so that public feedback cannot reveal hidden values."""
        lab, untouched = self.lab, self.assembled.untouched
        asked = [each for each in lab.exercises if not each.written]
        calls = [(exercise, probe) for exercise in asked for probe in exercise.probes or (Probe(),)]
        if self.kernel is not None:
            running = (request_of(*call) for call in calls if call[0].name not in self.stopped)
            self.kernel.plan(dict.fromkeys(running))
        for exercise, probe in calls:
            self.ask(exercise, probe)
        checked = (each.name for each in lab.exercises if each.checked and each.name not in untouched)
        self.differing = frozenset(name for name in checked if not getattr(self.answers, name).examination.right)

    def _ask(self, exercise: Exercise, request: bytes) -> tuple[object, bytes]:
        """Return the answer's result and the raw reply."""
        if exercise.name in self.stopped:
            return self.stopped[exercise.name], b""
        reply = self._send(exercise.name, lambda kernel, seconds: kernel.answer(request, seconds))
        if isinstance(reply, Raised):
            return reply, b""
        value = Raised("NoReply", Finding("no-reply")) if reply is None else read_reply(reply)
        if isinstance(value, Raised) and value.error == "MemoryError":
            self._blame_small_memory()
        return value, reply or b""

    def _send(self, name: str, request: Callable[[SubmissionKernel, float], Sent]) -> Sent | Raised:
        """Send a request for the cell or exercise `name`. Returns what came back, or Raised if the kernel hung or died.

        Errors: MachineFailed if the machine was the cause.
        """
        try:
            return request(self._living_kernel(), self.budgets.cell_seconds)
        except (Empty, RuntimeError) as error:  # KernelDied is a RuntimeError
            if isinstance(error, Empty) and self._out_of_time():
                self.starts = MAX_STARTS
            elif not isinstance(error, (Empty, OverBudget)):
                self._blame_small_memory()
            return self.stop(name, error)

    def _living_kernel(self) -> SubmissionKernel:
        if self.kernel is not None and self.kernel.is_alive():
            return self.kernel
        self.close_kernel()
        if self.starts >= MAX_STARTS:
            raise KernelDied("this submission may not start another kernel")
        self.open_kernel()
        for name, source in self.cells:
            if name not in self.stopped and self.kernel is not None:
                self.execute(name, source)
        return self._living_kernel() if self.kernel is None else self.kernel

    def open_kernel(self) -> SubmissionKernel:
        """Start a kernel that may use the submission's remaining time. As long as it lives, answers are called in it."""
        left = max(1.0, self.budgets.notebook_seconds - sum(clock.spent for clock in self.clocks))
        environment = self.project.course.environment_of(self.lab.name)
        self.starts += 1
        budgets = replace(self.budgets, notebook_seconds=left)
        self.kernel = start_kernel(self.project, environment, budgets, self.lab.name)
        self.kernel.supply = self.supply
        self.clocks.append(self.kernel.meter.clock)
        return self.kernel

    def add_cell(self, name: str, source: str) -> None:
        """Let answers need this cell too. It runs now if the kernel has started."""
        self.cells.append((name, source))
        if self.kernel is not None:
            self.execute(name, source)

    def execute(self, name: str, source: str) -> bool:
        """Run code now. Returns whether it ended without an error."""
        outputs = self._send(name, lambda kernel, seconds: execute(kernel, source, seconds))
        return not isinstance(outputs, Raised) and not any("ename" in output for output in outputs)

    def stop(self, name: str, error: Exception) -> Raised:
        """Exclude this cell or exercise, because it hung or killed the kernel. Returns the Raised that replaces its answer."""
        match error:
            case Empty() if self._out_of_time():
                why = Raised("TimedOut", Finding("out-of-time", {"seconds": self.budgets.notebook_seconds}))
            case Empty():
                why = Raised("TimedOut", Finding("too-slow", {"seconds": self.budgets.cell_seconds}))
            case OverBudget():
                why = Raised("OverBudget", str(error))
            case _:
                why = Raised("KernelDied", Finding("kernel-ended"))
        self.stopped[name] = why
        self.close_kernel()
        return why

    def _out_of_time(self) -> bool:
        return self.kernel is not None and self.kernel.meter.clock.out_of_time

    def _blame_small_memory(self) -> None:
        """Check that kernels get their full memory budget; if not, a MemoryError may not be the answer's fault. Errors: MachineFailed."""
        needed, share = self.budgets.memory_bytes, self.budgets.memory_share
        if not privileges.allows("RLIMIT_AS", needed):
            raise MachineFailed(
                f"the grader's address space (ulimit -v) is below the {needed / MIB:,.0f} MiB that a kernel may use, and the kernel ran out of memory"
            )
        if share is not None and self.budgets.address_space() < needed:
            raise MachineFailed(
                f"this submission needed more than the {share / MIB:,.0f} MiB of memory that each kernel gets here; use fewer --jobs or a machine with more memory"
            )

    def close_kernel(self) -> None:
        """End the kernel. Errors: MachineFailed if the disk was full while the kernel ran, even if the kernel replied."""
        kernel, self.kernel = self.kernel, None
        if kernel is not None:
            try:
                kernel.meter.watch.look_at_disk()
            finally:
                kernel.stop()

    def close(self) -> None:
        """End the kernel and drop its replies, because the next submission needs the memory."""
        self.replies.clear()
        self.close_kernel()

    def forget(self) -> None:
        """Drop all replies, so that calls are made again."""
        self.replies.clear()
        self.digests.clear()
        self.kept = 0

    def result(self, submission: Submission) -> Result:
        """Collect the checks of all exercises in lab order: each exercise's tests, then its check without points."""
        assembled, checks = self.assembled, []
        for exercise in assembled.lab.exercises:
            checks += [*(check for check in self.checks if check.exercise == exercise.name), self._besides(exercise)]
        checks = [self._explained(check) for check in checks]
        written = {name: text[:LONGEST_TEXT] for name, text in assembled.written.items()}
        code = {name: source[:LONGEST_CODE] for name, source in assembled.code.items()}
        return Result.of(
            self.project, submission, *self._status(), self.seed, tuple(checks), written, assembled.attached, code=code
        )

    def _besides(self, exercise: Exercise) -> Check:
        """Make the check without points: whether the cell runs and the notebook's check passes. Written answers get "manual"."""
        name, check = exercise.name, RUBRIC if exercise.written else REFERENCE_OUTPUTS
        if name in self.assembled.untouched:
            return Check(name, check, "missing", (UNWRITTEN,))
        if exercise.written:
            return Check(name, check, "manual", (Finding("to-read", {"points": exercise.points}),))
        failed = tuple(self.failures[name] for _ in range(name in self.failures))
        failed += (Finding("outputs-differ"),) * (name in self.differing)
        return Check(name, check, "failed" if failed else "passed", failed)

    def _explained(self, check: Check) -> Check:
        """Report that an unwritten answer's cell has another type, if that is why the answer is missing."""
        kind = self.assembled.changed.get(check.exercise)
        if not kind or check.findings != (UNWRITTEN,):
            return check
        return replace(check, findings=(Finding("not-a-code-cell", {"kind": kind.capitalize()}),))

    def _status(self) -> tuple[str, Finding | None]:
        """The status of the whole submission, and the first cell or answer that had to be stopped."""
        for name, stop in self.stopped.items():
            cell = Finding("added-cell") if name.startswith("added-") else name
            status = "timed_out" if stop.error == "TimedOut" else "crashed"
            return status, together(Finding("stopped", {"cell": cell, "why": stop.message}), *self.notes)
        return "graded", together(*self.notes)


def request_of(exercise: Exercise, probe: Probe) -> bytes:
    """The request that makes this call in a kernel. It identifies the call."""
    key = exercise.name, exercise.kind, id(probe)
    if key in _public:
        return _public[key][1]
    request = wire.dumps([exercise.name, exercise.kind, list(probe.inputs()), probe.twice])
    if any(probe is public for public in exercise.probes):
        _public[key] = probe, request
    return request


# The requests of public calls, which are the same for all submissions. Equal probes may differ in types, such as 1 and 1.0.
_public: dict[tuple[str, str, int], tuple[Probe, bytes]] = {}
