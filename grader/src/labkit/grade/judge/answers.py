"""Call answers in the student's kernel: `answer.sinusoidal_pe(64, 32)`. Arguments go in; only plain data comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from queue import Empty
from typing import Any, Protocol

from labkit.grade.judge.outcomes import UNWRITTEN, AnswerMissing, AnswerRaised
from labkit.grade.kernel.meter import KernelDied, OverBudget
from labkit.grade.kernel.start import outputs_of
from labkit.grade.kernel.submission import SubmissionKernel
from labkit.grade.sandbox import privileges
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.calls import wire
from labkit.student.calls.calling import read_reply
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, Raised, describe
from labkit.student.model.budgets import MIB, Budgets
from labkit.student.model.course import Course, Exercise, Lab, Probe
from labkit.student.model.project import Project
from labkit.student.notebook.examine import Examination, examine
from labkit.student.notebook.expected import graders_expected

MAX_KEPT = 2**23  # characters of all cached replies; beyond that, requests are sent again
MAX_STARTS = 8  # kernels per submission, so that a hostile answer cannot make the grader start kernels forever

# Why an answer gave no value, by the error name in Raised.
UNANSWERED: dict[str, Callable[..., Raised]] = {
    "TimedOut": lambda seconds: Raised("TimedOut", Finding("too-slow", {"seconds": seconds})),
    "OutOfTime": lambda seconds: Raised("TimedOut", Finding("out-of-time", {"seconds": seconds})),
    "KernelDied": lambda: Raised("KernelDied", Finding("kernel-ended")),
    "OverBudget": lambda what: Raised("OverBudget", what),
    "NoReply": lambda: Raised("NoReply", Finding("no-reply")),
    "Malformed": lambda: Raised("Malformed", Finding("other-reply")),
}


@dataclass
class Session:
    """The kernel with a submission's answers. If a cell or answer kills the kernel, a new kernel starts without that cell or answer."""

    lab: Lab
    defining_cells: list[tuple[str, str]]  # name and source of each cell that answers need
    start: Callable[[], SubmissionKernel]
    budgets: Budgets
    before: Callable[[Exercise, Probe], None] | None = None  # called before each call to an answer
    kernel: SubmissionKernel | None = None
    stopped: dict[str, Raised] = field(default_factory=dict)  # cells and exercises that hung or killed the kernel
    starts: int = 0
    replies: dict[str, object] = field(default_factory=dict)
    digests: dict[str, bytes] = field(default_factory=dict)  # digests of replies that were too large to cache
    kept: int = 0  # characters of the cached replies

    def ask(self, exercise: Exercise, probe: Probe) -> object:
        """Call the answer and cache the reply. Returns the value (for a figure, its data) or Raised."""
        if self.before:
            self.before(exercise, probe)
        request = request_of(exercise, probe)
        if request not in self.replies:
            value, reply = self._ask(exercise, request)
            if reply and (request in self.digests or self.kept + len(reply) > MAX_KEPT):
                same = self.digests.setdefault(request, digest := sha256(reply.encode()).digest()) == digest
                return value if same else UNANSWERED["Malformed"]()
            self.replies[request], self.kept = value, self.kept + len(reply)
        return self.replies[request]

    def ask_public(self) -> None:
        """Make all public calls first, before hidden values are drawn, so that public feedback cannot reveal hidden values."""
        for exercise in self.lab.exercises:
            for probe in () if exercise.written else exercise.probes or (Probe(),):
                self.ask(exercise, probe)

    def _ask(self, exercise: Exercise, request: str) -> tuple[object, str]:
        """Return the answer's result and the raw reply."""
        if exercise.name in self.stopped:
            return self.stopped[exercise.name], ""
        outputs = self._run(exercise.name, lambda kernel: kernel.ask_answer(request))
        if isinstance(outputs, Raised):
            return outputs, ""
        reply = _reply_in(outputs)
        value = read_reply(reply) if reply is not None else UNANSWERED["NoReply"]()
        if isinstance(value, Raised) and value.error == "MemoryError":
            self._blame_small_memory()
        return value, reply if isinstance(reply, str) else ""

    def _blame_small_memory(self) -> None:
        """Check that kernels get their full memory budget; if not, a MemoryError may not be the answer's fault. Errors: MachineFailed."""
        if not privileges.allows("RLIMIT_AS", self.budgets.memory_bytes):
            wanted = f"{self.budgets.memory_bytes / MIB:,.0f} MiB"
            problem = f"the grader's address space (ulimit -v) is below the {wanted} that a kernel may use, and the kernel ran out of memory"
            raise MachineFailed(problem)
        share_bytes = self.budgets.memory_share
        if share_bytes is not None and self.budgets.address_space() < self.budgets.memory_bytes:
            share = f"{share_bytes / MIB:,.0f} MiB"
            raise MachineFailed(
                f"this submission needed more than the {share} of memory that each kernel gets here; use fewer --jobs or a machine with more memory"
            )

    def _run(self, name: str, ask: Callable[[SubmissionKernel], str]) -> list[dict[str, Any]] | Raised:
        """Send a request for the cell or exercise `name`. Returns outputs, or Raised if the kernel hung or died.

        Errors: MachineFailed if the machine was the cause.
        """
        try:
            kernel = self._ensure_kernel()
            return outputs_of(kernel, ask(kernel), self.budgets.cell_seconds)
        except (Empty, RuntimeError) as error:  # KernelDied is a RuntimeError
            if isinstance(error, Empty) and self._out_of_time():
                self.starts = MAX_STARTS
            elif not isinstance(error, (Empty, OverBudget)):
                self._blame_small_memory()
            return self.stop(name, error)

    def stop(self, name: str, error: Exception) -> Raised:
        """Exclude this cell or exercise, because it hung or killed the kernel. Returns the Raised that replaces its answer."""
        match error:
            case Empty() if self._out_of_time():
                why = UNANSWERED["OutOfTime"](self.budgets.notebook_seconds)
            case Empty():
                why = UNANSWERED["TimedOut"](self.budgets.cell_seconds)
            case OverBudget():
                why = UNANSWERED["OverBudget"](str(error))
            case _:
                why = UNANSWERED["KernelDied"]()
        self.stopped[name] = why
        self.close()
        return why

    def _out_of_time(self) -> bool:
        return self.kernel is not None and self.kernel.out_of_time

    def _ensure_kernel(self) -> SubmissionKernel:
        if self.kernel is not None and self.kernel.is_alive():
            return self.kernel
        self.close()
        if self.starts >= MAX_STARTS:
            raise KernelDied("this submission may not start another kernel")
        self.starts += 1
        self.kernel = self.start()
        for name, source in self.defining_cells:
            if name not in self.stopped and self.kernel is not None:
                self._run_cell(name, source)
        return self._ensure_kernel() if self.kernel is None else self.kernel

    def _run_cell(self, name: str, source: str) -> None:
        self._run(name, lambda kernel: kernel.execute_cell_input(source, allow_stdin=False))

    def add_cell(self, name: str, source: str) -> None:
        """Let answers need this cell too. It runs now if the kernel has started."""
        self.defining_cells.append((name, source))
        if self.kernel is not None:
            self._run_cell(name, source)

    def close(self) -> None:
        """End the kernel. Errors: MachineFailed if the disk was full while the kernel ran, even if the kernel replied."""
        kernel, self.kernel = self.kernel, None
        if kernel is not None:
            try:
                kernel.look_at_disk()
            finally:
                kernel.stop()


def request_of(exercise: Exercise, probe: Probe) -> str:
    """The text of the request that makes this call in a kernel. It identifies the call."""
    return wire.dumps([exercise.name, exercise.kind, list(probe.inputs()), probe.twice])


def _reply_in(outputs: list[dict[str, Any]]) -> object:
    return next((output["data"][wire.MIME] for output in outputs if wire.MIME in output.get("data", {})), None)


class Asked(Protocol):
    """Anything that can call answers: a kernel's session or a namespace."""

    def ask(self, exercise: Exercise, probe: Probe) -> object: ...


class Handle:
    """One answer of a submission. Call it as a student would; it returns arrays, numbers, text, or lists of them."""

    def __init__(self, course: Course, exercise: Exercise, session: Asked, expected: Mapping[str, Any]):
        self.course, self.exercise, self._session, self.expected = course, exercise, session, expected
        self._answered = False  # whether a call has returned a value

    def __call__(self, *args: object) -> object:
        value = self.call(Probe(args))
        if isinstance(value, Raised):
            if self.unwritten(value):
                raise AnswerMissing(self.exercise.name, UNWRITTEN)
            raised = describe(Observation(self.exercise, args, value, public=False))
            raise AnswerRaised(self.exercise.name, *(self.findings or [raised]))
        return value

    def call(self, probe: Probe) -> object:
        """Call the answer with a probe's arguments. Returns Raised instead of raising."""
        value = self._session.ask(self.exercise, probe)
        self._answered |= not isinstance(value, Raised)
        return value

    def unwritten(self, value: object) -> bool:
        """Whether the answer is unwritten: this and the first public call stop at the placeholder, and no call has returned a value."""
        stops = isinstance(value, Raised) and value.error == "NotImplementedError"
        return stops and self.examination.unwritten and not self._answered

    @cached_property
    def examination(self) -> Examination:
        """The result of the notebook's check on the answer. It is computed once for all tests."""
        return examine(self.course, self.exercise, self.call, self.expected)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.examination.findings


class Answers:
    """The `answer` fixture, with one attribute for each exercise of the lab."""

    def __init__(self, project: Project, lab: Lab, session: Asked):
        asked = (exercise for exercise in lab.exercises if not exercise.written)
        expected = graders_expected(project, project.course.labs[lab.name])
        self._handles = {each.name: Handle(project.course, each, session, expected) for each in asked}

    def __getattr__(self, name: str) -> Handle:
        try:
            return self._handles[name]
        except KeyError:
            raise AttributeError(f"this lab has no exercise {name!r}; it has {', '.join(self._handles)}") from None
