"""A submission's result: full points for the solution, none for nothing, and no way around the tests."""

import subprocess
import sys

import pytest

from encoding_labs import COURSE
from labkit.budgets import Budgets
from labkit.grading.judge import judge_file
from labkit.grading.worths import worths_of

LAB = "01_build_the_table"
QUICK = Budgets(cell_seconds=3, notebook_seconds=60)
WRONG = "def frequencies(d):\n    return 10000.0 ** (-np.arange(d // 2) / d)"


@pytest.fixture
def judged(tmp_path, handout):
    def judge(submission, seed: int = 1):
        return judge_file(submission.save(tmp_path / f"{submission.lab}.ipynb"), "ada", seed, QUICK)

    return judge


def passes_stock_nbval(path) -> bool:
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", "-o", "addopts=", str(path)]
    return subprocess.run(command, capture_output=True, cwd=path.parent, timeout=120).returncode == 0


def executed(path):
    """The notebook after its student ran it: every output is the student's own."""
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "notebook", "--execute", "--inplace", str(path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return path


def points_of(result, exercise: str) -> float:
    return sum(map(result.points, result.of_exercise(exercise)))


@pytest.mark.parametrize("name", COURSE.names)
def test_the_solution_gets_full_points(judged, handout, name):
    result = judged(handout(name, solved=True))
    assert (result.status, result.reason) == ("graded", None)
    assert result.score == result.max_score == sum(points for points, _ in worths_of(name).values())
    assert {check.outcome for check in result.checks} <= {"passed", "manual"}, [
        c for c in result.checks if c.outcome == "failed"
    ]


@pytest.mark.parametrize("name", COURSE.names)
def test_the_untouched_lab_gets_no_points(judged, handout, name):
    result = judged(handout(name))
    assert result.status == "graded" and result.score == 0 < result.max_score
    assert {check.outcome for check in result.checks} == {"missing"}


def solved_but(handout, source: str, **extra):
    copy = handout(LAB, solved=True).write("frequencies", source)
    copy.cell("frequencies").update(extra)
    return copy


def test_a_wrong_answer_with_outputs_cleared(judged, handout, tmp_path):
    copy = solved_but(handout, WRONG)
    for cell in copy.cells:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    result = judged(copy)
    assert passes_stock_nbval(tmp_path / f"{LAB}.ipynb")
    assert points_of(result, "frequencies") == 0 and result.score < result.max_score


def test_a_wrong_answer_executed_by_the_student(handout, tmp_path):
    copy = solved_but(handout, WRONG)
    path = executed(copy.save(tmp_path / f"{LAB}.ipynb"))
    assert passes_stock_nbval(path)
    result = judge_file(path, "ada", 1, QUICK)
    assert points_of(result, "frequencies") == 0
    assert {each.mistake for check in result.of_exercise("frequencies") for each in check.mistakes} == {
        "exponent-k-over-d"
    }


@pytest.mark.parametrize("marker", ["NBVAL_IGNORE_OUTPUT", "NBVAL_SKIP"])
@pytest.mark.parametrize("as_tag", [False, True])
def test_a_wrong_answer_grafted_with_a_marker(judged, handout, tmp_path, marker, as_tag):
    copy = handout(LAB, solved=True)
    for cell in copy.cells:
        if cell["cell_type"] == "code":
            source = WRONG if cell["id"] == "frequencies" else "".join(cell["source"])
            cell["source"] = source if as_tag else f"# {marker}\n{source}"
            cell["metadata"]["tags"] = [marker.lower().replace("_", "-")] if as_tag else []
    result = judged(copy)
    assert passes_stock_nbval(tmp_path / f"{LAB}.ipynb")
    assert points_of(result, "frequencies") == 0


def test_right_code_with_a_mirrored_figure(handout, tmp_path):
    copy = handout("02_heatmap", solved=True)
    source = "".join(copy.cell("draw_heatmap")["source"])
    copy.write(
        "draw_heatmap",
        source + "\n\n_upright = draw_heatmap\n\n"
        "def draw_heatmap(pe, ax):\n    _upright(pe, ax)\n    ax.invert_xaxis()\n    return ax",
    )
    path = executed(copy.save(tmp_path / "02_heatmap.ipynb"))
    assert passes_stock_nbval(path)
    result = judge_file(path, "ada", 1, QUICK)
    assert points_of(result, "draw_heatmap") < 4


def test_a_refusing_stub_is_no_refusal(judged, handout):
    copy = handout(LAB).write("sinusoidal_pe", "def sinusoidal_pe(T, d):\n    raise ValueError('no')")
    assert points_of(judged(copy), "sinusoidal_pe") == 0


def test_each_half_of_a_half_done_lab_counts(judged, handout):
    copy = (
        handout(LAB)
        .write("by_hand", "by_hand = [0.1411, -0.99, 0.03, 0.9996]")
        .write("frequencies", "def frequencies(d):\n    return np.exp(-np.log(10000) * np.arange(0, d, 2) / d)")
    )
    result = judged(copy)
    assert points_of(result, "by_hand") == 1 and points_of(result, "frequencies") == 2 and result.score == 3


def test_values_count_where_only_the_dtype_is_wrong(judged, handout):
    copy = handout(LAB, solved=True)
    copy.write(
        "sinusoidal_pe", "".join(copy.cell("sinusoidal_pe")["source"]).replace("dtype=np.float32", "dtype=np.float64")
    )
    result = judged(copy)
    assert points_of(result, "sinusoidal_pe") == 4
    assert {each.mistake for check in result.of_exercise("sinusoidal_pe") for each in check.mistakes} == {
        "wrong-container"
    }


def test_written_answers_are_kept_as_they_are(judged, handout):
    copy = handout(LAB).write("why_pairs", "One clock, *two* hands.\n\n<b>\x1b")
    assert judged(copy).written == {"why_pairs": "One clock, *two* hands.\n\n<b>\x1b"}
    assert judged(handout(LAB)).written == {"why_pairs": ""}


def test_prints_and_warnings_cost_nothing(judged, handout):
    copy = handout(LAB, solved=True)
    noisy = "import sys, warnings\nprint('hello')\nwarnings.warn('careful')\n" + "".join(
        copy.cell("sinusoidal_pe")["source"]
    )
    copy.write(
        "sinusoidal_pe",
        noisy.replace("    angles =", "    print('working', file=sys.stderr)\n    print(T)\n    angles ="),
    )
    result = judged(copy)
    assert result.score == result.max_score


def test_an_endless_answer_costs_only_its_own_points(judged, handout):
    result = judged(handout(LAB, solved=True).write("sinusoidal_pe", "def sinusoidal_pe(T, d):\n    while True: pass"))
    assert result.status == "timed_out" and "did not finish within 3 seconds" in result.why()
    assert (
        points_of(result, "sinusoidal_pe") == 0
        and points_of(result, "frequencies") == 2
        and points_of(result, "by_hand") == 1
    )
    assert "error" in {check.outcome for check in result.of_exercise("sinusoidal_pe")}


@pytest.mark.parametrize("source", ["while True: pass", "import os; os._exit(0)"])
def test_a_cell_that_stops_everything_costs_only_its_own_points(judged, handout, source):
    result = judged(handout(LAB, solved=True).write("by_hand", source))
    assert result.status == ("timed_out" if "while" in source else "crashed") and result.why().startswith("by_hand ")
    assert result.score == result.max_score - 1


def test_the_answer_to_lab_01_cannot_be_imported(judged, handout):
    copy = handout(LAB).write("sinusoidal_pe", "from minimodel.positional.sinusoidal import sinusoidal_pe")
    assert judged(copy).score == 0


def test_same_seed_same_result_and_hidden_values_stay_hidden(judged, handout):
    copy = solved_but(
        handout,
        "def frequencies(d):\n    w = 10000.0 ** (-2 * np.arange(d // 2) / d)\n"
        "    return w if d in (4, 10, 32) else w * 1.01",
    )
    first, again, other = judged(copy), judged(copy), judged(copy, seed=2)
    assert first == again and first.seed != other.seed
    hidden = next(check for check in first.checks if check.name == "frequencies_at_drawn_sizes")
    assert (
        hidden.outcome == "failed"
        and "first off at index" in hidden.message()
        and "." not in hidden.message().split("index")[1].rstrip(".")
    )


@pytest.mark.parametrize("name", COURSE.names)
def test_reading_the_stored_values_earns_nothing(judged, handout, name):
    """What the public probes must give lies within reach of a submission; handing that in is no answer."""
    copy = handout(name)
    for exercise in COURSE.labs[name].exercises:
        if exercise.kind == "function":
            copy.write(exercise.name, STORED.format(lab=name, name=exercise.name))
    assert judged(copy).score == 0


STORED = """def {name}(*args):
    from labkit.notebook.expected import expected_of
    from encoding_labs import COURSE
    for probe in COURSE.exercises["{name}"].probes:
        given = probe.inputs()
        if len(given) == len(args) and all(np.array_equal(a, b) for a, b in zip(given, args)):
            if probe.raises:
                raise ValueError
            value = expected_of("{lab}")["{name}"][probe.key]
            return value.astype(COURSE.exercises["{name}"].dtype or value.dtype)[()]
    raise ValueError"""
