"""Final scores in other systems' formats: Gradescope, nbgrader, CSV, and comments that say each thing once."""

import csv
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from desks import LAB, NEXT, absent, cells, leave, refused, result, submitted
from longer import times
from processes import PATIENCE, started

from labkit.desk.lms import gradebooks
from labkit.desk.lms.gradescope import gradescope_result
from labkit.desk.pages.feedback import lines_of
from labkit.desk.people import score_store
from labkit.desk.people.final_score import FinalScore, Mark, Person
from labkit.desk.people.late import Policy
from labkit.grade.judge.results import Check
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import title
from labkit.student.model import project

KILLS = times(3, 30)


@pytest.fixture
def late(tmp_path):
    """A row with everything: manual grading, a late penalty and half a point."""
    policy = Policy(own=lambda final_score: (0.5, "a day"), deadlines={LAB: datetime(2020, 1, 1, tzinfo=UTC)})
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manual.csv").write_text(f"student,lab,exercise,points,comment\n=x/..,{LAB},robust,2,=why?\n")
    leave(tmp_path / "out", [result("=x/..", submitted_at="2026-03-01T00:00:00Z")], policy)
    run, (row,) = score_store.read(tmp_path / "out")
    return run, row


def test_gradescope(late):
    run, row = late
    found = gradescope_result(row, run)
    assert found["score"] == 4.5 and sum(test["score"] for test in found["tests"]) == 5
    assert {test["status"] for test in found["tests"]} == {"passed", "failed"}
    assert {test["visibility"] for test in found["tests"]} == {"visible"}  # a hidden one would hide the total
    assert found["tests"][-1] == {
        "name": "One value too large",
        "number": "4",
        "score": 2.0,
        "max_score": 2,
        "status": "passed",
        "output": "=why?",
        "output_format": "text",
        "visibility": "visible",
    }
    assert "minus 0.5 for lateness. a day" in found["output"] and found["extra_data"]["run"] == str(run)


def test_a_csv_names_the_run_and_holds_no_formula(late, tmp_path):
    run, row = late
    gradebooks.write_new("csv", [row], run, tmp_path / "x.csv")
    (found,) = csv.DictReader((tmp_path / "x.csv").open(newline=""))
    assert (found["student"], found["score"], found["penalty"], found["final"]) == ("'=x/..", "5", "0.5", "4.5")
    assert found["run"] == str(run)


def test_nbgraders_own_columns(late, tmp_path):
    _, row = late
    known = replace(row, person=Person("7", "Lovelace, Ada", "ada@uni.example"))
    bob = FinalScore(absent("bob"), Person("8", "Bob"), penalty=0.5)
    gradebooks.write_new("nbgrader", [known, bob], score_store.Run(1), tmp_path / "x.csv")
    head, *found = cells(tmp_path / "x.csv")
    assert ",".join(head) == (
        "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score"
    )
    ada = [LAB, "", "2026-03-01 00:00:00", "'=x/..", "Lovelace", "Ada", "ada@uni.example", "5.0", "0.5", "4.5", "7.0"]
    assert found == [ada, [LAB, "", "", "bob", "Bob", "", "", "0.0", "0.5", "0.0", "8.0"]]


def test_the_export_command_for_every_format(tmp_path, labkit):
    out = tmp_path / "out"
    leave(
        out,
        [
            *(result(who, lab) for who in ("ada", "bob") for lab in (LAB, NEXT)),
            refused("cem"),
            refused("dan", "not_judged"),
        ],
    )
    book = tmp_path / "book.csv"
    book.write_text(f"Student,ID,SIS Login ID,Lab 1 (1),{NEXT} (2)\nA,1,ada,,\nC,3,cem,,\n")
    done = labkit(
        "export", out, "--to", "canvas", "--gradebook", book, "--out", tmp_path / "c.csv", "--assignment", "1=Lab 1"
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "c.csv").read_text().splitlines()[1:] == ["A,1,ada,3,", "C,3,cem,0,"]
    assert "4 scores are not final: 6 points" in done.stdout and "row matches (1): bob" in done.stdout
    done = labkit("export", out, "--to", "canvas", "--gradebook", book, "--out", tmp_path / "d.csv", "--lab", "2")
    assert done.returncode == 0 and (tmp_path / "d.csv").read_text().splitlines()[1] == "A,1,ada,,2"
    done = labkit("export", out, "--to", "nbgrader", "--out", tmp_path / "n.csv")
    assert done.returncode == 0 and "left out, not_judged (1): dan" in done.stdout
    assert [row[3] for row in cells(tmp_path / "n.csv")[1:]] == ["ada", "ada", "bob", "bob", "cem"]
    for arguments, says in (
        (["--to", "canvas", "--out", "x"], "needs --gradebook"),
        (["--to", "csv", "--gradebook", book, "--out", "x"], "takes no --gradebook"),
        (["--to", "canvas", "--gradebook", book, "--out", book], "is the file exported from the LMS"),
        (["--to", "canvas", "--gradebook", book, "--out", "x", "--assignment", "Lab 1"], "which lab?"),
        (["--to", "canvas", "--gradebook", book, "--out", "x"], "there is no column '01_spread'"),
        (["--to", "canvas", "--gradebook", tmp_path / "none", "--out", "x"], "cannot be read"),
        (["--to", "nonsense", "--out", "x"], "'--to'"),
    ):
        wrong = labkit("export", out, *arguments, cwd=tmp_path)
        assert wrong.returncode == 2 and says in wrong.stderr and len(wrong.stderr.splitlines()) == 1
    assert not (tmp_path / "x").exists()


@pytest.mark.timeout(120 + 20 * KILLS)
def test_an_export_that_is_killed_is_whole_or_not_there(tmp_path, labkit):
    out, moments = tmp_path / "out", random.Random(3)
    leave(out, [result(f"student-{number}") for number in range(300)])
    command = [Path(sys.executable).with_name("labkit"), "export", out, "--out"]
    began = time.monotonic()
    assert labkit("export", out, "--to", "csv", "--out", tmp_path / "whole.csv").returncode == 0
    seconds, whole = time.monotonic() - began, (tmp_path / "whole.csv").read_bytes()
    before = {path: path.read_bytes() for path in out.iterdir() if path.is_file()}
    for number in range(KILLS):
        target = tmp_path / f"export-{number % 2}"
        kind = ("csv", "nbgrader")[number % 2]
        with started(*command, target, "--to", kind, stdout=subprocess.DEVNULL, cwd=project.current().root) as process:
            time.sleep(moments.uniform(0.3, 1.3) * seconds)
            process.kill()
            process.wait(PATIENCE)
        if kind == "csv":
            assert not target.exists() or target.read_bytes() == whole
        elif target.exists():
            assert len(cells(target)) == 301
    assert before == {path: path.read_bytes() for path in out.iterdir() if path.is_file()}


def test_a_reading_without_a_comment_is_a_line_too(late):
    _, row = late
    assert "One value too large, 2 of 2" in [*lines_of(replace(row, readings={"robust": Mark(2)}))]


@pytest.mark.parametrize("form", ["canvas", "moodle", "nbgrader"])
def test_an_export_without_any_score_is_one_line_and_writes_nothing(tmp_path, labkit, form):
    leave(tmp_path / "out", [refused("dan", "not_judged")])
    (tmp_path / "book.csv").write_text(f"ID,Email address,{LAB}\ndan,dan,\n")
    book = ["--gradebook", tmp_path / "book.csv"] if form in ("canvas", "moodle") else []
    done = labkit("export", tmp_path / "out", "--to", form, *book, "--out", tmp_path / "new")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and not (tmp_path / "new").exists()
    assert "nothing was written" in done.stderr and "(1)" in done.stderr


def exported(out, one) -> tuple[score_store.Run, FinalScore]:
    leave(out, [one])
    run, (row,) = score_store.read(out)
    return run, row


def with_checks(*checks, language="en"):
    return replace(submitted(result(), language=language), checks=checks, written={})


def failed(exercise, name, **facts):
    return Check(exercise, name, "failed", (Finding("said", facts),))


@pytest.mark.parametrize("language, of", [("en", "of"), ("es", "de")])
def test_two_checks_of_one_exercise_are_one_line_in_the_students_language(tmp_path, language, of):
    names = "spread_as_in_the_lab", "spread_of_drawn_values"
    checks = [failed("spread", name, text="your spread is negative") for name in names]
    mine = with_checks(*checks, failed("midrange", "midrange", text="too large"), language=language)
    run, row = exported(tmp_path, mine)
    (total, *lines) = lines_of(row)
    assert total.startswith("0 / 7 ")
    known = [f"{title(name, language)}, 0 {of} {points}: " for name, points in (("spread", 3), ("midrange", 2))]
    ours = [line for line in lines if line.startswith(tuple(known))]
    assert ours == [f"{known[0]}your spread is negative", f"{known[1]}too large"]
    assert str(lines).count("negative") == str(gradescope_result(row, run)).count("negative") == 1


def test_unanswered_exercises_beside_an_answered_one_are_a_line_each(tmp_path):
    missing = [Check("spread", name, "missing") for name in ("spread_as_in_the_lab", "spread_of_drawn_values")]
    _, row = exported(tmp_path, with_checks(*missing, Check("midrange", "midrange", "passed")))
    assert [line for line in lines_of(row) if "not written" in line] == [f"{title('spread')}, 0 of 3: not written"]


@pytest.mark.parametrize("status", ["not_a_lab", "unreadable", "crashed", "graded"])
def test_a_reason_for_the_whole_submission_is_said_once(tmp_path, status):
    if status == "graded":
        names = ("spread", "spread_as_in_the_lab"), ("spread", "spread_of_drawn_values"), ("midrange", "midrange")
        one = with_checks(*(Check(*name, "missing") for name in names))
    else:
        one = refused("ada", status, "this is a PDF")
    _, row = exported(tmp_path, one)
    lines = [*lines_of(row)]
    assert len(lines) == 2 and max(Counter(lines).values()) == 1, lines
    assert status == "graded" or lines[1] == "this is a PDF"


def test_a_remark_that_the_reason_contains_is_not_repeated(tmp_path):
    why = "spread did not finish within 5 seconds"
    one = with_checks(failed("spread", "spread_of_drawn_values", text=why), Check("midrange", "midrange", "passed"))
    said = Finding("said", {"text": f"{why}; the other exercises were graded without it"})
    _, row = exported(tmp_path, replace(one, status="timed_out", reason=said))
    lines = [*lines_of(row)]
    assert sum(line.count("did not finish") for line in lines) == 1 and f"{title('spread')}, 0 of 2" in lines


def test_values_of_an_instructors_assert_stay_hidden(tmp_path):
    run, row = exported(tmp_path, with_checks(failed("spread", "spread_of_drawn_values", text="assert 3 == 77")))
    told = [*lines_of(row), str(gradescope_result(row, run))]
    assert not [each for each in told if "77" in each]
