"""Downloads from each LMS: who submitted, which attempt counts, and every student has exactly one row."""

import os
import shutil
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
from downloads import LAB, PDF, SCRATCH, chosen, notebook, save, students
from hypothesis import given, settings
from hypothesis import strategies as st
from lms_downloads import DOWNLOADS

from labkit.author.source.percent import script_of
from labkit.desk.people.final_score import Person
from labkit.desk.people.roster import Roster
from labkit.grade.intake.owners import owners_of_files
from labkit.grade.intake.tree import File, Folder
from labkit.student.model import project
from labkit.student.model.errors import UserError


def rows(*paths) -> list[tuple]:
    return [(each.student, each.lab, each.file, each.passed_over) for each in chosen(*paths)]


@pytest.mark.parametrize("form", ["folder", "zip", "gztar", "tar"])
@pytest.mark.parametrize("name", DOWNLOADS)
def test_a_download_is_graded_as_it_is(name, form, tmp_path):
    download = DOWNLOADS[name]
    path = download.save(tmp_path / "download")
    if form != "folder":
        path = shutil.make_archive(tmp_path / "archive", form, path)
    found = chosen(Path(path))
    assert {each.student: [*filter(None, (each.file, *each.passed_over))] for each in found} == download.rows
    assert {each.by for each in found} == {download.by} and len(found) == len(download.rows)
    assert all((each.lab, each.refusal) == (LAB, None) for each in found if each.file)


def test_students_with_a_folder_for_each_try_stay_students(tmp_path):
    for name in ("ada", "bob"):
        save(tmp_path / name, {f"try 1/{LAB}.ipynb": "begun", f"try 2/{LAB}.ipynb": "solved"})
    assert students(tmp_path) == ["ada", "bob"]


def test_a_student_cannot_make_the_class_one_of_another_convention(tmp_path):
    names = ("x_1_2_a.ipynb", "Lab_bob_attempt_2024-01-31-12-30-05_a.ipynb", "Bob_1_assignsubmission_file_/a.ipynb")
    notebooks = (*names, "submitted/bob/ps1/a.ipynb", "lab-01-bob/a.ipynb", "submission_1/a.ipynb")
    others = {".git/x": b"", "submission_metadata.yml": b"submission_1:\n  :submitters:\n  - :name: bob\n"}
    save(tmp_path / "mallory", dict.fromkeys(notebooks, "solved") | others)
    save(tmp_path / "bob", {"a.ipynb": "begun"})
    assert [(each.student, each.by) for each in chosen(tmp_path)] == [("bob", "folder"), ("mallory", "folder")]


BRIGHTSPACE = ("", "Ada Lovelace_101"), ("", "Ada Lovelace_102"), (" without folders", "Ada_101")


def test_hand_in_times_and_attempts_are_the_downloads_own(tmp_path):
    def told(name):
        found = chosen(DOWNLOADS[name].save(tmp_path / name))
        return {each.student: (each.submitted_at, each.attempt) for each in found}

    local = datetime(2024, 2, 1, 9).astimezone()
    assert told("blackboard")["ada"] == (f"{datetime.utcfromtimestamp(local.timestamp()).isoformat()}Z", 2)
    assert told("gradescope")["ada@example.org"] == ("2024-01-31T12:30:05Z", 1)
    assert told("gradescope")['Eve "the" O\'Neil'] == ("2024-01-31T12:30:05Z", 0)
    assert told("nbgrader")["ada"] == ("2024-01-31T12:30:05Z", 1)
    assert told("canvas")["lovelaceada_12345"] == (None, 2)  # the files have the time of the download
    alone = save(tmp_path / "alone", {"bob_1_2_lab-2.ipynb": "solved", "eve_3_4_lab.ipynb": "solved"})
    assert [each.attempt for each in chosen(alone)] == [3, 1]  # the earlier attempts are not in the download
    assert told("sakai")["ada"] == told("sakai")["bob"] == ("2024-01-31T12:30:05Z", 1)
    assert told("submitty")["ada"] == ("2024-01-31T17:30:05Z", 1)  # the active version, not the latest
    assert told("a-plus")["100001"] == ("2024-02-01T12:30:05Z", 2)
    assert told("autolab")["ada_l@example.org"][1] == 3
    assert {name: told("brightspace")[name][1] for name in ("Ada Lovelace_101", "Ada Lovelace_102")} == {
        "Ada Lovelace_101": 2,
        "Ada Lovelace_102": 1,
    }
    times = [datetime.fromisoformat(told(f"brightspace{form}")[name][0]).timestamp() for form, name in BRIGHTSPACE]
    assert times == [
        datetime(2024, 2, 1, 9, 1).timestamp(),
        *(datetime(2024, 1, 31, hour, minute).timestamp() for hour, minute in ((13, 10), (12, 30))),
    ]


@pytest.mark.parametrize(
    "content", ['{"active_version": ' + "9" * 5000 + "}", '{"active_version": "' + "9" * 5000 + '"}', "[]", "{"]
)
def test_submittys_settings_may_be_damaged(tmp_path, content):
    files = {"ada/1/a.ipynb": "solved", "ada/user_assignment_settings.json": content.encode()}
    assert [(each.by, each.file) for each in chosen(save(tmp_path / "class", files))] == [("submitty", "ada/1/a.ipynb")]


@pytest.mark.parametrize("form", ["zip", "gztar"])
def test_the_times_of_an_archives_entries_are_kept(tmp_path, form):
    path = shutil.make_archive(tmp_path / form, form, save(tmp_path / "class", {f"ada/{LAB}.ipynb": "solved"}))
    assert chosen(Path(path))[0].submitted_at == "2023-11-14T22:13:20Z"


def test_two_labs_of_one_student_are_one_student(tmp_path):
    save(tmp_path / "one", {"lovelaceada_7_1_a.ipynb": "solved"})
    save(tmp_path / "two", {"lovelaceada_LATE_7_2_b.ipynb": "the other lab", "lovelaceada_8_3_b.ipynb": "solved"})
    assert [row[:2] for row in rows(tmp_path / "one", tmp_path / "two")] == [
        ("lovelaceada_7", LAB),
        ("lovelaceada_7", "02_levels"),
        ("lovelaceada_8", LAB),
    ]


def test_files_of_a_download_may_be_given_themselves(tmp_path):
    for name in ("canvas", "moodle", "gradescope", "repositories"):
        download = DOWNLOADS[name]
        given = sorted(path for path in download.save(tmp_path / name).iterdir() if path.suffix != ".yml")
        found = students(*given)
        if name != "gradescope":
            assert found == [*download.rows]
    with pytest.raises(UserError, match="notes.txt: expected a notebook"):
        chosen(tmp_path / "canvas", *save(tmp_path / "flat", {"notes.txt": b""}).iterdir())


def test_clones_in_a_folder_that_names_them_need_no_history(tmp_path):
    files = {f"lab-01-{name}/{LAB}.ipynb": "solved" for name in ("ada", "ada-b")}
    class_ = save(tmp_path / "lab-01-submissions", files)
    assert students(class_) == students(tmp_path) == students(*class_.iterdir()) == ["ada", "ada-b"]


@pytest.mark.parametrize("names", [("lab-repo",), ("lab-01", "lab-02"), ("lab-one", "lab-two")])
def test_clones_in_students_own_folders_do_not_make_one_student_of_the_class(tmp_path, names):
    for student in ("ada", "bob", "eve"):
        save(tmp_path / student, {f"{name}/.git/config": b"" for name in names})
        save(tmp_path / student, {f"{names[0]}/a.ipynb": "solved", f"{names[-1]}/b.ipynb": "the other lab"})
    assert [row[:2] for row in rows(tmp_path)] == [
        (name, lab) for name in ("ada", "bob", "eve") for lab in (LAB, "02_levels")
    ]
    given = chosen(*sorted(tmp_path.iterdir()))
    assert len(given) == 6 and all(each.file.startswith(names) for each in given)


def test_a_timestamp_beside_a_notebook_is_ignored(tmp_path):
    stamp = {"bob/a/timestamp.txt": b"2001-01-01 00:00:00 UTC"}
    save(tmp_path, {"ada/a/x.ipynb": "solved", "bob/a/x.ipynb": "solved", **stamp})
    assert [(each.by, each.submitted_at[:4]) for each in chosen(tmp_path)] == [("folder", "2023")] * 2


def test_a_repository_that_was_downloaded_has_no_branch_in_its_name(tmp_path):
    save(tmp_path, {f"lab-01-{name}-main/{LAB}.ipynb": "solved" for name in ("ada", "bob")})
    assert [(each.student, each.by) for each in chosen(tmp_path)] == [(name, "repository") for name in ("ada", "bob")]


def test_plain_names_stay_whole(tmp_path):
    save(tmp_path, {f"{name}/a.ipynb": "solved" for name in ("student-A", "student-B", "lab_2", "1_2_3")})
    assert students(tmp_path) == ["1_2_3", "lab_2", "student-A", "student-B"]


def test_a_scratch_notebook_has_a_row_only_without_a_lab(tmp_path):
    save(tmp_path, {"ada/a.ipynb": "solved", "ada/b.ipynb": SCRATCH, "bob/b.ipynb": SCRATCH})
    save(tmp_path, {"cem/c.ipynb": b"<html>", "cem/d.ipynb": "begun"})
    assert rows(tmp_path) == [
        ("ada", LAB, "ada/a.ipynb", ("ada/b.ipynb",)),
        ("bob", "b", "bob/b.ipynb", ()),
        ("cem", LAB, "cem/d.ipynb", ()),
        ("cem", "c", "cem/c.ipynb", ()),  # this file may have been for any lab
    ]


SPYDER = b"# %% a cell of Spyder\ndef spread(values):\n    return 0.0\n"


def test_a_script_counts_like_the_notebook_that_it_stands_for_and_a_helper_does_not(tmp_path):
    done, begun, untouched = (
        script_of(nbformat.reads(notebook(what), as_version=4)).encode() for what in ("solved", "begun", "untouched")
    )
    ada = {"ada/x.ipynb": "begun", "ada/y.py": done, f"ada/{LAB}.ipynb": b"", "ada/helper.py": SPYDER}
    bob = {"bob/x.ipynb": "solved", "bob/lab.py": b"from helper import spread", "cem/notes.py": SPYDER}
    eve = {"eve/y.py": begun, "eve/x.ipynb": "solved", f"eve/{LAB}.py": untouched}
    save(tmp_path / "class", ada | bob | eve)
    expected = [
        ("ada", LAB, "ada/y.py", (f"ada/{LAB}.ipynb", "ada/x.ipynb")),
        ("bob", LAB, "bob/x.ipynb", ()),
        ("cem", "", "", ()),
        ("eve", LAB, "eve/x.ipynb", (f"eve/{LAB}.py", "eve/y.py")),
    ]
    assert rows(tmp_path / "class") == expected
    archive = shutil.make_archive(tmp_path / "class", "zip", tmp_path / "class")
    assert rows(Path(archive)) == expected
    save(tmp_path / "flat", {"ada.py": done, "bob.ipynb": "begun", "cem.py": SPYDER})
    assert [(each.student, each.lab, each.answers) for each in chosen(tmp_path / "flat")] == [
        *(("ada", LAB, 4), ("bob", LAB, 1), ("cem", "", 0))
    ]
    assert [each[:3] for each in rows(tmp_path / "flat/ada.py")] == [("ada", LAB, "ada.py")]


@pytest.mark.parametrize(
    "name", ["lab.zip", "lab.html", "lab.py", "lab.pdf", "lab.IPYNB", "lab.ipynb.txt", "lab.ipynb.json"]
)
@pytest.mark.parametrize("place", ["lovelaceada_1_2_", "ada/", "Ada L_1_assignsubmission_file_/", "ada "])
def test_every_submitted_file_has_a_row(tmp_path, name, place):
    save(tmp_path, {place + name: PDF, "bob/a.ipynb" if place.endswith("/") else "bob.ipynb": "solved"})
    found = {each.student: each.refusal for each in chosen(tmp_path)}
    assert len(found) == 2 and found.pop("bob") is None
    [refusal] = found.values()
    is_notebook = ".ipynb" in name.lower()
    assert refusal.status == ("unreadable" if is_notebook else "not_a_lab")
    assert is_notebook or name in refusal.reason


@pytest.mark.parametrize(
    "metadata",
    [
        b"",
        b"\xff\xfe",
        b"submission_1: [",
        b"submission_1:\n  :submitters: 3\n",
        b"submission_1:\n  :submitters:\n  - 3\n  - :name: []\n",
        b"submission_1:\n  :submitters: &a [*a]\n  :created_at: never\n",
        b"submission_1:\n  :submitters: " + b"[" * 100_000,
        b"submission_1:\n  :submitters: !!python/object/apply:os.system ['touch pwned']\n",
        b"submission_1:\n" + b"  :results: x\n" * 1_000_000,
    ],
)
def test_unusable_metadata_cost_no_row(tmp_path, metadata):
    save(tmp_path, {"submission_metadata.yml": metadata[:20_000_000], "submission_1/a.ipynb": "solved"})
    assert [(each.student, each.by) for each in chosen(tmp_path)] == [("submission_1", "folder")]
    assert not os.path.exists("pwned")


def test_a_text_or_a_link_in_place_of_a_notebook_is_a_row_of_its_student(tmp_path):
    flat = ("lovelaceada_12345_text.html", "bornbob_LATE_12346_link.html", "x_12347_67890_text.html")
    text = b"<style>p {}</style><p>My laptop broke &amp;<br>I could not upload</p>"
    save(tmp_path / "canvas", dict.fromkeys(flat, text))
    save(tmp_path / "flat", {"Ada Lovelace_1_assignsubmission_onlinetext_x.html": b"<p>"})
    save(tmp_path / "folders", {"Bob_2_assignsubmission_onlinetext/onlinetext.html": text})
    save(tmp_path / "zipped", {"Eve_3_assignsubmission_onlinetext/onlinetext.html": text})
    archive = Path(shutil.make_archive(tmp_path / "archive", "zip", tmp_path / "zipped"))
    folders = [*(tmp_path / name for name in ("canvas", "flat", "folders")), archive]
    rows = [each for path in (*folders, DOWNLOADS["sakai"].save(tmp_path / "sakai")) for each in chosen(path)]
    typed = "My laptop broke & I could not upload"
    assert {each.student: each.refusal.reason.partition("html")[2] for each in rows if each.refusal} == {
        "bornbob_12346": f", a link: “{typed}”)",
        "lovelaceada_12345": f", an online text: “{typed}”)",
        "x_12347": ")",  # a student chose this file name
        "Ada Lovelace_1": ", an online text)",
        "Bob_2": f", an online text: “{typed}”)",
        "Eve_3": f", an online text: “{typed}”)",
        "eve": ", an online text: “I could not upload”)",
    }
    assert rows[0].late is True


def test_anonymous_submissions_of_canvas_are_separate_students(tmp_path):
    names = ("anon_aB3dE_1_a.ipynb", "anon_LATE_Xy9zQ_2_a.ipynb", "LATE_anon_12345_3_a.ipynb", "anon_qqqqq_text.html")
    save(tmp_path, dict.fromkeys(names, "solved"))
    assert {each.student: each.late for each in chosen(tmp_path)} == {
        "anon_12345": True,
        "anon_Xy9zQ": True,
        "anon_aB3dE": False,
        "anon_qqqqq": False,
    }


OWN = """
[[conventions]]
by = "portal"
names = '(?P<time>\\d{8})-(?P<late>late-)?(?P<order>\\d+)-(?P<student>\\w+)-.+'
student = '\\g<student>@example.org'
time = "%Y%m%d"
of_folders = true
"""


def stated(folder: Path, text: str) -> project.Project:
    (folder / "labkit.toml").write_text(f'package = "{project.current().package}"\n{text}')
    return replace(project.current(), root=folder, conventions=project.read(folder).conventions)


@pytest.mark.parametrize("form", ["{}.ipynb", "{}/a.ipynb"])
def test_a_course_adds_a_convention_in_its_settings(tmp_path, form):
    names = ("20240201-late-2-ada-lab", "20240131-1-ada-lab", "20240131-1-bob-lab")
    path = save(tmp_path / "class", {form.format(name): "solved" for name in names})
    found = chosen(path, course=stated(tmp_path, OWN))
    told = [(each.student, each.by, each.order, each.late, each.submitted) for each in found]
    first, second = (datetime(2024, month, day).timestamp() for month, day in ((1, 31), (2, 1)))
    assert told == [("ada@example.org", "portal", 2, True, second), ("bob@example.org", "portal", 1, False, first)]


@pytest.mark.parametrize(
    "text, says",
    [
        ('by = "x"\nnames = "("', "conventions, x: missing )"),
        ('names = "(?P<student>.+)"', "it needs `by`"),
        ('by = "x"\nnames = "(.+)"', "a group (?P<student>"),
        ('by = "x"\nnames = "(?P<student>.+)"\ntime = "%Y"', "a group (?P<time>"),
        ("by = 'x'\nnames = '(?P<student>.+)'\nstudent = '\\g<id>'", "unknown group name 'id'"),
        ('by = "x"\nname = "(.+)"', "conventions.name is not known; did you mean names?"),
        ('by = "x"\nnames = 3', "conventions.names has the wrong type"),
    ],
)
def test_a_convention_with_an_error_is_reported_in_a_line(tmp_path, text, says):
    with pytest.raises(UserError) as problem:
        chosen(save(tmp_path / "class", {"a.ipynb": SCRATCH}), course=stated(tmp_path, f"[[conventions]]\n{text}\n"))
    assert "labkit.toml: " in str(problem.value) and says in str(problem.value) and "\n" not in str(problem.value)


OTHERS = {  # four classmates' names in each LMS's convention, and what a fifth student may add to his file's name
    "canvas": [f"student{n}_{n}_9{n}_a.ipynb" for n in range(4)],
    "moodle": [f"Student {n}_{n}_assignsubmission_file_a.ipynb" for n in range(4)],
    "blackboard": [f"Lab 1_student{n}_attempt_2024-01-31-12-30-05_a.ipynb" for n in range(4)],
    "file": [f"Lab 1 - Student {n}.ipynb" for n in range(4)],
}
MINE = {
    "canvas": "mallorym_66_99_{}",
    "moodle": "Mallory M_66_assignsubmission_file_{}",
    "blackboard": "Lab 1_mallory_attempt_2024-01-31-12-30-05_{}",
    "file": "{} - Mallory M.ipynb",
}
MADE_UP = (
    "x_student0_attempt_2099-01-01-00-00-00_01_a.ipynb",
    "student0_0_90_a.ipynb",
    "Student 0_0_assignsubmission_file_a.ipynb",
)


@pytest.mark.parametrize("made_up", MADE_UP)
@pytest.mark.parametrize("convention", OTHERS)
def test_a_made_up_name_in_another_convention_cannot_submit_for_a_classmate(tmp_path, convention, made_up):
    mine = MINE[convention].format(made_up)
    save(tmp_path, dict.fromkeys([*OTHERS[convention], mine], "solved"))
    found = {each.file: each for each in chosen(tmp_path)}
    assert len(found) == len({each.student for each in found.values()}) == 5
    assert {each.by for each in found.values()} == {convention}
    people = [Person(str(n), f"Student {n}", f"student{n}@example.org") for n in range(4)]
    roster = Roster({each.id: each for each in [*people, Person("66", "Mallory M", "mallory@example.org")]})
    fit = roster.fitting(found.pop(mine).student, convention)
    assert "66" in fit
    assert fit == {"66"} or convention == "file"  # there, a title with a classmate's name matches no one
    for each in found.values():
        assert len(roster.fitting(each.student, convention)) == 1


def test_a_moodle_name_among_plain_folders_is_a_plain_folder(tmp_path):
    save(tmp_path, {f"{name}/a.ipynb": "solved" for name in ("ada", "bob", "Bob Born_1_assignsubmission_file_")})
    assert {each.by for each in chosen(tmp_path)} == {"folder"}


def test_only_nbgraders_own_stamp_counts(tmp_path):
    """nbgrader writes one timestamp file, at the top; a student may have submitted another one below."""
    stamp = b"2024-02-09 12:00:00 UTC"
    save(tmp_path / "submitted/ada/ps1", {"timestamp.txt": stamp, "first/a.ipynb": "solved"})
    save(tmp_path / "submitted/ada/ps1", {"first/timestamp.txt": b"2024-01-01 00:00:00 UTC"})
    save(tmp_path / "submitted/bob/ps1", {"timestamp.txt": stamp, "a.ipynb": "solved"})
    assert {each.submitted_at for each in chosen(tmp_path / "submitted")} == {"2024-02-09T12:00:00Z"}


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=12)


@settings(deadline=None)
@given(NAMES, st.integers(0, 10**9), st.integers(0, 10**9), NAMES)
def test_a_students_file_name_does_not_change_the_owner(login, user, upload, name):
    login = "".join(filter(str.isalnum, login)).lower() or "x"
    owner = owner_alone(f"{login}_LATE_{user}_{upload}_{name}")
    assert (owner.student, owner.order, owner.late) == (f"{login}_{user}", upload, True)
    owner = owner_alone(f"Lab 1_{login}_attempt_2024-01-31-12-30-05_{name}")
    assert (owner.by, owner.student) == ("blackboard", login)
    for kind in ("file", "onlinetext"):
        owner = owner_alone(f"{login} X_{user}_assignsubmission_{kind}_{name}")
        assert (owner.by, owner.student) == ("moodle", f"{login} X_{user}")


def owner_alone(name):
    [owner] = owners_of_files(project.current(), Folder("class", Path("class"), files=[File(name, None, name)]))[name]
    return owner


VISIBLE = NAMES.filter(lambda name: not name.startswith((".", "__")) and name != "submitted")


@settings(deadline=None)
@given(st.lists(VISIBLE, min_size=1, max_size=4, unique_by=str.casefold))
def test_names_in_any_script_are_rows_of_their_own(tmp_path_factory, names):
    folder = tmp_path_factory.mktemp("class")
    save(folder, {f"{name}/a.ipynb": "solved" for name in names})
    assert len(chosen(folder)) == len(names)
