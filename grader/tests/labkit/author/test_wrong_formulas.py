"""Mistakes as formulas: what is stored, which answers match, and what `labkit build` rejects."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from labkit.author.source.wrong_formulas import check_words, in_column, stored_mistakes, telling, within
from labkit.student.judging import words
from labkit.student.judging.diagnosis import recognise_values, same, signature
from labkit.student.judging.observation import Observation
from labkit.student.judging.short_answers import judge_items, right_items, stored
from labkit.student.judging.words import say
from labkit.student.model import project
from labkit.student.model.course import Course, Exercise, Lab, Probe
from labkit.student.model.errors import UserError

RAMP = Exercise("ramp", probes=(Probe((4, 2)), Probe((6, 1)), Probe((-1, 1), raises="ValueError")))
LAB = Lab("01_ramp", (RAMP,))
NUMBERS = arrays(np.float64, array_shapes(max_dims=2, max_side=40), elements=st.floats(-100, 100))


def from_one(count, step):
    return np.arange(1, count + 1) * step


class Reference:
    @staticmethod
    def ramp(count, step):
        return np.arange(count, dtype=float) * step


@pytest.fixture
def sentences(monkeypatch):
    """Register words for the exercise by id. They are removed after the test."""
    monkeypatch.setattr(words, "_TEMPLATES", dict(words._TEMPLATES))
    return lambda **by_id: words.register({"en": {id.replace("_", "-"): text for id, text in by_id.items()}}, "ramp")


def named(answer, wrong, exercise=RAMP):
    """The mistakes recognised in an answer's public calls."""
    observations = []
    for probe in exercise.probes:
        right = None if probe.raises else Reference.ramp(*probe.args)
        observations.append(Observation(exercise, probe.args, answer(*probe.args), right, probe.raises, probe.twice))
    return recognise_values(
        observations, stored_mistakes(Lab("01_ramp", (exercise,)), {"ramp": wrong}, Reference)["ramp"]
    )


def test_an_answer_that_makes_a_mistake_is_named_with_its_facts(sentences):
    sentences(from_one="{call} begins with {seen:g} at {place}; {count} numbers, step {step}, {size} of {shape:shape}")
    [found] = named(lambda count, step: np.float32(step) * range(1, count + 1), {"from-one": from_one})
    assert found.mistake == "from-one"
    assert say("ramp", found) == "ramp(4, 2) begins with 2 at 0; 4 numbers, step 2, 4 of (4,)"


def test_a_formula_adds_its_own_facts(sentences):
    sentences(backwards="the last is {last:g}")
    [found] = named(
        lambda count, step: Reference.ramp(count, step)[::-1],
        {"backwards": lambda count, step: telling(Reference.ramp(count, step)[::-1], last=0.0)},
    )
    assert say("ramp", found) == "the last is 0"


@pytest.mark.parametrize("off, fits", [(0.4, True), (0.8, False)])
def test_a_formula_says_how_close_an_answer_has_to_come(sentences, off, fits):
    sentences(from_one="one")
    wrong = {"from-one": within(0.5, from_one)}
    found = named(lambda count, step: from_one(count, step) + off * (np.arange(count) == 5), wrong)
    assert bool(found) == fits


def test_an_answer_is_named_whatever_its_second_call_gives(sentences):
    sentences(from_one="one")
    twice = replace(RAMP, probes=(*RAMP.probes, Probe((4, 2), twice=True)))
    calls = []

    def answer(count, step):
        calls.append((count, step))
        return from_one(count, step) * calls.count((count, step))

    [found] = named(answer, {"from-one": from_one}, twice)
    assert found.mistake == "from-one"


def test_several_formulas_share_a_name(sentences):
    sentences(scaled="{factor:g} times too large")
    wrong = {"scaled": [lambda count, step, by=by: Reference.ramp(count, step) * by for by in (2, 10)]}
    assert [say("ramp", each) for each in named(lambda count, step: Reference.ramp(count, step) * 10, wrong)] == [
        "10 times too large"
    ]


def test_a_formula_with_two_mistakes_gets_both_sentences(sentences):
    sentences(from_one="it begins with {seen:g}", scaled="{factor:g} times too large")
    wrong = {
        "from-one": from_one,
        "scaled": lambda count, step: Reference.ramp(count, step) * 3,
        "from-one scaled": lambda count, step: telling(from_one(count, step) * 3, factor=3),
    }
    found = named(lambda count, step: np.float32(3 * step) * range(1, count + 1), wrong)
    assert [each.mistake for each in found] == ["from-one", "scaled"]
    assert [say("ramp", each) for each in found] == ["it begins with 6", "3 times too large"]
    assert [each.mistake for each in named(wrong["from-one"], wrong)] == ["from-one"]


def test_facts_of_two_mistakes_are_from_a_call_that_shows_both(sentences):
    sentences(stuck="step {step} is ignored", scaled="too large")
    wrong = {
        "stuck scaled": lambda count, step: np.arange(count) * 6,
        "stuck": lambda count, step: np.arange(count) * 2,
        "scaled": lambda count, step: np.arange(count) * step * 3,
    }
    found = named(lambda count, step: np.arange(count) * 6, wrong)
    assert [say("ramp", each) for each in found] == ["step 1 is ignored", "too large"]


def test_each_column_shows_its_own_mistake(sentences):
    sentences(from_one="one", doubled="twice")
    table = Exercise("ramp", probes=(Probe((4, 2)), Probe((6, 1))))
    wrong = {
        "from-one": in_column(0, lambda count, step: np.stack([np.arange(1, count + 1), np.zeros(count)], axis=1)),
        "doubled": in_column(1, lambda count, step: np.stack([np.zeros(count), np.full(count, 2 * step)], axis=1)),
    }

    class Columns:
        ramp = staticmethod(lambda count, step: np.stack([np.arange(count), np.full(count, step)], axis=1))

    def found(answer):
        seen = [Observation(table, each.args, answer(*each.args), Columns.ramp(*each.args)) for each in table.probes]
        return [
            each.id
            for each in recognise_values(
                seen, stored_mistakes(Lab("01_ramp", (table,)), {"ramp": wrong}, Columns)["ramp"]
            )
        ]

    assert found(lambda count, step: np.stack([np.arange(1, count + 1), np.full(count, 2 * step)], axis=1)) == [*wrong]
    assert found(lambda count, step: np.stack([np.arange(1, count + 1), np.full(count, 7)], axis=1)) == ["from-one"]
    assert found(lambda count, step: np.arange(1, count + 1)) == []
    assert found(lambda count, step: np.stack([np.arange(1, count + 1)] * 3, axis=1)) == []  # a column too many


@pytest.mark.parametrize(
    "answer",
    [
        lambda count, step: from_one(count, step) + (count == 6),  # one call has another value
        lambda count, step: from_one(count, step)[:-1],
        lambda count, step: None,
        lambda count, step: "1 2 3",
        lambda count, step: [np.arange(count), 1],
        lambda count, step: 10**400,
        lambda count, step: np.full(abs(count), np.nan),
    ],
)
def test_another_answer_is_not_named(sentences, answer):
    sentences(from_one="one")
    assert named(answer, {"from-one": from_one}) == []


class Short:
    @staticmethod
    def thirds(numbers):
        return stored("thirds", {str(place): number for place, number in enumerate(numbers)})

    THIRDS = thirds([1, 3])


THIRDS = Exercise("thirds", kind="value", judge=judge_items)


@pytest.mark.parametrize(
    "answer, names",
    [([3, 1], ["reversed"]), ({"0": 3.0, "1": 1}, ["reversed"]), ([9, 1], []), (None, []), ([3, 1, 1], [])],
)
def test_a_short_answer_is_recognised_by_digests_that_reveal_nothing(sentences, answer, names):
    words.register({"en": {"reversed": "{call} begins with {first}"}}, "thirds")
    wrong = {"thirds": {"reversed": lambda: telling([3, 1], first=3)}}
    known = stored_mistakes(Lab("01_thirds", (THIRDS,)), wrong, Short)["thirds"]
    assert known[0]["values"] == [Short.thirds([3, 1])]
    found = recognise_values([Observation(THIRDS, (), answer, Short.THIRDS)], known)
    assert [each.id for each in found] == names
    assert [say("thirds", each) for each in found] == ["thirds begins with 3" for _ in names]


@pytest.mark.parametrize("answer, right", [(1.63, 1), (1.62, 1), (1.64, 1), (1.65, 0), ("1.63", 1), ("1.64", 0)])
def test_a_number_may_be_one_off_in_its_last_decimal(answer, right):
    assert len(right_items("x", {"0": answer}, stored("x", {"0": 1.63}, 2), 2)) == right


def test_a_formula_is_not_compared_where_it_has_no_value(sentences):
    sentences(divided="divided")

    def divided(count, step):
        if step == 1:
            raise ZeroDivisionError
        return Reference.ramp(count, step) / (step - 1) + 1

    assert [each.id for each in named(lambda count, step: Reference.ramp(count, step) + 1, {"divided": divided})] == [
        "divided"
    ]


@pytest.mark.parametrize(
    "wrong, complaint",
    [
        ({"nameless": lambda count, step: np.zeros(count)}, r"ramp\.nameless has no sentence: write one under \[ramp\]"),
        ({"right": lambda count, step: Reference.ramp(count, step) + 1e-9}, r"ramp\.right gives the right values for every public call"),
        ({"zeros": lambda count, step: np.zeros(count), "none": lambda count, step: np.zeros(count)}, r"ramp\.zeros and ramp\.none give the same"),
        ({"zeros nameless": lambda count, step: np.zeros(count)}, r"ramp\.nameless has no sentence"),
        ({"none zeros": lambda count, step: np.zeros(count), "zeros": lambda count, step: np.zeros(count)}, r"ramp\.zeros and ramp\.none zeros give the same"),
        ({"asks": lambda count, step: np.ones(count)}, r"the sentence for ramp\.asks uses \{other\}; it can use call, count, "),
    ],
)  # fmt: skip
def test_build_refuses(sentences, wrong, complaint):
    sentences(right="r", zeros="z", none="n", asks="{other}")
    with pytest.raises(UserError, match=complaint):
        stored_mistakes(LAB, {"ramp": wrong}, Reference)


def test_build_refuses_a_mistake_of_an_exercise_that_is_not_there():
    with pytest.raises(UserError, match="'slope', which is not an exercise of the lab; its exercises are ramp"):
        stored_mistakes(LAB, {"slope": {"zeros": np.zeros}}, Reference)


@given(NUMBERS)
def test_rounding_to_float32_changes_no_signature_by_much(value):
    assert same(signature(value.astype(np.float32)), signature(value))


def test_rounding_changes_no_signature_where_few_entries_are_large():
    exponents = np.linspace(0, 60, 1000)[np.random.default_rng(0).permutation(1000)]
    value = np.exp(np.where(np.arange(1000) % 7 == 3, exponents, 0.0))
    assert same(signature(np.exp(np.float32(np.log(value)))), signature(value))
    assert not same(signature(value * 1.001), signature(value))


@given(NUMBERS, st.data())
def test_one_other_entry_is_another_value(value, data):
    place = tuple(data.draw(st.integers(0, side - 1)) for side in value.shape)
    other = value.copy()
    other[place] += 250
    assert not same(signature(other), signature(value))


@pytest.mark.parametrize(
    "seen, alike",
    [
        ({"A", "C"}, True),
        (["C", "A", "C"], True),
        (("A", "C"), True),
        (np.array(["A", "C"]), True),
        ({"A"}, False),
        (set(), False),
        ({"A", 1}, False),
        ("AC", False),
        (np.array([1.0, 2.0]), False),
    ],
)
def test_a_set_of_texts_is_the_same_in_any_order_and_container(seen, alike):
    assert same(signature(seen), signature({"C", "A"})) is alike


@pytest.mark.parametrize("more", ["", "[ramp.shipped]\n"])
def test_build_refuses_a_sentence_without_a_formula(sentences, monkeypatch, tmp_path, more):
    sentences(zeros="z")
    monkeypatch.setattr(Course, "expected_of", lambda *_: tmp_path / "expected.json")
    (tmp_path / "words.en.toml").write_text(
        '[ramp]\nzeros = "z"\n[ramp.findings]\nodd = "o"\n[ramp.shipped]\nzeros = "s"'
    )
    check_words(project.current(), LAB, {"ramp": {"zeros": np.zeros}})
    (tmp_path / "words.en.toml").write_text(f'[ramp]\nzeros = "z"\n{more}lost = "l"')
    with pytest.raises(UserError, match=r"words\.en\.toml: \[ramp\] has a sentence for 'lost', but no formula"):
        check_words(project.current(), LAB, {"ramp": {"zeros": np.zeros}})
