"""A seccomp filter that refuses the system calls that submitted code may not make.

pyseccomp had its last release in 2021 and needs libseccomp on the machine. This filter is only a few comparisons, so it is
assembled here, and nothing has to be installed. Refused calls fail with EPERM, so a student sees an ordinary PermissionError.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

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

# System calls by number on x86-64 and 64-bit ARM (None: no such call). A submission's kernel may not make these:
REFUSED = {
    "processes": {"fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281)},
    "other processes": {
        "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
        "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "tkill": (200, 130),
        "process_madvise": (440, 440), "process_mrelease": (448, 448), "migrate_pages": (256, 238),
        "move_pages": (279, 239), "ioprio_set": (251, 30), "sched_setattr": (314, 274), "capget": (125, 90),
        "get_robust_list": (274, 100),
    },
    "sockets": {"connect": (42, 203)},  # the kernel only listens; its sockets are files in its workdir
    # Files in transit between two sockets belong to no process, and queued signals are counted per user.
    "files and signals in flight": {
        "sendmsg": (46, 211), "sendmmsg": (307, 269), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    },
    # These reveal what another submission's kernel reads or has in memory.
    "what the system has in memory": {
        "mincore": (27, 232), "cachestat": (451, 451), "mlock": (149, 228), "mlock2": (325, 284), "mlockall": (151, 230),
        "mbind": (237, 235), "set_mempolicy": (238, 237), "get_mempolicy": (239, 236),
        "set_mempolicy_home_node": (450, 450), "sysinfo": (99, 179),
    },
    # Landlock does not cover these calls, and the file may be the instructor's.
    "attributes of files": {
        "truncate": (76, 45), "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
        "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "removexattr": (197, 14),
        "lremovexattr": (198, 15), "fremovexattr": (199, 16), "setxattrat": (463, 463), "removexattrat": (466, 466),
        "inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
        "fanotify_init": (300, 262),
    },
    # A tool outside that opens a file or socket in the workdir would follow a link out of the workdir.
    "links": {"symlink": (88, None), "symlinkat": (266, 36)},
    # Memory and messages that outlive the process or escape its limits. One byte in a pipe or socket can pin a page of 2 MiB, and
    # all contexts and timers of the machine share one pool.
    "memory": {
        "splice": (275, 76), "tee": (276, 77), "vmsplice": (278, 75), "sendfile": (40, 71), "timer_create": (222, 107),
        "io_setup": (206, 0), "io_destroy": (207, 1), "io_submit": (209, 2), "io_cancel": (210, 3),
        "io_getevents": (208, 4), "io_pgetevents": (333, 292), "landlock_create_ruleset": (444, 444),
        "landlock_add_rule": (445, 445), "landlock_restrict_self": (446, 446),
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
# These calls do nothing and report success, because copying a file ends with chmod, and ZeroMQ aborts if scheduler calls fail.
# Locks and advice would affect every process with the same open file, and socket buffers keep their size.
IGNORED = {
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "utime": (132, None),
    "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88), "setpriority": (141, 140),
    "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "sched_setaffinity": (203, 122),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sync": (162, 81), "syncfs": (306, 267), "sync_file_range": (277, 84), "fadvise64": (221, 223),
    "readahead": (187, 213), "flock": (73, 32), "setsockopt": (54, 208),
}  # fmt: skip
# These calls report "unsupported by the file system", which honest code expects. Attributes would reveal facts about files
# outside, and space can be reserved faster than it is counted.
UNSUPPORTED = {
    "getxattr": (191, 8), "lgetxattr": (192, 9), "fgetxattr": (193, 10), "listxattr": (194, 11), "llistxattr": (195, 12),
    "flistxattr": (196, 13), "getxattrat": (464, 464), "listxattrat": (465, 465), "fallocate": (285, 47),
}  # fmt: skip
# New kinds of futexes, which no C library uses yet.
ABSENT = {
    "clone3": (435, 435), "futex_waitv": (449, 449), "futex_wake": (454, 454), "futex_wait": (455, 455),
    "futex_requeue": (456, 456),
}  # fmt: skip
# Calls that are allowed or refused depending on an argument.
CLONE, SOCKET, SOCKETPAIR, BIND, FUTEX = (56, 220), (41, 198), (53, 199), (49, 200), (202, 98)
KILL, TGKILL, PRLIMIT, FCNTL, IOCTL, PRCTL = (62, 129), (234, 131), (302, 261), (72, 25), (16, 29), (157, 167)
PREADV2, PWRITEV2, CLOSE_RANGE, MADVISE = (327, 286), (328, 287), (436, 436), (28, 233)
SETRLIMIT, CLOCKS = (160, 164), ((228, 113), (229, 114), (230, 115))  # clock_gettime, clock_getres, clock_nanosleep
# Calls about any process or thread, each with the argument that names it.
ABOUT = {
    (121, 155): 0, (124, 156): 0, (109, 154): 0,  # getpgid, getsid, setpgid
    (140, 141): 1, (252, 31): 1,  # getpriority, ioprio_get
    (315, 275): 0, (204, 123): 0, (148, 127): 0,  # sched_getattr, sched_getaffinity, sched_rr_get_interval
}  # fmt: skip
NEWEST = 466  # newer calls fail as missing on both architectures

# Allowed operations on an open file. Others send signals, delay other processes' opens (leases) or change attributes.
COMMANDS = {
    "F_DUPFD": 0, "F_GETFD": 1, "F_SETFD": 2, "F_GETFL": 3, "F_SETFL": 4, "F_GETLK": 5, "F_DUPFD_QUERY": 1027,
    "F_DUPFD_CLOEXEC": 1030, "F_GETPIPE_SZ": 1032,
}  # fmt: skip
# A process never waits for its own locks and has its workdir to itself, so SQLite works even if locks do nothing.
LOCKS = {"F_SETLK": 6, "F_SETLKW": 7}
REQUESTS = {
    "TCGETS": 0x5401, "TCGETS2": 0x802C542A, "TIOCGPGRP": 0x540F, "TIOCGWINSZ": 0x5413, "FIONREAD": 0x541B,
    "FIONBIO": 0x5421, "FIONCLEX": 0x5450, "FIOCLEX": 0x5451, "FICLONE": 0x40049409, "FICLONERANGE": 0x4020940D,
}  # fmt: skip
# What a process may query and set for itself: names, and settings already in force. The process
# still ends with its parent and can still be inspected.
OPTIONS = {
    "PR_GET_PDEATHSIG": 2, "PR_GET_DUMPABLE": 3, "PR_SET_NAME": 15, "PR_GET_NAME": 16, "PR_GET_SECCOMP": 21,
    "PR_CAPBSET_READ": 23, "PR_GET_TIMERSLACK": 30, "PR_SET_NO_NEW_PRIVS": 38, "PR_GET_NO_NEW_PRIVS": 39,
    "PR_GET_THP_DISABLE": 42, "PR_SVE_GET_VL": 51, "PR_GET_TAGGED_ADDR_CTRL": 56, "PR_SME_GET_VL": 64,
    "PR_SET_VMA": 0x53564D41,
}  # fmt: skip
# Allowed advice on memory; the hints have no effect, and unlisted advice would affect other processes' memory.
ADVICE = {
    "MADV_NORMAL": 0, "MADV_DONTNEED": 4, "MADV_FREE": 8, "MADV_DONTFORK": 10, "MADV_DOFORK": 11, "MADV_HUGEPAGE": 14,
    "MADV_NOHUGEPAGE": 15, "MADV_DONTDUMP": 16, "MADV_DODUMP": 17, "MADV_WIPEONFORK": 18, "MADV_KEEPONFORK": 19,
    "MADV_GUARD_INSTALL": 102, "MADV_GUARD_REMOVE": 103,
}  # fmt: skip
HINTS = {"MADV_RANDOM": 1, "MADV_SEQUENTIAL": 2, "MADV_WILLNEED": 3}


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
    code = [_op(_LOAD, _NUMBER), _op(_EQUAL, BIND[column], 0, 1), _op(_RETURN, _REFUSE), _op(_RETURN, _ALLOW)]
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
    code += _when(FUTEX[column], _argument(1), _op(_ANY_BIT, _FUTEX_PRIVATE, 3, 0), _op(_AND, _FUTEX_COMMAND),
                  _op(_EQUAL, _FUTEX_WAKE, 6, 0), _op(_RETURN, _AGAIN), _op(_AND, _FUTEX_COMMAND), *owned)  # fmt: skip
    code += [_op(_AT_LEAST, NEWEST + 1, 0, 1), _op(_RETURN, _ABSENT)]
    refused = [(several, _REFUSE) for several in REFUSED.values()]
    others = (IGNORED, _IGNORE), (UNSUPPORTED, _UNSUPPORTED), (ABSENT, _ABSENT)
    for several, verdict in (*refused, *others):
        for numbers in several.values():
            if numbers[column] is not None:
                code += [_op(_EQUAL, numbers[column], 0, 1), _op(_RETURN, verdict)]
    # Threads must share files and working folder with their process, otherwise the files that they open are not counted.
    threads = _CLONE_THREAD | _CLONE_FILES | _CLONE_FS
    code += _when(CLONE[column], _argument(0), _op(_AND, threads), _op(_EQUAL, threads, 1, 0), _op(_RETURN, _REFUSE))
    code += _when(CLOSE_RANGE[column], _argument(2), _op(_EQUAL, 0, 1, 0), _op(_RETURN, _REFUSE))
    # A datagram socket could reach others without connecting. ZeroMQ aborts if it cannot list network devices.
    stream = [_op(_EQUAL, _AF_UNIX, 1, 0), _op(_RETURN, _REFUSE), _argument(1), _op(_AND, 0xF),
              _op(_EQUAL, _SOCK_STREAM, 1, 0), _op(_RETURN, _REFUSE)]  # fmt: skip
    list_devices = [_op(_EQUAL, _AF_NETLINK, 0, 3), _argument(2), _op(_EQUAL, _NETLINK_ROUTE, len(stream) + 1, 0),
                    _op(_RETURN, _REFUSE)]  # fmt: skip
    code += _when(SOCKET[column], _argument(0), *list_devices, *stream)
    code += _when(SOCKETPAIR[column], _argument(0), *stream)
    # Queued signals are refused, because all processes of a user share one count of them.
    own = _op(_EQUAL, pid, 2, 0), _op(_EQUAL, -pid & 0xFFFFFFFF, 1, 0), _op(_RETURN, _REFUSE)
    for call, place in ((KILL, 1), (TGKILL, 2)):
        plain = _argument(place), _op(_AT_LEAST, _REAL_TIME_SIGNALS, 0, 1), _op(_RETURN, _REFUSE)
        code += _when(call[column], _argument(0), *own, *plain)
    # Limits on what all processes of a user have together, threads and queued signals, reveal how much the others have.
    per_user = [part for which in _PER_USER for part in (_op(_EQUAL, which, 0, 1), _op(_RETURN, _REFUSE))]
    me = _op(_EQUAL, 0, 2, 0), _op(_EQUAL, pid, 1, 0)
    code += _when(PRLIMIT[column], _argument(0), *me, _op(_RETURN, _REFUSE), _argument(1), *per_user)
    code += _when(SETRLIMIT[column], _argument(0), *per_user)
    for call, place in ABOUT.items():  # glibc accepts that they are missing
        code += _when(call[column], _argument(place), *me, _op(_RETURN, _ABSENT))
    for call in CLOCKS:  # other numbers are the processor clocks of processes and threads
        code += _when(call[column], _argument(0), _op(_AT_LEAST, _CLOCKS, 0, 1), _op(_RETURN, _INVALID))
    # A read with flags can reveal whether another process has read the same data. Without flags it is an ordinary read.
    for call in (PREADV2, PWRITEV2):
        code += _when(call[column], _argument(5), _op(_EQUAL, 0, 1, 0), _op(_RETURN, _UNSUPPORTED))
    code += _listed(FCNTL[column], 1, COMMANDS, LOCKS, _REFUSE)
    code += _listed(IOCTL[column], 1, REQUESTS, {}, _REFUSE)
    code += _listed(PRCTL[column], 0, OPTIONS, {}, _REFUSE)
    code += _listed(MADVISE[column], 2, ADVICE, HINTS, _INVALID)
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
