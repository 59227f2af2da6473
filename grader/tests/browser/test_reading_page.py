"""The pages for written answers and regrade requests, in Chromium, by keyboard only. Skipped without Chromium."""

import json
import threading

import pytest
from desks import keep_code, leave
from needs import needs

from encoding_labs import COURSE
from labkit.desk.people import adjustments, manual
from labkit.desk.reading.regrades import RegradeDesk
from labkit.desk.reading.server import ReadingServer
from labkit.desk.reading.written import ReadingDesk, answers_in
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import RUBRIC, Check, Result
from labkit.student.judging.finding import Finding
from labkit.student.model import project

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = [needs("Chromium"), pytest.mark.xdist_group("browser")]
PATIENCE = 60  # seconds to wait for the page or its server on a busy machine
LAB, NEXT = "01_build_the_table", "02_heatmap"
HOSTILE = (
    "<script>window.hit=1</script>",
    "<img src=x onerror='window.hit=1'>",
    "</pre><svg onload=window.hit=1>",
    "\u202e=HYPERLINK(1)",
    "[x](javascript:window.hit=1) $\\href{javascript:window.hit=1}{y}$",
    "![x](http://127.0.0.1:9/x.png) $\\text{<img src=x onerror=window.hit=1>}$",
)
SEEN = (*HOSTILE[:3], "\\u202e=HYPERLINK(1)", "[x](javascript:window.hit=1) y", "[x] <img src=x onerror=window.hit=1>")
PICTURE = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ASKED = "<img src=x onerror='window.hit=1'> My table is right."


def result(student: str, lab: str, exercise: str, text: str) -> Result:
    check = Check(exercise, RUBRIC, "manual", (Finding("said", {"text": ASKED}),))
    return Result.of(project.current(), Submission(student, lab), "graded", None, 1, (check,), {exercise: text})


@pytest.fixture
def server(tmp_path):
    results = [result(f"student-{number}", LAB, "why_pairs", text) for number, text in enumerate(HOSTILE)]
    results += [result(f"twin-{number}", LAB, "why_pairs", "Because of rotation.") for number in range(3)]
    results += [result("ada", NEXT, "what_the_picture_hides", "Small steps.![steps](attachment:steps.png)")]
    leave(tmp_path, results)
    keep_code(tmp_path, {"ada": {"steps.png": PICTURE}}, NEXT, "attached")
    rows = json.loads((tmp_path / "results.json").read_text())
    asked = "".join(f'{who},{LAB},why_pairs,"{ASKED}"\n' for who in ("student-0", "twin-1"))
    (tmp_path / "requests.csv").write_text("student,lab,exercise,message\n" + asked + "x,y,z,<b>who</b>\n")
    server = ReadingServer(
        ReadingDesk(project.current(), answers_in(project.current().course, rows), tmp_path / "manual.csv"),
        RegradeDesk(project.current(), tmp_path),
    )
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    thread.join(PATIENCE)
    server.server_close()
    assert not thread.is_alive()


@pytest.fixture
def page(server, tab):
    tab.set_default_timeout(1000 * PATIENCE)
    tab.trouble, tab.host = [], server.host
    tab.goto(server.address)
    tab.wait_for_selector("#items button")
    yield tab
    tab.unroute_all()
    tab.goto("about:blank")


@pytest.fixture(scope="module")
def tab(browser):
    """One page for all tests in this file."""
    page = browser.new_page()
    page.on("console", lambda message: page.trouble.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.trouble.append(str(error)))
    page.on("request", lambda each: None if page.host in each.url else page.trouble.append(each.url))
    return page


def press(page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def marks(server) -> dict:
    return manual.read(project.current().course, server.desk.path)


def said(page, text: str) -> None:
    playwright.expect(page.locator("#saved")).to_contain_text(text, timeout=1000 * PATIENCE)


def complained(page, text: str) -> None:
    playwright.expect(page.locator("#message")).to_contain_text(text, timeout=1000 * PATIENCE)


def test_a_class_is_read_with_the_keyboard_alone(page, server):
    total = len(HOSTILE) + 1
    assert page.inner_text("#progress") == f"0 of {total}"
    assert page.locator("#items button").count() == 2 and "a rotation by δ·ω" in page.inner_text("#items")
    shown = set()
    for number in range(total):
        shown.add(page.inner_text("#answer"))
        press(page, "1", "2", "1")
        if number:
            press(page, "a")  # use the first answer's comment again
        else:
            press(page, "c")
            page.keyboard.type("See")
            press(page, "Escape")
        press(page, "Enter")
    said(page, "All answers to this exercise are graded")
    assert len(shown) == total and page.inner_text("#progress") == f"{total} of {total}"
    given = marks(server)
    assert len(given) == len(HOSTILE) + 3
    assert {(each.points, each.items, each.comment) for each in given.values()} == {(1, "2", "See")}
    press(page, "e")  # the next exercise
    playwright.expect(page.locator("#answer")).to_have_text("Small steps.", timeout=1000 * PATIENCE)
    assert page.evaluate("document.querySelector('#answer img').naturalWidth") == 1
    assert page.inner_text("#question").startswith("Explain")
    press(page, "1", "c")
    page.keyboard.type("Which ones? 2 u e")
    press(page, "Escape", "-")
    said(page, "0.5 of 1")
    ours = marks(server)["ada", NEXT, "what_the_picture_hides"]
    assert (ours.points, ours.comment) == (0.5, "Which ones? 2 u e")
    press(page, "u")
    said(page, "Undone: 1 of 1 again.")
    press(page, "u", "u")
    said(page, "Undone: this answer is ungraded again.")
    assert ("ada", NEXT, "what_the_picture_hides") not in marks(server)
    assert page.trouble == []


def test_hostile_answers_are_shown_and_do_nothing(page):
    shown = []
    for _ in range(len(HOSTILE) + 1):
        shown.append(page.text_content("#answer").replace("\u00a0", " "))
        press(page, "ArrowRight")
    assert set(SEEN) < set(shown)
    assert page.locator("#answer :is(img, script, svg, a)").count() == 0 and page.locator("#question a").count() == 0
    assert page.evaluate("window.hit") is None and page.trouble == []
    names = page.content() + json.dumps(page.evaluate("() => JSON.stringify(exercises)"))
    assert "student-" not in names and "twin-" not in names


def test_a_failed_save_is_reported_and_blocks_further_grading(page, server):
    server.desk.path.write_text("broken\n")
    press(page, "1")
    complained(page, "NOT SAVED: manual.csv, line 1")
    press(page, "2", "Enter", "1")
    assert server.desk.path.read_text() == "broken\n"


@pytest.mark.long("opens Chromium again; test_reading.py tests what happens behind the page")
def test_both_pages_are_accessible_and_fit_a_phone(page, server, accessible):
    press(page, "1", "c")
    page.keyboard.type("Which ones?")
    press(page, "Escape")
    page.set_viewport_size({"width": 400, "height": 800})
    for address in ("", "requests.html"):
        page.goto(server.address + address)
        page.wait_for_selector("#work:not([hidden])")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            accessible(page)


@pytest.mark.long("opens Chromium again; test_reading.py tests what happens behind the page")
def test_requests_are_answered_with_the_keyboard_alone(page, server):
    page.goto(server.address + "requests.html")
    page.wait_for_selector("#work:not([hidden])")
    assert ASKED in page.inner_text("#said") and "no such exercise" in page.inner_text("#lines")
    assert page.locator("#work img, #lines b").count() == 0 and HOSTILE[0] in page.inner_text("#answers")
    press(page, "m")
    page.keyboard.type("The rotation is there, a s m.")
    press(page, "Control+Enter")
    said(page, "Saved for student-0: 2 points.")
    press(page, "Escape", "Enter", "a")
    page.locator("#points").fill("9")
    press(page, "Control+Enter")
    complained(page, "Not saved: this answer: 9 is too many points; why_pairs is worth 2")
    press(page, "Escape", "k", "Control+Enter")
    said(page, "Saved for twin-1: same points.")
    press(page, "Escape", "Enter")
    said(page, "All requests are answered.")
    lines = server.regrades.path.with_name(adjustments.NAME).read_text().splitlines()
    reason = '"The rotation is there, a s m."'
    assert lines[1:] == [f"student-0,{LAB},why_pairs,,2,{reason},", f"twin-1,{LAB},why_pairs,0,,{reason},"]
    assert page.evaluate("window.hit") is None and [each for each in page.trouble if "409" not in each] == []


def test_every_lab_has_a_rubric_whose_items_add_up():
    from labkit.desk.reading.written import rubric_of

    for lab in COURSE.labs.values():
        for exercise in (each for each in lab.exercises if each.written):
            items = rubric_of(project.current(), lab.name, exercise.name).items
            assert sum(item.points for item in items) == exercise.points and all(item.text for item in items)
