"""Regrade requests are found in a sheet, answered by an adjustment with a reason, and marked as answered."""

import csv
import json
import shutil
from datetime import UTC, datetime

import graded_pages
import pytest
from desks import LAB, NEXT, by_hand, keep_code, leave, result, words
from graded_pages import EXERCISE, pages
from longer import times
from reading_pages import confirmed_by_killed_pages

from labkit.desk.pages.feedback import feedback
from labkit.desk.pages.students import SPOKEN
from labkit.desk.people import adjustments
from labkit.desk.people.adjustments import reference_of, references_in
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.late import Policy
from labkit.desk.reading.regrades import RegradeDesk
from labkit.student.model import project
from labkit.student.model.errors import UserError

KILLS = times(3, 50)
MESSAGE = "My count is right: <script>alert(1)</script>\nPlease look again."
HEAD = "student,lab,exercise,message\n"


@pytest.fixture
def out(tmp_path):
    """Ada and Bob ask about midrange in lab 01, where both have 0 of 2. Ada also asks about her written answer."""
    folder = tmp_path / "out"
    leave(folder, class_of_two())
    requests = [("ada", "midrange", MESSAGE), ("bob", "midrange", "Why?"), ("ada", "robust", "It is awaiting grading.")]
    with (folder / "requests.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("reference", "message"), *((reference_of(w, LAB, e), m) for w, e, m in requests)])
    return folder


def class_of_two() -> list:
    return [result(), result("bob"), result(lab=NEXT, submitted_at="2026-03-02T00:00:00Z")]


def desk(out) -> RegradeDesk:
    return RegradeDesk(project.current(), out)


def test_a_request_that_quotes_a_classmates_reference_says_so(out):
    ada = reference_of("ada", LAB, "midrange")
    rows = f"reference,student,message\n{ada},Ada,mine\n{ada},bob,hers\n{ada},,whose?\n"
    (out / "requests.csv").write_text(rows)
    told = {each["message"]: each["check"] for each in desk(out).requests()["requests"]}
    assert told["mine"] == "" and told["hers"] == "This message is from bob, but quotes a reference of ada."
    assert "Check that ada sent this message" in told["whose?"]


def answer(out, who="ada", points=2.0, reason="The check was too strict.", exercise="midrange") -> dict:
    own = desk(out)
    (request,) = [each for each in own.all.values() if (each.student, each.exercise) == (who, exercise)]
    return own.answer({"request": request.id, "points": points, "reason": reason})


def adjusted(out) -> list[list[str]]:
    return list(csv.reader((out / "adjustments.csv").open(newline="")))[1:]


def test_a_request_shows_the_question_the_code_the_checks_and_the_message(out):
    keep_code(out, {"ada": {"midrange": "def midrange(values): ...", "spread": "x"}})
    shown = {each["student"] + each["exercise"]: each for each in desk(out).requests()["requests"]}
    ada = shown["adamidrange"]
    (code,), (text,) = ada["answers"], shown["adarobust"]["answers"]
    assert ada["message"] == MESSAGE and words(code["nodes"]) == "def midrange(values): ..."
    assert code["nodes"][0][:3] == ["pre", {}, ["span", {"class": "k"}, "def"]]
    assert (text["exercise"], words(text["nodes"])) == ("robust", "It grows.")
    assert "One of a hundred" in words(shown["adarobust"]["question"])
    assert (ada["points"], ada["most"], ada["answered"]) == (0, 2, None)
    assert ada["checks"] == ["midrange · midrange · failed, 0 of 2: not quite: <b>see</b> =1+1"]
    assert ada["where"] == "requests.csv, line 2"
    assert ada["check"].startswith("Check that ada sent this message")


def test_rows_that_name_the_exercise_and_several_references_are_requests(out):
    own, other = reference_of("bob", LAB, "spread"), reference_of("ada", NEXT, "levels")
    (out / "requests.csv").write_text(
        f"{HEAD.strip()},reference\nada,{LAB},midrange,by name,\nada,{LAB},,all of it,\n,,,why?,{own.upper()} {other}\n"
    )
    own = desk(out)
    assert not own.unmatched and [(*each.key, each.message) for each in own.all.values()] == [
        ("ada", LAB, "midrange", "by name"),
        ("ada", LAB, "", "all of it"),
        ("bob", LAB, "spread", "why?"),
        ("ada", NEXT, "levels", "why?"),
    ]


def test_a_request_that_matches_no_exercise_is_reported_and_keeps_none_from_being_read(out):
    (out / "requests.csv").write_text(f"{HEAD}ada,{LAB},midrage,a\n=x,y,z,b\nada,{LAB},midrange,c\n")
    own = desk(out)
    assert [each.message for each in own.all.values()] == ["c"]
    assert [line.partition(": ")[0] for line in own.unmatched] == ["requests.csv, line 2", "requests.csv, line 3"]
    (out / "requests.csv").write_text("reference,message\nbcd-fgh-jkm,hello\n")
    assert "no exercise has the reference bcd-fgh-jkm" in desk(out).unmatched[-1]
    (out / "requests.csv").write_text("who,message\nada,x\n")
    with pytest.raises(UserError, match=r"requests\.csv, line 1: the header needs message"):
        desk(out)


def test_a_lab_or_an_exercise_that_the_course_no_longer_has_matches_nothing(out):
    rows = json.loads((out / "results.json").read_text())
    rows[0]["checks"].append({**rows[0]["checks"][0], "exercise": "gone"})
    (out / "results.json").write_text(json.dumps([*rows, {**rows[0], "lab": "week3"}]))
    (out / "requests.csv").write_text(f"{HEAD}ada,week3,,a\nada,week3,spread,b\nada,{LAB},gone,c\nada,{LAB},spread,d\n")
    found = desk(out)
    assert [each["message"] for each in found.requests()["requests"]] == ["d"] and len(found.unmatched) == 3


def test_an_answer_is_an_adjustment_whose_reason_the_student_reads(out):
    assert answer(out, points=1.5) == {"points": 1.5, "reason": "The check was too strict."}
    assert adjusted(out) == [["ada", LAB, "midrange", "", "1.5", "The check was too strict.", ""]]
    ada, _, bob = leave(out, class_of_two())
    assert (ada.score, bob.score) == (4.5, 3)
    own = desk(out)
    assert [each.student + each.exercise for each in own.open()] == ["bobmidrange", "adarobust"]
    last = own.requests()["requests"][-1]
    assert last["answered"] == {"points": 1.5, "reason": "The check was too strict."} and last["points"] == 1.5


def test_an_answer_can_leave_the_points_and_says_so(out):
    answer(out, "bob", 0, "The page is right.")
    answer(out, "ada", 0, "Nobody has read it yet.", "robust")
    assert [row[3:5] for row in adjusted(out)] == [["0", ""], ["0", ""]]
    ada, _, bob = leave(out, class_of_two())
    assert (ada.score, bob.score, ada.to_read) == (3, 3, 2) and desk(out).open()[0].student == "ada"
    assert "en" in SPOKEN  # registers the messages used on pages
    told = {}
    for (who, _), given in adjustments.read(project.current(), out / "adjustments.csv").items():
        for part in feedback(FinalScore(result(who), given=tuple(given))).parts:
            told[who, part.exercise] = part.state, part.adjusted
    assert told["bob", "midrange"] == (
        "wrong", ("Your instructor has looked at this, and your points stay the same: The page is right.",)
    )  # fmt: skip
    assert told["ada", "robust"][0] == "waiting"


def test_a_second_answer_replaces_the_first_and_other_rows_stay(out):
    other = f'bob,{LAB},,1,,"Bonus, for a mistake found.",'
    by_hand(out, other, f"ada,{LAB},midrange,0.5,,for the idea,", f"ada,{LAB},midrange,,1,an old one,")
    answer(out, points=2)
    answer(out, points=1.25, reason="Half of it.")
    answer(out, points=1.25, reason="Half of it.")
    assert adjusted(out) == [
        ["bob", LAB, "", "1", "", "Bonus, for a mistake found.", ""],
        ["ada", LAB, "midrange", "0.5", "", "for the idea", ""],
        ["ada", LAB, "midrange", "", "0.75", "Half of it.", ""],
    ]
    assert leave(out, class_of_two())[0].score == 4.25
    assert (out / "answered.csv").read_text().count("\n") == 2


def test_a_request_about_a_whole_lab_sets_its_final_score(out):
    (out / "requests.csv").write_text(f"{HEAD}ada,{LAB},,the penalty is wrong\n")
    answer(out, points=4.5, reason="You were in time.", exercise="")
    assert leave(out, class_of_two())[0].final == 4.5 and not desk(out).open()


@pytest.mark.parametrize(
    "asked",
    [
        {"points": 3}, {"points": -1}, {"points": float("nan")}, {"points": True}, {"points": "1"}, {"points": 10**400},
        {"reason": " "}, {"reason": "x" * 10_001}, {"reason": None}, {"request": "r0"}, {"request": None},
    ],
)  # fmt: skip
def test_an_invalid_answer_is_refused_and_nothing_is_written(out, asked):
    own = desk(out)
    with pytest.raises(UserError):
        own.answer({"request": next(iter(own.all)), "points": 1, "reason": "why"} | asked)
    with pytest.raises(UserError):
        own.answer([])
    assert not (out / "adjustments.csv").exists() and not (out / "answered.csv").exists()


def test_a_broken_file_is_reported_and_kept(out):
    by_hand(out, f"ada,{LAB},midrange,,9,why,")
    with pytest.raises(UserError, match=r"adjustments\.csv, line 2: 9 is too many points"):
        answer(out)
    assert adjusted(out)[0][4] == "9" and not (out / "answered.csv").exists()


def test_an_answer_survives_a_regrade_a_moved_deadline_and_another_folder(out, tmp_path):
    answer(out)
    before = (out / "adjustments.csv").read_bytes(), (out / "answered.csv").read_bytes()
    late = Policy({NEXT: datetime(2026, 3, 1, tzinfo=UTC)}, percent=50)
    for policy in (late, Policy()):
        ada, levels, _ = leave(out, class_of_two(), policy)
        assert ada.score == 5 and levels.penalty == (1 if policy is late else 0)
        assert [each.student for each in desk(out).open()] == ["bob", "ada"]
    assert before == ((out / "adjustments.csv").read_bytes(), (out / "answered.csv").read_bytes())
    merged = tmp_path / "merged"
    merged.mkdir()
    for name in ("adjustments.csv", "answered.csv", "requests.csv"):
        shutil.copy(out / name, merged)
    assert leave(merged, [*class_of_two(), result("cem")])[0].score == 5
    assert [each.student for each in desk(merged).open()] == ["bob", "ada"]


@pytest.mark.timeout(120 + 20 * KILLS)
def test_a_page_that_is_killed_loses_no_answer_that_it_has_confirmed(out):
    ids = {each.student: each.id for each in desk(out).all.values() if each.exercise == "midrange"}

    def asked(page, number):
        who = ("ada", "bob")[number % 2]
        return who, {"request": ids[who], "points": number % 3, "reason": f"{page} {number}"}

    for confirmed in confirmed_by_killed_pages(out, KILLS, "answer", asked):
        own = desk(out)
        for who, given in confirmed.items():
            assert (own.answered[ids[who]].after, own.answered[ids[who]].reason) == (given["points"], given["reason"])
        rows = [row for row in leave(out, class_of_two()) if row.lab == LAB and row.student in confirmed]
        assert all(row.score == 3 + confirmed[row.student]["points"] for row in rows)
    answer(out)
    assert not [path for path in out.iterdir() if path.name.endswith(".part")]


def test_a_reference_is_the_same_every_time_and_another_for_another_exercise():
    assert reference_of("ada", graded_pages.LAB, EXERCISE) == reference_of("ada", graded_pages.LAB, EXERCISE)
    others = {
        reference_of(*whose)
        for whose in (("bob", graded_pages.LAB, EXERCISE), ("ada", graded_pages.LAB, "meaning"), ("ada", "", EXERCISE))
    }
    assert len(others | {reference_of("ada", graded_pages.LAB, EXERCISE)}) == 4


def test_a_reference_is_found_in_a_mail_however_it_was_typed():
    own = reference_of("ada", graded_pages.LAB, EXERCISE)
    mail = f"Hello,\n> Reference {own.upper()}\nReference {own.replace('-', chr(0x2011))}. Not x{own} nor {own}-a.\n"
    assert references_in(mail) == [own]


def test_a_students_files_have_the_reference_of_each_exercise_and_say_what_it_is_for(tmp_path):
    pages(tmp_path, [FinalScore(graded_pages.result())])
    for ending in (".html", ".md"):
        text = (tmp_path / "students" / f"ada{ending}").read_text("utf-8")
        assert all(f"Reference {reference_of('ada', graded_pages.LAB, name)}" in text for name in (EXERCISE, "meaning"))
        assert text.count("To ask for a regrade") == 1
