"""Chromium, and pages in it that record their requests and console errors."""

import pytest
from needs import CHROMIUM


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
