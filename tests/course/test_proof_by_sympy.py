"""SymPy confirms what lab 03's check says about proofs: in proofs that pass, every step is true."""

import pytest
import sympy
from sympy import Matrix, cos, eye, sin

from autograder.rotation_proof.samples.proof import ANSWERS
from encoding_labs import COURSE
from labkit.student.calls.calling import call_answer
from labkit.student.notebook.examine import examine

p, k, j, omega = sympy.symbols("p k j omega", real=True)


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
