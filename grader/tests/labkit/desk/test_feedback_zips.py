"""Feedback zips contain each student's feedback under the LMS's name of the submission."""

import io
import zipfile

import nbformat
import pytest
from desks import LAB, NEXT, absent, leave, result, submitted

from labkit.desk.pages.students import StudentPages
from labkit.desk.people.final_score import FinalScore
from labkit.student.model import project

CANVAS = {
    "lovelaceada_101": "lovelaceada_101_9001_lab_1.ipynb",
    "müllerbob_102": "müllerbob_LATE_102_9002_lab-1-2.ipynb",
}
MOODLE = {
    "Ada Lovelace_101": "Ada Lovelace_101_assignsubmission_file/lab_1.ipynb",
    "Participant_3000": "Participant_3000_assignsubmission_file_/deep/er/lab.ipynb",
}

ATTEMPT = "101-9 - Ada Lovelace - Sep 24, 2024 926 PM"


def graded(out, by, files):
    """Results and students' pages for the files of a download.

    One more student submitted by mail, and one did not submit.
    """
    results = [submitted(result(who), file=f"class.zip/{name}", by=by) for who, name in files.items()]
    results += [result("by mail"), absent("gone")]
    leave(out, results)
    with StudentPages(project.current(), out) as pages:
        for each in sorted(results, key=lambda each: each.student):
            pages.add(FinalScore(each))
        pages.finish()
    return out


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_canvas_takes_back_notebooks_named_as_it_named_the_submissions(tmp_path, labkit):
    out = graded(tmp_path / "out", "canvas", CANVAS)
    done = labkit("export", out, "--to", "canvas-feedback", "--out", tmp_path / "f.zip")
    assert done.returncode == 0, done.stderr
    assert "2 feedback files" in done.stdout and "(1): by mail" in done.stdout
    found = members(tmp_path / "f.zip")
    assert sorted(found) == sorted(CANVAS.values())
    for data in found.values():
        notebook = nbformat.read(io.BytesIO(data), as_version=4)
        nbformat.validate(notebook)
        assert "01 · Spread" in notebook.cells[0].source and "not quite" in notebook.cells[0].source


def test_feedback_on_a_script_is_a_script_of_comments(tmp_path, labkit):
    out = graded(tmp_path / "out", "canvas", {"lovelaceada_101": "lovelaceada_101_9001_lab_1.py"})
    assert labkit("export", out, "--to", "canvas-feedback", "--out", tmp_path / "f.zip").returncode == 0
    lines = members(tmp_path / "f.zip")["lovelaceada_101_9001_lab_1.py"].decode().splitlines()
    assert all(line.startswith("#") for line in lines) and any("not quite" in line for line in lines)


@pytest.mark.parametrize(
    ("lms", "files", "folders"),
    [
        ("moodle", MOODLE, [f"{who}_assignsubmission_file" for who in MOODLE]),
        ("brightspace", {"Ada Lovelace_101": f"Lab 1/{ATTEMPT}/lab - 2.ipynb"}, [ATTEMPT]),  # the one that counts
    ],
)
def test_an_lms_takes_back_pages_in_the_folders_of_its_download(tmp_path, labkit, lms, files, folders):
    out = graded(tmp_path / "out", lms, files)
    done = labkit("export", out, "--to", f"{lms}-feedback", "--out", tmp_path / "f.zip")
    assert done.returncode == 0, done.stderr
    found = members(tmp_path / "f.zip")
    assert [*found] == [f"{folder}/feedback.html" for folder in sorted(folders)]
    ada = (out / "students").glob("ada-lovelace*.html")
    assert found[f"{folders[0]}/feedback.html"] == next(ada).read_bytes()


def test_the_same_feedback_is_the_same_bytes(tmp_path, labkit):
    out = graded(tmp_path / "out", "canvas", CANVAS)
    for name in ("one.zip", "two.zip"):
        assert labkit("export", out, "--to", "canvas-feedback", "--out", tmp_path / name).returncode == 0
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


@pytest.mark.parametrize("form", ["canvas-feedback", "moodle-feedback"])
def test_a_zip_is_of_one_assignment_and_takes_no_gradebook(tmp_path, labkit, form):
    leave(tmp_path / "out", [result("ada"), result("ada", NEXT)])
    (tmp_path / "book.csv").write_text("Student,ID\n")
    for arguments, says in (
        ([], f"choose its lab with --lab, one of {LAB}, {NEXT}"),
        (["--lab", "1", "--gradebook", tmp_path / "book.csv"], "takes no --gradebook"),
        (["--lab", "1", "--assignment", "Lab 1"], "takes no --assignment"),
    ):
        done = labkit("export", tmp_path / "out", "--to", form, "--out", tmp_path / "f.zip", *arguments)
        assert done.returncode == 2 and says in done.stderr and len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "f.zip").exists()


def test_a_student_whose_page_is_gone_is_listed(tmp_path, labkit):
    out = graded(tmp_path / "out", "canvas", CANVAS)
    next((out / "students").glob("lovelaceada*.md")).unlink()
    done = labkit("export", out, "--to", "canvas-feedback", "--out", tmp_path / "f.zip")
    assert done.returncode == 0 and "their pages are missing: grade again (1): lovelaceada_101" in done.stdout
    assert [*members(tmp_path / "f.zip")] == [CANVAS["müllerbob_102"]]


@pytest.mark.parametrize(
    ("form", "hint"), [("canvas-feedback", "; for Moodle, use --to moodle-feedback"), ("moodle-feedback", "")]
)
def test_a_zip_that_would_be_empty_is_one_line_and_not_written(tmp_path, labkit, form, hint):
    if hint:
        out = graded(tmp_path / "out", "moodle", MOODLE)
    else:
        leave(out := tmp_path / "out", [result("ada"), result("bob")])
    done = labkit("export", out, "--to", form, "--out", tmp_path / "f.zip")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and not (tmp_path / "f.zip").exists()
    assert "so no zip was written" in done.stderr and hint in done.stderr
