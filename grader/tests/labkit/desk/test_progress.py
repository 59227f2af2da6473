"""The progress of grading, on a terminal and without one."""

import io

import pytest

from labkit.desk.pages import progress
from labkit.desk.pages.progress import Progress
from labkit.desk.pages.terminal import Listener
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Result
from labkit.student.model import project


@pytest.fixture
def terminal(monkeypatch):
    """What a terminal of 100 columns shows."""
    seen = io.StringIO()
    made = lambda **settings: Listener(file=seen, force_terminal=True, width=100, **{**settings, "stderr": False})
    monkeypatch.setattr(progress, "Listener", made)
    monkeypatch.setattr(progress, "REFRESH", 0)
    return seen


def test_a_terminal_shows_a_bar_with_rate_and_oddities(terminal):
    with Progress(3) as shown:
        for status in ("graded", "timed_out", "timed_out"):
            shown.tell(Result.of(project.current(), Submission("ada\x1b]2;x\x07", "01_spread"), status))
    told = terminal.getvalue()
    assert "3/3" in told and "/s" in told and "2 timed out" in told and "1 timed out" in told
    assert "\x1b]2;" not in told and told.endswith("\x1b[?25h")  # the cursor is back


def test_the_cursor_is_back_after_an_interrupt(terminal):
    with pytest.raises(KeyboardInterrupt), Progress(2) as shown:
        shown.tell(Result.of(project.current(), Submission("ada", "01_spread"), "graded"))
        raise KeyboardInterrupt
    assert terminal.getvalue().endswith("\x1b[?25h")


def test_a_closed_terminal_does_not_end_grading(monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError(32, "broken pipe")

    monkeypatch.setattr(progress, "Listener", lambda **settings: Listener(file=Closed(), force_terminal=True))
    with Progress(1) as shown:
        shown.tell(Result.of(project.current(), Submission("ada", "01_spread"), "graded"))
    assert shown.done == 1


def test_cached_results_do_not_shorten_the_estimated_time(monkeypatch, capsys):
    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    with Progress(1_000) as shown:
        for number in range(700):
            now += 2.0 * (number >= 600)
            shown.tell(Result.of(project.current(), Submission("ada", "01_spread"), "graded"))
    assert capsys.readouterr().err.splitlines()[-1].endswith("about 10 min left")


def test_elsewhere_there_are_lines_and_no_bar(capsys):
    with Progress(2) as shown:
        shown.tell(Result.of(project.current(), Submission("ada", "01_spread"), "graded"))
    assert capsys.readouterr().err.startswith("[1/2] ada  01_spread  graded  · about") and shown.bar is None
