"""Lab 08's guesses: the true values and the reasons."""

from encoding_labs.look_back.learning import BLOCKS, DIAGONAL, EVERYWHERE, SHIFTED
from labkit.student.notebook.guesses import Choice, Truth

STEPS = Truth(
    1,
    "step",
    "After a single step the angles of pairs 0 to 4 are 173.7, 98.2, 54.8, 30.9 and 23.1 degrees, where 3 ω is 171.9, 96.7, 54.4, "
    "30.6 and 17.2. At first all weights are equal, so for each query the step adds the mean key of the right word's places and "
    "subtracts the mean of all keys: your one_look, blurred by chance. The blocks of one_look turn by exactly 3 ω: each example "
    "adds R(3) times the key's pair times itself, which is a symmetric block and turns nothing. The other 999 steps turn the "
    "first four hands by less than 2 degrees. They lengthen them: the strength of pair 0 grows from 0.03 to 7.37, and in a text "
    "of 128 words the rows that look three back grow from 6 to 87 percent.",
)
ROTATIONS = Truth(
    1.00,
    "",
    "With the rotations alone, the head is right everywhere, even at 512 positions, where the whole M is right 0.74 of the time. "
    "So the rest, 3 percent of M's sum of squares, does the harm on longer texts. Why did training leave it in M?",
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
        "B": "Every entry could be used, but nearly all that matters is in the blocks of the pairs: the rest is "
        "3 percent of the sum of squares.",
        "C": "Pairs 0 to 4 turn by 3 ω, to within 2 degrees, with strengths 7.37, 3.32, 1.70, 0.92 and 0.41. The fast pairs are "
        "best at telling an offset of 3 from its neighbours. Slower pairs are weak, and turn by other angles.",
        "D": "With a diagonal M, p scores q exactly as q scores p, so the head would look ahead as much as back.",
    },
)
