"""Downloads of a running Moodle 4.2 with made-up students: each is matched with the assignment's grading worksheet.

`moodle/` has the names of the downloads' entries, with the tiny course's lab in the file names, and the worksheets as exported.
"""

import zipfile
from pathlib import Path

import pytest
from downloads import LAB, PDF, joined, notebook

from labkit.desk.people.desk import Desk
from labkit.grade.judge.results import NOT_HANDED_IN

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


def matched(tmp_path, kind: str) -> tuple[dict, Desk]:
    """The rows by e-mail address."""
    rows, desk = joined(DATA / f"worksheet{kind}.csv", download(tmp_path, f"names{kind}.txt"))
    return {each.student: each for each in rows}, desk


@pytest.mark.parametrize("kind, count", [("", 9), ("-blind", 4), ("-teams", 10), ("-online-text", 3)])
def test_every_student_of_the_download_is_matched(tmp_path, kind, count):
    rows, desk = matched(tmp_path, kind)
    missing = [each for each in rows.values() if each.refusal and each.refusal.status == NOT_HANDED_IN]
    assert (len(rows) - len(missing), len(missing)) == (count, 10 - count)
    assert desk.strangers == desk.notes == [] and {*rows} == {f"user{n}@example.org" for n in range(10)}


def test_each_student_has_the_right_file(tmp_path):
    rows, _ = matched(tmp_path, "")
    assert rows["user3@example.org"].file.startswith("Ann Lee_4_") and rows["user4@example.org"].file.startswith(
        "Ann Lee_5_"
    )
    assert rows["user6@example.org"].file.startswith("Jean Luc Van der Berg_7_")
    assert rows["user8@example.org"].refusal.status == "not_a_lab" and rows["user9@example.org"].by == ""
    blind, _ = matched(tmp_path, "-blind")
    assert blind["user4@example.org"].file == f"Participant_12_assignsubmission_file/{LAB}.ipynb"
    teams, _ = matched(tmp_path, "-teams")
    assert {each.file.partition("_")[0] for each in teams.values()} == {"Default group", "Group A", "Grupo 2 (martes)"}
    assert teams["user3@example.org"].file == teams["user5@example.org"].file
    text, _ = matched(tmp_path, "-online-text")
    assert text["user1@example.org"].refusal.status == "not_a_lab"
    assert text["user3@example.org"].file == f"Ann Lee_36_assignsubmission_file/{LAB}.ipynb"
