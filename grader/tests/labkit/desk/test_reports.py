"""results.json, gradebook.csv, and the instructor's output: progress while grading, and the summary at the end."""

import csv
import io
import json
import sys
import tempfile
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import graded_pages
import pytest
from desks import absent, refused, seconds, submitted
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.cli.run import report
from labkit.desk.pages import terminal
from labkit.desk.pages.gradebook import HEAD, NOT_WRITTEN, TAIL, TO_READ, as_json, write_reports
from labkit.desk.pages.terminal import Progress, Summary
from labkit.desk.people import score_store
from labkit.desk.people.desk import Comments, Desk
from labkit.desk.people.final_score import FinalScore, Mark
from labkit.desk.people.late import Policy
from labkit.grade.batch import Settings
from labkit.grade.batch.grade import Results
from labkit.grade.batch.store import FactStore
from labkit.grade.intake.submission import Submission
from labkit.grade.judge import judge, plugin
from labkit.grade.judge.results import Check, Result, Task
from labkit.student.judging.finding import Finding
from labkit.student.model import course, project
from labkit.student.model.errors import UserError
from labkit.student.model.text import amount, printable

LAB, POINTS = "02_levels", 4
NAMED = Finding("as-they-come", {"values": [3.0, 1.0], "first": 3.0, "last": 1e-4}, named=True)


def result(student: str = "ada", lab: str = LAB) -> Result:
    checks = (
        Check("levels", "levels_as_in_the_lab", "passed"),
        Check("levels", "levels_of_drawn_values", "failed", (NAMED,)),
        Check("meaning", "rubric", "manual", (Finding("to-read", {"points": 2}),)),
    )
    return Result.of(
        project.current(), Submission(student, lab), "graded", None, 1, checks, {"meaning": "What occurs."}
    )


def rows(tmp_path, *results: Result | FinalScore) -> list[dict]:
    final_scores = (each if isinstance(each, FinalScore) else FinalScore(each) for each in results)
    write_reports(project.current().course, final_scores, tmp_path)
    return list(csv.DictReader((tmp_path / "gradebook.csv").open("r", encoding="utf-8", newline="")))


def test_a_row_has_the_points_of_each_exercise_and_a_read_answer_counts(tmp_path):
    names = ("student", "lab", "status", "score", "max_score", "levels", "meaning", "to_read", "penalty", "final")
    read = FinalScore(result("bob"), readings={"meaning": Mark(0.5)}, penalty=0.25)
    ada, bob = rows(tmp_path, result(), read)
    assert [ada[name] for name in names] == ["ada", LAB, "graded", "1", "3", "1", "to read", "1", "0", "1"]
    assert [bob[name] for name in names] == ["bob", LAB, "graded", "1.5", "3", "1", "0.5", "0", "0.25", "1.25"]


def test_the_columns_are_the_same_all_term(tmp_path):
    classes = [result()], [result(), result(lab="01_spread"), result(lab="")]
    some, others = (rows(tmp_path, *each)[0] for each in classes)
    assert [*some] == [*others] == [*HEAD, *course.current().exercises, *TAIL]
    assert [*HEAD][:5] == ["student", "lab", "status", "score", "max_score"]


def test_empty_waiting_unwritten_and_wrong_look_different(tmp_path):
    """The four exercises: one of another lab, a wrong one, an unwritten one, and an ungraded one.

    An unreadable file gets 0 points for every exercise of its lab.
    """
    missing = Check("draw_levels", "draw_levels_as_in_the_lab", "missing", (Finding("unwritten"),))
    wrong = Check("levels", "levels_as_in_the_lab", "failed", (NAMED,))
    mixed = replace(result(), checks=(wrong, missing, *result().checks[2:]))
    first, second, third = rows(tmp_path, mixed, refused("bob", lab=LAB), absent("cem", LAB))
    cells = [[row[name] for name in ("spread", "levels", "draw_levels", "meaning")] for row in (first, second, third)]
    assert cells == [["", "0", NOT_WRITTEN, TO_READ], ["", "0", "0", "0"], ["", *[NOT_WRITTEN] * 3]]
    assert [row["to_read"] for row in (first, second, third)] == ["1", "0", "0"]
    assert [row["reason"] for row in (second, third)] == ["the file is empty", "no submission for this lab"]
    assert {row["max_score"] for row in (second, third)} == {str(POINTS + 1)}


def test_a_row_states_file_student_match_and_time(tmp_path):
    whose = dict(file="-x.ipynb", passed_over=("b.ipynb", "c;=1.ipynb"), by="canvas", attempt=2)
    [row] = rows(tmp_path, submitted(result(), **whose, submitted=seconds("2026-03-01T09:00:00Z")))
    assert [row[name] for name in TAIL] == ["'-x.ipynb", "b.ipynb; c;'=1.ipynb", "canvas", "2026-03-01T09:00:00Z", "2"]


FORMULAS = ["=1+1", "+cmd", "-2", "@sum", "\tx", '=HYPERLINK("http://example.org")']


@pytest.mark.parametrize(
    "name, shown",
    [
        *((formula, printable(f"'{formula}")) for formula in FORMULAS),
        ('a, "b"\nc', 'a, "b"\\u000ac'),
        ("\x1b]52;c;eA==\x07\u202e", "\\u001b]52;c;eA==\\u0007\\u202e"),
    ],
)
def test_a_name_is_no_formula_stays_in_its_field_and_does_not_steer_a_terminal(tmp_path, name, shown):
    assert rows(tmp_path, result(name))[0]["student"] == shown


def test_stored_facts_can_be_read_back_and_contain_neither_points_nor_words():
    stored = json.dumps(replace(result(), reason=Finding("stopped", {"cell": "levels", "why": NAMED})).stored())
    back = Result.from_stored(project.current(), json.loads(stored), chosen())
    assert back.checks == result().checks and back.written == result().written and back.submission == chosen()
    assert "ada" not in stored
    assert back.reason.facts["why"] == NAMED and "points" not in stored.replace('"points": 2', "")
    assert "the first level" not in stored and "not written" not in stored


def test_words_are_chosen_when_a_stored_result_is_read(store):
    store.put("k", result())
    stored = store.get("k", chosen())
    spanish, english = [check.message("es") for check in stored.checks], as_json(stored)["checks"]
    assert spanish[1].startswith("Para 3.0, 1.0 el primer nivel es 3, el último 0.0001.")
    assert english[1]["message"].startswith("For 3.0, 1.0 the first level is 3, the last 0.0001.")
    assert spanish[2] == "pendiente de calificar por una persona: hasta 2 puntos, según la rúbrica"
    assert english[1]["mistakes"] == [{"id": "as-they-come", "numbers": dict(NAMED.facts)}]


def test_files_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    paths = write_reports(project.current().course, [FinalScore(result())], tmp_path)
    before = [path.read_bytes() for path in paths]
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "no space")))
    with pytest.raises(OSError):
        write_reports(project.current().course, [FinalScore(result("bob"))], tmp_path)
    assert [path.read_bytes() for path in paths] == before and len(list(tmp_path.iterdir())) == 2


@pytest.fixture
def store(tmp_path):
    return FactStore(project.current(), tmp_path)


def chosen(student: str = "ada", lab: str = LAB, digest: str = "one") -> Submission:
    return Submission(student, lab, file=f"{student}/a.ipynb", digest=digest)


@pytest.mark.parametrize("room, where", [(judge, "read_notebook"), (plugin, "_outcome")])
def test_a_grader_fault_is_no_grading_result(tmp_path, monkeypatch, handout, room, where):
    """Grading continues with the next submission in the same session."""
    faults, healthy = iter([ZeroDivisionError("division by zero")]), getattr(room, where)
    monkeypatch.setattr(room, where, lambda *given: _fails_once(faults) or healthy(*given))
    path, results = handout(LAB).save(tmp_path / f"ada_12_34_{LAB}-1.ipynb"), []  # as an LMS names it
    submissions = Submission("ada", LAB, path), Submission("bob", "", path)
    judge.judge_each(project.current(), [*map(Task, submissions)], results.append)
    assert [(each.status, each.lab) for each in results] == [("not_judged", LAB), ("graded", LAB)]
    assert {check.outcome for check in results[1].checks} == {"missing"}
    assert "ZeroDivisionError" in results[0].why() and results[0].max_score == POINTS


@pytest.mark.parametrize("times, status", [(1, "graded"), (2, "crashed")])
def test_too_little_memory_once_may_be_what_others_left(times, status, tmp_path, monkeypatch, handout):
    """What earlier submissions left in memory is freed, and the submission is graded again."""
    faults, healthy, collected = iter([MemoryError()] * times), judge.read_notebook, []
    monkeypatch.setattr(judge, "read_notebook", lambda *given: _fails_once(faults) or healthy(*given))
    monkeypatch.setattr(judge.gc, "collect", lambda: collected.append(1))
    path, results = handout(LAB).save(tmp_path / f"{LAB}.ipynb"), []
    judge.judge_each(
        project.current(), [Task(Submission(student, LAB, path)) for student in ("ada", "bob")], results.append
    )
    assert [each.status for each in results] == [status, "graded"] and len(collected) == times


def _fails_once(faults):
    for fault in faults:
        raise fault


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=20), st.sampled_from(["", "=", "\ud800", "\x1b[2J\u202e", "\x00"]))
def test_reports_are_written_for_any_content(text, start):
    said = json.loads(json.dumps(start + text))  # in JSON a high and a low surrogate become one character
    facts = {
        said: said,
        "call": said,
        "first": said,
        "last": float("nan"),
        "values": [said, Finding(said, {"x": said})],
    }
    found = [Finding(id, facts, named=True) for id in (said, "as-they-come", "values", "stopped", "said", "array")]
    check = Check(said, said, "failed", tuple(found))
    ours = Check("levels", "levels_of_drawn_values", "failed", tuple(found))
    whose = Submission(said, said, file=said, passed_over=(said, said), language=said)
    hostile = Result.of(
        project.current(), whose, "graded", Finding("said", {"text": said}), 1, (check, ours), {said: said}
    )
    assert Result.from_stored(project.current(), json.loads(json.dumps(hostile.stored())), whose) == hostile
    with tempfile.TemporaryDirectory() as folder:
        summary = Summary(2)
        for path in write_reports(
            project.current().course, [FinalScore(hostile), FinalScore(result())], Path(folder), summary.add
        ):
            assert path.read_text("utf-8")
        assert len(json.loads((Path(folder) / "results.json").read_text("utf-8"))) == 2
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")):
            summary.show([])


def class_of_three(store) -> Results:
    store.put("k", result())
    late = [replace(chosen(student), submitted=seconds("2026-03-02T09:00:00Z")) for student in ("ada", "bob", "cem")]
    return Results(store, Settings(), [(each, "k") for each in late])


def reported(out: Path, results: Results, penalty) -> None:
    """Write all reports of the class. The late policy calls `penalty` with each late final score."""
    due = {LAB: datetime(2026, 3, 1, tzinfo=UTC)}
    desk = Desk(
        project.current(),
        Policy(due, own=penalty),
        {},
        {},
        score_store.digests(out),
        Comments(),
        before=score_store.earlier(out),
    )
    report(desk.final_scores(results), results, score_store.Run(1), desk, out)


def test_each_result_is_read_once_and_its_final_score_is_computed_once(tmp_path, store, monkeypatch):
    results, read, computed = class_of_three(store), [], []
    monkeypatch.setattr(store, "get", lambda key, whose, get=store.get: read.append(whose.student) or get(key, whose))
    reported(tmp_path, results, lambda final_score: computed.append(final_score.result.student) or 0.5)
    assert read == computed == ["ada", "bob", "cem"]
    _, kept = score_store.read(tmp_path)
    book = csv.DictReader((tmp_path / "gradebook.csv").open(encoding="utf-8", newline=""))
    assert [row.final for row in kept] == [float(row["final"]) for row in book] == [0.5] * 3
    assert {path.stem for path in (tmp_path / "students").iterdir()} == set(read)


def test_a_policy_that_fails_in_the_middle_leaves_every_file_as_it_was(tmp_path, store):
    def failing(final_score) -> float:
        return 1 / (final_score.result.student != "cem")

    results = class_of_three(store)
    reported(tmp_path, results, lambda final_score: 0.5)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(UserError, match="failing for cem"):
        reported(tmp_path, results, failing)
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_the_same_bytes_are_each_students_own(store):
    store.put("k", result())
    late = replace(chosen("bob"), submitted=seconds("2026-03-01T09:00:00Z"), attempt=2, language="es")
    rows = [as_json(store.get("k", whose)) for whose in (chosen("ada"), late)]
    names = ("student", "file", "submitted_at", "attempt", "language")
    assert [[row[name] for name in names] for row in rows] == [
        ["ada", "ada/a.ipynb", None, 0, "en"],
        ["bob", "bob/a.ipynb", "2026-03-01T09:00:00Z", 2, "es"],
    ]
    assert {row["written"]["meaning"] for row in rows} == {"What occurs."}


@pytest.fixture
def screen(monkeypatch):
    """What a terminal of 100 columns shows, whatever terminal the tests run in."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(terminal, "REFRESH", 0)
    return Terminal()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_a_bar_with_rate_and_oddities(screen, monkeypatch):
    monkeypatch.setattr(sys, "stderr", screen)
    with Progress(3) as shown:
        for status in ("graded", "timed_out", "timed_out"):
            shown.tell(Result.of(project.current(), Submission("ada\x1b]2;x\x07", "01_spread"), status))
    told = screen.getvalue()
    assert "3/3" in told and "/s" in told and "2 timed out" in told and "1 timed out" in told
    assert "\x1b]2;" not in told and told.endswith("\x1b[?25h")  # the cursor is back


def test_the_cursor_is_back_after_an_interrupt(screen, monkeypatch):
    monkeypatch.setattr(sys, "stderr", screen)
    with pytest.raises(KeyboardInterrupt), Progress(2) as shown:
        shown.tell(Result.of(project.current(), Submission("ada", "01_spread"), "graded"))
        raise KeyboardInterrupt
    assert screen.getvalue().endswith("\x1b[?25h")


def test_a_closed_terminal_does_not_end_grading(monkeypatch):
    class Closed(Terminal):
        def write(self, text):
            raise BrokenPipeError(32, "broken pipe")

    monkeypatch.setattr(sys, "stderr", Closed())
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
    students = [graded_pages.result(f"student-{number}") for number in range(60)]
    told = summary(capsys, 61, *students, refused("zoe", lab=LAB))
    assert "zoe" in told and "student-1" not in told and "as-they-come (60)" in told
    assert "60 more of 61 in the files below; the median of all scores is 0." in told


def test_late_submissions_that_lost_points_are_counted(capsys):
    """The scores in the table are before penalties, so without this line nothing would say that a deadline took effect."""
    assert "Late submissions that lost points: 2." in summary(
        capsys, 2, graded_pages.result(), graded_pages.result("bob"), penalty=0.5
    )
    assert "lost points" not in summary(capsys, 1, graded_pages.result())


def test_missing_submissions_are_counted_and_do_not_hide_odd_ones(capsys):
    missing = [absent(f"absent-{number}", LAB) for number in range(99)]
    told = summary(
        capsys, 101, *missing, graded_pages.result(), refused("zoe", lab=LAB), strangers=("sam\x1b[2J", "tom")
    )
    assert "zoe" in told and told.count("absent-1") == 1 and "the median of all scores is 0." in told
    assert f"{LAB}: 99 missing: absent-0, " in told and "absent-9 and 89 more." in told
    assert "or more than one: sam\\u001b[2J, tom." in told
    none = summary(capsys, 41, *missing[:41])
    assert "median" not in none and f"{LAB}: 41 missing: absent-0, absent-1," in none


def test_a_count_of_one_is_singular():
    counts = "0 notebooks", "1 notebook", "2 notebooks", "1,200 notebooks"
    assert tuple(amount(count, "notebook") for count in (0, 1, 2, 1200)) == counts
