"""Where a class is: below single folders or in an archive, never one student by mistake, and never a guess without a word."""

import shutil
from pathlib import Path

import pytest
from downloads import LAB, chosen, save, students
from lms_downloads import DOWNLOADS

from labkit.grade.intake.submission import one_student
from labkit.student.model.errors import UserError

PEOPLE = ("Ada Lovelace", "Bob Born", "Cem Demir", "Dan Dahl", "Eve Gil")
FORM = {f"Lab 1 (File responses)/Your notebook (File responses)/lab - {name}.ipynb": "solved" for name in PEOPLE}
SUBMITTY = {f"submissions/lab6/{name}/1/lab.ipynb": "solved" for name in ("adal", "bobb")}
ZIPS = {f"term/class/{name}/lab.zip": "zipped" for name in ("ada", "bob")}


def zipped(folder: Path, files) -> Path:
    """Save the files, with archives in place of "zipped"."""
    save(folder, {name: what for name, what in files.items() if what != "zipped"})
    for name in (name for name, what in files.items() if what == "zipped"):
        content = save(folder.parent.with_name("content"), {f"{LAB}.ipynb": "solved"})
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.make_archive(folder / name.removesuffix(".zip"), "zip", content)
    return folder


@pytest.mark.parametrize("form", ["folder", "zip", "zip in a zip", "zip in a folder"])
@pytest.mark.parametrize(
    "files, found",
    [
        (FORM, [*PEOPLE]),
        (SUBMITTY, ["adal", "bobb"]),
        (ZIPS, ["ada", "bob"]),
        ({f"a/b/Ada {n}_{n}_assignsubmission_file/x.ipynb": "solved" for n in (3, 4)}, ["Ada 3_3", "Ada 4_4"]),
        ({f"a/b/submitted/{name}/ps1/{LAB}.ipynb": "solved" for name in ("ada", "bob")}, ["ada", "bob"]),
    ],
)
def test_a_class_is_found_below_single_folders(tmp_path, form, files, found):
    path = zipped(tmp_path / "given" / "class", files).parent
    for number in range(form.count("zip")):
        to = tmp_path / f"level {number}"
        to.mkdir()
        shutil.make_archive(to / "archive", "zip", path)
        path = to
    assert students(path if "folder" in form else path / "archive.zip") == found


@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize("versions", ["1/", ""])
def test_submittys_results_are_not_submissions(tmp_path, form, versions):
    files = {f"submissions/{name}/{versions}lab.ipynb": "begun" for name in ("ada", "bob")}
    files |= {f"results/{name}/1/details/lab.ipynb": "solved" for name in ("ada", "bob")}
    if versions:
        files |= {
            f"submissions/{name}/user_assignment_settings.json": b'{"active_version": 1}' for name in ("ada", "bob")
        }
    path = save(tmp_path / "class", files)
    found = chosen(path if form == "folder" else Path(shutil.make_archive(tmp_path / "archive", "zip", path)))
    assert {(each.student, each.file) for each in found} == {
        (name, f"submissions/{name}/{versions}lab.ipynb") for name in ("ada", "bob")
    }


@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize("name", [name for name in DOWNLOADS if name not in ("folders", "files")])
def test_one_folder_too_high_is_gone_down(name, form, tmp_path):
    DOWNLOADS[name].save(tmp_path / "given" / "lab 1 export")
    path = tmp_path / "given"
    path = path if form == "folder" else Path(shutil.make_archive(tmp_path / "archive", "zip", path))
    assert students(path) == [*DOWNLOADS[name].rows]


@pytest.mark.parametrize(
    "files, found",
    [
        ({f"class/ada/lab 1/{LAB}.ipynb": "begun", "class/ada/lab 2/02_levels.ipynb": "the other lab"}, {"class"}),
        ({f"class/ada/week 1/{LAB}.ipynb": "solved"}, {"class"}),
        ({"class/ada/lab.zip": "zipped"}, {"class"}),
    ],
)
def test_one_student_below_single_folders_stays_one(tmp_path, files, found):
    assert set(students(zipped(tmp_path / "given" / "top", files))) == found


@pytest.mark.parametrize(
    "files",
    [
        {f"lab{n}/{name}/1/x.ipynb": what for n, what in ((1, "solved"), (2, "the other lab")) for name in ("ada", "bob")},
        {f"Question {n}/lab - {name}.ipynb": "solved" for n in (1, 2) for name in PEOPLE},
        {f"term/{section}/{name}/x.zip": "zipped" for section in "AB" for name in (f"ada{section}", f"bob{section}")},
        {f"{section}/{name} {section}/{LAB}.ipynb": "solved" for section in "AB" for name in ("ada", "bob")},
    ],
)  # fmt: skip
def test_several_classes_are_not_taken_for_students(tmp_path, files):
    with pytest.raises(UserError, match=r"one level too high: each folder in it \(.*\) .* grade these folders"):
        chosen(zipped(tmp_path / "given" / "class", files))


def test_several_flat_classes_may_be_given(tmp_path):
    for section in "AB":
        save(tmp_path / section, {f"lab - {name} {section}.ipynb": "solved" for name in PEOPLE})
    assert len(students(tmp_path / "A", tmp_path / "B")) == 2 * len(PEOPLE)


def test_archives_with_a_class_each_are_refused_if_there_is_nothing_else(tmp_path):
    for lab in ("1", "2"):
        save(tmp_path / lab, {f"{name}/{LAB}.ipynb": "solved" for name in ("ada", "bob")})
        (tmp_path / "given").mkdir(exist_ok=True)
        shutil.make_archive(tmp_path / "given" / lab, "zip", tmp_path / lab)
    with pytest.raises(UserError, match="1.zip, which has several students' submissions: grade it by itself"):
        chosen(tmp_path / "given")


def test_files_that_count_as_one_students_are_reported(tmp_path):
    save(tmp_path, {f"form/file - {name}.ipynb": "solved" for name in PEOPLE[:3]})
    said = one_student(chosen(tmp_path))
    assert said.startswith("All 3 files count as one student's, form,") and "\n" not in said
    assert one_student(chosen(tmp_path / "form")) == ""
    save(tmp_path / "alone", {"ada/a.ipynb": "solved", "ada/b.ipynb": "the other lab"})
    assert one_student(chosen(tmp_path / "alone")) == ""


def test_a_class_that_matches_no_roster_is_not_graded(tmp_path, labkit):
    save(tmp_path / "class", {f"form/file - {name}.ipynb": "solved" for name in PEOPLE[:2]})
    (tmp_path / "roster.csv").write_text("id,name\n1,Ada Lovelace\n", "utf-8")
    options = ("--out", "out", "--roster", "roster.csv", "--allow-unsandboxed")
    done = labkit("grade", "class", *options, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "named 'form', and the roster's ids are '1'; give the folder that" in done.stderr
    assert not (tmp_path / "out").exists()
