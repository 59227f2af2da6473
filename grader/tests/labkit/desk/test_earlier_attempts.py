"""A manual decision that was made for an earlier attempt still applies, and is named until it is deleted or confirmed."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from desks import ADJUSTMENTS, LAB, by_hand, leave, refused, result, submitted

from labkit.desk.pages.feedback import feedback, summary_of
from labkit.desk.pages.panels import reasons
from labkit.desk.pages.students import SPOKEN
from labkit.desk.people import adjustments, score_store
from labkit.desk.people.desk import Desk
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.late import Policy
from labkit.desk.people.score_store import Kept, Run
from labkit.desk.reading.regrades import RegradeDesk
from labkit.student.model import project


def attempt(digest="1" * 64, midrange="def midrange(values): ...", text="It grows."):
    """A submission: its digest, its code and its written answer."""
    return replace(submitted(result(text=text), digest=digest), code={"spread": "s", "midrange": midrange})


FIRST, ELSEWHERE = ("1" * 64,), ("3" * 64,)  # other bytes, but the same answers
SECOND = "2" * 64, "def midrange(values): return 1", "It shrinks."


def one(out, now) -> FinalScore:
    (row,) = leave(out, [attempt(*now) if isinstance(now, tuple) else now])
    return row


@pytest.mark.parametrize(
    "row, now, named",
    [
        ("midrange,,2,by eye,", SECOND, True),
        ("midrange,,2,by eye,", FIRST, False),
        ("midrange,,2,by eye,", ELSEWHERE, False),
        ("midrange,0,,no change,", SECOND, True),
        ("robust,,1,oral,", SECOND, True),
        ("robust,,1,oral,", ("4" * 64, "def midrange(values): ...", "It  grows."), False),
        ("spread,,0,copied,", SECOND, False),  # this answer is the same
        (",,5,by eye,", SECOND, True),
        (",,5,by eye,", ELSEWHERE, True),
        (",-1,,copied,", SECOND, True),
        (",,,ill,yes", SECOND, True),
    ],
)
def test_a_decision_is_named_when_what_it_was_made_for_changes(tmp_path, row, now, named):
    for known_before in (True, False):  # whether a grading came between writing the row and the new attempt
        out = tmp_path / str(known_before)
        one(out, FIRST)
        by_hand(out, f"ada,{LAB},{row}")
        if known_before:
            assert not one(out, FIRST).outdated
        before = one(out, FIRST) if known_before else score_store.kept(out).final_scores[0]
        found = one(out, now)
        assert [each.partition(":")[0] for each in found.outdated] == ["adjustments.csv, line 2"] * named
        assert not known_before or (found.final, found.moved) == (before.final, before.moved)
        assert one(out, now).outdated == found.outdated  # each time, until it is decided


@pytest.mark.parametrize("status", ["not_a_lab", "not_handed_in"])
def test_points_for_a_file_that_cannot_be_graded_are_named_when_a_notebook_comes(tmp_path, status):
    first = refused("ada", status, file="ada/answers.pdf")
    one(tmp_path, first)
    by_hand(tmp_path, f"ada,{LAB},,,5,graded by eye,", f"ada,{LAB},midrange,,1,on paper,")
    assert not one(tmp_path, first).outdated
    found = one(tmp_path, SECOND)
    assert found.final == 5 and len(found.outdated) == 2
    assert not one(tmp_path, first).outdated  # and not for the attempt that it was made for


def test_a_row_is_confirmed_by_its_code_and_only_for_that_attempt(tmp_path):
    one(tmp_path, FIRST)
    by_hand(tmp_path, f"ada,{LAB},midrange,,2,by eye,")
    (made,) = one(tmp_path, SECOND).outdated
    assert "midrange 0 → 2: by eye" in made
    code = re.search(r"\(answer (\w+)\)", made)[1]
    head = ADJUSTMENTS.replace("\n", ",answer\n")
    (tmp_path / "adjustments.csv").write_text(f"{head}ada,{LAB},midrange,,2,by eye,,{code}\n")
    assert not one(tmp_path, SECOND).outdated
    assert one(tmp_path, ("5" * 64, "third")).outdated
    assert one(tmp_path, FIRST).outdated


def test_a_changed_row_is_a_new_decision_and_a_machine_fault_changes_none(tmp_path):
    one(tmp_path, FIRST)
    by_hand(tmp_path, f"ada,{LAB},midrange,,2,by eye,")
    fault = refused("ada", "not_judged", digest="2" * 64)
    assert one(tmp_path, SECOND).outdated and not one(tmp_path, fault).outdated
    assert one(tmp_path, SECOND).outdated
    by_hand(tmp_path, f"ada,{LAB},midrange,,1.5,by eye,")
    assert not one(tmp_path, SECOND).outdated


def test_typed_points_for_a_written_answer_are_named_too(tmp_path):
    one(tmp_path, FIRST)
    (tmp_path / "manual.csv").write_text(f"student,lab,exercise,points\nada,{LAB},robust,1\n")
    assert not one(tmp_path, FIRST).outdated
    found = one(tmp_path, SECOND)
    (made,) = found.outdated
    assert made.startswith("manual.csv, line 2: robust") and found.readings["robust"].points == 1
    code = re.search(r"\(answer (\w+)\)", made)[1]
    (tmp_path / "manual.csv").write_text(f"student,lab,exercise,points,answer\nada,{LAB},robust,1,{code}\n")
    found = one(tmp_path, SECOND)
    assert not found.outdated and found.readings["robust"].points == 1


def test_the_report_and_the_students_page_say_so_in_both_languages(tmp_path):
    one(tmp_path, FIRST)
    by_hand(tmp_path, f"ada,{LAB},,,5,by eye,", f"ada,{LAB},midrange,,2,why,")
    lines = adjustments.read(project.current(), tmp_path / adjustments.NAME)
    before = {("ada", LAB): score_store.kept(tmp_path).final_scores[0].seen}
    for language, says in zip(SPOKEN, ("an earlier submission of yours", "una entrega anterior tuya")):
        own = submitted(attempt(*SECOND), language=language)
        given = adjustments.given_to(project.current().course, own, lines)
        (final_score,) = adjustments.marked([FinalScore(own, given=given)], before)
        assert [what for what, _ in reasons(final_score)][:2] == ["made for an earlier attempt"] * 2
        told = feedback(final_score)
        part = next(part for part in told.parts if part.exercise == "midrange")
        assert says in part.adjusted[0] and any(says in note for note in told.notes())
        assert len([*summary_of([told], language)]) == 1  # the points, and not that nothing is left to correct


def test_a_regrade_answer_that_is_given_again_confirms_itself(tmp_path):
    one(tmp_path, FIRST)
    (tmp_path / "requests.csv").write_text(f"student,lab,exercise,message\nada,{LAB},midrange,why?\n")

    def answer():
        desk = RegradeDesk(project.current(), tmp_path)
        desk.answer({"request": next(iter(desk.all)), "points": 1.5, "reason": "Half of it."})

    answer()
    assert not one(tmp_path, FIRST).outdated
    assert one(tmp_path, SECOND).outdated
    answer()
    assert not one(tmp_path, SECOND).outdated


def test_grading_and_its_preview_name_the_rows(tmp_path, labkit, handout):
    group, out = tmp_path / "class", tmp_path / "out"
    handout(LAB).save(group / "ada" / f"{LAB}.ipynb")
    handout(LAB).save(group / "bob" / f"{LAB}.ipynb")
    by_hand(out, f"ada,{LAB},,,5,by eye,", f"bob,{LAB},,1,,a bonus,")
    assert "earlier attempt" not in labkit("grade", group, "--out", out).stdout
    handout(LAB, solved=True).save(group / "ada" / f"{LAB}.ipynb")
    for options in (["--diff"], [], [], ["--only", "bob"]):
        done = labkit("grade", group, "--out", out, *options)
        assert done.returncode == 0, done.stderr
        told = " ".join(done.stdout.split())
        assert "Decided by hand for an earlier attempt, and still applied: 1." in told
        assert re.search(rf" ada {LAB} adjustments.csv, line 2: lab 6 → 5: by eye \(answer a\w+\)", told)
    assert "made for an earlier attempt" in (out / "report.html").read_text()


def test_a_new_attempt_with_the_time_of_the_earlier_one_is_named_if_lateness_costs_points():
    def note(policy, digest, time):
        now = submitted(result(submitted_at=time), digest=digest).submission
        desk = Desk(project.current(), policy, {}, {}, {}, None, before=Kept(Run(1), [earlier], {}))
        desk.joined([now])
        return desk.notes

    first = submitted(result(submitted_at="2026-03-01T00:00:00Z"), digest="1" * 64)
    (earlier,) = adjustments.marked([FinalScore(first)], {})
    costly = Policy({LAB: datetime(2026, 2, 28, tzinfo=UTC)}, percent=10)
    (told,) = note(costly, "2" * 64, "2026-03-01T00:00:00Z")
    assert told.startswith("Submitted again, but still with the time of the earlier attempt") and "ada" in told
    assert not note(costly, "1" * 64, "2026-03-01T00:00:00Z")
    assert not note(costly, "2" * 64, "2026-03-02T00:00:00Z")
    assert not note(Policy(), "2" * 64, "2026-03-01T00:00:00Z")
