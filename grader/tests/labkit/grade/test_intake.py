"""Which student submitted a file, and which of a student's files counts. No student loses a row or gets someone else's."""

import json
import os
import shutil
import time

import pytest
from downloads import chosen, joined, save, students
from needs import needs

from labkit.grade.intake import choose as choosing
from labkit.grade.intake.choose import MOST, of_lab
from labkit.grade.intake.files import Refusal, read_file, read_notebook
from labkit.grade.intake.submission import NAMED, Submission
from labkit.grade.intake.tree import DEEPEST
from labkit.student.model import project
from labkit.student.model.budgets import MIB
from labkit.student.model.errors import UserError

LAB, OTHER = "01_spread", "02_levels"
HOUR = 3600.0


@pytest.fixture
def classroom(tmp_path, handout):
    """Save a notebook in the class: solved, half done, or as released."""

    def save(name: str, what: str = "solved", lab: str = LAB, changed: float | None = None):
        path = tmp_path / "class" / os.fsdecode(name)
        copy = handout(lab, solved=what == "solved")
        if what == "begun":
            copy.write("by_hand", "by_hand = [1.00, 1.63]")
        copy.save(path)
        if what == "broken":
            path.write_text("<html>signed out</html>")
        if changed is not None:
            os.utime(path, (changed, changed))
        return path

    save.folder = tmp_path / "class"
    return save


@pytest.mark.parametrize("worse", ["handed out", "broken", "begun"])
def test_content_decides_before_modification_time(classroom, worse):
    now = time.time()
    classroom("ada/labs/a.ipynb", "solved", changed=now)
    classroom("ada/scratch/01_spread.ipynb", worse, changed=now + (30 if worse == "begun" else HOUR))
    (row,) = chosen(classroom.folder)
    assert row.file == "ada/labs/a.ipynb" and row.passed_over == ("ada/scratch/01_spread.ipynb",)


def test_of_two_files_with_answers_the_later_one_counts(classroom):
    now = time.time()
    for first, second in ((now, now - HOUR), (now - HOUR, now)):
        classroom("ada/a.ipynb", "begun", changed=first)
        classroom("ada/b.ipynb", "solved", changed=second)
        (row,) = chosen(classroom.folder)
        assert row.file == ("ada/a.ipynb" if first > second else "ada/b.ipynb")


def test_a_row_has_its_files_time_and_place_among_the_students_files(classroom):
    for number, name in enumerate(("c", "a", "b")):
        classroom(f"ada/{name}.ipynb", "begun" if name == "b" else "solved", changed=1e9 + number * HOUR)
    classroom("ada/levels.ipynb", lab=OTHER, changed=1e9 + 0.9)
    classroom("bob/broken.ipynb", "broken", changed=-1e9)
    (classroom.folder / "cem").mkdir()
    known = {(each.student, each.file): (each.submitted_at, each.attempt) for each in chosen(classroom.folder)}
    assert known == {
        ("ada", "ada/b.ipynb"): ("2001-09-09T03:46:40Z", 3),
        ("ada", "ada/levels.ipynb"): ("2001-09-09T01:46:40Z", 1),
        ("bob", "bob/broken.ipynb"): ("1938-04-24T22:13:20Z", 1),
        ("cem", ""): (None, 0),
    }
    assert {
        Submission("ada", submitted=when).submitted_at for when in (0.0, 1e30, -1e13, float("inf"), float("nan"))
    } == {None}


@pytest.mark.parametrize(
    "said, known", [("es", "es"), ("pt-BR", "pt-BR"), (None, "en"), (["es"], "en"), ("../es", "en"), ("\ud800", "en")]
)
def test_a_notebook_says_its_language(classroom, said, known):
    path = classroom("ada/homework.ipynb")
    notebook = json.loads(path.read_text())
    notebook["metadata"]["labkit"]["language"] = said
    path.write_text(json.dumps(notebook))
    assert [each.language for each in chosen(classroom.folder)] == [known]


def test_the_order_in_which_an_archive_was_unpacked_decides_nothing(classroom):
    found = set()
    for order in (1, -1):
        for number, name in enumerate(["old/01_spread.ipynb", "01_spread.ipynb", "copy of it.ipynb"][::order]):
            classroom(f"ada/{name}", changed=time.time() + number)
        found |= {row.file for row in chosen(classroom.folder)}
    assert found == {"ada/01_spread.ipynb"}


def test_neither_jupyters_own_copy_nor_a_file_called_like_another_lab_comes_first(classroom):
    now = time.time()
    classroom("ada/01_spread-checkpoint.ipynb", changed=now)
    classroom("ada/02_levels.ipynb", changed=now)  # lab 01 saved under the next lab's name
    classroom("ada/01_spread.ipynb", "begun", changed=now - HOUR)
    (row,) = chosen(classroom.folder)
    assert row.file == "ada/01_spread.ipynb" and len(row.passed_over) == 2


def test_bytes_that_are_no_utf_8_become_visible_and_stay_apart(classroom, handout):
    for name in (b"M\xfcller/a.ipynb", b"M\xf6ller/a.ipynb", "Müller/a.ipynb".encode(), b"eve/caf\xe9.ipynb"):
        classroom(name)
    (classroom.folder / os.fsdecode(b"zo\xe9")).mkdir()
    (classroom.folder / os.fsdecode(b"zo\xe9") / os.fsdecode(b"essai\xe9.pdf")).touch()
    found = chosen(classroom.folder)
    assert [each.student for each in found] == ["M\\xf6ller", "M\\xfcller", "Müller", "eve", "zo\\xe9"]
    assert found[3].file == "eve/caf\\xe9.ipynb" and "essai\\xe9.pdf" in found[4].refusal.reason
    for each in found:
        f"{each.student}{each.file}{each.lab}{each.refusal}".encode()


@pytest.mark.parametrize("given", ["class", "class/*", "class/*/*.ipynb"])
def test_a_file_or_a_folder_named_after_a_classmate_takes_nothing(classroom, given):
    future = time.time() + 80 * 365 * 24 * HOUR
    classroom("student-A/student-B.ipynb", "begun", changed=future)
    classroom("student-A/student-C/01_spread.ipynb", "handed out", changed=future)
    for name in ("student-B", "student-C", "student-D", "student-E"):
        classroom(f"{name}/homework.ipynb")
    folder = classroom.folder.parent
    paths = [classroom.folder] if given == "class" else sorted(folder.glob(given))
    found = chosen(*paths)
    assert [each.student for each in found] == [f"student-{letter}" for letter in "ABCDE"]
    assert all(each.path.is_relative_to(classroom.folder / each.student) for each in found)


def test_two_students_with_one_name_stay_separate(classroom):
    for section in "AB":
        classroom(f"{section}/Name One/a.ipynb", "solved" if section == "A" else "handed out")
    assert students(*sorted(classroom.folder.iterdir())) == ["A/Name One", "B/Name One"]


def test_a_flat_file_and_a_folder_of_one_name_stay_two(classroom):
    classroom("bob.ipynb"), classroom("bob/a.ipynb")
    assert students(classroom.folder) == ["class/bob", "class/bob.ipynb"]


def test_the_same_file_given_twice_is_one(classroom):
    path = classroom(f"ada/{LAB}.ipynb")
    assert students(classroom.folder, classroom.folder) == students(path, classroom.folder) == ["ada"]


def test_special_files_get_a_row_and_are_not_read(classroom):
    path = classroom(f"ada/{LAB}.ipynb")
    places = {name: classroom.folder / name / f"{LAB}.ipynb" for name in ("pipe", "sparse", "link", "folder")}
    for place in places.values():
        place.parent.mkdir()
    os.mkfifo(places["pipe"])
    with open(places["sparse"], "wb") as file:
        file.truncate(3 * 2**30)
    places["link"].symlink_to(path)
    places["folder"].mkdir()
    (classroom.folder / "linked").symlink_to(path.parent)
    found = {each.student: each.refusal for each in chosen(classroom.folder)}
    assert found.pop("ada") is None
    assert {name: refusal.status for name, refusal in found.items()} == {
        **dict.fromkeys(("pipe", "sparse", "link"), "unreadable"), "folder": "not_a_lab", "linked": "not_a_lab"
    }  # fmt: skip
    assert "a pipe" in found["pipe"].reason and "3072.0 MiB" in found["sparse"].reason


def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path, monkeypatch, classroom):
    path, pipe = classroom(f"ada/{LAB}.ipynb"), tmp_path / "pipe"
    os.mkfifo(pipe)
    looked = os.lstat(path)
    monkeypatch.setattr(os, "lstat", lambda _: looked)
    started = time.monotonic()
    assert read_file(pipe, MIB) == b"" and time.monotonic() - started < 10


def test_a_growing_file_is_read_only_up_to_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "grows.ipynb"
    path.touch()
    looked = os.lstat(path)
    path.write_bytes(bytes(2000))
    monkeypatch.setattr(os, "lstat", lambda _: looked)
    assert isinstance(read_file(path, 1000), Refusal)


def test_folders_may_be_deep(classroom):
    deep = classroom.folder / "eve" / "a"
    deep.mkdir(parents=True)
    here = os.open(deep, os.O_RDONLY)
    for _ in range(1500):  # longer than a path may be, and deeper than Python can recurse
        os.mkdir("a", dir_fd=here)
        below = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    classroom("ada/a.ipynb")
    classroom("/".join(["bob", *"12345", "a.ipynb"]))
    try:
        assert students(classroom.folder) == ["ada", "bob", "eve"] and DEEPEST >= 5
    finally:
        os.system(f"rm -rf '{deep}'")


def test_folders_that_labkit_wrote_are_no_students(classroom, labkit):
    classroom("ada/a.ipynb")
    save(
        classroom.folder, {f"{who}/{name}": b"" for who in ("eve", "old") for name in ("results.json", "gradebook.csv")}
    )
    save(classroom.folder, {"old/final_scores.json": b"", "out/a.csv": b""})  # eve's files only have such names
    assert students(classroom.folder, out=classroom.folder / "out") == ["ada", "eve"]
    shutil.rmtree(classroom.folder / "out")
    with pytest.raises(UserError, match="no notebooks in this folder"):
        shutil.copytree(classroom.folder / "old", classroom.folder.parent / "olds" / "old")
        chosen(classroom.folder.parent / "olds")
    done = labkit("grade", classroom.folder, "--out", "out", "--allow-unsandboxed", cwd=classroom.folder.parent)
    assert "Folders left out, because labkit wrote them: old." in done.stdout and done.returncode == 0


@needs("an ordinary user")  # root may read anything
def test_a_folder_that_cannot_be_read_says_so(classroom):
    classroom("ada/a.ipynb")
    closed = classroom("eve/a.ipynb").parent
    closed.chmod(0)
    try:
        assert "cannot be read" in chosen(classroom.folder)[1].refusal.reason
        with pytest.raises(UserError, match="cannot be read"):
            chosen(closed)
    finally:
        closed.chmod(0o700)


def test_only_one_lab_is_asked_for(classroom):
    classroom("ada/a.ipynb"), classroom("ada/b.ipynb", lab=OTHER), classroom("bob/c.ipynb", "broken")
    found = list(of_lab(project.current().course, chosen(classroom.folder), OTHER))
    assert [(each.student, each.lab) for each in found] == [("ada", OTHER), ("bob", "c")]


def test_with_too_many_files_the_newest_are_read_and_the_row_names_the_rest(classroom, monkeypatch):
    """A folder of 150 notebooks used to cause 150 runs. Just reading them all would take minutes."""
    for number in range(150):
        classroom(f"eve/{LAB} ({number:03}).ipynb", "begun", changed=1e9 + number * HOUR)
    for number in range(2 * MOST):
        classroom(
            f"eve/try {number:03}.ipynb", "broken" if number else "solved", lab=OTHER, changed=1e9 - number * HOUR
        )
    classroom("bob/a.ipynb")
    read = []

    def seen(path, budgets):
        read.append(path.name)
        return read_notebook(path, budgets)

    monkeypatch.setattr(choosing, "read_notebook", seen)
    bob, first, other, *broken = chosen(classroom.folder)
    assert len(read) == 2 * MOST + 1 and len(broken) == MOST - 1
    assert (bob.passed_over, bob.attempt) == ((), 1)
    assert (first.file, first.attempt) == (f"eve/{LAB} (149).ipynb", 150)
    assert (other.lab, other.file) == (OTHER, "eve/try 000.ipynb")
    assert len(first.passed_over) == NAMED + 1 and first.passed_over[-1] == f"and {150 - 1 + MOST - NAMED} more"


def test_the_solutions_folder_gives_each_labs_solution():
    assert {each.lab for each in chosen(project.current().solutions) if not each.refusal} == {
        path.stem for path in project.current().labs.glob("*.ipynb")
    }


ADA = "lovelaceada_12345_99600_my.ipynb"
MALLORY = "lovelaceada_12345_99666_99777_my.ipynb"  # who is called "lovelaceada_12345"
BOB = "bornbob_12346_99601_01_spread.ipynb"
CANVAS = """Student,ID,SIS Login ID,Section
"Lovelace, Ada",12345,ada,A
"Born, Bob",12346,bob,A
"""
PLAIN = "id,name\n1,Ada Lovelace\n2,Bob Born\n3,Mallory M\n"


def desk_of(folder, roster=None) -> tuple[dict, list[str]]:
    """The file that counts for each row, and the lines about the class."""
    path = folder.parent / "roster.csv"
    path.write_text(roster or "", "utf-8")
    rows, desk = joined(path if roster else None, folder)
    return {each.student: each.file for each in rows}, [*desk.notes, *desk.strangers]


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize(
    "roster, ada, bob",
    [
        (None, "lovelaceada_12345", "bornbob_12346"),
        (PLAIN, "1", "2"),
        (CANVAS + '"lovelaceada 12345",99666,mallory,A\n', "12345", "12346"),
    ],
)
def test_a_display_name_that_ends_in_a_number_takes_no_ones_row(tmp_path, own, roster, ada, bob):
    files = {MALLORY: "begun", BOB: "solved", **({ADA: "solved"} if own else {})}
    rows, lines = desk_of(save(tmp_path / "class", files), roster)
    assert rows["lovelaceada_12345_99666"] == MALLORY and rows[bob] == BOB
    assert rows.get(ada, "") == (ADA if own else "")
    assert any("two readings" in line and "lovelaceada_12345_99666" in line for line in lines)


def test_a_gradebook_of_canvas_tells_which_reading_is_right(tmp_path):
    dated = "bornbob_12346_99601_20240_lab.ipynb"
    rows, lines = desk_of(save(tmp_path / "class", {ADA: "solved", dated: "solved"}), CANVAS)
    assert rows == {"12345": ADA, "12346": dated} and lines == []


@pytest.mark.parametrize(
    "files",
    [
        [f"student{n}_{n}_9960{n}_01_spread.ipynb" for n in range(4)],
        [f"student{n}_{n}_9960{n}_2024_lab.ipynb" for n in range(4)],
        [f"student{n}_{n}_9960{n}_99700_lab.ipynb" for n in range(4)],  # as the instructor asked
        [f"student{n}_LATE_{n}_9960{n}_{n}_lab.ipynb" for n in range(4)],
    ],
)
def test_an_ordinary_file_name_has_one_reading(tmp_path, files):
    rows, lines = desk_of(save(tmp_path / "class", dict.fromkeys(files, "solved")))
    assert [*rows] == [f"student{n}_{n}" for n in range(4)] and lines == []


def test_an_accomplice_cannot_hide_the_second_reading(tmp_path):
    others = {f"student{n}_{n}_9960{n}_a.ipynb": "solved" for n in range(3)}
    rows, _ = desk_of(
        save(tmp_path / "class", {**others, MALLORY: "begun", "pal_7_99650_99777_a.ipynb": "begun", ADA: "solved"})
    )
    assert rows["lovelaceada_12345"] == ADA and rows["lovelaceada_12345_99666"] == MALLORY
    assert {each.lab for each in chosen(tmp_path / "class")} == {LAB}
