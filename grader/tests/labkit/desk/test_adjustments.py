"""adjustments.csv: errors in its rows, their effect wherever a score is shown, and no trace of rows that are removed."""

import csv
import json
import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from desks import ADJUSTMENTS, LAB, NEXT, absent, by_hand, leave, refused, result, submitted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from longer import LONG

from labkit.desk.lms import gradebooks
from labkit.desk.lms.gradebooks import fill_canvas, fill_moodle
from labkit.desk.lms.gradescope import gradescope_result
from labkit.desk.pages.feedback import feedback, lines_of
from labkit.desk.pages.report import Tally
from labkit.desk.pages.students import SPOKEN, as_markdown
from labkit.desk.people import adjustments, manual, score_store
from labkit.desk.people.final_score import Adjustment, FinalScore
from labkit.desk.people.late import Policy
from labkit.desk.people.score_store import changes
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


CHANGES = st.dictionaries(
    st.sampled_from([("ada", LAB), ("ada", NEXT), ("bob", LAB), ("cem", LAB)]),
    st.fixed_dictionaries(
        {
            "midrange": st.none() | st.sampled_from([(0.5, None), (-2, None), (None, 0), (None, 1.25), (None, 2)]),
            "robust": st.none() | st.sampled_from([(None, 0.5), (None, 2)]),
            "": st.none() | st.sampled_from([(1, None), (-5, None), (5, None), (None, 0), (None, 4.75)]),
        }
    ),
    max_size=4,
)


def everything(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def class_of_three() -> list:
    return [result(), result(lab=NEXT), result("bob"), absent("cem")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(CHANGES)
def test_all_readers_of_scores_agree_and_removed_adjustments_leave_no_trace(tmp_path, made):
    folder = tmp_path / "out"
    shutil.rmtree(folder, ignore_errors=True)
    leave(folder, class_of_three())
    before = everything(folder)
    rows = [
        f"{who},{lab},{exercise},{'' if said[0] is None else said[0]},{'' if said[1] is None else said[1]},why,"
        for (who, lab), of in made.items()
        for exercise, said in of.items()
        if said and (lab == LAB or not exercise)
    ]
    by_hand(folder, *rows)
    leave(folder, class_of_three())
    _, final_scores = score_store.read(folder)
    lines = adjustments.read(project.current(), folder / adjustments.NAME)
    tally, pages = Tally(project.current().course), {}
    for own in class_of_three():
        final_score = FinalScore(own, given=adjustments.given_to(project.current().course, own, lines))
        tally.add(final_score)
        pages[final_score.result.student, final_score.result.lab] = feedback(final_score)
    gradebooks.write_new("csv", final_scores, score_store.read(folder)[0], folder / "plain.csv")
    book, table = (list(csv.DictReader((folder / name).open(newline=""))) for name in ("gradebook.csv", "plain.csv"))
    report = {(row.id, lab): facts[0] for row in tally.students for lab, facts in row.labs.items()}
    for row, own, listed in zip(final_scores, book, table):
        key = row.student, row.lab
        assert row.final == float(own["final"]) == float(listed["final"]) == report[key]
        assert row.score == float(own["score"]) == sum(_number(own[name]) for name in own if name in row.from_checks)
        assert row.score == sum(0 if part.state == "waiting" else part.points for part in pages[key].parts)
        assert re.match(rf"{row.final:g} / ", pages[key].score())
        assert row.final == float(next(lines_of(row)).split()[0]) == gradescope_result(row, score_store.Run(1))["score"]
        assert row.final == pytest.approx(max(0, EARNED_BY[key] + row.moved))
    (folder / "plain.csv").unlink()
    (folder / "adjustments.csv").unlink()
    leave(folder, class_of_three())
    assert everything(folder) == before


EARNED_BY = {("ada", LAB): 3, ("ada", NEXT): 2, ("bob", LAB): 3, ("cem", LAB): 0}


def _number(cell: str) -> float:
    return 0 if cell in ("to read", "not written", "") else float(cell)


def test_the_page_states_the_change_its_size_and_its_reason_in_both_languages(tmp_path):
    by_hand(
        tmp_path, f"ada,{LAB},midrange,,1,the <b>check</b> was *too* strict,", f"ada,{LAB},,-0.5,,copied {{before}},"
    )
    lines = adjustments.read(project.current(), tmp_path / adjustments.NAME)
    en = "Points changed by your instructor, from 0 to 1: ", "Points changed by your instructor, from 4 to 3.5: "
    es = "Puntos modificados por quien imparte el curso, de 0 a 1: ", "de 4 a 3.5: copied {before}"
    for language, (exercise, lab) in zip(SPOKEN, (en, es)):
        own = submitted(result(), language=language)
        final_score = FinalScore(own, given=adjustments.given_to(project.current().course, own, lines))
        told = feedback(final_score)
        part = next(part for part in told.parts if part.exercise == "midrange")
        assert part.state == "adjusted" and part.points == 1 and part.adjusted[0].startswith(exercise)
        assert any(lab in note and "copied {before}" in note for note in told.notes())
        text = as_markdown([told], (), "en")
        assert exercise in text and "&lt;b>check" in text and "\\*too\\*" in text
    by_hand(tmp_path, f"ada,{LAB},,,,ill,yes")
    lines = adjustments.read(project.current(), tmp_path / adjustments.NAME)
    final_score = FinalScore(result(), given=adjustments.given_to(project.current().course, result(), lines))
    told = feedback(final_score)
    assert told.score().startswith("excused: ") and "Excused by your instructor: ill" in told.notes()


def test_adjustments_are_named_as_reasons_of_changes(tmp_path):
    before = leave(tmp_path, [result(), result("bob"), result("cem")])
    by_hand(tmp_path, f"ada,{LAB},midrange,1,,regraded,", f"bob,{LAB},,,,ill,yes", f"cem,{LAB},,0,,noted,")
    now = leave(tmp_path, [result(), result("bob"), result("cem")])
    assert [each.line() for each in changes(before, now)] == [
        "ada  01_spread  3 → 4 (+1): by hand: midrange 0 → 1: regraded",
        "bob  01_spread  3 → excused: by hand: lab excused: ill",
    ]
    assert [each.line() for each in changes(now, before)] == [
        "ada  01_spread  4 → 3 (-1): no longer by hand: midrange 0 → 1: regraded",
        "bob  01_spread  excused → 3: no longer by hand: lab excused: ill",
    ]
    better = replace(result(), checks=tuple(replace(check, outcome="passed") for check in result().checks[:3]))
    by_hand(tmp_path, f"ada,{LAB},,1,,bonus,")
    one, other = leave(tmp_path, [result()]), leave(tmp_path, [better])
    assert [each.line() for each in changes(one, other)] == ["ada  01_spread  4 → 6 (+2): midrange 0 → 2"]


def test_every_export_has_the_adjusted_scores(tmp_path):
    given = "ada,LAB,,6,,=a bonus,", "bob,LAB,,,,ill,yes", "cem,LAB,,,4,oral,", "dan,LAB,,,5,read in the PDF,"
    by_hand(tmp_path / "out", *(row.replace("LAB", LAB) for row in given))
    leave(tmp_path / "out", [result(), result("bob"), absent("cem"), refused("dan")])
    run, rows = score_store.read(tmp_path / "out")
    ada, bob, cem, dan = rows
    book, names = tmp_path / "book.csv", ("ada", "bob", "cem", "dan")
    book.write_text("Student,ID,SIS Login ID,Lab 1 (1)\n" + "".join(f"{n},{n},{n},7\n" for n in names))
    (export,) = fill_canvas(book, [("Lab 1", rows)], tmp_path / "canvas.csv")
    filled = (tmp_path / "canvas.csv").read_text().splitlines()[1:]
    assert [line.split(",")[3] for line in filled] == ["9", "EX", "4", "5"]
    sheet = tmp_path / "sheet.csv"
    head = "Identifier,Username,Grade,Feedback comments\n"
    sheet.write_text(head + "".join(f"Participant {n},{n},1,\n" for n in names))
    (export,) = fill_moodle(sheet, [("any", rows)], tmp_path / "moodle.csv")
    filled = list(csv.DictReader((tmp_path / "moodle.csv").open(newline="")))
    assert [row["Grade"] for row in filled] == ["9", "1", "4", "5"]
    assert "unchanged, excused (1): bob" in export.notes
    assert "from 3 to 9: =a bonus" in filled[0]["Feedback comments"]
    assert gradescope_result(ada, run)["score"] == 9 and "from 3 to 9" in gradescope_result(ada, run)["output"]
    assert gradescope_result(ada, run)["extra_data"]["adjusted"] == 6
    gradebooks.write_new("nbgrader", [ada, cem, dan], run, tmp_path / "nb.csv")
    assert [row["score"] for row in csv.DictReader((tmp_path / "nb.csv").open())] == ["9.0", "4.0", "5.0"]
    gradebooks.write_new("csv", rows, run, tmp_path / "plain.csv")
    table = list(csv.DictReader((tmp_path / "plain.csv").open(newline="")))
    assert [(row["final"], row["adjusted"]) for row in table] == [("9", "6"), ("excused", "0"), ("4", "4"), ("5", "5")]
    assert [row.is_scored for row in rows] == [True] * 4


def test_grading_with_adjustments_and_again_without_them(tmp_path, labkit, handout):
    """One student asks for a regrade, one submitted a PDF, and one is sick."""
    group, out = tmp_path / "class", tmp_path / "out"
    for name in ("ada", "bob"):
        handout(LAB, solved=name == "ada").save(group / name / f"{LAB}.ipynb")
    (group / "pam").mkdir()
    (group / "pam" / "answers.pdf").write_bytes(b"%PDF-1.4")
    assert labkit("grade", group, "--out", out).returncode == 0
    first = {path.name: path.read_bytes() for path in [*out.glob("*.*"), *(out / "students").iterdir()]}
    by_hand(out, f"bob,{LAB},midrange,,2,by mail,", f"pam,{LAB},spread,,3,read in the PDF,", f"ada,{LAB},,,,ill,yes")
    looked = labkit("grade", group, "--out", out, "--diff")
    assert "bob  01_spread  0 → 2 (+2): by hand: midrange 0 → 2: by mail" in looked.stdout, looked.stderr
    assert "pam  01_spread  new: 3" in looked.stdout and "6 → excused" in looked.stdout
    done = labkit("grade", group, "--out", out)
    assert done.returncode == 0 and "Points changed by hand: 3." in done.stdout
    raw = {(row["student"], row["lab"]): row for row in json.loads((out / "results.json").read_text())}
    assert raw["bob", LAB]["score"] == 0 and raw["pam", LAB]["status"] == "not_handed_in"
    report = (out / "report.html").read_text()
    assert report.count("changed by hand</td>") == 3
    assert "midrange 0 → 2: by mail" in report and ">excused</span>" in report
    for more in (["--resume"], ["--only", "pam"], *([["--no-cache"]] if LONG else [])):
        before = {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()}
        done = labkit("grade", group, "--out", out, *more)
        assert done.returncode == 0, done.stderr
        assert before == {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()}
    (out / "adjustments.csv").unlink()
    assert labkit("grade", group, "--out", out).returncode == 0
    assert first == {path.name: path.read_bytes() for path in [*out.glob("*.*"), *(out / "students").iterdir()]}
