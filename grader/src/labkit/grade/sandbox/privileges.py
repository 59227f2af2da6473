"""Confine a process with standard Unix features: a session, an ordinary user, POSIX limits, and ending with its parent."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
import struct
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import glob
from math import ceil
from pathlib import Path

UNPRIVILEGED = 65534  # the user "nobody" and its group: a superuser's kernels run as this user
LINUX = sys.platform == "linux"
_NOBODY = "when root grades, submissions run as the user `nobody`, who"
CLOSED = (
    f"{_NOBODY} has no permission to read this; "
    "run `chmod -R go+rX` on it and on the course folder, or grade as an ordinary user"
)
CLOSED_ABOVE = (
    f"{_NOBODY} has no permission to enter this folder; "
    "run `chmod go+x` on it, move Python and the course out of it, or grade as an ordinary user"
)

_PDEATHSIG, _DUMPABLE, _KEEPCAPS, _CHILD_SUBREAPER, _NO_NEW_PRIVS = 1, 4, 8, 36, 38  # operations of prctl
_CAP_DAC_READ_SEARCH = 2
_libc = ctypes.CDLL(None, use_errno=True)
_CAPSET = {"x86_64": 126, "aarch64": 91}


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C while a process is being started, because a half-started one would hang or end in a traceback."""
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def own_session() -> None:
    """Leave the terminal and the process group of the process that started this one."""
    with suppress(PermissionError):  # it already leads a session
        os.setsid()


def drop_root(places: Iterable[str]) -> None:
    """Become an ordinary user if this is the superuser. Otherwise change nothing.

    An ordinary user cannot read an interpreter in the superuser's home. If any of `places` is unreadable, the process keeps one
    capability, to read everything, and Landlock limits which files this covers. Errors: PermissionError if bubblewrap, which gives
    no such capability, was started with unreadable places, or if the superuser lacks it too, as in most containers.
    """
    if os.geteuid() != 0:
        return
    if LINUX:
        _prctl(_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(*[UNPRIVILEGED] * 3)
    os.setresuid(*[UNPRIVILEGED] * 3)
    if LINUX:
        closed = next((place for place in places if not os.access(place, os.R_OK)), None)
        try:
            _keep_capabilities(0 if closed is None else 1 << _CAP_DAC_READ_SEARCH)
        except PermissionError:
            raise _closed(str(closed)) from None
        _prctl(_KEEPCAPS, 0)
        _prctl(_DUMPABLE, 1)  # otherwise /proc/self would belong to the superuser


def _closed(place: str) -> PermissionError:
    """The error for an unreadable place. It names the place, or the first folder above it that this user cannot enter."""
    above = next((str(each) for each in reversed(Path(place).parents) if not os.access(each, os.X_OK)), None)
    return PermissionError(errno.EACCES, CLOSED_ABOVE if above else CLOSED, above or place)


@contextmanager
def as_kernels_user() -> Iterator[None]:
    """Let this thread of a superuser use files as its kernels' user; other users change nothing.

    A container's superuser often lacks the right to inspect processes of other users, but any user may inspect their own.
    """
    if not LINUX or os.geteuid() != 0:
        yield
        return
    try:  # includes the calls, because Ctrl-C may come between them
        _libc.setfsgid(UNPRIVILEGED)
        _libc.setfsuid(UNPRIVILEGED)
        yield
    finally:
        _libc.setfsuid(0)
        _libc.setfsgid(os.getegid())


def no_new_privileges() -> None:
    """Prevent set-uid programs that this process starts from gaining rights."""
    if LINUX:
        _prctl(_NO_NEW_PRIVS, 1)


def die_with_parent(parent: int) -> None:
    """End when the parent ends, or at once if the parent has already ended. Call this after `drop_root`, which would undo it."""
    if LINUX:
        _prctl(_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def become_subreaper() -> None:
    """Adopt processes whose parents die, so that they end with their kernel. Linux only."""
    _prctl(_CHILD_SUBREAPER, 1)


def limit(limits: dict[str, int]) -> None:
    """Set each POSIX limit by name, but never above the process's current hard limit."""
    unbound()
    for name, wanted in limits.items():
        which = getattr(resource, name, None)
        if which is None:
            continue
        hard = resource.getrlimit(which)[1]
        above = hard == resource.RLIM_INFINITY or hard > wanted
        value = wanted if above else hard
        # The soft limit on CPU time sends a signal that shows the reason; one second later, the hard limit kills.
        most = value + 1 if above and name == "RLIMIT_CPU" else value
        with suppress(ValueError, OSError):  # macOS refuses some limits; the others still apply
            resource.setrlimit(which, (value, most))


def bound_from_now(seconds: int, size: int) -> None:
    """Limit this process to this many more seconds of CPU time, and to this many more bytes.

    These are soft limits. Child processes inherit them and call `unbound`.
    """
    _soft_limit("RLIMIT_CPU", ceil(time.process_time()) + seconds)
    if LINUX:
        _soft_limit("RLIMIT_DATA", bytes_in_use() + size)


def bytes_in_use() -> int:
    """Bytes of this process's memory that RLIMIT_DATA counts. Returns 0 on systems other than Linux."""
    if not LINUX:
        return 0
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[5]) * os.sysconf("SC_PAGESIZE")


def unbound() -> None:
    """Lift the limits of `bound_from_now`."""
    _soft_limit("RLIMIT_CPU", None)
    _soft_limit("RLIMIT_DATA", None)


@contextmanager
def beyond_bounds() -> Iterator[None]:
    """Suspend the memory limit while this process does its own work, because a submission may have used all that the limit allows."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    _soft_limit("RLIMIT_DATA", None)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _soft_limit(name: str, wanted: int | None) -> None:
    which = getattr(resource, name)
    hard = resource.getrlimit(which)[1]
    above = wanted is not None and (hard == resource.RLIM_INFINITY or hard > wanted)
    resource.setrlimit(which, (wanted if above else hard, hard))


def allows(name: str, wanted: int) -> bool:
    """Whether a child process can have a POSIX limit this high."""
    hard = resource.getrlimit(getattr(resource, name))[1]
    return hard == resource.RLIM_INFINITY or hard >= wanted


def running() -> int:
    """Count this user's threads. Returns 1,000, a high guess, on a system that does not report them."""
    return sum(map(_threads, glob("/proc/[0-9]*"))) or 1_000


def _threads(process: str) -> int:
    try:
        return len(os.listdir(f"{process}/task")) if os.stat(process).st_uid == os.getuid() else 0
    except OSError:  # the process has ended, or is not readable for this user
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
