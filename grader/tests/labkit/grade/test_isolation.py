"""Isolation blocks what it should, also every system call that is not listed, and honest labs still work under it. For attacks see test_attacks.py."""

import errno
import json
import os
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

import pytest
from course_copy import CourseCopy
from longer import LONG, each_value_once, times
from needs import ABSENT, WALLS, needs
from users import PLAIN_CONTAINER

from labkit.cli.doctor import _isolation
from labkit.grade.kernel import probes
from labkit.grade.kernel.forked import start_kernel
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.sandbox import confine, seccomp
from labkit.grade.sandbox.confine import CHOICE, Confinement, available_layers
from labkit.student.model import project
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment
from labkit.student.model.errors import UserError

LAB = "01_spread"
pytestmark = needs("isolation")


@pytest.mark.parametrize(
    ("layer", "stock"), [*each_value_once(available_layers(), [True, False]), *product(ABSENT, [True, False])]
)
def test_honest_labs_still_run(layer, stock, monkeypatch):
    monkeypatch.setenv(CHOICE, layer)
    source = """
import os, shutil, sqlite3, tempfile, threading
import matplotlib.pyplot as plt, numpy as np, PIL.Image
np.save('a.npy', np.arange(3)); shutil.copy('a.npy', 'b.npy'); os.mkdir('d'); os.rename('b.npy', 'd/b.npy'); os.remove('d/b.npy')
fig, ax = plt.subplots(); ax.plot([1, 2]); fig.savefig('f.png'); plt.close(fig)
with tempfile.TemporaryDirectory() as folder: open(folder + '/x', 'w').write('x')
with tempfile.TemporaryFile() as file: file.write(b'x')
np.memmap('m', mode='w+', shape=9)[:] = 1; PIL.Image.new('L', (2, 2)).save('p.png')
for mode in ('wal', 'delete'):
    first, second = sqlite3.connect(mode), sqlite3.connect(mode)
    first.execute(f'pragma journal_mode={mode}'); first.execute('create table t(a)'); first.execute('insert into t values (1)'); first.commit()
    assert second.execute('select * from t').fetchall() == [(1,)]; first.close(); second.close()
thread = threading.Thread(target=print, args=('thread',)); thread.start(); thread.join(9)
print(np.linalg.inv(np.eye(2)).sum(), PIL.Image.open('p.png').size, sorted(os.listdir('d')))"""
    kernel = start_kernel(project.current(), Environment(), Budgets(stock_kernel=stock))
    try:
        outputs = execute(kernel, source, 30.0)
        assert "".join(output.get("text", str(output)) for output in outputs) == "thread\n2.0 (2, 2) []\n"
    finally:
        kernel.stop()


def test_numbers_of_system_calls_are_those_of_this_machine():
    """Each call is made by number, under an active filter."""
    column, _ = seccomp._ARCHITECTURES[os.uname().machine]
    numbers = [
        call[column] for calls in seccomp.REFUSED.values() for call in calls.values() if call[column] is not None
    ]
    assert len(set(numbers)) == len(numbers)
    unsupported = [[errno.EOPNOTSUPP, call[column]] for call in seccomp.UNSUPPORTED.values()]
    newer = [*range(seccomp.NEWEST + 1, seccomp.NEWEST + 100), 1000, 2**20, 2**30 - 1]
    calls = [
        *unsupported,
        *([errno.EPERM, number] for number in numbers),
        *([errno.ENOSYS, number] for number in newer),
    ]
    if os.uname().machine == "x86_64":  # the same calls by their 32-bit numbers
        calls += [[errno.EPERM, 2**30 + number] for number in (0, 39, *newer[:-1])]
    assert in_the_filter(REFUSED, json.dumps(calls)) == "[]"


REFUSED = """
def wrong(expected, number):
    ctypes.set_errno(0)
    return libc.syscall(ctypes.c_long(number), -1, -1, -1, -1, -1) != -1 or ctypes.get_errno() != expected
print([call for call in json.loads(sys.argv[1]) if wrong(*call)])
"""


COMMANDS = """
file, pipe = open("file", "w+"), os.pipe()
def error(call, *arguments):
    try: call(*arguments)
    except OSError as error: return error.errno
for command in ("DUPFD", "DUPFD_CLOEXEC", "GETFD", "GETFL", "GETPIPE_SZ", "GETLK"):
    number = {"GETPIPE_SZ": 1032}.get(command) or getattr(fcntl, "F_" + command)
    assert error(fcntl.fcntl, pipe[0] if "PIPE" in command else file, number, bytes(32) if "LK" in command else 0) is None, command
fcntl.lockf(file, fcntl.LOCK_EX); fcntl.flock(file, fcntl.LOCK_UN); os.set_blocking(pipe[0], False)
assert open("/proc/locks").read().split().count(str(os.getpid())) == 0  # none was set
os.set_inheritable(pipe[0], True); fcntl.ioctl(pipe[0], 0x541B, bytes(4)); fcntl.fcntl(file, fcntl.F_SETFL, os.O_APPEND)
commands = 8, 9, 10, 11, 15, 16, 17, 36, 37, 38, 1024, 1025, 1026, 1029, 1031, 1033, 1034, 1036, 1999
print([number for number in commands if error(fcntl.fcntl, file, number, 0) != errno.EPERM])
requests = 0x40086602, 0x40046602, 0x401C5820, 0x40806685, 0x40087602, 0x800C6613, 0x8901, 0x8902, 0x5452
print([hex(number) for number in requests if error(fcntl.ioctl, file, number, bytes(128)) != errno.EPERM])
"""


def test_only_harmless_operations_on_open_files_are_allowed(tmp_path, monkeypatch):
    """Other operations once let a kernel change a file's attributes or take a lease on the file.

    A lease delays everyone who opens the file.
    """
    monkeypatch.chdir(tmp_path)
    assert in_the_filter(COMMANDS) == "[]\n[]"


OPTIONS = """
def error(option, *arguments):
    ctypes.set_errno(0)
    libc.prctl(option, *map(ctypes.c_ulong, (arguments + (0,) * 4)[:4]))
    return ctypes.get_errno()
assert error(15, ctypes.addressof(ctypes.create_string_buffer(b"name"))) == 0 == error(3)
print([option for option in (1, 4, 8, 22, 24, 31, 35, 36, 40, 47, 50, 53, 62, 65, 0x59616D61, 2**31) if error(option) != errno.EPERM])
"""


ARGUMENTS = """
import mmap, signal
def error(name, *arguments):
    numbers = name if isinstance(name, tuple) else getattr(calls, name)
    ctypes.set_errno(0)
    libc.syscall(ctypes.c_long(numbers[os.uname().machine != "x86_64"]), *map(ctypes.c_ulong, arguments))
    return errno.errorcode.get(ctypes.get_errno(), "")
from labkit.grade.sandbox import seccomp as calls
threads = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000
wrong = 0x20000  # a new namespace: no kernel makes such a thread, so none starts here
print(*(error("CLONE", flags | wrong) for flags in (threads, threads & ~0x400, threads & ~0x200, threads & ~0x10000)))
print(*(error("CLOSE_RANGE", 900, 900, flags) for flags in (0, 2, 4, 6)))
seven = ctypes.c_uint(7)  # kept, since a word that became 0 would be waited for
word = ctypes.addressof(seven)
print(*(error("FUTEX", word, command, 0, 0) for command in (128, 129, 128 | 9, 1, 0, 9, 3, 6, 256 | 9)))
print(*(error("FUTEX", word, 128 | command, 0, 0) for command in (5, 6, 7, 8, 10, 11, 12, 13)))
print(*(error("PRLIMIT", 0, which, 0, 0) for which in (7, 6, 11)), *(error("SETRLIMIT", which, 0) for which in (7, 6, 11)))
own = ctypes.addressof(ctypes.c_char.from_buffer(memory := mmap.mmap(-1, 4096)))
print(*(error("MADVISE", own, 4096, advice) for advice in (0, 1, 2, 3, 4, 12, 14, 20, 21, 22, 25)))
file = os.open("file", os.O_RDWR | os.O_CREAT)
print(*(error(name, file, 0, 0, 0, 0, flags) for name in ("PREADV2", "PWRITEV2") for flags in (0, 8, 128)))
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
print(*(error("KILL", os.getpid(), number) for number in (0, 12, 34, 64)), *(error("TGKILL", os.getpid(), os.getpid(), number) for number in (12, 34, 64)))
mine, others = (0, os.getpid()), (1, os.getppid())
print({error(call, who, who, 0, 0) for call in calls.ABOUT for who in others}, "ENOSYS" in {error(call, who, who, 0, 0) for call in calls.ABOUT for who in mine})
clocks = {error(call, clock, 0, 0, 0) for call in calls.CLOCKS for clock in (12, ~os.getppid() * 8 | 2, ~0 * 8 | 2)}
print(clocks, "EINVAL" in {error(call, clock, 0, 0, 0) for call in calls.CLOCKS for clock in (0, 1, 2)})
seccomp.refuse_names()
import socket
try: socket.socket(socket.AF_UNIX).bind("name")
except PermissionError: print("no name")
"""


def test_calls_that_depend_on_an_argument_are_refused_by_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert in_the_filter(ARGUMENTS).splitlines() == [
        "EINVAL EPERM EPERM EPERM",
        " EPERM EPERM EPERM",
        "EAGAIN  EAGAIN  EAGAIN EAGAIN EAGAIN EAGAIN EAGAIN",
        "EFAULT ENOSYS ENOSYS ENOSYS  ENOSYS ENOSYS ENOSYS",
        " EPERM EPERM EFAULT EPERM EPERM",
        "     EINVAL  EINVAL EINVAL EINVAL EINVAL",
        " ENOTSUP ENOTSUP  ENOTSUP ENOTSUP",
        "  EPERM EPERM  EPERM EPERM",
        "{'ENOSYS'} False",
        "{'EINVAL'} False",
        "no name",
    ]


def test_a_kernel_stays_bound_to_its_parent_and_open_to_be_looked_at():
    assert in_the_filter(OPTIONS) == "[]"


@needs("pyseccomp")
def test_pyseccomp_knows_the_same_numbers():
    import pyseccomp

    # Many versions of libseccomp do not know these.
    known = {"setxattrat", "getxattrat", "listxattrat", "removexattrat", "statmount", "listmount", "uretprobe", "uprobe",
             "cachestat", "futex_wake", "futex_wait", "futex_requeue"}  # fmt: skip
    listed = seccomp.IGNORED, seccomp.UNSUPPORTED, seccomp.ABSENT
    looked_at = ("clone", "socket", "socketpair", "bind", "futex", "kill", "tgkill", "prlimit64", "fcntl", "ioctl", "prctl",
                 "preadv2", "pwritev2", "close_range", "madvise")  # fmt: skip
    by_argument = {name: getattr(seccomp, name.removesuffix("64").upper()) for name in looked_at}
    for calls in (*seccomp.REFUSED.values(), *listed, by_argument):
        for name, numbers in calls.items():
            for architecture, number in zip((pyseccomp.Arch.X86_64, pyseccomp.Arch.AARCH64), numbers):
                found = pyseccomp.resolve_syscall(architecture, name)
                assert found == number or found < 0 and (number is None or name in known), name


def test_a_layer_that_does_not_work_here_is_refused(monkeypatch):
    monkeypatch.setenv(CHOICE, "a-wall-of-paper")
    with pytest.raises(UserError, match="limits"):
        confine.best_layer()


def test_without_isolation_grading_must_be_allowed(labkit, handout, tmp_path):
    path = handout(LAB).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    environment = {**os.environ, CHOICE: "limits"}
    refused = labkit("grade", path, "--out", tmp_path / "out", env=environment)
    assert refused.returncode == 2 and "--allow-unsandboxed" in refused.stderr and len(refused.stderr.splitlines()) == 1
    assert labkit("grade", path, "--out", tmp_path / "out", "--allow-unsandboxed", env=environment).returncode == 0


def test_a_layer_that_does_not_hold_must_be_allowed_too(handout, tmp_path):
    """Kernels may read the environment's whole folder, so a course in this folder is visible to them."""
    with tempfile.TemporaryDirectory(prefix="lk-course-", dir=sys.prefix) as folder:
        os.chmod(folder, 0o755)
        course = CourseCopy(Path(folder))
        path = handout(LAB).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
        for options in (("--seed", 1), ("--seed", 1, "--stock-kernel"))[: times(1, 2)]:
            refused = course.labkit("grade", path, "--out", tmp_path / "out", *options)
            said = [line for line in refused.stderr.splitlines() if not line.startswith("[")]
            assert refused.returncode == 2 and len(said) == 1 and not (tmp_path / "out" / "results.json").exists()
            assert "a submission can still read a file outside" in said[0] and "--allow-unsandboxed" in said[0]
        if not LONG:
            return
        assert "possible: read a file outside" in course.labkit("doctor").stdout
        allowed = course.labkit("grade", path, "--out", tmp_path / "out", "--seed", 1, "--allow-unsandboxed")
        assert allowed.returncode == 0, allowed.stderr


@needs("root")  # only the superuser's kernels in bubblewrap become another user
@needs("bubblewrap")
def test_a_course_that_kernels_cannot_read_is_named(handout, tmp_path):
    course = CourseCopy(tmp_path / "course")
    closed = course / "src/tiny_labs/spread"
    closed.chmod(0o700)
    path = handout(LAB).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    refused = course.labkit("grade", path, "--out", tmp_path / "out")
    [line] = [line for line in refused.stderr.splitlines() if "chmod" in line]
    assert (
        refused.returncode == 3
        and f"run `chmod -R go+rX` on it and on the course folder, or grade as an ordinary user ({closed})" in line
    )


DROPS = """
import sys
from labkit.grade.sandbox import privileges
try:
    privileges.drop_root(sys.argv[1:])
except PermissionError as error:
    print(error.filename)
"""


@needs("root")  # only root's kernels become another user
@pytest.mark.parametrize("closed", ["outer", "outer/inner", "outer/inner/python"])
def test_the_closed_folder_above_python_is_named(run_command, closed):
    """The superuser of a plain container has no right to read everything that could be kept for a kernel."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        (place := Path(folder, "outer/inner/python")).mkdir(parents=True)
        Path(folder, closed).chmod(0o700)
        done = run_command(*PLAIN_CONTAINER, sys.executable, "-c", DROPS, place)
        assert done.returncode == 0 and done.stdout.strip() == str(Path(folder, closed)), done.stderr


def test_the_doctor_reports_attacks_that_a_layer_leaves_possible(monkeypatch):
    """test_cli.py checks the report for a layer that leaves nothing possible."""
    monkeypatch.setenv(CHOICE, "limits")
    _, told = _isolation(project.current())
    assert "isolated by limits" in told and "possible: " in told


def test_the_doctor_fails_a_layer_that_leaves_an_attack_possible(monkeypatch):
    monkeypatch.setattr(confine, "best_layer", lambda: "landlock")
    monkeypatch.setattr(probes, "succeeded", lambda project: ["start a process"])
    passed, told = _isolation(project.current())
    assert not passed and "possible: start a process" in told


RULES = """
import os, sys
from labkit.grade.sandbox import landlock, privileges
def may(what, *arguments):
    try:
        what(*arguments)
        return True
    except PermissionError:
        return False
read, also_read, write, other = ("read", "also_read", "write", "other")
privileges.no_new_privileges()
landlock.restrict((read, also_read), (write,), ("device",))
for folder in (read, also_read, write, other):
    print(folder, *(may(open, f"{folder}/file", mode) for mode in ("r", "r+")), may(os.listdir, folder), may(os.mkdir, f"{folder}/new"))
print("device", *(may(open, "device", mode) for mode in ("r", "r+")))
"""


@needs("landlock")
def test_landlock_gives_each_folder_its_own_rights(tmp_path, run_command):
    """Only Landlock can forbid these actions: all files belong to the user who runs the code."""
    for folder in ("read", "also_read", "write", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").touch()
    (tmp_path / "device").touch()
    done = run_command(sys.executable, "-c", RULES, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "read True False True False",
        "also_read True False True False",
        "write True True True True",
        "other False False False False",
        "device True True",
    ], done.stderr


LISTS = """
import json, os
def opens(path):
    try: return bool(os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(1)) or True
    except FileNotFoundError: return path.startswith("/proc/")  # in bubblewrap, a kernel has no /proc
    except PermissionError: return False
print([path for path in json.loads(PLACES) if not opens(path)])"""


@pytest.mark.parametrize("layer", [*WALLS, *ABSENT])
def test_a_kernel_can_read_every_place_that_it_is_given(layer, monkeypatch):
    monkeypatch.setenv(CHOICE, layer)
    kernel = start_kernel(project.current(), Environment(), Budgets())
    try:
        places = Confinement(str(kernel.folder), kernel.server.readable, {}).places()
        asked = json.dumps([*places, *confine._OF_THE_KERNEL])
        outputs = execute(kernel, f"PLACES = {asked!r}{LISTS}", 20.0)
        # On a busy machine, a line can arrive in two outputs.
        assert "".join(each["text"] for each in outputs) == "[]\n"
    finally:
        kernel.stop()


# Calls that affect only the process, its workdir and readable files, or fail without privileges. Named by number.
# uretprobe and uprobe reach no filter: outside a probe they end the process.
LEFT = """
read 0, write 1, open 2, close 3, stat 4, fstat 5, lstat 6, poll 7, lseek 8, mmap 9, mprotect 10, munmap 11, brk 12,
rt_sigaction 13, rt_sigprocmask 14, rt_sigreturn 15, pread64 17, pwrite64 18, readv 19, writev 20, access 21, pipe 22,
select 23, sched_yield 24, mremap 25, msync 26, dup 32, dup2 33, pause 34, nanosleep 35, getitimer 36, alarm 37,
setitimer 38, getpid 39, accept 43, sendto 44, recvfrom 45, recvmsg 47, shutdown 48, bind 49, listen 50, getsockname
51, getpeername 52, getsockopt 55, exit 60, wait4 61, uname 63, shmdt 67, fsync 74, fdatasync 75, ftruncate 77,
getdents 78, getcwd 79, chdir 80, fchdir 81, rename 82, mkdir 83, rmdir 84, creat 85, link 86, unlink 87, readlink 89,
umask 95, gettimeofday 96, getrlimit 97, getrusage 98, times 100, getuid 102, getgid 104, setuid 105, setgid 106,
geteuid 107, getegid 108, getppid 110, getpgrp 111, setsid 112, setreuid 113, setregid 114, getgroups 115, setgroups
116, setresuid 117, getresuid 118, setresgid 119, getresgid 120, setfsuid 122, setfsgid 123, capset 126, rt_sigpending
127, rt_sigtimedwait 128, rt_sigsuspend 130, sigaltstack 131, mknod 133, ustat 136, statfs 137, fstatfs 138, sysfs
139, sched_get_priority_max 146, sched_get_priority_min 147, munlock 150, munlockall 152, arch_prctl 158, gettid 186,
time 201, set_thread_area 205, get_thread_area 211, epoll_create 213, epoll_ctl_old 214, epoll_wait_old 215,
remap_file_pages 216, getdents64 217, set_tid_address 218, restart_syscall 219, timer_settime 223, timer_gettime 224,
timer_getoverrun 225, timer_delete 226, exit_group 231, epoll_wait 232, epoll_ctl 233, mq_timedsend 242,
mq_timedreceive 243, mq_notify 244, mq_getsetattr 245, waitid 247, inotify_rm_watch 255, openat 257, mkdirat 258,
mknodat 259, newfstatat 262, unlinkat 263, renameat 264, linkat 265, readlinkat 267, faccessat 269, pselect6 270,
ppoll 271, set_robust_list 273, epoll_pwait 281, signalfd 282, timerfd_create 283, eventfd 284, timerfd_settime 286,
timerfd_gettime 287, accept4 288, signalfd4 289, eventfd2 290, epoll_create1 291, dup3 292, pipe2 293, preadv 295,
pwritev 296, recvmmsg 299, fanotify_mark 301, getcpu 309, renameat2 316, seccomp 317, getrandom 318, membarrier 324,
copy_file_range 326, pkey_mprotect 329, pkey_alloc 330, pkey_free 331, statx 332, rseq 334, uretprobe 335, uprobe 336,
openat2 437, faccessat2 439, epoll_pwait2 441, map_shadow_stack 453, lsm_get_self_attr 459, lsm_set_self_attr 460,
lsm_list_modules 461, mseal 462
"""
# The filter checks an argument of these seccomp, as other tests show.
LOOKED_AT = (
    seccomp.CLONE, seccomp.SOCKET, seccomp.SOCKETPAIR, seccomp.KILL, seccomp.TGKILL, seccomp.PRLIMIT, seccomp.FCNTL, seccomp.IOCTL,
    seccomp.PRCTL, seccomp.FUTEX, seccomp.PREADV2, seccomp.PWRITEV2, seccomp.CLOSE_RANGE, seccomp.MADVISE, seccomp.SETRLIMIT,
    *seccomp.CLOCKS, *seccomp.ABOUT,
)  # fmt: skip
ANSWERS = """
def answer(number):
    ctypes.set_errno(0)
    return libc.syscall(ctypes.c_long(number), -1, -1, -1, -1, -1) and ctypes.get_errno()
print(json.dumps([(number, answer(number)) for number in json.loads(sys.argv[1])]))
"""


@needs("Linux on x86-64")  # the numbers are its own
def test_system_calls_not_listed_are_refused():
    left = {int(each.split()[1]) for each in LEFT.replace("\n", " ").split(",")}
    others = sorted(set(range(1024)) - left - {call[0] for call in LOOKED_AT})
    answers = dict(json.loads(in_the_filter(ANSWERS, json.dumps(others))))
    refused = {seccomp._REFUSE & 0xFFFF, seccomp._ABSENT & 0xFFFF, seccomp._UNSUPPORTED & 0xFFFF, 0}
    assert {number: said for number, said in answers.items() if said not in refused} == {}
    ignored = {numbers[0] for numbers in seccomp.IGNORED.values()}
    assert {number for number, said in answers.items() if not said} == ignored


def in_the_filter(source: str, *arguments: str) -> str:
    """Run code in a process under the filter. Returns its output."""
    code = (
        "import ctypes, errno, fcntl, json, os, sys\nfrom labkit.grade.sandbox import privileges, seccomp\n"
        f"privileges.no_new_privileges(); seccomp.restrict()\nlibc = ctypes.CDLL(None, use_errno=True)\n{source}"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
