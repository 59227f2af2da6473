"""An instructor's comments are read before grading, and errors in them are reported."""

import pytest
from course_copy import CourseCopy

from labkit.desk.people.desk import read_comments, read_lecture
from labkit.grade.judge.results import Check
from labkit.student.judging.finding import Finding
from labkit.student.model import project
from labkit.student.model.errors import UserError
from labkit.student.notebook.expected import graders_expected


@pytest.fixture
def written(tmp_path):
    def write(text: str):
        path = tmp_path / "comments.toml"
        path.write_text(text, "utf-8")
        return path

    return write


def test_words_are_found_by_mistake_and_by_check(written):
    text = '[levels]\nas-they-come = "Sort."\nlevels_of_drawn_values = "Try more."\n[spread]\ntest_spread_of_drawn_values = "Sheet 2."'
    comments = read_comments(project.current(), written(text))
    named = Finding("as-they-come/other", {}, named=True)
    wrong = Check("levels", "levels_of_drawn_values[7]", "failed", (named,))
    assert list(comments.on(wrong)) == ["Sort.", "Try more."]
    assert list(comments.on(Check("levels", "levels_of_drawn_values", "passed"))) == []
    assert list(comments.on(Check("draw_levels", "levels_of_drawn_values", "failed", (named,)))) == []
    assert ("spread", "spread_of_drawn_values") in comments.words


def test_a_mistake_that_only_a_formula_states_has_words_too(written, monkeypatch):
    here = project.current()
    stored = graders_expected(here, here.course.labs["02_levels"])
    monkeypatch.setitem(stored, "levels: mistakes", [{"id": "by-a-formula/first", "values": []}])
    assert read_comments(project.current(), written('[levels]\nby-a-formula = "Sort."')).words == {
        ("levels", "by-a-formula"): "Sort."
    }
    assert [*read_lecture(project.current(), written('by-a-formula = "1"\nas-they-come = "2"'))] == [
        "by-a-formula",
        "as-they-come",
    ]


@pytest.mark.parametrize(
    "text, says",
    [
        ('[level]\nas-they-come = "x"', "there is no exercise 'level'; did you mean levels?"),
        (
            '[levels]\nas-they-came = "x"',
            "there is no mistake or check of levels 'as-they-came'; did you mean as-they-come?",
        ),
        ('[draw_levels]\nas-they-come = "x"', "there is no mistake or check of draw_levels 'as-they-come'"),
        ('levels = "x"', "levels is an exercise; put its comments in a table, [levels]"),
        ("[levels]\nas-they-come = 3", "levels.as-they-come must be text, not 3"),
        ('[levels]\nas-they-come = " "', "levels.as-they-come must be text, not ' '"),
        ("[levels", "Expected ']'"),
    ],
)
def test_an_error_in_comments_is_one_line(written, text, says):
    with pytest.raises(UserError) as told:
        read_comments(project.current(), written(text))
    assert says in str(told.value) and "comments.toml: " in str(told.value) and "\n" not in str(told.value)


def test_comments_are_on_the_page_of_each_student_with_the_mistake(tmp_path, labkit, handout):
    wrong = "def levels(values):\n    return np.array(list(dict.fromkeys(values)), dtype=float)"
    for student in ("ada", "bob"):
        handout("02_levels").write("levels", wrong).save(tmp_path / "class" / student / "02_levels.ipynb")
    own = tmp_path / "own.toml"
    own.write_text('[levels]\nas-they-come = "Sheet 2 sorts them."')
    done = labkit("grade", tmp_path / "class", "--out", tmp_path / "out", "--comments", own)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"To open in a browser: {tmp_path / 'out' / 'report.html'}"
    for student in ("ada", "bob"):
        for ending in ("html", "md"):
            assert "Sheet 2 sorts them." in (tmp_path / "out" / "students" / f"{student}.{ending}").read_text("utf-8")


def test_wrong_comments_are_reported_before_grading(tmp_path, labkit, handout):
    handout("02_levels").save(tmp_path / "class" / "ada" / "02_levels.ipynb")
    for own, says in (
        ("none.toml", "cannot be read"),
        ("own.toml", "there is no exercise 'sprad'; did you mean spread?"),
    ):
        (tmp_path / "own.toml").write_text('[sprad]\nx = "y"')
        done = labkit("grade", tmp_path / "class", "--out", tmp_path / "out", "--comments", tmp_path / own)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and says in done.stderr, done.stderr
        assert not (tmp_path / "out").exists()


def test_a_wrong_lecture_sentence_is_reported_before_grading(tmp_path, handout):
    """The sentences are read while grading processes start; an error ends the processes."""
    handout("02_levels").save(tmp_path / "class" / "ada" / "02_levels.ipynb")
    course = CourseCopy(tmp_path / "course")
    (course / "lecture.toml").write_text('as-they-go = "Sort."')
    done = course.labkit("grade", tmp_path / "class", "--out", tmp_path / "out")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "there is no mistake 'as-they-go'; did you mean as-they-come?" in done.stderr
    assert not (tmp_path / "out/facts.jsonl").exists() and not (tmp_path / "out/results.json").exists()
