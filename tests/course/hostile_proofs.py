"""Hostile proofs for lab 03: trees that are not formulas, and notebooks whose kernels send such trees."""

from attacks.kinds import HandIn

from encoding_labs.rotation_proof.formulas import MAX_DEPTH, MAX_NODES

SYMBOLS = frozenset({"p", "k", "j", "omega"})
LAB = "03_rotation_proof"


def nested(name: str, depth: int) -> list:
    tree = ["symbol", "p"]
    for _ in range(depth):
        tree = [name, tree]
    return tree


P = ["symbol", "p"]
# The reader of formula trees must refuse each of these.
TREES = [
    None, "p", [], [[]], {}, ["symbol"], ["symbol", "__import__"], ["symbol", ["p"]], ["symbol", "p", "k"], ["evalf", P],
    ["integer", 10**7], ["integer", True], ["integer", 1.5], ["i", P], ["exp"],
    ["other", "anything", "p"], ["mul", ["other", "nothing", ""]], ["rational", 1, 0], ["rational", 1, -2], ["rational", "1", 2],
    ["pow", P, 9], ["pow", P, P], ["pow", ["integer", 2], 10**9], ["add"], ["sin"], ["sin", ["matrix", 1, 1, P]],
    ["pow", ["steps"], 2], ["mul", ["steps", P]], ["matrix", 2, 2, P], ["matrix", 0, 0], ["matrix", -1, -1, P],
    ["matrix", 1, 1, ["steps"]], nested("sin", MAX_DEPTH + 1), nested("steps", 400), ["add", *[P] * MAX_NODES],
    ["add", *[["mul", *[P] * 100]] * 100],
]  # fmt: skip

_SENDS = (
    "import encoding_labs.rotation_proof.formulas as f\nf.to_tree = lambda *given: {}\ndef answer(*symbols): return 0"
)
TOWER = "(lambda t: [t := ['pow', t, 8] for _ in range(20)][-1])(['symbol', 'p'])"
_OWN = {"cell": "formula", "solved": True, "costs": "own"}
HAND_INS = {
    "a-formula-to-be-evaluated": HandIn(_SENDS.format("['evalf', ['symbol', '__import__']]"), **_OWN),
    "a-tower-of-powers": HandIn(_SENDS.format(f"['steps', *[{TOWER}] * 6]"), finding="D9", gain="points for wrong steps", **_OWN),
    "a-formula-without-end": HandIn(_SENDS.format("['add', *[['symbol', 'p']] * 10**6]"), gain="memory and time of the grader", **_OWN),
}  # fmt: skip
