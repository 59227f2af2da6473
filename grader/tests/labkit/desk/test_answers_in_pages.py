"""Students' code on the class page and on their own pages: each different answer once, and only as text."""

import json
import re
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

from graded_pages import EXERCISE, LAB, MISTAKE, NAMED, PAYLOADS, pages, report_of, result
from hypothesis import given
from hypothesis import strategies as st

from labkit.desk.pages.render import as_html, runs
from labkit.desk.pages.report import Tally
from labkit.desk.people.final_score import FinalScore, Person
from labkit.grade.judge.results import LONGEST_CODE, Check
from labkit.student.model import project
from labkit.student.model.text import legible

CODE = "def levels(values):\n    return list(values)  # as they come\n"

RIGHT = Check("draw_levels", "the_line_goes_through_the_values", "passed")


def text_of(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def panels(page: str, section: str) -> list[str]:
    inside = page.partition(f'<section id="{section}"')[2].partition("</section>")[0]
    return re.findall(r'<details class="panel".*?</details>', inside, re.DOTALL)


def codes(page: str) -> list[str]:
    """Each student's code that the page's script can show."""
    lines = page.partition('id="codes">')[2].partition("</script>")[0].splitlines()
    return ["".join(part if isinstance(part, str) else part[1] for part in json.loads(line)) for line in lines]


def test_a_mistake_opens_to_its_students_and_the_same_code_is_there_once(tmp_path):
    other = replace(NAMED, facts={**NAMED.facts, "first": 9.0})
    checks = (Check(EXERCISE, "levels_as_in_the_lab", "failed", (other,)),)
    class_of = [
        FinalScore(result("ada", code={EXERCISE: CODE}), Person("ada", "Ada <Lovelace>")),
        FinalScore(result("bob", code={EXERCISE: f"\n{CODE}  "})),
        FinalScore(result("cem", code={EXERCISE: "levels = tuple"}, checks=checks)),
    ]
    page = report_of(tmp_path, *class_of)
    [panel] = panels(page, "mistakes")
    assert re.findall('href="([^"]*)"', panel) == [f"students/{name}.html" for name in ("ada", "bob", "cem")]
    assert text_of(panel) == (
        "3 students, 2 different answers Ada <Lovelace> , bob cem "
        "For 3.0, 1.0 the first level is 9, the last 1. Which of them is smaller?"
    )
    assert re.findall('data-code="([^"]*)"', panel) == ["0", "1"]
    assert codes(page) == [CODE.strip(), "levels = tuple"]
    assert f'data-lab="{LAB}" data-exercise="{EXERCISE}" data-mistake="{MISTAKE}"' in panel
    people = json.loads(page.partition('id="people">')[2].partition("</script>")[0])
    assert people[0] == ["ada", "Ada <Lovelace>", "", ""] and len(people) == 3


def test_the_page_shows_some_of_very_many_answers_and_names_all_students(monkeypatch):
    monkeypatch.setattr("labkit.desk.pages.panels.MOST_ANSWERS", 2)
    tally = Tally(project.current().course)
    for number, code in enumerate(["a", "b", "c", "a", "d"]):
        tally.add(FinalScore(result(f"s{number}", RIGHT, code={EXERCISE: code})))
    [found] = tally.mistakes.sorted()
    assert [(each.code, each.students) for each in found.answers] == [(0, [0, 3]), (1, [1]), (None, [2, 4])]
    assert len(tally.codes.lines) == 2 and found.students == [0, 1, 2, 3, 4]


def test_a_submission_to_review_opens_to_its_answers(tmp_path):
    late = FinalScore(result(code={EXERCISE: CODE, "draw_levels": "pass"}), penalty=1, why_late="a day")
    page = report_of(tmp_path, late)
    panel = panels(page, "odd")[0]
    assert re.findall('data-code="([^"]*)"', panel) == ["0", "1"] and "Which of them is smaller?" in panel
    assert 'href="students/ada.html"' in page.partition('id="odd"')[2].partition("<details")[0]


def test_similar_answers_are_found_again_and_the_same_code_is_there_once(tmp_path):
    long = "def levels(values):\n" + "".join(f"    a{n} = values[{n}] + {n} * a{n}\n" for n in range(30))
    both = {name: result(name, code={EXERCISE: long}) for name in ("ada", "bob")}
    both["cem"] = result("cem", code={EXERCISE: long.replace("values", "x")})
    page = report_of(tmp_path, *map(FinalScore, both.values()), find=lambda student, lab: both[student])
    [panel] = panels(page, "alike")
    assert text_of(panel).startswith("Compare the code") and panel.count("data-code") == 2


def test_a_student_sees_their_code_and_that_of_right_answers_folded(tmp_path):
    code = {EXERCISE: CODE, "draw_levels": "x < 1"}
    page = pages(tmp_path, [FinalScore(result("ada", RIGHT, code=code, language="es"))])[1].read_text("utf-8")
    shown, folded = re.findall("<pre><code>(.*?)</code></pre>", page, re.DOTALL)
    assert unescape(re.sub("<[^>]*>", "", shown)) == CODE.strip() and "<i class=c># as they come</i>" in shown
    assert page.count("<details>") == 1 and folded in page.partition("<details>")[2] and "x &lt;" in folded
    assert page.count("Tu código") == 2 and "Solo se muestran" not in page


def test_the_page_says_that_long_code_is_cut(tmp_path):
    page = pages(tmp_path, [FinalScore(result(code={EXERCISE: "x" * LONGEST_CODE}))])[1].read_text("utf-8")
    assert "Only the first 10,000 characters are shown." in page


class Inside(HTMLParser):
    """The tags and the text in a piece of HTML."""

    def __init__(self, html: str):
        super().__init__()
        self.tags, self.text = set(), ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add((tag, *attributes))

    def handle_data(self, data):
        self.text += data


@given(st.text() | st.sampled_from(PAYLOADS))
def test_highlighted_code_is_the_code_and_only_text(code):
    plain = legible(code.strip("\n").rstrip())
    assert "".join(text for _, text in runs(code)) == plain
    inside = Inside(str(as_html(code)))
    assert inside.text == plain and inside.tags <= {("i", ("class", kind)) for kind in "kfscn"}
