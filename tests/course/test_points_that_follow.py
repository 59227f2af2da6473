"""A right answer that calls a wrong earlier one keeps its points. Tested on this course's labs in real kernels."""

from __future__ import annotations

import pytest
from handouts import Handout
from longer import every

from labkit.grade.judge.judge import judge_file
from labkit.student.model import project

# For each exercise: its lab, a wrong answer, and the exercises whose solutions call it.
WRONG = {
    "frequencies": ("01_build_the_table", "lambda d: np.ones(d // 2)", ["sinusoidal_pe", "sinusoidal_pos"]),
    "shift_matrix": ("03_rotation_proof", "lambda offset, d: np.eye(d)", ["which_mistakes_survive"]),
    "closed_form": ("04_dot_product_decay", "lambda offsets, d: np.ones(len(offsets))", ["landmarks"]),
    "wavelengths": ("05_base_sweep", "lambda d, base: np.ones(d // 2)", ["decode", "sweep", "draw_sweep"]),
    "float32_error": ("07_precision_and_cost", "lambda positions, d: np.zeros(3)", ["first_bad_position"]),
}


def lost(result, exercise: str) -> float:
    return sum(result.max_points(check) - result.points(check) for check in result.of_exercise(exercise))


@pytest.mark.parametrize("name", WRONG)
def test_the_solutions_other_answers_keep_their_points(name, tmp_path):
    lab, wrong, using = WRONG[name]
    path = Handout(lab, solved=True).write(name, f"{name} = {wrong}").save(tmp_path / f"{lab}.ipynb")
    result = judge_file(project.current(), path, "ada", 1)
    assert lost(result, name) > 0
    assert {each: lost(result, each) for each in using} == dict.fromkeys(using, 0)


OFFSETS = ["np.arange(10_001)", "np.arange(1, 4_000)", "np.arange(3_500, dtype=np.float32)", "list(range(3_500))"]


@pytest.mark.parametrize("offsets", every(3, OFFSETS))
def test_a_search_may_ask_for_other_offsets_than_the_solution(offsets, tmp_path):
    """Grading can supply right values even if a search asks for offsets that the solution does not, or in another dtype."""
    lab, wrong, _ = WRONG["closed_form"]
    search = f"""def landmarks(d):
    offsets = np.asarray({offsets})
    values = closed_form({offsets}, d)
    first = np.flatnonzero(values <= 0)[0]
    rises = np.flatnonzero(np.diff(values) > 0)[0]
    return int(offsets[rises]), int(offsets[first])"""
    copy = Handout(lab, solved=True).write("closed_form", f"closed_form = {wrong}").write("landmarks", search)
    assert lost(judge_file(project.current(), copy.save(tmp_path / f"{lab}.ipynb"), "ada", 1), "landmarks") == 0
