# %% [markdown] name="title"
# # 01 · Build the table
#
# **Time** 45 minutes · **Difficulty** ★☆☆ · **You need** NumPy arrays, sine and cosine
#
# After this lab you can
#
# 1. write down the frequency of every pair of columns, and say what its unit is;
# 2. build the table of sinusoidal positional encodings for any number of positions and dimensions;
# 3. look at a wrong table and say which mistake made it.

# %% [markdown] name="why"
# ## Why
#
# Self-attention compares tokens by what they are, not by where they stand: shuffle the tokens of a sentence, and each
# token still gets the same result. (A recurrent network reads one token after the other, and a convolution looks at
# neighbours; both have the order built in.) So we have to tell the model where a token stands. *Attention Is All You
# Need* (Vaswani et al., 2017) adds to each token a vector that depends on its position alone:
#
# $$PE[p, 2k] = \sin(p\,\omega_k) \qquad PE[p, 2k+1] = \cos(p\,\omega_k) \qquad \omega_k = 10000^{-2k/d}$$
#
# $p$ counts positions from 0. $d$ is the number of dimensions, an even number. $k$ counts **pairs** of columns, from 0
# to $d/2 - 1$. The table has one row per position and one column per dimension.
#
# Read it as a row of clocks. Pair $k$ is the hand of clock $k$: it turns by $\omega_k$ radians per position, and
# sine and cosine are the two coordinates of its tip. The first clock is fast. Each next one is slower by the same factor.
#
# What does such a code have to offer?
#
# - It is **fixed**: no parameters, nothing to train.
# - It is **bounded**: every entry lies in $[-1, 1]$, however long the text is.
# - It is **unique**: in exact arithmetic no two positions have the same row. The first clock alone sees to that, because
#   its full turn takes $2\pi$ positions, and no whole number of positions but 0 is a whole number of turns.
# - It is **smooth**: from one position to the next every hand moves by its own fixed angle, 1 radian or less, so
#   neighbours have similar rows.
# - It gives a row for **any position**, also beyond those of the training texts. Whether a model can use that row is
#   another question.
# - It makes **relative offsets** easy: the row of position $p + 3$ is one fixed linear map of the row of $p$, whatever
#   $p$ is. [03 · Rotation proof](03_rotation_proof.ipynb) shows it.

# %% name="setup"
import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.build_the_table.gallery import gallery
from labkit.notebook import check, look, reveal, show, use_style

use_style()

# %% [markdown] name="predict"
# ## Predict
#
# Take $d = 32$. The hand of the first clock turns by 1 radian per position. How many positions does the hand of the
# **last** clock need for one full turn? Write your guess as a number. Nobody grades it; you will meet it again below.

# %% name="predict_last_turn"
guess_last_turn = None  # your guess, in positions

# %% [markdown] name="frequencies_task"
# ## Build: the frequencies
#
# Write `frequencies(d)`: the $d/2$ frequencies in radians per position, the fastest first.
#
# <details><summary>Hint</summary>
# There is one frequency per pair, not one per column. Which values does k take when d is 8?
# </details>
# <details><summary>Bigger hint</summary>
# At d = 8 the frequencies are 1, 0.1, 0.01 and 0.001. <code>np.arange</code> makes all k at once, and NumPy raises a
# number to an array of powers in one expression.
# </details>

# %% name="frequencies" exercise="frequencies"
def frequencies(d):
    """The frequency of each pair: omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1.

    d: an even number of dimensions.
    Returns an array of shape (d/2,), in radians per position.
    """
    # BEGIN ANSWER
    k = np.arange(d // 2)
    return 10000.0 ** (-2 * k / d)
    # END ANSWER

# %% name="check_frequencies"
check("frequencies")

# %% [markdown] name="see_frequencies_text"
# ### See it
#
# On a logarithmic axis equal ratios are equal steps. Your frequencies should stand on one straight line per $d$, and
# every line starts at 1.

# %% name="see_frequencies"
figure, ax = plt.subplots()
for d in (8, 16, 32):
    ax.plot(np.arange(d // 2), frequencies(d), "o-", label=f"d = {d}")
ax.set_yscale("log")
ax.set(xlabel="pair k", ylabel="frequency (radians per position)",
       title="Each pair is slower by the same factor")
ax.legend()
show(figure, alt="Frequencies against pair index on a logarithmic axis, for d = 8, 16 and "
     "32. Each d is a straight falling line that starts at 1; the larger d is, the "
     "gentler the slope, and all end a little above 1/10000.")

# %% name="reveal_last_turn"
reveal(guess_last_turn, 2 * np.pi / frequencies(32)[-1], "positions")

# %% [markdown] name="last_turn_text"
# At $d = 32$ the last pair has $k = 15$, so its exponent is $-30/32$ and not $-1$. Its turn takes 35,333 positions. The
# number $2\pi \cdot 10000 = 62{,}832$, which is often given, is what the last turn approaches when $d$ grows.

# %% [markdown] name="sinusoidal_pe_task"
# ## Build: the table
#
# Write `sinusoidal_pe(T, d)`: a `float32` array of shape `(T, d)`, row $p$ for position $p$, sine in the even columns
# and cosine in the odd ones. It raises `ValueError` when `d` is odd or not positive, and when `T` is negative: these make
# no table. `T = 0` is an empty table of shape `(0, d)`.
#
# Two remarks. Some programs put all sines first, then all cosines. Theirs is the same table with its columns in another
# order, and just as good, as long as everybody keeps to one order; this course interleaves. And NumPy computes in
# `float64` unless told otherwise. Round to `float32` once, at the end, and every entry is within 3e-8 of the exact value.
#
# <details><summary>Hint</summary>
# First make all the angles: one row per position, one column per pair. What are the shapes of the positions and of the
# frequencies, so that NumPy multiplies each with each?
# </details>
# <details><summary>Bigger hint</summary>
# <code>positions[:, None] * omega</code> has shape (T, d/2). A slice with step 2, such as <code>table[:, 0::2]</code>,
# picks every other column.
# </details>

# %% name="sinusoidal_pe" exercise="sinusoidal_pe"
def sinusoidal_pe(T, d):
    """The table: PE[p, 2k] = sin(p * omega_k), PE[p, 2k+1] = cos(p * omega_k).

    Returns an array of shape (T, d), float32.
    ValueError for d that is odd or not positive, and for negative T.
    """
    # BEGIN ANSWER
    if d <= 0 or d % 2 or T < 0:
        raise ValueError(f"no table has the size ({T}, {d})")
    angles = np.arange(T)[:, None] * frequencies(d)
    table = np.empty((T, d), dtype=np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table
    # END ANSWER

# %% name="check_sinusoidal_pe"
check("sinusoidal_pe")

# %% [markdown] name="see_table_text"
# If that line leaves you puzzled, run `look("sinusoidal_pe")` in a cell of your own: it draws your table, how fast its pairs
# turn, and where it differs from what is asked for.
#
# ### See it
#
# Here are the first four rows of your table at $d = 8$. Every row is one position. Find the pair that turns by 1 radian per
# position. Find the columns that hardly move.

# %% name="see_table"
with np.printoptions(precision=2, suppress=True, floatmode="fixed"):
    print(np.round(sinusoidal_pe(4, 8), 2) + 0.0)  # adding 0 makes -0 a plain 0

# %% name="see_clocks"
table = sinusoidal_pe(13, 8)
turn = np.linspace(0, 2 * np.pi, 100)
figure, ax = plt.subplots(figsize=(9, 2.9))
for k in range(4):
    x, y = 3 * k + table[:, 2 * k + 1], table[:, 2 * k]  # clock k stands at 3k
    ax.plot(3 * k + np.cos(turn), np.sin(turn), color="0.8", lw=1)
    ax.plot(x, y, "o", color="C0", ms=4, alpha=0.5)
    ax.plot([3 * k, x[-1]], [0, y[-1]], color="C1")
ax.set(aspect="equal", yticks=(-1, 0, 1), ylabel="sine",
       xticks=range(0, 12, 3), xticklabels=[f"pair {k}" for k in range(4)],
       xlabel="cosine, from each clock's middle to the right",
       title="Within 13 positions only the first clock comes around")
show(figure, alt="Four clocks, one per pair at d = 8, each with the tips of its hand at "
     "positions 0 to 12. The tips of pair 0 go around almost twice. Those of pair 1 cover "
     "about a fifth of a turn. Those of pairs 2 and 3 hardly leave the start, on the "
     "right.")

# %% [markdown] name="by_hand_task"
# ## By hand
#
# A formula that you have worked out once on paper stays with you. At $d = 4$ the first two rows are
# $PE(0) = (0, 1, 0, 1)$ and, with four decimals, $PE(1) = (0.8415, 0.5403, 0.0100, 1.0000)$.
#
# Now take position 3, again at $d = 4$. Work out the four numbers of $PE(3)$, with a calculator set to radians, and
# write `by_hand` as a list of them, in order, each with four decimals.
#
# <details><summary>Hint</summary>
# At d = 4 there are two pairs. Their frequencies are 1 and 0.01, so the two angles at position 3 are 3 and 0.03 radians.
# </details>

# %% name="by_hand" exercise="by_hand"
# BEGIN ANSWER
by_hand = [0.1411, -0.9900, 0.0300, 0.9996]
# END ANSWER

# %% name="check_by_hand"
check("by_hand")

# %% [markdown] name="name_the_mistake_task"
# ## Name the mistake
#
# These four tables should be `sinusoidal_pe(24, 16)`. Each was made by a program with one mistake, of a kind that real
# programs have had. (The other order of columns counts as one here: it is not the table that was asked for.) Which
# mistake is in which? Write `name_the_mistake` as a dictionary with the keys `"A"` to `"D"`; each value is one of these
# names:
#
# | name | the mistake |
# |---|---|
# | `"columns-unwritten"` | half of the columns were never filled |
# | `"degrees"` | the angles were taken for degrees |
# | `"frequencies-reversed"` | the slow pairs come first |
# | `"halves-layout"` | all sines first, then all cosines |
# | `"integer-division"` | the exponent was rounded down to a whole number |
# | `"positions-from-one"` | the first token has position 1 |
# | `"same-function-twice"` | sine in both columns of a pair |
# | `"swapped-sin-cos"` | cosine in the even columns, sine in the odd ones |
#
# <details><summary>Hint</summary>
# Look at row 0 first: at position 0 every angle is 0. Then ask which columns change fast, and which hardly at all.
# </details>

# %% name="see_gallery"
figure, axes = plt.subplots(1, 4, figsize=(10, 4.2), sharey=True)
for ax, (letter, wrong) in zip(axes, gallery().items()):
    image = ax.imshow(wrong, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
    ax.set(title=f"Table {letter}", xlabel="dimension")
    ax.grid(False)
axes[0].set_ylabel("position")
figure.colorbar(image, ax=axes, label="value")
show(figure, alt="Four heatmaps, A to D, of wrong tables with 24 positions as rows and 16 "
     "dimensions as columns. Blue is -1, white is 0, red is 1. A: the columns on the left "
     "are constant and those on the right change fast. B: the left half starts white in "
     "row 0, the right half starts red, and in both the columns get slower to the right. "
     "C: every column hardly changes. D: every other column is white throughout.")

# %% name="name_the_mistake" exercise="name_the_mistake"
# BEGIN ANSWER
name_the_mistake = {
    "A": "frequencies-reversed",
    "B": "halves-layout",
    "C": "degrees",
    "D": "columns-unwritten",
}
# END ANSWER

# %% name="check_name_the_mistake"
check("name_the_mistake")

# %% [markdown] name="why_pairs_task"
# ## Explain
#
# Sine and cosine of a pair share one frequency. Why must they? Say what would be lost if every column had a frequency
# of its own. Three or four sentences are enough; a drawing of the clock may help you think. (2 points, read by a person.)

# %% [markdown] name="why_pairs" exercise="why_pairs"
# <!-- BEGIN ANSWER -->
# With a shared frequency, sine and cosine are the two coordinates of one point on a circle. Moving on by k positions
# turns that point by the angle k·ω, whatever p is: a fixed rotation of the pair. That is what lets a model read relative
# offsets with a linear map. With two different frequencies the two numbers belong to two different clocks, and no fixed
# linear map of them moves both on by k. A sine alone does not even tell whether the hand is rising or falling: two
# positions in a turn share each value.
# <!-- END ANSWER -->

# %% [markdown] name="why_pairs_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: with a shared frequency the pair is a point on a circle, and moving on by k is a rotation by k·ω that does
#   not depend on p.
# - 1 point: what is lost otherwise. Either no fixed linear map of the pair moves it on by k, or a sine alone does not
#   tell rising from falling.

# %% [markdown] name="stretch"
# ## Stretch
#
# Some programs keep a table as one long vector. Write `sinusoidal_pos(seed, T, d_model)`: the table in row-major order, an
# array of shape `(T * d_model,)`, so that entry `p * d_model + i` is column `i` of position `p`. The seed is there because other
# encodings of the same family are random; what should this one do with it?
#
# **Next**: [02 · Heatmap](02_heatmap.ipynb) looks at the whole table at once.
