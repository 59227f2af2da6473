"""Attacks on the disk: reading, writing, filling it, and leaving files behind."""

from attacks.kinds import HandIn, Overrun, attempts

ATTEMPTS = {
    "reading": attempts("what is not its own", {
        "a solution": "gained = open(FACTS['solution']).read()",
        "the autograder's tests": "gained = open(FACTS['tests']).read()",
        "the locked module by its path": "gained = open(FACTS['locked']).read()",
        "a file that anybody may read": "gained = open(FACTS['secret']).read()",
        "the same through a link": "import os; os.symlink(FACTS['secret'], 'link'); gained = open('link').read()",
        "the same through a hard link": "import os; os.link(FACTS['secret'], 'hard'); gained = open('hard').read()",
        "the same by openat2": "import ctypes, os\nhow = (ctypes.c_uint64 * 3)(0, 0, 0)\n"
                               "fd = ctypes.CDLL(None).syscall(437, -100, FACTS['secret'].encode(), how, 24)\n"
                               "gained = fd >= 0 and os.read(fd, 9)",
        "the same through /proc/self/root": "gained = open('/proc/self/root' + FACTS['secret']).read()",
        "the list of users": "gained = open('/etc/passwd').read()",
        "passwords": "gained = open('/etc/shadow').read()",
        "the instructor's home": "import os; gained = os.listdir(FACTS['home'])",
        "another submission's home": "import os; gained = os.listdir(FACTS['sibling_home'])",
        "another submission's file": "gained = open(FACTS['sibling_home'] + '/answer').read()",
        "a handle of it by a new call": "import ctypes; gained = ctypes.CDLL(None).syscall(467, -100, FACTS['secret'].encode(), 0, 0, 0) >= 0",
        "files left open by the grader": "import os\ngained = [file for fd in os.listdir('/proc/self/fd') for file in [_file(fd)] if file]",
        "the parent's environment": "import os; gained = open(f'/proc/{os.getppid()}/environ').read()",
        "the parent's memory": "import os; gained = open(f'/proc/{os.getppid()}/mem', 'rb')",
        "the list of processes": "import os; gained = [p for p in os.listdir('/proc') if p.isdigit()]",
        "a link for a tool outside to follow": "import os; os.symlink(FACTS['socket'], 'socket'); gained = True",
    }, B8="files left open by the grader", C5="a link for a tool outside to follow"),
    "writing": attempts("a change outside of its workdir", {
        "a file that anybody may write": "open(FACTS['secret'], 'w').write('mine'); gained = True",
        "a new file beside it": "open(FACTS['secret'] + '.new', 'w'); gained = True",
        "a file in /tmp that others see": "gained = _plant('/tmp/labkit-attack')",
        "removing it": "import os; os.remove(FACTS['secret']); gained = True",
        "renaming it": "import os; os.rename(FACTS['secret'], FACTS['secret'] + '.old'); gained = True",
        "truncating it": "import os; os.truncate(FACTS['secret'], 0); gained = True",
        "changing its mode": "import os; os.chmod(FACTS['secret'], 0o600); gained = oct(os.stat(FACTS['secret']).st_mode)[-3:] == '600'",
        "changing its times": "import os; os.utime(FACTS['secret'], (1, 1)); gained = os.stat(FACTS['secret']).st_mtime == 1",
        "an attribute of it": "import os; os.setxattr(FACTS['secret'], 'user.x', b'1'); gained = True",
        "attributes of it by a new call": "import ctypes\ngained = ctypes.CDLL(None).syscall(469, -100, FACTS['secret'].encode(), b'\\x80' + bytes(23), 24, 0) == 0",
        "attributes of what all kernels read": "import fcntl; fcntl.ioctl(_shared(), 0x40086602, b'\\x80' + bytes(7)); gained = True",
        "a lease on what all kernels read": "import fcntl; fcntl.fcntl(_shared(), fcntl.F_SETLEASE, fcntl.F_WRLCK); gained = True",
        "a module of Python's": "import sysconfig; gained = _plant(sysconfig.get_path('stdlib') + '/labkit_attack.py')",
        "a .pth file": "import sysconfig; gained = _plant(sysconfig.get_path('purelib') + '/labkit_attack.pth')",
        "the package labkit": "import labkit.calls.wire; open(labkit.calls.wire.__file__, 'a'); gained = True",
        "a file beside the tests": "gained = _plant(FACTS['tests'] + '.conftest.py')",
        "another submission's home": "open(FACTS['sibling_home'] + '/planted', 'w'); gained = True",
        "shared memory": "gained = _plant('/dev/shm/labkit-attack')",
        "an eye on what others do": "import ctypes; gained = ctypes.CDLL(None).inotify_init() >= 0",
        "space that is only set aside": "import ctypes, os\nfd = os.open('f', os.O_CREAT | os.O_RDWR)\ngained = ctypes.CDLL(None).syscall(FACTS['calls']['fallocate'], fd, 0, ctypes.c_long(0), ctypes.c_long(2**20)) == 0",
    }, B1="a lease on what all kernels read", A4="space that is only set aside", B9="an eye on what others do",
       C1="attributes of it by a new call; attributes of what all kernels read"),
}  # fmt: skip

WAIT = "\nimport time; time.sleep(20)"
FILL = "import os, mmap\nkept = []\nfor n in range(9):\n    file = open(str(n), 'wb+'); file.write(bytes(2**20)); file.flush()\n"
OVERRUNS = {
    "a folder that its owner may not list": Overrun(
        "import os\nos.mkdir('d', 0o300)\nfor n in range(9): open(f'd/{n}', 'wb').write(bytes(2**20))" + WAIT, "C2"),
    "files without a name": Overrun(FILL + "    os.remove(file.name); kept.append(file)" + WAIT, "A4"),
    "memory of files without a name": Overrun(
        FILL + "    kept.append(mmap.mmap(file.fileno(), 0)); os.remove(file.name); file.close()" + WAIT, "A4"),
    "folders deeper than a path can say": Overrun(
        "import os\nfor n in range(40): os.mkdir('a' * 200); os.chdir('a' * 200)\n"
        "os.mkdir('d', 0o300); open('d/f', 'wb').write(bytes(2**20))" + WAIT, "C2"),
    "folders deeper than Python recurses": Overrun(
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
    "files-without-names": HandIn(
        "import os\nkept = []\nfor n in range(200):\n    kept.append(open('f', 'wb'))\n    os.remove('f')\n    kept[-1].write(bytes(2**25))",
        cell="value", solved=True, costs="own", finding="A4", says=_USED_UP),
    "deep-and-closed": HandIn(
        "import os\ntop = os.getcwd()\nfor n in range(1200): os.mkdir('a'); os.chdir('a')\nos.mkdir('d', 0o300); open('d/f', 'w')\nos.chdir(top)",
        cell="value", solved=True, costs="some", finding="A3", gain="its removal ending the run, and what it left behind"),
    "leases": HandIn(
        "import fcntl, glob, os, signal\nimport labkit.notebook.figures, matplotlib_inline.backend_inline as inline\n"
        "signal.signal(signal.SIGIO, signal.SIG_IGN)\nkept = []\n"
        "for path in [str(labkit.notebook.figures.STYLE), *glob.glob(os.path.dirname(inline.__file__) + '/**/*.py*', recursive=True)]:\n"
        "    try:\n        kept.append(os.open(path, os.O_RDONLY))\n        fcntl.fcntl(kept[-1], 1024, fcntl.F_WRLCK)\n"
        "    except OSError: pass", cell="value", solved=True, costs="own", finding="B1", gain="others waiting for it to let go"),
}  # fmt: skip
