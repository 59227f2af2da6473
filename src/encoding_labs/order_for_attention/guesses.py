"""Lab 06's guesses: the right answers and the reasons."""

from encoding_labs.order_for_attention.figures import ONE
from labkit.student.notebook.guesses import Choice
from labkit.student.notebook.language import translated as _

MOVES = (0, 0.45, 0.14, 0.06, 0.06, 0.39)  # how far each word's output moves under a causal mask


def moves(distances):
    """Draw how far each word's output moves as a small picture."""

    def draw(ax):
        ax.bar(range(6), distances, 0.7, color="C0")
        ax.plot(range(6), distances, "o", color="C1", ms=5)  # shows where a bar has no height
        ax.set(ylim=(-0.03, 0.5), yticks=(0,), ylabel=_("how far it moves"))
        ax.set_xticks(range(6), ONE.split(), rotation=60, fontsize=11)
        ax.grid(False)

    return draw


CHANGED = Choice(
    draw={
        "A": moves((0,) * 6),
        "B": moves((0, MOVES[1], 0, 0, 0, MOVES[5])),
        "C": moves(MOVES),
        "D": moves((0.1, *MOVES[1:])),
    },
    words={
        "A": "no word's output moves",
        "B": "only the outputs of cat and mat move",
        "C": "all outputs move but that of the first word; those of cat and mat move most",
        "D": "all six outputs move; those of cat and mat move most",
    },
    right="C",
    why={
        "A": "A is attention without a mask: each output is an average of the same rows. Exchange two rows of X, and the same two "
        "rows of the output are exchanged.",
        "B": 'In B sat, on and the second "the" don\'t move. They are where they were, but they average what came before them, and '
        'that was "cat" in one sentence and "mat" in the other.',
        "C": 'The first word sees only itself in both sentences. Every other word sees "cat" where it saw "mat", or is one of '
        "them. Without a mask no output moves.",
        "D": 'In D the first "the" moves too. But it sees only itself, and it is the first word of both sentences.',
    },
)
