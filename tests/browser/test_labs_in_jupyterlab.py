"""Test the labs as students see them: in JupyterLab, in Chromium. Skipped without Chromium."""

import json
import re

import pytest
from longer import every
from needs import needs

from encoding_labs import COURSE
from labkit.student.model import project

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
SECONDS = 180
PICTURE = ".jp-OutputArea img"
pytestmark = [needs("Chromium"), pytest.mark.timeout(4 * SECONDS), pytest.mark.xdist_group("browser")]
RUN_ALL = """async () => {
    const panel = window.jupyterapp.shell.currentWidget;
    await panel.sessionContext.ready;
    await window.jupyterapp.commands.execute('notebook:run-all-cells');
    return panel.content.model.toJSON();
}"""


def outputs_of(notebook: dict):
    return [(cell["id"], output) for cell in notebook["cells"] for output in cell.get("outputs", ())]


@pytest.mark.parametrize("name", every(len(COURSE.names), COURSE.names, why="runs another lab in a browser"))
def test_an_untouched_lab_run_from_start_to_end_shows_everything(open_notebook, name):
    page = open_notebook(f"labs/{name}.ipynb")
    notebook = page.evaluate(RUN_ALL)
    assert [(cell, each.get("ename")) for cell, each in outputs_of(notebook) if each["output_type"] == "error"] == []
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in code), "Run All stopped before the end"
    assert_figures_carry_their_words(page, notebook)
    if picture := page.query_selector("[data-scene]"):  # the first screen shows the picture that the lab opens with
        page.evaluate("window.jupyterapp.shell.currentWidget.content.scrollToItem(0)")
        assert picture.bounding_box()["y"] < 700
    found = axe.Axe().run(page, context=".jp-OutputArea-output.jp-RenderedHTML")
    assert len(found.response["passes"]) > 5 and found.violations_count == 0, found.generate_report()
    if name == COURSE.names[0]:  # the first lab starts with a picture that runs by itself and takes text
        assert_picture_runs_and_keeps_its_keys(page, notebook)


@pytest.mark.long("opens every solved lab in a browser")
@pytest.mark.parametrize("name", COURSE.names)
def test_every_figure_of_a_solved_lab_carries_its_words(open_notebook, name):
    page = open_notebook(f"solutions/{name}.ipynb")
    stored = json.loads((project.current().solutions / f"{name}.ipynb").read_text("utf-8"))
    assert_figures_carry_their_words(page, stored)


def assert_figures_carry_their_words(page, notebook: dict) -> None:
    """Each picture has its stored description as alternative text, and is sharp on a high-density screen."""
    stored = [output["data"] for _, output in outputs_of(notebook) if "<img" in str(output.get("data"))]
    if page.query_selector("[data-scene] >> css=svg"):  # scenes that run show no stored picture
        stored = [data for data in stored if "data-scene" not in str(data)]
    words = [re.search(r"\[Figure: (.*)\]", "".join(data["text/plain"]), re.DOTALL)[1] for data in stored]
    page.wait_for_function(f"document.querySelectorAll('{PICTURE}').length >= {len(words)}")
    shown = page.evaluate(
        f"() => [...document.querySelectorAll('{PICTURE}')].map(i => [i.alt, i.src.startsWith('data:image/svg') ? Infinity : i.naturalWidth, i.clientWidth])"
    )
    assert (words or page.query_selector("[data-scene]")) and [alt for alt, *_ in shown] == words
    assert all(pixels >= 1.9 * wide > 0 for _, pixels, wide in shown)


def assert_picture_runs_and_keeps_its_keys(page, notebook: dict) -> None:
    """Keys pressed in a text field and on a slider do not reach JupyterLab, where they would delete or change cells."""
    host = page.query_selector("[data-scene]")
    host.evaluate("host => host.scrollIntoView()")  # a picture stops when it is scrolled out of view
    page.wait_for_function("Number(document.querySelector('[data-scene]').dataset.frames) > 30")
    host.evaluate("host => host.shadowRoot.querySelector('[type=text]').select()")
    page.keyboard.type("dd aa bb")
    host.evaluate("host => host.shadowRoot.querySelector('[type=range]').focus()")
    page.keyboard.press("Home")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "d", "d", "a", "m", "ArrowDown"):
        page.keyboard.press(key)
    assert int(host.evaluate("host => host.shadowRoot.querySelector('[type=range]').value")) == 2
    assert host.evaluate("host => host.shadowRoot.querySelector('[type=text]').value") == "dd aa bb"
    kinds = page.evaluate("window.jupyterapp.shell.currentWidget.content.widgets.map(each => each.model.type)")
    assert kinds == [cell["cell_type"] for cell in notebook["cells"]]
