"""Points are read from the tests, and changing only points runs nothing again."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from downloads import chosen

import labkit
from labkit.grade.batch import Settings, store, worker
from labkit.grade.batch.grade import grade_class
from labkit.grade.intake.submission import Submission
from labkit.grade.judge import points
from labkit.grade.judge.results import Check, Result
from labkit.student.model import project

LAB = "01_spread"
LABS = (LAB, "02_levels")


@pytest.fixture
def autograder(tmp_path, monkeypatch):
    """A copy of the autograder's tests that may be changed. `write` makes the change."""
    folder = shutil.copytree(
        project.current().autograder, tmp_path / "autograder", ignore=shutil.ignore_patterns("__pycache__")
    )
    monkeypatch.setattr(project, "_current", replace(project.current(), autograder=folder))
    forget()
    yield project.current().tests_of(LAB)
    forget()


def forget():
    store.lab_digest.cache_clear()
    store._of_all_labs.cache_clear()
    points.stated_in.cache_clear()


def change(path, before: str, after: str) -> None:
    source = path.read_text("utf-8")
    assert before in source
    path.write_text(source.replace(before, after, 1), "utf-8")
    forget()


MARKED = '@points(2, "midrange")\ndef test_midrange'


@pytest.fixture
def graded(tmp_path, handout, autograder):
    (tmp_path / "out").mkdir()
    for student in ("ada", "bob"):
        handout(LAB, solved=student == "ada").save(tmp_path / "class" / student / f"{LAB}.ipynb")
    submissions = chosen(tmp_path / "class")
    return lambda: list(grade_class(project.current(), submissions, tmp_path / "out", Settings(), lambda result: None))


def test_other_points_need_no_kernel(graded, autograder, monkeypatch):
    before = graded()
    assert [(each.score, each.max_score) for each in before] == [(6, 6), (0, 6)]
    change(autograder, MARKED, MARKED.replace("2", "4.5"))
    monkeypatch.setattr(worker, "start", lambda *_: pytest.fail("grading with other points started a worker"))
    after = graded()
    assert [(each.score, each.max_score) for each in after] == [(8.5, 8.5), (0, 8.5)]
    assert [each.checks for each in after] == [each.checks for each in before]


def test_a_case_of_a_test_is_worth_what_the_test_is_and_other_checks_are_worth_nothing(autograder):
    change(autograder, '@points(1, "by_hand")', '@points(0.5, "by_hand")')
    names = ("by_hand", "by_hand[first case]", "reference_outputs", "nothing")
    checks = [Check("by_hand", name, "passed") for name in names] + [Check("midrange", "by_hand", "passed")]
    assert [Result.of(project.current(), Submission("ada", LAB), "graded").points(check) for check in checks] == [
        0.5,
        0.5,
        0,
        0,
        0,
    ]
    assert Result.of(project.current(), Submission("ada", "week3"), "not_a_lab", checks=checks).max_score == 0


@pytest.mark.parametrize(
    ("before", "after", "runs_again"),
    [
        ("for _ in range(3):", "for _ in range(2):", True),
        ('@points(1, "by_hand")', '@points(1, "midrange")', True),
        ("def test_by_hand(", "def test_by_hand_again(", True),
        ("points = ", "# worth a remark\npoints = ", False),
    ],
)
def test_any_change_but_points_and_comments_runs_them_again(autograder, before, after, runs_again):
    known = store.lab_digest(project.current(), LAB)
    change(autograder, before, after)
    assert (store.lab_digest(project.current(), LAB) != known) == runs_again


def test_a_test_of_another_lab_changes_nothing_here_and_a_package_does(autograder, monkeypatch):
    first = {lab: store.lab_digest(project.current(), lab) for lab in LABS}
    other = project.current().tests_of("02_levels")
    change(other, "def numbers", "def test_of_my_own(answer):\n    pass\n\n\ndef numbers")
    then = {lab: store.lab_digest(project.current(), lab) for lab in LABS}
    assert [lab for lab in LABS if then[lab] != first[lab]] == ["02_levels"]
    change(autograder.with_name("reference.py"), '"""', '"""Changed. ')
    assert [lab for lab in LABS if store.lab_digest(project.current(), lab) != then[lab]] == ["01_spread"]
    change(autograder.parents[1] / "__init__.py", "", "import os\n")
    monkeypatch.setattr(store, "installed", lambda: ["scipy-1.0.dist-info"])
    assert not {store.lab_digest(project.current(), lab) for lab in LABS} & {*first.values(), *then.values()}


def digests() -> dict[str, str]:
    forget()
    return {lab: store.lab_digest(project.current(), lab) for lab in LABS}


def test_changed_data_run_their_lab_again_and_changed_samples_run_nothing(autograder):
    folder, known = autograder.parent, digests()
    (folder / "samples").mkdir()
    (folder / "samples/spread.py").write_text("ANSWERS = []\n")
    (folder / "samples/values.csv").write_text("1, 2\n")
    (folder.parent / "samples.py").write_text("SAMPLES = []\n")
    assert digests() == known
    (folder / "values.csv").write_text("1, 2\n")
    then = digests()
    assert [lab for lab in LABS if then[lab] != known[lab]] == ["01_spread"]
    (folder.parent / "shared.csv").write_text("1, 2\n")
    assert not {*digests().values()} & {*then.values()}


def test_a_change_in_shared_or_imported_lab_files_runs_a_lab_again(autograder):
    shared, other = autograder.parents[1] / "shared.py", project.current().reference_of("02_levels")
    shared.write_text("LIMIT = 1\n")
    change(
        autograder,
        "from . import reference",
        "from .. import shared\nfrom ..levels.reference import levels\nfrom . import reference",
    )
    for path in (shared, other):
        known = digests()
        path.write_text(path.read_text("utf-8") + "\nADDED = 1\n", "utf-8")
        assert digests()[LAB] != known[LAB]


def test_packages_are_known_by_their_versions():
    import numpy

    assert f"numpy-{numpy.__version__}.dist-info" in store.installed()


def test_rooms_that_use_outcomes_are_in_no_cache_key():
    """Changing a page or the late policy runs no submission again."""
    own = Path(labkit.__file__).parent
    files = {path.relative_to(own).as_posix() for path in store.grader()}
    assert {"/".join(file.split("/")[:2]) for file in files} > {
        "grade/batch", "student/judging", "grade/kernel", "grade/intake", "author/source",
    }  # fmt: skip
    assert not [file for file in files if file.startswith(("desk/", "author/release/", "author/site/", "cli/"))]
