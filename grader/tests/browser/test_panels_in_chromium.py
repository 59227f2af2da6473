"""Opened rows of the class page, in Chromium: names, code, and texts to copy that `labkit grade` can read."""

import csv
import io
import shlex

import pytest
from needs import needs

from labkit.desk.people import adjustments
from labkit.desk.people.desk import read_comments
from labkit.desk.people.final_score import FinalScore, Person
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Check, Result
from labkit.student.judging.finding import Finding
from labkit.student.model import project

pytest.importorskip("playwright.sync_api")
graded_pages = pytest.importorskip("graded_pages")
pytestmark = [needs("Chromium"), pytest.mark.xdist_group("pages")]
LAB, EXERCISE, MISTAKE = "01_build_the_table", "sinusoidal_pe", "swapped-sin-cos"
CODE = 'def sinusoidal_pe(T, d):\n    """<b>Mine</b>."""\n    return 1.5  # </script>'
STUDENTS = ["ada", "bob, jr.", "cem '\"x\"'", "=1+1", "$(touch x)"]
TELLS_NOTHING = {"values": [1.0], "first": 1.0, "last": 1.0, "call": "sinusoidal_pe(4, 8)"}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A class whose students all made the same mistake. The first two wrote the same code."""
    found = Finding(MISTAKE, TELLS_NOTHING, named=True)

    def final_scores():
        for number, student in enumerate(STUDENTS):
            check = Check(EXERCISE, "the_table", "failed", (found,))
            code = {EXERCISE: CODE if number < 2 else f"{CODE}{number}"}
            result = Result.of(
                project.current(), Submission(student, LAB), "graded", checks=(check,), code=code, seed=1
            )
            yield FinalScore(result, Person(student, f"Name {number}", f"{number}@example.org", "A"))

    return graded_pages.pages(tmp_path_factory.mktemp("class"), final_scores())[0]


@pytest.fixture
def panel(report, opened):
    """The mistake's panel, opened with the keyboard."""
    page = opened(report)
    found = page.locator("#mistakes .panel")
    found.locator("summary").focus()
    page.keyboard.press("Enter")
    found.locator("pre").first.wait_for()
    return found


def made(panel, kind, **fields):
    """The text to copy, after filling in the fields with the keyboard."""
    page = panel.page
    panel.locator(f"[data-for={kind}]").focus()
    page.keyboard.press("Enter")
    action = panel.locator(f"[data-make={kind}]")
    for name, value in fields.items():
        action.locator(f"[name={name}]").focus()
        page.keyboard.type(value)
    assert panel.locator("[data-make]:visible").count() == 1
    return action.locator(".made").input_value()


def test_a_mistake_opens_to_names_and_each_different_code(panel):
    assert panel.locator(".who").all_inner_texts() == ["Name 0, Name 1", "Name 2", "Name 3", "Name 4"]
    assert panel.locator("pre").all_inner_texts() == [CODE, *(f"{CODE}{number}" for number in (2, 3, 4))]
    assert panel.locator("pre .k").first.inner_text() == "def"
    panel.locator("summary").click()
    panel.locator("summary").click()
    assert panel.locator("pre").count() == 4 and panel.locator(".actions").count() == 1
    assert panel.page.complaints == []


def test_labkit_reads_the_copied_comment(panel, tmp_path):
    (tmp_path / "comments.toml").write_text(made(panel, "comment", words='Say "why" at 5 % \\ x.'), "utf-8")
    comments = read_comments(project.current(), tmp_path / "comments.toml")
    assert comments.words == {(EXERCISE, MISTAKE): 'Say "why" at 5 % \\ x.'}


def test_labkit_reads_the_copied_changes_of_points(panel, tmp_path):
    (tmp_path / "adjustments.csv").write_text(made(panel, "points", add="-0.5", reason='Copied, "all", =1'), "utf-8")
    given = adjustments.read(project.current(), tmp_path / "adjustments.csv")
    assert [*given] == [(student, LAB) for student in STUDENTS]
    assert {(each.exercise, each.add, each.reason) for [each] in given.values()} == {
        (EXERCISE, -0.5, 'Copied, "all", =1')
    }


def test_the_list_has_a_row_for_each_student_and_no_formula(panel):
    head, *rows = csv.reader(io.StringIO(made(panel, "list")))
    assert head == ["id", "name", "email", "section", "lab", "exercise", "mistake"]
    ids = [each if each[0] != "=" else f"'{each}" for each in STUDENTS]
    assert rows == [[id, f"Name {n}", f"{n}@example.org", "A", LAB, EXERCISE, MISTAKE] for n, id in enumerate(ids)]


def test_the_copied_command_quotes_each_student_for_a_shell(panel):
    words = shlex.split(made(panel, "again"))
    assert words[:5] == ["labkit", "grade", "CLASS", "--out", "FOLDER"] and words[5::2] == ["--only"] * len(STUDENTS)
    assert words[6::2] == STUDENTS


def test_a_text_is_copied(panel):
    panel.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = made(panel, "list")
    panel.locator("[data-make=list] .copy").click()
    panel.locator("[data-make=list] output", has_text="Copied").wait_for()
    assert panel.page.evaluate("navigator.clipboard.readText()") == text


@pytest.fixture(scope="module")
def long_report(tmp_path_factory):
    results = (Result.of(project.current(), Submission(f"s{n:03}", LAB), "graded") for n in range(120))
    return graded_pages.pages(tmp_path_factory.mktemp("long"), map(FinalScore, results))[0]


def shown(page):
    return page.locator("#students tbody tr:visible th").all_inner_texts()


def test_a_long_table_shows_its_first_rows_and_all_on_demand(long_report, opened):
    page = opened(long_report)
    everybody = [f"s{n:03}" for n in range(120)]
    assert shown(page) == everybody[:100]
    for _ in range(2):
        page.click("#students thead th button")
    assert shown(page) == everybody[:-101:-1]
    page.fill("#filter-students", "s00")
    assert shown(page) == everybody[9::-1] and page.inner_text("#students output") == "10 of 120 rows"
    page.fill("#filter-students", "")
    page.emulate_media(media="print")
    assert len(shown(page)) == 120
    page.emulate_media(media="screen")
    assert len(shown(page)) == 100
    page.click("#students .show-all")
    assert shown(page) == everybody[::-1] and not page.locator("#students .show-all").count()


def test_opened_hostile_rows_execute_nothing(hostile_report, opened):
    page = opened(hostile_report)
    title = page.title()
    page.evaluate("document.querySelectorAll('.panel').forEach((each) => { each.open = true; })")
    page.locator(".panel[data-filled]").nth(page.locator(".panel").count() - 1).wait_for()
    for kind in ("comment", "points", "list", "again"):
        page.evaluate("kind => document.querySelectorAll(`[data-for=${kind}]`).forEach((each) => each.click())", kind)
    codes = page.locator(".panel pre").all_inner_texts()
    assert len(codes) > len(graded_pages.PAYLOADS) and any("<script>" in code for code in codes)
    assert not any("\u202e" in code or "\x1b" in code for code in codes)
    commands = page.locator("[data-make=again] .made").evaluate_all("all => all.map((each) => each.value)")
    assert "\x1b" not in "".join(commands)
    assert page.title() == title and page.evaluate("frames.length") == 0 and page.locator(".panel img").count() == 0
    assert page.asked == [hostile_report.as_uri()] and page.complaints == []
