"""The pages written after grading: their contents, and that no script in a student's text runs."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from graded_pages import EXERCISE, LAB, MISTAKE, NAMED, pages, result
from hostile_pages import PAYLOADS, hostile_class, hostile_comments

from labkit.desk.pages import students
from labkit.desk.pages.distribution import Distribution
from labkit.desk.pages.feedback import THREE_LINES, feedback, summary_of
from labkit.desk.pages.render import plain
from labkit.desk.pages.students import as_markdown
from labkit.desk.pages.tally import Tally
from labkit.desk.people.comments import Comments
from labkit.desk.people.final_score import FinalScore, Person, Reading
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Check, Result, unjudged
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import words_in
from labkit.student.model import project
from labkit.student.model.text import shortened

WORDS = words_in(Path(students.__file__).parent)["en"]


class Read(HTMLParser):
    """A page as a browser parses it: its elements and the text in them."""

    def __init__(self, page: str):
        super().__init__()
        self.elements, self.text, self._in = [], "", []
        self.raw = {"script": "", "style": "", "data": ""}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        kind = "data" if dict(attributes).get("type") == "application/json" else tag
        self._in = [kind] if kind in self.raw else []

    def handle_endtag(self, tag):
        self._in = []

    def handle_data(self, data):
        if self._in:
            self.raw[self._in[0]] += data
        else:
            self.text += f" {data}"

    def policy(self) -> str:
        return next(each["content"] for tag, each in self.elements if each.get("http-equiv"))


def test_everything_that_a_class_wrote_is_only_text(tmp_path):
    made = pages(tmp_path, hostile_class(LAB, EXERCISE, MISTAKE), hostile_comments(EXERCISE, MISTAKE))
    assert len(made) == 1 + 2 * len(PAYLOADS)
    told = ""
    for path in made:
        page = Read(path.read_text("utf-8"))
        told += page.text
        tags = [tag for tag, _ in page.elements]
        assert tags.count("script") == 3 * (path.name == "report.html") and tags.count("style") == 1
        assert not {"img", "iframe", "link", "object", "embed", "form", "base"} & set(tags)
        for tag, attributes in page.elements:
            assert not [
                name for name in attributes if name.startswith("on") or name in ("src", "style", "srcdoc", "autofocus")
            ]
            assert re.fullmatch(r"#[a-z]+|students/[a-z0-9._-]+\.html", attributes.get("href", "#a")), attributes
        for kind in ("script", "style"):
            assert "obeyed" not in page.raw[kind] and "example.org" not in page.raw[kind]
        assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f\x00\x1b]", path.read_text("utf-8"))
    for text in PAYLOADS[:9]:
        assert text in told
    assert "49" not in told and "\\u202e" in told


def test_a_page_allows_its_own_script_and_style_and_nothing_else(tmp_path):
    for path in pages(tmp_path, [FinalScore(result())]):
        page = Read(path.read_text("utf-8"))
        policy = dict(part.strip().split(" ", 1) for part in page.policy().split(";"))
        assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
        for kind in ("script", "style"):
            own = (
                f"'sha256-{b64encode(sha256(page.raw[kind].encode()).digest()).decode()}'"
                if page.raw[kind]
                else "'none'"
            )
            assert policy[f"{kind}-src"] == own
        assert not re.search(r"https?://", path.read_text("utf-8"))


def test_the_report_says_what_a_class_did(tmp_path):
    missing = unjudged(project.current(), Submission("cem", LAB), "unreadable", "the file is empty", 1)
    other = result("bob", passed_over=("bob/old.ipynb",), file="bob/new.ipynb")
    lecture = {MISTAKE: "Sort before you look for the least."}
    report = pages(tmp_path, map(FinalScore, (result(), other, missing)), lecture=lecture)[0]
    text = " ".join(Read(report.read_text("utf-8")).text.split())
    assert "3 submissions from 3 students. 2 written answers are still ungraded, so no score is final." in text
    assert "2 of 3 levels as-they-come For 3.0, 1.0 the first level is 3, the last 1. Which of them is smaller?" in text
    assert "Sort before you look for the least." in text and "Use the message." not in text
    assert "cem 02_levels unreadable the file is empty" in text
    assert "bob/new.ipynb was graded instead of bob/old.ipynb" in text
    again = pages(tmp_path, map(FinalScore, (result(), other, missing)))[0]
    assert "Use the message." in Read(again.read_text("utf-8")).text


def test_ungraded_submissions_are_in_no_median():
    tally = Tally(project.current().course)
    for each in (result(), unjudged(project.current(), Submission("bob", LAB), "not_judged", "no memory", 1)):
        tally.add(FinalScore(each))
    assert tally.labs[LAB].scores == [0] and tally.labs[LAB].odd() == ["1 not judged"]
    assert tally.exercises[LAB, EXERCISE].count == 1


def test_missing_submissions_are_in_no_median_and_their_page_says_so():
    tally, absent = (
        Tally(project.current().course),
        unjudged(project.current(), Submission("bob", LAB), "not_handed_in", "nothing was handed in", 1),
    )
    for each in (result(), absent):
        tally.add(FinalScore(each))
    assert tally.labs[LAB].scores == [0] and tally.labs[LAB].odd() == ["1 not handed in"]
    assert [each.student for each in tally.odd] == ["ada"]
    assert (tally.submissions, tally.labs[LAB].handed_in, len(tally.students)) == (1, 1, 2)
    told = feedback(project.current().course, FinalScore(absent))
    assert told.why == "nothing was handed in" and not told.parts


def test_a_written_answer_counts_once_it_is_read():
    tally = Tally(project.current().course)
    tally.add(FinalScore(result()))
    tally.add(FinalScore(result("bob"), readings={"meaning": Reading(0.5)}))
    meaning = tally.exercises[LAB, "meaning"]
    assert (meaning.waiting, meaning.count, meaning.points, meaning.of) == (1, 1, 0.5, 1)
    assert tally.labs[LAB].scores == [0, 0.5]


@pytest.mark.parametrize(
    "scores, most, counts",
    [
        ([0, 1.5, 3, 3], 3, [1, 1, 0, 2]),
        ([0, 39, 40], 40, [1] + [0] * 12 + [2]),
        ([2.5], 2.5, [0, 0, 1]),
        ([0, 0], 0, [2]),
        ([-1, 9], 4, [1, 0, 0, 0, 1]),
    ],
)
def test_every_score_is_in_one_bar(scores, most, counts):
    bars = Distribution(scores, most).bars()
    assert [bar.count for bar in bars] == counts and bars[0].low == 0 and bars[-1].high == most


def test_a_spread_in_words():
    words = Distribution([0, 2, 4, 4, 4], 4).words()
    assert words == "Median 4 of 4; the middle half is between 2 and 4. Full scores: 3 of 5. Scores of 0: 1."
    assert Distribution([1], 4).words() == "Median 1 of 4. Full scores: 0 of 1. Scores of 0: 0."


def test_a_student_reads_a_message_once_and_in_their_language():
    levels = feedback(project.current().course, FinalScore(result(language="es"))).parts[0]
    assert levels.remarks == ("Para 3.0, 1.0 el primer nivel es 3, el último 1. ¿Cuál es menor?",)
    assert (levels.points, levels.of, levels.passed, levels.checks, levels.state) == (0, 2, 0, 2, "wrong")
    assert (
        feedback(project.current().course, FinalScore(result(language="es"))).score()
        == "0 / 3 puntos por ahora · 1 punto pendiente de calificar"
    )


def test_quoted_text_in_a_remark_has_at_most_three_lines_and_ends_between_words():
    long = Check("draw_levels", "my_own", "failed", (Finding("said", {"text": "long " * 300}),))
    remark = feedback(project.current().course, FinalScore(result("ada", long))).parts[1].remarks[0]
    assert len(remark) <= THREE_LINES and remark.endswith("long …")


def test_each_mistake_is_a_separate_unshortened_item():
    several = tuple(replace(NAMED, facts={**NAMED.facts, "values": [n + 0.5332] * 19}) for n in range(7))
    remarks = (
        feedback(project.current().course, FinalScore(result("ada", Check(EXERCISE, "my_own", "failed", several))))
        .parts[0]
        .remarks
    )
    assert len(remarks) == 1 + len(several)
    assert all(remark.endswith("Which of them is smaller?") for remark in remarks)


@pytest.mark.parametrize(
    ("outcomes", "state"), [(["passed"], "right"), (["failed"], "wrong"), (["failed", "passed"], "partly")]
)
def test_an_exercise_without_points_is_what_its_checks_say(outcomes, state):
    checks = [Check("draw_levels", f"my_own_{n}", outcome) for n, outcome in enumerate(outcomes)]
    final_score = FinalScore(result("ada", *checks))
    part, tally = feedback(project.current().course, final_score).parts[1], Tally(project.current().course)
    tally.add(final_score)
    assert (part.of, part.state) == (0, state)
    passed = "" if state == "right" else f" ({part.passed} of {len(outcomes)} checks passed)"
    assert f"levels**: {WORDS[f'page-{state}']}{passed} · Reference " in as_markdown(
        [feedback(project.current().course, final_score)], (), "en"
    )
    assert tally.exercises[LAB, "draw_levels"].right == (state == "right")


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [
        ("off by 0.5332, 0.3141 and more", 18, "off by 0.5332, …"),
        ("off by\n 0.5", 18, "off by 0.5"),
        ("x" * 30, 10, "xxxxxxxxx…"),
        ("a " + "x" * 30, 10, "a xxxxxxx…"),
    ],
)
def test_a_text_is_cut_between_words(text, most, short):
    assert shortened(text, most) == short and len(short) <= most


@pytest.mark.parametrize(
    "finding, says",
    [
        (
            Finding("said", {"text": "assert 4.25 == 17.5 + where 4.25 = answer.levels([9, 13])"}),
            "A check written by your instructor failed.",
        ),
        (Finding("said", {"text": "Think of ties. assert [9] == [13] + where"}), "Think of ties."),
        (
            Finding("check-failed", {"error": "IndexError", "message": "17.5 at 13"}),
            "One check could not run on this answer; your instructor can see why.",
        ),
    ],
)
def test_drawn_values_never_appear_in_feedback(finding, says, tmp_path):
    final_score = FinalScore(result("ada", Check("draw_levels", "my_own[13-17.5]", "error", (finding,))))
    assert feedback(project.current().course, final_score).parts[1].remarks == (says,)
    page = pages(tmp_path, [final_score])[1]
    for text in (page.read_text("utf-8"), page.with_suffix(".md").read_text("utf-8")):
        assert "13" not in text.partition("<body>")[2] and "17.5" not in text and "my_own" not in text


def test_differing_outputs_are_reported_only_for_failed_checks_without_findings():
    unnamed = Result.of(project.current(), Submission("ada", LAB), "graded", checks=(
        Check(EXERCISE, "levels_as_in_the_lab", "failed"),
        Check(EXERCISE, "reference_outputs", "failed", (Finding("outputs-differ"),)),
    ))  # fmt: skip
    assert feedback(project.current().course, FinalScore(unnamed)).parts[0].remarks == (
        "The output differs from the reference output.",
    )
    passed = tuple(
        replace(check, outcome="passed") if check.name != "reference_outputs" else check for check in unnamed.checks
    )
    assert feedback(project.current().course, FinalScore(replace(unnamed, checks=passed))).parts[0].remarks == ()


def test_grader_faults_are_not_shown_to_students():
    told = feedback(
        project.current().course,
        FinalScore(unjudged(project.current(), Submission("ada", LAB), "not_judged", "KernelDied: /secret", 1)),
    )
    assert "secret" not in told.why and "graded again" in told.why
    assert {part.state for part in told.parts} == {"error"} and not any(part.remarks for part in told.parts)


def test_comments_and_grader_remarks_are_next_to_the_answer(tmp_path):
    final_score = FinalScore(
        result(), readings={"meaning": Reading(0.5, "Yes.\nBut why?")}, person=Person("1", "Ada Lovelace")
    )
    comments = Comments({(EXERCISE, MISTAKE): "See page 3.", (EXERCISE, "levels_as_in_the_lab"): "Sheet 2, too."})
    page = pages(tmp_path, [final_score], comments)[1]
    text = " ".join(Read(page.read_text("utf-8")).text.split())
    assert "Feedback for Ada Lovelace" in text and "0.5 / 3 points" in text
    assert text.count("From your instructor See page 3.") == text.count("From your instructor Sheet 2, too.") == 1
    assert "Your answer What occurs. Your grader says Yes. But why?" in text
    told = page.with_suffix(".md").read_text("utf-8")
    assert "- From your instructor: See page 3." in told and "Your grader says: Yes. But why?" in told
    assert (
        told.startswith(
            "0.5 / 3 points\n\nNext: look at “levels” in 02_levels again.\n\n## 02_levels: 0.5 / 3 points\n"
        )
        and "**levels**: 0 of 2, not yet right (0 of 2 checks passed)" in told
    )


@pytest.mark.parametrize(
    "text, as_text",
    [
        ("<b>x</b> a < b", "&lt;b>x&lt;/b> a < b"),
        ("draw_levels and _that_ *so*", r"draw_levels and \_that\_ \*so\*"),
        ("[x](javascript:y) & &amp; `z`", r"\[x\](javascript:y) & &amp;amp; \`z\`"),
        ("# no\nheading", "\\# no heading"),
        ("- no list", "\\- no list"),
        (" 1. none", "1\\. none"),
    ],
)
def test_text_in_markdown_is_only_text(text, as_text):
    assert plain(text) == as_text


def test_hostile_text_is_only_text_in_markdown():
    for final_score in hostile_class(LAB, EXERCISE, MISTAKE):
        told = as_markdown(
            [feedback(project.current().course, final_score, hostile_comments(EXERCISE, MISTAKE))], (), "en"
        )
        assert not re.search(r"<[a-zA-Z/!?]|(?<!\\)\]\(|\u202e|\x1b", told)


def test_a_page_begins_with_all_points_and_the_exercise_to_open_next(tmp_path):
    """The points are the total over all labs. The page never suggests opening an ungraded written answer next."""
    other = Result.of(
        project.current(),
        Submission("ada", "01_spread"),
        "graded",
        checks=(Check("spread", "spread_as_in_the_lab", "passed"), Check("robust", "rubric", "manual")),
    )
    page = pages(tmp_path, map(FinalScore, (other, result())))[1]
    text = " ".join(Read(page.read_text("utf-8")).text.split())
    score, following = (
        "All labs: 1 / 6 points so far · 3 points awaiting manual grading",
        "Next: look at “levels” in 02_levels again.",
    )
    assert f"{score} {following} 01 · Spread" in text
    assert page.with_suffix(".md").read_text("utf-8").startswith(f"{score}\n\n{following}\n\n## 01 · Spread: ")


@pytest.mark.parametrize(
    ("outcome", "says"),
    [
        ("passed", "There is nothing left to correct."),
        ("missing", "Next: write “levels” in 02_levels."),
        ("failed", "look at “levels”"),
    ],
)
def test_the_next_step(outcome, says):
    checks = [Check(EXERCISE, name, outcome) for name in ("levels_as_in_the_lab", "levels_of_drawn_values")]
    told = feedback(project.current().course, FinalScore(replace(result(), checks=tuple(checks))))
    score, following = summary_of([told], "en")
    assert says in following and score.startswith("2 / 3" if outcome == "passed" else "0 / 3")


def test_the_course_says_whether_resubmission_is_allowed(tmp_path):
    course = replace(project.current(), resubmission="Submit again until <b>Friday</b>.")
    own = students.StudentPages(course, tmp_path)
    own.add(FinalScore(result()))
    page = (own.finish() / "ada.html").read_text("utf-8")
    assert "Submit again until &lt;b&gt;Friday&lt;/b&gt;." in page
    assert "Submit again until" in (tmp_path / "students/ada.md").read_text("utf-8")


def test_right_answers_are_folded_and_wrong_ones_open(tmp_path):
    said = (Finding("said", {"text": "All different."}),)
    right = Check("draw_levels", "the_line_goes_through_the_values", "passed", said)
    page = pages(tmp_path, [FinalScore(result("ada", right))])[1].read_text("utf-8")
    assert page.count("<details>") == 1 and "All different." in page.partition("<details>")[2]
    assert "Which of them is smaller?" in page.partition("<details>")[0]
