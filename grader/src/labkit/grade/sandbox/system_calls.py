"""The system calls that a submission's kernel may not make, by number on x86-64 and 64-bit ARM (None: no such call)."""

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
