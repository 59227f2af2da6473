"""A class of sixty in every known format of download. All sixty match a roster by id, name or address."""

from __future__ import annotations

import csv
import unicodedata
import zipfile
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from pathlib import Path

import pytest
from downloads import LAB, chosen, notebook, save
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.desk.people.final_score import Person
from labkit.desk.people.matching import join
from labkit.desk.people.roster import Roster
from labkit.desk.people.roster_file import read_roster
from labkit.student.model import project

GIVEN = ("José", "María José", "Ana", "Jean-Luc", "Zoë", "Ángel", "Li", "Søren", "Óscar", "Bo")
FAMILY = ("Muñoz Pérez", "Gil", "Gil Paz", "O'Neil", "Müller", "García")


def in_ascii(name: str) -> str:
    return unicodedata.normalize("NFKD", name.replace("ø", "o")).encode("ascii", "ignore").decode()


@dataclass(frozen=True)
class Student:
    number: int
    first: str
    last: str

    @property
    def id(self) -> str:
        return f"s{self.number:03}"

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def login(self) -> str:
        return f"{''.join(filter(str.isalnum, in_ascii(self.last + self.first[0]))).lower()}{self.number}"

    @property
    def sortable(self) -> str:
        """A name as Canvas writes it into file names."""
        return "".join(char for char in f"{self.last}, {self.first}".lower() if char.isalnum() or char == "_")

    def moodle(self, name: str) -> str:
        return "".join(char for char in name if char not in "&<>\"`|':\\/")


CLASS = [Student(number, first, last) for number, (first, last) in enumerate(product(GIVEN, FAMILY))]


def read_rows(path: Path, *rows: tuple) -> Roster:
    """Write a spreadsheet and read it as a roster."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return read_roster(project.current().course, path)


def gradescope(people) -> dict[str, object]:
    said = [
        f"submission_{each.number}:\n  :submitters:\n  - :name: {each.name}\n    :email: {each.login}@example.org\n"
        for each in people
    ]
    files = {f"submission_{each.number}/lab.ipynb": "solved" for each in people}
    return {"submission_metadata.yml": "".join(said).encode(), **files}


def canvas(each: Student) -> str:
    late = "_LATE" if each.number % 3 == 0 else ""
    return f"{each.sortable}{late}_{7000 + each.number}_{90000 + each.number}_12_13_lab.ipynb"


NAMES = {  # by download: the name of a student's file or folder
    "canvas": canvas,
    "moodle 3": lambda each: f"{each.moodle(each.name)}_{500 + each.number}_assignsubmission_file_/lab.ipynb",
    "moodle 4": lambda each: f"{each.moodle(each.name)}_{500 + each.number}_assignsubmission_file/my lab.ipynb",
    "moodle 4, family name first": lambda each: (
        f"{each.moodle(f'{each.last}, {each.first}')}_{500 + each.number}_assignsubmission_file/lab.ipynb"
    ),
    "moodle without folders": lambda each: (
        f"{each.moodle(each.name)}_{500 + each.number}_assignsubmission_file_lab_1_2_x.ipynb"
    ),
    "blackboard": lambda each: f"Lab 1_{each.login}_attempt_2024-01-31-12-30-{each.number % 60:02}_x_1_2_y.ipynb",
    "brightspace": lambda each: f"{each.number}-9 - {each.name} - Jan 31, 2024 1230 PM/lab.ipynb",
    "sakai": lambda each: f"Lab 1/{each.last}, {each.first}({each.login})/Submission attachment(s)/lab.ipynb",
    "autolab": lambda each: f"{each.login}@example.org_1_lab.ipynb",
    "a-plus": lambda each: f"{each.id}_file1_submission1",
    "nbgrader": lambda each: f"submitted/{each.id}/ps1/lab.ipynb",
    "github classroom": lambda each: f"lab-01-submissions/lab-01-{each.login}/labs/{LAB}.ipynb",
    "teams": lambda each: f"Submitted files/{each.name}/Lab 1/Version 1/lab.ipynb",
    "onedrive": lambda each: f"{each.name}/lab.ipynb",
    "google classroom": lambda each: (
        f"{each.name} - Lab 1.ipynb" if each.number % 2 else f"Copy of Lab 1 - {each.name}.ipynb"
    ),
    "google forms": lambda each: f"Lab {each.number % 7} (final) - {each.name}.ipynb",
    "family name first": lambda each: f"{each.last} {each.first}/lab.ipynb",
    "in capitals, without accents": lambda each: f"{in_ascii(f'{each.last}_{each.first}').upper()}_lab1.ipynb",
}


@pytest.fixture
def roster(tmp_path):
    names = (each.name if each.number % 2 else f"{each.last}, {each.first}" for each in CLASS)
    people = ((each.id, name, f"{each.login}@example.org") for each, name in zip(CLASS, names))
    return read_rows(tmp_path / "roster.csv", ("id", "name", "email"), *people)


def found(roster, *paths) -> tuple[set[str], dict[str, str]]:
    """The ids of everyone whose submission was found, and the submissions that match no one."""
    rows, strangers = join(project.current().course, roster, chosen(*paths))
    return {each.student for each in rows if each.refusal is None} - {*strangers}, strangers


EVERYBODY = {each.id for each in CLASS}


WINDOWS = [("family name first", page) for page in ("cp437", "cp850")]  # zips with names in a DOS code page


@pytest.mark.parametrize("name, form", [*product([*NAMES, "gradescope"], ["folder", "utf-8"]), *WINDOWS])
def test_all_sixty_are_found(name, form, tmp_path, roster):
    files = gradescope(CLASS) if name == "gradescope" else dict.fromkeys(map(NAMES[name], CLASS), "solved")
    assert len(files) >= len(CLASS)
    in_folder = form == "folder"
    path = save(tmp_path / "class", files) if in_folder else zipped(tmp_path / "class.zip", files, form)
    assert found(roster, path) == (EVERYBODY, {})


@pytest.mark.parametrize("name", ["google forms", "google classroom"])
def test_a_class_is_found_in_the_only_folder_of_a_zip(tmp_path, roster, name):
    """Google Drive zips the folder of a form or an assignment in this way."""
    folder = "Lab 1 (File responses)" if name == "google forms" else "Lab 1"
    files = {f"{folder}/{NAMES[name](each)}": "solved" for each in CLASS[:9]}
    assert found(roster, zipped(tmp_path / "download.zip", files)) == ({each.id for each in CLASS[:9]}, {})


def test_an_only_folder_with_drafts_is_a_students(tmp_path):
    names = ("lab.ipynb", "lab (1).ipynb", "lab (2).ipynb", "lab final.ipynb")
    (own,) = chosen(save(tmp_path, {f"ada/{name}": "solved" for name in names}))
    assert own.student == "ada" and len(own.passed_over) == 3


def zipped(path, files, encoding="utf-8"):
    class Info(zipfile.ZipInfo):
        def _encodeFilenameFlags(self):
            """Encode names as Windows does: in the DOS code page if it has all the letters, without setting the UTF-8 flag."""
            try:
                return self.filename.encode(encoding), self.flag_bits & ~0x800
            except UnicodeEncodeError:
                return self.filename.encode(), self.flag_bits | 0x800

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, what in files.items():
            archive.writestr(
                Info(name) if encoding != "utf-8" else zipfile.ZipInfo(name),
                what if isinstance(what, bytes) else notebook(what),
            )
    return path


@pytest.mark.parametrize("ends", [("-001", "-002"), ("-1-001", "-2-001")])
@pytest.mark.parametrize("unpacked", [False, True])
def test_all_sixty_are_found_in_a_google_drive_download_in_two_parts(tmp_path, roster, ends, unpacked):
    """The split divides the class, and even the folders of individual students."""
    files = {f"Lab 1/{each.name}/lab.ipynb": "solved" for each in CLASS[:31]}
    more = {f"Lab 1/{each.name}/lab.ipynb": "solved" for each in CLASS[31:]}
    more |= {f"Lab 1/{each.name}/notes.ipynb": "begun" for each in CLASS[29:31]}
    paths = []
    for end, part in zip(ends, (files, more)):
        name = f"Lab 1-20240131T123005Z{end}"
        if unpacked:
            save(tmp_path / name, part)
        paths.append(tmp_path / name if unpacked else zipped(tmp_path / f"{name}.zip", part))
    assert found(roster, *paths) == (EVERYBODY, {})


def test_canvas_numbers_match_its_gradebook_for_every_name(tmp_path):
    head = "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (471),Current Score,Current Score\n"
    quirks = ",,,,,Manual Posting,,\n    Points Possible,,,,,10,(read only),(read only)\n"
    lines = [
        f'"{each.last}, {each.first}",{7000 + each.number},{each.id},{each.login},"A and B",,,\n' for each in CLASS
    ]
    export = tmp_path / "export.csv"
    export.write_text(f'\ufeff{head}{quirks}{"".join(lines)}"Student, Test",9999,,abc,A,,,\n', "utf-8")
    roster = read_roster(project.current().course, export)
    assert [*roster.people] == [str(7000 + each.number) for each in CLASS]
    assert roster.people["7000"].name == "Muñoz Pérez, José" and roster.people["7000"].section == "A and B"
    files = {f"xyz_{7000 + each.number}_{100 + each.number}_lab.ipynb": "solved" for each in CLASS}
    save(tmp_path / "class", files)
    assert found(roster, tmp_path / "class") == ({*roster.people}, {})
    for name in NAMES.keys() - {"autolab"}:  # other downloads: the school's names and ids, but no addresses
        save(tmp_path / name, {NAMES[name](each): "solved" for each in CLASS[:2]})
        assert found(roster, tmp_path / name) == ({"7000", "7001"}, {}), name
    assert not roster.fitting("muñozpérezjosé_1", "canvas")  # an unknown number under a known name


ENGLISH = "Identifier", "Full name", "Email address", "Status", "Last modified (submission)"
SPANISH = "Identificador", "Nombre completo", "Dirección de correo", "Estado", "Última modificación (entrega)"


@pytest.mark.parametrize(
    "head, word, when",
    [
        (ENGLISH, "Participant", "Thursday, 9 February 2023, 8:52 PM"),
        (SPANISH, "Participante", "jueves, 9 de febrero de 2023, 20:52"),
    ],
)
def test_a_worksheet_of_moodle_knows_its_participants(tmp_path, head, word, when):
    rows = (
        (f"{word} {500 + each.number}", each.name, f"{each.login}@example.org", "-", when if each.number else "-")
        for each in CLASS
    )
    roster = read_rows(tmp_path / "grades.csv", head, *rows)
    times = [known.submitted.get("") for known in roster.known.values()]
    assert times[:2] == [None, datetime(2023, 2, 9, 20, 52)]
    files = (f"{word}_{500 + each.number}_assignsubmission_file/lab.ipynb" for each in CLASS)
    save(tmp_path / "class", dict.fromkeys(files, "solved"))
    assert found(roster, tmp_path / "class") == ({*roster.people}, {})
    assert roster.fitting("José Gil_501", "moodle") == {f"{CLASS[1].login}@example.org"}
    assert not roster.fitting("Group A_501", "moodle")  # the number of a group
    assert len(roster.fitting("José Gil_502", "moodle")) > 1  # another participant's number


def test_a_worksheet_of_an_anonymous_assignment_needs_no_names(tmp_path):
    names = "Participant 3000", "Participant 3001"
    roster = read_rows(tmp_path / "grades.csv", ("Identifier", "Status"), *((name, "-") for name in names))
    files = (f"{name.replace(' ', '_')}_assignsubmission_file/lab.ipynb" for name in names)
    save(tmp_path / "class", dict.fromkeys(files, "solved"))
    assert found(roster, tmp_path / "class") == ({*names}, {})


def test_unmatched_submissions_have_a_reason(tmp_path):
    people = {"1": "Ana María", "2": "María Ana", "3": "Bo Gil", "4": "Bo Gil Paz", "5": "Li"}
    roster = Roster({id: Person(id, name) for id, name in people.items()})
    names = ("Ana Maria", "Bo Gil - by Li", "copy of Bo Gil Paz - lab", "Li Bo", "Bo Gil and Ana María", "nobody")
    save(tmp_path, {f"{name}.ipynb": "solved" for name in names})
    assert found(roster, tmp_path) == (
        {"3", "4"},
        {
            "Ana Maria": "matches several: Ana María (1), María Ana (2)",
            "Bo Gil and Ana María": "matches several: Ana María (1), María Ana (2), Bo Gil (3)",
            "Li Bo": "",
            "nobody": "",
        },
    )


WORD = st.text(st.sampled_from("abcdeéñüøßÁŁ李"), min_size=1, max_size=4)
NAME = st.lists(WORD, min_size=2, max_size=3).map(" ".join)
TITLES = st.one_of(NAME, st.text(max_size=12))


@settings(deadline=None)
@given(st.lists(NAME, min_size=1, max_size=5, unique=True), TITLES, st.booleans(), st.data())
def test_a_title_never_makes_a_file_another_students(names, title, is_first, data):
    """A student may choose any title, even a classmate's name. The file still belongs to the student who submitted it, or matches no one."""
    roster = Roster({name: Person(name, name) for name in names})
    student = data.draw(st.sampled_from(names))
    text = f"{student} - {title}" if is_first else f"{title} - {student}"
    found = roster.fitting(text, "file")
    assert student in found or found == {text}
