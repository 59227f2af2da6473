"""Read and assemble mutated notebooks: `python grader/tests/labkit/fuzz.py [COUNT]` runs 10,000; the test suite runs a few hundred.

Each notebook must give either a Notebook that assembles or a Refusal, never an exception, within 2 seconds of CPU time and 1 GiB of memory.
"""

from __future__ import annotations

import copy
import json
import random
import resource
import sys
import time

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labkit.grade.intake.notebooks import Notebook, Refusal, parse_notebook
from labkit.grade.judge.assemble import assemble
from labkit.student.model import course, project

SECONDS, MEMORY = 2.0, 2**30
ODD = ["", "\ud800", "\u202e", "\x00", "\x1b[2J", "../../x", "NBVAL_SKIP", "# NBVAL_IGNORE_OUTPUT", "def by_hand(): pass", "%%bash\nls", "!ls", "'" * 3,
       "(" * 500, "-" * 5_000 + "1", "f" + "(f" * 300, "x = " + "[" * 120 + "]" * 120, "0" * 5_000, "lambda: " * 200, "a.b" * 9_999, None, True, 0, -1, 2**70, 1e308,
       [], {}, [[]], [{}], {"": None}]  # fmt: skip


def mutate(data: bytes, seed: int) -> bytes:
    """Replace some values, cells or bytes of a notebook."""
    rng = random.Random(seed)
    if rng.random() < 0.25:
        return mutate_bytes(bytearray(data), rng)
    notebook = json.loads(data)
    for _ in range(rng.randint(1, 6)):
        _mutate_value(notebook, rng)
    return json.dumps(notebook, allow_nan=True).encode("utf-8", "replace")


def _mutate_value(notebook: object, rng: random.Random) -> None:
    node, parent, key = notebook, None, None
    while isinstance(node, (dict, list)) and node and (parent is None or rng.random() < 0.8):
        parent, key = node, rng.choice(list(node) if isinstance(node, dict) else range(len(node)))
        node = node[key]
    if parent is None:
        return
    match rng.randrange(6):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, list):
            parent.insert(rng.randrange(len(parent) + 1), copy.deepcopy(rng.choice(parent)))
        case 2 if isinstance(parent, list):
            rng.shuffle(parent)
        case 3 if isinstance(node, str):
            at = rng.randrange(len(node) + 1)
            parent[key] = node[:at] + str(rng.choice(ODD)) + node[at + rng.randrange(20) :]
        case 4 if isinstance(parent, dict):
            parent[str(rng.choice(ODD))] = parent.pop(key)
        case _:
            parent[key] = copy.deepcopy(rng.choice(ODD))


def mutate_bytes(data: bytearray, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 20)):
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                del data[at : at + rng.randrange(200)]
            case 2:
                data[at:at] = data[at : at + rng.randrange(2_000)]
            case 3:
                data[at:at] = rng.choice(
                    [
                        b"[" * 100_000,
                        b'{"a":' * 50_000,
                        b"\xff\xfe",
                        b"\xed\xa0\x80",
                        b"1" * 10_000,
                        b"\\ud800",
                        b"NaN",
                        b"-Infinity",
                    ]
                )
        if not data:
            break
    return bytes(data)


def try_one(data: bytes) -> float:
    """Read and assemble a notebook. Returns the CPU seconds used, and raises any error."""
    started = time.process_time()
    found = parse_notebook(project.current(), data, course.current().names[0])
    if isinstance(found, Notebook):
        json.dumps(assemble(project.current(), found).cells).encode()
    else:
        assert isinstance(found, Refusal) and found.reason and "\n" not in found.reason
    return time.process_time() - started


def fuzz(count: int, derandomize: bool = False) -> tuple[float, dict[str, int]]:
    """Run `count` mutations. Returns the longest time, and how many were read or refused."""
    labs = [path.read_bytes() for path in sorted(project.current().labs.glob("*.ipynb"))]
    longest, kinds = 0.0, {}

    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=derandomize,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, len(labs) - 1), st.integers(0, 2**64))
    def one(lab: int, seed: int) -> None:
        nonlocal longest
        data = mutate(labs[lab], seed)
        longest = max(longest, try_one(data))
        kind = type(parse_notebook(project.current(), data)).__name__
        kinds[kind] = kinds.get(kind, 0) + 1

    one()
    assert longest < SECONDS, f"one input took {longest:.1f} seconds"
    return longest, kinds


if __name__ == "__main__":
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY + 2**29, MEMORY + 2**29))  # 2**29 for the memory that imports map
    longest, kinds = fuzz(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{sum(kinds.values()):,} notebooks, {kinds}; longest {longest:.2f} s; memory grew by {grown:.0f} MiB")
