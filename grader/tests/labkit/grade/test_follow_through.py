"""An answer that uses an earlier wrong or missing one earns its own points, and only those."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from handouts import QUICK
from hypothesis import given
from longer import every
from wire_values import arrays, values

from labkit.desk.pages.feedback import feedback
from labkit.desk.people.final_score import FinalScore
from labkit.grade.judge import recheck, reference_values
from labkit.grade.judge.judge import judge_file
from labkit.grade.judge.points import points_by_check
from labkit.grade.judge.results import Check
from labkit.grade.judge.run import Run
from labkit.student.calls import earlier, wire
from labkit.student.calls.calling import read_reply, reply
from labkit.student.model import course, project

LAB = "01_spread"
WRONG = "def spread(values):\n    return float(np.std(values, ddof=1))"
ONE = "spread((2, 4, 9)) / 2.943920288775949"  # a public call; the wrong answer returns 1.22
RESTING = f"def midrange(values):\n    return (min(values) + max(values)) / 2 * {ONE}"


def points_of(result, exercise: str) -> float:
    return sum(map(result.points, result.of_exercise(exercise)))


def worth(exercise: str) -> float:
    return sum(points for points, of in points_by_check(project.current(), LAB).values() if of == exercise)


@pytest.mark.parametrize(
    "spread", [WRONG, "def spread(values)\n    return 1", "def spreads(values):\n    return 1", None]
)
def test_an_answer_that_uses_a_wrong_or_missing_one_earns_its_own_points(judged, handout, spread):
    copy = handout(LAB).write("midrange", RESTING)
    result = judged(copy.write("spread", spread) if spread else copy)
    assert points_of(result, "spread") == 0 and points_of(result, "midrange") == worth("midrange")
    said = {check.message() for check in result.of_exercise("midrange") if check.outcome == "passed"}
    assert (
        "correct on its own: checked again with reference values for spread, because yours were wrong or missing"
        in said
    )


def test_an_earlier_answer_used_through_an_added_cell(judged, handout):
    copy = handout(LAB, solved=True).write("spread", WRONG).write("midrange", RESTING.replace(ONE, "one()"))
    copy.insert(f"def one():\n    return {ONE}", after="spread")
    assert points_of(judged(copy), "midrange") == worth("midrange")


HELPER = "def half(values):\n    return (min(values) + max(values)) / 2"


@pytest.mark.parametrize("spread", [f"{HELPER}\n\n{WRONG}", f"{WRONG}\n\n{HELPER}", f"{HELPER}\n\nspread = None"])
def test_a_helper_in_the_cell_of_a_wrong_answer_stays(judged, handout, spread):
    copy = handout(LAB, solved=True).write("spread", spread)
    result = judged(copy.write("midrange", f"def midrange(values):\n    return half(values) * {ONE}"))
    assert points_of(result, "midrange") == worth("midrange") and points_of(result, "spread") == 0


def test_a_wrong_answer_that_is_right_only_when_called_again_earns_nothing(judged, handout):
    late = f"called = []\n\ndef midrange(values):\n    called.append(values)\n    return (min(values) + max(values)) / 2 * {ONE} + (len(called) < 9)"
    result = judged(handout(LAB, solved=True).write("spread", WRONG).write("midrange", late))
    assert points_of(result, "midrange") == 0


@pytest.mark.parametrize(
    "midrange",
    [
        RESTING.replace("/ 2", "/ 3"),  # also wrong with a correct dependency
        "def midrange(values):\n    return spread(values)",
        "import inspect\n\ndef midrange(values):\n    raise ValueError(inspect.getsource(spread))",
    ],
)
def test_an_answer_wrong_on_its_own_earns_nothing_and_reveals_nothing(judged, handout, midrange):
    result = judged(handout(LAB, solved=True).write("spread", WRONG).write("midrange", midrange))
    assert points_of(result, "midrange") == 0
    assert not any("distances" in check.message() for check in result.checks)  # a name in the solution


def remarks(result, exercise: str) -> list[str]:
    parts = feedback(FinalScore(result)).parts
    return [remark for part in parts if part.exercise == exercise for remark in part.remarks]


def test_a_second_failure_is_reported_without_its_findings(judged, handout):
    """The first run's feedback is kept, because the second run's feedback could contain reference values."""
    tells = "def midrange(values):\n    raise ValueError(f'spread is {spread((2, 4, 9)):.3f}')"
    result = judged(handout(LAB, solved=True).write("spread", WRONG).write("midrange", tells))
    again = "With reference values for spread the check still fails, so there is a mistake here as well."
    assert remarks(result, "midrange")[-1].endswith(again)
    assert "spread is 3.606" in remarks(result, "midrange")[0]  # the value with the student's own answer
    assert not any("2.944" in check.message() for check in result.checks)


def test_a_failure_beside_a_right_answer_mentions_no_second_run(judged, handout):
    result = judged(handout(LAB, solved=True).write("midrange", "def midrange(values):\n    return spread(values)"))
    assert not any("reference values" in remark for remark in remarks(result, "midrange"))


def test_a_right_answer_is_not_replaced(judged, handout):
    result = judged(handout(LAB, solved=True).write("midrange", RESTING.replace(f"* {ONE}", f"+ {ONE}")))
    assert points_of(result, "spread") == worth("spread") and points_of(result, "midrange") == 0


ARGUMENTS = {
    "by position": "spread((2, 4, 9))",
    "by name": "spread(values=(2, 4, 9))",
    "a list": "spread([2.0, 4.0, 9.0])",
    "an array": "spread(np.array([2, 4, 9]))",
    "again and again": "[spread((2, 4, 9)) for _ in range(200)][-1]",
    "from a thread": "__import__('concurrent.futures').futures.ThreadPoolExecutor(1).submit(spread, (2, 4, 9)).result()",
    "from several threads at once": "_of_many_threads()",
    "an error": "_raises()",
}
HELPERS = """def _of_many_threads():
    asked = [(2, 4, 9), (5, 5), [2, 4, 9], [5, 5], (2.0, 4, 9), (5.0, 5), [2, 4.0, 9], [5, 5.0]]  # each asked anew
    with __import__('concurrent.futures').futures.ThreadPoolExecutor(8) as threads:
        found = list(threads.map(spread, asked))
    return 2.943920288775949 * (found == [2.943920288775949, 0.0] * 4)

def _raises():
    try:
        spread(())
    except ValueError as error:
        return 2.943920288775949 if str(error) == "" else 0
"""


@pytest.mark.parametrize(
    ("call", "stock"),
    [*((call, False) for call in ARGUMENTS.values()), *every(8, [(call, True) for call in ARGUMENTS.values()])],
    ids=[f"{call}-{kernel}" for kernel in ("warm", "stock") for call in ARGUMENTS],
)
def test_the_reference_answers_calls_of_every_form(handout, tmp_path, call, stock):
    midrange = (
        f"{HELPERS}\n\ndef midrange(values):\n    return (min(values) + max(values)) / 2 * ({call}) / 2.943920288775949"
    )
    path = handout(LAB).write("spread", WRONG).write("midrange", midrange).save(tmp_path / f"{LAB}.ipynb")
    result = judge_file(project.current(), path, "ada", 1, replace(QUICK, stock_kernel=stock))
    assert points_of(result, "midrange") == worth("midrange")


class OneAtATime:
    """A kernel's `raw_input` that returns its question, and counts simultaneous calls, which could get each other's reply."""

    def __init__(self):
        self.asking, self.most, self._allow_stdin = 0, 0, False

    def raw_input(self, request: str) -> str:
        self.asking += 1
        self.most = max(self.most, self.asking)
        time.sleep(0.01)
        assert self._allow_stdin, "this thread may not ask, because another thread's question has ended"
        self.asking -= 1
        return request


def test_all_wrong_answers_of_a_group_are_replaced_in_a_new_kernel(monkeypatch):
    """What an answer of the group before left in its kernel costs no points."""
    started = []

    @contextmanager
    def answered(_, wrong):
        started.append(wrong)
        yield SimpleNamespace(checks=[], ran=0)

    def test(again, wanted):
        again.ran += 1  # the second exercise that is called in a kernel fails
        names = [each.name for each in run.checks if wanted(each.exercise, each.name)]
        again.checks += [Check("", name, "passed" if again.ran == 1 else "failed") for name in names]

    monkeypatch.setattr(recheck, "_answered", answered)
    monkeypatch.setattr(recheck, "_at_own_cells", lambda *_: None)
    checks = [Check(name, f"of_{name}", "failed" if name != "b" else "passed") for name in "abcd"]
    run = SimpleNamespace(checks=checks)
    recheck._follow_through(run, test, {frozenset("ab"): ["c"], frozenset("a"): ["d"]})
    assert started == [{"a"}, {"a"}] and [each.exercise for each in run.checks if each.outcome == "failed"] == ["a"]


def test_threads_ask_one_after_another(monkeypatch):
    kernel, requests = OneAtATime(), [f"question {number}".encode() for number in range(8)]
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(kernel=kernel))
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(earlier._ask, requests)) == requests
    assert kernel.most == 1 and not kernel._allow_stdin


FORGED = {
    "of another answer": "wire.dumps(['midrange', [(1, 2, 9)]])",
    "at other arguments": "wire.dumps(['spread', [(1, 3)]])",
    "at arguments of another form": "wire.dumps(['spread', [[['a', 2.0], 9.0]]])",
    "at arguments in another number": "wire.dumps(['spread', [(2, 4, 9), 1]])",
    "of a hidden test": "wire.dumps(['test_spread', []])",
    "of no form": "b'spread'",
    "not JSON": "b'{'",
    "deep": "b'[' * 100_000",
    "deeper than what is sent on": "json.dumps({'list': ['spread', {'list': [deep]}]}).encode()",
    "with code": "wire.dumps(['spread', ['__import__(\\'os\\').system(\\'true\\')']])",
}


def test_a_forged_question_gets_no_value(handout, tmp_path):
    """Each question gets an error; if one got a value, the student's answer would be right."""
    midrange = f"""import json
from labkit.student.calls import earlier, wire
deep = 1
for _ in range(60):
    deep = {{'list': [deep]}}
def midrange(values):
    spread((2, 4, 9))  # what makes the grader check this again
    said = [earlier.read_reply(earlier._ask(question)) for question in ({", ".join(FORGED.values())},)]
    return (min(values) + max(values)) / 2 * any(type(each).__name__ != "Raised" for each in said)"""
    path = handout(LAB).write("spread", WRONG).write("midrange", midrange).save(tmp_path / f"{LAB}.ipynb")
    judged = judge_file(project.current(), path, "ada", 1, replace(QUICK, cell_seconds=1))
    assert points_of(judged, "midrange") == 0


def test_questions_are_refused_when_nothing_is_checked_again(handout, tmp_path):
    asks = "from labkit.student.calls import earlier\nearlier._ask(b'[]')"
    copy = handout(LAB, solved=True).write("midrange", f"{asks}\ndef midrange(values):\n    return 0")
    result = judge_file(
        project.current(), copy.save(tmp_path / f"{LAB}.ipynb"), "ada", 1, replace(QUICK, cell_seconds=1)
    )
    assert result.status == "timed_out" and points_of(result, "spread") == worth("spread")


MANY = """def midrange(values):
    for k in range(4):
        try:
            spread((k, k + 2))
        except RuntimeError:
            pass
    return (min(values) + max(values)) / 2 * spread((2, 4, 9)) / 2.943920288775949"""


@pytest.mark.parametrize(("most", "earns"), [(5, True), (4, False)])
def test_more_questions_than_any_answer_needs_are_refused(handout, tmp_path, monkeypatch, most, earns):
    monkeypatch.setattr(reference_values, "MOST_VALUES", most)
    path = handout(LAB).write("spread", WRONG).write("midrange", MANY).save(tmp_path / f"{LAB}.ipynb")
    assert (points_of(judge_file(project.current(), path, "ada", 1, QUICK), "midrange") > 0) == earns


FLOOD = """from labkit.student.calls import wire
def midrange(values):
    if not hasattr(spread, "__wrapped__"):
        return 0
    spread((2, 4, 9))
    channel = get_ipython().kernel.session.channel
    for k in range(200):
        channel.send("input_request", {"prompt": wire.as_text(wire.dumps(["spread", [(1, k)]]))})
    __import__("time").sleep(30)"""


def test_many_questions_at_once_end_when_their_call_times_out(handout, tmp_path, monkeypatch):
    answered = []

    def value(self, question):
        answered.append(question)
        time.sleep(0.1)
        return wire.as_text(reply(1.0))

    monkeypatch.setattr(reference_values.ReferenceValues, "reply", value)
    path = handout(LAB).write("spread", WRONG).write("midrange", FLOOD).save(tmp_path / f"{LAB}.ipynb")
    judge_file(project.current(), path, "ada", 1, replace(QUICK, cell_seconds=1))
    assert 0 < len(answered) < 200


def test_the_two_kernels_of_a_second_check_share_the_memory_of_one(handout):
    run = Run.of(project.current(), handout(LAB).parsed(), budgets=replace(QUICK, memory_share=2**30))
    runs = []
    run.checks = [Check("midrange", "at_drawn_values", "failed")]
    recheck._follow_through(run, lambda again, _: runs.append(again), {frozenset({"spread"}): ["midrange"]})
    spaces = [each.budgets.address_space() for each in (*runs, runs[0].supply.__self__.run)]
    assert sum(spaces) == 2 * QUICK.shared_bytes() + 2**30


@pytest.fixture(scope="module")
def reference():
    found = reference_values.ReferenceValues(project.current(), course.current().labs[LAB], [], QUICK)
    doubled = np.arange(0.0, 20.0, 2)
    found.keep([["f", [np.arange(10), 3, "x"], True, doubled], ["f", [[[1], [2, 3]], {"a": 1}], True, "ragged"]])
    return found


def said_of(reference, *args: object) -> object:
    return read_reply(wire.from_text(reference.reply(wire.as_text(wire.dumps(["f", list(args)])))))


@pytest.mark.parametrize("entries", [np.arange(10), [3, 1, 1], np.array([2.0, 9.0], np.float32), np.array([], int)])
def test_a_part_of_a_recorded_array_has_its_values(reference, entries):
    np.testing.assert_array_equal(said_of(reference, entries, np.int64(3), "x"), np.asarray(entries) * 2.0)
    assert said_of(reference, [[1], [2, 3]], {"a": 1}) == "ragged"


NOWHERE = [
    ([0.5], 3, "x"), ([10], 3, "x"), ([1], 4, "x"), ([1], 3, "y"), ([1], 3), (1, 3, "x"),
    ([1] * 11, 3, "x"),  # longer than the array: a short question with many equal entries would get many long rows
    *((np.empty((2**60, 0), dtype), 3, "x") for dtype in (np.int8, np.float32, np.bool_)),  # too large for another dtype
]  # fmt: skip


@pytest.mark.parametrize("args", NOWHERE)
def test_nothing_else_has_a_value(reference, args):
    assert said_of(reference, *args) == reference_values.NO_VALUE


@pytest.fixture
def converted(monkeypatch):
    """The arguments that were converted to arrays, which is most of the work for a question."""
    found, convert = [], reference_values._numbers
    monkeypatch.setattr(reference_values, "_numbers", lambda arg: found.append(arg) or convert(arg))
    return found


@pytest.mark.parametrize("args", [[[1]] * 2_000, [[1]] * 4])
def test_a_question_with_more_arguments_than_any_recorded_call_costs_no_work(reference, converted, args):
    reference.asked = 0
    assert said_of(reference, *args) == reference_values.NO_VALUE
    assert converted == []


def test_a_question_after_the_last_one_allowed_is_not_read(reference, monkeypatch):
    reference.asked = reference_values.MOST_VALUES
    read = []
    monkeypatch.setattr(wire, "loads", read.append)
    assert reference.reply("") == wire.as_text(reply(reference_values.NO_VALUE)) and read == []
    reference.asked = 0


@given(values | arrays, values)
def test_every_request_gets_a_reply(reference, one, other):
    for args in ([one], [one, other], [np.arange(10), one, other]):
        reference.asked = 0
        assert said_of(reference, *args) is not None
