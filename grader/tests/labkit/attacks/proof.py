"""Proofs: trees of formulas that no answer is, on their way to whoever judges one."""

from attacks.kinds import HandIn
from labkit.calls.formulas import MAX_DEPTH, MAX_NODES

SYMBOLS = frozenset({"p", "k", "j", "omega"})


def nested(name: str, depth: int) -> list:
    tree = ["symbol", "p"]
    for _ in range(depth):
        tree = [name, tree]
    return tree


P = ["symbol", "p"]
# Each is refused when it is read, at once.
TREES = [
    None, "p", [], [[]], {}, ["symbol"], ["symbol", "__import__"], ["symbol", ["p"]], ["symbol", "p", "k"], ["evalf", P],
    ["integer", 10**7], ["integer", True], ["integer", 1.5], ["i", P], ["exp"],
    ["other", "anything", "p"], ["mul", ["other", "nothing", ""]], ["rational", 1, 0], ["rational", 1, -2], ["rational", "1", 2],
    ["pow", P, 9], ["pow", P, P], ["pow", ["integer", 2], 10**9], ["add"], ["sin"], ["sin", ["matrix", 1, 1, P]],
    ["pow", ["steps"], 2], ["mul", ["steps", P]], ["matrix", 2, 2, P], ["matrix", 0, 0], ["matrix", -1, -1, P],
    ["matrix", 1, 1, ["steps"]], nested("sin", MAX_DEPTH + 1), nested("steps", 400), ["add", *[P] * MAX_NODES],
    ["add", *[["mul", *[P] * 100]] * 100],
]  # fmt: skip

_SENDS = "import labkit.calls.formulas as f\nf.to_tree = lambda *given: {}\ndef answer(*symbols): return 0"
TOWER = "(lambda t: [t := ['pow', t, 8] for _ in range(20)][-1])(['symbol', 'p'])"
# For a course with a formula; the tiny one has none, so there the trees are read by themselves.
HAND_INS = {
    "a-formula-to-be-evaluated": HandIn(_SENDS.format("['evalf', ['symbol', '__import__']]"), cell="formula"),
    "a-tower-of-powers": HandIn(_SENDS.format(f"['steps', *[{TOWER}] * 6]"), cell="formula", finding="D9", gain="points for steps that are wrong"),
    "a-formula-without-end": HandIn(_SENDS.format("['add', *[['symbol', 'p']] * 10**6]"), cell="formula", gain="memory and time of the grader"),
}  # fmt: skip
