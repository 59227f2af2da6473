"""Cells that students add to a solved lab cost no points. Tested on this course's labs in real kernels."""

from __future__ import annotations

import pytest
from handouts import Handout

from labkit.grade.judge.judge import judge_file
from labkit.student.model import project


def judged(lab: str, cell: str, folder, after: str | None = None):
    copy = Handout(lab, solved=True)
    copy.insert(cell, after=after or copy.cells[-1]["id"])
    return judge_file(project.current(), copy.save(folder / f"{lab}.ipynb"), "ada", 1)


@pytest.mark.parametrize("cell", ["np = 5", "frequencies = frequencies(8)\nby_hand = [0, 0]", "len = 3"])
def test_names_reused_at_the_end_of_lab_01(cell, tmp_path):
    result = judged("01_build_the_table", cell, tmp_path)
    assert (result.status, result.score) == ("graded", 11)


def test_exit_in_lab_06_gives_the_same_points_every_time(tmp_path):
    rows = [judged("06_order_for_attention", "exit", tmp_path, after="setup") for _ in range(5)]
    assert [(row.status, row.score) for row in rows] == [("graded", 11)] * 5
    assert all(row.stored() == rows[0].stored() for row in rows)


@pytest.mark.parametrize("backend", ["qt", "widget"])
def test_a_window_for_the_figures_of_lab_02(backend, tmp_path):
    copy = Handout("02_heatmap", solved=True)
    for cell in copy.cells:
        if cell["cell_type"] == "code" and "def " in "".join(cell["source"]):
            cell["source"] = f"%matplotlib {backend}\n" + "".join(cell["source"])
    result = judge_file(project.current(), copy.save(tmp_path / "02_heatmap.ipynb"), "ada", 1)
    assert (result.status, result.score) == ("graded", 10)
