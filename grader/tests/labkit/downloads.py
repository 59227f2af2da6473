"""Downloads as each LMS makes them, for lab 01 of the tiny course, with the LMS's names and layout.

In each download, Ada submitted twice if the LMS allows it, Bob once, and Eve a file that is not a notebook.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from handouts import Handout

LAB = "01_spread"
WHEN = 1.7e9  # seconds since 1970; each file is 90 seconds newer than the one before


@dataclass(frozen=True)
class Row:
    """The expected result of a submission."""

    student: str
    file: str = ""
    passed_over: tuple[str, ...] = ()
    lab: str = LAB


@dataclass(frozen=True)
class Download:
    by: str
    files: Mapping[str, object]  # by name: "solved", "begun", "untouched" or "the other lab", or the bytes
    rows: tuple[Row, ...]

    def save(self, folder: Path) -> Path:
        save(folder, self.files)
        return folder


def save(folder: Path, files: Mapping[str, object]) -> Path:
    for number, (name, what) in enumerate(files.items()):
        path = folder / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(what if isinstance(what, bytes) else notebook(what))
        os.utime(path, (WHEN + 90 * number, WHEN + 90 * number))
    return folder


def notebook(what: str) -> bytes:
    copy = Handout("02_levels" if what == "the other lab" else LAB, solved=what == "solved")
    if what == "begun":
        copy.write("by_hand", "by_hand = [1.00, 1.63]")
    return copy.as_bytes()


SCRATCH = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
PDF = b"%PDF-1.7"
METADATA = """---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '017'
    :email: ada@example.org
  - :name: Bob Born
    :sid: '018'
    :email:
  :created_at: 2024-01-31 12:30:05.123456789 Z
  :score: 10.0
  :results:
    :tests:
    - :output: |
        submission_2:
        :submitters:
    :created_at: 1999-01-01 00:00:00 Z
submission_2:
  :submitters:
  - :name: Eve "the" O'Neil
    :sid: ''
    :email:
  :created_at: 2024-01-31 14:30:05.1 +02:00
"""

DOWNLOADS = {
    "canvas": Download(
        "canvas",
        {
            "lovelaceada_LATE_12345_67899_01_spread-1.ipynb": "begun",
            "lovelaceada_12345_67890_01_spread.ipynb": "solved",  # unpacked later, submitted earlier
            "bornbob_12346_67891_12_13_homework.ipynb": "solved",
            "eve_LATE_12347_67892_essay.pdf": PDF,
        },
        (
            Row("bornbob_12346", "bornbob_12346_67891_12_13_homework.ipynb"),
            Row("eve_12347", lab=""),
            Row(
                "lovelaceada_12345",
                "lovelaceada_LATE_12345_67899_01_spread-1.ipynb",
                ("lovelaceada_12345_67890_01_spread.ipynb",),
            ),
        ),
    ),
    "moodle": Download(
        "moodle",
        {
            "Ada Lovelace_501_assignsubmission_file_/try/old.ipynb": "begun",
            "Ada Lovelace_501_assignsubmission_file_/01_spread.ipynb": "solved",
            "Ada Lovelace_501_assignsubmission_onlinetext_/onlinetext.html": b"<p>see the file</p>",
            "Ada Lovelace_502_assignsubmission_file_/01_spread.ipynb": "begun",  # another student with this name
            "Eve O_Neil_503_assignsubmission_onlinetext_/onlinetext.html": b"<p>done</p>",
        },
        (
            Row(
                "Ada Lovelace_501",
                "Ada Lovelace_501_assignsubmission_file_/01_spread.ipynb",
                ("Ada Lovelace_501_assignsubmission_file_/try/old.ipynb",),
            ),
            Row("Ada Lovelace_502", "Ada Lovelace_502_assignsubmission_file_/01_spread.ipynb"),
            Row("Eve O_Neil_503", lab=""),
        ),
    ),
    "moodle 4": Download(
        "moodle",
        {
            "Ada Lovelace_3003_assignsubmission_file/01_spread.ipynb": "solved",
            "Ada Lovelace_3003_assignsubmission_onlinetext/onlinetext.html": b"<p>see the file</p>",
            "Default group_assignsubmission_file/a.ipynb": "begun",
            "Group A_12_assignsubmission_file/week 1/a.ipynb": "begun",
            "Muñoz Pérez, José_3004_assignsubmission_file/a.ipynb": "begun",
            "Participant_3000_assignsubmission_file/a.ipynb": "begun",
            "Zoe_3005_assignsubmission_onlinetext/onlinetext.html": b"<p>done</p>",
        },
        (
            Row("Ada Lovelace_3003", "Ada Lovelace_3003_assignsubmission_file/01_spread.ipynb"),
            Row("Default group", "Default group_assignsubmission_file/a.ipynb"),
            Row("Group A_12", "Group A_12_assignsubmission_file/week 1/a.ipynb"),
            Row("Muñoz Pérez, José_3004", "Muñoz Pérez, José_3004_assignsubmission_file/a.ipynb"),
            Row("Participant_3000", "Participant_3000_assignsubmission_file/a.ipynb"),
            Row("Zoe_3005", lab=""),
        ),
    ),
    "moodle without folders": Download(
        "moodle",
        {
            "Ada Lovelace_501_assignsubmission_file_01_spread.ipynb": "solved",
            "Eve O_Neil_503_assignsubmission_file_essay.pdf": PDF,
        },
        (
            Row("Ada Lovelace_501", "Ada Lovelace_501_assignsubmission_file_01_spread.ipynb"),
            Row("Eve O_Neil_503", lab=""),
        ),
    ),
    "gradescope": Download(
        "gradescope",
        {
            "submission_metadata.yml": METADATA.encode(),
            "submission_1/homework.ipynb": "solved",
            "submission_2/essay.pdf": PDF,
        },
        (
            Row("018", "submission_1/homework.ipynb"),
            Row('Eve "the" O\'Neil', lab=""),
            Row("ada@example.org", "submission_1/homework.ipynb"),
        ),
    ),
    "blackboard": Download(
        "blackboard",
        {
            "Lab 1_ada_attempt_2024-02-01-09-00-00_mine.ipynb": "begun",
            "Lab 1_ada_attempt_2024-01-31-12-30-05_bob_attempt_2025-01-01-00-00-00_x.ipynb": "solved",
            "Lab 1_ada_attempt_2024-01-31-12-30-05.txt": b"Name: Ada Lovelace (ada)\nAssignment: Lab 1\n",
            "Lab 1_bob_b_attempt_2024-01-31-12-30-05_x.ipynb": "solved",
            "Lab 1_bob_b_attempt_2024-01-31-12-30-05.txt": b"Name: Bob Born (bob_b)\r\nAssignment: Lab 1\r\n",
            "Lab 1_eve_attempt_2024-01-31-12-30-05.txt": b"Name: Eve O'Neil (eve)\nThere are no files.\n",
        },
        (
            Row(
                "ada",
                "Lab 1_ada_attempt_2024-02-01-09-00-00_mine.ipynb",
                ("Lab 1_ada_attempt_2024-01-31-12-30-05_bob_attempt_2025-01-01-00-00-00_x.ipynb",),
            ),
            Row("bob_b", "Lab 1_bob_b_attempt_2024-01-31-12-30-05_x.ipynb"),
            Row("eve", lab=""),
        ),
    ),
    "nbgrader": Download(
        "nbgrader",
        {
            "source/ps1/01_spread.ipynb": "untouched",
            "release/ps1/01_spread.ipynb": "untouched",
            "gradebook.db": b"",
            "submitted/ada/ps1/01_spread.ipynb": "solved",
            "submitted/ada/ps1/timestamp.txt": b"2024-01-31 12:30:05.948203 UTC\n",
            "submitted/bob/ps1/01_spread.ipynb": "begun",
            "submitted/eve/ps1/essay.pdf": PDF,
        },
        (
            Row("ada", "submitted/ada/ps1/01_spread.ipynb"),
            Row("bob", "submitted/bob/ps1/01_spread.ipynb"),
            Row("eve", lab=""),
        ),
    ),
    "repositories": Download(
        "repository",
        {
            "lab-01-ada/.git/config": b"",
            "lab-01-ada/labs/01_spread.ipynb": "solved",
            "lab-01-ada/labs/02_levels.ipynb": "the other lab",
            "lab-01-ada/Untitled.ipynb": SCRATCH,
            "lab-01-ada/.ipynb_checkpoints/01_spread-checkpoint.ipynb": "solved",
            "lab-01-bob-b/.git/config": b"",
            "lab-01-bob-b/labs/01_spread.ipynb": "untouched",
            "lab-01-eve/.git/config": b"",
            "lab-01-eve/README.md": b"# Lab",
        },
        (
            Row(
                "ada",
                "lab-01-ada/labs/01_spread.ipynb",
                ("lab-01-ada/Untitled.ipynb", "lab-01-ada/labs/02_levels.ipynb"),
            ),
            Row("bob-b", "lab-01-bob-b/labs/01_spread.ipynb"),
            Row("eve", lab=""),
        ),
    ),
    "folders": Download(
        "folder",
        {
            "ada/week 1/01_spread.ipynb": "solved",
            "bob/homework FINAL (2).ipynb": "begun",
            "eve/essay.pdf": PDF,
        },
        (Row("ada", "ada/week 1/01_spread.ipynb"), Row("bob", "bob/homework FINAL (2).ipynb"), Row("eve", lab="")),
    ),
    "files": Download(
        "file",
        {"ada.ipynb": "solved", "bob.IPYNB": "begun", "cem.ipynb.txt": "solved", "dan.ipynb.json": "solved", "eve.html": b"<p>", "roster.csv": b""},
        (Row("ada", "ada.ipynb"), Row("bob", "bob.IPYNB"), Row("cem", "cem.ipynb.txt"), Row("dan", "dan.ipynb.json"), Row("eve", lab="")),
    ),
}  # fmt: skip
