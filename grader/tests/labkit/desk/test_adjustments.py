"""adjustments.csv: the effect of each kind of row on points, and the error for each kind of wrong row."""

import csv
import json
from datetime import UTC, datetime

import pytest
from desks import ADJUSTMENTS, LAB, NEXT, by_hand, leave, result

from labkit.desk.people import adjustments, manual
from labkit.desk.people.final_score import Adjustment, FinalScore
from labkit.desk.people.late import Policy
from labkit.student.model import project
from labkit.student.model.errors import UserError

EARNED, WRITTEN = 3, 2  # of 5 and 2 points of lab 01; see desks.result


def one(folder, *rows: str, of=None, policy: Policy = Policy()) -> FinalScore:
    by_hand(folder, *rows)
    (row,) = leave(folder, [of or result()], policy)
    return row


@pytest.mark.parametrize(
    "row, score, final",
    [
        ("midrange,2,,regraded", 5, 5),
        ("midrange,,1.5,regraded", 4.5, 4.5),
        ("midrange,-1,,below nothing", 3, 3),
        ("spread,,0,copied", 0, 0),
        ("robust,,2,read in the PDF", 5, 5),
        (",1,,a bonus", 3, 4),
        (",7,,a bonus above all points", 3, 10),
        (",-7,,copied", 3, 0),
        (",,6.5,oral", 3, 6.5),
        (",,0,copied", 3, 0),
    ],
)
def test_the_effect_of_each_kind_of_row(tmp_path, row, score, final):
    found = one(tmp_path, f"ada,{LAB},{row},")
    assert (found.score, found.final, found.max_score) == (score, final, 7)
    assert found.from_checks == {"spread": 3, "midrange": 0, "robust": 0}  # the points from checks are unchanged
    assert found.moved == pytest.approx(final - EARNED)


def test_set_points_come_before_added_ones_and_added_points_sum_up(tmp_path):
    rows = ("midrange,0.5,,half a step", "midrange,,1,the formula is right", ",-0.25,,late by mail", ",1,,a bonus")
    found = one(tmp_path, *(f"ada,{LAB},{row}," for row in rows))
    assert (found.score, found.final, found.moved) == (4.5, 5.25, 2.25)
    assert [(each.before, each.after) for each in found.adjustments] == [(0, 1), (1, 1.5), (4.5, 4.25), (4.25, 5.25)]


def test_lateness_reduces_adjusted_exercises_but_not_points_given_for_the_lab(tmp_path):
    late = result(submitted_at="2026-03-02T00:00:00Z")
    policy = Policy({LAB: datetime(2026, 3, 1, tzinfo=UTC)}, percent=50)
    rows = ("midrange,2,,why", ",2,,why", ",,6,why")
    found = [one(tmp_path, f"ada,{LAB},{row},", of=late, policy=policy) for row in rows]
    assert [(row.score, row.penalty, row.final) for row in found] == [(5, 2.5, 2.5), (3, 1.5, 3.5), (3, 1.5, 6)]


def test_an_excused_student_has_no_final_score_and_uses_no_free_days(tmp_path):
    late = [result(lab=lab, submitted_at="2026-03-02T00:00:00Z") for lab in (LAB, NEXT)]
    due = {LAB: datetime(2026, 3, 1, tzinfo=UTC), NEXT: datetime(2026, 3, 1, 1, tzinfo=UTC)}
    by_hand(tmp_path, f"ada,{LAB},,,,ill,yes")
    first, second = leave(tmp_path, late, Policy(due, percent=10, free_days=1))
    assert (first.final, first.to_read, first.score, first.days_late) == (None, 0, EARNED, 0)
    assert second.penalty == 0  # its one late day is free
    with (tmp_path / "gradebook.csv").open(newline="") as file:
        book = list(csv.DictReader(file))
    assert [row["final"] for row in book] == ["excused", "2"]
    assert book[0]["adjustments"] == "lab excused: ill" and json.loads((tmp_path / "final_scores.json").read_text())


def test_a_written_answer_with_set_points_is_no_longer_ungraded(tmp_path):
    assert one(tmp_path, f"ada,{LAB},robust,,1,by eye,").to_read == 0
    assert one(tmp_path, f"ada,{LAB},midrange,1,,for trying,").to_read == WRITTEN
    assert one(tmp_path, f"ada,{LAB},,,4,oral,").to_read == 0


@pytest.mark.parametrize(
    "rows, says",
    [
        ("ada,01_sprad,,1,,why,", "line 2: there is no lab '01_sprad'; did you mean 01_spread?"),
        (f"ada,{LAB},midrage,1,,why,", "line 2: 01_spread has no exercise 'midrage'; did you mean midrange?"),
        (f"ada,{LAB},levels,1,,why,", "line 2: 01_spread has no exercise 'levels'"),
        (f"ada,{LAB},midrange,,,why,", "line 2: fill in exactly one of add, set and excused"),
        (f"ada,{LAB},midrange,1,2,why,", "line 2: fill in exactly one of add, set and excused"),
        (f"ada,{LAB},,1,,why,yes", "line 2: fill in exactly one of add, set and excused"),
        (f"ada,{LAB},midrange,1,, ,", "line 2: the reason is missing"),
        (f"ada,{LAB},,,,why,perhaps", "line 2: excused is 'perhaps'; write yes or no"),
        (f"ada,{LAB},midrange,,,why,yes", "line 2: excused is for a whole lab"),
        (f"ada,{LAB},robust,1,,why,", "line 2: robust is a written answer; set its points, or change the reader's points"),
        (f"ada,{LAB},midrange,,2.5,why,", "line 2: 2.5 is too many points; midrange is worth 2"),
        (f"ada,{LAB},,,9,why,", "line 2: 9 is too many points; 01_spread is worth 8"),
        (f"ada,{LAB},,80,,why,", "line 2: a change of +80 points is too large; all of 01_spread is worth 8"),
        (f"ada,{LAB},,-80,,why,", "line 2: a change of -80 points is too large"),
        *((f"ada,{LAB},,{number},,why,", "is not a number of points") for number in ("x", "nan", "inf", "-inf", "1e999")),
        *((f"ada,{LAB},,,{number},why,", "is not a number of points, 0 or more") for number in ("x", "nan", "-1")),
        (f"ada,{LAB},,1,,a,\nada,{LAB},,1,,a,", "line 3: this repeats adjustments.csv, line 2"),
        (f"ada,{LAB},,,1,a,\nada,{LAB},,,2,b,", "line 3: ada, 01_spread is already set in adjustments.csv, line 2"),
        (f"ada,{LAB},,,,a,yes\nada,{LAB},,2,,b,", "line 3: ada, 01_spread is already excused in adjustments.csv, line 2"),
        (f"ada,{LAB},,2,,b,\nada,{LAB},,,,a,yes", "line 3: ada, 01_spread is already changed in adjustments.csv, line 2"),
        (f'ada,{LAB},,1,,"open,', "line 2: not valid CSV"),
        (f"ada,{LAB},,1,,one, two,", "line 2: this row has 8 cells"),
    ],
)  # fmt: skip
def test_an_impossible_row_is_one_line_with_its_number(tmp_path, rows, says):
    by_hand(tmp_path, rows)
    with pytest.raises(UserError) as problem:
        adjustments.read(project.current(), tmp_path / adjustments.NAME)
    assert says in str(problem.value) and "\n" not in str(problem.value)


def test_a_header_says_what_is_missing_or_unknown_and_excused_may_be_left_out(tmp_path):
    path = tmp_path / adjustments.NAME
    for head, says in (
        ("student,lab,add,set,reason", "no exercise"),
        (ADJUSTMENTS.strip() + ",note", "unknown column 'note'"),
    ):
        path.write_text(f"{head}\nada\n")
        with pytest.raises(UserError, match=says):
            adjustments.read(project.current(), path)
    path.write_bytes(f"student;lab;exercise;add;set;reason\nada;{LAB};;−1,5;;wörtlich\n".encode("utf-8-sig"))
    assert [each for own in adjustments.read(project.current(), path).values() for each in own] == [
        Adjustment("", "wörtlich", add=-1.5)
    ]


def test_every_row_needs_a_student_of_the_class(tmp_path):
    by_hand(tmp_path, f"aad,{LAB},,1,,why,")
    lines = adjustments.read(project.current(), tmp_path / adjustments.NAME)
    with pytest.raises(UserError, match="line 2: there is no student 'aad'; did you mean ada?"):
        adjustments.check_students(lines, {"ada", "bob"}, {LAB})
    adjustments.check_students(lines, {"ada", "bob"}, {NEXT})  # NEXT is not among the graded labs


def test_manual_points_name_the_file_for_checked_exercises():
    with pytest.raises(UserError, match="change other points in adjustments.csv"):
        manual.check_points(project.current().course, "line 2", LAB, "midrange", 1)
