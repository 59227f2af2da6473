"""Run a command as if namespaces and Landlock, or only Landlock, were missing: `closed.py all|landlock COMMAND`."""

import ctypes
import errno
import os
import struct
import sys

from labkit.grade.sandbox import privileges, seccomp

LANDLOCK = (444, 445, 446)
MISSING = {"x86_64": (165, 272), "aarch64": (40, 97)}  # mount, unshare
ABSENT = 0x00050000 | errno.ENOSYS
NEWUSER_AND_OTHERS = 0x7E020000  # flags of clone that request a namespace


def op(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)


def close(what: str) -> None:
    machine = os.uname().machine
    clone, seccomp_call = (56, 317) if machine == "x86_64" else (220, 277)
    code = [op(0x20, 0)]
    for number in (*LANDLOCK, *((*MISSING[machine], 435) if what == "all" else ())):  # 435: clone3 hides its flags
        code += [op(0x15, number, 0, 1), op(0x06, ABSENT)]
    if what == "all":
        code += [op(0x15, clone, 0, 3), op(0x20, 16), op(0x45, NEWUSER_AND_OTHERS, 0, 1), op(0x06, ABSENT)]
    code += [op(0x06, 0x7FFF0000)]
    program = b"".join(code)
    memory = ctypes.create_string_buffer(program, len(program))
    filter_ = struct.pack("@HP", len(program) // 8, ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.syscall(ctypes.c_long(seccomp_call), ctypes.c_uint(1), ctypes.c_uint(1), filter_) == 0


if __name__ == "__main__":
    assert seccomp.available()
    privileges.no_new_privileges()
    close(sys.argv[1])
    os.execv(sys.argv[2], sys.argv[2:])
