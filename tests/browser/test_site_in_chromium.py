"""Test the built site in Chromium: its pages, and labs that are opened, answered, downloaded and graded."""

import itertools
import json
import re
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import pytest
from needs import needs, skip_without

from encoding_labs import COURSE
from labkit.author.release import students
from labkit.author.site.pages import Edition, words_of
from labkit.student.model import project

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
SECONDS = 600
LAB = COURSE.names[0]
PREFIX = "some/prefix"
PUBLIC = f"https://example.org/{PREFIX}/"
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
        options = ["--pyodide", pyodide, "--source", "owner/name", "--address", PUBLIC]
        done = labkit("site", "--out", folder / PREFIX, *options, timeout=2 * SECONDS)
        assert done.returncode == 0, done.stderr

    return once("site", build)


@contextmanager
def served(folder: Path):
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    handler.func.log_message = lambda *_: None
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{PREFIX}"
        server.shutdown()


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def without_python(once):
    """The address of JupyterLite with the labs, but without Pyodide: a quick build that runs no code."""
    from labkit.author.site.build import missing
    from labkit.author.site.lite import write_lite

    if missing():
        skip_without("the extra site")

    def build(folder: Path) -> None:
        here = project.current()
        (folder / PREFIX).mkdir(parents=True)
        students.copy_labs(here, list(COURSE.labs.values()), folder / "labs")
        (folder / "empty").mkdir()
        words = {language: dict(words_of(language)) for language in LANGUAGES}
        write_lite(here, folder / "labs", folder / "empty", [], words, folder / PREFIX / "lite")

    with served(once("lite", build)) as address:
        yield address


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
@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_fits_its_window_and_loads_nothing_from_elsewhere(
    site, address, open_page, scheme, width
):
    for name in pages_of(site):
        page, left = open_page(f"{address}/{name}", color_scheme=scheme, viewport={"width": width, "height": 900})
        page.wait_for_load_state("load")
        page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than its window"
        cut = "[...document.querySelectorAll('.cell_input pre')].filter(code => code.scrollWidth > code.clientWidth).length"
        assert width == 400 or page.evaluate(cut) == 0, f"{name} cuts lines of code"
        found = axe.Axe().run(page)
        assert len(found.response["passes"]) > 10 and found.violations_count == 0, f"{name}\n{found.generate_report()}"
        assert left == [], name


@LONG
def test_the_home_page_opens_from_disk_and_says_what_needs_a_server(site, open_page):
    page, left = open_page(f"file://{site / PREFIX}/index.html")
    assert page.locator(".labkit-by-disk").first.is_visible() and left == []
    assert page.locator("[data-scene]").count() == 1


@LONG
def test_a_wrong_address_at_any_depth_leads_home(site, open_page):
    def served(route):
        path = site / route.request.url.removeprefix("https://example.org/").split("?")[0]
        route.fulfill(**({"path": path} if path.is_file() else {"status": 404, "path": site / PREFIX / "404.html"}))

    page, _ = open_page("about:blank")
    page.route("https://example.org/**", served)
    page.goto(f"{PUBLIC}labs/no/such.html")
    assert page.evaluate("getComputedStyle(document.querySelector('.labkit-footer')).display") == "flex", "no style"
    page.locator("article a", has_text=page.title().split(" — ")[1]).click()
    page.wait_for_url(f"{PUBLIC}index.html")


@LONG
def test_each_figure_of_the_solution_is_in_the_book_with_words(site):
    here = project.current()
    for language, lab in itertools.product(LANGUAGES, COURSE.names):
        cells = {cell.id: cell for cell in nbformat.read(here.solutions / f"{lab}.ipynb", 4).cells}
        released = nbformat.read(here.editions_of(lab)[language], 4).cells
        drawn = [cells[cell.id] for cell in released if cell.cell_type == "code" and "<img " in str(cells[cell.id])]
        page = (site / PREFIX / Edition(here, language).folder / f"labs/{lab}.html").read_text("utf-8")
        shown = [part for part in page.split('<div class="cell docutils container')[1:] if "<img " in part]
        assert len(shown) == len(drawn) > 3, (language, lab)
        assert all(re.findall(r'<img [^>]*?alt="[^"]{20}', part) for part in shown), (language, lab)


@LONG
def test_each_link_to_a_notebook_has_a_target(site):
    """`labkit site` checks the links of the pages, without what follows `?`."""
    lite = site / PREFIX / "lite/files"
    for page in (site / PREFIX).rglob("*.html"):
        for file in re.findall(r'lite/notebooks/index\.html\?path=([^"&]+)"', page.read_text("utf-8")):
            assert (lite / file).is_file(), f"{page}: {file}"
    for notebook in lite.rglob("*.ipynb"):
        for cell in nbformat.read(notebook, 4).cells:
            for file in re.findall(r"\]\(([^):#]+)\)", cell.source if cell.cell_type == "markdown" else ""):
                assert (notebook.parent / file).is_file(), f"{notebook}: {file}"


@LONG
def test_the_site_has_no_solution(site):
    folders = {path.name for path in (site / PREFIX).iterdir() if path.is_dir()}
    assert folders == {"_static", "download", "labs", "lite", *LANGUAGES[1:]}
    assert {
        path.name for path in (site / PREFIX).rglob("*") if path.name in ("solutions", "_sources", "jupyter_execute")
    } == set()


READY = "window.jupyterapp?.shell.currentWidget?.content?.model?.cells.length > 2"
RUN_AT_ONCE = """() => {
    const panel = window.jupyterapp.shell.currentWidget;
    panel.content.activeCellIndex = panel.content.widgets.findIndex(cell => cell.model.type === "code");
    window.jupyterapp.commands.execute("notebook:run-cell");
}"""


def test_every_way_out_of_a_lab_leads_somewhere(without_python, open_page):
    lab, following = COURSE.names[2:4]
    page, _ = open_page(f"{without_python}/lite/notebooks/index.html?path=es/{lab}.ipynb")
    lost, context = [], page.context
    context.on("response", lambda answer: lost.append(answer.url) if answer.status >= 400 else None)
    page.wait_for_function(READY)
    page.evaluate(RUN_AT_ONCE)
    toast = page.locator(".Toastify__toast", has_text=words_of("es")["loading"].partition("{")[0])
    toast.wait_for()
    assert page.locator(".labkit-book").evaluate("link => link.href") == f"{without_python}/es/labs/{lab}.html"

    def opened(click) -> object:
        with context.expect_page() as new:
            click()
        return new.value

    tree = opened(page.locator("#jp-NotebookLogo").click)
    tree.locator(".jp-DirListing-itemText", has_text=lab).wait_for()
    for menu, item in (("File", "Open…"), ("View", "File Browser")):
        page.locator(".lm-MenuBar-itemLabel", has_text=menu).click()
        opened(page.locator(".lm-Menu-itemLabel", has_text=item).first.click).wait_for_selector(".jp-DirListing-item")
    last = "window.jupyterapp.shell.currentWidget.content"
    page.evaluate(f"{last}.scrollToItem({last}.widgets.length - 1)")
    new = opened(page.locator(f'.jp-RenderedMarkdown a[href*="{following}"]').last.click)
    new.wait_for_function(f"window.jupyterapp?.shell.currentWidget?.context?.path === 'es/{following}.ipynb'")
    assert page.locator(".jp-Dialog").count() == 0, "a cell was run before the kernel had started"
    assert [address for address in lost if "/pyodide/" not in address] == []


RUN_SOLVED = """async answers => {
    const app = window.jupyterapp, panel = app.shell.currentWidget;
    for (const { model } of panel.content.widgets) if (model.id in answers) model.sharedModel.setSource(answers[model.id]);
    await app.commands.execute("notebook:run-all-cells");
    await app.commands.execute("docmanager:save");
    return panel.content.model.toJSON();
}"""
IN_BROWSER = [*((lab, LANGUAGES[0]) for lab in COURSE.names), *((lab, LANGUAGES[-1]) for lab in COURSE.names[::3])]


def answers_of(lab: str) -> dict[str, str]:
    """The solution's answers, by cell."""
    notebook = json.loads((project.current().solutions / f"{lab}.ipynb").read_text("utf-8"))
    cells = (cell for cell in notebook["cells"] if "exercise" in cell["metadata"].get("labkit", {}))
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


@LONG
@pytest.mark.parametrize(("lab", "language"), IN_BROWSER)
def test_a_lab_solved_in_the_browser_is_checked_downloaded_and_graded(
    lab, language, address, open_page, tmp_path, labkit
):
    folder = "" if language == LANGUAGES[0] else f"{language}/"
    page, left = open_page(f"{address}/{folder}labs/{lab}.html")
    page.locator("a.labkit-open").first.click()
    page.wait_for_function(READY)
    cells = page.evaluate(RUN_SOLVED, answers_of(lab))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in code), "Run All stopped before the end"
    wrong = [
        each
        for cell in code
        for each in cell["outputs"]
        if each["output_type"] == "error" or each.get("name") == "stderr"
    ]
    assert wrong == []
    checks = [cell for cell in code if cell["id"].startswith("check_")]
    assert checks and all("✔" in str(cell["outputs"]) and "✘" not in str(cell["outputs"]) for cell in checks)

    button = page.locator('[data-jp-item-name="download"]')
    assert button.inner_text().strip() == words_of(language)["hand-in"]
    with page.expect_download() as download:
        button.locator("jp-button, button").first.click()
    student = tmp_path / "class/ada" / download.value.suggested_filename
    student.parent.mkdir(parents=True)
    download.value.save_as(student)
    done = labkit("grade", tmp_path / "class", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    assert (row["status"], row["lab"], row["language"]) == ("graded", lab, language)
    lost = [check["name"] for check in row["checks"] if check["outcome"] not in ("passed", "manual")]
    assert lost == [] and left == [], "requests to other machines"


@LONG
def test_a_stale_copy_is_reported_and_replaced_by_the_new_lab(address, open_page):
    page, _ = open_page(f"{address}/lite/notebooks/index.html?path={LAB}.ipynb")
    page.wait_for_function(READY)
    page.evaluate("""async () => {
        const panel = window.jupyterapp.shell.currentWidget, title = panel.content.model.cells.get(0).sharedModel;
        title.setSource(title.getSource().replace(/Version [^<]+/, 'Version 0.0.1'));
        await panel.context.save();
    }""")
    page.reload()
    page.wait_for_function(READY)
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
