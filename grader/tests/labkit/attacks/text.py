"""Attacks through text in comparisons and reports: unpaired surrogates, control characters, and huge texts."""

from attacks.kinds import HandIn

COSTS, REPORTS = "memory and time of the grader", "damage to the class's reports"
_TOO_MUCH = ("crashed", "timed_out"), ("the other exercises were graded without it",)
HALF_A_PAIR = {
    "lone-surrogate-raised": HandIn('def answer(*given):\n    raise ValueError("\\ud800")', cell="number", solved=True, costs="own", finding="A1", gain=REPORTS),
    "lone-surrogate-as-a-name": HandIn('def answer(*given):\n    raise type("\\udcff", (Exception,), {})("\\ud800" * 9)', cell="other", solved=True, costs="own",
                                    finding="A1", gain=REPORTS),
    "lone-surrogate-as-a-value": HandIn('print("\\ud800"); by_hand = {"\\ud800": "\\udfff", 1: np.array(["\\ud800"])}', cell="value", solved=True, costs="own",
                                     finding="A1", gain=REPORTS),
    "lone-surrogate-in-an-array": HandIn('def answer(*given):\n    return np.array(["\\ud800"])\nraise KeyError("\\ud800")', solved=True, costs="own",
                                      finding="A1", gain=REPORTS),
    "lone-surrogate-in-a-figure": HandIn('def answer(values, ax):\n    ax.plot(values[::-1])\n    ax.set_title("\\ud800"); ax.set_xlabel("\\udcff")\n    return ax',
                                      cell="figure", solved=True, costs="own", finding="A1", gain=REPORTS),
}  # fmt: skip
HAND_INS = {
    **HALF_A_PAIR,
    "control-characters": HandIn("\\x1b[2J\\u202e = 1\nraise ValueError('<script>alert(1)</script>\\x1b[31m\\u202e=cmd()')"),
    "prints-200-MB": HandIn("print('x' * 200_000_000)", says=_TOO_MUCH),
    "combining-marks": HandIn("check = lambda *a, **k: print('\\u0301' * 75_000 + '\\u0323' * 75_000)", cell="value", solved=True, costs="own", finding="A6", gain=COSTS),
    "thousands-of-differing-lines": HandIn("import random\ncheck = lambda *a, **k: print(*(random.random() for _ in range(9_000)), sep='\\n')",
                                     cell="value", solved=True, costs="own", finding="A8", gain=COSTS),
    "many-flushed-prints": HandIn("for _ in range(3_900): print('x' * 8_000, flush=True)", cell="value", solved=True, costs="own", finding="A7", gain=COSTS),
    "a-long-source": HandIn("x;" * 1_000_000, cell="value", solved=True, costs="own", finding="A9", gain=COSTS),
}  # fmt: skip
