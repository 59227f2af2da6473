"""This course's labs in real kernels: outputs are those of stock kernels, and neither added cells nor wrong earlier answers cost points."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from attacks.kinds import Cells
from class_of_examples import MADE
from handouts import QUICK, Handout
from hostile_proofs import HAND_INS
from hostile_proofs import LAB as PROOF
from kernel_outputs import assert_shown_alike, said
from longer import every
from needs import needs

from encoding_labs import COURSE
from labkit.grade.intake.handout import SETUP, handout
from labkit.grade.intake.notebooks import Notebook, notebook_in
from labkit.grade.judge import reference_values, run
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


@forks
def test_a_labs_setup_cell_runs_once_for_all_its_kernels(start_kernel):
    """Its names appear when the cell runs: a student's cell before it finds none of them."""
    lab, setup = "02_heatmap", handout(project.current(), "02_heatmap").sources[SETUP]
    environment, other = COURSE.environment_of(lab), "07_precision_and_cost"
    names = "print('np' in globals(), 'guesses' in globals(), plt.rcParams['axes.grid'])"
    for before, own in (("", lab), ("1", lab), ("", other)):
        kernel = start_kernel(environment=environment, lab=own)
        if before:
            assert said(kernel, f"import matplotlib.pyplot as plt; {names}") == "False False False\n"
        said(kernel, setup)
        assert said(kernel, names) == "True True True\n"


FIGURE = """
from labkit.student.calls import calling
from labkit.student.calls.snapshot import snapshot
left, (figure, ax), fresh = len(calling._figures), calling._figure_with_axes(), plt.subplots()
same = [calling.pixels_of(each).tobytes() for each in (figure, fresh[0])]
print(left - len(calling._figures), same[0] == same[1], str(snapshot(ax)) == str(snapshot(fresh[1])), plt.get_fignums())
"""


@forks
def test_figures_for_calls_are_made_before_the_fork_and_equal_to_others(start_kernel):
    """If a student has changed matplotlib's settings, a figure is made for each call as usual."""
    setup = handout(project.current(), "02_heatmap").sources[SETUP]
    kernel = start_kernel(environment=COURSE.environment_of("02_heatmap"), lab="02_heatmap")
    said(kernel, setup)
    assert said(kernel, FIGURE) == "1 True True [1, 2]\n"
    assert said(kernel, "plt.rcParams['font.size'] = 20" + FIGURE) == "0 True True [1, 2]\n"


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
    assert [(row.status, row.score) for row in rows] == [("graded", 6)] * 5
    assert all(row.stored() == rows[0].stored() for row in rows)


@pytest.mark.parametrize("backend", ["qt", "widget"])
def test_a_window_for_the_figures_of_lab_02(backend, tmp_path):
    copy = Handout("02_heatmap", solved=True)
    for cell in copy.cells:
        if cell["cell_type"] == "code" and "def " in "".join(cell["source"]):
            cell["source"] = f"%matplotlib {backend}\n" + "".join(cell["source"])
    result = judge_file(project.current(), copy.save(tmp_path / "02_heatmap.ipynb"), "ada", 1)
    assert (result.status, result.score) == ("graded", 10)


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


RATES = "def frequencies(d):\n    return 10000.0 ** (-np.arange(d // 2) / d)"
TABLE = """def sinusoidal_pe(T, d):
    if d <= 0 or d % 2 or T < 0:
        raise ValueError
    angles = np.arange(T)[:, None] * frequencies(d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(T, d).astype(np.float32)"""
SINES = {"sinusoidal_pe": TABLE.replace("np.cos", "np.sin")}
# The table is wrong only after the next answer was called.
SPOILED = {
    "sinusoidal_pe": f"spoiled = []\n\n{TABLE} + len(spoiled)",
    "sinusoidal_pos": """def sinusoidal_pos(seed, T, d_model):
    globals().get("spoiled", []).append(1)
    return sinusoidal_pe(T, d_model).reshape(-1)""",
}
FREQUENCIES, BOTH = ["frequencies"], ["frequencies", "sinusoidal_pe"]


@pytest.mark.parametrize(
    ("answers", "replaced", "kernels"),
    [
        ({}, FREQUENCIES, 3),  # of the notebook, of the answers checked again, and of the solution
        (SINES, BOTH, 5),
        (SPOILED, BOTH, 5),
    ],
)
def test_only_answers_that_lose_points_on_their_own_are_replaced(answers, replaced, kernels, tmp_path, monkeypatch):
    copy, started = Handout("01_build_the_table", solved=True).write("frequencies", RATES), []
    for name, source in answers.items():
        copy.write(name, source)
    start = run.start_kernel
    monkeypatch.setattr(run, "start_kernel", lambda *given: started.append(given) or start(*given))
    reference_values._recorded.cache_clear()
    result = judge_file(project.current(), copy.save(tmp_path / "01_build_the_table.ipynb"), "ada", 1)
    assert lost(result, "sinusoidal_pos") == 0 and (lost(result, "sinusoidal_pe") > 0) == (answers is SINES)
    followed = [
        each for check in result.of_exercise("sinusoidal_pos") for each in check.findings if each.id == "follows"
    ]
    assert [each.facts["names"] for each in followed] == [replaced]
    assert len(started) == kernels


# How many calls are not public. Each figure of the solution is drawn a second time, as a picture.
SHARED = [("02_heatmap", {"draw_heatmap": 3, "draw_columns": 3}), ("04_dot_product_decay", {"landmarks": 4})]


@pytest.mark.parametrize(("lab", "hidden"), SHARED)
def test_checks_of_an_exercise_share_their_hidden_calls(lab, hidden, monkeypatch):
    asked, ask = Counter(), run.Run._ask
    monkeypatch.setattr(run.Run, "_ask", lambda own, each, call: asked.update([each.name]) or ask(own, each, call))
    judge_file(project.current(), project.current().solutions / f"{lab}.ipynb", "ada", 1)
    assert {name: asked[name] - len(COURSE.exercises[name].probes) for name in hidden} == hidden


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
