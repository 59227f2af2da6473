"""Test the built site in Chromium: its pages, and labs that are opened, answered, downloaded and graded."""

import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from needs import needs, skip_without

from encoding_labs import COURSE
from labkit.author.site.pages import words_of
from labkit.student.model import project

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
SECONDS = 600
LAB, EXERCISE = COURSE.names[0], "frequencies"
PREFIX = "some/prefix"
LONG = pytest.mark.long("builds the site and opens it in a browser")
pytestmark = [needs("Chromium"), pytest.mark.timeout(2 * SECONDS), pytest.mark.xdist_group("browser")]
LANGUAGES = [*project.current().editions_of(LAB)]


@pytest.fixture(scope="module")
def site(once, pyodide, labkit) -> Path:
    """A folder with the built site in the subfolder `PREFIX`."""
    from labkit.author.site.build import missing

    if missing():
        skip_without("the extra site")

    def build(folder: Path) -> None:
        done = labkit(
            "site", "--out", folder / PREFIX, "--pyodide", pyodide, "--source", "owner/name", timeout=2 * SECONDS
        )
        assert done.returncode == 0, done.stderr

    return once("site", build)


@pytest.fixture(scope="module")
def address(site):
    handler = partial(SimpleHTTPRequestHandler, directory=site)
    handler.func.log_message = lambda *_: None
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{PREFIX}"
        server.shutdown()


@pytest.fixture
def open_page(browser):
    """Open an address. Returns the page, and a list that collects its requests to other machines."""
    contexts = []

    def opened(address: str, **settings):
        context = browser.new_context(accept_downloads=True, **settings)
        contexts.append(context)
        page, left = context.new_page(), []
        page.set_default_timeout(SECONDS * 1000)
        here = ("http://127.0.0.1", "file:", "data:", "blob:")
        page.on("request", lambda request: None if request.url.startswith(here) else left.append(request.url))
        page.goto(address)
        return page, left

    yield opened
    for context in contexts:
        context.close()


def pages_of(site: Path) -> list[str]:
    """Some pages that students see: the home page and a lab in each language, and one more lab."""
    found = ["index.html", f"labs/{LAB}.html", "labs/03_rotation_proof.html"]
    found += [f"{language}/{page}" for language in LANGUAGES[1:] for page in ("index.html", f"labs/{LAB}.html")]
    return [page for page in found if (site / PREFIX / page).is_file()]


@LONG
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_fits_its_window_and_loads_nothing_from_elsewhere(site, address, open_page, scheme):
    for name in pages_of(site):
        page, left = open_page(f"{address}/{name}", color_scheme=scheme, viewport={"width": 400, "height": 900})
        page.wait_for_load_state("load")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than its window"
        found = axe.Axe().run(page)
        assert len(found.response["passes"]) > 10 and found.violations_count == 0, f"{name}\n{found.generate_report()}"
        assert left == [], name


@LONG
def test_the_home_page_opens_from_disk_and_says_what_needs_a_server(site, open_page):
    page, left = open_page(f"file://{site / PREFIX}/index.html")
    assert page.locator(".labkit-by-disk").first.is_visible() and left == []
    assert page.locator("[data-scene]").count() == 1


@LONG
def test_the_site_has_no_solution(site):
    folders = {path.name for path in (site / PREFIX).iterdir() if path.is_dir()}
    assert folders == {"_static", "download", "labs", "lite", *LANGUAGES[1:]}
    assert {
        path.name for path in (site / PREFIX).rglob("*") if path.name in ("solutions", "_sources", "jupyter_execute")
    } == set()


RUN = """async ([id, source]) => {
    const panel = window.jupyterapp.shell.currentWidget;
    await panel.sessionContext.ready;
    const place = panel.content.widgets.findIndex(cell => cell.model.id === id);
    panel.content.activeCellIndex = place;
    if (source) panel.content.activeCell.model.sharedModel.setSource(source);
    await window.jupyterapp.commands.execute('notebook:run-cell');
    return panel.content.widgets[place].model.toJSON();
}"""


def solved(name: str) -> str:
    notebook = json.loads((project.current().solutions / f"{LAB}.ipynb").read_text("utf-8"))
    return "".join(next(cell["source"] for cell in notebook["cells"] if cell["id"] == name))


@LONG
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_typed_in_the_browser_is_checked_downloaded_and_graded(
    language, address, open_page, tmp_path, labkit
):
    folder = "" if language == LANGUAGES[0] else f"{language}/"
    page, left = open_page(f"{address}/{folder}labs/{LAB}.html")
    page.locator("a.labkit-open").first.click()
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.content?.model?.cells.length > 2")
    for cell in ("setup", EXERCISE):
        ran = page.evaluate(RUN, [cell, solved(cell) if cell == EXERCISE else ""])
        assert ran["execution_count"], cell
        assert not [output for output in ran["outputs"] if output["output_type"] in ("error", "stream")], ran["outputs"]
    (output,) = page.evaluate(RUN, [f"check_{EXERCISE}", ""])["outputs"]
    assert "✔" in output["data"]["text/plain"]

    button = page.locator('[data-jp-item-name="download"]')
    assert button.inner_text().strip() == words_of(language)["hand-in"]
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    with page.expect_download() as download:
        button.locator("jp-button, button").first.click()
    student = tmp_path / "class/ada" / download.value.suggested_filename
    student.parent.mkdir(parents=True)
    download.value.save_as(student)
    done = labkit("grade", tmp_path / "class", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    assert (row["status"], row["lab"], row["language"]) == ("graded", LAB, language)
    earned = {check["exercise"]: check["points"] for check in row["checks"] if check["points"]}
    assert [*earned] == [EXERCISE]
    assert left == [], "requests to other machines"


@LONG
def test_a_stale_copy_is_reported_and_replaced_by_the_new_lab(address, open_page):
    page, _ = open_page(f"{address}/lite/notebooks/index.html?path={LAB}.ipynb")
    ready = "window.jupyterapp?.shell.currentWidget?.content?.model?.cells.length > 2"
    page.wait_for_function(ready)
    page.evaluate("""async () => {
        const panel = window.jupyterapp.shell.currentWidget, title = panel.content.model.cells.get(0).sharedModel;
        title.setSource(title.getSource().replace(/Version [^<]+/, 'Version 0.0.1'));
        await panel.context.save();
    }""")
    page.reload()
    page.wait_for_function(ready)
    toast = page.locator(".Toastify__toast", has_text="0.0.1")
    toast.wait_for()
    toast.locator("jp-button, button", has_text="Keep mine").click()
    title = "window.jupyterapp?.shell.currentWidget?.content?.model?.cells.get(0)?.sharedModel.getSource()"
    page.wait_for_function(
        f"{title}?.includes('Version {project.current().version}')"
    )  # the page loads again with the new lab
    kept = page.evaluate(
        "window.jupyterapp.serviceManager.contents.get('', {content: true}).then(all => all.content.map(file => file.name))"
    )
    assert f"{LAB} (0.0.1).ipynb" in kept
