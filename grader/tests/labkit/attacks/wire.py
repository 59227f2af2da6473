"""Attacks through returned values, which are read, stored and compared outside the kernel."""

from attacks.kinds import HandIn
from attacks.reply import PATCH

COSTS = "memory and time of the grader"
_KEYS = "','.join(str(k * (2**61 - 1) + 1) for k in range(1, 70_001))"  # their hashes all collide
_LYING = (
    "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDk5OTk5OTk5OTksIDk5OTk5OTkpfQo="
)
_EMPTY = (
    "import base64, io, numpy as np\nfrom numpy.lib import format as _npy\n_file = io.BytesIO()\n"
    "_npy.write_array_header_1_0(_file, {'descr': '|S0', 'fortran_order': False, 'shape': (65536, 4096)})\n"
    '_sent = \'["value",{"npy":"%s","scalar":false}]\' % base64.b64encode(_file.getvalue()).decode()\n'
)
HAND_INS = {
    "lying-subclass": HandIn(
        "class Liar(np.ndarray):\n    __eq__ = lambda self, other: True\n    __array_function__ = lambda *a, **k: True\n"
        "    __array_ufunc__ = lambda *a, **k: True\ndef answer(*given): return np.zeros(np.size(given[0])).view(Liar)"),
    "object-array": HandIn("def answer(*given): return np.array([object()] * np.size(given[0]))"),
    "pickle": HandIn(
        "import os\nclass Bomb:\n    __reduce__ = lambda self: (os.system, ('touch /tmp/labkit-pickle',))\ndef answer(*given): return np.array([Bomb()])"),
    "nan": HandIn("def answer(*given): return np.full(np.size(given[0]), np.nan)"),
    "empty": HandIn("def answer(*given): return np.zeros(0)"),
    "scalar": HandIn("def answer(*given): return np.float64(0)"),
    "huge-array": HandIn("def answer(*given): return np.lib.stride_tricks.as_strided(np.zeros(1), (10**7, 10**5), (0, 0))"),
    "lying-shape": HandIn(PATCH + f"'[\"value\",{{\"npy\":\"{_LYING}\",\"scalar\":false}}]'\ndef answer(*given): return 0"),
    "deep-reply": HandIn(PATCH + "'[' * 200000 + ']' * 200000\ndef answer(*given): return 0"),
    "colliding-keys": HandIn(PATCH + f"'{{\"list\":[\"value\",{{\"set\":[' + {_KEYS} + ']}}]}}'\ndef answer(*given): return 0",
                             cell="number", solved=True, finding="A5", gain=COSTS),
    "entries-of-zero-bytes": HandIn(_EMPTY + PATCH + "_sent\nby_hand = 0", cell="value", solved=True, costs="some", finding="A9", gain=COSTS),
    "a-long-short-answer": HandIn("import numpy as np\nby_hand = np.zeros(8_000_000, np.int8)", cell="value", solved=True, costs="own", finding="A9", gain=COSTS),
    "a-long-text": HandIn("def answer(*given): return chr(128512) + 'x' * 1_000_000", cell="number", solved=True, costs="own", finding="A9", gain=COSTS),
    "a-large-array": HandIn("def answer(*given): return np.zeros(2_000_000)", cell="number", solved=True, costs="own", finding="A9", gain=COSTS),
    "a-list-of-200000-lists": HandIn("def answer(*given): return [[]] * 200_000", cell="number", solved=True, costs="own", finding="A9", gain=COSTS),
}  # fmt: skip
