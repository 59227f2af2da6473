"""The student's figure next to the expected one: drawn in a process with nothing to steal, and shown only to that student."""

import base64
import io
import re

import numpy as np
import pytest
from handouts import Handout
from PIL import Image

from labkit.desk.pages.students import StudentPages
from labkit.desk.people.final_score import FinalScore
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.judge import judge_file
from labkit.grade.judge.results import Check, Result
from labkit.student.calls import calling
from labkit.student.calls.calling import PICTURE, PIXELS, received
from labkit.student.judging.observation import Raised
from labkit.student.model import project
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Exercise, Probe

LAB, FIGURE = "02_levels", "draw_levels"
WRONG = "def draw_levels(values, ax):\n    ax.plot(values[::-1])\n"
ASKED = Exercise(FIGURE, kind=PICTURE), Probe()


@pytest.fixture
def result_of(handout, tmp_path):
    def made(source: str, student: str = "ada", **budgets) -> Result:
        path = handout(LAB, solved=True).write(FIGURE, source).save(tmp_path / f"{LAB}.ipynb")
        return judge_file(project.current(), path, student, 1, Budgets(**budgets))

    return made


@pytest.fixture(scope="module")
def plain(on_the_tiny_course, tmp_path_factory) -> Result:
    path = Handout(LAB, solved=True).write(FIGURE, WRONG).save(tmp_path_factory.mktemp("plain") / f"{LAB}.ipynb")
    return judge_file(project.current(), path, "ada", 1, Budgets())


def pixels(png: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB"))


def test_a_figure_that_lost_points_is_drawn_and_one_that_is_right_is_not(plain, handout, tmp_path):
    result = plain
    (png,) = result.pictures.values()
    shown = pixels(png)
    assert shown.shape == PIXELS and len(np.unique(shown.reshape(-1, 3), axis=0)) > 10
    right = judge_file(project.current(), handout(LAB, solved=True).save(tmp_path / "right.ipynb"), "ada", 1)
    assert right.score == right.max_score and right.pictures == {}
    assert Result.from_stored(project.current(), result.stored(), result.submission).pictures == result.pictures


def test_all_figures_of_the_solution_are_drawn(tmp_path):
    """The solution's figures are all drawn, because students' pages show them as expected figures."""
    path = project.current().solutions / f"{LAB}.ipynb"
    solution = judge_file(project.current(), path, "ada", 1)
    assert [*solution.pictures] == [FIGURE] and pixels(solution.pictures[FIGURE]).shape == PIXELS


@pytest.mark.parametrize(
    "more",
    [
        "    ax.figure.set_size_inches(900, 900)\n",
        "    ax.figure.dpi = 10_000\n",
        "    ax.set_facecolor('k')\n    ax.figure.set_size_inches = lambda *_: None\n",
        "    ax.figure.draw = lambda *_: 1 / 0\n",
        "    ax.figure.draw = lambda *_: __import__('os')._exit(0)\n",
        "    ax.figure.draw = lambda *_: __import__('time').sleep(60)\n",
    ],
)
def test_drawing_costs_no_more_points_than_were_lost(result_of, plain, more):
    other = result_of(WRONG + more, cell_seconds=2)
    assert (other.status, other.checks) == (plain.status, plain.checks)
    assert all(pixels(png).shape == PIXELS for png in other.pictures.values())


@pytest.mark.parametrize(
    "sent",
    [
        np.zeros(PIXELS),
        np.zeros((1, *PIXELS[1:]), np.uint8),
        np.zeros((*PIXELS[:2], 4), np.uint8),
        "\x89PNG",
        [0],
        None,
    ],
)
def test_values_that_are_not_pictures_give_none(sent):
    assert isinstance(received(*ASKED, sent), Raised)
    assert received(*ASKED, np.zeros(PIXELS, np.uint8)).shape == PIXELS


def test_a_picture_is_as_large_as_it_is_asked_for():
    drawn = calling.KINDS[PICTURE].call(
        lambda values, ax: ax.figure.set_size_inches(50, 2) or ax.plot(values), ([1, 2],)
    )
    assert drawn.shape == PIXELS and drawn.dtype == np.uint8


def test_the_page_shows_both_with_words_and_nothing_else_may_be_fetched(tmp_path):
    lost = Check(FIGURE, "line", "failed"), Check("band", "width", "passed")
    result = Result.of(project.current(), Submission("ada", LAB), "graded", checks=lost, pictures={FIGURE: "AAAA"})
    own = StudentPages(project.current(), tmp_path, target=lambda lab, exercise: {(LAB, FIGURE): "BBBB"}[lab, exercise])
    own.add(FinalScore(result))
    page = (own.finish() / "ada.html").read_text("utf-8")
    images = re.findall(r'<img src="data:image/png;base64,(\w+)" alt="([^"]+)"', page)
    assert [png for png, _ in images] == ["AAAA", "BBBB"] and all(f"{FIGURE}(" in words for _, words in images)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1]
    assert policy.startswith("default-src &#39;none&#39;") and "img-src data:;" in policy
