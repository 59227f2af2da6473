"""The pages after grading, in Chromium: hostile text does nothing, and everything works with the keyboard."""

import re

import numpy as np
import pytest
from longer import every, times
from needs import needs

from encoding_labs import COURSE
from labkit.desk.interview.pages import MOST_LINES, Interview, Part, write
from labkit.desk.interview.questions import Option, Question
from labkit.desk.people.final_score import FinalScore, Person
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.points import points_by_check
from labkit.grade.judge.results import Check, Result, unjudged
from labkit.student.calls.calling import PIXELS
from labkit.student.judging.finding import Finding
from labkit.student.model import project
from labkit.student.notebook.figures import png_of

pytest.importorskip("playwright.sync_api")
graded_pages = pytest.importorskip("graded_pages")
pytestmark = [needs("Chromium"), pytest.mark.xdist_group("pages")]
EXERCISE, MISTAKE = "sinusoidal_pe", "swapped-sin-cos"
CODE = "def f(x):\n    return 'a' + 1.5  # not x"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A class of 30 in two labs and two sections, with lost points, answers that await grading, and unreadable files."""

    def final_scores():
        found = Finding(MISTAKE, {"call": "sinusoidal_pe(64, 32)", "first": 1.0}, named=True)
        for number in range(30):
            for lab in list(COURSE.labs.values())[:2]:
                outcomes = ["passed" if number % (3 + place) else "failed" for place in range(len(lab.exercises))]
                checks = [
                    Check(each.name, name_of(lab, each), outcome, (found,) * (outcome == "failed"))
                    for each, outcome in zip(lab.exercises, outcomes)
                    if not each.written
                ]
                checks += [Check(each.name, "rubric", "manual") for each in lab.exercises if each.written]
                whose = Submission(f"student-{number:02d}", lab.name, file="a.ipynb")
                code = {each.name: CODE for each in lab.exercises if not each.written}
                graded = Result.of(project.current(), whose, "graded", checks=tuple(checks), code=code)
                broken = unjudged(project.current(), whose, "unreadable", "the file is empty", 1)
                result, person = graded if number % 10 else broken, Person(whose.student, section="AB"[number % 2])
                yield FinalScore(result, person)

    return graded_pages.pages(tmp_path_factory.mktemp("class"), final_scores())[0]


def name_of(lab, exercise):
    stated = points_by_check(project.current(), lab.name)
    return next(name for name, (_, whose) in stated.items() if whose == exercise.name)


def test_hostile_text_does_nothing(hostile_report, opened):
    pages = sorted(hostile_report.parent.glob("students/*.html"))
    page = opened(hostile_report, width=360)
    for path in (hostile_report, *pages[:: times(4, 1)]):  # the report has each attack, a student's page one
        page.goto(path.as_uri())
        title = page.title()
        for _ in range(8):
            page.keyboard.press("Tab")
        assert page.title() == title != "obeyed" and page.evaluate("frames.length") == 0
        assert set(page.asked) == {path.as_uri()} and page.complaints == [], path.name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path.name
        page.asked.clear()


def test_markup_that_gets_past_the_templates_is_not_executed(report, opened, tmp_path):
    """If escaping failed, the page's content security policy would still block scripts."""
    broken = tmp_path / "broken.html"
    planted = "<script>document.title='obeyed'</script><img src='http://127.0.0.1:9/x.png' onerror=\"document.title='obeyed'\">"
    broken.write_text(report.read_text("utf-8").replace("<header>", f"{planted}<header>", 1), "utf-8")
    page = opened(broken)
    assert page.title() != "obeyed" and sum("Content Security Policy" in each for each in page.complaints) >= 2


@pytest.mark.parametrize(
    "scheme, width", every(2, [("light", 1280), ("dark", 360)], start=1, why="the same in light colours")
)
def test_the_pages_are_accessible(report, hostile_report, opened, accessible, scheme, width):
    student = sorted(report.parent.glob("students/*.html"))[3]
    for path in (report, student, hostile_report)[: times(2, 3)]:
        page = opened(path, width, color_scheme=scheme)
        page.evaluate("document.querySelectorAll('tbody tr:nth-child(n+4)').forEach((each) => each.remove())")
        assert accessible(page) > 15


def rows(page, section):
    return page.locator(f"#{section} tbody tr:visible th").all_inner_texts()


def test_a_table_is_sorted_and_filtered_with_the_keyboard_alone(report, opened):
    page = opened(report)
    everybody = rows(page, "students")
    assert everybody == sorted(everybody) and len(everybody) == 30
    field = page.locator("#filter-students")
    for _ in range(200):
        page.keyboard.press("Tab")
        if field.evaluate("each => each === document.activeElement"):
            break
    page.keyboard.type("STUDENT-1")
    assert rows(page, "students") == [f"student-{number}" for number in range(10, 20)]
    assert page.locator("#students output").inner_text() == "10 of 30 rows"
    page.keyboard.press("Tab")  # the table, which may be scrolled
    page.keyboard.press("Tab")  # its first heading
    head = page.locator("#students thead th").first
    assert head.locator("button").evaluate("each => each === document.activeElement")
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "descending"
    assert rows(page, "students") == [f"student-{number}" for number in range(19, 9, -1)]
    assert page.complaints == [] and page.asked == [report.as_uri()]


def test_numbers_are_sorted_as_numbers_and_an_arrow_says_which_way(report, opened):
    page = opened(report)
    cells = page.locator("#exercises tbody td:nth-child(3)")
    for direction in ("ascending", "descending"):
        page.click("#exercises thead th:nth-child(3) button")
        means = [
            text.partition("\n")[0] for text in cells.all_inner_texts()
        ]  # the points awaiting grading are on the next line
        assert "–" in means and len(set(means)) > 2
        ranks = [float("-inf") if mean == "–" else float(mean) for mean in means]
        assert ranks == sorted(ranks, reverse=direction == "descending")
        assert page.locator("#exercises [aria-sort]").get_attribute("aria-sort") == direction


def test_all_content_is_readable_without_scripts(report, opened_without_scripts):
    page = opened_without_scripts(report)
    assert len(rows(page, "students")) == 30 and page.locator("th button").count() == 0
    assert not page.locator("#filter-students").is_visible()
    page.click("text=student-01")
    assert page.inner_text("h1") == "Feedback for student-01"


def test_feedback_on_a_check_has_three_lines(report, opened):
    page = opened(report.parent / "students" / "student-03.html")
    lines = page.locator(".remarks li").evaluate_all(
        "all => all.map(each => each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight))"
    )
    assert lines and max(lines) < 3.5


@pytest.mark.parametrize("which", ["report.html", "students/student-03.html"])
def test_the_printed_report_has_pages_and_all_rows(report, opened, which):
    page = opened(report.parent / which, color_scheme="dark")
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 1
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav:visible, .tools:visible").count()
    if which == "report.html":
        assert len(rows(page, "students")) == 30 and len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 2


@pytest.mark.parametrize("form", ["A4", "Letter"])
def test_the_longest_interview_fits_on_two_sheets(tmp_path, opened, form):
    words = "In `answer(32)`, the first, second and last pair turn by 1, 0.42 and 2.4e-06 radians per position. " * 3
    table, picture = (
        "\n".join(["  0.841   0.54  0.0998  0.995  …"] * 5) + "\nshape (64, 32)",
        png_of(np.zeros(PIXELS, "u1")),
    )
    kinds = {"repair": Option(words, "why"), "change": Option(table, "why"), "predict": Option("", "why", picture)}
    long = " 8  " + "x = np.sin(np.arange(3)) + " * 3
    parts = [
        Part(
            f"Exercise {number}",
            ["    " + "x + " * 18] * (MOST_LINES // 3),
            [(number, Question(kind, "e", "What?", (option,) * 4, 0, line=long))],
        )
        for number, (kind, option) in enumerate(kinds.items(), 1)
    ]
    write(tmp_path, [Interview("ada", "Ada " * 20, "en", parts, ["01"], {})])
    page = opened(tmp_path / "ada.html")
    page.emulate_media(media="print")
    pdf = page.pdf(format=form)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 2
    assert not opened(tmp_path / "_key.html").asked[1:]
