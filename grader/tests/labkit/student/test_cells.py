"""Lab cells that stop early. They run in plain IPython, as a student runs them, or in a forked kernel.

A forked kernel shows the same as a stock kernel (see test_forked_kernel.py) and starts at once.
"""

import nbformat
import pytest
from nbclient import NotebookClient

from labkit.grade.kernel.nbval_bridge import execute
from labkit.student.model import project

SETUP = """
import matplotlib.pyplot as plt
import tiny_labs.spread
from labkit.student.notebook import check, quiz, reveal, show, use_style
from labkit.student.notebook.guesses import Truth
from labkit.student.notebook.guesses import Statement
use_style()
"""
STUB = 'def spread(values):\n    raise NotImplementedError("spread: write your answer here")'
RIGHT = "def spread(values):\n    return 1.0"
OWN_KIND_OF_ERROR = """class Odd(ValueError): pass

def spread(values):
    if len(values) == 0: raise Odd
    mean = sum(values) / len(values)
    return (sum((x - mean) ** 2 for x in values) / len(values)) ** 0.5"""


def in_plain_ipython(*sources: str) -> list[list[dict]]:
    """Run these cells in plain IPython, after a setup cell. Returns their outputs."""
    cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, *sources)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    path = f"import sys; sys.path[:0] = [{str(project.current().source)!r}]\n"
    notebook.cells[0].source = path + notebook.cells[0].source
    NotebookClient(notebook, timeout=60, kernel_name="python3", allow_errors=True).execute()
    return [cell.outputs for cell in notebook.cells[1:]]


@pytest.fixture
def run(start_kernel):
    """Run these cells in a forked kernel, after a setup cell. Returns their outputs."""

    def run(*sources: str) -> list[list[dict]]:
        kernel = start_kernel(environment=project.current().course.environment_of("01_spread"))
        return [execute(kernel, source, 20.0) for source in (SETUP, *sources)][1:]

    return run


def text(outputs: list[dict]) -> str:
    return "".join(each.get("text") or each.get("data", {}).get("text/plain", "") for each in outputs)


def test_an_unwritten_exercise_is_no_error_and_leaves_no_empty_axes():
    stub, drawn, value, after = in_plain_ipython(
        STUB,
        "figure, ax = plt.subplots()\nax.plot([spread((1, 2))])\nshow(figure, alt='a line')",
        'robust = NotImplementedError\nraise NotImplementedError("robust: write your answer here")',
        "1 + 1",
    )
    assert stub == []
    assert text(drawn) == "… The spread: not written yet." and [each.output_type for each in drawn] == ["display_data"]
    assert text(value) == "… One value too large: not written yet." and text(after) == "2"


def test_other_errors_are_shown_as_usual():
    own, stdin, plain = in_plain_ipython("raise NotImplementedError('of my own')", "input()", "1/0")
    assert [outputs[-1].ename for outputs in (own, stdin, plain)] == [
        "NotImplementedError",
        "StdinNotImplementedError",
        "ZeroDivisionError",
    ]


DRAWS = """
import types
pictures = types.ModuleType("tiny_labs.pictures")
exec("def draw(spread):\\n    low, high = spread((1, 2))\\n    return high - low", vars(pictures))
"""
SPREAD = (
    "def spread(values):\n    return (sum((x - sum(values) / len(values)) ** 2 for x in values) / len(values)) ** 0.5"
)


def test_an_answer_that_a_picture_of_the_course_cannot_show_is_named_and_the_notebook_goes_on():
    """The traceback went through the course's files, and Run All ended there."""
    wrong, own, other, _, right = in_plain_ipython(
        DRAWS + RIGHT + "\npictures.draw(spread)",
        "pictures.draw(lambda values: spread(values) + spread())",
        "pictures.draw(abs)",
        OWN_KIND_OF_ERROR + "\ncheck('spread')",
        "pictures.draw(spread)",
    )
    (line,) = wrong
    assert line.output_type == "display_data" and "TypeError: cannot unpack non-iterable float" in text(wrong)
    assert text(wrong).startswith("… The spread: ") and text(wrong).endswith('check("spread") say?')
    assert [outputs[-1].output_type for outputs in (own, other, right)] == [
        "error"
    ] * 3  # the notebook's code, no answer, ours


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ((STUB,), "… The spread: not written yet."),
        ((STUB, "def spread(values)\n    return 1"), "does not run. SyntaxError, line 1"),
        ((RIGHT, "def spread(values)\n    return 1"), "does not run. SyntaxError, line 1"),
        (("def spread(values)\n    return 1", STUB), "… The spread: not written yet."),
        (("import no_such_module\n\ndef spread(values):\n    return 1",), "No module named 'no_such_module'"),
        (("spread = 3",), "the exercise asks for a function, but spread is an int."),
        (("def spread(values):\n    raise KeyError",), "stopped with KeyError: it gives no message."),
        ((OWN_KIND_OF_ERROR,), "✔ The spread: right."),
        (("def spreads(values):\n    return 1",), "no answer with this name"),
        (("def spread(values):\n    return 1.0\n\nspread(1).nothing",), "✘ The spread: spread((2.0"),
        ((STUB.replace("spread", "midrange"), "def spread(values):\n    return midrange(values)"), "calls midrange"),
        (
            (
                "def spread(values):\n    while True:\n        try:\n            while True: pass\n        except Exception: pass",
            ),
            "did not finish within 0.3 seconds",
        ),
    ],
)
def test_why_there_is_no_answer(cells, says, run):
    quick = "import labkit.student.notebook.examine as examine; examine.SECONDS = 0.3"
    shown = run(quick, *cells, "check('spread')")
    assert says in " ".join(text(shown[-1]).split())


def test_a_check_that_has_passed_counts_for_the_session(run):
    right = "def midrange(values):\n    return (min(values) + max(values)) / 2"
    first, _, second = run(right + "\ncheck('midrange')", "midrange = 3", "check('midrange')")
    assert "✘" in text(second) and all("1 of 3 checks in this lab" in text(each) for each in (first, second))


def test_a_figure_carries_its_words_and_twice_its_pixels(run):
    (outputs,) = run(
        "figure, ax = plt.subplots(figsize=(4, 2))\nax.plot([1, 2])\nshow(figure, alt='a \"rising\" line')"
    )
    (shown,) = outputs
    html = shown["data"]["text/html"]
    assert 'alt="a &quot;rising&quot; line"' in html and 'width="320"' in html
    assert [*shown["data"]] == ["text/html", "text/plain"] and "<details>" in html  # stored once


def test_a_quiz_shows_its_reasons_once_it_is_answered(run):
    ask = "quiz((Statement('Two is even.', True, 'It is twice one.'), Statement('So is three.', False, 'It is not.')), {})"
    nothing, one = run(ask, ask.replace("{}", "{1: True, 2: True}"))
    assert "twice" not in text(nothing) and "Write True or False" in text(nothing)
    assert "✔ Right, it is true. It is twice one." in text(one) and "✘ No, it is false. It is not." in text(one)


def test_a_guess_is_explained_only_when_there_is_one(run):
    none, one = run("t = Truth(4.0, 'positions', 'Because.')\nreveal(None, t)", "reveal(5, t)")
    assert "Because" not in text(none) and "it is 4 positions" in text(one) and "Because." in text(one)
