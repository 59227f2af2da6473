"""One submission on its way through the grader: assembled, run, asked, judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from labkit.intake.notebooks import Notebook
from labkit.judge.answers import Answers, Session
from labkit.judge.assemble import Assembled, assemble, other_values
from labkit.judging.finding import Finding
from labkit.kernel.clock import Clock
from labkit.kernel.start import start_kernel
from labkit.kernel.submission import SubmissionKernel
from labkit.model.budgets import Budgets
from labkit.model.project import Project


@dataclass
class Run:
    """The assembled notebook of a submission, and the session that answers calls to it."""

    project: Project
    assembled: Assembled
    budgets: Budgets = Budgets()
    seed: int = 0
    notes: tuple[Finding, ...] = ()  # what its row says of how the submission was read
    clocks: list[Clock] = field(default_factory=list)  # of its kernels, one after the other
    supply: Callable[[str], str] | None = None  # answers the kernel's questions

    def __post_init__(self) -> None:
        cells = [(cell.id, cell.source) for cell in self.assembled.defining_cells()]
        self.session = Session(self.assembled.lab, cells, self._start_kernel, self.budgets)
        self.answers = Answers(self.project, self.assembled.lab, self.session)

    @classmethod
    def of(
        cls, project: Project, notebook: Notebook, budgets: Budgets = Budgets(), seed: int = 0, student: str = ""
    ) -> Run:
        """Of a notebook that the student of this id submitted, which decides the values that a lab draws."""
        assembled = assemble(project, notebook, student)
        notes = notebook.notes + other_values(project, notebook, assembled.lab)
        return cls(project, assembled, budgets, seed, notes)

    def _start_kernel(self) -> SubmissionKernel:
        """A kernel that may use what is left of the submission's time."""
        left = max(1.0, self.budgets.notebook_seconds - sum(clock.spent for clock in self.clocks))
        environment = self.project.course.environment_of(self.assembled.lab.name)
        kernel = start_kernel(self.project, environment, replace(self.budgets, notebook_seconds=left))
        kernel.supply = self.supply
        self.clocks.append(kernel.clock)
        return kernel

    def open_kernel(self) -> SubmissionKernel:
        """A fresh kernel for running the whole notebook; answers are asked of it afterwards if it survives."""
        self.session.starts += 1
        self.session.kernel = self._start_kernel()
        return self.session.kernel

    def close(self) -> None:
        """End its kernel, and keep nothing of what that said: the memory for judging is the next submission's."""
        self.session.replies.clear()
        self.session.close()
