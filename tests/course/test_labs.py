"""Run the labs and their solutions in a kernel, and test what they show."""

import re
from collections.abc import Iterator
from importlib import import_module

import nbformat
import pytest
from longer import every
from nbconvert import HTMLExporter
from test_lab_sources import settled

from encoding_labs import COURSE
from labkit.author.source import percent as authoring
from labkit.grade.kernel.forked import start_kernel
from labkit.grade.kernel.nbval_bridge import execute
from labkit.student.judging.words import load, title
from labkit.student.model import project
from labkit.student.model.budgets import Budgets
from labkit.student.notebook.guesses import Choice

PATIENT = Budgets(cell_seconds=60, notebook_seconds=300)


def cells_of(folder, name: str) -> list:
    return [cell for cell in nbformat.read(folder / f"{name}.ipynb", as_version=4).cells if cell.cell_type == "code"]


def outputs(kernel, source: str) -> list[dict]:
    return execute(kernel, source, PATIENT.cell_seconds)


def text_of(outputs: list) -> str:
    """The printed text of a cell, and the plain text of what it displays."""
    return "".join(each.get("text") or each.get("data", {}).get("text/plain", "") + "\n" for each in outputs)


@pytest.fixture
def kernel(name):
    """A kernel for a lab, forked from a warm process if possible. test_labs_in_kernels.py compares forked and stock kernels."""
    kernel = start_kernel(project.current(), COURSE.environment_of(name), PATIENT)
    yield kernel
    kernel.stop()


def test_the_table_is_in_reach_of_the_labs_after_the_one_that_builds_it():
    assert [name for name in COURSE.names if "minimodel" not in COURSE.environment_of(name).packages] == [
        "01_build_the_table"
    ]


def of_pictures(source: str) -> bool:
    """Whether a cell reveals a guess of one of several pictures."""
    guesses = {name: vars(import_module(COURSE.module_of(name, "guesses"))) for name in COURSE.names}
    choices = {name for each in guesses.values() for name, value in each.items() if isinstance(value, Choice)}
    return any(f", guesses.{name})" in source for name in choices)


def faults(cell, shown: list[dict]) -> Iterator[str]:
    """Find outputs that an untouched lab should not show."""
    for output in shown:
        if "ename" in output:
            yield f"an error: {output['ename']}: {output['evalue']}"
        if output.get("name") == "stderr":
            yield f"text on stderr: {output}"
        if "image/png" in output.get("data", {}) or re.search(r'<img(?![^>]* alt="\w)', str(output.get("data", ""))):
            yield "a picture without alternative text"
    if "No guess yet" in str(shown) and "[Figure: " in str(shown) and of_pictures(cell.source):
        yield "the picture that was to be guessed"
    waits = not cell.source.startswith("check(") and "not written yet" in str(shown)
    if waits and authoring.WIDGET not in cell.metadata.get("tags", ()) and len(shown) != 1:
        yield f"a cell without its answer shows more than a note: {text_of(shown)}"


def test_an_untouched_lab_runs_to_its_end_and_lists_unanswered_exercises(name, kernel):
    load(COURSE)
    complaints, said = [], ""
    for cell in cells_of(project.current().labs, name):
        shown = outputs(kernel, cell.source)
        said += text_of(shown)
        complaints += [f"{cell.id}: {fault}" for fault in faults(cell, shown)]
    for exercise in COURSE.labs[name].exercises:
        if exercise.checked and f"… {title(exercise.name)}: not written yet." not in said:
            complaints.append(f"{exercise.name} is not reported as unanswered")
    assert complaints == []
    assert settled(name, said) == []  # neither printed nor in the descriptions of figures


def test_reference_outputs_hold_no_addresses_times_or_object_ids(name):
    for cell in cells_of(project.current().solutions, name):
        for output in cell.outputs:
            text = output.get("text", "") + "".join(
                v for k, v in output.get("data", {}).items() if k.startswith("text/")
            )
            assert not re.search(r"0x[0-9a-f]{6,}|\d\d:\d\d:\d\d|/home/|/tmp/|/root/", text), cell.id
            assert "-0.00 " not in text and output.get("name") != "stderr" and output.output_type != "error", cell.id


def test_a_picture_is_stored_once_and_is_exported_with_its_words(name):
    """A picture is stored only as HTML, so that JupyterLab and nbconvert both show its alternative text."""
    outputs = [
        output.get("data", {}) for cell in cells_of(project.current().solutions, name) for output in cell.outputs
    ]
    assert not any("image/png" in data for data in outputs)
    figures = [data["text/html"] for data in outputs if data.get("text/plain", "").startswith("[Figure: ")]
    page, _ = HTMLExporter().from_filename(str(project.current().solutions / f"{name}.ipynb"))
    exported = [image for image in re.findall("<img[^>]*>", page) if len(image) > 1_000]  # not the template's own
    assert figures and len(exported) == sum(figure.count("<img") for figure in figures)
    assert all(re.search(r"""alt=(["']).{20,}?\1 src="data:image/(png|webp|svg)""", image) for image in exported)


PERTURB = '''
def _perturb(name, function, absolute, per_position, relative, seed):
    """Change a function's values by a fifth of the tolerance. Right answers differ from one another by less."""
    import functools, numpy, random, zlib
    @functools.wraps(function)
    def moved(*args, **named):
        value = function(*args, **named)
        if not isinstance(value, (float, numpy.floating, numpy.ndarray)) or numpy.asarray(value).dtype.kind != "f":
            return value
        array = numpy.asarray(value)
        rows = numpy.arange(array.shape[0]).reshape((-1,) + (1,) * (array.ndim - 1)) if array.ndim else 0
        sign = numpy.random.default_rng(zlib.crc32(f"{seed}{name}{args}".encode())).choice((-1.0, 1.0), array.shape)
        moved = array + 0.2 * sign * (absolute + per_position * rows + relative * abs(array))
        return moved.astype(array.dtype) if array.ndim else type(value)(moved)
    return moved
'''


@pytest.mark.parametrize("seed", every(2, [1, 2], why="the same test with another seed"))
def test_any_right_answer_gives_the_reference_text(name, kernel, seed):
    """Printed numbers are not so close to a rounding boundary that a slightly different right answer would change them."""
    outputs(kernel, PERTURB)
    functions = (exercise for exercise in COURSE.labs[name].exercises if exercise.kind == "function")
    asked = {exercise.name: exercise for exercise in functions if not exercise.judge}  # a judge ignores the tolerance
    for cell in cells_of(project.current().solutions, name):
        shown = outputs(kernel, cell.source)
        if authoring.WIDGET not in cell.metadata.get("tags", ()):
            assert text_of(shown) == text_of(cell.outputs), cell.id
        if cell.id in asked:
            rule = asked[cell.id].tolerance
            outputs(
                kernel,
                f"{cell.id} = _perturb({cell.id!r}, {cell.id}, {rule.absolute}, {rule.per_position}, {rule.relative}, {seed})",
            )


def test_a_name_occurs_once_in_the_whole_course():
    names = [exercise.name for lab in COURSE.labs.values() for exercise in lab.exercises]
    assert len(names) == len(set(names)) == len(COURSE.exercises)


def test_links_between_labs_lead_somewhere(name):
    text = (project.current().labs / f"{name}.ipynb").read_text("utf-8")
    targets = set(re.findall(r"\]\(([\w/]+\.ipynb)\)", text))
    assert all((project.current().labs / target).exists() for target in targets)
