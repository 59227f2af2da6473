"""The numbers on the class report: points for each exercise, discrimination as in test theory, and sections."""

import re
import statistics
from dataclasses import replace
from html import unescape

import pytest
from desks import LAB, NEXT, absent, result
from graded_pages import report_of
from hypothesis import given
from hypothesis import strategies as st

from labkit.desk.pages.feedback import feedback
from labkit.desk.pages.statistics import ENOUGH, Scores, Statistics, item_rest_correlation
from labkit.desk.pages.students import StudentPages, as_markdown
from labkit.desk.people.final_score import Adjustment, FinalScore, Mark, Person
from labkit.grade.intake.submission import Submission
from labkit.grade.judge import points
from labkit.grade.judge.results import Check, Result
from labkit.student.judging.finding import Finding
from labkit.student.model import project

UNWRITTEN = Check("robust", "rubric", "missing", (Finding("unwritten"),))
MOST = {(LAB, "spread"): 3.0, (LAB, "midrange"): 2.0, (LAB, "robust"): 2.0}
POINTS = st.sampled_from([0.0, 0.5, 1.0, 2.0, 5.0])
TABLES = st.integers(2, 5).flatmap(
    lambda width: st.lists(st.lists(POINTS, min_size=width, max_size=width), min_size=2, max_size=40)
)


@given(TABLES)
def test_discrimination_is_the_correlation_with_the_rest(table):
    """The value is undefined if the item or the rest is constant. Otherwise it is between -1 and 1."""
    for number in range(len(table[0])):
        found = item_rest_correlation(table, number)
        item = [row[number] for row in table]
        rest = [sum(row) - row[number] for row in table]
        if len({*item}) == 1 or len({*rest}) == 1:
            assert found is None
        else:
            assert abs(found) <= 1 + 1e-9 and found == pytest.approx(statistics.correlation(item, rest), abs=1e-9)


def test_rounding_is_no_discrimination():
    """The rest of the points is 0.1 + 0.2 or 0.3. They differ in the last bit, but count as equal."""
    table = [[1.0, 0.1, 0.2, 0.0], [0.0, 0.3, 0.0, 0.0], [1.0, 0.0, 0.3, 0.0]]
    assert item_rest_correlation(table, 0) is None


@pytest.mark.parametrize("table", [[[1.0, 2.0]], [[1.0], [2.0]]])
def test_one_submission_or_one_exercise_has_no_discrimination(table):
    assert item_rest_correlation(table, 0) is None


def heard(*final_scores: FinalScore) -> Statistics:
    own = Statistics(project.current().course)
    for each in final_scores:
        own.add(each)
    return own


def passing(student: str, *passed: str) -> Result:
    """Lab 01 with these checks passed and the written answer left empty."""
    named = ("spread", "spread_as_in_the_lab"), ("spread", "spread_of_drawn_values"), ("midrange", "midrange")
    checks = [Check(exercise, name, "passed" if name in passed else "failed") for exercise, name in named]
    whose = Submission(student, LAB, file=f"{student}.ipynb", digest=student)
    return Result.of(project.current(), whose, "graded", None, 1, (*checks, UNWRITTEN))


def class_of(number: int) -> list[FinalScore]:
    """A class in which a third passes everything, a third passes one check of spread, and a third passes nothing."""
    names = ("spread_as_in_the_lab", "spread_of_drawn_values", "midrange")
    return [FinalScore(passing(f"s{each:03}", *(names, names[:1], ())[each % 3])) for each in range(number)]


def test_points_of_an_exercise_are_full_partial_or_none():
    spread, midrange, _ = heard(*class_of(9)).items(MOST)
    assert (spread.exercise, spread.points.full, spread.points.none) == ("spread", 3, 3)
    assert (midrange.exercise, midrange.points.full, midrange.points.none) == ("midrange", 3, 6)
    assert [bar.count for bar in midrange.points.bars()] == [6, 0, 3]


def test_discrimination_is_shown_from_a_stated_number_on():
    few, enough = (heard(*class_of(number)).items(MOST) for number in (ENOUGH - 1, ENOUGH))
    assert {each.discrimination for each in few} == {None}
    found = {each.exercise: each.discrimination for each in enough}
    assert found["spread"] > 0.8 and found["midrange"] == pytest.approx(found["spread"])
    assert found["robust"] is None, "no discrimination can be computed if all students have the same points"


def test_an_exercise_that_awaits_grading_is_in_no_discrimination():
    waiting = replace(
        class_of(1)[0].result, checks=(*class_of(1)[0].result.checks[:-1], Check("robust", "rubric", "manual"))
    )
    found = {each.exercise: each for each in heard(*class_of(ENOUGH), FinalScore(waiting)).items(MOST)}
    assert found["robust"].waiting == 1 and found["robust"].discrimination is None
    assert len(found["robust"].points.scores) == ENOUGH and found["spread"].discrimination is not None
    read = FinalScore(waiting, readings={"robust": Mark(2)})
    found = {each.exercise: each for each in heard(*class_of(ENOUGH), read).items(MOST)}
    assert found["robust"].waiting == 0 and found["robust"].discrimination > 0


def test_points_changed_by_hand_count_in_the_spread():
    changed = FinalScore(passing("ada"), given=(Adjustment("midrange", "oral", set=2),))
    found = {each.exercise: each for each in heard(changed).items(MOST)}
    assert found["midrange"].points.full == 1 and found["spread"].points.none == 1
    assert changed.by_exercise == {"spread": 0, "midrange": 2, "robust": 0}


def test_a_group_counts_once_in_exercises_and_each_member_in_the_section():
    people = [Person(student, section="A", group="Alpha") for student in ("ada", "bob")]
    members = [FinalScore(passing(each.id), each) for each in people]
    own = heard(*members, FinalScore(passing("eve"), Person("eve", section="B")))
    assert {len(each.points.scores) for each in own.items(MOST)} == {2}
    assert [(name, each.statuses.total()) for _, name, each in own.sections()] == [("A", 2), ("B", 1)]


def test_sections_have_students_submissions_and_scores():
    a, b = (Person(name, section=name) for name in "ab")
    own = heard(
        FinalScore(passing("1", "midrange"), a),
        FinalScore(passing("2"), a),
        FinalScore(passing("3", "midrange", "spread_as_in_the_lab", "spread_of_drawn_values"), a),
        FinalScore(absent("4"), a),
        FinalScore(absent("5"), b),
        FinalScore(result("6", NEXT)),
    )
    told = [(lab, name, each.statuses.total(), each.submitted, each.scores) for lab, name, each in own.sections()]
    assert told == [(LAB, "a", 4, 3, [2, 0, 5]), (LAB, "b", 1, 0, []), (NEXT, "", 1, 1, [2])]
    assert heard(FinalScore(passing("1"))).sections() == []


def cells(page: str, head: str) -> list[list[str]]:
    """The texts in the rows of a table, by the id of the heading above the table."""
    part = page[page.index(f'id="{head}-head"') :]
    part = part[: part.index("</section>")]
    found = [re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL) for row in part.split("<tr>")[2:]]
    return [[" ".join(unescape(re.sub("<[^>]*>", " ", cell)).split()) for cell in row] for row in found]


def test_the_page_shows_the_statistics(tmp_path):
    everyone = [replace(each, person=Person(each.result.student, section="A")) for each in class_of(ENOUGH)]
    page = report_of(tmp_path, *everyone)
    assert cells(page, "sections") == [["01 · Spread", "A", "30", "30", "2", "1", "7"]]
    rows = {row[1].split()[-1]: row for row in cells(page, "items")}
    assert rows["spread"][3:7] == ["3", "33 %", "33 %", "33 %"] and float(rows["spread"][7]) > 0.8
    assert rows["robust"][7] == "–" and f"once a lab has {ENOUGH} graded submissions" in page
    assert 'aria-label="20 with 0, 0 with 1, 10 with 2 points"' in page


def test_without_sections_and_with_few_submissions_the_page_says_so(tmp_path):
    page = report_of(tmp_path, *class_of(3))
    assert "grade with a roster that has the column <code>section</code>" in page
    assert {row[7] for row in cells(page, "items")} == {"–"}
    assert "No submission was graded in full." in report_of(tmp_path)


@pytest.mark.parametrize(
    "scores, most, counts",
    [
        ([0, 1.5, 3, 3], 3, [1, 1, 0, 2]),
        ([0, 39, 40], 40, [1] + [0] * 12 + [2]),
        ([2.5], 2.5, [0, 0, 1]),
        ([0, 0], 0, [2]),
        ([-1, 9], 4, [1, 0, 0, 0, 1]),
    ],
)
def test_every_score_is_in_one_bar(scores, most, counts):
    bars = Scores(scores, most).bars()
    assert [bar.count for bar in bars] == counts and bars[0].low == 0 and bars[-1].high == most


def test_the_distribution_of_a_lab_is_also_in_words(tmp_path):
    page = report_of(tmp_path, *class_of(6))
    assert "Median 1 of 7; the middle half is between 0.25 and 4. Full scores: 0 of 6. Scores of 0: 2." in page
    assert "<p>Median 5 of 7. Full scores: 0 of 1. Scores of 0: 0.</p>" in report_of(tmp_path, *class_of(1))


def exercise_row(page: str, exercise: str) -> list[str]:
    return next(row for row in cells(page, "exercises") if row[1].split()[-1] == exercise)


def answering(*answers: str) -> list[FinalScore]:
    """A class in which each student's written answer is ungraded, missing, or graded with 2 points."""
    made = []
    for number, answer in enumerate(answers):
        own = result(f"s{number:02}")
        if answer == "missing":
            own = replace(own, checks=(*own.checks[:-1], UNWRITTEN))
        made.append(FinalScore(own, readings={"robust": Mark(2)} if answer == "read" else {}))
    return made


@pytest.mark.parametrize(
    ("answers", "cells"),
    [
        (("waits",) * 37 + ("missing",) * 2, ["– 37 awaiting grading", "2", "–", "2", "37"]),
        (("waits", "read", "missing"), ["– 1 awaiting grading", "2", "–", "1", "1"]),
        (("read", "missing"), ["1", "2", "50 %", "1", "0"]),
    ],
)
def test_answers_that_await_grading_have_no_mean(tmp_path, answers, cells):
    page = report_of(tmp_path, *answering(*answers))
    assert exercise_row(page, "robust") == ["01 · Spread", "One value too large robust", *cells]
    assert exercise_row(page, "spread") == ["01 · Spread", "The spread spread", "3", "3", "100 %", "0", "0"]


@pytest.fixture
def no_points(monkeypatch):
    """An exercise with checks that give no points."""
    stated = points.points_by_check
    free = {"spread_as_in_the_lab", "spread_of_drawn_values", "midrange"}

    def without(project, lab):
        of_lab = stated(project, lab)
        return {name: (0 if name in free else points, whose) for name, (points, whose) in of_lab.items()}

    monkeypatch.setattr(points, "points_by_check", without)


def test_an_exercise_without_points_shows_its_checks_passed(tmp_path, no_points):
    page = report_of(tmp_path, *answering("missing", "missing"))
    assert exercise_row(page, "spread")[2:5] == ["–", "–", "100 % pass all checks"]
    assert exercise_row(page, "midrange")[2:5] == ["–", "–", "0 % pass all checks"]


def test_a_student_reads_how_many_checks_of_an_exercise_without_points_pass(no_points):
    found = result().checks
    half = replace(found[1], outcome="failed", findings=(Finding("said", {"text": "off"}),))
    told = feedback(FinalScore(replace(result(), checks=(found[0], half, *found[2:]))))
    parts = {part.exercise: part for part in told.parts}
    assert [parts[name].state for name in ("spread", "midrange")] == ["partly", "wrong"]
    assert (parts["spread"].passed, parts["spread"].checks, parts["spread"].lost_checks) == (1, 2, True)
    text = as_markdown([told], (), "en")
    assert "**The spread**: partly right (1 of 2 checks passed)" in text and "0 of 0" not in text
    assert feedback(FinalScore(result())).parts[0].state == "right"


def test_a_missing_submission_is_one_line_on_the_students_page(tmp_path):
    pages = StudentPages(project.current(), tmp_path)
    pages.add(FinalScore(absent("ada")))
    pages.finish()
    page = (tmp_path / "students/ada.html").read_text("utf-8")
    assert "no submission for this lab" in page and "not written" not in page
    assert "not written" not in (tmp_path / "students/ada.md").read_text("utf-8")
