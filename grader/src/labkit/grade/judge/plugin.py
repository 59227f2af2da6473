"""The pytest plugin behind the autograder: the `answer`, `draw` and `shared_draw` fixtures.

`pytest tests/autograder` grades the solutions. `pytest tests/autograder/LAB --submission FILE` grades
one submission. `labkit grade` runs the same tests for a class.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Protocol, TextIO

import pytest

from labkit.grade.intake.files import Refusal
from labkit.grade.intake.notebooks import notebook_in
from labkit.grade.judge.answers import Answers, NotPassed
from labkit.grade.judge.results import Check
from labkit.grade.judge.run import Run
from labkit.grade.sandbox.confine import CONSENT, check_isolation
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.judging.finding import Finding, said
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project, current
from labkit.student.model.text import shortened


class Judged(Protocol):
    """What tests use: a submission's answers, and the seed of its hidden calls. Their outcomes are added to its checks."""

    seed: int
    checks: list[Check]

    @property
    def answers(self) -> Answers: ...


RUN = pytest.StashKey[Judged | None]()
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "MPLCONFIGDIR", "XDG_CACHE_HOME")  # environment variables
# Parts of pytest that each session sets up but neither grading nor a course's tests use. Two of them collect all garbage each time.
UNUSED = (
    "unraisableexception threadexception cacheprovider faulthandler junitxml pastebin stepwise doctest logging warnings "
    "setuponly setupplan"
)
ARGUMENTS = [
    "--config-file=" + os.devnull,
    "--noconftest",
    "--import-mode=prepend",
    "--no-header",
    "--capture=no",
    *(word for name in UNUSED.split() for word in ("-p", f"no:{name}")),
]


def run_pytest(project: Project, output: TextIO, arguments: Sequence[str], *plugins: object) -> int:
    """Run pytest without the caller's options, with this and other plugins. It prints to `output`. Returns its exit code."""
    others = [name for name in os.environ if name not in KEPT_VARIABLES and not name.startswith("LABKIT_")]
    with redirect_stdout(output), redirect_stderr(output), pytest.MonkeyPatch.context() as patch:
        for name in others:
            patch.delenv(name)
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return pytest.main(
            [f"--rootdir={project.autograder}", *ARGUMENTS, *arguments], [sys.modules[__name__], *plugins]
        )


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("labkit", "Grade submissions of the labs")
    group.addoption("--submission", metavar="FILE", help="the notebook to grade (default: the solutions)")
    group.addoption(CONSENT, action="store_true", help="run submissions even where kernels cannot be isolated")
    group.addoption("--grading-seed", type=int, default=0, metavar="N", help="the seed of the hidden calls")


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark for points. Under nbval, let Matplotlib find a folder now: kernels inherit it, and print no warning."""
    config.addinivalue_line("markers", "points(points, exercise): a check's points and its exercise")
    if config.getoption("nbval", False):
        import matplotlib  # noqa: F401  its import sets MPLCONFIGDIR then


@pytest.fixture(scope="module")
def run(request: pytest.FixtureRequest) -> Iterator[Judged]:
    """The submission that this test file grades."""
    given = request.config.stash.get(RUN, None)
    if given is not None:
        yield given
        return
    project = current()
    try:
        lab = project.course.lab_in(request.path.parent.name)
    except UserError as error:
        raise pytest.UsageError(f"{project.below(request.path)}: {error}") from None
    path = Path(request.config.getoption("--submission") or project.solutions / f"{lab.name}.ipynb")
    try:
        check_isolation(project, [path], unsandboxed=request.config.getoption(CONSENT))
    except UserError as error:
        raise pytest.UsageError(f"{path}: {error}") from None
    notebook = notebook_in(project, path)
    if isinstance(notebook, Refusal):
        raise pytest.UsageError(f"{path}: {notebook.reason}")
    if notebook.lab_name != lab.name:
        pytest.skip(f"{path.name} is a submission for {notebook.lab_name}")
    run = Run.of(project, notebook, seed=request.config.getoption("--grading-seed"))
    yield run
    run.close()


@pytest.fixture
def answer(run: Judged) -> Answers:
    """The student's answers: `answer.<exercise>(...)` makes a call in the student's kernel."""
    return run.answers


@pytest.fixture
def draw(run: Judged, request: pytest.FixtureRequest) -> random.Random:
    """Random numbers for hidden calls. They depend only on the seed and the test, not on the order of tests."""
    return random.Random(f"{run.seed}/{request.node.name}")


@pytest.fixture
def shared_draw(run: Judged, request: pytest.FixtureRequest) -> random.Random:
    """Like `draw`, but the same numbers in all tests of an exercise, so that they make the same hidden calls, once."""
    return random.Random(f"{run.seed}/{mark_of(request.node)[0]}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the outcome to the checks of the run that is being graded. Errors: MachineFailed ends the work on a submission."""
    report = yield
    run, error = item.config.stash.get(RUN, None), call.excinfo and call.excinfo.value
    exercise, name = mark_of(item)
    if run and exercise and (report.when == "call" or report.failed):
        if isinstance(error, MachineFailed):
            raise error
        run.checks.append(Check(exercise, name, *_outcome(error)))
    return report


def mark_of(test: pytest.Item) -> tuple[str, str]:
    """The exercise of a test, "" if the test has no points, and the name of its check."""
    mark = test.get_closest_marker("points")
    return mark.args[1] if mark else "", test.name.removeprefix("test_")


def _outcome(error: BaseException | None) -> tuple[str, tuple[Finding, ...]]:
    match error:
        case None:
            return "passed", ()
        case NotPassed():
            return error.outcome, error.findings
        case AssertionError():
            return "failed", (said(shortened(str(error), 1000)),)
    return "error", (Finding("check-failed", {"error": type(error).__name__, "message": shortened(str(error))}),)
