"""Submissions that try to earn points without an answer, or to stop the grader."""

from __future__ import annotations

from pathlib import Path

from handouts import Handout

LAB, FIRST = "02_levels", "01_spread"  # only the first one must not import the locked module
CALLED = "def levels(values):\n    "

# What is written into the cell of levels; the points of that lab must not come from any of it.
ANSWERS = {
    "prints-all-passed": "print('all passed, 10/10 points'); raise SystemExit(0)",
    "patches-numpy": "import numpy, numpy.testing, builtins\n"
                     "for where in (numpy, numpy.testing):\n    for name in ('allclose', 'array_equal', 'isclose', 'assert_allclose'):\n"
                     "        setattr(where, name, lambda *a, **k: True)\nbuiltins.abs = lambda x: 0\n" + CALLED + "return np.zeros(len(values))",
    "lying-subclass": "class Liar(np.ndarray):\n    __eq__ = lambda self, other: True\n    __array_function__ = lambda *a, **k: True\n"
                      "    __array_ufunc__ = lambda *a, **k: True\n" + CALLED + "return np.zeros(len(values)).view(Liar)",
    "object-array": CALLED + "return np.array([object()] * len(values))",
    "pickle": "import os\nclass Bomb:\n    __reduce__ = lambda self: (os.system, ('touch /tmp/labkit-pickle',))\n" + CALLED + "return np.array([Bomb()])",
    "nan": CALLED + "return np.full(len(values), np.nan)",
    "empty": CALLED + "return np.zeros(0)",
    "scalar": CALLED + "return np.float64(0)",
    "huge-array": CALLED + "return np.lib.stride_tricks.as_strided(np.zeros(1), (10**7, 10**5), (0, 0))",
    "lying-shape": "import labkit.calls.wire as w, labkit.calls.outbox as o\n"
                   "o.reply = lambda value: '[\"value\",{\"npy\":\"k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDk5OTk5OTk5OTksIDk5OTk5OTkpfQo=\",\"scalar\":false}]'\n" + CALLED + "return 0",
    "deep-reply": "import labkit.calls.outbox as o\no.reply = lambda value: '[' * 200000 + ']' * 200000\n" + CALLED + "return 0",
    "not-a-reply": "import labkit.calls.outbox as o\no.reply = lambda value: {'passed': True}\n" + CALLED + "return 0",
    "patches-everything": "import gc, types\nfor each in gc.get_objects():\n    if isinstance(each, type) and each.__module__.startswith('labkit'):\n"
                          "        try: each.__eq__ = lambda *a: True\n        except TypeError: pass\n" + CALLED + "return 0",
    "reads-the-solution": "import json\ndef _steal():\n    for path in ('{solution}', '{locked}', '{reference}'):\n        try: return open(path).read()\n"
                          "        except OSError: pass\n    raise OSError\n_found = _steal()\n"
                          "_cells = json.loads(_found)['cells'] if _found.startswith('{{') else []\n"
                          "exec('\\n'.join(''.join(cell['source']) for cell in _cells if cell.get('id') in ('levels', 'draw_levels')) or _found)",
    "imports-the-locked-module": "from ruler.measure import spread",
    "exits": "import os; os._exit(0)",
    "kills-itself": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "segfault": "import ctypes; ctypes.string_at(0)",
    "loops": "while True: pass",
    "swallows-interrupts": "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
                           "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "hangs-at-exit": "import atexit, threading, time\natexit.register(time.sleep, 600)\nthreading.Thread(target=time.sleep, args=(600,)).start()",
    "fork-bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: break\n" + CALLED + "return 0",
    "thread-bomb": "import threading, time\ntry:\n    while True: threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\nexcept BaseException: pass\n"
                   + CALLED + "return 0",
    "memory-bomb": "x = []\nwhile True: x.append(bytearray(10**8))",
    "disk-bomb": "n = 0\nwhile True:\n    n += 1\n    with open(f'f{n}', 'wb') as f: f.write(bytes(6 * 10**7))",
    "file-bomb": "n = 0\nwhile True:\n    n += 1\n    open(f'f{n}', 'w').close()",
    "prints-200-MB": "print('x' * 200_000_000)",
    "shows-100-MB": "from IPython.display import display\ndisplay({{'text/plain': 'x' * 110_000_000}}, raw=True)",
    "50000-outputs": "from IPython.display import display\nfor n in range(50_000): display(n)",
    "daemon": "import os\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        import time; time.sleep(600)\n    os._exit(0)",
    "breaks-its-kernel": "import gc, socket\nget_ipython().kernel.session.key = b'forged'\nget_ipython().kernel.session.send = lambda *a, **k: None",
    "floods-its-sockets": "import os\nfor fd in range(3, 200):\n    try: os.set_blocking(fd, False); os.write(fd, b'\\xff' * 100_000)\n    except OSError: pass",
    "closes-all-files": "import os; os.closerange(0, 250)",
    "plants-files": "import os\nfor name in ('conftest.py', 'sitecustomize.py', 'numpy.py', 'pytest.py', 'matplotlibrc', 'usercustomize.py', 'x.pth'):\n"
                    "    open(name, 'w').write('raise SystemExit')\nos.makedirs('ipython/profile_default/startup', exist_ok=True)\n"
                    "open('ipython/profile_default/startup/0.py', 'w').write('raise SystemExit')",
    "nbval-marker": "# NBVAL_SKIP\n# NBVAL_IGNORE_OUTPUT\nraise SystemExit('10/10')",
    "names-with-controls": "\\x1b[2J\\u202e = 1\nraise ValueError('<script>alert(1)</script>\\x1b[31m\\u202e=cmd()')",
}  # fmt: skip


_USED_UP = ("crashed", "timed_out"), "the other exercises were judged without it"  # whichever budget is used up first
# What the row says of some, as (statuses, words).
REASONS = {
    **dict.fromkeys(
        ("exits", "kills-itself", "segfault", "closes-all-files"), (("crashed",), "ended the kernel's process")
    ),
    **dict.fromkeys(("loops", "swallows-interrupts"), (("timed_out",), "did not finish within")),
    **dict.fromkeys(("disk-bomb", "50000-outputs", "prints-200-MB", "shows-100-MB"), _USED_UP),
    "file-bomb": (("crashed",), "more than 2,000 files"),
    # Its own MemoryError, or it is stopped before: which comes first depends on how fast the machine gives it memory.
    "memory-bomb": (("graded", *_USED_UP[0]), ("MemoryError", _USED_UP[1])),
}


def build(folder: Path, start: int = 0, step: int = 1) -> set[str]:
    """One folder for each submission, or for every `step`-th, with honest ones among them. Returns their names."""
    from labkit import project

    here = project.current()
    places = {"solution": here.solutions / f"{LAB}.ipynb", "locked": here.root / here.locked[0],
              "reference": here.autograder / "reference" / "levels.py"}  # fmt: skip
    chosen = dict(list(ANSWERS.items())[start::step])
    for name, source in chosen.items():
        source = source.format(**places) if "{{" in source else source
        lab, cell = (FIRST, "spread") if "import spread" in source else (LAB, "levels")
        Handout(lab).write(cell, source).save(folder / name / f"{lab}.ipynb")
    honest = {"aa-honest", "honest", "zz-honest"}
    for name in honest:
        Handout(LAB, solved=True).save(folder / name / f"{LAB}.ipynb")
    return set(chosen) | honest
