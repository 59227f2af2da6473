"""Resources that no budget counts: memory that belongs to no process, files outside any file table, and shared pools."""

from attacks.kinds import Overrun, attempts

_CALL = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\ncall = lambda name, *a: libc.syscall(ctypes.c_long(FACTS['calls'][name]), *a)\n"
# In a thread, because the kernel then keeps the files of its other threads.
_ALONE = "import ctypes, threading\ndef alone(work):\n    def run():\n        ctypes.CDLL(None).syscall(436, 10**6, 10**6, 2); work()\n" \
         "    thread = threading.Thread(target=run, daemon=True); thread.start(); return thread\n"  # fmt: skip
ATTEMPTS = {
    "uncounted": attempts("memory, files and shared resources that no budget counts", {
        "a private file table for a thread": "import ctypes, threading\nfound = []\n"
            "thread = threading.Thread(target=lambda: found.append(ctypes.CDLL(None).syscall(436, 10**6, 10**6, 2)))\n"
            "thread.start(); thread.join(9); gained = found == [0]",
        "a file descriptor in flight over a socket": "import os, socket\na, b = socket.socketpair()\nsocket.send_fds(a, [b'x'], [os.open('f', os.O_CREAT)]); gained = True",
        "several file descriptors in flight, with sendmmsg": _CALL + "import socket\na, b = socket.socketpair()\nctypes.set_errno(0)\n"
            "call('sendmmsg', a.fileno(), 8, 1, 0); gained = ctypes.get_errno() == 14",
        "a socket with a large buffer": "import socket\na, b = socket.socketpair()\nbefore = a.getsockopt(1, 7)\n"
            "a.setsockopt(1, 7, before * 2); gained = a.getsockopt(1, 7) > before",
        "a pipe with a large buffer": "import fcntl, os\ngained = fcntl.fcntl(os.pipe()[0], 1031, 2**20)",
        "a page held by a pipe": _CALL + "r, w = os.pipe()\npage = ctypes.create_string_buffer(b'page')\n"
            "gained = call('vmsplice', w, (ctypes.c_void_p * 2)(ctypes.addressof(page), 4), 1, 0) == 4",
        "a file's page held by a socket": "import os, socket\nopen('f', 'w').write('page')\na, b = socket.socketpair()\n"
            "gained = os.sendfile(a.fileno(), os.open('f', 0), 0, 1)",
        "memory mapped with MAP_LOCKED": _CALL + "import mmap\nlibc.mmap.restype, MAP_LOCKED = ctypes.c_ssize_t, 0x2000\n"
            "gained = libc.mmap(None, 4096, 3, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_LOCKED, -1, ctypes.c_long(0)) != -1",
        "memory locked with mlock": _CALL + "gained = libc.mlock(ctypes.create_string_buffer(9), 9) == 0",
        "merged pages (MADV_MERGEABLE)": "import mmap\nmmap.mmap(-1, 4096).madvise(12); gained = True",
        "its own Landlock ruleset": _CALL + "gained = call('landlock_create_ruleset', None, 0, 1) > 0",
        "more open files than a kernel needs": "files = [open('/dev/null') for _ in range(128)]; gained = True",
        "asynchronous I/O contexts": _CALL + "made = ctypes.c_ulong()\ngained = call('io_setup', 8, ctypes.byref(made)) == 0",
        "POSIX timers": _CALL + "gained = call('timer_create', 1, None, ctypes.byref(ctypes.c_int())) == 0",
        "queued signals": "import resource; gained = resource.getrlimit(resource.RLIMIT_SIGPENDING)[0] > 64",
        "a lock on a file that all kernels read": "import fcntl, os\nfirst, second = _shared(), _shared()\nfcntl.flock(first, fcntl.LOCK_EX)\n"
            "try: fcntl.flock(second, fcntl.LOCK_SH | fcntl.LOCK_NB)\nexcept BlockingIOError: gained = True",
        "which pages of a file are in memory (mincore)": _CALL + "import mmap\nlibc.mmap.restype = ctypes.c_void_p\n"
            "file = _shared(); place = libc.mmap(None, 4096, 1, 1, file.fileno(), ctypes.c_long(0))\n"
            "gained = libc.mincore(ctypes.c_void_p(place), 4096, bytes(1)) == 0",
        "how many pages of a file are in memory (cachestat)": _CALL + "span, found = (ctypes.c_uint64 * 2)(0, 4096), (ctypes.c_uint64 * 5)()\n"
            "file = _shared(); gained = libc.syscall(451, file.fileno(), span, found, 0) == 0",
        "the machine's TCP connections": "gained = open('/proc/self/net/tcp').read()",
        "the machine's mounts": "gained = open('/proc/self/mountinfo').read()",
        "the machine's free memory (/proc/meminfo)": "gained = open('/proc/meminfo').read()",
        "the machine's free memory (sysinfo)": _CALL + "gained = libc.sysinfo(ctypes.create_string_buffer(200)) == 0",
    }, A14="a private file table for a thread; a file descriptor in flight over a socket; several file descriptors in flight, with sendmmsg; a socket with a large buffer; "
           "a pipe with a large buffer; a page held by a pipe; a file's page held by a socket; memory locked with mlock; "
           "memory mapped with MAP_LOCKED; its own Landlock ruleset; more open files than a kernel needs",
       B11="asynchronous I/O contexts; POSIX timers; queued signals; a lock on a file that all kernels read",
       C4="the machine's TCP connections; the machine's mounts; the machine's free memory (/proc/meminfo); the machine's free memory (sysinfo)",
       E2="which pages of a file are in memory (mincore); how many pages of a file are in memory (cachestat); merged pages (MADV_MERGEABLE)"),
}  # fmt: skip

_FILL = "import os, socket, time\nopened = []\ndef fill():\n    for n in range(9):\n" \
        "        opened.append(os.open(f'{n}', os.O_CREAT | os.O_RDWR)); os.remove(f'{n}'); os.write(opened[-1], bytes(2**20))\n"  # fmt: skip
OVERRUNS = {
    "files open in one thread only": Overrun(_ALONE + _FILL + "    time.sleep(20)\nalone(fill).join(20)", "A15"),
    "file descriptors in flight over a socket": Overrun(
        _FILL + "fill(); a, b = socket.socketpair()\ntry:\n    for fd in opened: socket.send_fds(a, [b'x'], [fd]); os.close(fd)\n"
        "finally: time.sleep(20)", "A15"),
    "files created without a name (O_TMPFILE)": Overrun(
        "import os, time\nfor n in range(9): os.write(os.open('.', os.O_TMPFILE | os.O_RDWR), bytes(2**20))\ntime.sleep(20)", "A15"),
}  # fmt: skip
HAND_INS: dict = {}
