"""A submission that is being graded: its assembled notebook, kernels and answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from labkit.grade.intake.notebooks import Notebook
from labkit.grade.judge.answers import Answers, Session
from labkit.grade.judge.assemble import Assembled, assemble
from labkit.grade.kernel.clock import Clock
from labkit.grade.kernel.start import start_kernel
from labkit.grade.kernel.submission import SubmissionKernel
from labkit.student.judging.finding import Finding
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Exercise, Probe
from labkit.student.model.project import Project


@dataclass
class Run:
    """A submission's assembled notebook, and the session that calls its answers."""

    project: Project
    assembled: Assembled
    budgets: Budgets = Budgets()
    seed: int = 0
    notes: tuple[Finding, ...] = ()  # for the submission's row: how it was read
    clocks: list[Clock] = field(default_factory=list)  # one for each of its kernels, in order
    supply: Callable[[str], str] | None = None  # answers questions from the kernel
    before: Callable[[Exercise, Probe], None] | None = None  # called before each call to an answer

    def __post_init__(self) -> None:
        cells = [(cell.id, cell.source) for cell in self.assembled.defining_cells()]
        self.session = Session(self.assembled.lab, cells, self._start_kernel, self.budgets, self.before)
        self.answers = Answers(self.project, self.assembled.lab, self.session)

    @classmethod
    def of(cls, project: Project, notebook: Notebook, budgets: Budgets = Budgets(), seed: int = 0) -> Run:
        """Assemble a notebook for grading."""
        return cls(project, assemble(project, notebook), budgets, seed, notebook.notes)

    def _start_kernel(self) -> SubmissionKernel:
        """Start a kernel that may use the submission's remaining time."""
        left = max(1.0, self.budgets.notebook_seconds - sum(clock.spent for clock in self.clocks))
        environment = self.project.course.environment_of(self.assembled.lab.name)
        kernel = start_kernel(self.project, environment, replace(self.budgets, notebook_seconds=left))
        kernel.supply = self.supply
        self.clocks.append(kernel.clock)
        return kernel

    def open_kernel(self) -> SubmissionKernel:
        """Start a kernel that runs the whole notebook. If the kernel survives, answers are called in it too."""
        self.session.starts += 1
        self.session.kernel = self._start_kernel()
        return self.session.kernel

    def close(self) -> None:
        """End the kernel and drop its replies, because the next submission needs the memory."""
        self.session.replies.clear()
        self.session.close()
