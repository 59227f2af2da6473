"""Covert channels: one submission's kernel sends bits, and another submission's kernel tries to receive them."""

from attacks.kinds import Channel

_FILE = """
import ctypes, fcntl, mmap, os, signal, struct, sysconfig, time
shared = open(os.path.join(sysconfig.get_path('stdlib'), 'pydoc_data', 'topics.py'), 'rb')
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype, libc.mmap.argtypes = ctypes.c_void_p, [ctypes.c_void_p, *[ctypes.c_long] * 5]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_long]
def mapped(offset=2**18):
    return libc.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, shared.fileno(), offset)
def lock(command, kind):
    return struct.unpack('hhqqi4x', fcntl.fcntl(shared, command, struct.pack('hhqqi4x', kind, 0, 7, 1, 0)))[0]
"""
_MAPS = """
place = None
def send(bit):
    global place
    if place: place = libc.munmap(place, 4096)
    if bit: ctypes.string_at(place := mapped(), 1)
"""
_THREADS = """
import threading
ends = []
def send(bit):
    while ends: ends.pop().set()
    time.sleep(0.05)
    for _ in range(40 * bit):
        ends.append(end := threading.Event()); threading.Thread(target=end.wait, args=(60,), daemon=True).start()
"""
CHANNELS = {
    "a POSIX lock on a shared file": Channel(_FILE, """
def send(bit): lock(fcntl.F_SETLK, fcntl.F_RDLCK if bit else fcntl.F_UNLCK)
def receive(): return lock(fcntl.F_GETLK, fcntl.F_WRLCK) != fcntl.F_UNLCK""", "E1"),
    "an open-file-description lock": Channel(_FILE, """
def send(bit): lock(37, fcntl.F_RDLCK if bit else fcntl.F_UNLCK)
def receive(): return lock(36, fcntl.F_WRLCK) != fcntl.F_UNLCK""", "E1"),
    "a flock lock": Channel(_FILE, """
def send(bit): fcntl.flock(shared, fcntl.LOCK_SH if bit else fcntl.LOCK_UN)
def receive():
    try: fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError: return True
    fcntl.flock(shared, fcntl.LOCK_UN)""", "E1"),
    "whether a page has been read": Channel(_FILE, """
def send(bit):
    os.posix_fadvise(shared.fileno(), 0, 0, os.POSIX_FADV_DONTNEED); os.posix_fadvise(shared.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
    if bit: os.pread(shared.fileno(), 1, 2**18)
def receive():
    try: return os.preadv(shared.fileno(), [bytearray(1)], 2**18, os.RWF_NOWAIT) == 1
    except BlockingIOError: return False""", "E2"),
    "whether two kernels map the same page (pagemap)": Channel(_FILE, _MAPS + """
def receive():
    ctypes.string_at(here := mapped(), 1)
    with open('/proc/self/pagemap', 'rb') as pages:
        entry, = struct.unpack('Q', os.pread(pages.fileno(), 8, here // 4096 * 8))
    libc.munmap(here, 4096)
    return not entry >> 56 & 1""", "E2"),
    "whether two kernels map the same page (smaps)": Channel(_FILE, _MAPS + """
def receive():
    ctypes.string_at(here := mapped(), 1)
    found = open('/proc/self/smaps').read().partition(f'{here:x}-')[2]
    libc.munmap(here, 4096)
    return found.partition('Shared_Clean:')[2].split()[0] != '0'""", "E2"),
    "a futex in a shared file": Channel(_FILE, """
import threading
number = 202 if os.uname().machine == 'x86_64' else 98
place = mapped(0)
def wait():
    word = struct.unpack('I', ctypes.string_at(place, 4))[0]
    libc.syscall(ctypes.c_long(number), ctypes.c_void_p(place), 0, ctypes.c_uint(word), struct.pack('qq', 2, 0), None, 0)
def send(bit):
    if bit: threading.Thread(target=wait, daemon=True).start(); time.sleep(0.05)
def receive(): return libc.syscall(ctypes.c_long(number), ctypes.c_void_p(place), 1, 9, None, None, 0) > 0""", "E3"),
    "the list of Unix sockets": Channel(_FILE, """
import socket
def send(bit):
    global named
    named = socket.socket(socket.AF_UNIX)
    if bit: named.bind('labkit-says-one'); os.remove('labkit-says-one')
def receive(): return 'labkit-says-one' in open('/proc/self/net/unix').read()""", "E4"),
    "whether a socket name is taken": Channel(_FILE, """
import socket
def send(bit):
    global named
    named = socket.socket(socket.AF_UNIX)
    if bit: named.bind('\\0labkit-says-one')
def receive():
    with socket.socket(socket.AF_UNIX) as tried:
        try: tried.bind('\\0labkit-says-one')
        except OSError as error: return error.errno == 98""", "E4"),
    "a file in a folder with a guessable name": Channel(_FILE, """
import re
def send(bit):
    open('bit', 'w').close() if bit else os.path.exists('bit') and os.remove('bit')
def receive():
    folder, number = re.fullmatch(r'(.*\\D)(\\d+)', os.getcwd()).groups()
    return any(os.path.exists(f'{folder}{near}/bit') for near in range(int(number) - 9, int(number) + 9))""", "E4"),
    "flags of an inherited file": Channel(_FILE, """
def send(bit): os.set_blocking(0, not bit)
def receive(): return not os.get_blocking(0)""", "E5"),
    "the number of queued signals": Channel(_FILE, """
import threading
signal.pthread_sigmask(signal.SIG_BLOCK, [40])
def send(bit):
    while signal.sigtimedwait([40], 0): pass
    if bit: [signal.pthread_kill(threading.get_ident(), 40) for _ in range(50)]
def receive(): return int(open('/proc/self/status').read().partition('SigQ:')[2].split('/')[0]) >= 50""", "E6"),
    "the processor time of a process": Channel(_FILE, """
def send(bit):
    until = time.process_time() + 0.3 * bit
    while time.process_time() < until: pass
def used(process):
    try: return time.clock_gettime(~process * 8 | 2)
    except OSError: return 0
def receive():
    before = globals().get('clocks', {})
    globals()['clocks'] = now = {near: used(os.getpid() + near) for near in range(-300, 300) if near}
    return any(now[near] - before[near] > 0.15 for near in now if before.get(near))""", "E6"),
    "the number of threads that exist": Channel(_FILE, _THREADS + """
def exists(number):
    for ask in (os.sched_getaffinity, os.getsid, os.getpgid, lambda each: os.getpriority(os.PRIO_PROCESS, each)):
        try: return ask(number) is not None
        except OSError: pass
def count(): return sum(bool(exists(os.getpid() + near)) for near in range(-3000, 3000) if os.getpid() + near > 1)
none = count()
def receive(): return count() > none + 20""", "E6"),
    "the number of a user's threads": Channel(_FILE, _THREADS + """
import resource
usual = resource.getrlimit(resource.RLIMIT_NPROC)
def fits(number):
    resource.setrlimit(resource.RLIMIT_NPROC, (number, usual[1]))
    try: return threading.Thread(target=int).start() is None
    except RuntimeError: return False
    finally: resource.setrlimit(resource.RLIMIT_NPROC, usual)
none = next(number for number in range(1, 5000) if fits(number))
def receive(): return not fits(none + 20)""", "E6"),
}  # fmt: skip

# Channels that isolation leaves open, because honest code needs the same resources.
LEFT = {
    "free space on the shared disk": Channel(_FILE, """
def send(bit): open('much', 'wb').write(bytes(bit * 2**25))
def receive():
    now, before = os.statvfs('.').f_bavail * os.statvfs('.').f_frsize, globals().get('most', 0)
    globals()['most'] = max(now, before)
    return before - now > 2**24"""),
    "the number of threads of a process": Channel(_FILE, _THREADS + """
def receive():
    def threads(process):
        try: return os.stat(f'/proc/{process}/task').st_nlink - 2
        except OSError: return 0
    return any(threads(os.getpid() + near) > 30 for near in range(-300, 300) if near)"""),
    "the number of open files of a process": Channel(_FILE, """
held = []
def send(bit):
    while held: os.close(held.pop())
    for _ in range(60 * bit): held.append(os.dup(0))
def receive():
    def files(process):
        try: return os.stat(f'/proc/{process}/fd').st_size
        except OSError: return 0
    return any(files(os.getpid() + near) > 60 for near in range(-300, 300) if near)"""),
    "the next thread id": Channel(_FILE, """
import threading
def begun():
    (thread := threading.Thread(target=int)).start(); thread.join(5)
    return thread.native_id
def send(bit): [begun() for _ in range(300 * bit)]
def receive():
    before = globals().get('last', 0)
    globals()['last'] = now = begun()
    return bool(before) and now - before > 250"""),
    "the time of the last read of a file": Channel(_FILE, """
folder = os.path.join(sysconfig.get_path('stdlib'), 'encodings')
names = sorted(name for name in os.listdir(folder) if name.endswith('.py'))
def old(name):
    found = os.stat(os.path.join(folder, name))
    return found.st_atime <= found.st_mtime or found.st_atime < time.time() - 90_000
unread, turn = [name for name in names if old(name)], 0
def step():
    globals()['turn'] += 1
    return unread[turn]
def send(bit):
    name = step()
    if bit: open(os.path.join(folder, name), 'rb').read()
def receive(): return not old(step())"""),
}  # fmt: skip
HAND_INS: dict = {}
