"""The pages written after grading: their contents, and that no script in a student's text runs."""

import errno
import re
import shutil
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import jinja2
import pytest
from desks import refused
from graded_pages import EXERCISE, LAB, MISTAKE, NAMED, PAYLOADS, hostile_class, hostile_comments, pages, result

from labkit.desk.pages import render, students
from labkit.desk.pages.feedback import THREE_LINES, Feedback, feedback, summary_of
from labkit.desk.pages.render import plain
from labkit.desk.pages.report import Tally
from labkit.desk.pages.students import as_markdown
from labkit.desk.people.desk import Comments
from labkit.desk.people.final_score import FinalScore, Mark, Person
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Check, Result
from labkit.student.judging import words
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


def told(final_score: FinalScore, *comments: Comments) -> Feedback:
    return feedback(final_score, *comments)


def counted(*final_scores: FinalScore) -> Tally:
    tally = Tally(project.current().course)
    for each in final_scores:
        tally.add(each)
    return tally


def text_of(page: Path) -> str:
    return " ".join(Read(page.read_text("utf-8")).text.split())


def test_everything_that_a_class_wrote_is_only_text(tmp_path):
    made = pages(tmp_path, hostile_class(LAB, EXERCISE, MISTAKE), hostile_comments(EXERCISE, MISTAKE))
    assert len(made) == 1 + 2 * len(PAYLOADS)
    seen = ""
    for path in made:
        page = Read(path.read_text("utf-8"))
        seen += page.text
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
        assert text in seen
    assert "49" not in seen and "\\u202e" in seen


def test_a_page_allows_its_own_script_and_style_and_nothing_else(tmp_path):
    for path in pages(tmp_path, [FinalScore(result())]):
        page = Read(path.read_text("utf-8"))
        policy = dict(part.strip().split(" ", 1) for part in page.policy().split(";"))
        assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
        for kind in ("script", "style"):
            digest = b64encode(sha256(page.raw[kind].encode()).digest()).decode()
            assert policy[f"{kind}-src"] == (f"'sha256-{digest}'" if page.raw[kind] else "'none'")
        assert not re.search(r"https?://", path.read_text("utf-8"))


def test_the_report_says_what_a_class_did(tmp_path):
    missing = refused("cem", lab=LAB)
    other = result("bob", passed_over=("bob/old.ipynb",), file="bob/new.ipynb")
    lecture = {MISTAKE: "Sort before you look for the least."}
    report = pages(tmp_path, map(FinalScore, (result(), other, missing)), lecture=lecture)[0]
    text = text_of(report)
    assert "3 submissions from 3 students. 2 written answers are still ungraded, so no score is final." in text
    assert "2 of 3 levels as-they-come For 3.0, 1.0 the first level is 3, the last 1. Which of them is smaller?" in text
    assert "Sort before you look for the least." in text and "Use the message." not in text
    assert "cem 02_levels unreadable the file is empty" in text
    assert "bob/new.ipynb was graded instead of bob/old.ipynb" in text
    again = pages(tmp_path, map(FinalScore, (result(), other, missing)))[0]
    assert "Use the message." in text_of(again)


@pytest.mark.parametrize("status", ["not_judged", "not_handed_in"])
def test_ungraded_and_missing_submissions_are_in_no_median(status):
    absent = FinalScore(refused("bob", status, lab=LAB))
    tally = counted(FinalScore(result()), absent)
    assert (tally.labs[LAB].scores, tally.labs[LAB].statuses) == ([0], {"graded": 1, status: 1})
    assert tally.exercises[LAB, EXERCISE].count == 1 and len(tally.students) == 2
    is_missing = status == "not_handed_in"
    assert tally.submissions == tally.labs[LAB].submitted == 2 - is_missing
    assert [each.student for each in tally.odd] == [0, *([1] * (not is_missing))]


def test_a_written_answer_counts_once_it_is_read():
    tally = counted(FinalScore(result()), FinalScore(result("bob"), readings={"meaning": Mark(0.5)}))
    meaning = tally.exercises[LAB, "meaning"]
    assert (meaning.waiting, meaning.count, meaning.points, meaning.of) == (1, 1, 0.5, 1)
    assert tally.labs[LAB].scores == [0, 0.5]


def test_a_student_reads_a_message_once_and_in_their_language():
    found = told(FinalScore(result(language="es")))
    levels = found.parts[0]
    assert levels.remarks == ("Para 3.0, 1.0 el primer nivel es 3, el último 1. ¿Cuál es menor?",)
    assert (levels.points, levels.of, levels.passed, levels.checks, levels.state) == (0, 2, 0, 2, "wrong")
    assert found.score() == "0 / 3 puntos por ahora · 1 punto pendiente de calificar"


def test_quoted_text_in_a_remark_has_at_most_three_lines_and_ends_between_words():
    long = Check("draw_levels", "my_own", "failed", (Finding("said", {"text": "long " * 300}),))
    remark = told(FinalScore(result("ada", long))).parts[1].remarks[0]
    assert len(remark) <= THREE_LINES and remark.endswith("long …")


def test_each_mistake_is_a_separate_unshortened_item():
    several = tuple(replace(NAMED, facts={**NAMED.facts, "values": [n + 0.5332] * 19}) for n in range(7))
    remarks = told(FinalScore(result("ada", Check(EXERCISE, "my_own", "failed", several)))).parts[0].remarks
    assert len(remarks) == 1 + len(several)
    assert all(remark.endswith("Which of them is smaller?") for remark in remarks)


def test_a_program_that_shipped_with_a_mistake_is_named_once(monkeypatch, tmp_path):
    monkeypatch.setattr(words, "_TEMPLATES", dict(words._TEMPLATES))
    words.register({"en": {f"shipped {MISTAKE}": "a rocket"}, "es": {f"shipped {MISTAKE}": "un cohete"}}, EXERCISE)
    other = Check(EXERCISE, "my_own", "failed", (replace(NAMED, facts={**NAMED.facts, "first": 4.0}),))
    for language, program in (("en", " a rocket."), ("es", " un cohete.")):
        first, *rest = told(FinalScore(result("ada", other, language=language))).parts[0].remarks
        assert first.endswith(program) and rest and not any(program in remark for remark in rest)
    report, *_ = pages(tmp_path, [FinalScore(result("ada", other))])
    assert text_of(report).count("a rocket") == 1


@pytest.mark.parametrize(
    ("outcomes", "state"), [(["passed"], "right"), (["failed"], "wrong"), (["failed", "passed"], "partly")]
)
def test_an_exercise_without_points_is_what_its_checks_say(outcomes, state):
    checks = [Check("draw_levels", f"my_own_{n}", outcome) for n, outcome in enumerate(outcomes)]
    final_score = FinalScore(result("ada", *checks))
    part, tally = told(final_score).parts[1], counted(final_score)
    assert (part.of, part.state) == (0, state)
    passed = "" if state == "right" else f" ({part.passed} of {len(outcomes)} checks passed)"
    assert f"levels**: {WORDS[f'page-{state}']}{passed} · Reference " in as_markdown([told(final_score)], (), "en")
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
    assert told(final_score).parts[1].remarks == (says,)
    page = pages(tmp_path, [final_score])[1]
    for text in (page.read_text("utf-8"), page.with_suffix(".md").read_text("utf-8")):
        assert "13" not in text.partition("<body>")[2] and "17.5" not in text and "my_own" not in text


def test_differing_outputs_are_reported_only_for_failed_checks_without_findings():
    unnamed = Result.of(project.current(), Submission("ada", LAB), "graded", checks=(
        Check(EXERCISE, "levels_as_in_the_lab", "failed"),
        Check(EXERCISE, "reference_outputs", "failed", (Finding("outputs-differ"),)),
    ))  # fmt: skip
    assert told(FinalScore(unnamed)).parts[0].remarks == ("The output differs from the reference output.",)
    passed = tuple(
        replace(check, outcome="passed") if check.name != "reference_outputs" else check for check in unnamed.checks
    )
    assert told(FinalScore(replace(unnamed, checks=passed))).parts[0].remarks == ()


def test_grader_faults_are_not_shown_to_students():
    fault = refused("ada", "not_judged", "KernelDied: /secret", LAB)
    found = told(FinalScore(fault))
    assert "secret" not in found.why and "graded again" in found.why
    assert {part.state for part in found.parts} == {"error"} and not any(part.remarks for part in found.parts)


def test_comments_and_grader_remarks_are_next_to_the_answer(tmp_path):
    readings = {"meaning": Mark(0.5, "Yes.\nBut why?")}
    final_score = FinalScore(result(), readings=readings, person=Person("1", "Ada Lovelace"))
    comments = Comments({(EXERCISE, MISTAKE): "See page 3.", (EXERCISE, "levels_as_in_the_lab"): "Sheet 2, too."})
    page = pages(tmp_path, [final_score], comments)[1]
    text, markdown = text_of(page), page.with_suffix(".md").read_text("utf-8")
    assert "Feedback for Ada Lovelace" in text and "0.5 / 3 points" in text
    assert text.count("From your instructor See page 3.") == text.count("From your instructor Sheet 2, too.") == 1
    assert "Your answer What occurs. Your grader says Yes. But why?" in text
    assert "- From your instructor: See page 3." in markdown and "Your grader says: Yes. But why?" in markdown
    score, following = "0.5 / 3 points", "Next: look at “levels” in 02_levels again."
    assert markdown.startswith(f"{score}\n\n{following}\n\n## 02_levels: {score}\n")
    assert "**levels**: 0 of 2, not yet right (0 of 2 checks passed)" in markdown


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
        text = as_markdown([told(final_score, hostile_comments(EXERCISE, MISTAKE))], (), "en")
        assert not re.search(r"<[a-zA-Z/!?]|(?<!\\)\]\(|\u202e|\x1b", text)


def test_a_page_begins_with_all_points_and_the_exercise_to_open_next(tmp_path):
    """The points are the total over all labs. The page never suggests opening an ungraded written answer next."""
    checks = Check("spread", "spread_as_in_the_lab", "passed"), Check("robust", "rubric", "manual")
    other = Result.of(project.current(), Submission("ada", "01_spread"), "graded", checks=checks)
    page = pages(tmp_path, map(FinalScore, (other, result())))[1]
    score = "All labs: 1 / 6 points so far · 3 points awaiting manual grading"
    following = "Next: look at “levels” in 02_levels again."
    assert f"{score} {following} 01 · Spread" in text_of(page)
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
    score, following = summary_of([told(FinalScore(replace(result(), checks=tuple(checks))))], "en")
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


def test_templates_are_compiled_once(tmp_path, monkeypatch):
    shutil.copytree(render.TEMPLATES, tmp_path / "own", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(render, "TEMPLATES", tmp_path / "own")
    environment = render.environment.__wrapped__
    with monkeypatch.context() as full:
        full.setattr(Path, "mkdir", _no_space)
        assert environment().get_template("report.html")
    assert not (tmp_path / "own" / "__pycache__").exists()
    assert environment().get_template("report.html")
    monkeypatch.delattr(jinja2.Environment, "compile")
    assert environment().get_template("report.html")


def _no_space(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")
