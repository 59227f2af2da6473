"""A seccomp filter that refuses the system calls that submitted code may not make.

pyseccomp had its last release in 2021 and needs libseccomp on the machine. This filter is only a few comparisons, so it is
assembled here, and nothing has to be installed. Refused calls fail with EPERM, so a student sees an ordinary PermissionError.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from labkit.grade.sandbox import system_calls as calls

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000  # on x86-64, Linux offers every call a second time, with this bit set
_CLONE_FS, _CLONE_FILES, _CLONE_THREAD = 0x200, 0x400, 0x10000
_AF_UNIX, _AF_NETLINK, _SOCK_STREAM, _NETLINK_ROUTE = 1, 16, 1, 0
_FUTEX_PRIVATE, _FUTEX_COMMAND, _FUTEX_WAKE = 128, 0x7F, 1
_PER_USER = 6, 11  # RLIMIT_NPROC and RLIMIT_SIGPENDING
_CLOCKS = 12  # Linux numbers its clocks from 0 to 11
_REAL_TIME_SIGNALS = 34  # the first real-time signal; glibc reserves two below it

_ALLOW, _IGNORE = 0x7FFF0000, 0x00050000  # the error number is in the lower half
_REFUSE, _ABSENT, _UNSUPPORTED = _IGNORE | errno.EPERM, _IGNORE | errno.ENOSYS, _IGNORE | errno.EOPNOTSUPP
_AGAIN, _INVALID = _IGNORE | errno.EAGAIN, _IGNORE | errno.EINVAL
# BPF operations on one 32-bit word
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data; its arguments are 8 bytes each, from offset 16 on

_SECCOMP = (317, 277)
_SET_MODE_FILTER, _ALL_THREADS = 1, 1


def available() -> bool:
    """Whether this is Linux with seccomp filters, on an architecture whose call numbers are known."""
    machine = os.uname()
    known = machine.sysname == "Linux" and machine.machine in _ARCHITECTURES
    return known and os.path.exists("/proc/sys/kernel/seccomp")


def restrict() -> None:
    """Install the filter in every thread of this process. no_new_privs must be set. Errors: OSError."""
    _filter(program(os.uname().machine, os.getpid()))


def refuse_names() -> None:
    """Forbid binding sockets to names, because a process outside could see the names. Errors: OSError."""
    column, _ = _ARCHITECTURES[os.uname().machine]
    code = [_op(_LOAD, _NUMBER), _op(_EQUAL, calls.BIND[column], 0, 1), _op(_RETURN, _REFUSE), _op(_RETURN, _ALLOW)]
    _filter(b"".join(code))  # added to the first filter, which refuses calls of other architectures


def _filter(code: bytes) -> None:
    memory = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("@HP", len(code) // 8, ctypes.addressof(memory))
    column, _ = _ARCHITECTURES[os.uname().machine]
    libc = ctypes.CDLL(None, use_errno=True)
    flags = ctypes.c_uint(_SET_MODE_FILTER), ctypes.c_uint(_ALL_THREADS)
    result = libc.syscall(ctypes.c_long(_SECCOMP[column]), *flags, filter_)
    if result != 0:
        error = ctypes.get_errno() or errno.EBUSY
        raise OSError(error, f"seccomp: {os.strerror(error)}")


def program(machine: str, pid: int) -> bytes:
    """Assemble the filter for a process that may signal only itself."""
    column, architecture = _ARCHITECTURES[machine]
    code = [_op(_LOAD, _ARCHITECTURE), _op(_EQUAL, architecture, 1, 0), _op(_RETURN, _REFUSE), _op(_LOAD, _NUMBER)]
    if machine == "x86_64":
        code += [_op(_AT_LEAST, _X32, 0, 1), _op(_RETURN, _REFUSE)]
    # First, because threads make this call often. A shared wait is refused: two kernels that map the same file could wake each
    # other with it. glibc uses it only to wait for the end of a thread, and repeats it after EAGAIN. Locks with an owner (from
    # LOCK_PI on, and with WAIT_REQUEUE_PI) reveal which threads exist.
    owned = [_op(_AT_LEAST, 11, 2, 0), _op(_AT_LEAST, 9, 2, 0), _op(_AT_LEAST, 6, 0, 1), _op(_RETURN, _ABSENT)]
    code += _when(calls.FUTEX[column], _argument(1), _op(_ANY_BIT, _FUTEX_PRIVATE, 3, 0), _op(_AND, _FUTEX_COMMAND),
                  _op(_EQUAL, _FUTEX_WAKE, 6, 0), _op(_RETURN, _AGAIN), _op(_AND, _FUTEX_COMMAND), *owned)  # fmt: skip
    code += [_op(_AT_LEAST, calls.NEWEST + 1, 0, 1), _op(_RETURN, _ABSENT)]
    refused = [(several, _REFUSE) for several in calls.REFUSED.values()]
    others = (calls.IGNORED, _IGNORE), (calls.UNSUPPORTED, _UNSUPPORTED), (calls.ABSENT, _ABSENT)
    for several, verdict in (*refused, *others):
        for numbers in several.values():
            if numbers[column] is not None:
                code += [_op(_EQUAL, numbers[column], 0, 1), _op(_RETURN, verdict)]
    # Threads must share files and working folder with their process, otherwise the files that they open are not counted.
    threads = _CLONE_THREAD | _CLONE_FILES | _CLONE_FS
    code += _when(
        calls.CLONE[column], _argument(0), _op(_AND, threads), _op(_EQUAL, threads, 1, 0), _op(_RETURN, _REFUSE)
    )
    code += _when(calls.CLOSE_RANGE[column], _argument(2), _op(_EQUAL, 0, 1, 0), _op(_RETURN, _REFUSE))
    # A datagram socket could reach others without connecting. ZeroMQ aborts if it cannot list network devices.
    stream = [_op(_EQUAL, _AF_UNIX, 1, 0), _op(_RETURN, _REFUSE), _argument(1), _op(_AND, 0xF),
              _op(_EQUAL, _SOCK_STREAM, 1, 0), _op(_RETURN, _REFUSE)]  # fmt: skip
    list_devices = [_op(_EQUAL, _AF_NETLINK, 0, 3), _argument(2), _op(_EQUAL, _NETLINK_ROUTE, len(stream) + 1, 0),
                    _op(_RETURN, _REFUSE)]  # fmt: skip
    code += _when(calls.SOCKET[column], _argument(0), *list_devices, *stream)
    code += _when(calls.SOCKETPAIR[column], _argument(0), *stream)
    # Queued signals are refused, because all processes of a user share one count of them.
    own = _op(_EQUAL, pid, 2, 0), _op(_EQUAL, -pid & 0xFFFFFFFF, 1, 0), _op(_RETURN, _REFUSE)
    for call, place in ((calls.KILL, 1), (calls.TGKILL, 2)):
        plain = _argument(place), _op(_AT_LEAST, _REAL_TIME_SIGNALS, 0, 1), _op(_RETURN, _REFUSE)
        code += _when(call[column], _argument(0), *own, *plain)
    # Limits on what all processes of a user have together, threads and queued signals, reveal how much the others have.
    per_user = [part for which in _PER_USER for part in (_op(_EQUAL, which, 0, 1), _op(_RETURN, _REFUSE))]
    me = _op(_EQUAL, 0, 2, 0), _op(_EQUAL, pid, 1, 0)
    code += _when(calls.PRLIMIT[column], _argument(0), *me, _op(_RETURN, _REFUSE), _argument(1), *per_user)
    code += _when(calls.SETRLIMIT[column], _argument(0), *per_user)
    for call, place in calls.ABOUT.items():  # glibc accepts that they are missing
        code += _when(call[column], _argument(place), *me, _op(_RETURN, _ABSENT))
    for call in calls.CLOCKS:  # other numbers are the processor clocks of processes and threads
        code += _when(call[column], _argument(0), _op(_AT_LEAST, _CLOCKS, 0, 1), _op(_RETURN, _INVALID))
    # A read with flags can reveal whether another process has read the same data. Without flags it is an ordinary read.
    for call in (calls.PREADV2, calls.PWRITEV2):
        code += _when(call[column], _argument(5), _op(_EQUAL, 0, 1, 0), _op(_RETURN, _UNSUPPORTED))
    code += _listed(calls.FCNTL[column], 1, calls.COMMANDS, calls.LOCKS, _REFUSE)
    code += _listed(calls.IOCTL[column], 1, calls.REQUESTS, {}, _REFUSE)
    code += _listed(calls.PRCTL[column], 0, calls.OPTIONS, {}, _REFUSE)
    code += _listed(calls.MADVISE[column], 2, calls.ADVICE, calls.HINTS, _INVALID)
    return b"".join([*code, _op(_RETURN, _ALLOW)])


def _listed(number: int, place: int, allowed: dict[str, int], ignored: dict[str, int], others: int) -> list[bytes]:
    """Instructions for a system call whose argument at `place` selects an operation. Only `allowed` ones are run."""
    nothing = [part for value in ignored.values() for part in (_op(_EQUAL, value, 0, 1), _op(_RETURN, _IGNORE))]
    known = [_op(_EQUAL, value, left, 0) for left, value in zip(range(len(allowed), 0, -1), allowed.values())]
    return _when(number, _argument(place), *nothing, *known, _op(_RETURN, others))


def _when(number: int, *body: bytes) -> list[bytes]:
    """Instructions for one system call. They allow it unless `body` decides otherwise; other calls skip them."""
    return [_op(_EQUAL, number, 0, len(body) + 1), *body, _op(_RETURN, _ALLOW)]


def _argument(index: int) -> bytes:
    return _op(_LOAD, 16 + 8 * index)


def _op(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)
