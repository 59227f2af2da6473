"""Labs and examples show the same output in labkit's forked kernels as in stock kernels."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from attacks.kinds import Cells
from class_of_examples import MADE
from handouts import QUICK
from hostile_proofs import HAND_INS
from hostile_proofs import LAB as PROOF
from kernel_outputs import assert_shown_alike, said
from longer import every
from needs import needs

from encoding_labs import COURSE
from labkit.grade.intake.handout import SETUP, handout
from labkit.grade.intake.notebooks import Notebook, notebook_in
from labkit.grade.judge.judge import judge_file
from labkit.student.model import project

forks, held = needs("Linux"), needs("isolation")
CLASS = project.current().root / "examples" / "class"
# Two examples of each lab, and all whose cells were edited. Each is run four times.
SOME = [
    example
    for number, example in enumerate(MADE)
    if example.edit or sum(other.lab == example.lab for other in MADE[:number]) < 2
]


@cache
def submissions() -> dict[str, Path]:
    """The notebooks to run, by name: the solutions, the untouched labs, and the examples in `SOME`."""
    files = {name: project.current().solutions / f"{name}.ipynb" for name in COURSE.labs}
    files |= {f"untouched {name}": project.current().labs / f"{name}.ipynb" for name in COURSE.labs}
    for example in SOME:
        files[example.student] = CLASS / example.student / (example.file or f"{example.lab}.ipynb")
    return {name: path for name, path in files.items() if isinstance(notebook_in(project.current(), path), Notebook)}


@forks
@pytest.mark.parametrize("name", every(16, submissions(), why="runs whole notebooks in two kernels"))
def test_a_fork_has_the_same_outputs_as_a_stock_kernel(name, start_kernel):
    assert_shown_alike(submissions()[name], start_kernel)


@held
@pytest.mark.parametrize("name", HAND_INS)
def test_a_hostile_proof_earns_nothing_and_costs_only_its_own_points(name, tmp_path):
    HAND_INS[name].save(
        tmp_path, Cells.of({"array": (PROOF, "shift"), "locked": (PROOF, "proof"), "formula": (PROOF, "proof")})
    )
    budgets = replace(QUICK, cell_seconds=2) if name == "a-formula-without-end" else QUICK
    result = judge_file(project.current(), tmp_path / f"{PROOF}.ipynb", "ada", 1, budgets)
    lost = {check.exercise for check in result.checks if check.outcome not in ("passed", "manual")}
    right = {check.exercise for check in result.checks if check.outcome == "passed"}
    assert (
        lost == {"proof"} and right == {each.name for each in COURSE.labs[PROOF].exercises if not each.written} - lost
    )
    ends = ("timed_out", "crashed") if name == "a-formula-without-end" else ()  # whichever limit it hits first
    assert result.status in ("graded", *ends)


GAINED = "import sys\nbefore = {*sys.modules}\n%s\nprint(sorted(name for name in {*sys.modules} - before if name.startswith('encoding_labs')))"


@forks
@pytest.mark.parametrize("lab", every(3, ["01_build_the_table", "02_heatmap", "05_base_sweep"], start=1))
def test_a_fork_has_imported_the_modules_of_its_labs_setup_cell(lab, start_kernel):
    """The lab's modules are imported before the fork, so that each submission need not import them again."""
    kernel = start_kernel(environment=COURSE.environment_of(lab))
    assert said(kernel, GAINED % handout(project.current(), lab).sources[SETUP]) == "[]\n"
