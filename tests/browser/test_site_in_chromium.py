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
import numpy as np
import pytest
from needs import needs, skip_without

from encoding_labs import COURSE
from encoding_labs.diagnose.page import answer
from labkit.author.release import students
from labkit.author.site.pages import Edition, further_page, words_of
from labkit.student.model import project
from labkit.student.notebook import language as notebook_language

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
SECONDS = 600
LAB = COURSE.names[0]
PREFIX = "some/prefix"
PUBLIC = f"https://example.org/{PREFIX}/"
LONG = pytest.mark.long("builds the site and opens it in a browser")
pytestmark = [needs("Chromium"), pytest.mark.timeout(2 * SECONDS), pytest.mark.xdist_group("browser")]
# The theme is set by a script, and buttons fade to its colours.
COLOURS_ARE_SET = "Promise.allSettled(document.getAnimations().filter(each => each instanceof CSSTransition).map(each => each.finished))"
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
    """Some pages that students see: the home page, a lab and a further page in each language, and one more lab."""
    found = ["index.html", f"labs/{LAB}.html", "labs/03_rotation_proof.html"]
    found += [f"{language}/{page}" for language in LANGUAGES[1:] for page in ("index.html", f"labs/{LAB}.html")]
    found += [f"{folder}what_is_wrong.html" for folder in ("", *(f"{language}/" for language in LANGUAGES[1:]))]
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
        page.evaluate(COLOURS_ARE_SET)
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
    assert folders == {"_images", "_static", "download", "labs", "lite", *LANGUAGES[1:]}
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


FUNCTION = """
import numpy as np
def encode(length, d_model):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(d_model // 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(length, d_model)
"""
RIGHT = FUNCTION.replace("(np.arange(", "(2 * np.arange(")
ANGLES = np.arange(1, 13)[:, None] / 10000 ** (np.arange(4) / 4)
TABLE = str(np.stack([np.sin(ANGLES), np.cos(ANGLES)], axis=2).reshape(12, 8).round(4))
HOSTILE = "def f(n, d): raise ValueError('<img src=x onerror=document.title=1>')"
OUTSIDE = "def f(n, d):\n    import js\n    js.fetch('https://example.org/')"
ENDLESS = "def f(n, d):\n    while True: pass"
NAMES = {FUNCTION: "exponent-k-over-d", TABLE: "positions-from-one"}


def pasted(page, text: str) -> str:
    """What the page shows when this text is judged, without the form."""
    page.locator("#diagnose textarea").fill(text)
    page.locator("#diagnose textarea").press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("!document.querySelector('#diagnose [aria-disabled]')")
    return "\n".join(page.locator("#diagnose form ~ *").all_inner_texts())


def lines_for(text: str, language: str) -> list[str]:
    told = json.loads(answer(text, language))
    return told.get("lines") or [told["problem"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_what_is_wrong_with_pasted_text(language, tmp_path, open_page, monkeypatch):
    """Here, answers come from this process; with Pyodide, the test takes a minute."""
    monkeypatch.setattr(notebook_language, "_spoken", "en")  # restored after the test
    texts = [FUNCTION, TABLE, RIGHT, HOSTILE]
    known = json.dumps({text: answer(text, language) for text in texts})
    edition = Edition(project.current(), language)
    text = further_page(edition, edition.further()["what_is_wrong"])
    (folder := tmp_path / PREFIX / "_static").mkdir(parents=True)
    shown = re.sub("`(.+)`", r"<code>\1</code>", text)
    folder.with_name("page.html").write_text(f'<!doctype html><meta charset="utf-8"><html lang="{language}">{shown}')
    (folder / "diagnose.js").write_bytes((project.current().site / "diagnose.js").read_bytes())
    reply = "onmessage = ({data}) => postMessage(data.python ? {} : {answer: KNOWN[data.text]});"
    (folder / "diagnose_worker.js").write_text(f"const KNOWN = {known};\n{reply}", "utf-8")
    with served(tmp_path) as address:
        page, left = open_page(f"{address}/page.html")
        for text in texts:
            said = pasted(page, text)
            assert all(" ".join(line.split()) in said for line in lines_for(text, language)), said
            assert NAMES.get(text, "") in said and page.locator("#diagnose canvas").count() == 2 * (text != HOSTILE)
        assert page.locator("#diagnose img").count() == 0 and page.title() != "1" and left == []
        pasted(page, FUNCTION)
        cell = "map => [...map.getContext('2d').getImageData(18, 6, 1, 1).data.slice(0, 3)]"  # of row 0, column 1
        assert page.locator("#diagnose canvas").first.evaluate(cell) == [178, 24, 43], "the cosine of 0"


@LONG
@pytest.mark.parametrize("language", LANGUAGES)
def test_pasted_text_is_judged_in_the_browser(language, site, address, open_page, monkeypatch):
    monkeypatch.setattr(notebook_language, "_spoken", "en")
    folder = Edition(project.current(), language).folder
    page, left = open_page(f"{address}/{folder}what_is_wrong.html", viewport={"width": 400, "height": 900})
    loaded = []
    page.on("response", lambda reply: loaded.append(reply.url))
    for text in (RIGHT, TABLE, HOSTILE, FUNCTION):
        said = pasted(page, text)
        assert NAMES.get(text, "") in said and lines_for(text, language)[0] in said, said
    assert "AttributeError: fetch" in pasted(page, OUTSIDE)
    assert left == [] and page.locator("#diagnose img").count() == 0
    files = {site / PREFIX / url.partition(f"{PREFIX}/")[2] for url in loaded if "/lite/pyodide/" in url}
    stated = int(re.search(r"(\d+) MB", page.locator("#diagnose-privacy").inner_text())[1])
    assert abs(sum(path.stat().st_size for path in files) / 1e6 - stated) < 1
    page.locator("#diagnose button[type=button]").click()
    page.locator('#diagnose a[href*="#deepctr"]').wait_for()
    assert (site / PREFIX / folder / page.locator("#diagnose a").last.get_attribute("href")).is_file()
    for width in (400, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found = axe.Axe().run(page)
        assert len(found.response["passes"]) > 10 and found.violations_count == 0, found.generate_report()


@LONG
def test_an_endless_loop_is_stopped_and_the_next_text_judged(address, open_page):
    page, _ = open_page(f"{address}/what_is_wrong.html")
    said = pasted(page, ENDLESS)
    assert "10" in said and page.locator("#diagnose canvas").count() == 0
    assert NAMES[FUNCTION] in pasted(page, FUNCTION)


@LONG
def test_without_scripts_or_a_server_the_page_names_the_command(site, address, open_page):
    for place, scripts in ((address, False), (f"file://{site / PREFIX}", True)):
        page, _ = open_page(f"{place}/what_is_wrong.html", java_script_enabled=scripts)
        assert "python -m encoding_labs.diagnose" in page.locator("#diagnose").inner_text()
