"""Each student's values are drawn from the id and written by `labkit release --roster`. Grading uses the id, not the notebook."""

import json
import statistics

import pytest
from course_copy import CourseCopy

from labkit.model.course import Exercise, Lab, Parameter
from labkit.model.parameters import of_student, values_for

SPREAD = Lab("01_spread", (), (Parameter("a", (3, 5, 7, 9)), Parameter("b", (11, 13, 17, 19))))
STUDENTS = ("ada", "bob", "cleo", "dora")


def answer_of(student):
    a, b = values_for(SPREAD, student).values()
    return f"by_hand = [{statistics.pstdev((1, a)):.2f}, {statistics.pstdev((1, a, b)):.2f}]"


def test_values_depend_only_on_the_id():
    drawn = {student: tuple(values_for(SPREAD, student).values()) for student in STUDENTS}
    assert drawn == {"ada": (3, 17), "bob": (9, 19), "cleo": (7, 19), "dora": (5, 19)}, "released notebooks have others"
    assert values_for(SPREAD, " Ada ") == values_for(SPREAD, "ada")
    assert values_for(SPREAD, "") == {"a": 3, "b": 11}
    many = {tuple(values_for(SPREAD, f"s{number}").values()) for number in range(400)}
    assert len(many) == 16


def test_a_lab_without_parameters_is_the_same_for_all():
    lab = Lab("01_spread", (Exercise("spread"),))
    assert of_student(lab, "ada") is lab


@pytest.mark.parametrize(
    ("kind", "name", "says"), [("value", "c", "not a parameter"), ("function", "a", "kind must be 'value'")]
)
def test_an_exercise_rests_on_what_is_drawn(kind, name, says):
    with pytest.raises(ValueError, match=says):
        Lab("01_spread", (Exercise("by_hand", kind=kind, rests_on=(name,)),), SPREAD.parameters)


@pytest.fixture(scope="module")
def course(on_the_tiny_course, tmp_path_factory):
    """The tiny course, with two drawn values for by_hand in lab 01."""
    made = CourseCopy(tmp_path_factory.mktemp("parameters") / "course")
    exercises = next(made.folder.glob("src/*/spread/exercises.py")).relative_to(made.folder)
    made.change(exercises, "import Exercise, Lab, Probe", "import Exercise, Lab, Parameter, Probe")
    made.change(exercises, 'kind="value",', 'kind="value", rests_on=("a", "b"),')
    made.change(exercises, ", ROBUST))", f", ROBUST), parameters={SPREAD.parameters!r})")
    truth = 'return stored("by_hand", {"0": spread((1, a)), "1": spread((1, a, b))}, decimals=2)'
    reference = "tests/autograder/spread/reference.py"
    made.change(reference, "BY_HAND = ", "_EXAMPLE = ")
    (made / reference).write_text(
        f"{(made / reference).read_text('utf-8')}\n\ndef BY_HAND(a, b):\n    {truth}\n", "utf-8"
    )
    source = "solutions/01_spread.py"
    made.change(source, "import check, reveal, show", "import check, parameters, reveal, show")
    made.change(
        source,
        '# %% name="by_hand" exercise',
        '# %% name="parameters"\na, b = parameters("01")\n\n# %% name="by_hand" exercise',
    )
    made.change(source, "by_hand = [1.00, 1.63]", "by_hand = [spread([1, a]), spread([1, a, b])]")
    built = made.labkit("build", "1")
    assert built.returncode == 0, built.stderr
    (made / "roster.csv").write_text("id\n" + "\n".join(STUDENTS) + "\n")
    return made


@pytest.fixture(scope="module")
def released(course):
    done = course.labkit("release", "--roster", "roster.csv", "--out", "each")
    assert done.returncode == 0, done.stderr
    return {
        student: json.loads((course / f"each/{student}/01_spread.ipynb").read_text("utf-8")) for student in STUDENTS
    }


def cell_of(notebook, name):
    return next(cell for cell in notebook["cells"] if cell["id"] == name)


def test_each_student_gets_values_in_a_cell_and_in_the_metadata(course, released):
    assert sorted(path.parent.name for path in course.folder.glob("each/*/*.ipynb")) == sorted(STUDENTS)
    assert cell_of(released["ada"], "parameters")["source"] == ["a, b = parameters(\"01\", 'ada')  # a = 3, b = 17"]
    own = released["ada"]["metadata"]["labkit"]
    assert (own["lab"], own["student"], own["parameters"]) == ("01_spread", "ada", {"a": 3, "b": 17})


@pytest.fixture(scope="module")
def rows(course, released):
    """All four submit the answer that is right for Ada's values.

    Bob submits Ada's file, Cleo her own file, and Dora her own file with Ada's values in it.
    """
    ada = cell_of(released["ada"], "parameters")["source"]
    for student in STUDENTS:
        notebook = json.loads(json.dumps(released["ada" if student == "bob" else student]))
        cell_of(notebook, "by_hand")["source"] = answer_of("ada")
        if student == "dora":
            cell_of(notebook, "parameters")["source"] = ada
            notebook["metadata"]["labkit"] |= {"student": "ada", "parameters": {"a": 3, "b": 17}}
        (course / "class" / student).mkdir(parents=True)
        (course / "class" / student / "01_spread.ipynb").write_text(json.dumps(notebook), "utf-8")
    done = course.labkit("grade", "class", "--roster", "roster.csv", "--out", "out")
    assert done.returncode == 0, done.stderr
    return {row["student"]: row for row in json.loads((course / "out/results.json").read_text("utf-8"))}


def test_a_classmates_values_earn_nothing(rows):
    points = {
        student: sum(check["points"] for check in row["checks"] if check["exercise"] == "by_hand")
        for student, row in rows.items()
    }
    assert points == {"ada": 1, "bob": 0, "cleo": 0, "dora": 0}


def test_a_row_says_that_a_submission_states_other_values(rows):
    assert "does not have the values for bob; the notebook was graded with a = 9, b = 19" in rows["bob"]["reason"]
    assert "does not have the values for dora" in rows["dora"]["reason"]
    assert not any("values of" in rows[student]["reason"] for student in ("ada", "cleo"))


def test_the_check_in_the_notebook_uses_the_students_values(course, rows):
    for student, says in (("ada", "By hand: right"), ("bob", "By hand: 0 of 2 are right")):
        done = course.labkit("check", "class/ada/01_spread.ipynb", "--student", student)
        assert says in done.stdout, done.stdout + done.stderr


def test_impossible_releases_with_drawn_values_are_one_line(course, released, tmp_path):
    (course / "groups.csv").write_text("id,group\nada,A\nbob,A\n")
    for arguments, says in (
        (("release", "--roster", "roster.csv", "--out", "each"), "this folder is not empty"),
        (("release", "--to", "nbgrader", "--out", tmp_path / "tree"), "01_spread draws values for each student"),
        (
            ("release", "--roster", "roster.csv", "--lab", "2", "--out", tmp_path / "two"),
            "none of these labs draws values for each student",
        ),
        (("grade", "each", "--roster", "groups.csv", "--out", tmp_path / "out"), "cannot be graded with groups"),
    ):
        done = course.labkit(*arguments)
        assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1, done.stderr
