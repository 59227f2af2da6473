"""Lateness: submission times from the LMS, a file or a roster, and the penalty that deadlines.toml sets."""

import os
from dataclasses import replace
from datetime import datetime

import pytest
from desks import LAB, NEXT, result, submitted
from downloads import chosen, roster_of, save
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.desk.people import late
from labkit.desk.people.desk import Desk
from labkit.desk.people.final_score import FinalScore, Person
from labkit.desk.people.late import Policy
from labkit.desk.people.sheets import moment
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Result
from labkit.student.model import project
from labkit.student.model.errors import UserError

DUE = "2026-03-01T23:59:00+01:00"
DEADLINES = f"[deadlines]\n{LAB} = {DUE}\n{NEXT} = '2026-03-08T23:59:00+01:00'\n"


@pytest.fixture
def policy(tmp_path):
    def read(text: str = "") -> Policy:
        (tmp_path / "deadlines.toml").write_text(DEADLINES + text)
        return late.read(project.current().course, tmp_path / "deadlines.toml")

    return read


def applied(policy: Policy, *results, extension: float = 0) -> list[FinalScore]:
    return [*policy.applied_to(FinalScore(each, Person("1", extension=extension)) for each in results)]


@pytest.mark.parametrize(
    "submitted, days, penalty",
    [
        ("2026-03-01T22:59:00Z", 0, 0),  # to the second, in another zone
        ("2026-03-01T22:59:01Z", 1 / 86400, 0.3),
        ("2026-03-03T22:59:00Z", 2, 0.6),
        ("2026-03-03T23:00:00Z", 2 + 60 / 86400, 0.9),
        ("2026-05-01T00:00:00Z", None, 1.5),  # the maximum
        (None, 0, 0),
    ],
)
def test_each_day_that_has_begun_costs_a_part_of_the_score(policy, submitted, days, penalty):
    (final_score,) = applied(policy("[late]\npercent = 10\nmost = 50\n"), result(submitted_at=submitted))
    assert final_score.score == 3 and final_score.penalty == penalty and final_score.final == 3 - penalty
    assert days is None or final_score.days_late == pytest.approx(days)
    assert bool(final_score.why_late) == bool(penalty)


def test_a_penalty_takes_no_more_than_there_is():
    assert [FinalScore(result(), penalty=penalty).final for penalty in (1.5, 100)] == [1.5, 0]


def test_an_extension_moves_the_deadline_of_one(policy):
    of_two_days = result(submitted_at="2026-03-03T12:00:00Z")
    for extension, penalty in ((0, 0.42), (1, 0.21), (1.6, 0)):
        (final_score,) = applied(policy("[late]\npercent = 7\n"), of_two_days, extension=extension)
        assert final_score.penalty == penalty


def test_without_a_policy_days_are_counted_and_cost_nothing(policy, tmp_path):
    (final_score,) = applied(policy(), result(submitted_at="2026-03-02T22:59:00Z"))
    assert (final_score.days_late, final_score.penalty) == (1, 0)
    none = late.read(project.current().course, tmp_path / "none.toml")
    (final_score,) = applied(none, result(submitted_at="2026-03-02T22:59:00Z"))
    assert (final_score.days_late, final_score.penalty) == (0, 0)


def test_a_budget_is_used_in_the_order_of_the_deadlines(policy):
    budget = policy("[late]\nfree_days = 3\n")
    two, later = result(submitted_at="2026-03-03T12:00:00Z"), result(lab=NEXT, submitted_at="2026-03-10T12:00:00Z")
    other = result("bob", NEXT, submitted_at="2026-03-10T12:00:00Z")
    ada, over, bob = applied(budget, two, later, other)
    # a day beyond the budget costs all points, unless the policy sets less
    assert (ada.penalty, over.penalty, bob.penalty) == (0, 2, 0)
    assert "2 of them free" in ada.why_late and "1 of them free" in over.why_late
    swapped = replace(budget, deadlines={LAB: budget.deadlines[NEXT], NEXT: budget.deadlines[LAB]})
    assert [each.penalty for each in applied(swapped, result(submitted_at="2026-03-09T12:00:00Z"), later)] == [3, 2]
    (cheaper,) = applied(policy("[late]\nfree_days = 1\npercent = 10"), two)
    assert cheaper.penalty == 0.3


def test_the_reason_is_in_the_notebooks_language(policy):
    spanish = submitted(result(submitted_at="2026-03-02T12:00:00Z"), language="es")
    (final_score,) = applied(policy("[late]\npercent = 10"), spanish)
    assert final_score.why_late == "días de retraso: 1; descuento: 10 % de 3 puntos"


def test_a_custom_policy(policy, tmp_path):
    own = "def mine(final_score):\n    return min(1, final_score.days_late), f'by our rule, {final_score.result.lab}'\n"
    (tmp_path / "ours.py").write_text(own)
    (final_score,) = applied(policy("[late]\nfunction = 'ours.py:mine'"), result(submitted_at="2026-03-02T10:59:00Z"))
    assert (final_score.penalty, final_score.why_late) == (0.5, f"by our rule, {LAB}")
    for body in ("-1", "'x'", "float('nan')", "None", "1 / 0"):
        (tmp_path / "ours.py").write_text(f"mine = lambda final_score: {body}\n")
        with pytest.raises(UserError, match="deadlines.toml: (mine|<lambda>) for ada"):
            applied(policy("[late]\nfunction = 'ours.py:mine'"), result(submitted_at="2026-03-03T00:00:00Z"))


@pytest.mark.parametrize(
    "text, says",
    [
        ("[deadlines]\n03_none = 2026-03-01T00:00:00Z", "deadlines.03_none is not known"),
        (f"[deadlines]\n{LAB} = 2026-03-01T00:00:00", "a time with a zone"),
        (f"[deadlines]\n{LAB} = 2026-03-01", "a time with a zone"),
        (f"[deadlines]\n{LAB} = 'tomorrow'", "a time with a zone"),
        (f"[deadlines]\n{LAB} = 3", "a time with a zone"),
        ("[late]\npercent = -1", "late.percent must be a number"),
        ("[late]\npercent = true", "late.percent must be a number"),
        ("[late]\nper_day = 1", "late.per_day is not known"),
        ("[late]\nfunction = 'none.py:f'", "late.function"),
        ("[late]\nfunction = 3", "late.function"),
        ("late = 3", r"\[late\] must be a table"),
        ("[late", "deadlines.toml: "),
    ],
)
def test_an_error_in_the_file_is_one_clear_line(tmp_path, text, says):
    (tmp_path / "deadlines.toml").write_text(text)
    with pytest.raises(UserError, match=says) as problem:
        late.read(project.current().course, tmp_path / "deadlines.toml")
    assert "\n" not in str(problem.value)


OF_2024 = f"[deadlines]\n{LAB} = 2024-01-31T23:59:00+01:00\n[late]\npercent = 10\nmost = 50\n"
NOW = datetime.fromisoformat("2024-02-09T12:00:00Z").timestamp()  # of the download
CANVAS = {
    "lovelaceada_17_170_a.ipynb": "solved",
    "bornbob_LATE_18_180_a.ipynb": "solved",
    "gileve_LATE_19_190_a.ipynb": "solved",
}


@pytest.fixture
def costly(tmp_path):
    path = tmp_path / "deadlines.toml"
    path.write_text(OF_2024)
    return late.read(project.current().course, path)


@pytest.fixture
def canvas(tmp_path):
    """A Canvas download, in which all files have the time of the download."""
    folder = save(tmp_path / "class", CANVAS)
    for number, path in enumerate(sorted(folder.iterdir())):
        os.utime(path, (NOW + number, NOW + number))
    return folder


def read(costly: Policy, folder, roster=None) -> tuple[list, list[str]]:
    """The submissions, and the desk's notes about them."""
    desk = Desk(project.current(), costly, given={}, adjusted={}, digests={}, comments=None, roster=roster)
    return desk.joined(chosen(folder)), desk.notes


def joined(costly: Policy, folder, roster=None) -> list:
    return read(costly, folder, roster)[0]


def days(costly: Policy, folder, roster=None) -> dict[str, float]:
    """Days late by student, as in the final scores."""
    people = roster.people if roster else {}
    results = [Result.of(project.current(), each, "graded") for each in joined(costly, folder, roster)]
    final_scores = costly.applied_to(FinalScore(each, people.get(each.student)) for each in results)
    return {each.result.student: each.days_late for each in final_scores}


def test_with_files_that_carry_the_downloads_time_only_a_mark_of_canvas_is_late(costly, canvas):
    assert days(costly, canvas) == {"lovelaceada_17": 0, "bornbob_18": 1, "gileve_19": 1}
    assert {each.submitted_at for each in joined(costly, canvas)} == {None}


def test_a_mark_without_a_time_costs_the_first_day(costly):
    [final_score] = costly.applied_to([FinalScore(full_score(late=True))])
    assert (final_score.score, final_score.penalty, final_score.final) == (3, 0.3, 2.7)
    assert final_score.why_late.startswith("marked late, without a time")
    free = replace(costly, free_days=1)
    [final_score] = free.applied_to([FinalScore(full_score(late=True))])
    assert final_score.penalty == 0 and final_score.why_late.endswith("which is free")
    [extended] = costly.applied_to([FinalScore(full_score(late=True), Person("1", extension=1))])
    assert extended.days_late == extended.penalty == 0
    [nothing] = Policy().applied_to([FinalScore(full_score(late=True))])
    assert nothing.days_late == nothing.penalty == 0


def full_score(**facts: object) -> Result:
    return submitted(result(), **facts)


@settings(deadline=None)
@given(st.datetimes(datetime(2023, 1, 1), datetime(2025, 1, 1)) | st.none(), st.floats(0, 30))
def test_submissions_marked_in_time_by_the_lms_are_never_late(when, extension):
    costly = Policy({LAB: datetime.fromisoformat("2024-01-31T23:59:00+01:00")}, percent=10)
    each = Submission("ada", LAB, submitted=when and when.timestamp(), late=False)
    assert costly.days_late(each, extension) == 0


def test_times_come_from_the_roster(costly, canvas, tmp_path):
    head = "id,name,submitted_at\n"
    people = "17,Ada Lovelace,2024-01-31T22:58:00Z\n18,Bob Born,2024-02-01 23:58\n19,Eve Gil,\n"
    roster = roster_of(tmp_path, head + people)
    assert days(costly, canvas, roster) == {"17": 0, "18": 1 - 1 / 1440, "19": 1}
    rows = {each.student: each.submitted_at for each in joined(costly, canvas, roster)}
    assert rows == {"17": "2024-01-31T22:58:00Z", "18": "2024-02-01T22:58:00Z", "19": None}  # in the deadline's zone


def test_a_time_in_a_roster_is_of_one_lab(costly, tmp_path):
    save(tmp_path / "class", {"17/a.ipynb": "solved", "17/b.ipynb": "the other lab"})
    with pytest.raises(
        UserError, match=f"several labs .*: name the column of times after its lab, as in 'submitted_at {LAB}'"
    ):
        joined(costly, tmp_path / "class", roster_of(tmp_path, "id,submitted_at\n17,2024-01-01T00:00Z\n"))
    roster = roster_of(
        tmp_path, f"id,submitted_at {LAB},Submitted_at 02_levels\n17,2024-01-01T00:00Z,2024-01-02T00:00Z\n"
    )
    assert [each.submitted_at for each in joined(costly, tmp_path / "class", roster)] == [
        "2024-01-01T00:00:00Z",
        "2024-01-02T00:00:00Z",
    ]


GRADEBOOK = """Student,ID,SIS Login ID,Section,{0}
    Points Possible,,,,
"Lovelace, Ada",17,ada,A,2024-01-31T22:58:00Z
"Born, Bob",18,bob,A,2024-02-03 23:58
"Gil, Eve",19,eve,A,
"""


def test_times_added_to_a_gradebook_of_canvas_are_read(costly, canvas, tmp_path):
    for column in ("submitted_at", f"Submitted_at {LAB}"):
        roster = roster_of(tmp_path, GRADEBOOK.format(column))
        assert days(costly, canvas, roster) == {"17": 0, "18": 3 - 1 / 1440, "19": 1}
    with pytest.raises(UserError, match="line 1: the column submitted_at lab 9 does not name a lab of this course"):
        roster_of(tmp_path, GRADEBOOK.format("submitted_at lab 9"))
    with pytest.raises(UserError, match="line 3: .*is not a number of days"):
        roster_of(tmp_path, GRADEBOOK.format("extension"))


def test_columns_added_to_an_lms_file_are_read(tmp_path):
    text = "Student,ID,SIS Login ID,Section,extension,group,email\nA,17,ada,1,2,Alpha,a@example.org\n"
    person = roster_of(tmp_path, text).people["17"]
    assert (person.extension, person.group, person.email) == (2, "Alpha", "a@example.org")
    moodle = (
        "Identifier,Full name,Email address,Last modified (submission),extension,submitted_at,section\n"
        'Participant 1,A,a@example.org,"Friday, 9 February 2024, 8:52 AM",1.5,{0},B\n'
    )
    for added, when in (("", datetime(2024, 2, 9, 8, 52)), ("2024-02-01T00:00", datetime(2024, 2, 1))):
        roster = roster_of(tmp_path, moodle.format(added))
        person = roster.people["a@example.org"]
        assert (person.extension, person.section, roster.times(person.id)) == (1.5, "B", {"": when})


def test_marks_without_a_time_are_reported_with_what_they_cost(costly, canvas, tmp_path):
    free = replace(costly, free_days=2)
    _, [line] = read(free, canvas)
    assert "bornbob_18, gileve_19" in line and "one day late, which free days cover" in line and "\n" not in line
    _, [line] = read(costly, canvas)
    assert "bornbob_18, gileve_19" in line and "free" not in line
    roster = roster_of(tmp_path, "id,name,submitted_at,extension\n18,Bob Born,2024-02-03 23:58,\n19,Eve Gil,,2\n")
    _, [line] = read(free, canvas, roster)
    assert ": 19. It counts as on time" in line
    assert read(Policy(costly.deadlines), canvas)[1] == []


@pytest.mark.parametrize(
    "person, says",
    [
        ("17,Ada Lovelace,2024-02-02T12:00Z,", "17, 01_spread, 2024-02-02T12:00:00Z: is not marked late by the LMS"),
        ("18,Bob Born,2024-01-30T12:00Z,", "18, 01_spread, 2024-01-30T12:00:00Z: is marked late by the LMS"),
        ("18,Bob Born,2024-02-02T12:00Z,", None),
        ("17,Ada Lovelace,2024-02-02T12:00Z,2", None),  # an extension, which Canvas has as well
        ("17,Ada Lovelace,2024-01-31T22:59:59Z,", None),  # the minute that Canvas grants
    ],
)
def test_times_that_contradict_the_mark_are_one_line(costly, canvas, tmp_path, person, says):
    roster = roster_of(tmp_path, f"id,name,submitted_at,extension\n{person}\n")
    if not says:
        [late] = (days(costly, canvas, roster)[each] for each in roster.people)
        assert late == (pytest.approx(1.5, 0.1) if "18" in roster.people else 0)
        return
    with pytest.raises(UserError, match=says) as problem:
        joined(costly, canvas, roster)
    assert "\n" not in str(problem.value)
    joined(Policy(costly.deadlines), canvas, roster)  # without late penalties


def test_a_class_whose_files_were_all_changed_at_once_loses_no_points(costly, tmp_path):
    def class_of(*minutes):
        folder = save(tmp_path / f"class {minutes}", {f"{n}/a.ipynb": "solved" for n in range(len(minutes))})
        for path, minute in zip(sorted(folder.rglob("*.ipynb")), minutes):
            os.utime(path, (NOW + 60 * minute, NOW + 60 * minute))
        return folder

    with pytest.raises(UserError, match="3 of 3 files were changed within 15 minutes.* column submitted_at"):
        joined(costly, class_of(0, 2, 14))
    with pytest.raises(UserError, match="10 of 11 files .* 10 of them would lose points"):
        joined(costly, class_of(*range(10), 9000))  # one file came later by e-mail
    assert [*days(costly, class_of(0, 2, -14 * 24 * 60)).values()][2] == 0
    assert min(days(costly, class_of(0, 2, 90)).values()) > 8
    assert len(days(costly, class_of(0))) == 1
    in_time = replace(costly, deadlines={LAB: datetime.fromisoformat("2024-03-01T00:00:00Z")})
    assert set(days(in_time, class_of(0, 2, 14)).values()) == {0}
    late.check_times(Policy(costly.deadlines), joined(Policy(), class_of(0, 2, 14)), {})


@pytest.mark.parametrize(
    "said, known",
    [
        ("", None),
        ("-", None),
        ("2024-03-01T23:59", datetime(2024, 3, 1, 23, 59)),
        ("2024-03-01 23:59:01", datetime(2024, 3, 1, 23, 59, 1)),
        ("Thursday, 9 February 2023, 8:52 AM", datetime(2023, 2, 9, 8, 52)),
        ("Thursday, 9 February 2023, 12:02 AM", datetime(2023, 2, 9, 0, 2)),
        ("Thursday, 9 Feb 2023, 12:02\u202fPM", datetime(2023, 2, 9, 12, 2)),
        ("Thursday, February 9, 2023, 8:52 PM", datetime(2023, 2, 9, 20, 52)),
        ("lunes, 5 de octubre de 2026, 10:00", datetime(2026, 10, 5, 10, 0)),
        ("miércoles, 31 de diciembre de 2025, 23:59", datetime(2025, 12, 31, 23, 59)),
    ],
)
def test_a_time_is_read_as_people_and_moodle_write_it(said, known):
    assert moment(said) == known


@pytest.mark.parametrize(
    "said",
    [
        "yesterday",
        "2024-03-01",
        "3/1/2024 23:59",
        "31 February 2024, 10:00",
        "5 Brumaire 2024, 10:00",
        "1 May 2024, 25:00",
    ],
)
def test_a_malformed_time_is_refused_with_the_right_form(said):
    with pytest.raises(UserError, match="is not a readable time; write it as 2026-03-01T23:59"):
        moment(said)


@settings(deadline=None)
@given(st.text(max_size=40) | st.from_regex(r"\d{1,2} (de )?[a-z]{3,9} \d{4}, \d{1,2}:\d\d", fullmatch=True))
def test_any_text_is_a_time_or_an_error(said):
    try:
        assert moment(said) is None or isinstance(moment(said), datetime)
    except UserError as problem:
        assert "\n" not in str(problem)
