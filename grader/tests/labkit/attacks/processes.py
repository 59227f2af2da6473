"""Attacks that use processes, threads, signals, sockets and other system calls."""

from attacks.kinds import HandIn, attempts

ATTEMPTS = {
    "processes": attempts("a process, or control over one", {
        "fork": "import os\npid = os.fork()\nif pid == 0: os._exit(0)\ngained = os.waitpid(pid, 0)",
        "fork, as a raw system call": "import ctypes\ngained = ctypes.CDLL(None).syscall(FACTS['calls']['clone'], 17, 0, 0, 0, 0)\nif gained == 0: import os; os._exit(0)\ngained = gained > 0",
        "running a program": "import subprocess; gained = subprocess.run(['/bin/true']).returncode == 0",
        "running a program with posix_spawn": "import os; gained = os.posix_spawn('/bin/true', ['true'], {})",
        "running a shell": "import os; gained = os.system('true') == 0",
        "multiprocessing": "import multiprocessing as m; p = m.get_context('fork').Process(target=int); p.start(); gained = True",
        "signalling the grader": "import os; os.kill(FACTS['grader'], 0); gained = True",
        "signalling the parent": "import os, signal; os.kill(os.getppid(), 0); gained = True",
        "signalling another submission": "import os; os.kill(FACTS['sibling'], 0); gained = True",
        "signalling all processes": "import os; os.kill(-1, 0); gained = True",
        "a signal, with rt_sigqueueinfo": "import ctypes; gained = ctypes.CDLL(None).syscall(FACTS['calls']['rt_sigqueueinfo'], FACTS['sibling'], 0, b'\\0' * 128) == 0",
        "a signal, through the owner of a file": "import fcntl, os\nr, w = os.pipe()\nfcntl.fcntl(r, 8, FACTS['sibling']); gained = True",
        "a pidfd of another process": "import os; gained = os.pidfd_open(FACTS['sibling'])",
        "tracing another submission": "import ctypes; gained = ctypes.CDLL(None).ptrace(16, FACTS['sibling'], 0, 0) == 0",
        "another submission's memory": "import ctypes\nvector = (ctypes.c_uint64 * 2)(0x400000, 1)\n"
                                       "call = ctypes.CDLL(None, use_errno=True).process_vm_readv\n"
                                       "call(FACTS['sibling'], vector, 1, vector, 1, 0); gained = ctypes.get_errno() == 14",
        "another submission's limits": "import resource; gained = resource.prlimit(FACTS['sibling'], resource.RLIMIT_NOFILE)",
        "another submission's priority": "import os; before = os.getpriority(os.PRIO_PROCESS, FACTS['sibling'])\n"
                                         "os.setpriority(os.PRIO_PROCESS, FACTS['sibling'], 19)\n"
                                         "gained = os.getpriority(os.PRIO_PROCESS, FACTS['sibling']) != before",
        "surviving its parent": "import ctypes; gained = ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) == 0",
    }, B7="another submission's memory", C3="surviving its parent"),
    "network": attempts("a connection to the outside", {
        "a TCP connection": "import socket; socket.create_connection(('127.0.0.1', FACTS['port']), 2); gained = True",
        "a TCP server": "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); gained = True",
        "a UDP packet": "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', FACTS['port'])); gained = True",
        "an abstract Unix socket": "import socket; socket.socket(socket.AF_UNIX).connect(FACTS['abstract']); gained = True",
        "a Unix socket in the file system": "import socket; socket.socket(socket.AF_UNIX).connect(FACTS['socket']); gained = True",
        "a datagram to a Unix socket": "import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', FACTS['datagram']); gained = True",
        "a raw socket": "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW); gained = True",
        "binding an abstract socket name": "import socket; socket.socket(socket.AF_UNIX).bind('\\0labkit-attack'); gained = True",
    }, B10="binding an abstract socket name"),
    "system": attempts("anything that outlives it or that others share", {
        "becoming the superuser": "import os; os.setuid(0); gained = os.geteuid() == 0",
        "a user namespace": "import ctypes; gained = ctypes.CDLL(None).unshare(0x10000000) == 0",
        "mounting": "import ctypes; gained = ctypes.CDLL(None).mount(b'none', b'.', b'tmpfs', 0, None) == 0",
        "changing the root": "import os; os.chroot('.'); gained = True",
        "a key in the keyring": "import ctypes; gained = ctypes.CDLL(None).syscall(FACTS['calls']['add_key'], b'user', b'labkit', b'x', 1, -3) > 0",
        "System V shared memory": "import ctypes\nlibc = ctypes.CDLL(None); gained = libc.shmget(0, 4096, 0o1600)\n"
                                    "if gained >= 0: libc.shmctl(gained, 0, None)\ngained = gained >= 0",
        "an in-memory file (memfd)": "import os; gained = os.memfd_create('x')",
        "io_uring": "import ctypes; gained = ctypes.CDLL(None).syscall(425, 1, bytes(120)) >= 0",
        "performance counters": "import ctypes; gained = ctypes.CDLL(None).syscall(FACTS['calls']['perf_event_open'], bytes([1, 0, 0, 0, 112] + [0] * 107), 0, -1, -1, 0) >= 0",
        "userfaultfd": "import ctypes; gained = ctypes.CDLL(None).syscall(FACTS['calls']['userfaultfd'], 1) >= 0",
        "an x32 system call": "import ctypes; gained = ctypes.CDLL(None).syscall(0x40000000 + 39) > 0",
    }),
}  # fmt: skip

ENDS = ("crashed",), ("ended the kernel's process",)
HANGS = ("timed_out",), ("did not finish within",)
HAND_INS = {
    "exits": HandIn("import os; os._exit(0)", says=ENDS),
    "kills-itself": HandIn("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", says=ENDS),
    "segfault": HandIn("import ctypes; ctypes.string_at(0)", says=ENDS),
    "closes-all-files": HandIn("import os; os.closerange(0, 250)", says=ENDS),
    "loops": HandIn("while True: pass", says=HANGS),
    "swallows-interrupts": HandIn(
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass", says=HANGS),
    "hangs-at-exit": HandIn("import atexit, threading, time\natexit.register(time.sleep, 600)\nthreading.Thread(target=time.sleep, args=(600,)).start()"),
    "fork-bomb": HandIn("import os\nwhile True:\n    try: os.fork()\n    except OSError: break\ndef answer(*given): return 0"),
    "daemon": HandIn("import os\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        import time; time.sleep(600)\n    os._exit(0)"),
    "thread-bomb": HandIn(
        "import threading, time\ntry:\n    while True: threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
        "except BaseException: pass\ndef answer(*given): return 0"),
    "threads-with-small-stacks": HandIn(
        "import threading, time\nthreading.stack_size(32768)\ntry:\n"
        "    while True: threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\nexcept RuntimeError: time.sleep(5)",
        cell="value", solved=True, costs="own", finding="B2", gain="processes that others need", says=(("crashed",), ("more than 128 threads",))),
    # Either it gets a MemoryError or it is stopped first, depending on how fast the machine provides memory.
    "memory-bomb": HandIn("x = []\nwhile True: x.append(bytearray(10**8))",
                          says=(("graded", "crashed", "timed_out"), ("MemoryError", "the other exercises were graded without it"))),
    "slow": HandIn("import time\nuntil = time.process_time() + 2\nwhile time.process_time() < until: pass",
                   cell="value", solved=True, costs="own", gain="more than its own time"),
    "outlives-its-server": HandIn("import ctypes; ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)", cell="value", solved=True, costs="own",
                                         finding="C3", gain="outliving its server"),
}  # fmt: skip
