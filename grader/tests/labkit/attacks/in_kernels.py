"""Make all attempts in kernels and check each for success: `python -m attacks.in_kernels LAYER KERNEL` prints JSON.

Only the isolation layer protects the targets: files are world-writable, and processes belong to the kernel's own user.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Empty

from users import as_user

from attacks import ATTEMPTS, CHANNELS, OVERRUNS
from attacks.kinds import Channel

PRELUDE = """
import os
def _file(fd):
    try: name = os.readlink(f'/proc/self/fd/{fd}')
    except OSError: return ''
    try: open(name).close()
    except PermissionError: return name if name.startswith('/') else ''
    except OSError: pass
    return ''  # what can be opened by its name anyway is no gain
def _plant(path):
    open(path, 'w').close()
    os.remove(path)
    return True
def _shared():
    folder = os.environ['MPLCONFIGDIR']
    return open(os.path.join(folder, next(name for name in os.listdir(folder) if name.endswith('.json'))))
def _attempt(source, FACTS):
    scope = {'FACTS': FACTS, '_file': _file, '_plant': _plant, '_shared': _shared, '__name__': 'attack'}
    try:
        exec(source, scope)
        return repr(scope['gained'])[:60] if scope['gained'] else ''
    except BaseException:
        return ''
"""
CALLS = {  # numbers of system calls without a Python function, on x86-64 and on 64-bit ARM
    "clone": (56, 220), "rt_sigqueueinfo": (129, 138), "add_key": (248, 217), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "fallocate": (285, 47), "sendmmsg": (307, 269), "vmsplice": (278, 75), "io_setup": (206, 0), "timer_create": (222, 107),
    "landlock_create_ruleset": (444, 444),
}  # fmt: skip


@contextmanager
def targets(sibling) -> Iterator[dict]:
    """Create the targets outside the kernel. Their owners and modes let everyone reach them."""
    from labkit.student.model import course, project

    here = project.current()
    lab = course.current().names[0]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="labkit-targets-")))
        folder.chmod(0o777)
        secret = folder / "secret"
        reset(secret)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract, file, datagram = (stack.enter_context(socket.socket(socket.AF_UNIX, kind))
                                    for kind in (socket.SOCK_STREAM, socket.SOCK_STREAM, socket.SOCK_DGRAM))  # fmt: skip
        abstract.bind(f"\0labkit-{os.getpid()}")
        for sock, name in ((file, "stream"), (datagram, "datagram")):
            sock.bind(str(folder / name))
            (folder / name).chmod(0o777)
        for sock in (abstract, file):
            sock.listen()
        victim = stack.enter_context(_victim())
        column = 0 if os.uname().machine == "x86_64" else 1
        yield {
            "solution": str(here.solutions / f"{lab}.ipynb"), "tests": str(here.tests_of(lab)),
            "locked": str(here.root / here.locked[0]), "secret": str(secret), "home": os.path.expanduser("~"), "grader": os.getpid(),
            "sibling": victim, "sibling_home": sibling, "port": listener.getsockname()[1], "abstract": f"\0labkit-{os.getpid()}",
            "socket": str(folder / "stream"), "datagram": str(folder / "datagram"),
            "calls": {name: numbers[column] for name, numbers in CALLS.items()},
        }  # fmt: skip


def reset(secret: Path) -> bool:
    """Restore the secret file, which is outside the kernel. Returns whether the file had changed."""
    kept = secret.exists() and secret.read_text() == "the grades" and secret.stat().st_mode & 0o777 == 0o666
    kept = kept and {path.name for path in secret.parent.iterdir()} <= {"secret", "stream", "datagram"}
    for path in secret.parent.glob("secret*"):
        path.unlink()
    secret.write_text("the grades")
    secret.chmod(0o666)
    if os.geteuid() == 0:  # owned by the kernel's user, so that user permissions do not protect it
        os.chown(secret, 65534, 65534)
    return not kept


@contextmanager
def _victim() -> Iterator[int]:
    """Start a process that attempts try to reach. It belongs to the same user as the kernels."""
    process = subprocess.Popen(["/bin/sleep", "600"], **({"user": 65534, "group": 65534} if os.geteuid() == 0 else {}))
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait(60)


def attack(stock: bool) -> dict[str, str]:
    """Make all attempts in a kernel under the current layer, while a second kernel runs. Returns what each gained."""
    from labkit.grade.kernel.forked import start_kernel
    from labkit.grade.kernel.nbval_bridge import execute
    from labkit.student.model import project
    from labkit.student.model.budgets import Budgets
    from labkit.student.model.course import Environment

    budgets, gained = Budgets(stock_kernel=stock, notebook_seconds=300), {}
    sibling = start_kernel(project.current(), Environment(), budgets)
    try:
        said = execute(
            sibling, "open('answer', 'w').write('42'); import os; os.chmod('.', 0o777); print(os.getcwd())", 20
        )
        with targets(said[0]["text"].strip()) as facts:
            kernel = start_kernel(project.current(), Environment(), budgets)
            try:
                execute(kernel, PRELUDE, 20)
                for name, attempt in ATTEMPTS.items():
                    outputs = execute(kernel, f"print(_attempt({attempt.source!r}, {facts!r}))", 20)
                    gained[name] = "".join(output.get("text", "") for output in outputs).strip()
                    if reset(Path(facts["secret"])):
                        gained[name] = gained[name] or "the file outside changed"
                for name, channel in CHANNELS.items():
                    gained[name] = talk(sibling, kernel, channel)
            finally:
                kernel.stop()
        execute(sibling, "print('alive')", 20)
    finally:
        sibling.stop()
    return gained


BITS = (1, 0, 0, 1, 1, 0, 1, 0, 1)


def talk(sender, receiver, channel: Channel) -> str:
    """Return the received bits, or "" if they differ from the sent ones.

    One extra bit is sent first, and its reading is discarded.
    """
    from labkit.grade.kernel.nbval_bridge import execute

    for kernel in (sender, receiver):
        execute(kernel, channel.setup + channel.source, 20)
    received = []
    for bit in (0, *BITS):
        execute(sender, f"send({bit})", 20)
        said = execute(receiver, "print(int(bool(receive())))", 20)
        received.append("".join(output.get("text", "") for output in said).strip())
    execute(sender, "send(0)", 20)
    return "".join(received[1:]) if received[1:] == [str(bit) for bit in BITS] else ""


def overrun(stock: bool) -> dict[str, list[str]]:
    """For each overrun, return why its kernel ended, and the kernel's folder if it was left behind.

    All overruns run at the same time, because each of them mostly waits.
    """
    from labkit.grade.kernel.forked import start_kernel
    from labkit.grade.kernel.meter import OverBudget
    from labkit.grade.kernel.nbval_bridge import execute
    from labkit.grade.kernel.servers import server_for
    from labkit.student.model import project
    from labkit.student.model.budgets import MIB, Budgets
    from labkit.student.model.course import Environment

    def attempt(source: str) -> list[str]:
        kernel = start_kernel(project.current(), Environment(), Budgets(stock_kernel=stock, disk_bytes=4 * MIB))
        try:
            why = f"it could: {execute(kernel, source, 15.0)}"
        except Empty:
            why = "it could: nothing ended it"
        except OverBudget as error:
            why = str(error)
        finally:
            kernel.stop()
        return [why, *([kernel.folder.name] if kernel.folder.exists() else [])]

    with ThreadPoolExecutor(len(OVERRUNS)) as threads:
        found = dict(zip(OVERRUNS, threads.map(attempt, [each.source for each in OVERRUNS.values()])))
    if not stock:
        server_for(project.current(), Environment()).close()
    return found


def run(
    layer: str, kernel: str, user: bool = False, through: Sequence[str] = ()
) -> tuple[dict[str, str], dict[str, list[str]], list[str]]:
    """Return what each attempt gained, how each overrun ended, and what was left on the disk.

    Everything runs in a separate process, as the current user or an ordinary one. `through`: a command that starts this process.
    """
    with tempfile.TemporaryDirectory(prefix="lk-", dir="/tmp") as home:
        os.chmod(home, 0o777)
        command = [*through, sys.executable, "-m", "attacks.in_kernels", layer, kernel]
        own = {"HOME": home, "TMPDIR": home, "LABKIT_LAYER": layer, "PYTHONDONTWRITEBYTECODE": "1"}
        here = str(Path(__file__).parents[1])
        own["PYTHONPATH"] = os.pathsep.join(
            [here, str(Path(here).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        )
        done = subprocess.run(
            as_user(command) if user else command, env={**os.environ, **own}, capture_output=True, text=True, timeout=200, cwd="/"
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stderr[-3000:])
        left = [path.name for path in Path(home).iterdir() if path.name.startswith("labkit")]
        return *json.loads(done.stdout.splitlines()[-1]), left


if __name__ == "__main__":
    print(json.dumps([attack(stock := sys.argv[2] == "stock"), overrun(stock)]))
