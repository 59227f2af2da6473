"""Which system calls submitted code may not make: a seccomp filter, written for exactly this use.

pyseccomp had its last release in 2021 and needs libseccomp on the machine. The filter is a few comparisons, so it is
assembled here, and nothing has to be installed. What is refused fails with EPERM, so that a student sees an ordinary
PermissionError.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

# The numbers of each call on x86-64 and on 64-bit ARM; None where there is no such call.
_REFUSED = {
    "processes": {"fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281)},
    "other processes": {
        "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
        "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "tkill": (200, 130),
        "process_madvise": (440, 440), "process_mrelease": (448, 448), "migrate_pages": (256, 238),
        "move_pages": (279, 239), "ioprio_set": (251, 30), "sched_setattr": (314, 274),
    },
    "sockets": {"connect": (42, 203)},  # the kernel only listens; its sockets are files in its workdir
    # Landlock says nothing on these, and the file may be the instructor's.
    "attributes of files": {
        "truncate": (76, 45), "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
        "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
        "lremovexattr": (198, 15), "fremovexattr": (199, 16), "setxattrat": (463, 463), "removexattrat": (466, 466),
        "inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
        "fanotify_init": (300, 262),
    },
    # A tool outside that opens a file or a socket of the workdir would follow them out of it.
    "links": {"symlink": (88, None), "symlinkat": (266, 36)},
    # Memory and messages that outlive the process or escape its limits.
    "memory": {
        "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
        "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
        "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    },
    "the system": {
        "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
        "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
        "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
        "quotactl": (179, 60), "quotactl_fd": (443, 443), "swapon": (167, 224), "swapoff": (168, 225),
        "reboot": (169, 142), "sethostname": (170, 161), "setdomainname": (171, 162), "init_module": (175, 105),
        "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
        "kexec_file_load": (320, 294), "acct": (163, 89), "syslog": (103, 116), "add_key": (248, 217),
        "request_key": (249, 218), "keyctl": (250, 219), "bpf": (321, 280), "perf_event_open": (298, 241),
        "userfaultfd": (323, 282), "personality": (135, 92), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427), "modify_ldt": (154, None), "iopl": (172, None), "ioperm": (173, None),
        "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
        "lookup_dcookie": (212, 18), "vhangup": (153, 58), "uselib": (134, None),
        "statmount": (457, 457), "listmount": (458, 458),
    },
}  # fmt: skip
# These do nothing, and seem to succeed: copying a file ends with the first, and ZeroMQ aborts without the last.
_IGNORED = {
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "utime": (132, None),
    "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88), "setpriority": (141, 140),
    "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122),
    "sync": (162, 81), "syncfs": (306, 267),
}  # fmt: skip
# These say that the file system has no such thing, which honest code expects: attributes of files outside would tell of
# them, and space that is only set aside is taken faster than it is counted.
_UNSUPPORTED_CALLS = {
    "getxattr": (191, 8), "lgetxattr": (192, 9), "fgetxattr": (193, 10), "listxattr": (194, 11), "llistxattr": (195, 12),
    "flistxattr": (196, 13), "getxattrat": (464, 464), "listxattrat": (465, 465), "fallocate": (285, 47),
}  # fmt: skip
# Calls that depend on an argument.
_CLONE, _CLONE3, _SOCKET, _SOCKETPAIR = (56, 220), (435, 435), (41, 198), (53, 199)
_KILL, _TGKILL, _SIGQUEUE, _TGSIGQUEUE = (62, 129), (234, 131), (129, 138), (297, 240)
_PRLIMIT, _FCNTL, _IOCTL, _PRCTL = (302, 261), (72, 25), (16, 29), (157, 167)
_NEWEST = 466  # what came after it was not thought of here, and says on both architectures that it is not there

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000  # x86-64 kernels offer every call a second time with this bit set
_CLONE_THREAD = 0x00010000
_AF_UNIX, _AF_NETLINK, _SOCK_STREAM, _NETLINK_ROUTE = 1, 16, 1, 0
# What may be done to an open file. With the rest one sends signals, stalls others' opens (leases) or changes attributes.
_COMMANDS = {
    "F_DUPFD": 0, "F_GETFD": 1, "F_SETFD": 2, "F_GETFL": 3, "F_SETFL": 4, "F_GETLK": 5, "F_SETLK": 6, "F_SETLKW": 7,
    "F_OFD_GETLK": 36, "F_OFD_SETLK": 37, "F_OFD_SETLKW": 38, "F_DUPFD_QUERY": 1027, "F_DUPFD_CLOEXEC": 1030,
    "F_SETPIPE_SZ": 1031, "F_GETPIPE_SZ": 1032,
}  # fmt: skip
_REQUESTS = {
    "TCGETS": 0x5401, "TCGETS2": 0x802C542A, "TIOCGPGRP": 0x540F, "TIOCGWINSZ": 0x5413, "FIONREAD": 0x541B,
    "FIONBIO": 0x5421, "FIONCLEX": 0x5450, "FIOCLEX": 0x5451, "FICLONE": 0x40049409, "FICLONERANGE": 0x4020940D,
}  # fmt: skip
# What a process may ask and say of itself: names, and what it is already. It stays bound to its parent, and can be looked at.
_OPTIONS = {
    "PR_GET_PDEATHSIG": 2, "PR_GET_DUMPABLE": 3, "PR_SET_NAME": 15, "PR_GET_NAME": 16, "PR_GET_SECCOMP": 21,
    "PR_CAPBSET_READ": 23, "PR_GET_TIMERSLACK": 30, "PR_SET_NO_NEW_PRIVS": 38, "PR_GET_NO_NEW_PRIVS": 39,
    "PR_GET_THP_DISABLE": 42, "PR_SVE_GET_VL": 51, "PR_GET_TAGGED_ADDR_CTRL": 56, "PR_SME_GET_VL": 64,
    "PR_SET_VMA": 0x53564D41,
}  # fmt: skip

_ALLOW, _IGNORE = 0x7FFF0000, 0x00050000  # an error number goes into the lower half
_REFUSE, _ABSENT, _UNSUPPORTED = _IGNORE | errno.EPERM, _IGNORE | errno.ENOSYS, _IGNORE | errno.EOPNOTSUPP
# BPF operations on one 32-bit word
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # where struct seccomp_data keeps them; its arguments are 8 bytes each from 16 on

_SECCOMP = (317, 277)
_SET_MODE_FILTER, _ALL_THREADS = 1, 1


def available() -> bool:
    """Whether this is Linux on an architecture whose calls are known here, with filters compiled in."""
    machine = os.uname()
    known = machine.sysname == "Linux" and machine.machine in _ARCHITECTURES
    return known and os.path.exists("/proc/sys/kernel/seccomp")


def restrict() -> None:
    """Refuse the calls from now on, in every thread. no_new_privs must be set. Errors: OSError."""
    column, _ = _ARCHITECTURES[os.uname().machine]
    code = program(os.uname().machine, os.getpid())
    memory = ctypes.create_string_buffer(code, len(code))
    filter_ = struct.pack("@HP", len(code) // 8, ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    flags = ctypes.c_uint(_SET_MODE_FILTER), ctypes.c_uint(_ALL_THREADS)
    result = libc.syscall(ctypes.c_long(_SECCOMP[column]), *flags, filter_)
    if result != 0:
        error = ctypes.get_errno() or errno.EBUSY
        raise OSError(error, f"seccomp: {os.strerror(error)}")


def program(machine: str, pid: int) -> bytes:
    """The filter's instructions for a process that may signal itself only."""
    column, architecture = _ARCHITECTURES[machine]
    code = [_op(_LOAD, _ARCHITECTURE), _op(_EQUAL, architecture, 1, 0), _op(_RETURN, _REFUSE), _op(_LOAD, _NUMBER)]
    if machine == "x86_64":
        code += [_op(_AT_LEAST, _X32, 0, 1), _op(_RETURN, _REFUSE)]
    code += [_op(_AT_LEAST, _NEWEST + 1, 0, 1), _op(_RETURN, _ABSENT)]
    refused = [(calls, _REFUSE) for calls in _REFUSED.values()]
    for calls, verdict in (*refused, (_IGNORED, _IGNORE), (_UNSUPPORTED_CALLS, _UNSUPPORTED)):
        for numbers in calls.values():
            if numbers[column] is not None:
                code += [_op(_EQUAL, numbers[column], 0, 1), _op(_RETURN, verdict)]
    # glibc tries clone3 first, whose flags a filter cannot see; told that there is none, it takes clone.
    code += [_op(_EQUAL, _CLONE3[column], 0, 1), _op(_RETURN, _ABSENT)]
    code += _when(_CLONE[column], _argument(0), _op(_ANY_BIT, _CLONE_THREAD, 1, 0), _op(_RETURN, _REFUSE))
    # A datagram socket would reach others without connecting. ZeroMQ aborts unless it may list the network's devices.
    stream = [_op(_EQUAL, _AF_UNIX, 1, 0), _op(_RETURN, _REFUSE), _argument(1), _op(_AND, 0xF),
              _op(_EQUAL, _SOCK_STREAM, 1, 0), _op(_RETURN, _REFUSE)]  # fmt: skip
    list_devices = [_op(_EQUAL, _AF_NETLINK, 0, 3), _argument(2), _op(_EQUAL, _NETLINK_ROUTE, len(stream) + 1, 0),
                    _op(_RETURN, _REFUSE)]  # fmt: skip
    code += _when(_SOCKET[column], _argument(0), *list_devices, *stream)
    code += _when(_SOCKETPAIR[column], _argument(0), *stream)
    own = _op(_EQUAL, pid, 2, 0), _op(_EQUAL, -pid & 0xFFFFFFFF, 1, 0), _op(_RETURN, _REFUSE)
    for call in (_KILL, _TGKILL, _SIGQUEUE, _TGSIGQUEUE):
        code += _when(call[column], _argument(0), *own)
    code += _when(_PRLIMIT[column], _argument(0), _op(_EQUAL, 0, 2, 0), _op(_EQUAL, pid, 1, 0), _op(_RETURN, _REFUSE))
    for call, place, listed in ((_FCNTL, 1, _COMMANDS), (_IOCTL, 1, _REQUESTS), (_PRCTL, 0, _OPTIONS)):
        allowed = [_op(_EQUAL, value, left, 0) for left, value in zip(range(len(listed), 0, -1), listed.values())]
        code += _when(call[column], _argument(place), *allowed, _op(_RETURN, _REFUSE))
    return b"".join([*code, _op(_RETURN, _ALLOW)])


def _when(number: int, *body: bytes) -> list[bytes]:
    """Instructions for one call only: skipped for others, allowed at the end."""
    return [_op(_EQUAL, number, 0, len(body) + 1), *body, _op(_RETURN, _ALLOW)]


def _argument(index: int) -> bytes:
    return _op(_LOAD, 16 + 8 * index)


def _op(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)
