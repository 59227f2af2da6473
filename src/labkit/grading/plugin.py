"""The pytest plugin behind the autograder: the `answer` and `draw` fixtures, and nbval on the assembled notebook.

`pytest tests/autograder` judges the solutions. `pytest tests/autograder/test_01_build_the_table.py --submission FILE`
judges one submission. `labkit grade` runs the same tests for a class.
"""

from __future__ import annotations

import labkit.lean  # noqa: F401  before anything imports nbformat

# isort: split

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbval.plugin import IPyNbCell, IPyNbFile, find_comment_markers, find_metadata_tags

from labkit import project
from labkit.course import labs
from labkit.grading.run import Run
from labkit.notebooks import Refusal, read_submission

RUN = pytest.StashKey[Run]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("labkit", "Judging submissions of the labs")
    group.addoption("--submission", metavar="FILE", help="the notebook to judge; without it the solutions are judged")
    group.addoption("--grading-seed", type=int, default=0, metavar="N", help="the seed that draws the hidden probes")


@pytest.fixture(scope="module")
def run(request: pytest.FixtureRequest):
    """The submission being judged by this test file."""
    given = request.config.stash.get(RUN, None)
    if given is not None:
        yield given
        return
    lab = labs()[request.module.__name__.rpartition(".")[2].removeprefix("test_")]
    path = Path(request.config.getoption("--submission") or project.SOLUTIONS / f"{lab.name}.ipynb")
    submission = read_submission(path)
    if isinstance(submission, Refusal):
        raise pytest.UsageError(f"{path}: {submission.reason}")
    if submission.lab != lab:
        pytest.skip(f"{path.name} is a submission of {submission.lab.name}")
    run = Run.of(submission, seed=request.config.getoption("--grading-seed"))
    yield run
    run.close()


@pytest.fixture
def answer(run: Run):
    """The student's answers: `answer.<exercise>(...)` calls into the student's kernel."""
    return run.answers


@pytest.fixture
def draw(run: Run, request: pytest.FixtureRequest) -> random.Random:
    """Random numbers for hidden probes: the same for the same seed and test, in whatever order tests run."""
    return random.Random(f"{run.seed}/{request.node.name}")


class ReferenceRun(IPyNbFile):
    """nbval on an assembled notebook, in the submission's own kernel, which stays for the tests that follow."""

    def collect(self) -> Iterator[IPyNbCell]:
        """As nbval does it, from memory: the notebook is in no file."""
        cells = [cell for cell in self.config.stash[RUN].assembled.notebook.cells if cell.cell_type == "code"]
        for number, cell in enumerate(cells):
            marked = {**dict(find_metadata_tags(cell.metadata)), **dict(find_comment_markers(cell.source))}
            options = defaultdict(bool, {"check": True, **marked})
            yield IPyNbCell.from_parent(self, name=f"Cell {number}", cell_num=number, cell=cell, options=options)

    def setup(self) -> None:
        self.kernel = self.config.stash[RUN].open_kernel()
        self.setup_sanitize_files()

    def teardown(self) -> None:
        """A run that did not reach its end leaves no kernel that answers could be asked of."""
        if self.timed_out or not self.kernel.is_alive():
            self.config.stash[RUN].close()


@pytest.hookimpl(trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """After a cell that hung or killed the kernel the rest of the notebook is not run: answers are asked elsewhere."""
    if isinstance(item, IPyNbCell) and isinstance(item.parent, ReferenceRun):
        if item.parent.timed_out or not item.parent.kernel.is_alive():
            pytest.skip("the notebook had stopped before this cell")
