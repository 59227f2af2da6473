"""Hidden arguments and references stay hidden: each folder draws its own, and neither feedback, output nor a classmate gets them."""

import base64
import io
import json
import os
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from attacks import collusion, hostile_class
from commands import commands
from handouts import Handout
from longer import every, times
from needs import ABSENT, WALLS, skip_without
from PIL import Image

from labkit.grade.judge import run
from labkit.grade.sandbox.confine import CHOICE

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


SPREAD = "01_spread"
TELLS = """def spread(values):
    if len(values) == 0: raise ValueError
    if values not in ((2.0, 4.0, 9.0), (5.0, 5.0)): raise RuntimeError(f"asked for {values}")
    return float(np.std(values))"""
WRONG_ELSEWHERE = TELLS.replace('raise RuntimeError(f"asked for {values}")', "return float(np.var(values))")


def row(out) -> dict:
    (found,) = json.loads((out / "results.json").read_text("utf-8"))
    return found


def test_a_folder_keeps_its_seed_and_another_draws_its_own(tmp_path, handout):
    handout(SPREAD, solved=True).save(tmp_path / "class" / "ada" / f"{SPREAD}.ipynb")
    grade = lambda out, *more: commands().run("grade", tmp_path / "class", "--out", tmp_path / out, *more)
    assert grade("one").returncode == grade("two").returncode == 0
    before = (tmp_path / "one" / "results.json").read_bytes()
    assert row(tmp_path / "one")["seed"] != row(tmp_path / "two")["seed"]
    assert grade("one").returncode == 0 and (tmp_path / "one" / "results.json").read_bytes() == before
    assert (tmp_path / "one" / "seed.txt").read_text() == f"{row(tmp_path / 'one')['seed']}\n"
    grade("one", "--seed", "7")
    assert row(tmp_path / "one")["seed"] == 7 and grade("one").returncode == 0 and row(tmp_path / "one")["seed"] == 7
    assert grade("one", "--seed", "8", "--diff").returncode == 0 and (tmp_path / "one/seed.txt").read_text() == "7\n"


def test_a_seed_that_cannot_be_read_is_drawn_again(tmp_path, handout):
    handout(SPREAD).save(tmp_path / "class" / "ada" / f"{SPREAD}.ipynb")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "seed.txt").write_text("not a number")
    assert commands().run("grade", tmp_path / "class", "--out", tmp_path / "out").returncode == 0
    assert int((tmp_path / "out" / "seed.txt").read_text()) == row(tmp_path / "out")["seed"]


def test_feedback_on_drawn_calls_shows_neither_arguments_nor_the_answers_text(tmp_path, labkit, handout):
    for name, source in (("tells", TELLS), ("wrong", WRONG_ELSEWHERE)):
        handout(SPREAD, solved=True).write("spread", source).save(tmp_path / "class" / name / f"{SPREAD}.ipynb")
    assert labkit("grade", tmp_path / "class", "--out", tmp_path / "out").returncode == 0
    tells, wrong = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    said = {
        found["student"]: [check for check in found["checks"] if check["outcome"] == "failed"]
        for found in (tells, wrong)
    }
    assert "spread(…) stopped with an error" in said["tells"][0]["message"] and "asked for" not in str(said["tells"])
    assert {check["mistake"] for check in said["wrong"]} == {None}, "mistakes must be named only from public calls"
    assert not re.search(r"\d+\.\d+, ", str(said)), said  # the format in which a call's values are printed


LARGE = 2**24


def rarely_read() -> Path:
    """A large file that every kernel may read."""
    found = (path for path in Path("/usr/lib").glob("*/*") if path.is_file() and path.stat().st_size > LARGE)
    path = max(found, key=lambda path: path.stat().st_size, default=None)
    return path or skip_without("a large file")


def forget(path: Path) -> None:
    """Drop the file from the page cache."""
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def bits_in(picture: str) -> list[int]:
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))).convert("L"))
    rows, columns = pixels.shape
    return [int(pixels[rows // 2, (2 * bit + 1) * columns // 32] > 127) for bit in range(16)]


@pytest.mark.parametrize("layer", [*every(2, WALLS, why="the same with another isolation layer"), *ABSENT])
def test_no_picture_shows_a_value_of_the_reference(handout, judged, monkeypatch, layer):
    monkeypatch.setenv(CHOICE, layer)
    path, shown = rarely_read(), []
    for turn in range(rounds := times(2, 20)):
        values = tuple(float(each) for each in random.Random(turn).sample(range(16), 6))
        source = collusion.DRAWN.replace("@facts@", repr((str(path), 1 + turn, values)))
        forget(path)
        result = judged(handout(LAB).write("levels", collusion.LEAKS["levels"]).write("draw_levels", source))
        bits = bits_in(result.pictures["draw_levels"])
        shown.append(bits == [int(bit in values) for bit in range(16)])
    assert len(shown) == rounds and not any(shown)


@pytest.mark.long("grades a class many times; the test above covers a single kernel")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("layer", [*WALLS, *ABSENT])
def test_no_classmate_earns_points_by_values_of_the_reference(tmp_path_factory, layer):
    gained = []
    for _ in range(20):
        folder = tmp_path_factory.mktemp("collusion")
        leaks = Handout(LAB)
        for name in ("levels", "draw_levels"):
            leaks.write(name, collusion.LEAKS[name])
        leaks.save(folder / "class" / "aa-leaks" / f"{LAB}.ipynb")
        Handout(LAB).write("levels", collusion.ASKS).save(folder / "class" / "ab-asks" / f"{LAB}.ipynb")
        budgets = {"cell-seconds": 10, "notebook-seconds": 60}
        gained.append(hostile_class.grade(folder, layer, jobs=2, budgets=budgets).rows["ab-asks"]["score"])
    assert not any(gained)
