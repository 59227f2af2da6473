"""A minimal binding to Landlock. After `restrict`, this process can open only the named paths.

Landlock lets an unprivileged Linux process restrict itself. No package for it is well maintained, and only three system calls
need a binding. Their numbers are the same on every architecture.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1  # flag of the first call: only return the kernel's ABI version
_PATH_BENEATH = 1

# Rights by their bits in <linux/landlock.h>, and how many of them each ABI has.
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_RIGHTS_OF_ABI = {1: 13, 2: 14, 3: 15, 4: 15}  # 16 from ABI 5 on
_TCP_BIND_AND_CONNECT = 0b11  # from ABI 4 on
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11  # from ABI 6 on: only sockets and signals of this process and its descendants

_READ = _READ_FILE | _READ_DIR
_USE_FILE = _READ_FILE | _WRITE_FILE | _TRUNCATE

_libc = ctypes.CDLL(None, use_errno=True)


def abi() -> int:
    """The kernel's Landlock version. Returns 0 if it has none."""
    if os.uname().sysname != "Linux":
        return 0
    return max(0, _libc.syscall(ctypes.c_long(_CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint(_VERSION)))


def restrict(read: Iterable[str], write: Iterable[str], devices: Iterable[str] = ()) -> None:
    """Restrict this thread and everything it starts to these paths.

    Paths in `read` can only be read. Files in `write` can be created, changed and removed, but not executed. `devices` can be read
    and written. Missing paths are skipped. Call this before other threads start; no_new_privs must be set. Errors: OSError.
    """
    version = abi()
    handled = (1 << _RIGHTS_OF_ABI.get(version, 16)) - 1
    network = _TCP_BIND_AND_CONNECT if version >= 4 else 0
    scoped = _ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0
    attributes = struct.pack("=QQQ", handled, network, scoped)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint(0))
    try:
        for path in read:
            _allow(rules, path, handled & _READ)
        for path in write:
            _allow(rules, path, handled & ~(_EXECUTE | _MAKE_CHAR | _MAKE_BLOCK | _IOCTL_DEV))
        for path in devices:
            _allow(rules, path, handled & _USE_FILE)
        _call(_RESTRICT_SELF, ctypes.c_int(rules), ctypes.c_uint(0))
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _USE_FILE
        rule = struct.pack("=Qi", rights, place)
        _call(_ADD_RULE, ctypes.c_int(rules), ctypes.c_int(_PATH_BENEATH), rule, ctypes.c_uint(0))
    finally:
        os.close(place)


def _call(number: int, *arguments: object) -> int:
    result = _libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"Landlock: {os.strerror(error)}")
    return result
