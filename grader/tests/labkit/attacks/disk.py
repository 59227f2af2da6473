"""Attacks on the disk: reading, writing, filling it, and leaving files behind."""

from attacks.kinds import HandIn, Overrun, attempts

ATTEMPTS = {
    "reading": attempts("access to files of others", {
        "a solution": "gained = open(FACTS['solution']).read()",
        "the autograder's tests": "gained = open(FACTS['tests']).read()",
        "the locked module by its path": "gained = open(FACTS['locked']).read()",
        "a world-readable file": "gained = open(FACTS['secret']).read()",
        "a world-readable file, through a symbolic link": "import os; os.symlink(FACTS['secret'], 'link'); gained = open('link').read()",
        "a world-readable file, through a hard link": "import os; os.link(FACTS['secret'], 'hard'); gained = open('hard').read()",
        "a world-readable file, with openat2": "import ctypes, os\nhow = (ctypes.c_uint64 * 3)(0, 0, 0)\n"
                               "fd = ctypes.CDLL(None).syscall(437, -100, FACTS['secret'].encode(), how, 24)\n"
                               "gained = fd >= 0 and os.read(fd, 9)",
        "a world-readable file, through /proc/self/root": "gained = open('/proc/self/root' + FACTS['secret']).read()",
        "/etc/passwd": "gained = open('/etc/passwd').read()",
        "/etc/shadow": "gained = open('/etc/shadow').read()",
        "the instructor's home": "import os; gained = os.listdir(FACTS['home'])",
        "another submission's home": "import os; gained = os.listdir(FACTS['sibling_home'])",
        "another submission's file": "gained = open(FACTS['sibling_home'] + '/answer').read()",
        "a world-readable file, with open_tree_attr": "import ctypes; gained = ctypes.CDLL(None).syscall(467, -100, FACTS['secret'].encode(), 0, 0, 0) >= 0",
        "files left open by the grader": "import os\ngained = [file for fd in os.listdir('/proc/self/fd') for file in [_file(fd)] if file]",
        "the parent's environment": "import os; gained = open(f'/proc/{os.getppid()}/environ').read()",
        "the parent's memory": "import os; gained = open(f'/proc/{os.getppid()}/mem', 'rb')",
        "the list of processes": "import os; gained = [p for p in os.listdir('/proc') if p.isdigit()]",
        "a symbolic link for an outside tool to follow": "import os; os.symlink(FACTS['socket'], 'socket'); gained = True",
    }, B8="files left open by the grader", C5="a symbolic link for an outside tool to follow"),
    "writing": attempts("a change outside its folder", {
        "a world-writable file": "open(FACTS['secret'], 'w').write('mine'); gained = True",
        "a new file next to a world-writable file": "open(FACTS['secret'] + '.new', 'w'); gained = True",
        "a file in the shared /tmp": "gained = _plant('/tmp/labkit-attack')",
        "removing a world-writable file": "import os; os.remove(FACTS['secret']); gained = True",
        "renaming a world-writable file": "import os; os.rename(FACTS['secret'], FACTS['secret'] + '.old'); gained = True",
        "truncating a world-writable file": "import os; os.truncate(FACTS['secret'], 0); gained = True",
        "the mode of a world-writable file": "import os; os.chmod(FACTS['secret'], 0o600); gained = oct(os.stat(FACTS['secret']).st_mode)[-3:] == '600'",
        "the times of a world-writable file": "import os; os.utime(FACTS['secret'], (1, 1)); gained = os.stat(FACTS['secret']).st_mtime == 1",
        "an extended attribute of a world-writable file": "import os; os.setxattr(FACTS['secret'], 'user.x', b'1'); gained = True",
        "attributes of a world-writable file, with file_setattr": "import ctypes\ngained = ctypes.CDLL(None).syscall(469, -100, FACTS['secret'].encode(), b'\\x80' + bytes(23), 24, 0) == 0",
        "attributes of a file that all kernels read": "import fcntl; fcntl.ioctl(_shared(), 0x40086602, b'\\x80' + bytes(7)); gained = True",
        "a lease on a file that all kernels read": "import fcntl; fcntl.fcntl(_shared(), fcntl.F_SETLEASE, fcntl.F_WRLCK); gained = True",
        "a module in Python's standard library": "import sysconfig; gained = _plant(sysconfig.get_path('stdlib') + '/labkit_attack.py')",
        "a .pth file in site-packages": "import sysconfig; gained = _plant(sysconfig.get_path('purelib') + '/labkit_attack.pth')",
        "labkit's own source": "import labkit.student.calls.wire; open(labkit.student.calls.wire.__file__, 'a'); gained = True",
        "a file next to the tests": "gained = _plant(FACTS['tests'] + '.conftest.py')",
        "another submission's home": "open(FACTS['sibling_home'] + '/planted', 'w'); gained = True",
        "a file in /dev/shm": "gained = _plant('/dev/shm/labkit-attack')",
        "an inotify instance": "import ctypes; gained = ctypes.CDLL(None).inotify_init() >= 0",
        "disk space reserved with fallocate": "import ctypes, os\nfd = os.open('f', os.O_CREAT | os.O_RDWR)\ngained = ctypes.CDLL(None).syscall(FACTS['calls']['fallocate'], fd, 0, ctypes.c_long(0), ctypes.c_long(2**20)) == 0",
    }, B1="a lease on a file that all kernels read", A4="disk space reserved with fallocate", B9="an inotify instance",
       C1="attributes of a world-writable file, with file_setattr; attributes of a file that all kernels read"),
}  # fmt: skip

WAIT = "\nimport time; time.sleep(20)"
FILL = "import os, mmap\nkept = []\nfor n in range(9):\n    file = open(str(n), 'wb+'); file.write(bytes(2**20)); file.flush()\n"
OVERRUNS = {
    "a folder that its owner cannot list": Overrun(
        "import os\nos.mkdir('d', 0o300)\nfor n in range(9): open(f'd/{n}', 'wb').write(bytes(2**20))" + WAIT, "C2"),
    "deleted files that are still open": Overrun(FILL + "    os.remove(file.name); kept.append(file)" + WAIT, "A4"),
    "deleted files that are still mapped": Overrun(
        FILL + "    kept.append(mmap.mmap(file.fileno(), 0)); os.remove(file.name); file.close()" + WAIT, "A4"),
    "folders nested deeper than the longest path": Overrun(
        "import os\nfor n in range(40): os.mkdir('a' * 200); os.chdir('a' * 200)\n"
        "os.mkdir('d', 0o300); open('d/f', 'wb').write(bytes(2**20))" + WAIT, "C2"),
    "folders nested deeper than Python's recursion limit": Overrun(
        "import os\nfor n in range(1200): os.mkdir('a'); os.chdir('a')\nos.mkdir('d', 0o300)\n"
        "for n in range(9): open(f'd/{n}', 'wb').write(bytes(2**20))" + WAIT, "A3"),
}  # fmt: skip

_USED_UP = (
    ("crashed", "timed_out"),
    ("the other exercises were graded without it",),
)  # either budget may be used up first
HAND_INS = {
    "reads-the-solution": HandIn(
        "import json\ndef _steal():\n    for path in ('@solution@', '@locked@', '@reference@'):\n        try: return open(path).read()\n"
        "        except OSError: pass\n    raise OSError\n_found = _steal()\n"
        "_cells = json.loads(_found)['cells'] if _found.startswith('{') else []\n"
        "exec('\\n'.join(''.join(cell['source']) for cell in _cells\n"
        "                if cell['cell_type'] == 'code' and 'exercise' in cell['metadata'].get('labkit', {})) or _found)"),
    "imports-the-locked-module": HandIn("@import@", cell="locked"),
    "plants-files": HandIn(
        "import os\nfor name in ('conftest.py', 'sitecustomize.py', 'numpy.py', 'pytest.py', 'matplotlibrc', 'usercustomize.py', 'x.pth'):\n"
        "    open(name, 'w').write('raise SystemExit')\nos.makedirs('ipython/profile_default/startup', exist_ok=True)\n"
        "open('ipython/profile_default/startup/0.py', 'w').write('raise SystemExit')"),
    "disk-bomb": HandIn("n = 0\nwhile True:\n    n += 1\n    with open(f'f{n}', 'wb') as f: f.write(bytes(6 * 10**7))", says=_USED_UP),
    "file-bomb": HandIn("n = 0\nwhile True:\n    n += 1\n    open(f'f{n}', 'w').close()", says=(("crashed",), ("more than 2,000 files",))),
    "deleted-open-files": HandIn(
        "import os\nkept = []\nfor n in range(200):\n    kept.append(open('f', 'wb'))\n    os.remove('f')\n    kept[-1].write(bytes(2**25))",
        cell="value", solved=True, costs="own", finding="A4", says=_USED_UP),
    "deep-folders-with-a-locked-one": HandIn(
        "import os\ntop = os.getcwd()\nfor n in range(1200): os.mkdir('a'); os.chdir('a')\nos.mkdir('d', 0o300); open('d/f', 'w')\nos.chdir(top)",
        cell="value", solved=True, costs="some", finding="A3", gain="an end of the run when it is removed, or leftovers"),
    "leases": HandIn(
        "import fcntl, glob, os, signal\nimport labkit.student.notebook.figures, matplotlib_inline.backend_inline as inline\n"
        "signal.signal(signal.SIGIO, signal.SIG_IGN)\nkept = []\n"
        "for path in [str(labkit.student.notebook.figures.STYLE), *glob.glob(os.path.dirname(inline.__file__) + '/**/*.py*', recursive=True)]:\n"
        "    try:\n        kept.append(os.open(path, os.O_RDONLY))\n        fcntl.fcntl(kept[-1], 1024, fcntl.F_WRLCK)\n"
        "    except OSError: pass", cell="value", solved=True, costs="own", finding="B1", gain="a delay for others"),
}  # fmt: skip
