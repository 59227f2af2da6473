"""Groups in a roster: one submission counts for all members; everything else is individual."""

import csv
import json
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from desks import by_hand
from downloads import LAB, PDF, SCRATCH, WHEN, chosen, notebook, roster_of, save, written
from handouts import Handout

from labkit.desk.people.desk import Desk
from labkit.student.model import project
from labkit.student.model.errors import UserError

NEXT = "02_levels"
HEAD = "id,name,section,group,extension\n"
CLASS = f"""{HEAD}ada,Ada Lovelace,A,Alpha,
bob,Bob Born,A,Alpha,2
cem,Cem Demir,B,Beta Team,
dan,Dan Do,B,Beta Team,
eve,Eve East,B,,
"""
SPREAD = "def spread(values):\n    return np.sqrt(np.mean((values - np.mean(values)) ** 2))"
LATE = f"[deadlines]\n{LAB} = 2023-11-10T00:00:00Z\n[late]\npercent = 10\n"  # four days before WHEN


def desk_of(folder: Path, roster: str = CLASS, deadlines: str = "") -> Desk:
    due = folder / "due.toml"
    due.write_text(deadlines)
    return Desk.read(project.current(), folder / "out", written(folder, roster), due, None, compares=False)


def rows(folder: Path, roster: str = CLASS, deadlines: str = "") -> tuple[list, list[str]]:
    """The rows of a class before grading, and the submissions that match no one."""
    desk = desk_of(folder, roster, deadlines)
    return desk.joined(chosen(folder / "class")), desk.strangers


def told(found: list) -> list[tuple]:
    return [(each.student, each.lab, each.file or each.instead, each.source) for each in found if not each.refusal]


def test_one_submission_counts_for_all_members(tmp_path):
    save(tmp_path / "class", {f"bob/{LAB}.ipynb": "solved", f"cem/{LAB}.ipynb": "begun", f"eve/{LAB}.ipynb": "begun"})
    found, strangers = rows(tmp_path)
    assert told(found) == [
        ("ada", LAB, f"bob/{LAB}.ipynb", "folder, submitted by bob"),
        ("bob", LAB, f"bob/{LAB}.ipynb", "folder"),
        ("cem", LAB, f"cem/{LAB}.ipynb", "folder"),
        ("dan", LAB, f"cem/{LAB}.ipynb", "folder, submitted by cem"),
        ("eve", LAB, f"eve/{LAB}.ipynb", "folder"),
    ]
    assert not strangers and {each.digest for each in found[:2]} == {found[1].digest}


@pytest.mark.parametrize(
    "files, counts",
    [
        ({"ada/a.ipynb": "solved", "bob/b.ipynb": "begun"}, "bob/b.ipynb"),  # the latest
        ({"bob/b.ipynb": "begun", "ada/a.ipynb": "untouched"}, "bob/b.ipynb"),  # with answers
        ({"ada/a.ipynb": "begun", f"bob/{LAB}.ipynb": b"{"}, "ada/a.ipynb"),  # readable
        ({"Alpha/a.ipynb": "begun", "bob/b.ipynb": "solved"}, "bob/b.ipynb"),
        ({"bob/b.ipynb": "solved", "Alpha/a.ipynb": "begun"}, "Alpha/a.ipynb"),
    ],
)
def test_the_attempt_rule_chooses_among_members_files(tmp_path, files, counts):
    """The files are listed oldest first, a minute and a half apart."""
    save(tmp_path / "class", {**files, f"eve/{LAB}.ipynb": "solved"})
    found, _ = rows(tmp_path)
    own = [each for each in found if each.student in ("ada", "bob") and each.lab == LAB]
    others = tuple(name for name in files if name != counts)
    assert [(each.student, each.file, each.passed_over) for each in own] == [
        ("ada", counts, others),
        ("bob", counts, others),
    ]


def test_each_lab_may_come_from_another_member(tmp_path):
    save(tmp_path / "class", {"ada/a.ipynb": "solved", "bob/b.ipynb": "the other lab", "ada/essay.pdf": PDF})
    found, _ = rows(tmp_path)
    assert told(found) == [
        ("ada", LAB, "ada/a.ipynb", "folder"),
        ("ada", NEXT, "bob/b.ipynb", "folder, submitted by bob"),
        ("bob", LAB, "ada/a.ipynb", "folder, submitted by ada"),
        ("bob", NEXT, "bob/b.ipynb", "folder"),
    ]
    absent = [(each.student, each.lab) for each in found if each.refusal]
    assert absent == [(student, lab) for student in ("cem", "dan", "eve") for lab in (LAB, NEXT)]


def test_another_file_does_not_count_beside_a_lab_of_the_group(tmp_path):
    save(tmp_path / "class", {"ada/essay.pdf": PDF, "bob/b.ipynb": "solved", "cem/notes.ipynb": SCRATCH})
    found, _ = rows(tmp_path)
    assert [(each.student, each.lab, each.file) for each in found if each.student in ("ada", "bob")] == [
        ("ada", LAB, "bob/b.ipynb"),
        ("bob", LAB, "bob/b.ipynb"),
    ]
    team = [each for each in found if each.student in ("cem", "dan")]
    assert [(each.student, each.file, each.refusal.status) for each in team] == [
        ("cem", "cem/notes.ipynb", "not_a_lab"),
        ("dan", "cem/notes.ipynb", "not_a_lab"),
    ]


MOODLE = "Full name,Email address,Identifier,Status,Group,Grade,Last modified (submission)\n"
WORKSHEET = f"""{MOODLE}Ada Lovelace,ada@x.org,Participant 500,Submitted,Group_A,,"Friday, 10 November 2023, 9:00 AM"
Bob Born,bob@x.org,Participant 501,Submitted,Group_A,,"Friday, 10 November 2023, 9:00 AM"
Cem Demir,cem@x.org,Participant 502,No submission,Default group,,-
Dan Do,dan@x.org,Participant 503,No submission,"Not a member of any group, so unable to make submissions.",,-
Eve East,eve@x.org,Participant 504,No submission,"Not a member of any group, so unable to make submissions.",,-
"""


def test_a_moodle_group_folder_belongs_to_the_group(tmp_path):
    """Moodle replaces underscores with spaces and adds the group's number, which may equal a participant's."""
    save(
        tmp_path / "class",
        {
            "Group A_503_assignsubmission_file/a.ipynb": "solved",
            "Default group_assignsubmission_file/a.ipynb": "begun",
            "Dan Do_503_assignsubmission_file/a.ipynb": "begun",
        },
    )
    found, strangers = rows(tmp_path, WORKSHEET)
    assert [row[::2] for row in told(found)] == [
        ("ada@x.org", "Group A_503_assignsubmission_file/a.ipynb"),
        ("bob@x.org", "Group A_503_assignsubmission_file/a.ipynb"),
        ("cem@x.org", "Default group_assignsubmission_file/a.ipynb"),
        ("dan@x.org", "Dan Do_503_assignsubmission_file/a.ipynb"),
    ]
    assert {each.source for each in found[:2]} == {"moodle, submitted by group Group_A"} and not strangers
    assert found[0].submitted == datetime(2023, 11, 10, 9).astimezone().timestamp()
    assert found[-1].student == "eve@x.org" and found[-1].refusal.status == "not_handed_in"


def test_moodle_3_has_a_folder_for_each_member(tmp_path):
    folders = {f"Group A-{name}_assignsubmission_file_": "solved" for name in ("Ada Lovelace_500", "Bob Born_501")}
    save(tmp_path / "class", {f"{folder}/a.ipynb": what for folder, what in folders.items()})
    found, strangers = rows(tmp_path, WORKSHEET)
    assert not strangers and [(row[0], row[3]) for row in told(found)] == [
        ("ada@x.org", "moodle"),
        ("bob@x.org", "moodle"),
    ]
    assert [each.file for each in found[:2]] == [f"{folder}/a.ipynb" for folder in folders]
    assert {each.passed_over for each in found} == {()}


def test_a_name_that_fits_a_group_and_another_person_is_not_guessed(tmp_path):
    roster = f"{HEAD}ada,Ada Lovelace,,Bob Born,\nbob,Bob Born,,,\n"
    save(tmp_path / "class", {"Bob Born/a.ipynb": "solved", "ada/a.ipynb": "begun"})
    found, strangers = rows(tmp_path, roster)
    assert strangers == ["Bob Born (folder) (matches several: the group Bob Born, Bob Born (bob))"]
    assert [each.student for each in found if not each.refusal] == ["Bob Born (folder)", "ada"]


def test_a_persons_name_goes_before_a_similar_group_name(tmp_path):
    roster = f"{HEAD}ada,Ada Lovelace,,bob-born,\nbob,Bob Born,,,\n"
    save(tmp_path / "class", {"Bob Born/a.ipynb": "solved"})
    found, strangers = rows(tmp_path, roster)
    assert not strangers and [each.student for each in found if not each.refusal] == ["bob"]


def test_two_submissions_under_a_groups_name_are_not_guessed(tmp_path):
    folders = ("Alpha_1_assignsubmission_file/a.ipynb", "ALPHA_2_assignsubmission_file/a.ipynb")
    save(tmp_path / "class", dict.fromkeys(folders, "solved"))
    found, strangers = rows(tmp_path)
    assert len(strangers) == 2 and all("several submissions match Alpha: " in each for each in strangers)
    reasons = {each.student: each.refusal.reason for each in found if each.refusal}
    assert "several submissions may belong to this group: " in reasons["ada"] == reasons["bob"] != reasons["cem"]


def test_a_stranger_who_submitted_with_a_group_is_reported(tmp_path):
    people = "".join(f"  - :name: {name}\n    :email: {email}\n" for name, email in (("A", "ada"), ("Z", "zoe@x.org")))
    metadata = f"---\nsubmission_1:\n  :submitters:\n{people}  :created_at: 2023-11-10 12:30:05 Z\n"
    save(tmp_path / "class", {"submission_metadata.yml": metadata.encode(), "submission_1/a.ipynb": notebook("solved")})
    found, strangers = rows(tmp_path)
    assert strangers == ["zoe@x.org (submitted together with the group Alpha)"]
    assert [each.student for each in found if not each.refusal] == ["ada", "bob", "zoe@x.org"]


def test_lateness_is_counted_for_each_student(tmp_path):
    """Bob has a two-day extension, so he is 3 days late and Ada is 5 days late."""
    save(tmp_path / "class", {f"bob/{LAB}.ipynb": "solved", f"eve/{LAB}.ipynb": "solved"})
    os.utime(tmp_path / f"class/eve/{LAB}.ipynb", (1.6e9, 1.6e9))  # different times, unlike files from a download
    found, _ = rows(tmp_path, deadlines=LATE)
    assert {each.submitted for each in found[:2]} == {WHEN}
    desk = desk_of(tmp_path, deadlines=LATE)
    days = [desk.policy.days_late(each, desk.roster.people[each.student].extension) for each in found[:2]]
    expected = (datetime.fromtimestamp(WHEN, UTC) - datetime(2023, 11, 10, tzinfo=UTC)).total_seconds() / 86_400
    assert days == [pytest.approx(expected), pytest.approx(expected - 2)]


def test_an_in_time_mark_applies_only_to_the_submitter(tmp_path):
    """Canvas marks Bob as on time because of his extension. Whether Ada is late depends on the submission time."""
    times = "id,name,group,extension,submitted_at\nada,Ada Lovelace,Alpha,,\nbob,Bob Born,Alpha,4,2023-11-12T00:00Z\n"
    save(tmp_path / "class", {"bornbob_12346_67891_a.ipynb": "solved"})
    found, _ = rows(tmp_path, times, LATE)
    assert [(each.student, each.late, each.submitted_at) for each in found] == [
        ("ada", None, "2023-11-12T00:00:00Z"),
        ("bob", False, "2023-11-12T00:00:00Z"),
    ]


def test_the_file_of_one_group_is_not_taken_for_the_files_of_a_download(tmp_path):
    save(tmp_path / "class", {f"bob/{LAB}.ipynb": "solved"})
    found, _ = rows(tmp_path, deadlines=LATE)
    assert {each.student for each in found if not each.refusal} == {"ada", "bob"}
    save(tmp_path / "class", {f"cem/{LAB}.ipynb": "solved"})
    with pytest.raises(UserError, match="2 of 2 files were changed within 15 minutes"):
        rows(tmp_path, deadlines=LATE)


def test_a_group_is_the_same_in_capitals(tmp_path):
    roster = roster_of(tmp_path, f"{HEAD}a,,,Alpha,\nb,,,ALPHA,\nc,,, alpha ,\n")
    assert roster.groups == {"Alpha": ["a", "b", "c"]}


@pytest.fixture(scope="module")
def graded(tmp_path_factory, labkit, on_the_tiny_course) -> Path:
    """A class of five. Two groups submitted."""
    folder = tmp_path_factory.mktemp("groups")
    Handout(LAB).write("spread", SPREAD).save(folder / "class/bob" / f"{LAB}.ipynb")
    Handout(LAB, solved=True).save(folder / "class/Beta Team" / f"{LAB}.ipynb")
    written(folder, CLASS)
    by_hand(folder / "out", f"ada,{LAB},,-1,,own,")
    done = labkit("grade", "class", "--roster", "roster.csv", "--out", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def results(out: Path) -> dict[str, dict]:
    return {row["student"]: row for row in json.loads((out / "results.json").read_text("utf-8"))}


def test_every_member_has_a_row_and_a_page(graded):
    found = results(graded / "out")
    assert [*found] == ["ada", "bob", "cem", "dan", "eve"] and found["eve"]["status"] == "not_handed_in"
    assert {**found["ada"], "student": "", "by": ""} == {**found["bob"], "student": "", "by": ""}
    assert [found[name]["by"] for name in ("ada", "bob", "cem")] == [
        "folder, submitted by bob",
        "folder",
        "folder, submitted by group Beta Team",
    ]
    assert found["dan"]["score"] == 6 and found["bob"]["score"] == 2
    with open(graded / "out/gradebook.csv", encoding="utf-8", newline="") as file:
        book = {row["student"]: row for row in csv.DictReader(file)}
    assert [(row["group"], row["final"]) for row in book.values()] == [
        ("Alpha", "1"),
        ("Alpha", "2"),
        ("Beta Team", "6"),
        ("Beta Team", "6"),
        ("", "0"),
    ]
    assert {path.stem for path in (graded / "out/students").glob("*.html")} == {*found}
    assert (graded / "out/facts.jsonl").read_text().count(
        "\n"
    ) == 3  # two submissions, each graded once, and the solution


def test_only_includes_the_group_mates(graded, labkit, tmp_path):
    place = shutil.copytree(graded, tmp_path / "copy")
    Handout(LAB, solved=True).save(place / "class/bob" / f"{LAB}.ipynb")
    Handout(LAB).save(place / "class/Beta Team" / f"{LAB}.ipynb")
    done = labkit("grade", "class", "--roster", "roster.csv", "--out", "out", "--only", "ada", cwd=place)
    assert done.returncode == 0, done.stderr
    before, now = results(graded / "out"), results(place / "out")
    assert now["ada"]["score"] == now["bob"]["score"] == 6
    assert [now[name] for name in ("cem", "dan", "eve")] == [before[name] for name in ("cem", "dan", "eve")]
    whole = shutil.copytree(graded, tmp_path / "whole")
    Handout(LAB, solved=True).save(whole / "class/bob" / f"{LAB}.ipynb")
    for path in (whole / "class", place / "class"):
        os.utime(path / "bob" / f"{LAB}.ipynb", (WHEN, WHEN))
    for path, only in ((whole, ()), (place, ("--only", "bob"))):
        done = labkit("grade", "class", "--roster", "roster.csv", "--out", "out", *only, cwd=path)
        assert done.returncode == 0, done.stderr
    for name in ("results.json", "gradebook.csv", "students/ada.html"):
        assert (whole / "out" / name).read_bytes() == (place / "out" / name).read_bytes()


def test_a_mate_does_not_get_the_submitters_row_in_an_lms(labkit, tmp_path):
    save(tmp_path / "class", {"bornbob_12346_67891_a.ipynb": "solved"})
    written(tmp_path, f"{HEAD}ada,Ada Lovelace,,Alpha,\nbob,Bob Born,,Alpha,\n")
    done = labkit("grade", "class", "--roster", "roster.csv", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    book, copy = tmp_path / "canvas.csv", tmp_path / "up.csv"
    book.write_text(
        'Student,ID,SIS Login ID,Section,Lab 1 (7)\n"Born, Bob",12346,b.born@x.org,A,\n"Lovelace, Ada",5,ada,A,\n'
    )
    done = labkit(
        "export", "out", "--to", "canvas", "--gradebook", book, "--assignment", "Lab 1", "--out", copy, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert [line.rpartition(",")[2] for line in copy.read_text().splitlines()[1:]] == ["6", "6"]
    done = labkit("export", "out", "--to", "canvas-feedback", "--out", "back.zip", cwd=tmp_path)
    assert done.returncode == 0 and "1 feedback files" in done.stdout
    assert "left out because another member of their group submitted" in done.stdout and "(1): ada" in done.stdout


def test_merged_shards_of_a_class_with_groups_equal_one_run(graded, labkit, tmp_path):
    place = shutil.copytree(graded, tmp_path / "copy", ignore=shutil.ignore_patterns("out"))
    shards = [place / f"part-{number}" for number in (1, 2)]
    for number, out in enumerate(shards, 1):
        out.mkdir()
        shutil.copy(graded / "out/facts.jsonl", out)  # so that nothing is graded twice
        given = ("class", "--roster", "roster.csv", "--shard", f"{number}/2", "--out", out)
        assert labkit("grade", *given, cwd=place).returncode == 0
    (place / "out").mkdir()
    shutil.copy(graded / "out/adjustments.csv", place / "out")
    done = labkit("merge", *shards, "--out", "out", cwd=place)
    assert done.returncode == 0, done.stderr
    for name in ("results.json", "gradebook.csv", "final_scores.json", "report.html"):
        assert (place / "out" / name).read_bytes() == (graded / "out" / name).read_bytes()
