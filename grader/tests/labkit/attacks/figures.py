"""Attacks through figures: drawings that show nothing or the wrong thing, and drawings too large to read."""

from attacks.kinds import HandIn

SEEN = "points for a figure that does not show the values"
_LIES = "import labkit.student.calls.snapshot as a\na.snapshot = lambda ax: "
_RIGHT = "def answer(values, ax):\n    ax.plot(values)\n"
HAND_INS = {
    "a-hidden-line": HandIn("def answer(values, ax):\n    ax.plot(values, visible=False)", cell="figure", finding="D6", gain=SEEN),
    "a-transparent-line": HandIn("def answer(values, ax):\n    ax.plot(values, alpha=0)", cell="figure", finding="D6", gain=SEEN),
    "invisible-axes": HandIn(_RIGHT + "    ax.set_visible(False)", cell="figure", finding="D6", gain=SEEN),
    "axes-off-the-page": HandIn(_RIGHT + "    ax.set_position([2, 2, 1, 1])", cell="figure", finding="D6", gain=SEEN),
    "other-axes": HandIn("def answer(values, ax):\n    ax.figure.add_axes([0, 0, 1, 1]).plot(values)", cell="figure", finding="D6", gain=SEEN),
    "a-malformed-figure": HandIn(_LIES + "{'images': 3, 'lines': None}\n" + _RIGHT, cell="figure"),
    "a-figure-of-a-million-lines": HandIn(_LIES + "{'lines': [{}] * 10**6}\n" + _RIGHT, cell="figure", finding="A9", gain="memory and time of the grader"),
    "a-label-of-9-MB": HandIn(_RIGHT + "    ax.lines[0].set_label('x' * 9_000_000); ax.legend = None\n    ax.set_title('y' * 9_000_000)",
                              cell="figure", finding="A9", gain="memory and time of the grader"),
}  # fmt: skip
