"""Downloads of a running Moodle 4.2 with made-up students: each is matched with the assignment's grading worksheet.

`moodle/` has the names of the downloads' entries, with the tiny course's lab in the file names, and the worksheets as exported.
"""

import zipfile
from pathlib import Path

import pytest
from downloads import LAB, PDF, notebook

from labkit.desk.people.desk import Desk
from labkit.desk.people.late import Policy
from labkit.desk.people.roster_file import read_roster
from labkit.grade.intake.archives import extraction_directory
from labkit.grade.intake.choose import choose
from labkit.grade.intake.discover import discover
from labkit.grade.judge.results import NOT_HANDED_IN
from labkit.student.model import project
from labkit.student.model.budgets import Budgets

DATA = Path(__file__).parent / "moodle"


def download(tmp_path, names: str) -> Path:
    path = tmp_path / "download.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in (DATA / names).read_text("utf-8").splitlines():
            content = (
                notebook("solved") if name.endswith(".ipynb") else PDF if name.endswith(".pdf") else b"<p>text</p>"
            )
            archive.writestr(name, content)
    return path


def joined(tmp_path, kind: str) -> tuple[dict, Desk]:
    """The rows by e-mail address."""
    roster = read_roster(project.current().course, DATA / f"worksheet{kind}.csv")
    desk = Desk(project.current(), Policy(), given={}, adjusted=[], digests={}, comments=None, roster=roster)
    with extraction_directory(2**20) as room:
        path = download(tmp_path, f"names{kind}.txt")
        rows = desk.joined(choose(project.current(), discover(project.current(), [path], None, room), Budgets()))
    return {each.student: each for each in rows}, desk


@pytest.mark.parametrize("kind, count", [("", 9), ("-blind", 4), ("-teams", 10), ("-online-text", 3)])
def test_every_student_of_the_download_is_matched(tmp_path, kind, count):
    rows, desk = joined(tmp_path, kind)
    missing = [each for each in rows.values() if each.refusal and each.refusal.status == NOT_HANDED_IN]
    assert (len(rows) - len(missing), len(missing)) == (count, 10 - count)
    assert desk.strangers == desk.notes == [] and {*rows} == {f"user{n}@example.org" for n in range(10)}


def test_each_student_has_the_right_file(tmp_path):
    rows, _ = joined(tmp_path, "")
    assert rows["user3@example.org"].file.startswith("Ann Lee_4_") and rows["user4@example.org"].file.startswith(
        "Ann Lee_5_"
    )
    assert rows["user6@example.org"].file.startswith("Jean Luc Van der Berg_7_")
    assert rows["user8@example.org"].refusal.status == "not_a_lab" and rows["user9@example.org"].by == ""
    blind, _ = joined(tmp_path, "-blind")
    assert blind["user4@example.org"].file == f"Participant_12_assignsubmission_file/{LAB}.ipynb"
    teams, _ = joined(tmp_path, "-teams")
    assert {each.file.partition("_")[0] for each in teams.values()} == {"Default group", "Group A", "Grupo 2 (martes)"}
    assert teams["user3@example.org"].file == teams["user5@example.org"].file
    text, _ = joined(tmp_path, "-online-text")
    assert text["user1@example.org"].refusal.status == "not_a_lab"
    assert text["user3@example.org"].file == f"Ann Lee_36_assignsubmission_file/{LAB}.ipynb"
