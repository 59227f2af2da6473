"""Check the isolation layer: try, from inside a kernel, harmless actions that the layer must prevent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from queue import Empty

from labkit.grade.kernel.forked import start_kernel
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.sandbox.confine import CHOICE, CONSENT, available_layers, best_layer, keeps_forks_apart
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment
from labkit.student.model.project import MANIFEST, Project

WORKS = "works: "
# All attempts run in one cell, each in its own namespace.
TRY_ALL = f"""
for name, source in {{attempts!r}}.items():
    try:
        exec(source, {{{{}}}})
        print({WORKS!r} + name)
    except BaseException:
        pass
"""


def attempts(project: Project) -> dict[str, str]:
    """The source of each attempt by name. An attempt succeeds if it raises nothing."""
    return {
        "read a file outside": f"open({str(project.root / MANIFEST)!r}).read(1)",
        "write a file outside": "import tempfile; tempfile.TemporaryFile(dir='/tmp')",
        "open a network socket": "import socket; socket.socket().bind(('127.0.0.1', 0))",
        "start a process": "import subprocess; subprocess.run(['/bin/true'])",
        "see another process": "import os; [p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()][0]",
    }


MEANING = {
    "bubblewrap": "a separate view of the system, Landlock where Linux has it, and seccomp",
    "landlock": "Landlock for files and seccomp for system calls",
    "limits": "POSIX limits only, which stop accidents but not attacks: `labkit grade` requires --allow-unsandboxed",
}


def succeeded(project: Project, environment: Environment = Environment(), budgets: Budgets = Budgets()) -> list[str]:
    """The names of the attempts that succeed in a kernel under the current layer. There should be none."""
    tried = attempts(project)
    kernel = start_kernel(project, environment, budgets)
    try:
        outputs = execute(kernel, TRY_ALL.format(attempts=tried), 20.0)
    finally:
        kernel.stop()
    lines = "".join(str(output.get("text", "")) for output in outputs).splitlines()
    return [name for name in tried if WORKS + name in lines]


def leaks(project: Project, lab: str, budgets: Budgets) -> Iterator[str]:
    """Yield a message if a kernel of this lab can do anything that the isolation layer should prevent."""
    if (layer := best_layer()) == "limits":  # this layer promises no isolation
        return
    with suppress(MachineFailed, RuntimeError, Empty):  # if no kernel starts here, no submission can run either
        if possible := succeeded(project, project.course.environment_of(lab), budgets):
            can = f"a submission can still {', '.join(possible)}"
            yield f"{layer} does not isolate submissions on this machine; {can}; see `labkit doctor`, or use {CONSENT}"


def better() -> str:
    """How to get a better layer than the current one; "" if this is the best."""
    best, layer = available_layers()[0], best_layer()
    if layer != best:
        return f"unset {CHOICE} for {best}"
    if not keeps_forks_apart():
        return "grade on Linux 5.13 or newer: with Landlock, kernels are forked from a warm one, which is much faster"
    return {
        "limits": "grade on Linux 5.13 or newer, where Landlock needs no privileges, or install bubblewrap there",
        "landlock": "for a second layer, install the package bubblewrap and allow user namespaces",
    }.get(layer, "")
