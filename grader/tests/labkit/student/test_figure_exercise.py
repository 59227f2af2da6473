"""A figure exercise added as docs/figures.md says gives the same words in the notebook's check and in grading."""

import json
from pathlib import Path

import pytest
from course_copy import CourseCopy
from readme_steps import blocks

PAGE = Path(__file__).parents[3] / "docs/figures.md"
pytestmark = pytest.mark.long("builds and grades a course made from a page; test_figure_rules.py has the rules")
ANSWERS = {
    "right": 'ax.plot(losses, "o", label="Loss")\n    ax.set(xlabel="step", ylabel="loss")\n    ax.legend()',
    "pyplot": 'import matplotlib.pyplot as plt\n    plt.plot(losses, label="loss")\n    plt.xlabel("step")',
    "unlabelled": 'ax.plot(losses, label="loss")\n    ax.legend()',
    "reversed": 'ax.plot(losses[::-1], label="loss")\n    ax.set(xlabel="step", ylabel="loss")\n    ax.legend()',
    "typed": 'ax.plot((0.9, 0.5, 0.3), label="loss")\n    ax.set(xlabel="step", ylabel="loss")\n    ax.legend()',
}
EXPECTED = {  # points, and what each check reports
    "right": (2, "", ""),
    "pyplot": (0, "`plt.plot`, `plt.xlabel` and the like draw on the current Axes", "`plt.plot`, `plt.xlabel`"),
    "unlabelled": (1, "", "Your figure still needs a label on the x axis, a label on the y axis."),
    "reversed": (0, "first goes wrong at x = 0, where it is at 0.3.", "first goes wrong at x = 0, where it is at 0.3."),
    "typed": (0, "for the random values that grading uses", "for the random values that grading uses"),
}


@pytest.fixture(scope="module")
def course(on_the_tiny_course, tmp_path_factory):
    """The tiny course with the page's exercise in its second lab."""
    made = CourseCopy(tmp_path_factory.mktemp("figures") / "course")
    asked, checks, cells, own_rule = blocks(PAGE.read_text("utf-8"))
    sentence, _ = blocks(PAGE.read_text("utf-8"), "toml")
    made.change("src/tiny_labs/levels/exercises.py", "LAB = ", f"{asked}\n{own_rule}\nLAB = ")
    made.change("src/tiny_labs/levels/exercises.py", "DRAW_LEVELS, MEANING)", "DRAW_LEVELS, DRAW_LOSSES, MEANING)")
    (made / "src/tiny_labs/levels/words.en.toml").write_text(f'[titles]\ndraw_losses = "The losses"\n\n{sentence}')
    tests = "tests/autograder/levels/test_submission.py"
    made.change(
        tests,
        "import pytest\n",
        "import pytest\n\nfrom labkit.student.calls.figure_rules import is_labelled, shows_line\n",
    )
    (made / tests).write_text(f"{(made / tests).read_text('utf-8')}\n\n{checks}")
    made.change("solutions/02_levels.py", '# %% [markdown] name="meaning"', f'{cells}\n# %% [markdown] name="meaning"')
    built = made.labkit("build", "2")
    assert built.returncode == 0, built.stderr
    return made


@pytest.fixture(scope="module")
def rows(course):
    lab = json.loads((course / "labs/02_levels.ipynb").read_text("utf-8"))
    cell = next(cell for cell in lab["cells"] if cell["id"] == "draw_losses")
    for student, body in ANSWERS.items():
        cell["source"] = f"def draw_losses(losses, ax):\n    {body}"
        (course / "class" / student).mkdir(parents=True)
        (course / "class" / student / "02_levels.ipynb").write_text(json.dumps(lab), "utf-8")
    done = course.labkit("grade", "class", "--out", "out")
    assert done.returncode == 0, done.stderr
    return {row["student"]: row for row in json.loads((course / "out/results.json").read_text("utf-8"))}


@pytest.mark.parametrize("student", ANSWERS)
def test_points_and_words_of_an_answer(rows, student):
    checks = [check for check in rows[student]["checks"] if check["exercise"] == "draw_losses" and check["max_points"]]
    points, *messages = EXPECTED[student]
    assert sum(check["points"] for check in checks) == points
    for check, message in zip(checks, messages):
        assert message in check["message"] and bool(check["message"]) == bool(message)


def test_the_notebooks_check_has_the_same_words(course, rows):
    done = course.labkit("check", "class/pyplot/02_levels.ipynb")
    assert EXPECTED["pyplot"][2] in " ".join(done.stdout.split()), done.stdout
