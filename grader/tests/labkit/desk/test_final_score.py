"""A submission's final score: raw, with manual points, and with a late penalty."""

import pytest

from labkit.desk.people.final_score import FinalScore, Reading
from labkit.grade.judge.judge import judge_file
from labkit.student.model import project

LAB = "01_spread"


@pytest.fixture
def result(handout, tmp_path):
    handout(LAB, solved=True).save(tmp_path / f"{LAB}.ipynb")
    return judge_file(project.current(), tmp_path / f"{LAB}.ipynb", "student")


def test_a_score_never_looks_complete_before_written_answers_are_read(result):
    waiting, read = FinalScore(result), FinalScore(result, readings={"robust": Reading(1, "yes, but why?")})
    [(exercise, points)] = result.written_points()
    assert exercise == "robust" and waiting.to_read == points > 0 == read.to_read
    assert waiting.score < waiting.max_score == read.max_score == result.max_score + points
    assert read.score == waiting.score + 1


def test_a_penalty_takes_no_more_than_there_is(result):
    assert FinalScore(result, penalty=1.5).final == result.score - 1.5
    assert FinalScore(result, penalty=100).final == 0
    assert FinalScore(result, penalty=1.5).score == result.score
