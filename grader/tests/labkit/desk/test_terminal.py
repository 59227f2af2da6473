"""The instructor's output: the progress of grading, on a terminal and without one, and the summary at the end."""

import io

import pytest
from desks import absent, refused
from graded_pages import LAB, result

from labkit.desk.pages import terminal
from labkit.desk.pages.terminal import Listener, Progress, Summary
from labkit.desk.people.final_score import FinalScore
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Result
from labkit.student.model import project
from labkit.student.model.text import amount


@pytest.fixture
def screen(monkeypatch):
    """What a terminal of 100 columns shows, whatever terminal the tests run in."""
    monkeypatch.setenv("TERM", "xterm")
    seen = io.StringIO()
    made = lambda **settings: Listener(file=seen, force_terminal=True, width=100, **{**settings, "stderr": False})
    monkeypatch.setattr(terminal, "Listener", made)
    monkeypatch.setattr(terminal, "REFRESH", 0)
    return seen


def test_a_terminal_shows_a_bar_with_rate_and_oddities(screen):
    with Progress(3) as shown:
        for status in ("graded", "timed_out", "timed_out"):
            shown.tell(Result.of(project.current(), Submission("ada\x1b]2;x\x07", "01_spread"), status))
    told = screen.getvalue()
    assert "3/3" in told and "/s" in told and "2 timed out" in told and "1 timed out" in told
    assert "\x1b]2;" not in told and told.endswith("\x1b[?25h")  # the cursor is back


def test_the_cursor_is_back_after_an_interrupt(screen):
    with pytest.raises(KeyboardInterrupt), Progress(2) as shown:
        shown.tell(Result.of(project.current(), Submission("ada", "01_spread"), "graded"))
        raise KeyboardInterrupt
    assert screen.getvalue().endswith("\x1b[?25h")


def test_a_closed_terminal_does_not_end_grading(monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError(32, "broken pipe")

    monkeypatch.setattr(terminal, "Listener", lambda **settings: Listener(file=Closed(), force_terminal=True))
    with Progress(1) as shown:
        shown.tell(Result.of(project.current(), Submission("ada", "01_spread"), "graded"))
    assert shown.done == 1


def test_cached_results_do_not_shorten_the_estimated_time(monkeypatch, capsys):
    now = 0.0
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now)
    with Progress(1_000) as shown:
        for number in range(700):
            now += 2.0 * (number >= 600)
            shown.tell(Result.of(project.current(), Submission("ada", "01_spread"), "graded"))
    assert capsys.readouterr().err.splitlines()[-1].endswith("about 10 min left")


def test_elsewhere_there_are_lines_and_no_bar(capsys):
    with Progress(2) as shown:
        for student in ("ada", "bob\x1b[2J"):
            shown.tell(Result.of(project.current(), Submission(student, "01_spread"), "graded"))
    first, last = capsys.readouterr().err.splitlines()
    assert first.startswith("[1/2] ada  01_spread  graded  · about") and first.endswith("left")
    assert last == "[2/2] bob\\u001b[2J  01_spread  graded" and shown.bar is None


def summary(capsys, total: int, *results: Result, strangers: tuple[str, ...] = (), penalty: float = 0.0) -> str:
    """What the summary of these results shows, in one line."""
    own = Summary(total, strangers)
    for each in results:
        own.add(FinalScore(each, penalty=penalty))
    own.show([])
    return " ".join(capsys.readouterr().out.split())


def test_a_large_class_lists_only_ungraded_submissions(capsys):
    students = [result(f"student-{number}") for number in range(60)]
    told = summary(capsys, 61, *students, refused("zoe", lab=LAB))
    assert "zoe" in told and "student-1" not in told and "as-they-come (60)" in told
    assert "60 more of 61 in the files below; the median of all scores is 0." in told


def test_late_submissions_that_lost_points_are_counted(capsys):
    """The scores in the table are before penalties, so without this line nothing would say that a deadline took effect."""
    assert "Late submissions that lost points: 2." in summary(capsys, 2, result(), result("bob"), penalty=0.5)
    assert "lost points" not in summary(capsys, 1, result())


def test_missing_submissions_are_counted_and_do_not_hide_odd_ones(capsys):
    missing = [absent(f"absent-{number}", LAB) for number in range(99)]
    told = summary(capsys, 101, *missing, result(), refused("zoe", lab=LAB), strangers=("sam\x1b[2J", "tom"))
    assert "zoe" in told and told.count("absent-1") == 1 and "the median of all scores is 0." in told
    assert f"{LAB}: 99 missing: absent-0, " in told and "absent-9 and 89 more." in told
    assert "or more than one: sam\\u001b[2J, tom." in told
    none = summary(capsys, 41, *missing[:41])
    assert "median" not in none and f"{LAB}: 41 missing: absent-0, absent-1," in none


def test_a_count_of_one_is_singular():
    counts = "0 notebooks", "1 notebook", "2 notebooks", "1,200 notebooks"
    assert tuple(amount(count, "notebook") for count in (0, 1, 2, 1200)) == counts
