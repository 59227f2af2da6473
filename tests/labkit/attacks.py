"""What hostile code tries from inside a submission's kernel, each attempt with what counts as success.

`python tests/labkit/attacks.py LAYER KERNEL` makes all attempts and prints, as JSON, what each of them gained; nothing is good.
The targets are set up so that only the layer protects them: files anybody may write, processes of the kernel's own user.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from users import as_user

# Python source by the attempt's name. It runs with FACTS in scope, and has succeeded when it raises nothing and `gained`
# is true afterwards.
ATTACKS: dict[str, dict[str, str]] = {
    "reading": {
        "a solution": "gained = open(FACTS['solution']).read()",
        "the autograder's tests": "gained = open(FACTS['tests']).read()",
        "the locked module by its path": "gained = open(FACTS['locked']).read()",
        "a file that anybody may read": "gained = open(FACTS['secret']).read()",
        "the same through a link": "import os; os.symlink(FACTS['secret'], 'link'); gained = open('link').read()",
        "the same through a hard link": "import os; os.link(FACTS['secret'], 'hard'); gained = open('hard').read()",
        "the same by openat2": "import ctypes, os\nhow = (ctypes.c_uint64 * 3)(0, 0, 0)\n"
                               "fd = ctypes.CDLL(None).syscall(437, -100, FACTS['secret'].encode(), how, 24)\n"
                               "gained = fd >= 0 and os.read(fd, 9)",
        "the same through /proc/self/root": "gained = open('/proc/self/root' + FACTS['secret']).read()",
        "the list of users": "gained = open('/etc/passwd').read()",
        "passwords": "gained = open('/etc/shadow').read()",
        "the instructor's home": "import os; gained = os.listdir(FACTS['home'])",
        "another submission's home": "import os; gained = os.listdir(FACTS['sibling_home'])",
        "another submission's file": "gained = open(FACTS['sibling_home'] + '/answer').read()",
        "a handle of it by a new call": "import ctypes; gained = ctypes.CDLL(None).syscall(467, -100, FACTS['secret'].encode(), 0, 0, 0) >= 0",
        "files left open by the grader": "import os\ngained = [file for fd in os.listdir('/proc/self/fd') for file in [_file(fd)] if file]",
        "the parent's environment": "import os; gained = open(f'/proc/{os.getppid()}/environ').read()",
        "the parent's memory": "import os; gained = open(f'/proc/{os.getppid()}/mem', 'rb')",
        "the list of processes": "import os; gained = [p for p in os.listdir('/proc') if p.isdigit()]",
    },
    "writing": {
        "a file that anybody may write": "open(FACTS['secret'], 'w').write('mine'); gained = True",
        "a new file beside it": "open(FACTS['secret'] + '.new', 'w'); gained = True",
        "a file in /tmp that others see": "gained = _plant('/tmp/labkit-attack')",
        "removing it": "import os; os.remove(FACTS['secret']); gained = True",
        "renaming it": "import os; os.rename(FACTS['secret'], FACTS['secret'] + '.old'); gained = True",
        "truncating it": "import os; os.truncate(FACTS['secret'], 0); gained = True",
        "changing its mode": "import os; os.chmod(FACTS['secret'], 0o600); gained = oct(os.stat(FACTS['secret']).st_mode)[-3:] == '600'",
        "changing its times": "import os; os.utime(FACTS['secret'], (1, 1)); gained = os.stat(FACTS['secret']).st_mtime == 1",
        "an attribute of it": "import os; os.setxattr(FACTS['secret'], 'user.x', b'1'); gained = True",
        "attributes of it by a new call": "import ctypes\ngained = ctypes.CDLL(None).syscall(469, -100, FACTS['secret'].encode(), b'\\x80' + bytes(23), 24, 0) == 0",
        "attributes of what all kernels read": "import fcntl; fcntl.ioctl(_shared(), 0x40086602, b'\\x80' + bytes(7)); gained = True",
        "a lease on what all kernels read": "import fcntl; fcntl.fcntl(_shared(), fcntl.F_SETLEASE, fcntl.F_WRLCK); gained = True",
        "a module of Python's": "import sysconfig; gained = _plant(sysconfig.get_path('stdlib') + '/labkit_attack.py')",
        "a .pth file": "import sysconfig; gained = _plant(sysconfig.get_path('purelib') + '/labkit_attack.pth')",
        "the package labkit": "import labkit.calls.wire; open(labkit.calls.wire.__file__, 'a'); gained = True",
        "a file beside the tests": "gained = _plant(FACTS['tests'] + '.conftest.py')",
        "another submission's home": "open(FACTS['sibling_home'] + '/planted', 'w'); gained = True",
        "shared memory": "gained = _plant('/dev/shm/labkit-attack')",
    },
    "processes": {
        "fork": "import os\npid = os.fork()\nif pid == 0: os._exit(0)\ngained = os.waitpid(pid, 0)",
        "vfork by number": "import ctypes\ngained = ctypes.CDLL(None).syscall(FACTS['calls']['clone'], 17, 0, 0, 0, 0)\nif gained == 0: import os; os._exit(0)\ngained = gained > 0",
        "a program": "import subprocess; gained = subprocess.run(['/bin/true']).returncode == 0",
        "a program by posix_spawn": "import os; gained = os.posix_spawn('/bin/true', ['true'], {})",
        "a shell": "import os; gained = os.system('true') == 0",
        "multiprocessing": "import multiprocessing as m; p = m.get_context('fork').Process(target=int); p.start(); gained = True",
        "signalling the grader": "import os; os.kill(FACTS['grader'], 0); gained = True",
        "killing the parent": "import os, signal; os.kill(os.getppid(), 0); gained = True",
        "killing another submission": "import os; os.kill(FACTS['sibling'], 0); gained = True",
        "signalling all": "import os; os.kill(-1, 0); gained = True",
        "a signal by a queue": "import ctypes; gained = ctypes.CDLL(None).syscall(FACTS['calls']['rt_sigqueueinfo'], FACTS['sibling'], 0, b'\\0' * 128) == 0",
        "a signal by a file's owner": "import fcntl, os\nr, w = os.pipe()\nfcntl.fcntl(r, 8, FACTS['sibling']); gained = True",
        "a handle of another process": "import os; gained = os.pidfd_open(FACTS['sibling'])",
        "tracing another submission": "import ctypes; gained = ctypes.CDLL(None).ptrace(16, FACTS['sibling'], 0, 0) == 0",
        "another submission's memory": "import ctypes\nvector = (ctypes.c_uint64 * 2)(0x400000, 1)\n"
                                       "call = ctypes.CDLL(None, use_errno=True).process_vm_readv\n"
                                       "call(FACTS['sibling'], vector, 1, vector, 1, 0); gained = ctypes.get_errno() == 14",
        "another submission's limits": "import resource; gained = resource.prlimit(FACTS['sibling'], resource.RLIMIT_NOFILE)",
        "another submission's priority": "import os; os.setpriority(os.PRIO_PROCESS, FACTS['sibling'], 19)\n"
                                         "gained = os.getpriority(os.PRIO_PROCESS, FACTS['sibling']) == 19",
    },
    "network": {
        "a TCP connection": "import socket; socket.create_connection(('127.0.0.1', FACTS['port']), 2); gained = True",
        "a TCP server": "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); gained = True",
        "a UDP packet": "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', FACTS['port'])); gained = True",
        "an abstract socket": "import socket; socket.socket(socket.AF_UNIX).connect(FACTS['abstract']); gained = True",
        "a socket in the file system": "import socket; socket.socket(socket.AF_UNIX).connect(FACTS['socket']); gained = True",
        "a datagram to a socket": "import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', FACTS['datagram']); gained = True",
        "a raw socket": "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW); gained = True",
    },
    "system": {
        "becoming the superuser": "import os; os.setuid(0); gained = os.geteuid() == 0",
        "a user namespace": "import ctypes; gained = ctypes.CDLL(None).unshare(0x10000000) == 0",
        "mounting": "import ctypes; gained = ctypes.CDLL(None).mount(b'none', b'.', b'tmpfs', 0, None) == 0",
        "changing the root": "import os; os.chroot('.'); gained = True",
        "a key": "import ctypes; gained = ctypes.CDLL(None).syscall(FACTS['calls']['add_key'], b'user', b'labkit', b'x', 1, -3) > 0",
        "shared memory that stays": "import ctypes\nlibc = ctypes.CDLL(None); gained = libc.shmget(0, 4096, 0o1600)\n"
                                    "if gained >= 0: libc.shmctl(gained, 0, None)\ngained = gained >= 0",
        "memory outside the limits": "import os; gained = os.memfd_create('x')",
        "io_uring": "import ctypes; gained = ctypes.CDLL(None).syscall(425, 1, bytes(120)) >= 0",
        "counters of the processor": "import ctypes; gained = ctypes.CDLL(None).syscall(FACTS['calls']['perf_event_open'], bytes([1, 0, 0, 0, 112] + [0] * 107), 0, -1, -1, 0) >= 0",
        "page faults": "import ctypes; gained = ctypes.CDLL(None).syscall(FACTS['calls']['userfaultfd'], 1) >= 0",
        "a system call of the 32-bit kind": "import ctypes; gained = ctypes.CDLL(None).syscall(0x40000000 + 39) > 0",
    },
}  # fmt: skip

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
CALLS = {  # numbers of system calls that Python has no function for, on x86-64 and on 64-bit ARM
    "clone": (56, 220), "rt_sigqueueinfo": (129, 138), "add_key": (248, 217), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
}  # fmt: skip


def attempts() -> Iterator[tuple[str, str]]:
    """Each attempt by its full name, and its source."""
    for group, sources in ATTACKS.items():
        for name, source in sources.items():
            yield f"{group}: {name}", source


@contextmanager
def targets(sibling) -> Iterator[dict]:
    """Things outside that an attack goes for. Everybody may reach them, as far as users and modes go."""
    from labkit import course, project

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
            "solution": str(here.solutions / f"{lab}.ipynb"), "tests": str(here.autograder / f"test_{lab}.py"),
            "locked": str(here.root / here.locked[0]), "secret": str(secret), "home": os.path.expanduser("~"), "grader": os.getpid(),
            "sibling": victim, "sibling_home": sibling, "port": listener.getsockname()[1], "abstract": f"\0labkit-{os.getpid()}",
            "socket": str(folder / "stream"), "datagram": str(folder / "datagram"),
            "calls": {name: numbers[column] for name, numbers in CALLS.items()},
        }  # fmt: skip


def reset(secret: Path) -> bool:
    """Put the file outside back as it was; whether it was another."""
    kept = secret.exists() and secret.read_text() == "the grades" and secret.stat().st_mode & 0o777 == 0o666
    kept = kept and {path.name for path in secret.parent.iterdir()} <= {"secret", "stream", "datagram"}
    for path in secret.parent.glob("secret*"):
        path.unlink()
    secret.write_text("the grades")
    secret.chmod(0o666)
    if os.geteuid() == 0:  # the kernel's own user owns it, so that no rule on users protects it
        os.chown(secret, 65534, 65534)
    return not kept


@contextmanager
def _victim() -> Iterator[int]:
    """A process of the same user as kernels have."""
    process = subprocess.Popen(["/bin/sleep", "600"], **({"user": 65534, "group": 65534} if os.geteuid() == 0 else {}))
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait(10)


def attack(stock: bool) -> dict[str, str]:
    """What each attempt gained from a kernel in the layer in force, with a second kernel beside it."""
    from labkit.budgets import Budgets
    from labkit.course import Environment
    from labkit.kernel.start import execute, start_kernel

    budgets, gained = Budgets(stock_kernel=stock, notebook_seconds=300), {}
    sibling = start_kernel(Environment(), budgets)
    try:
        said = execute(
            sibling, "open('answer', 'w').write('42'); import os; os.chmod('.', 0o777); print(os.getcwd())", 20
        )
        with targets(said[0]["text"].strip()) as facts:
            kernel = start_kernel(Environment(), budgets)
            try:
                execute(kernel, PRELUDE, 20)
                for name, source in attempts():
                    outputs = execute(kernel, f"print(_attempt({source!r}, {facts!r}))", 20)
                    gained[name] = "".join(output.get("text", "") for output in outputs).strip()
                    if reset(Path(facts["secret"])):
                        gained[name] = gained[name] or "the file outside changed"
            finally:
                kernel.stop()
        execute(sibling, "print('alive')", 20)
    finally:
        sibling.stop()
    return gained


def run(layer: str, kernel: str, user: bool = False) -> dict[str, str]:
    """All attempts in a process of its own, as the superuser or whoever this is, or as an ordinary user."""
    home = tempfile.mkdtemp(prefix="labkit-user-", dir="/tmp")
    try:
        os.chmod(home, 0o777)
        command = [sys.executable, __file__, layer, kernel]
        environment = {
            **os.environ,
            "HOME": home,
            "LABKIT_LAYER": layer,
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": "/tmp",
        }
        done = subprocess.run(
            as_user(command) if user else command, env=environment, capture_output=True, text=True, timeout=200, cwd="/"
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-3000:])
        return json.loads(done.stdout.splitlines()[-1])
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    print(json.dumps(attack(stock=sys.argv[2] == "stock")))
