"""The course released for nbgrader and Gradescope, tested with the real nbgrader and in a folder laid out like Gradescope's."""

import csv
import json
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import peers
import pytest
from course_copy import CourseCopy
from desks import leave, result
from downloads import chosen
from handouts import Handout
from longer import LONG

from labkit.author.release import graders
from labkit.author.release.graders import copy_parts
from labkit.desk.lms.gradescope import as_a_download, gradescope_result, result_of
from labkit.desk.people import score_store
from labkit.grade.judge import in_kernel
from labkit.grade.judge.in_kernel import InKernelRun
from labkit.grade.judge.results import Check
from labkit.student.judging.finding import Finding, said
from labkit.student.judging.observation import Raised
from labkit.student.model import course, project
from labkit.student.model.course import Probe
from labkit.student.notebook import examine

LAB, NEXT = "01_spread", "02_levels"
WRONG = "def spread(values):\n    return float(np.max(values))"
OTHER_STYLE = "def spread(values):\n    if not len(values):\n        raise ValueError\n    return np.std(values)"


def by_labkit(labkit, folder: Path) -> dict[str, float]:
    done = labkit("grade", folder / "class", "--out", folder / "graded", "--lab", LAB)
    assert done.returncode == 0, done.stderr
    return {row["student"]: row["score"] for row in json.loads((folder / "graded/results.json").read_text("utf-8"))}


def fill(notebook: Path, answers: dict[str, str], folder: Path) -> None:
    """Save the notebook, with these answers, in a new folder."""
    filled = json.loads(notebook.read_text("utf-8"))
    for cell in filled["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    folder.mkdir(parents=True)
    (folder / notebook.name).write_text(json.dumps(filled), "utf-8")


@pytest.fixture
def real_nbgrader(monkeypatch, package_index) -> None:
    """nbgrader in an environment that reuses this one's packages, because installing all its dependencies takes minutes."""
    monkeypatch.setattr(peers, "ENVIRONMENTS", peers.ENVIRONMENTS / "tests")
    ours = sysconfig.get_path("purelib")
    (peers.begin("nbgrader") / "ours.pth").write_text(f"import site; site.addsitedir({ours!r})\n", "utf-8")
    with monkeypatch.context() as patched:
        patched.setenv("PIP_NO_COMPILE", "1")  # few of the installed files are used
        peers.install("nbgrader")


@pytest.mark.long("installs nbgrader and grades with it")
@pytest.mark.timeout(1200)
def test_nbgrader_hands_out_our_labs_and_gives_our_scores(tmp_path, labkit, real_nbgrader):
    done = labkit("release", "--to", "nbgrader", "--out", tmp_path, "--seed", "1", "--lab", "1")
    assert done.returncode == 0, done.stderr
    peers.run("nbgrader", ["nbgrader", "generate_assignment", LAB], tmp_path)
    released = tmp_path / "release" / LAB / f"{LAB}.ipynb"
    handed_out, ours = json.loads(released.read_text("utf-8"))["cells"], Handout(LAB).cells
    tests = handed_out[len(ours) :]
    assert [(cell["id"], cell["source"]) for cell in handed_out[: len(ours)]] == [
        (cell["id"], cell["source"]) for cell in ours
    ]
    assert sum(cell["metadata"]["nbgrader"]["points"] for cell in tests) == 6
    assert all(len(cell["source"]) == 1 and cell["source"][0].startswith("# ") for cell in tests)

    solved = {cell["id"]: cell["source"] for cell in Handout(LAB, solved=True).cells}
    asked = [exercise.name for exercise in course.current().labs[LAB].exercises]
    right = {name: solved[name] for name in asked}
    answers = {"ada": {**right, "spread": OTHER_STYLE}, "bob": {**right, "spread": WRONG}, "cleo": {}}
    for student, written in answers.items():
        fill(project.current().labs / f"{LAB}.ipynb", written, tmp_path / "class" / student)
        fill(released, written, tmp_path / "submitted" / student / LAB)
    peers.run("nbgrader", ["nbgrader", "autograde", LAB], tmp_path)
    peers.run("nbgrader", ["nbgrader", "export", "--to", "grades.csv"], tmp_path)
    with open(tmp_path / "grades.csv", newline="") as file:
        rows = [*csv.DictReader(file)]
    assert {row["max_score"] for row in rows} == {"8.0"}
    scores = by_labkit(labkit, tmp_path)
    assert {row["student_id"]: float(row["raw_score"]) for row in rows} == scores
    assert scores["ada"] == 6 > scores["bob"] > scores["cleo"] == 0


@pytest.fixture
def points_of(monkeypatch):
    """The text that a test cell prints and the value it returns for the answers in a namespace."""

    def ask(check: str, **namespace: object) -> float:
        monkeypatch.setitem(
            in_kernel._runs, LAB, InKernelRun(project.current(), course.current().labs[LAB], namespace, 1)
        )
        return in_kernel.points_of(LAB, check)

    return ask


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PYTEST_ADDOPTS", "--junitxml=x"),
        ("PYTEST_ADDOPTS", "--collect-only"),
        ("PYTEST_PLUGINS", "nothing_of_this_name"),
    ],
)
def test_a_test_cell_takes_nothing_from_the_environment(points_of, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert points_of("spread_of_drawn_values", spread=np.std) == 2
    assert os.environ[name] == value


def test_a_test_cell_gives_the_points_of_its_check_and_says_what_is_wrong(points_of, capsys):
    assert points_of("spread_of_drawn_values", spread=np.std) == 2
    assert capsys.readouterr().out == ""
    assert points_of("spread_of_drawn_values", spread=np.var) == 0
    told = capsys.readouterr()
    assert told.out.startswith("spread: ") and told.out.count("\n") == 1 and not told.err


def test_a_test_cell_prints_no_message_of_a_custom_test():
    for findings in ((said("13 for 17.5"),), (Finding("check-failed", {"error": "E", "message": "17.5"}),), ()):
        assert in_kernel._reason([Check("spread", "x", "failed", findings)]) == ""
    assert in_kernel._reason([Check("spread", "x", "missing", (Finding("unwritten"),))]) != "" == in_kernel._reason([])


def test_an_endless_answer_is_called_once_and_an_endless_test_earns_nothing(points_of, monkeypatch):
    monkeypatch.setattr(examine, "SECONDS", 0.2)
    calls = []

    def endless(values):
        calls.append(values)
        while True:
            pass

    run = InKernelRun(course.current(), course.current().labs[LAB], {"spread": endless})
    answers = [run.ask(course.current().exercises["spread"], Probe(((1.0, 2.0),))) for _ in range(3)]
    assert len(calls) == 1 and {isinstance(each, Raised) and each.error for each in answers} == {"TimedOut"}

    def interrupted(values):
        raise KeyboardInterrupt

    assert points_of("spread_of_drawn_values", spread=interrupted) == 0


def test_rewriting_a_tree_replaces_only_our_files(tmp_path):
    graders.may_be_written(tmp_path)
    for seed in (1, 2):
        graders.write_tree(project.current(), [], seed, tmp_path)
        graders.may_be_written(tmp_path)
        assert f'"LABKIT_SEED"] = str({seed})' in (tmp_path / "nbgrader_config.py").read_text()
        assert not (tmp_path / "course" / "stale").exists()
        (tmp_path / "submitted").mkdir(exist_ok=True)
        (tmp_path / "course" / "stale").touch()
    assert {path.name for path in tmp_path.iterdir()} == {"nbgrader_config.py", "course", "source", "submitted"}


def test_a_release_has_what_grading_needs_and_no_samples(tmp_path, monkeypatch):
    copy = CourseCopy(tmp_path / "course")
    (copy / "tests/autograder/spread/samples").mkdir()
    (copy / "tests/autograder/spread/samples/spread.py").write_text("ANSWERS = []\n")
    (copy / "tests/autograder/spread/values.csv").write_text("1, 2\n")
    monkeypatch.setattr(project, "_current", project.read(copy.folder))
    copy_parts(project.current(), tmp_path / "released")
    tests = tmp_path / "released/tests/autograder"
    assert sorted(path.name for path in (tests / "spread").iterdir()) == [
        *("__init__.py", "reference.py", "test_submission.py", "values.csv")
    ]
    assert (tests / "__init__.py").exists() and (tests / "levels/test_submission.py").exists()


def test_wrong_use_is_one_line_and_nothing_is_written(tmp_path, labkit):
    (tmp_path / "file").touch()
    (tmp_path / "theirs" / "source").mkdir(parents=True)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    for words, says in (
        (["--out", tmp_path / "file"], "a file with this name already exists"),
        (["--out", tmp_path / "theirs", "--to", "nbgrader"], "source was not written by `labkit release`"),
        (["--out", tmp_path / "new", "--lab", "9"], "there is no lab '9'"),
        (["--out", tmp_path / "new", "--to", "nbgrader", "--allow-unsandboxed"], "takes no --allow-unsandboxed"),
        (["--out", tmp_path / "new", "--to", "otter"], "'otter' is not one of"),
        (["--out", tmp_path / "file", "--to", "gradescope"], "a file with this name already exists"),
    ):
        done = labkit("release", *words)
        assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.fixture(scope="module")
def autograder(tmp_path_factory, labkit):
    """A folder laid out like Gradescope's /autograder before a submission. Other users may enter it.

    The long tests run setup.sh to install the packages; the others use the packages of this environment.
    """
    out = tmp_path_factory.mktemp("zips")
    done = labkit("release", "--to", "gradescope", "--out", out, "--lab", "1", "--seed", "1")
    assert done.returncode == 0, done.stderr
    with tempfile.TemporaryDirectory(prefix="lk-autograder-", dir="/tmp") as place:
        root = Path(place)
        root.chmod(0o755)
        for name in ("source", "results", "submission"):
            (root / name).mkdir()
        with zipfile.ZipFile(out / f"{LAB}.zip") as archive:
            for info in archive.infolist():
                Path(archive.extract(info, root / "source")).chmod(info.external_attr >> 16)
        assert {stat.S_IMODE((root / "source" / name).stat().st_mode) for name in SCRIPTS} == {0o755}
        shutil.copy(root / "source" / "run_autograder", root)
        if LONG:
            subprocess.run([root / "source" / "setup.sh"], check=True, timeout=900, env=plain_environment())
        else:
            (root / "source" / "env").symlink_to(sys.prefix)
        yield root


SCRIPTS = ("setup.sh", "run_autograder")
METADATA = {
    "created_at": "2026-03-01T12:00:00.365935-08:00",
    "users": [{"email": "ada@uni.example", "id": 1, "name": 'Ada "Countess" Lovelace'}],
}


def plain_environment() -> dict[str, str]:
    """An environment without any path to this course or this checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LABKIT", "PYTEST"))}


def submitted(root: Path, content: bytes, name: str = f"{LAB}.ipynb") -> None:
    """Put a submission in the folder. It is emptied first, as Gradescope's container is always new."""
    for folder in ("submission", "results"):
        shutil.rmtree(root / folder)
        (root / folder).mkdir()
    (root / "submission_metadata.json").write_text(json.dumps(METADATA))
    (root / "submission" / name).write_bytes(content)


def graded(root: Path, content: bytes, name: str = f"{LAB}.ipynb", **more: str) -> subprocess.CompletedProcess:
    submitted(root, content, name)
    command, surroundings = [root / "run_autograder"], {**plain_environment(), **more}
    return subprocess.run(command, cwd="/", env=surroundings, capture_output=True, text=True, timeout=240)


def found_in(root: Path) -> dict:
    return json.loads((root / "results" / "results.json").read_text("utf-8"))


@pytest.mark.timeout(1200)
def test_gradescopes_autograder_says_what_labkit_grade_says(autograder, tmp_path, labkit):
    class_of_one = {"wrong": Handout(LAB, solved=True).write("spread", WRONG).as_bytes()}
    if LONG:
        class_of_one |= {"right": Handout(LAB, solved=True).as_bytes(), "broken": b"Dear teacher,"}
    for student, content in class_of_one.items():
        path = tmp_path / "class" / student / f"{LAB}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
    by_labkit(labkit, tmp_path)
    run, rows = score_store.read(tmp_path / "graded")
    expected = {row.student: gradescope_result(row, run) for row in rows}
    scores = {}
    for student, content in class_of_one.items():
        done = graded(autograder, content)
        assert done.returncode == 0, done.stderr
        found = found_in(autograder)
        for each in (found, expected[student]):
            each["extra_data"].pop("run")  # from other files, so their digests differ
        assert found == expected[student]
        scores[student] = found["score"]
    assert scores["wrong"] == 3 and (not LONG or (scores["right"], scores["broken"]) == (6, 0))


def test_the_result_names_a_notebook_for_another_lab(tmp_path):
    leave(tmp_path, [result(lab=NEXT)])
    found = result_of(project.current().course, LAB, *score_store.read(tmp_path))
    assert found["score"] == 0 and found["output"] == f"This notebook is for {NEXT}, but this assignment is for {LAB}."


def test_student_and_submission_time_come_from_gradescope(autograder, tmp_path, monkeypatch):
    submitted(autograder, Handout(LAB).as_bytes())
    monkeypatch.chdir(autograder)
    as_a_download(tmp_path / "class")
    (entry,) = chosen(tmp_path / "class", out=tmp_path / "out")
    assert (entry.student, entry.by, entry.submitted) == ("ada@uni.example", "gradescope", 1772395200.365935)


def test_a_submission_that_cannot_be_graded_gets_no_result(autograder):
    test = autograder / "source/course/tests/autograder/spread/test_submission.py"
    kept = test.read_bytes()
    try:
        test.write_text("def broken(")
        done = graded(autograder, Handout(LAB).as_bytes())
    finally:
        test.write_bytes(kept)
    assert done.returncode == 2 and "broken" in done.stderr or "was never closed" in done.stderr
    assert not list((autograder / "results").iterdir())


def test_without_isolation_it_refuses_to_grade_unless_the_release_allows_it(autograder, tmp_path, labkit):
    done = graded(autograder, Handout(LAB).as_bytes(), LABKIT_LAYER="limits")
    assert done.returncode == 2 and "--allow-unsandboxed" in done.stderr
    assert not list((autograder / "results").iterdir())
    done = labkit("release", "--to", "gradescope", "--out", tmp_path, "--lab", "1", "--allow-unsandboxed")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / f"{LAB}.zip") as archive:
        assert archive.read("run_autograder").decode().rstrip().endswith(" --allow-unsandboxed")


def test_the_zip_names_what_the_course_requires(tmp_path):
    copy = CourseCopy(tmp_path / "copy")
    (copy / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["nblabkit==0.1.0", "numpy>=2,<3"]\n')
    done = copy.labkit("release", "--to", "gradescope", "--out", tmp_path / "out", "--lab", "1", "--seed", "1")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "out" / f"{LAB}.zip") as archive:
        assert archive.read("requirements.txt") == b"numpy>=2,<3\n"
        assert "--requirement requirements.txt" in archive.read("setup.sh").decode()
    (copy / "pyproject.toml").write_text("[project")
    done = copy.labkit("release", "--to", "gradescope", "--out", tmp_path / "out", "--lab", "1", "--seed", "1")
    assert (
        done.returncode == 2
        and "pyproject.toml: Expected ']' at the end" in done.stderr
        and done.stderr.count("\n") == 1
    )


def test_the_wheel_holds_labkit_and_what_it_needs(autograder, tmp_path, run_command, python_with_pip):
    (wheel,) = (autograder / "source").glob("*.whl")
    pip = [python_with_pip, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", tmp_path, wheel]
    done = run_command(*pip)
    assert done.returncode == 0, done.stderr
    (info,) = tmp_path.glob("*.dist-info")
    assert "extra == 'grade'" in (info / "METADATA").read_text("utf-8").replace('"', "'")
    usual = {**plain_environment(), "PYTHONPATH": str(tmp_path)}
    done = run_command(sys.executable, "-m", "labkit", "new", tmp_path / "made", env=usual)
    assert done.returncode == 0 and (tmp_path / "made" / "labkit.toml").exists(), done.stderr
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} >= {"labkit"}
    assert not (tmp_path / course.current().package).exists()
