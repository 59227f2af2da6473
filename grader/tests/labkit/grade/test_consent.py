"""`labkit check` and `pytest --submission` require consent, as `labkit grade` does, if submissions cannot be isolated."""

import os
import sys

import pytest
from attacks.kinds import TINY, Cells
from attacks.tools import HAND_INS, RUNS

from labkit.grade.sandbox.confine import CHOICE
from labkit.student.model import project

LAB = "01_spread"


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
