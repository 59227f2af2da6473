"""The labs as students see them: in JupyterLab in Chromium. Skipped without Chromium."""

import re

import nbformat
import pytest
from longer import every

from encoding_labs import COURSE
from labkit.model import project

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
SECONDS = 180
pytestmark = [pytest.mark.timeout(4 * SECONDS), pytest.mark.xdist_group("browser")]
RUN_ALL = """async () => {
    const panel = window.jupyterapp.shell.currentWidget;
    await panel.sessionContext.ready;
    await window.jupyterapp.commands.execute('notebook:run-all-cells');
    return panel.content.model.toJSON();
}"""


def outputs_of(notebook: dict):
    return [(cell["id"], output) for cell in notebook["cells"] for output in cell.get("outputs", ())]


@pytest.mark.parametrize("name", every(len(COURSE.names), COURSE.names, why="each lab in a browser"))
def test_an_untouched_lab_that_is_run_whole_has_no_error(open_notebook, name):
    page = open_notebook(f"labs/{name}.ipynb")
    notebook = page.evaluate(RUN_ALL)
    assert [(cell, each.get("ename")) for cell, each in outputs_of(notebook) if each["output_type"] == "error"] == []
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in code), "Run All stopped before the end"
    found = axe.Axe().run(page, context=".jp-OutputArea-output.jp-RenderedHTML")
    assert len(found.response["passes"]) > 5 and found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", every(len(COURSE.names), COURSE.names, start=1, why="each lab in a browser"))
def test_every_figure_of_a_solved_lab_carries_its_words(open_notebook, name):
    page = open_notebook(f"solutions/{name}.ipynb")
    stored = nbformat.read(project.current().solutions / f"{name}.ipynb", 4)
    words = [
        re.search(r"\[Figure: (.*)\]", output.data["text/plain"], re.DOTALL)[1]
        for cell in stored.cells
        for output in cell.get("outputs", ())
        if "[Figure: " in output.get("data", {}).get("text/plain", "")
    ]
    page.wait_for_function(f"document.querySelectorAll('.jp-OutputArea img').length >= {len(words)}")
    shown = page.evaluate(
        "() => [...document.querySelectorAll('.jp-OutputArea img')].map(i => [i.alt, i.src.startsWith('data:image/svg') ? Infinity : i.naturalWidth, i.clientWidth])"
    )
    assert words and [alt for alt, *_ in shown] == words
    assert all(pixels >= 1.9 * wide > 0 for _, pixels, wide in shown)
