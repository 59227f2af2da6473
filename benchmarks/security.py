"""Make docs/security.md: `python -m benchmarks.security`. Every attempt and every hostile submission, in every layer there is.

The tables are measured; the words around them are in this file.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from labkit import project
from labkit.budgets import all_budgets, option
from labkit.calls import axes, formulas, wire
from labkit.grading import answers, recorder
from labkit.intake import notebooks
from labkit.judging import short_answers
from labkit.kernel import messages, meter
from labkit.sandbox import landlock
from labkit.sandbox.confine import CHOICE, LAYERS, available_layers

sys.path.insert(0, str(project.current().root / "tests"))
sys.path.insert(0, str(project.current().root / "tests" / "labkit"))
import attacks
import hostile_class
import tiny_course

TEXT = """\
# What holds a submission in

`python -m benchmarks.security` made this page, on {machine}. It runs hostile code for real; the tests do the same.

## The protocol comes first

The process that runs a submission never gets an expected value, the reference's code or an assertion. Inputs go in, plain
data come out, and another process compares them. So a submission that patches NumPy, prints "all passed" or overwrites the
kernel's own code changes only what it sends, and what it sends is judged as an answer. What keeps the answers themselves out of
reach is the layer.

## Layers

`labkit doctor` names the layer in force and tries it out. The best one that works is taken.

| layer | what holds | needs |
|---|---|---|
| bubblewrap | namespaces: no network, no other process, a file system with nothing but system, interpreter, labkit and the workdir; and all of the next row | Linux, the program `bwrap`, and for ordinary users user namespaces |
| landlock | Landlock: only the workdir is written, only system, interpreter and labkit are read. seccomp: no process, no socket but the kernel's own, no signal to another, no tracing, no mounting, no hold on files of others, no call newer than the filter | Linux 5.13 or newer on x86-64 or ARM; no privileges |
| limits | POSIX limits, a workdir and an environment of its own, an ordinary user in place of the superuser | any Unix |

The weakest layer stops accidents, not attacks: there a submission can read the solutions and hand them in. `labkit grade` then wants `--allow-unsandboxed`, except for `examples/class`.
`LABKIT_LAYER=landlock` or `limits` asks for a weaker layer than the best.

## Attempts from inside a kernel

The targets are set up so that only the layer protects them: the file outside may be written by everybody, and the other
processes belong to the kernel's own user. A number says how many attempts succeeded.

{attempts}

{successes}

## Submissions that try to earn points or to stop the class

Each is a lab of the tests' tiny course with hostile code in the cell of one exercise and nothing else done; {honest} honest ones are
graded in the same run.
Points gained, and the row's status:

{submissions}

{honest_points}

## Budgets

A submission that uses one up is stopped there, its row says which, and exercises that do without the culprit are still judged.

| budget | default | option | held by |
|---|---|---|---|
{budgets}

## Bounds

What a submission sends is read, compared and reported by the grader, outside of the layer. There no comparison costs more than in
proportion to what is sent, but for sorting; a difference between outputs is not explained; and what is sent is bounded:

| what | most | what is more |
|---|---|---|
{bounds}

A worker that uses more processor time for a submission than `--judging-seconds` is ended, and the row says that judging it took too
long; an answer that takes more memory than `--judging-mib` is judged as none. Nobody else's row waits for either.

`python tests/labkit/fuzz_replies.py` mutates 100,000 replies and has each read, judged and named: none may raise, take a second or
200 MiB. On Linux 6.18 and Python 3.11 the longest took 0.06 s, and memory grew by 49 MiB. `python tests/labkit/fuzz.py` does so with
10,000 notebooks. The tests run both for some seconds.

## What is not held

- Landlock does not hide that a file exists: `os.stat` answers for any path. In bubblewrap the path is not there.
- Files that the system shows to everybody in `/usr` can be read, and the sources of labkit, which hold no answers.
- A superuser whose Python is in a folder closed to others (`/root`) leaves kernels the right to read past file modes. Landlock
  says what may be read; in the layer `limits` nothing does. There, use a Python that everybody can read, or be an ordinary user.
- Memory is bounded for each kernel, not for all together: keep `--jobs` times 4 GiB in mind, or lower `--memory-mib`.
- Faults of the Linux kernel itself. For those use a virtual machine.

Left as it is, by decision:

- Landlock leaves `/proc/self` readable as a whole, so ports, addresses and mounts of the machine can be read there. Python and its
  libraries read too many of those files to name each. In bubblewrap they are those of an empty machine.
- A kernel under Landlock may name a socket that has no file, so that a program outside that knows the name can talk to it; ZeroMQ's
  own sockets cannot be told apart from it. In bubblewrap nobody is outside.
- Whether an answer shares memory between two calls is looked at inside the kernel, where an answer that knows of it can hide it. It
  has to be right in all else, and the point is for a habit.
- A figure is judged by what its Axes hold: data, places, colours, texts, and whether they stand on the paper. What lies on top of it
  is not looked at, and a kernel that lies about its data has to know the right ones.
- Labs after the first import the table that the first one asks to build, and the sources of the checks lie beside them. Who copies
  it has not learned it; no grader sees the difference. The same goes for formulas that follow from that table.
"""


def attempts_table() -> tuple[str, str]:
    """A row for each group of attempts and a column for each layer, kernel and user; then what succeeded, by layer."""
    columns, gained = [], {}
    for layer in available_layers():
        for kernel in ("warm", "stock"):
            for user in (False, True) if os.geteuid() == 0 else (False,):
                title = f"{layer}, {kernel}, {'user' if user or os.geteuid() else 'root'}"
                columns.append((layer, title, attacks.run(layer, kernel, user)))
                gained.setdefault(layer, set()).update(name for name, what in columns[-1][2].items() if what)
    lines = ["| attempts | " + " | ".join(title for _, title, _ in columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for group, sources in attacks.ATTACKS.items():
        counts = [
            sum(bool(what) for name, what in found.items() if name.startswith(f"{group}:")) for _, _, found in columns
        ]
        lines.append(f"| {group} ({len(sources)}) | " + " | ".join(map(str, counts)) + " |")
    words = [f"In {layer}: " + (f"{len(names)} succeeded, namely {'; '.join(sorted(names))}." if names else "none succeeded.")
             for layer, names in gained.items()]  # fmt: skip
    return "\n".join(lines), "\n\n".join(words)


def submissions_table() -> tuple[str, str]:
    rows = {}
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="lk-") as folder:
        hostile_class.build(Path(folder) / "class")
        for layer in available_layers():
            out = Path(folder) / layer
            command = [Path(sys.executable).with_name("labkit"), "grade", Path(folder) / "class", "--out", out, "--cell-seconds", "3",
                       "--notebook-seconds", "30", "--allow-unsandboxed"]  # fmt: skip
            environment = {**os.environ, CHOICE: layer}
            subprocess.run(command, check=True, capture_output=True, env=environment, timeout=3600)
            rows[layer] = {row["student"]: row for row in json.loads((out / "results.json").read_text("utf-8"))}
    lines = ["| submission | " + " | ".join(rows) + " |", "|---" * (len(rows) + 1) + "|"]
    for name in hostile_class.ANSWERS:
        lines.append(
            f"| {name} | "
            + " | ".join(f"{found[name]['score']:g}, {found[name]['status']}" for found in rows.values())
            + " |"
        )
    honest = [f"{layer}: " + ", ".join(sorted({f"{row['score']:g} of {row['max_score']:g}" for name, row in found.items() if "honest" in name}))
              for layer, found in rows.items()]  # fmt: skip
    return "\n".join(lines), "Honest submissions among them got, in " + "; in ".join(honest) + "."


def budgets_table() -> str:
    rows = []
    for budget in all_budgets():
        what, value = budget.metadata["what"], budget.default / budget.metadata["unit"]
        rows.append(f"| {what} | {value:,g} | `--{option(budget)}` | {budget.metadata['held']} |")
    return "\n".join(rows)


BOUNDS = (
    ("cells of a notebook", notebooks.MAX_CELLS, "the file is refused"),
    ("commas and brackets in a notebook's JSON", notebooks.MAX_PARTS, "the file is refused"),
    ("characters of a cell that is parsed for the names it defines", notebooks.MAX_SOURCE, "it is found by its id only"),
    ("characters of all cells that are", notebooks.MAX_SOURCES, "they are found by their ids only"),
    ("bytes of one message of a kernel", messages.MAX_MESSAGE, "the kernel is ended"),
    ("commas and brackets in a message", messages.MAX_PARTS, "the kernel is ended"),
    ("characters that a cell prints and that are compared", meter.KEPT, "the rest is counted and dropped"),
    ("bytes of an array in an answer", wire.MAX_BYTES, "no answer"),
    ("characters of a text in an answer", wire.MAX_TEXT, "no answer"),
    ("values in an answer, in all its containers", wire.MAX_ITEMS, "no answer"),
    ("entries of a set or dict in an answer", wire.MAX_KEYS, "no answer"),
    ("containers around a value", wire.MAX_DEPTH, "no answer"),
    ("items of a short answer", short_answers.MOST, "no short answer"),
    ("images, lines or legend entries of a drawing", axes.MAX_PARTS, "no answer"),
    ("characters of a label in a drawing", axes.MAX_LABEL, "no answer"),
    ("nodes of a formula", formulas.MAX_NODES, "no answer"),
    ("characters of a reply that is remembered", answers.MAX_KEPT, "it is asked for again"),
    ("kernels that are started for one submission", answers.MAX_STARTS, "the rest has no answer"),
    ("characters of a written answer", recorder.LONGEST_TEXT, "the rest is dropped"),
)  # fmt: skip


def bounds_table() -> str:
    return "\n".join(f"| {what} | {most:,} | {then} |" for what, most, then in BOUNDS)


def main() -> None:
    machine = f"Linux {platform.release()}, Landlock ABI {landlock.abi()}, Python {platform.python_version()}, with the layers " \
              f"{', '.join(layer for layer in LAYERS if layer in available_layers())}"  # fmt: skip
    path = project.current().root / "docs" / "security.md"
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="lk-") as folder:
        os.chmod(folder, 0o755)
        tiny_course.make(course := Path(folder, "tiny"))
        with tiny_course.used(course):
            attempts, successes = attempts_table()
            submissions, honest = submissions_table()
    page = TEXT.format(machine=machine, attempts=attempts, successes=successes, submissions=submissions, honest=3, honest_points=honest,
                       budgets=budgets_table(), bounds=bounds_table())  # fmt: skip
    path.write_text(page, "utf-8")
    print(path)


if __name__ == "__main__":
    main()
