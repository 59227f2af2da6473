"""Does the layer in force hold? A few harmless attempts from inside a kernel; all that a layer must refuse."""

from __future__ import annotations

from labkit.kernel.start import execute, start_kernel
from labkit.model.budgets import Budgets
from labkit.model.course import Environment
from labkit.model.project import MANIFEST, Project
from labkit.sandbox.confine import CHOICE, available_layers, best_layer, keeps_forks_apart

WORKS = "works: "
# All in one cell; what each prints stays apart from the others'.
TRY_ALL = f"""
for name, source in {{attempts!r}}.items():
    try:
        exec(source, {{{{}}}})
        print({WORKS!r} + name)
    except BaseException:
        pass
"""


def attempts(project: Project) -> dict[str, str]:
    """The source of each by its name; it has succeeded when it raises nothing."""
    return {
        "read a file outside": f"open({str(project.root / MANIFEST)!r}).read(1)",
        "write a file outside": "import tempfile; tempfile.TemporaryFile(dir='/tmp')",
        "open a network socket": "import socket; socket.socket().bind(('127.0.0.1', 0))",
        "start a process": "import subprocess; subprocess.run(['/bin/true'])",
        "see another process": "import os; [p for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid()][0]",
    }


MEANING = {
    "bubblewrap": "a view of the system of its own, Landlock where Linux has it, and seccomp",
    "landlock": "Landlock for files and seccomp for system calls",
    "limits": "POSIX limits only, which stop accidents and not attacks: `labkit grade` asks for --allow-unsandboxed",
}


def succeeded(project: Project, environment: Environment = Environment(), budgets: Budgets = Budgets()) -> list[str]:
    """The names of the attempts that a kernel of the layer in force could make."""
    tried = attempts(project)
    kernel = start_kernel(project, environment, budgets)
    try:
        outputs = execute(kernel, TRY_ALL.format(attempts=tried), 20.0)
    finally:
        kernel.stop()
    lines = "".join(str(output.get("text", "")) for output in outputs).splitlines()
    return [name for name in tried if WORKS + name in lines]


def better() -> str:
    """How to get a better layer than the one in force; empty when it is the best."""
    best, layer = available_layers()[0], best_layer()
    if layer != best:
        return f"unset {CHOICE} for {best}"
    if not keeps_forks_apart():
        return "grade on Linux 5.13 or newer: Landlock lets kernels be forks of a warm one, which start much faster"
    return {
        "limits": "grade on Linux 5.13 or newer, where Landlock needs no privileges, or install bubblewrap there",
        "landlock": "for one more wall install the package bubblewrap and allow user namespaces",
    }.get(layer, "")
