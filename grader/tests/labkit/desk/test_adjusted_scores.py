"""Adjustments appear wherever a score is shown, and disappear without a trace when they are removed."""

import csv
import json
import re
import shutil
from dataclasses import replace

import pytest
from desks import LAB, NEXT, absent, by_hand, leave, refused, result, submitted
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from longer import LONG

from labkit.desk.lms import gradebooks
from labkit.desk.lms.gradebooks import fill_canvas, fill_moodle
from labkit.desk.lms.gradescope import gradescope_result
from labkit.desk.pages.feedback import feedback, lines_of
from labkit.desk.pages.report import Tally
from labkit.desk.pages.students import SPOKEN, as_markdown
from labkit.desk.people import adjustments, score_store
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.score_store import changes
from labkit.student.model import project

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
    for final_score in adjustments.with_adjustments(project.current().course, map(FinalScore, class_of_three()), lines):
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
        (final_score,) = adjustments.with_adjustments(project.current().course, [FinalScore(own)], lines)
        told = feedback(final_score)
        part = next(part for part in told.parts if part.exercise == "midrange")
        assert part.state == "adjusted" and part.points == 1 and part.adjusted[0].startswith(exercise)
        assert any(lab in note and "copied {before}" in note for note in told.notes())
        text = as_markdown([told], (), "en")
        assert exercise in text and "&lt;b>check" in text and "\\*too\\*" in text
    by_hand(tmp_path, f"ada,{LAB},,,,ill,yes")
    lines = adjustments.read(project.current(), tmp_path / adjustments.NAME)
    (final_score,) = adjustments.with_adjustments(project.current().course, [FinalScore(result())], lines)
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
