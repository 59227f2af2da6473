"""Filling final scores into a table exported from Canvas or Moodle changes nothing else in it."""

import csv
import html
import zipfile
from dataclasses import replace

import pytest
from desks import LAB, NEXT, cells, leave, result, roster, submitted
from hypothesis import given
from hypothesis import strategies as st

from labkit.desk.lms import gradebooks
from labkit.desk.lms.gradebooks import fill_brightspace, fill_canvas, fill_moodle
from labkit.desk.lms.table import Export, Table
from labkit.desk.people import score_store
from labkit.desk.people.late import Policy
from labkit.student.model.errors import UserError

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (4711),Lab 10 (4712),Current Score\r\n"
    ",,,,,Manual Posting,,(read only)\r\n"
    "    Points Possible,,,,,5,10,(read only)\r\n"
    '"Lovelace, Ada",101,s1,ada@uni.example,"A, ""one""",,7,70\r\n'
    '"Müller, Bob",102,s2,BOB@uni.example,A,"1",8,80\r\n'
    '"Cem, =1+1",103,007,cem@uni.example,A,,9,90\r\n'
    '"Student, Test",104,,f00,A,,,\r\n'
)


PEOPLE = {"ada": {"id": "ada@uni.example"}, "bob": {"id": "x", "email": "bob@uni.example"}, "cem": {"id": "007"}}


@pytest.fixture(params=["canvas"])
def rows(tmp_path, request):
    """A class of five, all late.

    Three are on the roster, one is known only from the name of a downloaded file, and one is unknown.
    """
    names = ("ada", "bob", "cem", "zoe", "testy")
    leave(tmp_path / "out", map(result, names), Policy(), roster(**PEOPLE))
    lms = request.param
    told = {"canvas": "testy_LATE_104_9_lab_1_2_3.ipynb", "moodle": "Testy T_104_assignsubmission_file_/1_2_3.ipynb"}
    rows = [replace(row, penalty=0.5) for row in score_store.read(tmp_path / "out")[1]]
    return [
        replace(row, result=submitted(row.result, by=lms, file=f"class.zip/{told[lms]}"))
        if row.student == "testy"
        else row
        for row in rows
    ]


@pytest.fixture
def fill(tmp_path):
    """Fill one lab's scores into a table with this text. Returns the notes, and the text of the copy."""

    def fill(form, text, rows, name="Lab 1"):
        theirs, ours = tmp_path / "theirs.csv", tmp_path / "ours.csv"
        ours.unlink(missing_ok=True)
        theirs.write_bytes(text.encode())
        (export,) = form(theirs, [(name, rows)], ours)
        assert export.filled
        return export.notes, ours.read_bytes().decode()

    return fill


@pytest.fixture
def refused(tmp_path, fill):
    """The reason why no score can be filled in; nothing is written."""

    def refused(*given):
        with pytest.raises(UserError) as problem:
            fill(*given)
        assert not (tmp_path / "ours.csv").exists()
        return str(problem.value)

    return refused


def of(whose, rows, **changed):
    """The row of this student, with its submission changed."""
    return [replace(row, result=submitted(row.result, **changed)) for row in rows if row.student == whose]


def test_only_the_scores_change_in_canvass_gradebook(fill, rows):
    notes, ours = fill(fill_canvas, "\ufeff" + CANVAS, rows)
    assert notes[0] == "left out because no gradebook row matches (1): zoe"
    changed = CANVAS.replace('one""",,7', 'one""",2.5,7').replace('A,"1",8', 'A,"2.5",8')
    changed = changed.replace("example,A,,9", "example,A,2.5,9").replace("f00,A,,,", "f00,A,2.5,,")
    assert ours == "\ufeff" + changed
    differ = "scores are not rescaled: Lab 1 has 5 points in Canvas, but a different number in the course (1): 7"
    assert differ in notes


BRIGHTSPACE = (
    "OrgDefinedId,Username,Last Name,First Name,Email,Lab 1 Points Grade <Numeric MaxPoints:5 Weight:10>,"
    "Lab 2 Points Grade <Numeric MaxPoints:5>,Calculated Final Grade Numerator,End-of-Line Indicator\r\n"
    "#007,#cem,Demir,Cem,cem@uni.example,,1,0,#\r\n"
    '#2,#BOB@uni.example,"Born, Jr",Bob,bob@uni.example,"1",1,0,#\r\n'
    "#3,#ada,Lovelace,Ada,ada@uni.example,0.5,,0,#\r\n"
    "#4,#eve,O'Neil,Eve,eve@uni.example,4,,0,#\r\n"
)


def test_brightspace_gets_only_ids_and_points(fill, refused, rows):
    notes, ours = fill(fill_brightspace, "\ufeff" + BRIGHTSPACE, rows)
    assert ours == (
        "\ufeffOrgDefinedId,Username,Lab 1 Points Grade <Numeric MaxPoints:5 Weight:10>,End-of-Line Indicator\r\n"
        '#007,#cem,2.5,#\r\n#2,#BOB@uni.example,"2.5",#\r\n#3,#ada,2.5,#\r\n#4,#eve,4,#\r\n'
    )
    assert (
        "scores are not rescaled: Lab 1 has 5 points in Brightspace, but a different number in the course (1): 7"
        in notes
    )
    assert "with OrgDefinedId or Username" in refused(
        fill_brightspace, "Email,Lab 1 Points Grade\nada@uni.example,\n", rows
    )


@pytest.mark.parametrize(
    "head, says",
    [
        ("Student,ID,Lab 1 (1),Lab 1 (2)", "2 columns match 'Lab 1': 'Lab 1 (1)', 'Lab 1 (2)'"),
        ("Student,ID,Lab 10 (1)", "there is no column 'Lab 1' (there is 'Lab 10 (1)')"),
        ("Student,Name,Lab 1 (1)", "export the gradebook from Canvas again"),
        ("", "the file is empty"),
        ('Student,ID,"Lab 1', "line 1: not valid CSV"),
    ],
)
def test_a_table_without_the_needed_columns_is_refused(refused, rows, head, says):
    assert says in refused(fill_canvas, head, rows)


def test_a_number_is_the_lms_own_only_in_its_own_download(refused, rows):
    why = refused(fill_canvas, CANVAS, of("testy", rows, by="folder"))
    assert "no score to fill in, so nothing was written; left out because no gradebook row matches (1)" in why


def test_a_name_that_fits_twice_is_not_guessed(fill, rows):
    text = "Student,ID,SIS Login ID,Lab 1 (1)\nA,1,ada,\nB,2,ada,\nC,3,bob,\n"
    (bobby,) = of("bob", rows, student="bobby")
    three = [row for row in rows if row.student in ("ada", "bob", "cem")]
    same = replace(bobby, person=replace(bobby.person, id="bob"))
    notes, ours = fill(fill_canvas, f"{text}D,4,007,\n", [*three, same])
    assert ours == f"{text}D,4,007,2.5\n"
    assert notes == [
        "left out because several gradebook rows match (1): ada",
        "left out because several students match one gradebook row (2): bob, bobby",
        "rows unchanged because there is no score for them (3): A, B, C",
    ]


@pytest.mark.parametrize("names, shown", [(("Bo", "Cem"), "Bo, Cem"), (("Lovelace, Ada", "Bo"), "Lovelace, Ada; Bo")])
def test_names_with_commas_are_separated_in_a_note(names, shown):
    export = Export()
    export.note("left out", names)
    assert export.notes == [f"left out (2): {shown}"]


def test_canvas_internal_number_never_matches_a_student_id(fill, refused, rows):
    """A student's id may happen to be the number that Canvas gives to somebody else.

    If the names differ, ids are compared with Canvas's numbers only in a table that has no other ids.
    """
    cem = [replace(row, person=replace(row.person, id="101", email="")) for row in of("cem", rows, student="c")]
    assert "no gradebook row matches (1)" in refused(fill_canvas, CANVAS, cem)
    assert fill(fill_canvas, "Student,ID,SIS Login ID,Lab 1 (1)\nA,101,,\n", cem)[1].endswith("A,101,,2.5\n")


def test_ungraded_and_missing_submissions_keep_the_lms_score(fill, refused, rows):
    statuses = zip(rows, ("not_handed_in", "not_judged"))
    neither = [replace(row, result=replace(row.result, status=status)) for row, status in statuses]
    assert "the machine failed while grading them (1)" in refused(fill_canvas, CANVAS, neither)
    notes, ours = fill(fill_canvas, CANVAS, [*neither, rows[2]])
    assert ours == CANVAS.replace("cem@uni.example,A,,9", "cem@uni.example,A,2.5,9")
    assert "left out because the machine failed while grading them (1): bob" in notes


MOODLE = (
    '"First name","Last name","ID number","Email address","Assignment: Lab 1 (Real)","Assignment: Lab 1 (Percentage)"\n'
    "Ada,Lovelace,1,ada@uni.example,-,-\nBob,Müller,2,bob@uni.example,-,-\nCem,Ö,007,c@uni.example,4.00,40 %\n"
)


WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\n"
    "Participant 104,Testy,t@uni.example,Submitted,,7.00,\nParticipant 7,Ada,ADA@uni.example,Submitted,,7.00,\n"
)


def test_only_the_scores_change_in_moodles_gradebook(fill, rows):
    _, ours = fill(fill_moodle, MOODLE, rows)
    assert ours == MOODLE.replace("example,-,-", "example,2.5,-").replace("4.00,", "2.5,")


@pytest.mark.parametrize("rows", ["moodle"], indirect=True)
def test_moodles_worksheet_has_the_words_too(fill, rows):
    _, testy, ada = csv.reader(fill(fill_moodle, WORKSHEET, rows, "any")[1].splitlines())
    assert testy[4] == ada[4] == "2.5" and testy[-1] == ada[-1]
    assert ada[-1].endswith("<br>midrange, 0 of 2: not quite: &lt;b&gt;see&lt;/b&gt; =1+1")


@pytest.mark.parametrize("rows", ["moodle"], indirect=True)
def test_a_comment_in_moodles_worksheet_is_no_formula(fill, rows, monkeypatch):
    monkeypatch.setattr(gradebooks, "lines_of", lambda row: ["=2", "see ';=1+1", "'-1"])
    *_, ada = csv.reader(fill(fill_moodle, WORKSHEET, rows, "any")[1].splitlines())
    assert not any(part.startswith(("=", "-")) for part in ada[-1].split(";"))
    assert html.unescape(ada[-1]) == "=2<br>see ';=1+1<br>'-1"


@pytest.mark.parametrize("rows", ["moodle"], indirect=True)
@pytest.mark.parametrize(
    "named, fits",
    [("Testy T", True), ("T, Testy", True), ("Participant", True), ("Group A", False), ("Default group", False)],
)
def test_the_number_of_a_group_is_no_participant(fill, refused, rows, named, fits):
    sheet = "Identifier,Full name,Group,Grade\nParticipant 104,Testy T,A,\n"
    number = "" if named == "Default group" else "_104"
    testy = of("testy", rows, file=f"{named}{number}_assignsubmission_file/a.ipynb")
    if fits:
        fill(fill_moodle, sheet, testy, "any")
    else:
        assert "no gradebook row matches (1)" in refused(fill_moodle, sheet, testy)


@pytest.mark.parametrize(
    "form, text, id, name, line",
    [
        (fill_canvas, CANVAS, "101", "Lovelace, Ada", 's1,ada@uni.example,"A, ""one""",2.5,7,'),
        (fill_moodle, WORKSHEET, "Participant 7", "", "ADA@uni.example,Submitted,2.5,"),
    ],
)
def test_a_roster_that_is_the_lms_own_export_joins_it_again(fill, rows, form, text, id, name, line):
    """People are matched by the LMS's numbers. The submissions themselves may have come from elsewhere."""
    (ada,) = of("ada", rows, student=id)
    _, ours = fill(form, text, [replace(ada, person=replace(ada.person, id=id, name=name, email=""))])
    assert line in ours


def test_each_lab_fills_its_own_canvas_column(tmp_path):
    leave(tmp_path / "out", [result("ada"), result("ada", NEXT)], Policy(), roster(**PEOPLE))
    scored = score_store.read(tmp_path / "out")[1]
    (tmp_path / "theirs.csv").write_text(CANVAS)
    labs = [(name, [row for row in scored if row.lab == lab]) for name, lab in (("Lab 10", NEXT), ("Lab 1", LAB))]
    assert [export.filled for export in fill_canvas(tmp_path / "theirs.csv", labs, tmp_path / "ours.csv")] == [1, 1]
    (ada,) = (row for row in cells(tmp_path / "ours.csv") if "s1" in row)
    assert ada[5:7] == ["3", "2"]


SMALL = st.text(st.sampled_from('ab,"\r\n =é'), max_size=5)


@given(
    st.lists(st.lists(SMALL, min_size=1, max_size=4), min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]), SMALL
)
def test_a_table_reads_as_csv_does_and_changes_one_cell(tmp_path_factory, table, end, value):
    path = tmp_path_factory.mktemp("table") / "t.csv"
    table = [["head", *row] for row in table]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(table)
    before = path.read_bytes()
    read = Table(path)
    assert [[read.get(row, column) for column in range(len(table[row]))] for row in range(len(table))] == table
    read.write(path)
    assert path.read_bytes() == before
    read.set(0, 0, value)
    read.write(path)
    table[0][0] = value
    assert cells(path) == table


@pytest.mark.parametrize("raw", [b"a,b\n1,\xff\xfe\n", b"a,b\r1,2\r", b'a,"b ""c"""\n\n1,2', b"\xef\xbb\xbfa\n"])
def test_odd_bytes_are_written_as_they_were_read(tmp_path, raw):
    (tmp_path / "t.csv").write_bytes(raw)
    Table(tmp_path / "t.csv").write(tmp_path / "u.csv")
    assert (tmp_path / "u.csv").read_bytes() == raw


def test_from_the_download_to_the_lms_by_one_command(tmp_path, labkit, handout):
    book, people = tmp_path / "theirs.csv", tmp_path / "roster.csv"
    book.write_bytes(CANVAS.encode())
    people.write_text(
        "id,name,email,section\ns1,Ada Lovelace,ada@uni.example,A\ns2,Bob Müller,bob@uni.example,A\n", "utf-8"
    )
    with zipfile.ZipFile(tmp_path / "lab 1.zip", "w") as archive:
        archive.writestr(f"lovelaceada_101_555_{LAB}.ipynb", handout(LAB, solved=True).as_bytes())
        archive.writestr(f"mullerbob_102_556_{LAB}.ipynb", handout(LAB).as_bytes())
    out = tmp_path / "out"
    grade = ["grade", tmp_path / "lab 1.zip", "--roster", people, "--out", out, "--allow-unsandboxed"]
    done = labkit(*grade, "--canvas", book, "--assignment", "Lab 1")
    assert done.returncode == 0 and "Lab 1: 2 scores written" in done.stdout, done.stderr
    theirs, ours = cells(book), cells(out / "canvas.csv")
    places = ((row, column) for row, line in enumerate(theirs) for column in range(len(line)))
    assert {(row, column) for row, column in places if ours[row][column] != theirs[row][column]} == {(3, 5), (4, 5)}
    assert float(ours[3][5]) > 0 and float(ours[4][5]) == 0
    wrong = [
        (["--canvas", tmp_path / "none.csv"], "none.csv: cannot be read"),
        (["--assignment", "Lab 1"], "needs --canvas or --moodle"),
        (["--canvas", book, "--diff"], "--diff writes no gradebook"),
        (["--canvas", book, "--assignment", "Lab 2"], "there is no column 'Lab 2'"),
    ]
    for options, says in wrong:
        done = labkit(*grade, *options)
        assert done.returncode == 2 and says in done.stderr and done.stderr.splitlines()[-1].startswith("labkit: ")
