"""Downloads as each LMS makes them, for lab 01 of the tiny course, with the LMS's names and layout.

In each download, Ada submitted twice if the LMS allows it, Bob once, and Eve a file that is not a notebook.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from downloads import PDF, SCRATCH, save


@dataclass(frozen=True)
class Download:
    by: str
    files: Mapping[str, object]  # by name: "solved", "begun", "untouched" or "the other lab", or the bytes
    rows: Mapping[str, Sequence[str]]  # by student: the file that counts, and the ones that are passed over

    def save(self, folder: Path) -> Path:
        save(folder, self.files)
        return folder


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

SUBMITTY = b"""{"active_version": 1, "history": [
    {"version": 1, "time": "2024-01-31 12:30:05-0500 America/New_York", "who": "ada", "type": "upload"},
    {"version": 2, "time": "2024-02-01 12:30:05-0500 America/New_York", "who": "ada", "type": "upload"},
    {"version": 1, "time": "2024-02-02 12:30:05-0500 America/New_York", "who": "ada", "type": "select"}]}"""
APLUS = b"""filename,label,created_at,original_name,points,submission_id,submitter_name,exercise_form_name,submission_index
100001_file1_submission1,100001,2024-01-31 12:30:05 +0000,lab.ipynb,0,1,Ada Lovelace,lab,1
100001_file1_submission2,100001,2024-02-01 14:30:05 +0200,lab.ipynb,0,2,Ada Lovelace,lab,2
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
        {
            "bornbob_12346": ["bornbob_12346_67891_12_13_homework.ipynb"],
            "eve_12347": [],
            "lovelaceada_12345": ["lovelaceada_LATE_12345_67899_01_spread-1.ipynb", "lovelaceada_12345_67890_01_spread.ipynb"],
        },
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
        {
            "Ada Lovelace_501": ["Ada Lovelace_501_assignsubmission_file_/01_spread.ipynb", "Ada Lovelace_501_assignsubmission_file_/try/old.ipynb"],
            "Ada Lovelace_502": ["Ada Lovelace_502_assignsubmission_file_/01_spread.ipynb"],
            "Eve O_Neil_503": [],
        },
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
        {
            "Ada Lovelace_3003": ["Ada Lovelace_3003_assignsubmission_file/01_spread.ipynb"],
            "Default group": ["Default group_assignsubmission_file/a.ipynb"],
            "Group A_12": ["Group A_12_assignsubmission_file/week 1/a.ipynb"],
            "Muñoz Pérez, José_3004": ["Muñoz Pérez, José_3004_assignsubmission_file/a.ipynb"],
            "Participant_3000": ["Participant_3000_assignsubmission_file/a.ipynb"],
            "Zoe_3005": [],
        },
    ),
    "moodle without folders": Download(
        "moodle",
        {
            "Ada Lovelace_501_assignsubmission_file_01_spread.ipynb": "solved",
            "Eve O_Neil_503_assignsubmission_file_essay.pdf": PDF,
        },
        {
            "Ada Lovelace_501": ["Ada Lovelace_501_assignsubmission_file_01_spread.ipynb"],
            "Eve O_Neil_503": [],
        },
    ),
    "gradescope": Download(
        "gradescope",
        {
            "submission_metadata.yml": METADATA.encode(),
            "submission_1/homework.ipynb": "solved",
            "submission_2/essay.pdf": PDF,
        },
        {
            "018": ["submission_1/homework.ipynb"],
            'Eve "the" O\'Neil': [],
            "ada@example.org": ["submission_1/homework.ipynb"],
        },
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
        {
            "ada": ["Lab 1_ada_attempt_2024-02-01-09-00-00_mine.ipynb", "Lab 1_ada_attempt_2024-01-31-12-30-05_bob_attempt_2025-01-01-00-00-00_x.ipynb"],
            "bob_b": ["Lab 1_bob_b_attempt_2024-01-31-12-30-05_x.ipynb"],
            "eve": [],
        },
    ),
    "brightspace": Download(
        "brightspace",
        {
            "index.html": b"<html>",
            "101-9 - Ada Lovelace - Jan 31, 2024 1230 PM/01_spread.ipynb": "solved",
            "101-9 - Ada Lovelace - Feb 1, 2024 901 AM/01_spread (2).ipynb": "begun",
            "102-9 - Ada Lovelace - Jan 31, 2024 110 PM/lab.ipynb": "begun",  # another student with this name
            "103-9 - Eve O'Neil - Jan 31, 2024 1230 PM/essay.pdf": PDF,
        },
        {
            "Ada Lovelace_101": [
                "101-9 - Ada Lovelace - Feb 1, 2024 901 AM/01_spread (2).ipynb",
                "101-9 - Ada Lovelace - Jan 31, 2024 1230 PM/01_spread.ipynb",
            ],
            "Ada Lovelace_102": ["102-9 - Ada Lovelace - Jan 31, 2024 110 PM/lab.ipynb"],
            "Eve O'Neil_103": [],
        },
    ),
    "brightspace without folders": Download(
        "brightspace",
        {
            "index.html": b"<html>",
            "101-9 - Ada - 31 January 2024 1230 PM - 7-9 - Bob - 1 February 2024 1230 PM - lab.ipynb": "solved",
            "103-9 - Eve - 31 January 2024 1230 PM - essay.pdf": PDF,
        },
        {
            "Ada_101": ["101-9 - Ada - 31 January 2024 1230 PM - 7-9 - Bob - 1 February 2024 1230 PM - lab.ipynb"],
            "Eve_103": [],
        },
    ),
    "sakai": Download(
        "sakai",
        {
            "Lab 1/grades.csv": b'"Lab 1","points"\n\n"Display ID","ID","Last Name","First Name","grade"\n',
            "Lab 1/Lovelace, Ada(ada)/timestamp.txt": b"2024-01-31T12:30:05.123Z",
            "Lab 1/Lovelace, Ada(ada)/comments.txt": b"",
            "Lab 1/Lovelace, Ada(ada)/Submission attachment(s)/01_spread.ipynb": "solved",
            "Lab 1/Lovelace, Ada(ada)/Submission attachment(s)/timestamp.txt": b"2001-01-01T00:00:00Z",  # hers
            "Lab 1/Lovelace, Ada(ada)/Feedback Attachment(s)/marked.ipynb": "begun",
            "Lab 1/Born, Bob(bob)/timestamp.txt": b"20240131123005123",
            "Lab 1/Born, Bob(bob)/Submission attachment(s)/lab.ipynb": "begun",
            "Lab 1/O'Neil, Eve(eve)/timestamp.txt": b"2024-01-31T12:30:05Z",
            "Lab 1/O'Neil, Eve(eve)/O'Neil, Eve(eve)_submissionText.html": b"<p>I could not upload</p>",
            "Lab 1/Team 1 (0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f)/Submission attachment(s)/lab.ipynb": "begun",
        },
        {
            "Team 1": ["Lab 1/Team 1 (0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f)/Submission attachment(s)/lab.ipynb"],
            "ada": ["Lab 1/Lovelace, Ada(ada)/Submission attachment(s)/01_spread.ipynb"],
            "bob": ["Lab 1/Born, Bob(bob)/Submission attachment(s)/lab.ipynb"],
            "eve": [],
        },
    ),
    "submitty": Download(
        "submitty",
        {
            "submissions/ada/user_assignment_settings.json": SUBMITTY,
            "submissions/ada/1/01_spread.ipynb": "solved",
            "submissions/ada/2/01_spread.ipynb": "solved",
            "submissions/ada/2/.submit.timestamp": b"2024-02-01 12:30:05-0500",
            "submissions/bob/user_assignment_settings.json": b'{"active_version": 0, "history": []}',
            "submissions/bob/1/01_spread.ipynb": "solved",
            "submissions/eve/user_assignment_settings.json": b'{"active_version": 1}',
            "submissions/eve/1/essay.pdf": PDF,
        },
        {
            "ada": ["submissions/ada/1/01_spread.ipynb"],
            "bob": [],
            "eve": [],
        },
    ),
    "autolab": Download(
        "autolab",
        {
            "ada_l@example.org_1_lab.ipynb": "solved",
            "ada_l@example.org_10_lab.ipynb": "begun",
            "ada_l@example.org_9_lab.ipynb": "solved",
            "bob@example.org_1_lab.ipynb": "begun",
            "eve@example.org_1_lab.pdf": PDF,
        },
        {
            "ada_l@example.org": [
                *("ada_l@example.org_10_lab.ipynb", "ada_l@example.org_1_lab.ipynb", "ada_l@example.org_9_lab.ipynb")
            ],
            "bob@example.org": ["bob@example.org_1_lab.ipynb"],
            "eve@example.org": [],
        },
    ),
    "autolab with an underscore": Download(
        "autolab",
        {"2_ada_l@example.org_lab_1.ipynb": "solved", "1_eve@example.org_lab_1.pdf": PDF},
        {"ada_l@example.org": ["2_ada_l@example.org_lab_1.ipynb"], "eve@example.org": []},
    ),
    "a-plus": Download(
        "a-plus",
        {
            "info.csv": APLUS,
            "100001_file1_submission1": "solved",
            "100001_file1_submission2": "begun",
            "100001_file2_submission2": PDF,
            "exercise7_100002+100003_file1_submission1": "begun",
            "100004_file1_submission1": PDF,
        },
        {
            "100001": ["100001_file1_submission2", "100001_file1_submission1"],
            "100002": ["exercise7_100002+100003_file1_submission1"],
            "100003": ["exercise7_100002+100003_file1_submission1"],
            "100004": [],
        },
    ),
    "google forms": Download(
        "google forms",
        {
            "Your notebook (File responses)/Lab - 1 - Ada Lovelace.ipynb": "solved",
            "Your notebook (File responses)/Lab - 1 - Ada Lovelace (1).ipynb": "begun",
            "Your notebook (File responses)/Bob Born - Ann St.John.ipynb": "begun",
            "Your notebook (File responses)/essay - Eve O'Neil.pdf": PDF,
        },
        {
            "Ada Lovelace": [
                "Your notebook (File responses)/Lab - 1 - Ada Lovelace (1).ipynb",
                "Your notebook (File responses)/Lab - 1 - Ada Lovelace.ipynb",
            ],
            "Ann St.John": ["Your notebook (File responses)/Bob Born - Ann St.John.ipynb"],
            "Eve O'Neil": [],
        },
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
        {
            "ada": ["submitted/ada/ps1/01_spread.ipynb"],
            "bob": ["submitted/bob/ps1/01_spread.ipynb"],
            "eve": [],
        },
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
        {
            "ada": ["lab-01-ada/labs/01_spread.ipynb", "lab-01-ada/Untitled.ipynb", "lab-01-ada/labs/02_levels.ipynb"],
            "bob-b": ["lab-01-bob-b/labs/01_spread.ipynb"],
            "eve": [],
        },
    ),
    "folders": Download(
        "folder",
        {
            "ada/week 1/01_spread.ipynb": "solved",
            "bob/homework FINAL (2).ipynb": "begun",
            "eve/essay.pdf": PDF,
        },
        {"ada": ["ada/week 1/01_spread.ipynb"], "bob": ["bob/homework FINAL (2).ipynb"], "eve": []},
    ),
    "files": Download(
        "file",
        {"ada.ipynb": "solved", "bob.IPYNB": "begun", "cem.ipynb.txt": "solved", "dan.ipynb.json": "solved", "eve.html": b"<p>", "roster.csv": b""},
        {"ada": ["ada.ipynb"], "bob": ["bob.IPYNB"], "cem": ["cem.ipynb.txt"], "dan": ["dan.ipynb.json"], "eve": []},
    ),
}  # fmt: skip
