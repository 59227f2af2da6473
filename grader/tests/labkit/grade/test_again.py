"""Grading one student again changes only that student's rows, as if everyone were graded again."""

import json
import shutil
from pathlib import Path

import pytest
from longer import LONG

LAB, NEXT = "01_spread", "02_levels"
STUDENTS = ("ada", "bob", "cem", "dan")


@pytest.fixture(scope="module")
def graded(tmp_path_factory, labkit, on_the_tiny_course):
    """A class of five and its results, with two similar answers, two labs, and an unreadable file."""
    from handouts import Handout

    folder = tmp_path_factory.mktemp("again")
    for number, name in enumerate(STUDENTS):
        copy = Handout(LAB, solved=number % 2 == 0).insert(f"mine = {number // 2}", after="setup")
        copy.save(folder / "class" / name / f"{LAB}.ipynb")
    Handout(NEXT, solved=True).save(folder / "class/bob" / f"{NEXT}.ipynb")
    (folder / "class/eve").mkdir()
    (folder / "class/eve" / f"{LAB}.ipynb").write_text("not a notebook")
    (folder / "roster.csv").write_text("id,name,email,section\nada,Ann,a@b.c,1\nzoe,Zoe,z@b.c,1\n")
    done = labkit("grade", "class", "--out", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def place(graded, tmp_path):
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    return tmp_path


def all_of(out: Path) -> dict[str, bytes]:
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def rows_but_of(student: str, out: Path) -> list[list]:
    """The rows of all students but this one, from each results file that has rows."""
    rows = [
        json.loads((out / "results.json").read_text()),
        json.loads((out / "final_scores.json").read_text())["final_scores"],
    ]
    lines = (out / "gradebook.csv").read_text().splitlines()
    return [[row for row in each if row.get("submission", row)["student"] != student] for each in rows] + [
        [line for line in lines if not line.startswith(f"{student},")]
    ]


def write(handout, place: Path, student: str, answer: str) -> None:
    path = place / "class" / student / f"{LAB}.ipynb"
    handout(LAB).write("midrange", answer).save(path)


ANSWER = "def midrange(values):\n    return (min(values) + max(values)) / 2"


def test_one_student_again_leaves_the_bytes_of_a_whole_grading(place, labkit, handout):
    write(handout, place, "dan", ANSWER)
    whole = shutil.copytree(place / "out", place / "whole")
    assert labkit("grade", "class", "--out", whole, cwd=place).returncode == 0
    before = all_of(place / "out")
    done = labkit("grade", "class", "--out", "out", "--only", "dan", cwd=place)
    assert done.returncode == 0, done.stderr
    after = all_of(place / "out")
    assert "[1/1] dan" in done.stderr and "ada  01_spread" not in done.stderr
    assert after == all_of(whole) and after != before
    changed = {name for name in before if after[name] != before[name]} - {"facts.jsonl"}
    reports = {"results.json", "gradebook.csv", "final_scores.json", "report.html"}
    assert changed == {*reports, "students/dan.html", "students/dan.md"}


def test_other_students_rows_stay_even_if_their_files_changed(place, labkit, handout):
    """Other students' changed files count only once those students are graded again too."""
    for name in ("bob", "dan"):
        write(handout, place, name, ANSWER)
    before, pages = rows_but_of("dan", place / "out"), all_of(place / "out/students")
    assert labkit("grade", "class", "--out", "out", "--only", "dan", cwd=place).returncode == 0
    assert rows_but_of("dan", place / "out") == before
    now = all_of(place / "out/students")
    assert {name for name in pages if pages[name] != now[name]} == {"dan.html", "dan.md"}
    assert labkit("grade", "class", "--out", "out", "--only", "dan", "--only", "bob", cwd=place).returncode == 0
    again = all_of(place / "out")
    assert labkit("grade", "class", "--out", "out", cwd=place).returncode == 0
    assert all_of(place / "out") == again


def test_grading_again_keeps_the_roster_and_the_adjustments(place, labkit, handout):
    roster = ("--roster", "roster.csv")
    shutil.copytree(place / "out", place / "with")  # its results are known
    assert labkit("grade", "class", "--out", "with", *roster, cwd=place).returncode == 0
    (place / "with/adjustments.csv").write_text(
        f"student,lab,exercise,add,set,reason\neve,{NEXT},,1,,oral\nzoe,{LAB},midrange,,2,by mail\n"
    )
    write(handout, place, "ada", ANSWER)
    whole = shutil.copytree(place / "with", place / "whole")
    for out, only in ((whole, ()), (place / "with", ("--only", "ada"))):
        done = labkit("grade", "class", "--out", out, *roster, *only, cwd=place)
        assert done.returncode == 0, done.stderr
    assert all_of(place / "with") == all_of(whole)
    if not LONG:
        return
    (place / "with/adjustments.csv").unlink()
    assert labkit("grade", "class", "--out", "with", *roster, "--only", "bob", cwd=place).returncode == 0
    (whole / "adjustments.csv").unlink()
    assert labkit("grade", "class", "--out", whole, *roster, cwd=place).returncode == 0
    assert all_of(place / "with") == all_of(whole)


def test_options_that_do_not_fit_the_results_are_one_line_and_nothing_changes(place, labkit):
    before = all_of(place / "out")
    shutil.copytree(place / "class/ada", place / "other/ada")
    (place / "damaged").mkdir()
    shutil.copy(place / "out/results.json", place / "damaged")
    (place / "damaged/final_scores.json").write_text("{}")
    lost = shutil.copytree(place / "out", place / "lost")
    (lost / "facts.jsonl").unlink()
    edited = shutil.copytree(place / "out", place / "edited")
    (edited / "results.json").write_text("[]")
    for arguments, says in (
        (["class", "--only", "dna"], "there is no student 'dna' in this class; did you mean dan?"),
        (["other", "--only", "ada"], "belongs to another class: bob, cem, dan, eve are not in this one"),
        (["class", "--only", "ada", "--lab", "1"], "was graded with no --lab; use the same"),
        (["class", "--only", "ada", "--roster", "roster.csv"], "was graded with no --roster"),
        (["class", "--only", "ada", "--cell-seconds", "5"], "was graded with other budgets"),
        (["class", "--only", "ada", "--seed", "2"], "was graded with --seed 1"),
        (["class", "--only", "ada", "--shard", "1/2"], "--only and --shard cannot be combined"),
        (["class", "--only", "ada", "--out", "fresh"], "there are no results to keep"),
        (["class", "--only", "ada", "--out", "damaged"], "there are no results to keep"),
        (["class", "--only", "ada", "--out", "edited"], "results.json was changed after the last grading"),
        (["class", "--only", "ada", "--out", "lost"], "its cache has no result for bob, cem, dan"),
    ):
        done = labkit("grade", *arguments, *([] if "--out" in arguments else ["--out", "out"]), cwd=place)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and says in done.stderr, done.stderr
    assert all_of(place / "out") == before and not (place / "fresh").exists()


def test_a_changed_course_keeps_no_rows(place, labkit):
    kept = json.loads((place / "out/final_scores.json").read_text())
    kept["run"]["labs"][LAB] = "other"
    (place / "out/final_scores.json").write_text(json.dumps(kept))
    done = labkit("grade", "class", "--out", "out", "--only", "ada", cwd=place)
    assert done.returncode == 2 and "the course, labkit or its packages have changed" in done.stderr


def test_grading_one_students_folder_deletes_no_other_rows(place, labkit):
    before = all_of(place / "out")
    done = labkit("grade", "class/dan", "--out", "out", cwd=place)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "4 of its 5 students are not in this class (ada, bob, cem and 1 more)" in done.stderr
    assert "--only STUDENT" in done.stderr
    assert all_of(place / "out") == before
    looked = labkit("grade", "class/dan", "--out", "out", "--diff", cwd=place)
    assert looked.returncode == 0 and "5 of 6 (5 no longer there)" in looked.stdout
    done = labkit("grade", "class/dan", "--out", "out", "--replace", cwd=place)
    assert done.returncode == 0 and "cem  01_spread  6 → no longer there" in done.stdout
    assert [path.name for path in (place / "out/students").glob("*.html")] == ["dan.html"]


def test_a_class_may_lose_some_and_be_graded_by_lab(place, labkit):
    shutil.rmtree(place / "class/eve")
    assert labkit("grade", "class", "--out", "out", cwd=place).returncode == 0
    assert labkit("grade", "class", "--out", "out", "--lab", "2", cwd=place).returncode == 0
    assert labkit("grade", "class", "--out", "out", cwd=place).returncode == 0


def test_another_students_time_out_is_not_tried_again(place, labkit, handout, monkeypatch):
    """Trying again would take the full time, and might change another student's points."""
    for name in ("bob", "dan", "eve"):
        shutil.rmtree(place / "class" / name)
    handout(LAB).write("midrange", "import time; time.sleep(60)").save(place / "class/cem" / f"{LAB}.ipynb")
    short = ("--cell-seconds", "0.5", "--notebook-seconds", "3")
    assert labkit("grade", "class", "--out", "slow", *short, cwd=place).returncode == 0
    before = all_of(place / "slow")
    done = labkit("grade", "class", "--out", "slow", "--only", "ada", *short, cwd=place)
    assert done.returncode == 0 and "cem" not in done.stderr and all_of(place / "slow") == before
