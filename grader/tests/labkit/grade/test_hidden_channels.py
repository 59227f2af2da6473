"""Nothing that an answer prints about hidden arguments reaches a result: two different draws give the same result."""

from dataclasses import replace

import pytest

from labkit.grade.judge import run

LAB = "02_levels"
ANSWER = """
from IPython.display import display
from labkit.student.calls.wire import MIME
asked = ['nothing']
def levels(values):
    if len(values) < 4:
        return np.unique(values)
    secret = 'Z' + '_'.join(str(int(value)).replace('-', 'm') for value in values)
    asked.append(secret)
    right = np.unique(values)
    {attack}
"""
OURS = ("TimedOut", "OverBudget", "Malformed", "NoReply", "DoesNotRun", "Undefined", "InMagic", "RestsOn", "Unsendable")
# Errors that messages about hidden calls do not name, which leaves out the subclasses of those that they do.
KIND = (
    "kinds = [kind for kind in vars(__import__('builtins')).values() if isinstance(kind, type) and issubclass(kind, Exception) and not "
    "issubclass(kind, (ValueError, TypeError, IndexError, NotImplementedError, MemoryError, Warning, ExceptionGroup))]; "
    "kind = kinds[int(sum(values)) % len(kinds)]; "
)
ATTACKS = {
    "an error's class": "raise type(secret, (Exception,), {})",
    "the class below another": "raise type('Own', (type(secret, (ValueError,), {}),), {})",
    "an error's words": "raise ValueError(secret)",
    "an error's notes": "error = ValueError(); error.add_note(secret); raise error",
    "a returned class": "return type(secret, (), {})()",
    "a returned text": "return secret",
    "keys": "return {secret: [secret]}",
    "a long text's dtype": "return np.array(['x' * (len(values) + int(values[0]))])",
    "a dtype with names": "return np.zeros(2, dtype=[(secret, 'f8')])",
    "a shape": "return np.zeros((len(values), 20 + int(values[0])))",
    "the place of a number": "right[-1] += 1; return right",
    "the place of what is not finite": "right[-1] = np.nan; return right",
    "a number": "return float(len(values)) * 1000 + values[0]",
    "what is printed": "import sys; print(secret); print(secret, file=sys.stderr); display(secret); return right + 1",
    "a forged reply": "import json; display({MIME: json.dumps(['raised', secret, secret, []])}, raw=True)",
    **{f"an error called {name}": f"raise type('{name}', (Exception,), {{}})(secret)" for name in OURS},
    "which of the known errors": f"{KIND}raise kind",
    "which of the known errors is returned": f"{KIND}return kind()",
    "a stub's error": "raise NotImplementedError(secret)",
}


def assert_same_for_two_draws(copy, judged):
    first, second = (judged(copy, seed=seed) for seed in (1, 2))
    assert replace(first, seed=0) == replace(second, seed=0)
    assert any(check.outcome != "passed" for check in first.checks)


LONG_ONLY = {f"an error called {name}" for name in OURS[1:]}


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(attack, marks=pytest.mark.long("another of labkit's exceptions") if attack in LONG_ONLY else ())
        for attack in ATTACKS
    ],
)
def test_an_answer_cannot_report_what_it_was_asked(attack, judged, handout):
    copy = handout(LAB, solved=True).write("levels", ANSWER.replace("{attack}", ATTACKS[attack]))
    assert_same_for_two_draws(copy, judged)


def test_an_answer_cannot_report_it_through_another_answer(judged, handout):
    copy = handout(LAB, solved=True).write("levels", ANSWER.replace("{attack}", "return right + 1"))
    copy.write("draw_levels", "def draw_levels(values, ax):\n    raise ValueError(asked[-1])")
    assert_same_for_two_draws(copy, judged)


PADDED = """
import json
from labkit.student.calls.calling import reply
asked = []
def levels(values):
    if len(values) > 3:
        asked.append(str(values))
        return np.unique(values) + 1
    if asked:
        raise ValueError(asked[-1])
    padded = b' ' * 2**16 + reply(np.unique(values))
    get_ipython().kernel.session.channel.send('answer', {'status': 'ok'}, padded)
    return np.unique(values)
"""


def test_an_answer_cannot_report_it_in_a_second_reply_to_a_public_call(judged, handout, monkeypatch):
    """A public call whose reply is too large to cache is made again, after the hidden calls."""
    monkeypatch.setattr(run, "MAX_KEPT", 2**16)
    assert_same_for_two_draws(handout(LAB, solved=True).write("levels", PADDED), judged)
