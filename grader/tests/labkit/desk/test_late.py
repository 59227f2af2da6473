"""The late penalty is computed from deadlines.toml and submission times at every run."""

from dataclasses import replace

import pytest
from desks import LAB, NEXT, result, submitted

from labkit.desk.people import late
from labkit.desk.people.final_score import FinalScore, Person
from labkit.desk.people.late import Policy
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
        ("[deadlines]\n03_none = 2026-03-01T00:00:00Z", "unknown key deadlines.03_none"),
        (f"[deadlines]\n{LAB} = 2026-03-01T00:00:00", "a time with a zone"),
        (f"[deadlines]\n{LAB} = 2026-03-01", "a time with a zone"),
        (f"[deadlines]\n{LAB} = 'tomorrow'", "a time with a zone"),
        (f"[deadlines]\n{LAB} = 3", "a time with a zone"),
        ("[late]\npercent = -1", "late.percent must be a number"),
        ("[late]\npercent = true", "late.percent must be a number"),
        ("[late]\nper_day = 1", "unknown key late.per_day"),
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
