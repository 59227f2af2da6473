"""Test how lab 03 checks a proof: steps count if they are true, SymPy confirms it, and nested powers take no extra time."""

import time

import pytest
import sympy
from sympy import Matrix, cos, eye, sin

from autograder.rotation_proof.samples.proof import ANSWERS
from autograder.rotation_proof.samples.proof import steps as right_steps
from encoding_labs import COURSE
from encoding_labs.rotation_proof.formulas import MAX_DEPTH, from_tree, to_tree
from encoding_labs.rotation_proof.identities import NoValue, Unknowns, near
from encoding_labs.rotation_proof.proof_steps import STEPS, check_step
from labkit.student.calls.calling import call_answer
from labkit.student.notebook.examine import examine

p, k, j, omega = sympy.symbols("p a b omega", real=True)

SYMBOLS = frozenset({"p", "a", "b", "omega"})


def tree_of(formula):
    return from_tree(to_tree(formula, SYMBOLS), SYMBOLS)


def equal(one, other) -> bool:
    unknowns = Unknowns("a seed")
    return near(unknowns.value(tree_of(one)), unknowns.value(tree_of(other)))


@pytest.mark.parametrize(
    "one, other",
    [
        (sin((p + k) * omega), sin(p * omega) * cos(k * omega) + cos(p * omega) * sin(k * omega)),
        (cos(p * omega - k * omega), cos(p * omega) * cos(k * omega) + sin(p * omega) * sin(k * omega)),
        (cos(2 * k * omega), 1 - 2 * sin(k * omega) ** 2),
        (sin(3 * j * omega), 3 * sin(j * omega) - 4 * sin(j * omega) ** 3),
        (1 / cos(k * omega) - cos(k * omega), sin(k * omega) ** 2 / cos(k * omega)),
        ((p + k) ** 2, p**2 + 2 * p * k + k**2),
        (sympy.Rational(1, 3) * p, p / 3),
        (sympy.tan(k * omega) * cos(k * omega), sin(k * omega)),
        (sympy.exp(sympy.I * (p + k) * omega), cos((p + k) * omega) + sympy.I * sin((p + k) * omega)),
        (sin(omega * (p + k + j)), sympy.expand_trig(sin(omega * p + omega * k + omega * j))),
    ],
)
def test_equal_formulas_are_equal(one, other):
    assert equal(one, other)


@pytest.mark.parametrize(
    "one, other",
    [
        (sin((p + k) * omega), sin(p * omega) + sin(k * omega)),
        (sin(p * omega), sin(k * omega)),
        (sin(p * omega), p * omega),
        (cos(k * omega), cos(k * omega) * (1 + sympy.Rational(1, 999999))),
        (p, omega),
    ],
)
def test_formulas_that_nearly_agree_differ(one, other):
    assert not equal(one, other)


@pytest.mark.parametrize(
    "angle", [p, omega, p * omega / 2, p * omega + 1, p * k * omega, 9 * p * omega, sin(p * omega), p * omega**2]
)
def test_the_sine_of_something_else_has_no_value(angle):
    with pytest.raises(NoValue):
        Unknowns("a seed").value(tree_of(sin(angle)))


@pytest.mark.parametrize("exponent", [p * omega, sympy.I * p, sympy.I * p * omega + k, sympy.I * p * omega / k])
def test_an_exponential_of_something_else_has_no_value(exponent):
    with pytest.raises(NoValue):
        Unknowns("a seed").value(tree_of(sympy.exp(exponent)))


def test_a_division_by_zero_has_no_value():
    zero = ["add", ["symbol", "p"], ["mul", ["integer", -1], ["symbol", "p"]]]
    with pytest.raises(NoValue):
        Unknowns("a seed").value(from_tree(["pow", zero, -1], SYMBOLS))


def towers() -> list:
    """Formula trees within all size limits that would take very long to expand or to evaluate exactly."""
    sums = ["add", *(["symbol", name] for name in ("p", "a", "b", "omega"))]
    power = ["integer", 999_999]
    for _ in range(MAX_DEPTH - 3):
        power = ["pow", power, 8]
    product = ["mul", *[["pow", sums, 8]] * 300]
    waves = ["mul", *[["sin", ["mul", ["symbol", "omega"], ["add", ["symbol", "p"], ["symbol", "a"]]]]] * 330]
    return [power, product, waves, ["sin", product]]


@pytest.mark.parametrize("tree", towers())
def test_towers_cost_no_more_than_their_size(tree):
    proof = from_tree(["steps", ["matrix", 2, 1, tree, ["integer", 1]], *[["steps"]] * 5], SYMBOLS)
    started = time.process_time()
    assert check_step(proof, 1)
    assert time.process_time() - started < 3  # a tenth of it, or without end


def power(tree: list, times: int) -> list:
    """Raise the tree to the power 2**times, using exponents of at most 8."""
    while times:
        tree, times = ["pow", tree, 2 ** min(times, 3)], times - min(times, 3)
    return tree


@pytest.mark.parametrize(
    "other",
    [
        ["mul", power(["integer", 2], 6), ["symbol", "a"]],
        ["mul", ["pow", ["pow", ["integer", 2], 8], 7], ["integer", 32], ["symbol", "a"]],  # a, modulo 2**61 - 1
        power(["symbol", "a"], 61),  # a**2, modulo 2**61 - 1
    ],
)
def test_a_power_never_matches_another_formula(other):
    unknowns, symbol = Unknowns("a seed"), from_tree(["symbol", "a"], SYMBOLS)
    squared = from_tree(["pow", ["symbol", "a"], 2], SYMBOLS)
    value = unknowns.value(from_tree(other, SYMBOLS))
    assert not near(value, unknowns.value(symbol)) and not near(value, unknowns.value(squared))


def test_turns_beyond_all_bounds_are_no_turns():
    turned = [
        "add",
        ["mul", power(["integer", 2], 61), ["symbol", "p"], ["symbol", "omega"]],
        ["mul", ["symbol", "a"], ["symbol", "omega"]],
    ]
    with pytest.raises(NoValue):
        Unknowns("a seed").value(from_tree(["sin", turned], SYMBOLS))


@pytest.mark.parametrize(
    ("steps", "right"),
    [
        ((0, 1, 2, None, None, None), (1, 2, 3)),
        ((0, 1, 2), (1, 2, 3)),
        ((0, 1, 2, 3, 4, 2), (1, 2, 3, 4, 5)),
        ((1, 1, 2, 3, 4, 5), (2, 3, 4, 5, 6)),
        ((0, 0, 2, 3, 4, 5), (1, 3, 4, 5, 6)),
    ],
)
def test_right_steps_count_regardless_of_the_others(steps, right):
    whole = right_steps(p, k, j, omega)
    proof = tree_of([None if each is None else whole[each] for each in steps])
    assert tuple(step for step in STEPS if check_step(proof, step) is None) == right


def test_steps_that_follow_from_a_mistake_count():
    whole = right_steps(p, k, j, omega)
    turned = tree_of([*whole[:2], *(matrix.T for matrix in whole[2:])])
    upside_down = tree_of([*(sympy.Matrix(column[::-1]) for column in whole[:2]), *(matrix.T for matrix in whole[2:])])
    for proof, wrong in ((turned, [3]), (upside_down, [1])):
        assert [step for step in STEPS if check_step(proof, step)] == wrong


@pytest.mark.parametrize(
    ("step", "made", "id"),
    [
        (6, lambda right: right[5].subs(k, 1 / k), "angle"),
        (6, lambda right: None, "other"),
        (4, lambda right: sympy.Matrix(1, 1, [right[3]]), "other"),
        (1, lambda right: sympy.Matrix([sympy.Symbol("theta"), 0]), "other"),
        (2, lambda right: sympy.eye(3), "matrix"),
    ],
)
def test_feedback_on_a_step_is_true(step, made, id):
    whole = right_steps(p, k, j, omega)
    whole[step - 1] = made(whole)
    assert check_step(tree_of(whole), step).id == id


def vanishes(difference: Matrix) -> bool:
    """Whether every entry is zero for all p, k, j and omega, according to SymPy's trigonometric identities."""
    in_waves = (sympy.expand(sympy.expand(entry).rewrite(cos)) for entry in difference)
    return all(sympy.simplify(sympy.expand_trig(entry)) == 0 for entry in in_waves)


def every_step_follows(steps: list) -> bool:
    first, expanded, shift, product, together, inverse = (Matrix(step) for step in steps)
    pair = Matrix([sin(p * omega), cos(p * omega)])
    later = Matrix([sin((p + k + j) * omega), cos((p + k + j) * omega)])
    return all(
        map(
            vanishes,
            (
                first - Matrix([sin((p + k) * omega), cos((p + k) * omega)]),
                expanded - first,
                shift * pair - expanded,
                product * pair - later,
                together - product,
                inverse * shift - eye(2),
            ),
        )
    )


@pytest.mark.parametrize("sample", ANSWERS, ids=lambda sample: sample.style)
def test_sympy_and_the_judge_agree(sample):
    exercise = COURSE.exercises["proof"]
    found = examine(
        COURSE, exercise, lambda probe: call_answer({"proof": sample.answer}, "proof", "formula", probe.inputs())
    ).findings
    assert bool(found) == bool(sample.mistakes)
    if not sample.mistakes:
        assert every_step_follows(sample.answer(p, k, j, omega))


def test_sympy_sees_a_lost_sign_too():
    right = next(sample for sample in ANSWERS if not sample.mistakes).answer(p, k, j, omega)
    assert every_step_follows(right)
    assert not every_step_follows(
        [right[0], right[1].applyfunc(lambda entry: entry.subs(sin(k * omega), -sin(k * omega))), *right[2:]]
    )
