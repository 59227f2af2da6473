"""A comment in an LMS says one thing for each exercise, and the reason for a status once."""

from collections import Counter
from dataclasses import replace

import pytest
from desks import leave, refused, result, submitted

from labkit.desk.lms.gradescope import gradescope_result
from labkit.desk.pages.feedback import lines_of
from labkit.desk.people import score_store
from labkit.desk.people.final_score import FinalScore
from labkit.grade.judge.results import Check
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import title


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
