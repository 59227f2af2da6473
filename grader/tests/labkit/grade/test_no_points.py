"""Every row with 0 points has a reason, whatever happened to its submission."""

import csv
import json

import pytest
from downloads import LAB, SCRATCH, save
from hypothesis import given
from hypothesis import strategies as st

from labkit.desk.pages.feedback import feedback
from labkit.desk.pages.report import Tally
from labkit.desk.people.final_score import FinalScore
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.judge import judge_file
from labkit.grade.judge.results import NOT_JUDGED, OUTCOMES, STATUSES, Check, Result, unjudged
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say
from labkit.student.model import project

EXERCISES = {"spread": "spread", "by_hand": "by_hand", "midrange": "midrange", "robust": "rubric"}
checks = st.builds(
    lambda exercise, name, outcome: Check(exercise, name or EXERCISES[exercise], outcome),
    st.sampled_from([*EXERCISES]),
    st.sampled_from(["", "reference_outputs", NOT_JUDGED, "no_such_check"]),
    st.sampled_from(OUTCOMES),
)
reasons = st.none() | st.sampled_from(
    [Finding("said", {"text": ""}), Finding("read-as", {"encoding": "cp1252"}), Finding("stopped", {"cell": "x"})]
)
whose = st.builds(
    lambda lab, files, found: Submission("ada", lab, file="a.ipynb", instead=found, passed_over=tuple(files)),
    st.sampled_from([LAB, "", "homework"]),
    st.lists(st.text(max_size=5), max_size=5),
    st.text(max_size=5),
)


@given(whose, st.sampled_from(STATUSES), st.lists(checks, max_size=8), reasons)
def test_every_row_with_0_points_has_a_reason(submission, status, found, reason):
    row = Result.of(project.current(), submission, status, reason, 1, tuple(found))
    assert row.score or all(row.why(language).strip() for language in ("en", "es"))
    assert not row.score or row.why() == (say("", reason) if reason else "")
    again = Result.from_stored(project.current(), json.loads(json.dumps(row.stored())), submission)
    assert again.why() == row.why() and again.reason == reason


@given(whose, st.sampled_from(STATUSES[1:]), st.sampled_from(["", "the file is empty", " "]))
def test_every_row_without_a_result_has_a_reason(submission, status, reason):
    row = unjudged(project.current(), submission, status, reason, 1)
    assert row.score == 0 and row.why().strip() and (not reason.strip() or row.why() == reason)


SOME_CASES = """def spread(values):
    if not len(values):
        raise ValueError("no values")
    if list(values) in ([2.0, 4.0, 9.0], [5.0, 5.0])[{shown}]:
        return float(np.std(values))
    raise NotImplementedError("spread: write your answer here")"""


@pytest.mark.parametrize(
    ("shown", "outcome"), [(":2", "failed"), (":1", "failed"), ("1:", "failed"), (":0", "missing")]
)
def test_an_answer_that_leaves_the_placeholder_for_some_cases_is_wrong_and_not_unwritten(shown, outcome, tmp_path):
    """One that passes the notebook's check, or answers only later calls, was once graded "not written", without a reason."""
    from handouts import Handout

    path = Handout(LAB, solved=True).write("spread", SOME_CASES.format(shown=shown)).save(tmp_path / f"{LAB}.ipynb")
    row = judge_file(project.current(), path, "ada", 1)
    checks = [check for check in row.of_exercise("spread") if row.max_points(check)]
    assert [check.outcome for check in checks] == [outcome] * 2
    assert {finding.id for check in checks for finding in check.findings} == {
        "stub-left" if outcome == "failed" else "unwritten"
    }


EMPTY = json.dumps({**json.loads(SCRATCH), "metadata": {"labkit": {"lab": LAB}}}).encode()
NOTHING = "no exercise is answered: each of the 4 is empty, missing or unchanged"


@pytest.fixture(scope="module")
def graded(tmp_path_factory, labkit):
    """Each student's row and gradebook line, in a class where every score is 0."""
    from handouts import Handout

    folder = tmp_path_factory.mktemp("none")
    stub = "".join(Handout(LAB).cell("spread")["source"])
    cases = {
        "clone/labs/01_spread.ipynb": "untouched",
        "clone/answers.ipynb": SCRATCH,
        "clone/.git/config": b"",
        "empty/01_spread.ipynb": EMPTY,
        "gone/01_spread.ipynb": Handout(LAB).remove(*EXERCISES).as_bytes(),
        "blank/01_spread.ipynb": Handout(LAB).write("spread", "\n").write("robust", " ").as_bytes(),
        "spaces/01_spread.ipynb": Handout(LAB).write("spread", stub + "  \n").as_bytes(),
        "words/01_spread.ipynb": Handout(LAB).write("robust", "It is robust.").as_bytes(),
        "wrong/01_spread.ipynb": Handout(LAB).write("by_hand", "by_hand = [3, 4]").as_bytes(),
        "broken/01_spread.ipynb": b"<html>",
        "pdf/essay.pdf": b"%PDF-1.7",
    }
    save(folder / "class", cases)
    done = labkit("grade", "class", "--out", "out", "--allow-unsandboxed", cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = {row["student"]: row for row in json.loads((folder / "out/results.json").read_text("utf-8"))}
    with open(folder / "out/gradebook.csv", encoding="utf-8", newline="") as file:
        book = {row["student"]: row for row in csv.DictReader(file)}
    return rows, book, (folder / "out/report.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("student", "status", "why"),
    [
        ("clone", "graded", f"{NOTHING}; other files by this student, not graded: clone/answers.ipynb"),
        ("empty", "graded", NOTHING),
        ("gone", "graded", NOTHING),
        ("blank", "graded", NOTHING),
        ("spaces", "graded", NOTHING),
        ("words", "graded", "1 of 4 exercises are answered: written answers only, which are graded by hand"),
        ("wrong", "graded", "1 of 4 exercises have an answer that can be checked, and none of them earns points"),
        ("broken", "unreadable", "this is not a notebook but a web page under the name of one: submit the notebook itself"),
        ("pdf", "not_a_lab", "no notebook was submitted (found: essay.pdf)"),
    ],
)  # fmt: skip
def test_a_real_row_without_points_says_why(graded, student, status, why):
    rows, book, report = graded
    assert (rows[student]["status"], rows[student]["score"], rows[student]["reason"]) == (status, 0, why)
    assert book[student]["reason"] == why and why in report


def test_the_student_reads_the_reason_in_their_own_language():
    found = (Check("spread", "reference_outputs", "missing"), Check("robust", "rubric", "missing"))
    row = Result.of(project.current(), Submission("ada", LAB, language="es"), "graded", None, 1, found)
    why = feedback(FinalScore(row)).why
    assert "no se ha respondido ningún ejercicio: los 2 están vacíos" in why


def test_a_row_with_points_and_a_note_is_not_listed_as_without_points():
    note = Finding("read-as", {"encoding": "cp1252"})
    tally = Tally(project.current().course)
    for outcome in ("passed", "failed"):
        result = Result.of(
            project.current(), Submission("ada", LAB), "graded", note, 1, (Check("by_hand", "by_hand", outcome),)
        )
        tally.add(FinalScore(result))
    assert [each.what for each in tally.odd] == ["note", "no points"]
    assert [each.why.count("cp1252") for each in tally.odd] == [1, 1]
