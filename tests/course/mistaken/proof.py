"""Lab 03, rotation proof: right and wrong answers to `proof`."""

import numpy as np
import sympy
from sympy import Matrix, Rational, cos, expand_trig, eye, sin

from mistaken import Sample, Samples

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


for style, mistakes, step, make in (
    ("the pair at p only", (), 1, lambda p, k, j, w, s: Matrix([sin(p * w), cos(p * w)])),
    ("cosine first", (), 1, lambda p, k, j, w, s: Matrix([s[0][1], s[0][0]])),
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
    ("numbers instead of symbols", (), 3, lambda p, k, j, w, s: rotation(3 * Rational(1, 10))),
    ("a true statement in words", (), 6, lambda p, k, j, w, s: "the transpose"),
):
    ANSWERS.append(Sample("proof", style, changed(step, make), mistakes or ("unknown",)))


@ANSWERS.sample("proof", "unknown")
def only_three_steps(p, k, j, omega):
    return steps(p, k, j, omega)[:3]
