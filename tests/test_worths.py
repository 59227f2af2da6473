"""What checks are worth is read from the tests, and a change of points alone runs nothing again."""

import shutil

import pytest

from labkit import project
from labkit.course import labs
from labkit.grading import cache, worker, worths
from labkit.grading.discover import discover
from labkit.grading.grade import Settings, grade
from labkit.grading.judge import judge_file

LAB = "01_build_the_table"


@pytest.fixture
def autograder(tmp_path, monkeypatch):
    """A copy of the autograder's tests that may be changed; `write` is the moment of the change."""
    folder = shutil.copytree(project.AUTOGRADER, tmp_path / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(project, "AUTOGRADER", folder)
    forget()
    yield folder / f"test_{LAB}.py"
    forget()


def forget():
    cache.fingerprint.cache_clear()
    worths._worths_of.cache_clear()


def change(path, before: str, after: str) -> None:
    source = path.read_text("utf-8")
    assert before in source
    path.write_text(source.replace(before, after, 1), "utf-8")
    forget()


MARKED = '@points(2, "sinusoidal_pe")\ndef test_table_at_drawn_sizes'


@pytest.fixture
def graded(tmp_path, handout, autograder):
    for student in ("ada", "bob"):
        handout(LAB, solved=student == "ada").save(tmp_path / "class" / student / f"{LAB}.ipynb")
    entries = discover([tmp_path / "class"])
    return lambda: list(grade(entries, tmp_path / "out", Settings(), lambda result: None))


def test_other_points_need_no_kernel(graded, autograder, monkeypatch):
    before = graded()
    change(autograder, MARKED, MARKED.replace("2", "4.5"))
    monkeypatch.setattr(worker, "start", lambda *_: pytest.fail("something was run again"))
    after = graded()
    assert [(each.score, each.max_score) for each in before] == [(10, 10), (0, 10)]
    assert [(each.score, each.max_score) for each in after] == [(12.5, 12.5), (0, 12.5)]
    same = [[(check.name, check.outcome, check.message) for check in each.checks] for each in after]
    assert same == [[(check.name, check.outcome, check.message) for check in each.checks] for each in before]


@pytest.mark.parametrize("lab", labs())
def test_points_read_from_the_tests_are_those_that_judging_gives(lab):
    judged = judge_file(project.SOLUTIONS / f"{lab}.ipynb", "ada", 1)
    assert judged.score > 0 and worths.reworth(judged) == judged


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("for _ in range(3):", "for _ in range(2):"),
        ('@points(1, "by_hand")', '@points(1, "frequencies")'),
        ("def test_by_hand(", "def test_by_hand_again("),
    ],
)
def test_any_other_change_runs_them_again(autograder, before, after):
    fingerprint = cache.fingerprint()
    change(autograder, before, after)
    assert cache.fingerprint() != fingerprint


def test_comments_change_nothing(autograder):
    fingerprint = cache.fingerprint()
    change(autograder, "points = ", "# worth a remark\npoints = ")
    assert cache.fingerprint() == fingerprint


@pytest.mark.parametrize("lab", labs())
def test_every_test_of_the_autograder_has_its_points_read(lab):
    source = (project.AUTOGRADER / f"test_{lab}.py").read_text("utf-8")
    assert len(worths.worths(source)) == source.count("\ndef test_")
