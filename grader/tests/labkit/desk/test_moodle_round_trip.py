"""Downloads, feedback and grading worksheets of a real Moodle 4.2: names and worksheets of four assignments with made-up students.

The folders in `ACCEPTED` are those that this Moodle assigned to students when the zip was uploaded.
"""

import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from desks import LAB, by_hand, cells, leave, result
from downloads import PDF, SCRATCH, chosen, joined, notebook
from test_feedback_zips import members

from labkit.desk.lms.gradebooks import fill_moodle
from labkit.desk.pages.students import StudentPages
from labkit.desk.people import score_store
from labkit.desk.people.desk import Desk
from labkit.desk.people.final_score import FinalScore
from labkit.grade.judge.results import NOT_HANDED_IN, unjudged
from labkit.student.model import project

SAMPLES = Path(__file__).with_name("moodle_4_2")
OTHER = {"report.pdf": PDF, "onlinetext.html": b"<p>I could not upload; see link</p>", "notes.ipynb": SCRATCH}
ACCEPTED = {
    "": [
        "Ann Lee_4", "Ann Lee_5", "Aoife ONeil_3", "Broken File_8", "Jean Luc Van der Berg_7",
        "María José García López_2", "Zoë Müller_1", "李 小龙_6",
    ],
    "-blind": ["Participant_12", "Participant_14", "Participant_17", "Participant_20"],
    "-teams": ["Group A_1", "Grupo 2 (martes)_2"],
    "-online-text": ["Ann Lee_36", "Zoë Müller_31"],
}  # fmt: skip
FILLED = {"": 9, "-blind": 4, "-teams": 10, "-online-text": 3}  # worksheet rows
WHOSE = {  # the folders of a few students by number; two students are called Ann Lee
    "": {3: "Ann Lee_4", 4: "Ann Lee_5", 6: "Jean Luc Van der Berg_7"},
    "-blind": {4: "Participant_12"},
    "-teams": {3: "Grupo 2 (martes)_2", 5: "Grupo 2 (martes)_2"},
    "-online-text": {0: "Zoë Müller_31", 3: "Ann Lee_36"},
}
NOBODY = [f"user{number}@example.org" for number in (4, 6, 7, 8, 9)]  # the default group


def download(tmp_path, kind: str) -> Path:
    with zipfile.ZipFile(tmp_path / "download.zip", "w") as file:
        for number, name in enumerate((SAMPLES / f"names{kind}.txt").read_text("utf-8").splitlines()):
            copy = notebook(("solved", "begun")[number % 2])
            content = b'{"cells": [' if "Broken" in name else OTHER.get(name.rpartition("/")[2], copy)
            file.writestr(name, content)
    return tmp_path / "download.zip"


@pytest.mark.parametrize("kind", FILLED)
def test_every_student_of_the_download_is_matched_with_the_right_file(tmp_path, kind):
    found, desk = joined(SAMPLES / f"worksheet{kind}.csv", download(tmp_path, kind))
    missing = [each for each in found if each.refusal and each.refusal.status == NOT_HANDED_IN]
    assert (len(found) - len(missing), len(missing)) == (FILLED[kind], 10 - FILLED[kind])
    assert desk.strangers == desk.notes == []
    files = {number: each.file for each in found for number in range(10) if each.student == f"user{number}@example.org"}
    assert len(files) == 10
    for number, folder in WHOSE[kind].items():
        assert files[number].startswith(f"{folder}_assignsubmission_")


def graded(tmp_path, kind: str, *adjusted: str) -> tuple[Path, list[FinalScore]]:
    """Results and pages of an assignment's download, with its worksheet as the roster."""
    out, archive = tmp_path / "out", download(tmp_path, kind)
    (tmp_path / "due.toml").write_text("")
    by_hand(out, *adjusted)
    desk = Desk.read(project.current(), out, SAMPLES / f"worksheet{kind}.csv", tmp_path / "due.toml", None, False)
    results = [_result(each) for each in desk.joined(chosen(archive, out=out))]
    leave(out, results, whose=desk.roster.people.get)
    with StudentPages(project.current(), out) as pages:
        for each in desk.final_scores(results):
            pages.add(each)
        pages.finish()
    return out, score_store.read(out)[1]


def _result(submission):
    if submission.refusal:
        return unjudged(project.current(), submission, submission.refusal.status, submission.refusal.reason, 1)
    return replace(result(submission.student), submission=submission)


@pytest.mark.parametrize("kind", ACCEPTED)
def test_the_feedback_zip_has_the_folders_that_moodle_accepted(tmp_path, labkit, kind):
    out, _ = graded(tmp_path, kind)
    done = labkit("export", out, "--to", "moodle-feedback", "--out", tmp_path / "f.zip")
    assert done.returncode == 0, done.stderr
    found = members(tmp_path / "f.zip")
    assert sorted(found) == [f"{folder}_assignsubmission_file/feedback.html" for folder in sorted(ACCEPTED[kind])]
    assert "upload it first" in done.stdout


@pytest.mark.parametrize("kind", FILLED)
def test_the_worksheet_gets_a_score_and_one_line_an_exercise(tmp_path, kind):
    _, rows = graded(tmp_path, kind)
    sheet, ours = SAMPLES / f"worksheet{kind}.csv", tmp_path / "ours.csv"
    (export,) = fill_moodle(sheet, [("any", rows)], ours)
    head, *filled = cells(ours)
    comments = [row[head.index("Feedback comments")].split("<br>") for row in filled if row[head.index("Grade")]]
    assert export.filled == len(comments) == FILLED[kind]
    assert any("worksheet before the feedback zip" in note for note in export.notes)
    for lines in comments:
        exercises = [line.partition(",")[0] for line in lines]
        assert (
            len(set(exercises)) == len(exercises) and len(set(lines)) == len(lines) and not re.search(r"_", str(lines))
        )


def test_the_gradebook_gets_the_scores_of_everyone_who_submitted(tmp_path):
    _, rows = graded(tmp_path, "")
    (export,) = fill_moodle(SAMPLES / "gradebook.csv", [("Lab 1", rows)], tmp_path / "ours.csv")
    assert export.filled == 9
    assert "rows unchanged because there is no score for them (1): Never" in export.notes


def test_the_online_text_of_a_student_without_a_notebook_is_in_the_reason(tmp_path):
    _, rows = graded(tmp_path, "-online-text")
    reasons = {row.student: row.feedback["why"] for row in rows if "online text" in row.feedback["why"]}
    assert [*reasons] == ["user1@example.org"]  # the only one without a notebook
    assert reasons["user1@example.org"].count("I could not upload; see link") == 1


def test_a_groups_page_has_its_name_and_a_group_without_a_number_reaches_nobody(tmp_path, labkit):
    out, _ = graded(tmp_path, "-teams")
    done = labkit("export", out, "--to", "moodle-feedback", "--out", tmp_path / "f.zip")
    (line,) = [line for line in done.stdout.splitlines() if "left out" in line]
    assert "a group's folder without a number" in line and line.endswith(f"(5): {', '.join(NOBODY)}")
    page = members(tmp_path / "f.zip")["Group A_1_assignsubmission_file/feedback.html"].decode()
    assert page.count("Feedback for Group A<") == 2 and "Müller" not in page and "López" not in page


def test_a_group_gets_no_page_if_its_members_points_differ(tmp_path, labkit):
    out, _ = graded(tmp_path, "-teams", f"user1@example.org,{LAB},,,,Ill with a certificate,yes")
    done = labkit("export", out, "--to", "moodle-feedback", "--out", tmp_path / "f.zip")
    found = members(tmp_path / "f.zip")
    assert [*found] == ["Grupo 2 (martes)_2_assignsubmission_file/feedback.html"]
    assert "differ between its members; their own pages are in students/ (3): user0" in done.stdout
    assert not any(b"certificate" in page for page in found.values())
