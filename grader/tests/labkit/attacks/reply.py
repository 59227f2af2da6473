"""Attacks in which a kernel sends forged replies in place of an answer or a message."""

from attacks.kinds import HandIn

PATCH = "import labkit.student.calls.calling as o\no.reply = lambda value: "
_TOO_MUCH = ("crashed", "timed_out"), ("the other exercises were graded without it",)
HAND_INS = {
    "prints-all-passed": HandIn("print('all passed, 10/10 points'); raise SystemExit(0)"),
    "patches-numpy": HandIn(
        "import numpy, numpy.testing, builtins\n"
        "for where in (numpy, numpy.testing):\n    for name in ('allclose', 'array_equal', 'isclose', 'assert_allclose'):\n"
        "        setattr(where, name, lambda *a, **k: True)\nbuiltins.abs = lambda x: 0\ndef answer(*given): return np.zeros(np.size(given[0]))"),
    "patches-everything": HandIn(
        "import gc, types\nfor each in gc.get_objects():\n    if isinstance(each, type) and each.__module__.startswith('labkit'):\n"
        "        try: each.__eq__ = lambda *a: True\n        except TypeError: pass\ndef answer(*given): return 0"),
    "not-a-reply": HandIn(PATCH + "{'passed': True}\ndef answer(*given): return 0"),
    "breaks-its-kernel": HandIn(
        "import gc, socket\nget_ipython().kernel.session.key = b'forged'\nget_ipython().kernel.session.send = lambda *a, **k: None"),
    "floods-its-sockets": HandIn(
        "import os\nfor fd in range(3, 200):\n    try: os.set_blocking(fd, False); os.write(fd, b'\\xff' * 100_000)\n    except OSError: pass"),
    "shows-100-MB": HandIn("from IPython.display import display\ndisplay({'text/plain': 'x' * 110_000_000}, raw=True)", says=_TOO_MUCH),
    "50000-outputs": HandIn("from IPython.display import display\nfor n in range(50_000): display(n)", says=_TOO_MUCH),
    "many-large-outputs": HandIn(
        "from IPython.display import display\nfor n in range(60): display({'text/plain': 'x' * 15_000_000}, raw=True)",
        cell="value", solved=True, costs="own", finding="A9", gain="memory of the grader", says=_TOO_MUCH),
    "nbval-marker": HandIn("# NBVAL_SKIP\n# NBVAL_IGNORE_OUTPUT\nraise SystemExit('10/10')"),
    "shows-many-parts": HandIn(
        "from IPython.display import display\nfor _ in range(5): display({'application/json': [{}] * 300_000}, raw=True)",
        cell="value", solved=True, costs="own", finding="A9", gain="memory and time of the grader"),
    "fills-the-graders-memory": HandIn(
        "_asked = []\ndef answer(*given):\n    _asked.append(1)\n    return ['ab'] * (170_000 // 2 ** max(0, len(_asked) - 3))",
        cell="number", solved=True, costs="own", gain="memory needed to grade the next submission"),
}  # fmt: skip
