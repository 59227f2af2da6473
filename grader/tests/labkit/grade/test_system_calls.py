"""Every system call of x86-64 is refused, restricted or allowed on purpose, including future ones."""

import json

from filtered import in_the_filter
from needs import needs

from labkit.grade.sandbox import seccomp as calls

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
# The filter checks an argument of these calls, as other tests show.
LOOKED_AT = (
    calls.CLONE, calls.SOCKET, calls.SOCKETPAIR, calls.KILL, calls.TGKILL, calls.PRLIMIT, calls.FCNTL, calls.IOCTL,
    calls.PRCTL, calls.FUTEX, calls.PREADV2, calls.PWRITEV2, calls.CLOSE_RANGE, calls.MADVISE, calls.SETRLIMIT,
    *calls.CLOCKS, *calls.ABOUT,
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
    refused = {calls._REFUSE & 0xFFFF, calls._ABSENT & 0xFFFF, calls._UNSUPPORTED & 0xFFFF, 0}
    assert {number: said for number, said in answers.items() if said not in refused} == {}
    ignored = {numbers[0] for numbers in calls.IGNORED.values()}
    assert {number for number, said in answers.items() if not said} == ignored
