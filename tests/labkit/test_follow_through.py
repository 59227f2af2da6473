"""An answer that rests on an earlier wrong or missing one earns its own points, and no more than these."""

import pytest

from labkit.grading.worths import worths_of

LAB = "01_spread"
WRONG = "def spread(values):\n    return float(np.std(values, ddof=1))"
# spread((1, 3)) is 1, and 1.41 by the wrong answer
RESTING = "def midrange(values):\n    return (min(values) + max(values)) / 2 * spread((1, 3))"


def points_of(result, exercise: str) -> float:
    return sum(map(result.points, result.of_exercise(exercise)))


def worth(exercise: str) -> float:
    return sum(points for points, of in worths_of(LAB).values() if of == exercise)


@pytest.mark.parametrize(
    "spread", [WRONG, "def spread(values)\n    return 1", "def spreads(values):\n    return 1", None]
)
def test_what_rests_on_a_wrong_or_missing_answer_earns_its_own_points(judged, handout, spread):
    copy = handout(LAB).write("midrange", RESTING)
    result = judged(copy.write("spread", spread) if spread else copy)
    assert points_of(result, "spread") == 0 and points_of(result, "midrange") == worth("midrange")
    said = {check.message() for check in result.of_exercise("midrange") if check.outcome == "passed"}
    assert "right: judged once more with the solution's spread, on which it rests" in said


def test_by_way_of_a_cell_of_ones_own(judged, handout):
    copy = (
        handout(LAB, solved=True).write("spread", WRONG).write("midrange", RESTING.replace("spread((1, 3))", "one()"))
    )
    copy.insert("def one():\n    return spread((1, 3))", after="spread")
    assert points_of(judged(copy), "midrange") == worth("midrange")


@pytest.mark.parametrize(
    "midrange",
    [
        RESTING.replace("/ 2", "/ 3"),  # wrong by itself too
        "def midrange(values):\n    return spread(values)",
        "import inspect\n\ndef midrange(values):\n    raise ValueError(inspect.getsource(spread))",
    ],
)
def test_what_is_wrong_by_itself_earns_nothing_and_tells_nothing(judged, handout, midrange):
    result = judged(handout(LAB, solved=True).write("spread", WRONG).write("midrange", midrange))
    assert points_of(result, "midrange") == 0
    assert not any("distances" in check.message() for check in result.checks)  # a name in the solution


def test_a_right_answer_is_not_replaced(judged, handout):
    result = judged(
        handout(LAB, solved=True).write("midrange", RESTING.replace("* spread((1, 3))", "+ spread((1, 3))"))
    )
    assert points_of(result, "spread") == worth("spread") and points_of(result, "midrange") == 0
