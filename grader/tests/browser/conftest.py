"""Chromium, pages in it that record their requests and console errors, and a hostile class to show."""

import pytest
from needs import CHROMIUM

from encoding_labs import COURSE

EXERCISE, MISTAKE = "sinusoidal_pe", "swapped-sin-cos"
STANDARD = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def tab(browser):
    """One page, shared by all tests in a file, because opening a new one takes longer than most tests."""
    page = browser.new_page()
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("dialog", lambda dialog: page.complaints.append("dialog"))
    return page


@pytest.fixture
def opened(tab):
    """Open a file, and record its requests and console errors from then on."""

    def open_page(path, width=1280, color_scheme="light"):
        tab.goto("about:blank")
        tab.asked, tab.complaints = [], []
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(color_scheme=color_scheme, media="screen")
        tab.goto(path.as_uri())
        return tab

    return open_page


@pytest.fixture
def opened_without_scripts(browser):
    """Open a file in a page that runs no script."""
    pages = []

    def open_page(path):
        pages.append(browser.new_page(java_script_enabled=False))
        pages[-1].goto(path.as_uri())
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


@pytest.fixture(scope="session")
def accessible():
    """Check a page with axe, and that it is no wider than its window. Returns the number of rules that passed."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")

    def check(page, **options) -> int:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than its window"
        found = axe.Axe().run(page, options={**STANDARD, **options})
        assert found.violations_count == 0, found.generate_report()
        return len(found.response["passes"])

    return check


@pytest.fixture(scope="session")
def hostile_report(tmp_path_factory):
    """The report of a class that attacks with every text it can write; its students' pages are next to it."""
    graded_pages = pytest.importorskip("graded_pages")
    out, lab = tmp_path_factory.mktemp("hostile"), COURSE.lab_of(EXERCISE)
    final_scores = graded_pages.hostile_class(lab, EXERCISE, MISTAKE)
    return graded_pages.pages(out, final_scores, graded_pages.hostile_comments(EXERCISE, MISTAKE))[0]
