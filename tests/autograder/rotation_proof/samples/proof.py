"""Lab 03, rotation proof: right and wrong answers to `proof`."""

import math

import numpy as np
import sympy
from sympy import I, ImmutableMatrix, Matrix, Rational, cos, exp, expand_trig, eye, sin, tan

from autograder.samples import Sample, Samples

ANSWERS = Samples()


def rotation(angle):
    return Matrix([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])


def steps(p, k, j, omega):
    """The six steps, for the samples to change one of them."""
    u, v = p * omega, k * omega
    return [
        Matrix([sin((p + k) * omega), cos((p + k) * omega)]),
        Matrix([sin(u) * cos(v) + cos(u) * sin(v), cos(u) * cos(v) - sin(u) * sin(v)]),
        rotation(v),
        rotation(j * omega) * rotation(v),
        rotation((j + k) * omega),
        rotation(-v),
    ]


def changed(step, make):
    """A proof with one step replaced by what `make` gives for the symbols and the right steps."""

    def proof(p, k, j, omega):
        right = steps(p, k, j, omega)
        right[step - 1] = make(p, k, j, omega, right)
        return right

    return proof


ANSWERS.append(Sample("proof", "matrices throughout", steps))


@ANSWERS.sample("proof")
def lists_instead_of_matrices(p, k, j, omega):
    return tuple(step.tolist() if step.cols == 2 else list(step) for step in steps(p, k, j, omega))


@ANSWERS.sample("proof")
def arrays_of_numpy(p, k, j, omega):
    return [np.array(step.tolist(), dtype=object) for step in steps(p, k, j, omega)]


@ANSWERS.sample("proof")
def expanded_by_sympy(p, k, j, omega):
    first = Matrix([sin(p * omega + k * omega), cos(omega * k + omega * p)])
    right = steps(p, k, j, omega)
    composed = rotation(omega * j + omega * k)
    return [first, first.applyfunc(expand_trig), right[2], composed.applyfunc(expand_trig), composed, right[2].T]


@ANSWERS.sample("proof")
def the_inverse_by_sympy(p, k, j, omega):
    right = steps(p, k, j, omega)
    return [*right[:5], right[2].inv()]


@ANSWERS.sample("proof")
def a_factored_writing(p, k, j, omega):
    right = steps(p, k, j, omega)
    one = sin(k * omega) ** 2 + cos(k * omega) ** 2
    half = Rational(1, 2)
    right[1] = Matrix([half * (2 * right[1][0]), one * right[1][1]])
    right[5] = 2 * cos(k * omega) * eye(2) - right[2]
    return right


for style, step, make in (
    ("a tangent in the second step", 2, lambda p, k, j, w, s: cos(p * w) * cos(k * w) * with_tangents(p, k, w)),
    (
        "exponentials in the second step",
        2,
        lambda p, k, j, w, s: Matrix(
            [
                (exp(I * p * w) * exp(I * k * w) - exp(-I * p * w) * exp(-I * k * w)) / (2 * I),
                (exp(I * p * w) * exp(I * k * w) + exp(-I * p * w) * exp(-I * k * w)) / 2,
            ]
        ),
    ),
    (
        "exponentials in the first step",
        1,
        lambda p, k, j, w, s: Matrix(
            [(exp(I * (p + k) * w) - exp(-I * (p + k) * w)) / (2 * I), exp(I * (p + k) * w) - I * sin((p + k) * w)]
        ),
    ),
    ("the inverse as the transpose", 6, lambda p, k, j, w, s: s[2].T),
    ("the inverse by the adjugate", 6, lambda p, k, j, w, s: s[2].adjugate()),
    ("an immutable matrix", 3, lambda p, k, j, w, s: ImmutableMatrix(s[2])),
):
    ANSWERS.append(Sample("proof", style, changed(step, make)))


def with_tangents(p, k, w):
    return Matrix([tan(p * w) + tan(k * w), 1 - tan(p * w) * tan(k * w)])


for style, mistakes, step, make in (
    ("the pair at p only", (), 1, lambda p, k, j, w, s: Matrix([sin(p * w), cos(p * w)])),
    ("cosine first", ("swapped-sin-cos",), 1, lambda p, k, j, w, s: Matrix([s[0][1], s[0][0]])),
    ("the first step skipped", (), 1, lambda p, k, j, w, s: s[1]),
    ("the second step repeats the first", (), 2, lambda p, k, j, w, s: s[0]),
    (
        "a wrong sign in the cosine's identity",
        (),
        2,
        lambda p, k, j, w, s: Matrix([s[1][0], cos((p - k) * w).expand(trig=True)]),
    ),
    ("only the sine row", (), 2, lambda p, k, j, w, s: Matrix([s[1][0]])),
    ("the matrix transposed", ("rotation-transposed",), 3, lambda p, k, j, w, s: s[2].T),
    ("a matrix that knows p", ("uses-position",), 3, lambda p, k, j, w, s: rotation(p * w)),
    ("nearly the right matrix", (), 3, lambda p, k, j, w, s: s[2] * Rational(999999, 1000000)),
    ("the composition left as it was", (), 4, lambda p, k, j, w, s: s[4]),
    ("a sum of matrices instead of a product", (), 4, lambda p, k, j, w, s: rotation(j * w) + rotation(k * w)),
    ("the composition not put together", (), 5, lambda p, k, j, w, s: s[3]),
    ("the difference of the offsets", (), 5, lambda p, k, j, w, s: rotation((j - k) * w)),
    ("the inverse is the matrix itself", (), 6, lambda p, k, j, w, s: s[2]),
    ("another symbol", (), 3, lambda p, k, j, w, s: rotation(sympy.Symbol("theta"))),
    ("another function", (), 1, lambda p, k, j, w, s: Matrix([sympy.tan((p + k) * w), s[0][1]])),
    ("a function that is not carried", (), 1, lambda p, k, j, w, s: Matrix([sympy.besselj(0, (p + k) * w), s[0][1]])),
    ("a frequency divided by the offset", (), 6, lambda p, k, j, w, s: rotation(w / k)),
    ("a decimal number", (), 6, lambda p, k, j, w, s: rotation(-1.0 * k * w)),
    ("a step left None", (), 4, lambda p, k, j, w, s: None),
    ("a matrix in a matrix", (), 3, lambda p, k, j, w, s: Matrix(1, 1, [s[2]])),
    ("a row instead of a column", (), 1, lambda p, k, j, w, s: s[0].T),
    ("an inverse that divides by zero", (), 6, lambda p, k, j, w, s: s[2] / (k - k + sympy.Mul(0, 1, evaluate=False))),
    ("numbers instead of symbols", (), 3, lambda p, k, j, w, s: rotation(3 * Rational(1, 10))),
    ("a true statement in words", (), 6, lambda p, k, j, w, s: "the transpose"),
):
    ANSWERS.append(Sample("proof", style, changed(step, make), mistakes or ("unknown",)))


@ANSWERS.sample("proof", "swapped-sin-cos")
def upside_down_throughout(p, k, j, omega):
    right = steps(p, k, j, omega)
    return [Matrix(column[::-1]) for column in right[:2]] + [matrix.T for matrix in right[2:]]


@ANSWERS.sample("proof", "rotation-transposed")
def turned_the_other_way_from_the_third_step_on(p, k, j, omega):
    right = steps(p, k, j, omega)
    return right[:2] + [matrix.T for matrix in right[2:]]


@ANSWERS.sample("proof", "numbers-for-symbols")
def sine_and_cosine_of_numpy(p, k, j, omega):
    return [np.array([np.sin((p + k) * omega), np.cos((p + k) * omega)])]


@ANSWERS.sample("proof", "numbers-for-symbols")
def sine_of_math(p, k, j, omega):
    return [Matrix([math.sin((p + k) * omega), 0])]


@ANSWERS.sample("proof", "unknown")
def nothing_after_the_third_step(p, k, j, omega):
    return [*steps(p, k, j, omega)[:3], None, None, None]


@ANSWERS.sample("proof", "unknown")
def seven_steps(p, k, j, omega):
    return [*steps(p, k, j, omega), eye(2)]


@ANSWERS.sample("proof", "unknown")
def nothing_returned(p, k, j, omega):
    steps(p, k, j, omega)


@ANSWERS.sample("proof", "unknown")
def one_matrix(p, k, j, omega):
    return rotation(k * omega)


@ANSWERS.sample("proof", "unknown")
def a_dictionary_of_steps(p, k, j, omega):
    return dict(enumerate(steps(p, k, j, omega), start=1))


@ANSWERS.sample("proof", "unknown")
def only_three_steps(p, k, j, omega):
    return steps(p, k, j, omega)[:3]
