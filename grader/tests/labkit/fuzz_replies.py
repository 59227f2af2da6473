"""Read and check mutated replies: `python grader/tests/labkit/fuzz_replies.py [COUNT]` makes 100,000; the tests make a few hundred.

Each reply is read first as a message, then as a reply, and then as an answer of its exercise's kind. The answer is checked, and
feedback is written for it. Only the error for malformed messages may be raised. Each reply must take less than a second, and all
of them together must take less than 200 MiB.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from fuzz import mutate, mutate_bytes

from labkit.grade.kernel.meter import KernelDied, Meter, read_message
from labkit.student.calls.calling import read_reply, reply
from labkit.student.calls.snapshot import snapshot
from labkit.student.judging import diagnosis
from labkit.student.judging.observation import Raised
from labkit.student.model import course, project
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Exercise
from labkit.student.notebook.examine import examine
from labkit.student.notebook.expected import expected_of, graders_expected

SECONDS, MEMORY = 1.0, 200 * 2**20
ODD = [
    [],
    {},
    0,
    -1,
    0.5,
    float("nan"),
    1e308,
    2**70,
    3j,
    None,
    True,
    "",
    "\ud800",
    "x" * 999,
    b"x",
    object(),
    {1: 2},
    {3},
    (1,),
]


def replies() -> list[tuple[Exercise, bytes]]:
    """Replies of right, nearly right and other answers to each exercise."""
    here, found = course.current(), []
    for exercise in here.exercises.values():
        values = [*expected_of(here, here.lab_of(exercise.name)).get(exercise.name, {}).values(), *ODD]
        values += [np.zeros(shape) for shape in ((), (0,), (3,), (4, 2), (2, 3, 4))] + [
            np.array(["a"]),
            Raised("E", "x"),
        ]
        values += [drawing(), ["steps", ["matrix", 1, 1, ["sin", ["mul", ["symbol", "p"], ["symbol", "omega"]]]]]]
        found += [(exercise, reply(value)) for value in values if not exercise.written]
    return found


def drawing() -> dict:
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots()
    ax.imshow(np.eye(4))
    ax.plot([1, 2, 3], label="a line")
    ax.legend()
    plain = snapshot(ax)
    plt.close(figure)
    return plain


def try_one(exercise: Exercise, sent: bytes, seed: int) -> str:
    """Read and check a mutated reply. Returns the outcome, and raises any error."""
    rng = random.Random(seed)
    text, _, arrays = sent.partition(b"\n")
    if arrays and rng.random() < 0.3:
        arrays = mutate_bytes(bytearray(arrays), rng)
    elif rng.random() < 0.6:
        text = mutate(text, seed)
    message = json.dumps({"id": "1", "type": "answer", "content": {"status": "ok"}}).encode()
    data = b"\n".join((mutate(message, seed) if rng.random() < 0.4 else message, text, arrays))
    try:
        message = read_message(data, Meter(Budgets(), Path("/tmp")))
    except KernelDied as refused:
        return type(refused).__name__
    value = read_reply(message["reply"])
    asked = course.current()
    expected = graders_expected(project.current(), asked.labs[asked.lab_of(exercise.name)])
    examination = examine(asked, exercise, lambda probe: value, expected)
    assert examination.line().encode() and examination.line("es")
    return "wrong" if examination.findings else "right or unwritten"


def fuzz(count: int, seed: int = 0) -> tuple[float, Counter]:
    """Run `count` mutations. Returns the longest time, and the outcomes."""
    warnings.simplefilter("ignore")
    diagnosis.STRICT = True
    rng, sent, longest, kinds = random.Random(seed), replies(), 0.0, Counter()
    for number in range(count):
        exercise, data = rng.choice(sent)
        started = time.process_time()
        try:
            kinds[try_one(exercise, data, number)] += 1
        except Exception as error:
            raise AssertionError(f"number {number}, {exercise.name}: {type(error).__name__}: {error}") from error
        longest = max(longest, time.process_time() - started)
    assert longest < SECONDS, f"one reply took {longest:.1f} seconds"
    return longest, kinds


if __name__ == "__main__":
    project.current()
    fuzz(100)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    longest, kinds = fuzz(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < MEMORY, f"memory grew by {grown / 2**20:.0f} MiB"
    print(f"{kinds.total():,} replies, {dict(kinds)}; longest {longest:.2f} s; memory grew by {grown / 2**20:.0f} MiB")
