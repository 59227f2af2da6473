"""The roster: one-line errors, matching without guessing, and a row for every student and assigned lab, submitted or not."""

import csv
import json

import pytest
from downloads import LAB, PDF, chosen, roster_of, save, written
from hypothesis import given, settings
from hypothesis import strategies as st
from lms_downloads import DOWNLOADS

from labkit.desk.people import matching
from labkit.desk.people.final_score import Person
from labkit.desk.people.matching import join
from labkit.desk.people.roster import Roster
from labkit.desk.people.roster_file import read_roster
from labkit.grade.intake.files import Refusal
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import STATUSES
from labkit.student.model import project
from labkit.student.model.errors import UserError

HEAD = "id,name,email,section,extension\n"
GROUPS = "id,group\n"
CLASS = f"""{HEAD}017,"Lovelace, Ada",ada@example.org,A,2
018,Bob Born,Bob.B@Example.org,A,
019,José Muñoz Pérez,jmp@example.org,B,0.5
020,李 明,li@example.org,B,
"""


@pytest.fixture
def roster(tmp_path):
    return roster_of(tmp_path, CLASS)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize(
    "change",
    [
        str,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text + "\n , \n",
        lambda text: text.replace(",", ";").replace("Lovelace;", "Lovelace,").replace("0.5", "0,5"),
    ],
)
def test_a_roster_as_spreadsheets_save_it(tmp_path, encoding, change):
    people = roster_of(tmp_path, change(CLASS), encoding).people
    assert [*people] == ["017", "018", "019", "020"]
    assert people["017"] == Person("017", "Lovelace, Ada", "ada@example.org", "A", 2)
    assert people["019"].extension == 0.5 and people["020"].extension == 0


def test_columns_may_be_more_and_in_any_order(tmp_path):
    people = roster_of(tmp_path, "Section, ID ,notes,Email,Name\nA,7,x,a@example.org,Ada\nB,8\n").people
    assert people == {"7": Person("7", "Ada", "a@example.org", "A"), "8": Person("8", section="B")}


def test_an_id_alone_is_a_roster_and_a_login_is_another_name(tmp_path):
    assert roster_of(tmp_path, "id\n7\n").people == {"7": Person("7")}
    roster = roster_of(tmp_path, "id,name,login,canvas,participant\n7,Ada Lovelace,ada-l,x,y\n")
    assert roster.fitting("ada-l", "repository") == roster.fitting("lovelaceada_1", "canvas") == {"7"}


def test_grades_exported_from_brightspace_are_a_roster(tmp_path):
    head = "OrgDefinedId,Username,Last Name,First Name,Email,Lab 1 Points Grade <Numeric MaxPoints:5>,End-of-Line Indicator\n"
    lines = "#007,#ada.l,Lovelace,Ada,ada@example.org,,#\n#008,#bob,Born,Bob,bob@example.org,3,#\n"
    roster = roster_of(tmp_path, head + lines, "utf-8-sig")
    assert roster.people["007"] == Person("007", "Lovelace, Ada", "ada@example.org") and len(roster.people) == 2
    for name, by in (("ada.l", "submitty"), ("Ada Lovelace_101", "brightspace"), ("007", "a-plus")):
        assert roster.fitting(name, by) == {"007"}
    assert [*roster_of(tmp_path, "Username,End-of-Line Indicator\n#ada.l,#\n").people] == ["ada.l"]


def test_sakais_grades_are_a_roster(tmp_path):
    head = '"Lab 1","points"\n""\n"Display ID","ID","Last Name","First Name","grade"\n'
    roster = roster_of(tmp_path, head + '"s1","ada","Lovelace","Ada",""\n"s2","bob","Born","Bob","3"\n', "utf-8-sig")
    assert roster.people == {"ada": Person("ada", "Lovelace, Ada"), "bob": Person("bob", "Born, Bob")}
    with pytest.raises(UserError, match="line 5: the id ada is already in line 4"):
        roster_of(tmp_path, head + '"s1","ada","A","B",""\n"s2","ada","C","D",""\n')


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "line 1: the header has no id; add it"),
        ("name,email\na,b\n", "line 1: the header has no id; add it, or rename one of its columns (name, email)"),
        ("id,name,id\n1,a,2\n", "line 1: the column id occurs twice"),
        ("id,submitted_at 09_none\n1,2026-03-01\n", "line 1: the column submitted_at 09_none does not name a lab of this course"),
        ("id,submitted_at\n1,2026-03-01\n", "line 2: '2026-03-01' is not a readable time; write it as 2026-03-01T23:59"),
        (HEAD, "this roster is empty"),
        (f"{HEAD}1,a,,,\n2,b,,,\n1,c,,,\n", "line 4: the id 1 is already in line 2; remove one of them"),
        (f"{HEAD}1,a,,,two\n", "line 2: the extension 'two' is not a number of days from 0 to 1000"),
        (f"{HEAD}1,a,,,nan\n3,c,,,-1\n", "line 2: the extension 'nan' is not a number of days from 0 to 1000 (and 1 more like this)"),
        (f'{HEAD}1,"a\nb",,,\n,c,,,\n', "line 4: no id; give each person an id"),
        (f"{HEAD}1,Lovelace, Ada,a@example.org,A,\n", "line 2: this row has 6 cells, but the header has 5; put quotes around"),
        (f"{GROUPS}ada,Alpha\n,Alpha\n", "line 3: no id for this member of the group Alpha; give each person an id"),
        (f"{GROUPS}ada,Alpha\nbob,Alpha\nada,Beta\n", "line 4: ada is in two groups, Alpha (line 2) and Beta; remove one of these lines"),
        (f"{GROUPS}ada,alpha\nada,Alpha\n", "line 3: the id ada is already in line 2; remove one of them"),
        (f"{GROUPS}ada,Alpha\nalpha,\n", "line 3: the id alpha is also the name of a group; rename the group"),
        ("id,name,email,section\n" + "x" * 200_000, "line 2: not valid CSV (field larger"),
    ],
)  # fmt: skip
def test_a_roster_error_is_one_line(tmp_path, text, says):
    with pytest.raises(UserError) as raised:
        roster_of(tmp_path, text)
    assert says in str(raised.value) and "roster.csv" in str(raised.value) and "\n" not in str(raised.value)


def test_a_roster_that_is_not_utf_8_or_not_a_file_is_reported(tmp_path):
    with pytest.raises(UserError, match="line 4: this is not UTF-8; save it as CSV UTF-8"):
        roster_of(tmp_path, CLASS.replace("李 明", "?"), "latin-1")
    with pytest.raises(UserError, match="cannot be read"):
        read_roster(project.current().course, tmp_path)


@pytest.mark.parametrize(
    "student, by, id",
    [
        ("017", "folder", "017"),
        ("ADA@example.org", "gradescope", "017"),
        ("bob.b@example.org", "gradescope", "018"),
        ("ada", "blackboard", "017"),
        ("Ada  Lovelace", "folder", "017"),
        ("lovelace, ada", "folder", "017"),
        ("Ada_Lovelace", "file", "017"),
        ("Lovelace Ada", "folder", "017"),
        ("Ada", "folder", "017"),  # the login
        ("17", "folder", None),
        ("Ada Lovelace_18", "moodle", "017"),
        ("Ada Lovelace_018", "moodle", "017"),  # the submission's number, not a student id
        ("lovelaceada_12345", "canvas", "017"),
        ("lovelaceada_018", "canvas", "017"),  # another kind of number
        ("bornbob_018", "canvas", "018"),
        ("muñozpérezjosé_1", "canvas", "019"),
        ("munozperezjose_1", "canvas", "019"),
        ("pérezjosémuñoz_1", "canvas", "019"),
        ("nobody_018", "canvas", None),
        ("Jose\u0301 Mun\u0303oz Pe\u0301rez", "folder", "019"),
        ("李 明", "folder", "020"),
        ("A/Bob Born", "folder", "018"),
        ("bob-born", "folder", "018"),
        ("bob-born", "repository", None),  # a login, which users choose freely
        ("bob.b", "repository", "018"),
        ("", "folder", None),
        ("_", "canvas", None),
    ],
)
def test_a_submission_is_matched_by_id_login_email_or_name(roster, student, by, id):
    assert roster.fitting(student, by) == ({id} if id else set())


def test_an_ambiguous_name_matches_no_student():
    roster = Roster({id: Person(id, "Ada Lovelace", f"{id}@example.org") for id in ("x", "y")})
    for student, by in (("Ada Lovelace", "folder"), ("Ada Lovelace_1", "moodle"), ("lovelaceada_1", "canvas")):
        assert roster.fitting(student, by) == {"x", "y"}
    assert roster.fitting("x", "folder") == roster.fitting("lovelaceada_x", "canvas") == {"x"}


def joined(roster, *paths):
    return join(project.current().course, roster, chosen(*paths))


def test_every_student_has_a_row_and_strangers_are_named(tmp_path, roster):
    files = {"Ada Lovelace/a.ipynb": "solved", "018/b.ipynb": "the other lab", "sam/c.ipynb": "solved"}
    save(tmp_path, {**files, "jmp/essay.pdf": PDF})
    rows, strangers = joined(roster, tmp_path)
    assert strangers == {"sam": ""}
    assert [(each.student, each.lab, each.refusal and each.refusal.status) for each in rows] == [
        ("017", LAB, None),
        ("017", "02_levels", "not_handed_in"),
        ("018", LAB, "not_handed_in"),
        ("018", "02_levels", None),
        ("019", "", "not_a_lab"),
        ("019", LAB, "not_handed_in"),
        ("019", "02_levels", "not_handed_in"),
        ("020", LAB, "not_handed_in"),
        ("020", "02_levels", "not_handed_in"),
        ("sam", LAB, None),
    ]
    assert rows[5].refusal.reason == "no submission for this lab; the lab of essay.pdf is unknown"


def test_two_submissions_that_fit_one_person_are_not_guessed(tmp_path, roster):
    both = ["Bob Born_1", "Bob Born_2"]
    save(tmp_path, {f"{name}_assignsubmission_file_/a.ipynb": "solved" for name in both})
    rows, strangers = joined(roster, tmp_path)
    assert strangers == dict.fromkeys(both, "several submissions match 018: Bob Born_1, Bob Born_2")
    [row] = [each for each in rows if each.student == "018"]
    assert row.refusal.status == "not_handed_in"
    assert row.refusal.reason.startswith("several submissions may belong to this person: Bob Born_1, Bob Born_2;")


def test_one_person_may_have_another_number_for_another_lab(tmp_path, roster):
    save(tmp_path / "1", {"Bob Born_1_assignsubmission_file_/a.ipynb": "solved"})
    save(tmp_path / "2", {"Bob Born_2_assignsubmission_file_/a.ipynb": "the other lab"})
    rows, strangers = joined(roster, tmp_path / "1", tmp_path / "2")
    assert strangers == {} and [each.lab for each in rows if each.student == "018"] == [LAB, "02_levels"]


def test_an_exact_id_does_not_outrank_another_submission(tmp_path, roster):
    save(tmp_path, {"018/a.ipynb": "solved", "Bob Born/a.ipynb": "begun"})
    rows, strangers = joined(roster, tmp_path)
    assert strangers == dict.fromkeys(["018 (folder)", "Bob Born"], "several submissions match 018: 018, Bob Born")
    assert [each.file for each in rows if each.student == "018"] == [""]
    assert [each.file for each in rows if each.student in strangers] == ["018/a.ipynb", "Bob Born/a.ipynb"]


@settings(deadline=None)
@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=9), max_size=4),
    st.text(max_size=9),
    st.sampled_from(["canvas", "moodle", "folder"]),
)
def test_any_name_matches_students_of_the_roster_or_none(names, student, by):
    roster = Roster({id: Person(id, name, name) for id, name in names.items()})
    assert roster.fitting(student, by) <= names.keys()


def test_a_class_is_graded_with_its_roster(tmp_path, labkit):
    DOWNLOADS["canvas"].save(tmp_path / "class")
    roster = written(tmp_path, f"{CLASS}021,=1+1,x@example.org,B,\n")
    done = labkit("grade", "class", "--out", "out", "--roster", roster, "--allow-unsandboxed", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Submissions that match no person in the roster, or more than one: eve_12347." in done.stdout
    rows = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    assert [(row["student"], row["status"], row["by"]) for row in rows] == [
        ("017", "graded", "canvas"),
        ("018", "graded", "canvas"),
        *((id, "not_handed_in", "") for id in ("019", "020", "021")),
        ("eve_12347", "not_a_lab", "canvas"),
    ]
    assert {row["status"] for row in rows} <= {*STATUSES}
    with open(tmp_path / "out/gradebook.csv", encoding="utf-8", newline="") as file:
        book = {row["student"]: row for row in csv.DictReader(file)}
    assert [book["017"][name] for name in ("name", "email", "section", "in_roster")] == [
        "Lovelace, Ada",
        "ada@example.org",
        "A",
        "yes",
    ]
    assert book["021"]["name"] == "'=1+1" and book["021"]["reason"] == "no submission for this lab"
    assert (book["021"]["score"], book["021"]["max_score"]) == ("0", "8") and book["eve_12347"]["in_roster"] == "no"
    wrong = labkit("grade", "class", "--out", "out", "--roster", "none.csv", cwd=tmp_path)
    assert wrong.returncode == 2 and wrong.stderr.count("\n") == 1 and "none.csv: cannot be read" in wrong.stderr


OTHER = "02_levels"
GONE = Refusal("not_handed_in", "no submission for this lab")


def row(
    student: str, lab: str, refusal: Refusal | None = None, instead: str = "", path: str | None = "x"
) -> Submission:
    return Submission(student, lab, path, refusal=refusal, instead=instead)


def class_of(first: int, second: int, people: int = 30) -> list[Submission]:
    """A class of `people` students, of whom `first` submitted lab 01 and `second` submitted lab 02.

    Each student has a row for both labs, submitted or not.
    """
    return [
        row(f"s{n:02}", lab, None if n < count else GONE) for n in range(people) for lab, count in ((LAB, first), (OTHER, second))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "is_assigned"), [(29, 1, False), (29, 2, False), (29, 3, True), (9, 1, True), (11, 1, False)]
)
def test_a_lab_with_few_submissions_counts_as_not_assigned(first, second, is_assigned):
    rows, lines = matching.tidied(project.current().course, class_of(first, second))
    assert sum(each.lab == LAB for each in rows) == 30
    assert sum(each.lab == OTHER for each in rows) == (30 if is_assigned else second)
    assert len(lines) == (not is_assigned) and all(f"--lab {OTHER}" in line for line in lines)


def test_a_lab_alone_is_assigned_however_few_submitted_it():
    only = [each for each in class_of(0, 1) if each.lab == OTHER]
    assert matching.tidied(project.current().course, only) == (only, [])


def test_an_unreadable_file_counts_for_the_only_missing_lab():
    broken = Refusal("unreadable", "the file is empty")
    both = [row("ada", LAB), row("ada", OTHER), row("bob", "homework", broken), row("bob", LAB, GONE)]
    rows, _ = matching.tidied(project.current().course, [*both, row("bob", OTHER)])
    assert [each.lab for each in rows if each.student == "bob"] == [LAB, OTHER]
    assert rows[2].refusal.status == "unreadable" and rows[2].refusal.reason.startswith("the file is empty; ")
    rows, _ = matching.tidied(
        project.current().course, [*both, row("bob", OTHER, GONE)]
    )  # the file may be for either lab
    assert [each.lab for each in rows if each.student == "bob"] == [LAB, OTHER, "homework"]


def test_an_empty_folder_is_a_missing_submission():
    empty = Refusal("not_a_lab", "no notebook was submitted (found: nothing)")
    rows, _ = matching.tidied(
        project.current().course,
        [row("ada", LAB), row("bob", "", empty, matching.NOTHING, None), row("bob", LAB, GONE)],
    )
    assert [(each.lab, each.refusal) for each in rows if each.student == "bob"] == [(LAB, GONE)]


def test_a_class_with_a_pdf_and_an_early_submission(tmp_path, labkit):
    """Twelve submit lab 01 (one of them also lab 02), one submits a PDF, and one nothing."""
    people = [f"s{number:02}" for number in range(14)]
    files = {f"{name}/{LAB}.ipynb": "untouched" for name in people[:12]}
    save(tmp_path / "class", {**files, "s00/02_levels.ipynb": "the other lab", "s12/essay.pdf": PDF})
    roster = "id,name,email,section\n" + "".join(f"{name},,,\n" for name in people)
    (tmp_path / "roster.csv").write_text(roster)
    done = labkit("grade", "class", "--out", "out", "--roster", "roster.csv", "--allow-unsandboxed", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    assert sorted((row["student"], row["lab"]) for row in rows) == sorted(
        [*((name, LAB) for name in people), ("s00", OTHER)]
    )
    pdf, nothing = rows[-2:]
    assert (pdf["status"], pdf["reason"]) == ("not_a_lab", "submitted in place of a notebook: essay.pdf")
    assert (nothing["status"], nothing["max_score"]) == ("not_handed_in", 6)
    ahead = matching.tidied(project.current().course, class_of(12, 1))[1][0]
    assert f"{LAB}: 1 missing: s13. {ahead}" in " ".join(done.stdout.split())
