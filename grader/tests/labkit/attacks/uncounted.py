"""Resources outside every budget: memory that belongs to no process, files in no table, and shared pools."""

from attacks.kinds import Overrun, attempts

_CALL = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\ncall = lambda name, *a: libc.syscall(ctypes.c_long(FACTS['calls'][name]), *a)\n"
# In a thread, because the kernel then keeps the files of its other threads.
_ALONE = "import ctypes, threading\ndef alone(work):\n    def run():\n        ctypes.CDLL(None).syscall(436, 10**6, 10**6, 2); work()\n" \
         "    thread = threading.Thread(target=run, daemon=True); thread.start(); return thread\n"  # fmt: skip
ATTEMPTS = {
    "uncounted": attempts("memory, files and stores of the machine that no budget counts", {
        "a file table of a thread's own": "import ctypes, threading\nfound = []\n"
            "thread = threading.Thread(target=lambda: found.append(ctypes.CDLL(None).syscall(436, 10**6, 10**6, 2)))\n"
            "thread.start(); thread.join(9); gained = found == [0]",
        "a file that is in flight": "import os, socket\na, b = socket.socketpair()\nsocket.send_fds(a, [b'x'], [os.open('f', os.O_CREAT)]); gained = True",
        "several messages with files in flight": _CALL + "import socket\na, b = socket.socketpair()\nctypes.set_errno(0)\n"
            "call('sendmmsg', a.fileno(), 8, 1, 0); gained = ctypes.get_errno() == 14",
        "a socket with a large buffer": "import socket\na, b = socket.socketpair()\nbefore = a.getsockopt(1, 7)\n"
            "a.setsockopt(1, 7, before * 2); gained = a.getsockopt(1, 7) > before",
        "a pipe with a large buffer": "import fcntl, os\ngained = fcntl.fcntl(os.pipe()[0], 1031, 2**20)",
        "a page that a pipe holds": _CALL + "r, w = os.pipe()\npage = ctypes.create_string_buffer(b'page')\n"
            "gained = call('vmsplice', w, (ctypes.c_void_p * 2)(ctypes.addressof(page), 4), 1, 0) == 4",
        "a page of a file that a socket holds": "import os, socket\nopen('f', 'w').write('page')\na, b = socket.socketpair()\n"
            "gained = os.sendfile(a.fileno(), os.open('f', 0), 0, 1)",
        "memory that stays where it is": _CALL + "import mmap\nlibc.mmap.restype, MAP_LOCKED = ctypes.c_ssize_t, 0x2000\n"
            "gained = libc.mmap(None, 4096, 3, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_LOCKED, -1, ctypes.c_long(0)) != -1",
        "memory that is locked": _CALL + "gained = libc.mlock(ctypes.create_string_buffer(9), 9) == 0",
        "pages that are merged": "import mmap\nmmap.mmap(-1, 4096).madvise(12); gained = True",
        "rules of its own for files": _CALL + "gained = call('landlock_create_ruleset', None, 0, 1) > 0",
        "more open files than a kernel needs": "files = [open('/dev/null') for _ in range(128)]; gained = True",
        "contexts of the machine": _CALL + "made = ctypes.c_ulong()\ngained = call('io_setup', 8, ctypes.byref(made)) == 0",
        "timers of the user": _CALL + "gained = call('timer_create', 1, None, ctypes.byref(ctypes.c_int())) == 0",
        "signals that the user queues": "import resource; gained = resource.getrlimit(resource.RLIMIT_SIGPENDING)[0] > 64",
        "a lock on what all kernels read": "import fcntl, os\nfirst, second = _shared(), _shared()\nfcntl.flock(first, fcntl.LOCK_EX)\n"
            "try: fcntl.flock(second, fcntl.LOCK_SH | fcntl.LOCK_NB)\nexcept BlockingIOError: gained = True",
        "which pages of a file are in memory": _CALL + "import mmap\nlibc.mmap.restype = ctypes.c_void_p\n"
            "file = _shared(); place = libc.mmap(None, 4096, 1, 1, file.fileno(), ctypes.c_long(0))\n"
            "gained = libc.mincore(ctypes.c_void_p(place), 4096, bytes(1)) == 0",
        "how many pages of a file are in memory": _CALL + "span, found = (ctypes.c_uint64 * 2)(0, 4096), (ctypes.c_uint64 * 5)()\n"
            "file = _shared(); gained = libc.syscall(451, file.fileno(), span, found, 0) == 0",
        "ports and addresses of the machine": "gained = open('/proc/self/net/tcp').read()",
        "what the machine has mounted": "gained = open('/proc/self/mountinfo').read()",
        "memory that the machine has left": "gained = open('/proc/meminfo').read()",
        "the same by a call": _CALL + "gained = libc.sysinfo(ctypes.create_string_buffer(200)) == 0",
    }, A14="a file table of a thread's own; a file that is in flight; several messages with files in flight; a socket with a large buffer; "
           "a pipe with a large buffer; a page that a pipe holds; a page of a file that a socket holds; memory that is locked; "
           "memory that stays where it is; rules of its own for files; more open files than a kernel needs",
       B11="contexts of the machine; timers of the user; signals that the user queues; a lock on what all kernels read",
       C4="ports and addresses of the machine; what the machine has mounted; memory that the machine has left; the same by a call",
       E2="which pages of a file are in memory; how many pages of a file are in memory; pages that are merged"),
}  # fmt: skip

_FILL = "import os, socket, time\nopened = []\ndef fill():\n    for n in range(9):\n" \
        "        opened.append(os.open(f'{n}', os.O_CREAT | os.O_RDWR)); os.remove(f'{n}'); os.write(opened[-1], bytes(2**20))\n"  # fmt: skip
OVERRUNS = {
    "files that a thread has alone": Overrun(_ALONE + _FILL + "    time.sleep(20)\nalone(fill).join(20)", "A15"),
    "files in flight": Overrun(
        _FILL + "fill(); a, b = socket.socketpair()\ntry:\n    for fd in opened: socket.send_fds(a, [b'x'], [fd]); os.close(fd)\n"
        "finally: time.sleep(20)", "A15"),
    "files that never had a name": Overrun(
        "import os, time\nfor n in range(9): os.write(os.open('.', os.O_TMPFILE | os.O_RDWR), bytes(2**20))\ntime.sleep(20)", "A15"),
}  # fmt: skip
HAND_INS: dict = {}
