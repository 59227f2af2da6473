"""The command line: correct use works, incorrect use prints a one-line error and exits with code 2, and less isolation needs consent."""

import json
import os
import sys

import pytest
from attacks.kinds import TINY, Cells
from attacks.tools import HAND_INS, RUNS
from needs import needs

from labkit.grade.sandbox.confine import CHOICE, available_layers
from labkit.student.model import project

LAB = "01_spread"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["grade", "nowhere", "--out", "out"], "nowhere: no such file or folder"),
        (["grade", "empty", "--out", "out"], "empty: no notebooks in this folder"),
        (["grade", "notes.txt", "--out", "out"], "notes.txt: expected a notebook"),
        (["grade", "class", "--out", "out", "--lab", "99"], "there is no lab '99'; the labs are 01_spread,"),
        (["grade", "class", "--out", "notes.txt"], "notes.txt: results cannot be written here"),
        (["grade", "class", "--out", "notes.txt/below"], "results cannot be written here"),
        (["release", "--out", "notes.txt/below"], "notes.txt/below: cannot be written (Not a directory)"),
        (["grade", "class", "--out", "out", "--jobs", "0"], "'--jobs': '0' is not a whole number from 1 to 256."),
        (["grade", "class", "--out", "out", "--seed", "x"], "'--seed': 'x' is not a whole number, 0 or more."),
        (["grade", "class", "--out", "out", "--cell-seconds", "x"], "'x' is not a number of seconds from 0.5 to 1,000"),
        (["read", "out", "--port", "x"], "'--port': 'x' is not a whole number from 0 to 65,535."),
        (["grade", "class", "--out", "out", "--lab", "02"], "no submission for 02_levels"),
        (["grade", "class"], "'--out'"),
        (["grade", "--out", "out"], "'CLASS...'"),
        (["grade", "class", "--out", "out", "--unknown"], "--unknown"),
        (["check", "nowhere.ipynb"], "nowhere.ipynb: no such file"),
        (["check", "notes.txt"], "notes.txt: this is not a notebook"),
        (["build", "99"], "there is no lab '99'"),
        (["nonsense"], "nonsense"),
    ],
)
def test_wrong_usage_is_one_clear_line_and_exit_code_2(tmp_path, labkit, arguments, says):
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("see you on Monday")
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / f"{LAB}.ipynb").write_text("not a notebook")
    done = labkit(*arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    lines = [line for line in done.stderr.splitlines() if not line.startswith("[")]  # progress comes in brackets
    assert len(lines) == 1 and says in lines[0], done.stderr


@needs("an ordinary user")  # root may write anywhere
def test_a_folder_without_write_permission(tmp_path, labkit, handout):
    handout(LAB).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    done = labkit("grade", "class", "--out", locked / "out", cwd=tmp_path)
    assert done.returncode == 2 and "cannot be written" in done.stderr


def test_without_a_command_the_help_is_shown(labkit):
    done = labkit()
    assert done.returncode == 2 and "grade" in done.stdout and "Traceback" not in done.stderr


def test_check_prints_the_same_messages_as_the_notebook(tmp_path, labkit, handout):
    copy = handout(LAB).write("spread", "def spread(values):\n    return float(np.std(values, ddof=1))")
    done = labkit("check", copy.save(tmp_path / "mine.ipynb"))
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 4 and done.stderr == ""
    assert lines[0].startswith("✘ The spread: ") and lines[2] == "… midrange: not written yet."


def test_check_speaks_the_notebooks_language(tmp_path, labkit, handout):
    lab = handout(LAB)
    lab.notebook["metadata"]["labkit"]["language"] = "es"
    copy = lab.save(tmp_path / "mine.ipynb")
    assert "… midrange: aún sin escribir." in labkit("check", copy).stdout
    assert "… midrange: not written yet." in labkit("check", copy, "--language", "en").stdout


def test_submissions_are_found_in_every_layout(tmp_path, labkit, handout):
    lab = handout(LAB)
    lab.save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    lab.save(tmp_path / "class" / "bob" / "week1" / f"{LAB}.ipynb")  # nbgrader
    lab.save(tmp_path / "class" / "cem_18233_Final (2).ipynb")  # a download from an LMS
    lab.save(tmp_path / "class" / "dee" / "my homework.ipynb")
    lab.save(tmp_path / "class" / "dee" / ".ipynb_checkpoints" / "old.ipynb")
    (tmp_path / "class" / "eve").mkdir()
    (tmp_path / "class" / "eve" / "essay.docx").write_text("x")
    done = labkit("grade", "class", "--out", "out", "--jobs", "2", cwd=tmp_path)
    assert done.returncode == 0
    rows = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert [(row["student"], row["lab"], row["status"]) for row in rows] == [
        ("ada", LAB, "graded"),
        ("bob", LAB, "graded"),
        ("cem_18233_Final (2)", LAB, "graded"),
        ("dee", LAB, "graded"),
        ("eve", "", "not_a_lab"),
    ]
    assert "essay.docx" in rows[4]["reason"]


@needs("isolation")
def test_doctor_finds_everything_in_place(labkit):
    done = labkit("doctor")
    assert done.returncode == 0 and "✘" not in done.stdout and "locked and unchanged" in done.stdout
    assert f"isolated by {available_layers()[0]}" in done.stdout and "possible: " not in done.stdout


def without_walls() -> dict[str, str]:
    return {**os.environ, CHOICE: "limits"}


@pytest.fixture
def judged_by_pytest(tmp_path, run_command):
    def judge(path, *options, env):
        tests = project.current().tests_of(LAB)
        command = [sys.executable, *["-m", "pytest", "-q", "-p", "no:cacheprovider", "--submission"]]
        return run_command(*command, path, *options, tests, env=env, cwd=project.current().root)

    return judge


def test_check_requires_consent_where_submissions_cannot_be_isolated(tmp_path, labkit, handout):
    path = handout(LAB, solved=True).insert(RUNS).save(tmp_path / f"{LAB}.ipynb")
    refused = labkit("check", path, env=without_walls())
    assert refused.returncode == 2 and "--allow-unsandboxed" in refused.stderr and refused.stdout == ""
    assert len(refused.stderr.splitlines()) == 1
    assert "spread: right" in labkit("check", path, "--allow-unsandboxed", env=without_walls()).stdout
    assert "spread: right" in labkit("check", project.current().solutions / f"{LAB}.ipynb", env=without_walls()).stdout


def test_pytest_asks_too(tmp_path, handout, judged_by_pytest):
    path = handout(LAB, solved=True).save(tmp_path / f"{LAB}.ipynb")
    refused = judged_by_pytest(path, env=without_walls())
    assert refused.returncode and "--allow-unsandboxed" in refused.stdout and "passed" not in refused.stdout
    assert judged_by_pytest(path, "--allow-unsandboxed", env=without_walls()).returncode == 0


def test_text_from_an_answer_cannot_control_a_terminal(tmp_path, labkit, judged_by_pytest):
    HAND_INS["steers-a-terminal"].save(tmp_path, Cells.of(TINY))
    path = tmp_path / f"{LAB}.ipynb"
    for said in (labkit("check", path).stdout, judged_by_pytest(path, "--tb=short", env=dict(os.environ)).stdout):
        assert "\\u001b]52" in said and "\x1b]" not in said and "\u202e" not in said
