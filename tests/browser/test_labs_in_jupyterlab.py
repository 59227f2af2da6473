"""The labs as students see them: in JupyterLab, in Chromium. Skipped where there is no Chromium."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest
from longer import every

from encoding_labs import COURSE
from labkit.model import project

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SECONDS = 180
QUIET = "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
SETTINGS = {
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},  # every cell is in the page
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="needs Chromium"),
    pytest.mark.timeout(4 * SECONDS),
    pytest.mark.xdist_group("browser"),
]
RUN_ALL = """async () => {
    const panel = window.jupyterapp.shell.currentWidget;
    await panel.sessionContext.ready;
    await window.jupyterapp.commands.execute('notebook:run-all-cells');
    return panel.content.model.toJSON();
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """JupyterLab on a copy of the labs and their solutions; its address."""
    folder, here = tmp_path_factory.mktemp("jupyterlab"), project.current()
    for part in (here.labs, here.solutions):
        shutil.copytree(part, folder / part.name)
    shutil.copytree(Path(sys.prefix) / "share/jupyter/lab", folder / "app", ignore=shutil.ignore_patterns("staging"))
    (folder / "app/settings").mkdir(exist_ok=True)
    (folder / "app/settings/overrides.json").write_text(json.dumps(SETTINGS))
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.port=0"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={folder}", f"--app-dir={folder / 'app'}"]
    command += ["--LabApp.expose_app_in_browser=True", "--ServerApp.ip=127.0.0.1"]
    surroundings = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_RUNTIME_DIR": str(folder / "run"),
    }
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(command, cwd=folder, env=surroundings, stdout=log, stderr=log)
        try:
            yield _address(process, folder)
        finally:
            process.kill()  # its kernels, which watch for their parent, end too; asked to, it may take a minute over them
            process.wait(30)


def _address(process: subprocess.Popen, folder: Path) -> str:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        for path in (folder / "run").glob("jpserver-*.json"):
            try:
                address = json.loads(path.read_text())["url"]
                urllib.request.urlopen(f"{address}api", timeout=5).read()
                return address
            except (OSError, ValueError):
                pass
        time.sleep(0.3)
    raise AssertionError((folder / "log").read_text()[-2000:])


@pytest.fixture(scope="module")
def browser(server):
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *QUIET.split()])
        yield browser
        browser.close()


@pytest.fixture
def open_notebook(server, browser):
    """Open a notebook in a page of its own."""
    pages = []

    def opened(path: str):
        page = browser.new_page(viewport={"width": 1200, "height": 1000})
        page.set_default_timeout(SECONDS * 1000)
        pages.append(page)
        page.goto(f"{server}lab/tree/{path}?reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function("window.jupyterapp?.shell.currentWidget?.content?.model?.cells.length > 3")
        return page

    yield opened
    for page in pages:
        page.evaluate("async () => { await window.jupyterapp.serviceManager.sessions.shutdownAll(); }")
        page.close()


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
        "() => [...document.querySelectorAll('.jp-OutputArea img')].map(i => [i.alt, i.naturalWidth, i.clientWidth])"
    )
    assert words and [alt for alt, *_ in shown] == words
    assert all(pixels >= 1.9 * wide > 0 for _, pixels, wide in shown)


def test_the_moving_clock_moves(open_notebook):
    """Of a solved lab, where there is a table to play; each position is another picture."""
    page = open_notebook("solutions/01_build_the_table.ipynb")
    page.evaluate(RUN_ALL)
    player = page.locator(".jupyter-widgets", has=page.locator(".widget-play")).first
    player.locator(".widget-play button").first.click()
    image = "document.querySelector('.widget-output img, .jupyter-widgets-output-area img')"
    page.wait_for_function(f"{image}?.naturalWidth > 0")
    first = page.evaluate(f"{image}.src + {image}.alt")
    page.wait_for_function(f"before => {image} && {image}.src + {image}.alt != before", arg=first)
