"""Run the labs and their solutions in Pyodide under Node, with only the wheels that students get."""

import json
import subprocess
from pathlib import Path

import pytest

from labkit.student.model import project

RUN = Path(__file__).with_name("run_notebooks.mjs")
SECONDS = 900
pytestmark = [pytest.mark.timeout(2 * SECONDS), pytest.mark.long("downloads Pyodide and runs every solution in it")]


@pytest.fixture(scope="module")
def run(node, pyodide_with_the_course):
    def run(*notebooks: Path) -> list[dict]:
        command = [node, RUN, pyodide_with_the_course, *notebooks]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0, done.stderr[-3000:]
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


def test_every_solution_runs_and_every_check_is_right(run):
    solutions = sorted(project.current().solutions.glob("*.ipynb"))
    results = run(*solutions)
    assert [result["name"] for result in results] == [path.name for path in solutions]
    for path, result in zip(solutions, results):
        checks = path.read_text("utf-8").count('"check(')
        assert result["failed"] is None, f"{path.name}: {result['failed']}"
        assert checks and result["said"].count("✔") == checks and "✘" not in result["said"], path.name


def test_an_untouched_lab_runs_to_its_end_in_every_language(run):
    first = project.current().course.names[0]
    for result in run(*project.current().editions_of(first).values()):
        assert result["failed"] is None and "…" in result["said"]


ENDLESS = """
def frequencies(d):
    while True:
        pass

from labkit.notebook import check
from labkit.student.notebook import examine
examine.SECONDS = 1
check("frequencies")
"""


def test_a_check_ends_an_endless_answer(run, tmp_path):
    """Browsers have no timer signal to stop such an answer, so its loops must check the clock."""
    cells = [{"cell_type": "code", "id": "endless", "source": ENDLESS.splitlines(True), "outputs": []}]
    cells.insert(0, {"cell_type": "code", "id": "setup", "source": ["import encoding_labs"], "outputs": []})
    (tmp_path / "endless.ipynb").write_text(json.dumps({"cells": cells}))
    (result,) = run(tmp_path / "endless.ipynb")
    assert result["failed"] is None and "1 second" in result["said"], result
