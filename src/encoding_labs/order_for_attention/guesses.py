"""Lab 06's guesses: the true values and the reasons."""

from encoding_labs.order_for_attention.learning import BLOCKS, DIAGONAL, EVERYWHERE, SHIFTED
from labkit.student.notebook.guesses import Choice, Truth

CHANGED = Truth(
    5,
    "words",
    'All but the first: it sees only itself in both sentences. Every other word sees "cat" where it saw "mat", or is one '
    "of them. Without a mask the answer is 0: each output is an average of the same rows. Exchange two rows of X, and the "
    "same two rows of the output are exchanged.",
)
ANGLE = Truth(
    96.8,
    "degrees",
    "A shift by 3 turns pair 1 by 3 ω₁, which is 96.7 degrees. The pairs 0 to 4 learn 172.0, 96.8, 54.6, 31.3 and 19.2 "
    "degrees, where 3 ω is 171.9, 96.7, 54.4, 30.6 and 17.2. The head found this rotation by itself. Later pairs "
    "hardly turn in three positions, so the head hardly uses them, and their angles are off by more than 4 degrees.",
)
ROTATIONS = Truth(
    1.00,
    "",
    "With the rotations alone, the head is right everywhere, even at 512 positions, where the whole M is right 0.74 of the time. "
    "The other 3 percent of M did no harm on the 32 training rows, but it does on rows that M never saw. Only the rotations carry "
    "over to longer texts.",
)
M = Choice(
    draw={"A": SHIFTED, "B": EVERYWHERE, "C": BLOCKS, "D": DIAGONAL},
    words={
        "A": "a line three below the diagonal",
        "B": "entries of every size everywhere",
        "C": "a block of two by two for each pair, down the diagonal, paler and paler",
        "D": "the diagonal alone, paler and paler",
    },
    right="C",
    why={
        "A": "Rows and columns of M are dimensions, not positions: this line would compare dimension 3 with dimension 0.",
        "B": "Every entry could be used, but nearly all that matters is in the blocks of the pairs: the rest is 3 percent.",
        "C": "Each block is a rotation by nearly 3 ω. Its strength is 7.37, 3.32, 1.70, 0.92 and 0.41 for pairs 0 to 4. The "
        "fast pairs are best at telling an offset of 3 from its neighbours.",
        "D": "With a diagonal M, p scores q exactly as q scores p, so the head would look ahead as much as back.",
    },
)
