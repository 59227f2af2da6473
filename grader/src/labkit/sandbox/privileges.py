"""What any Unix offers to confine a process and start it whole: a session, an ordinary user, POSIX limits, an end with its parent."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import glob
from math import ceil

UNPRIVILEGED = 65534  # the user and group "nobody", whom the superuser's kernels become
LINUX = sys.platform == "linux"

_PDEATHSIG, _DUMPABLE, _KEEPCAPS, _CHILD_SUBREAPER, _NO_NEW_PRIVS = 1, 4, 8, 36, 38  # of prctl
_CAP_DAC_READ_SEARCH = 2
_libc = ctypes.CDLL(None, use_errno=True)
_CAPSET = {"x86_64": 126, "aarch64": 91}


@contextmanager
def uninterrupted() -> Iterator[None]:
    """An interrupt comes when this is done: a process that is half begun would wait for ever, or end in a traceback."""
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def own_session() -> None:
    """Leave the terminal and the process group of whoever started this process."""
    with suppress(PermissionError):  # it leads a session already
        os.setsid()


def drop_root(places: Iterable[str]) -> None:
    """Become an ordinary user if this is the superuser; for others nothing changes.

    An interpreter in the superuser's own home is out of an ordinary user's reach. Where one of `places` is, the process
    keeps the one capability to read what it may not, and Landlock says what that is.
    """
    if os.geteuid() != 0:
        return
    if LINUX:
        _prctl(_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(*[UNPRIVILEGED] * 3)
    os.setresuid(*[UNPRIVILEGED] * 3)
    if LINUX:
        within_reach = all(os.access(place, os.R_OK) for place in places)
        _keep_capabilities(0 if within_reach else 1 << _CAP_DAC_READ_SEARCH)
        _prctl(_KEEPCAPS, 0)
        _prctl(_DUMPABLE, 1)  # else /proc/self would belong to the superuser


def no_new_privileges() -> None:
    """No program that this process starts gains rights by being set-uid."""
    if LINUX:
        _prctl(_NO_NEW_PRIVS, 1)


def die_with_parent(parent: int) -> None:
    """End when the parent ends, at once if it has. Becoming another user undoes this, so it comes after that."""
    if LINUX:
        _prctl(_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def become_subreaper() -> None:
    """Let processes whose parents die become this one's children, so that none outlives its kernel. Linux only."""
    _prctl(_CHILD_SUBREAPER, 1)


def limit(limits: dict[str, int]) -> None:
    """Set each POSIX limit by its name, never above what the process is allowed already."""
    import resource

    unbound()
    for name, wanted in limits.items():
        which = getattr(resource, name, None)
        if which is None:
            continue
        hard = resource.getrlimit(which)[1]
        above = hard == resource.RLIM_INFINITY or hard > wanted
        value = wanted if above else hard
        # At the soft limit of processor time comes a signal that tells why, a second later the end.
        most = value + 1 if above and name == "RLIMIT_CPU" else value
        with suppress(ValueError, OSError):  # macOS refuses some limits; the others still hold
            resource.setrlimit(which, (value, most))


def bound_from_now(seconds: int, size: int) -> None:
    """This process may use so many more seconds of processor time, and so many bytes more: then it is ended, or gets none.

    Soft limits: what it starts inherits them, and calls `unbound`.
    """
    _soft_limit("RLIMIT_CPU", ceil(time.process_time()) + seconds)
    if LINUX:
        _soft_limit("RLIMIT_DATA", bytes_in_use() + size)


def bytes_in_use() -> int:
    """This process's memory that RLIMIT_DATA counts; 0 on a system that does not tell."""
    if not LINUX:
        return 0
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[5]) * os.sysconf("SC_PAGESIZE")


def unbound() -> None:
    """Lift those limits again."""
    _soft_limit("RLIMIT_CPU", None)
    _soft_limit("RLIMIT_DATA", None)


@contextmanager
def beyond_bounds() -> Iterator[None]:
    """Inside, the bound on memory does not hold: for what this process needs of its own while a submission has all of that."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    _soft_limit("RLIMIT_DATA", None)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _soft_limit(name: str, wanted: int | None) -> None:
    import resource

    which = getattr(resource, name)
    hard = resource.getrlimit(which)[1]
    above = wanted is not None and (hard == resource.RLIM_INFINITY or hard > wanted)
    resource.setrlimit(which, (wanted if above else hard, hard))


def allows(name: str, wanted: int) -> bool:
    """Whether a process that this one starts can have so high a POSIX limit."""
    import resource

    hard = resource.getrlimit(getattr(resource, name))[1]
    return hard == resource.RLIM_INFINITY or hard >= wanted


def running() -> int:
    """How many threads this user runs already, on a system that tells; 1,000 on another, which is many."""
    return sum(map(_threads, glob("/proc/[0-9]*"))) or 1_000


def _threads(process: str) -> int:
    try:
        return len(os.listdir(f"{process}/task")) if os.stat(process).st_uid == os.getuid() else 0
    except OSError:  # it has ended, or is not ours to look at
        return 1


def _keep_capabilities(kept: int) -> None:
    header = struct.pack("=Ii", 0x20080522, 0)  # the version of the call's structures, and "this process"
    data = struct.pack("=6I", kept, kept, 0, 0, 0, 0)  # effective, permitted, inheritable; then their upper halves
    _check(_libc.syscall(ctypes.c_long(_CAPSET[os.uname().machine]), header, data))


def _prctl(option: int, value: int) -> None:
    _check(_libc.prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0))))


def _check(result: int) -> None:
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
