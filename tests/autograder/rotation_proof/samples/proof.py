"""Lab 03, rotation proof: right and wrong answers to `proof`."""

import math

import numpy as np
import sympy
from sympy import I, ImmutableMatrix, Matrix, Rational, cos, exp, eye, sin, tan

from autograder.samples import Sample, Samples

ANSWERS = Samples()


def rotation(angle):
    return Matrix([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])


def steps(p, k, j, omega):
    """The six steps of a correct proof. Other samples change some of them."""
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
    """Make a proof in which one step is replaced by what `make` returns, given the symbols and the six correct steps."""

    def proof(p, k, j, omega):
        right = steps(p, k, j, omega)
        right[step - 1] = make(p, k, j, omega, right)
        return right

    return proof


ANSWERS.append(Sample("proof", "matrices throughout", steps))


for style, rewritten in (
    ("lists", lambda right: tuple(step.tolist() if step.cols == 2 else list(step) for step in right)),
    ("arrays of NumPy", lambda right: [np.array(step.tolist(), dtype=object) for step in right]),
    ("the inverse by SymPy", lambda right: [*right[:5], right[2].inv()]),
    ("expanded by SymPy", lambda right: [right[0], right[0].expand(trig=True), *right[2:4], right[4], right[2].T]),
):
    ANSWERS.append(Sample("proof", style, lambda *given, rewritten=rewritten: rewritten(steps(*given))))


@ANSWERS.sample("proof")
def a_factored_writing(p, k, j, omega):
    right = steps(p, k, j, omega)
    one = sin(k * omega) ** 2 + cos(k * omega) ** 2
    right[1] = Matrix([Rational(1, 2) * (2 * right[1][0]), one * right[1][1]])
    right[5] = 2 * cos(k * omega) * eye(2) - right[2]
    return right


for style, step, make in (
    ("a tangent in the second step", 2, lambda p, k, j, w, s: cos(p * w) * cos(k * w) * with_tangents(p, k, w)),
    ("exponentials in the second step", 2, lambda p, k, j, w, s: with_exponentials(exp(I * p * w) * exp(I * k * w))),
    ("exponentials in the first step", 1, lambda p, k, j, w, s: with_exponentials(exp(I * (p + k) * w))),
    ("the inverse as the transpose", 6, lambda p, k, j, w, s: s[2].T),
    ("the inverse by the adjugate", 6, lambda p, k, j, w, s: s[2].adjugate()),
    ("an immutable matrix", 3, lambda p, k, j, w, s: ImmutableMatrix(s[2])),
):
    ANSWERS.append(Sample("proof", style, changed(step, make)))


def with_exponentials(phase):
    return Matrix([(phase - 1 / phase) / (2 * I), (phase + 1 / phase) / 2])


def with_tangents(p, k, w):
    return Matrix([tan(p * w) + tan(k * w), 1 - tan(p * w) * tan(k * w)])


for style, mistakes, step, make in (
    ("the pair at p only", (), 1, lambda p, k, j, w, s: Matrix([sin(p * w), cos(p * w)])),
    ("cosine first", ("swapped-sin-cos",), 1, lambda p, k, j, w, s: Matrix([s[0][1], s[0][0]])),
    ("the first step skipped", (), 1, lambda p, k, j, w, s: s[1]),
    ("the second step repeats the first", (), 2, lambda p, k, j, w, s: s[0]),
    ("a wrong sign in an identity", (), 2, lambda p, k, j, w, s: Matrix([s[1][0], cos((p - k) * w).expand(trig=True)])),
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


for style, mistake, rewritten in (
    ("upside down throughout", "swapped-sin-cos", lambda s: [*(Matrix(c[::-1]) for c in s[:2]), *(m.T for m in s[2:])]),
    ("turned the other way from step 3 on", "rotation-transposed", lambda s: s[:2] + [m.T for m in s[2:]]),
    ("nothing after the third step", "unknown", lambda s: [*s[:3], None, None, None]),
    ("only three steps", "unknown", lambda s: s[:3]),
    ("seven steps", "unknown", lambda s: [*s, eye(2)]),
    ("nothing returned", "unknown", lambda s: None),
    ("one matrix", "unknown", lambda s: s[2]),
    ("a dictionary of steps", "unknown", lambda s: dict(enumerate(s, start=1))),
):
    ANSWERS.append(Sample("proof", style, lambda *given, rewritten=rewritten: rewritten(steps(*given)), (mistake,)))


ANSWERS.several(
    "proof",
    "numbers-for-symbols",
    sine_and_cosine_of_numpy=lambda p, k, j, omega: [np.array([np.sin((p + k) * omega), np.cos((p + k) * omega)])],
    sine_of_math=lambda p, k, j, omega: [Matrix([math.sin((p + k) * omega), 0])],
)
