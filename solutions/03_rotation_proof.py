# %% [markdown] name="title"
# # 03 · Rotation proof
#
# **Time** 60 minutes · **Difficulty** ★★☆ · **You need** [01 · Build the table](01_build_the_table.ipynb), matrix
# products, and a first look at SymPy
#
# After this lab you can
#
# 1. write down the matrix that moves every row of the table on by $k$ positions, and say what it depends on;
# 2. prove it, for all positions at once, and show that shifts compose and can be taken back;
# 3. say which part of the property is lost without the cosines, and which wrong tables still have it.

# %% [markdown] name="why"
# ## Why
#
# A model should be able to use "three words earlier" in the same way at the start of a text and at its end. It can,
# if going on by $k$ positions is **one and the same linear map** wherever you start:
#
# $$PE(p + k) = R(k)\,PE(p) \qquad \text{for every } p$$
#
# Read the table as a row of clocks again. Going on by $k$ positions turns the hand of clock $i$ by the angle
# $k\,\omega_i$, and it turns it by that angle from wherever the hand stands. All of this lab is in that sentence.
# What it takes to prove it are the two addition identities
#
# $$\sin(a + b) = \sin a \cos b + \cos a \sin b \qquad \cos(a + b) = \cos a \cos b - \sin a \sin b$$
#
# This lab counts pairs with $i$, because $k$ is the offset here: $\omega_i = 10000^{-2i/d}$.

# %% name="setup"
import matplotlib.pyplot as plt
import numpy as np
from sympy import Matrix, cos, sin

import encoding_labs.rotation_proof  # what check() asks about
from labkit.notebook import check, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style()

# %% [markdown] name="predict"
# ## Predict
#
# Take $d = 8$, so that $R(3)$ is a matrix of $8 \times 8 = 64$ entries. How many of them are **not** 0? Write your
# guess as a number. Nobody grades it; you will meet it again below.

# %% name="predict_entries"
guess_entries = None  # your guess, from 0 to 64

# %% [markdown] name="shift_matrix_task"
# ## Build: the matrix
#
# Write `shift_matrix(k, d)`: the `float64` array of shape `(d, d)` with `shift_matrix(k, d) @ PE(p) = PE(p + k)` for
# every position $p$, where $PE(p)$ is a row of the table taken as a vector: sine in the even places, cosine in the
# odd ones. The offset $k$ is a whole number; it may be 0 or negative. The function does not get $p$, and does not
# need it.
#
# <details><summary>Hint</summary>
# Start with one pair. Take sin(p·ω + k·ω) apart with the first identity: which two numbers stand before sin(p·ω) and
# before cos(p·ω)? They are the first row of a 2 × 2 matrix. The second identity gives the second row.
# </details>
# <details><summary>Bigger hint</summary>
# Pairs do not mix, so the matrix is 0 outside of the 2 × 2 blocks on its diagonal. With
# <code>even = np.arange(0, d, 2)</code>, the index <code>matrix[even, even + 1]</code> reaches the upper right corner of
# all blocks at once.
# </details>

# %% name="shift_matrix" exercise="shift_matrix"
def shift_matrix(k, d):
    """The matrix of a shift by k: PE(p + k) = shift_matrix(k, d) @ PE(p) for every p.

    k: a whole number of positions. d: an even number of dimensions.
    Returns an array of shape (d, d), float64.
    """
    # BEGIN ANSWER
    even, matrix = np.arange(0, d, 2), np.zeros((d, d))
    angle = k * 10000.0 ** (-even / d)
    matrix[even, even] = matrix[even + 1, even + 1] = np.cos(angle)
    matrix[even, even + 1], matrix[even + 1, even] = np.sin(angle), -np.sin(angle)
    return matrix
    # END ANSWER

# %% name="check_shift_matrix"
check("shift_matrix")

# %% [markdown] name="see_matrix_text"
# ### See it
#
# Three shifts at $d = 8$. Every block on the diagonal is one clock. Which blocks change from picture to picture, and
# which one can you hardly tell from a block that does nothing?

# %% name="see_matrix"
figure, axes = plt.subplots(1, 3, figsize=(9.5, 3.6), sharey=True)
for ax, k in zip(axes, (0, 3, 20)):
    image = ax.imshow(shift_matrix(k, 8), cmap="RdBu_r", vmin=-1, vmax=1)
    ax.set(title=f"k = {k}", xlabel="column (of PE(p))", xticks=range(8), yticks=range(8))
    ax.grid(False)
axes[0].set_ylabel("row (of PE(p + k))")
figure.suptitle("A shift turns each pair and mixes no two", x=0.02, ha="left", fontsize=14)
figure.colorbar(image, ax=axes, label="entry")
show(figure, alt="Three matrices of 8 rows and 8 columns, for k = 0, 3 and 20; blue is "
     "-1, white 0, red 1. All are white outside of the four 2 by 2 blocks on the "
     "diagonal. At k = 0 the diagonal is full red and the rest white. At k = 3 the first "
     "block has a blue diagonal and two pale corners, the second a red diagonal with a "
     "pale red corner above and a pale blue one below, and the last two look as at k = 0. "
     "At k = 20 the first block has a pale red diagonal, strong red above and strong blue "
     "below; the second a pale blue diagonal, strong red above and strong blue below; the "
     "third is red with pale corners; the last still looks as at k = 0.")

# %% name="reveal_entries"
reveal(guess_entries, np.count_nonzero(shift_matrix(3, 8)), "entries")

# %% [markdown] name="reference_run_text"
# Each new number comes from two old ones, the sine and the cosine of its own pair: 2 entries in each of the 8 rows. A
# matrix that mixed the pairs could have up to 64.
#
# Now apply it to a whole table, 16 positions at $d = 8$. Rows are vectors here, so the matrix stands on the right,
# transposed.

# %% name="reference_run"
table = sinusoidal_pe(16, 8)
error = np.abs(table[:-3] @ shift_matrix(3, 8).T - table[3:]).max()
print(f"T = 16, d = 8, k = 3: the largest error is below {1e-5:.0e}: {error < 1e-5}")

# %% [markdown] name="reference_run_meaning"
# The table is stored in `float32`, and so the error is the rounding of its entries, about 6e-8. With a `float64`
# table it is about 2e-16, the last binary digit of a number near 1; printed with ten decimals, that would show as
# zeros only. Errors belong in scientific form.

# %% [markdown] name="shift_task"
# ## Build: the same without the matrix
#
# Of the $d^2$ entries only $2d$ are not 0. Write `shift(pe, k)`, which moves **every row** of a table on by $k$
# positions without building the matrix: row $p$ of the result is $PE(p + k)$. The table `pe` has shape `(T, d)`, and
# so has the result. Use the numbers in `pe`; the rows at the end of the result are positions that `pe` does not hold.
#
# <details><summary>Hint</summary>
# <code>pe[:, 0::2]</code> are the sines of all pairs and <code>pe[:, 1::2]</code> their cosines.
# The new sines come from both, with one factor per pair; so do the new cosines.
# </details>
# <details><summary>Bigger hint</summary>
# Cosine and sine are the real and the imaginary part of one complex number. What does multiplying it by a number of
# length 1 do to its angle? Or, in real numbers: fill a new array of the same shape, and read only from the old one.
# </details>

# %% name="shift" exercise="shift"
def shift(pe, k):
    """Every row moved on by k positions: row p of the result is PE(p + k).

    pe: a table of shape (T, d). k: a whole number of positions.
    Returns an array of shape (T, d).
    """
    # BEGIN ANSWER
    angle = k * 10000.0 ** (-np.arange(0, pe.shape[1], 2) / pe.shape[1])
    sine, cosine, moved = pe[:, 0::2], pe[:, 1::2], np.empty(pe.shape)
    moved[:, 0::2] = sine * np.cos(angle) + cosine * np.sin(angle)
    moved[:, 1::2] = cosine * np.cos(angle) - sine * np.sin(angle)
    return moved
    # END ANSWER

# %% name="check_shift"
check("shift")

# %% [markdown] name="see_shift_text"
# ### See it
#
# Two starting positions, 2 and 9, and a shift by 3. Compare the two rows of clocks: the hands start in different
# places. What is the same?

# %% name="see_shift"
table, moved = sinusoidal_pe(12, 8), shift(sinusoidal_pe(12, 8), 3)
figure, axes = plt.subplots(2, 4, figsize=(9.5, 5.2), sharex=True, sharey=True)
for axes_of_p, p in zip(axes, (2, 9)):
    for i, ax in enumerate(axes_of_p):
        for row, color, name in ((table[p], "C0", "before"), (moved[p], "C1", "after")):
            y, x = row[2 * i : 2 * i + 2]
            arrow = {"arrowstyle": "->", "color": color, "lw": 2}
            ax.annotate("", xy=(x, y), xytext=(0, 0), arrowprops=arrow)
            ax.plot(x, y, "o", color=color, ms=5, label=name)
        ax.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), xticks=(-1, 0, 1), yticks=(-1, 0, 1))
        ax.set(aspect="equal", title=f"pair {i}, p = {p}")
    axes_of_p[0].set_ylabel("sine")
for ax in axes[1]:
    ax.set_xlabel("cosine")
axes[0, 0].legend(loc="lower left", fontsize=9, handletextpad=0, borderpad=0)
title = "The turn depends on the pair and on k = 3, not on p"
figure.suptitle(title, x=0.02, ha="left", fontsize=14)
show(figure, alt="Two rows of four clocks with the hand before and after a shift by 3, "
     "the upper row from position 2, the lower one from position 9. In both rows pair 0 "
     "turns counterclockwise by nearly half a turn and pair 1 by about 17 degrees. Pair 2 "
     "turns by less than 2 degrees, pair 3 by nothing that can be seen, so that their two "
     "hands lie on each other.")

# %% [markdown] name="proof_task"
# ## Prove it
#
# A test on 16 rows shows 16 rows. A proof covers all. Write `proof(p, k, j, omega)`. It receives four SymPy symbols
# and returns a **list of six steps**; `Matrix`, `sin` and `cos` come from SymPy. A pair is a column, sine over
# cosine: `Matrix([..., ...])`.
#
# | step | what it is | how it is written |
# |---|---|---|
# | 1 | the pair at position $p + k$ | with the sine and cosine of the sum |
# | 2 | the same pair | taken apart: no sine or cosine of a sum is left |
# | 3 | the matrix $R(k)$, 2 × 2, which makes step 2 out of the pair at $p$ | without $p$ |
# | 4 | the product $R(j)\,R(k)$: first on by $k$, then on by $j$ | multiplied out, no sine or cosine of a sum |
# | 5 | the same matrix | put together: with sines and cosines of the sum of both angles |
# | 6 | the inverse of $R(k)$ | as you like, in $k$ and $\omega$ |
#
# The check takes the symbols as unknowns. A step passes when it equals the one that it follows from for **every**
# value of them, in whatever way you write it, and when it has the form in the table.
#
# <details><summary>Hint</summary>
# The angles are p·ω, k·ω and j·ω. Steps 1 and 2 are the two identities with a = p·ω and b = k·ω. For step 3, look at
# step 2 and collect what stands before sin(p·ω) and before cos(p·ω).
# </details>
# <details><summary>Bigger hint</summary>
# Steps 3 to 6 are all values of one function of an angle. Write that function once, inside <code>proof</code>; SymPy
# multiplies matrices with <code>*</code>. For step 6: which angle takes back a turn by k·ω?
# </details>

# %% name="proof" exercise="proof"
def proof(p, k, j, omega):
    """The six steps of the table above: from the pair at p + k to the inverse of R(k).

    p, k, j, omega: SymPy symbols.
    Returns a list: two columns of shape (2, 1), then four matrices of shape (2, 2).
    """
    # BEGIN ANSWER
    def R(angle):
        return Matrix([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])

    a, b = p * omega, k * omega
    together = Matrix([sin(a + b), cos(a + b)])
    apart = Matrix([sin(a) * cos(b) + cos(a) * sin(b), cos(a) * cos(b) - sin(a) * sin(b)])
    return [together, apart, R(b), R(j * omega) * R(b), R(j * omega + b), R(-b)]
    # END ANSWER

# %% name="check_proof"
check("proof")

# %% [markdown] name="proof_meaning"
# Three things are proved now, for each frequency and so for the whole table. $R(k)$ is a rotation that does not
# contain $p$. Two shifts one after the other are one shift. And every shift can be taken back. Compare your step 6 with
# your step 3: what has to be done to $R(k)$ to undo it, and for which matrices is that so?
#
# This is the third way to read the table: a row of clocks in lab 01, smooth digits of a counter in lab 02, and here pairs
# that turn.

# %% [markdown] name="sines_alone_task"
# ## Build: what if there were only sines?
#
# Keep the $d/2$ sine columns and drop the cosines. Is there still a matrix that moves the rows on? Measure it. Let
# $S$ hold the sines at positions $p = 0, \dots, T-1$, and $S'$ those at $p + k$, for the same $T$ positions: both
# have shape $(T, d/2)$. Find the matrix $W$ that brings $S\,W$ closest to $S'$ by least squares, and return what it
# leaves over: the **root mean square** of all entries of $S' - S\,W$.
#
# <details><summary>Hint</summary>
# A table of T + k rows holds both: S is its beginning, and S' its end. Only the even columns count.
# </details>
# <details><summary>Bigger hint</summary>
# <code>np.linalg.lstsq(A, B, rcond=None)[0]</code> is the matrix X that brings A X closest to B.
# The root mean square of an array is the root of the mean of its squares.
# </details>

# %% name="sines_alone" exercise="sines_alone"
def sines_alone(T, d, k):
    """What the best linear map from the sines at p to those at p + k leaves over.

    p = 0 .. T-1. T: positions. d: an even number of dimensions. k: an offset, not negative.
    Returns one number: the root mean square of S' - S W over its T * d/2 entries.
    """
    # BEGIN ANSWER
    sines = sinusoidal_pe(T + k, d)[:, 0::2].astype(np.float64)
    here, there = sines[:T], sines[k:]
    best = np.linalg.lstsq(here, there, rcond=None)[0]
    return np.sqrt(np.mean((there - here @ best) ** 2))
    # END ANSWER

# %% name="check_sines_alone"
check("sines_alone")

# %% [markdown] name="see_sines_alone_text"
# ### See it
#
# For 64 positions and offsets 1 to 25: what sines alone leave over with one clock ($d = 2$) and with four ($d = 8$),
# and what your rotation leaves over on whole pairs.

# %% name="see_sines_alone"
offsets = np.arange(1, 26)
errors = [sinusoidal_pe(64 + k, 8)[k:] - shift(sinusoidal_pe(64, 8), k) for k in offsets]
pairs = [np.sqrt(np.mean(error**2)) for error in errors]
figure, ax = plt.subplots()
for d in (2, 8):
    sines = [sines_alone(64, d, k) for k in offsets]
    ax.plot(offsets, sines, "o-", ms=4, label=f"sines alone, d = {d}")
ax.plot(offsets, pairs, "s-", ms=4, label="whole pairs, R(k), d = 8")
ax.set(xlabel="offset k (positions)", ylabel="left over (root mean square)")
ax.set(ylim=(-0.03, 0.95), title="Without the cosines no matrix makes the shift")
ax.legend(loc="upper left", ncols=3, fontsize=9, columnspacing=1)
show(figure, alt="What is left over against the offset, 1 to 25, in three curves. Sines "
     "alone at d = 2 swing between about 0.7 and low points at 3, 6, 9 and on, the "
     "deepest at 22, nearly 0. Sines alone at d = 8 swing in the same rhythm between 0.42 "
     "at offset 14 and 0.08 at offset 3; most of their other low points are above 0.15. "
     "Whole pairs are a flat line at 0.")

# %% [markdown] name="sines_alone_meaning"
# The first clock shows why. $\sin(p + k) = \cos k \cdot \sin p + \sin k \cdot \cos p$, and the last term needs a
# cosine that is not there. At $d = 2$ little remains only where $\sin k$ is close to 0: 22 positions are almost
# exactly seven half turns of that clock. With more clocks such an offset is rarer, because it has to suit all of them
# at once.

# %% [markdown] name="which_mistakes_survive_task"
# ## Which mistakes survive?
#
# It is tempting to take the rotation as a test: *a table that your matrix shifts must be right.* Is that so? Here are
# eight tables that are not the one of this course, each by one mistake that is easily made in lab 01. Think of them at
# $d = 8$, in `float64`, with 200 rows, and of a shift by 3.
#
# | name | the mistake |
# |---|---|
# | `"positions-from-one"` | the first token has position 1 |
# | `"scaled-values"` | every entry is multiplied by $\sqrt{d}$ |
# | `"last-pair-missing"` | the last two columns hold 0 |
# | `"swapped-sin-cos"` | cosine in the even columns, sine in the odd ones |
# | `"halves-layout"` | all sines first, then all cosines |
# | `"wrong-base"` | 1000 in place of 10000 |
# | `"same-function-twice"` | sine in both columns of every pair |
# | `"columns-unwritten"` | every odd column holds 0 |
#
# For each, write one of these three into the dictionary `which_mistakes_survive`:
#
# - `"passes"`: `shift_matrix(3, 8)` takes every row to the row 3 further on, so the test does not notice the mistake;
# - `"other matrix"`: it does not, but some other fixed matrix does, the same for all rows;
# - `"no matrix"`: no fixed matrix does.
#
# <details><summary>Hint</summary>
# Ask two things of each table. Does each pair of its columns still hold a whole clock? And does this clock still turn
# by the angle that <code>shift_matrix</code> expects, in the direction that it expects?
# </details>
# <details><summary>Bigger hint</summary>
# Build the wrong tables, each is one line, and measure: first with <code>shift_matrix(3, 8)</code>, as in the run
# with 16 rows above, then with the best matrix for that table, as you found it for the sines. An error below 1e-10 is
# rounding; the others are above 0.2.
# </details>

# %% name="which_mistakes_survive" exercise="which_mistakes_survive"
def which_mistakes_survive(tables):
    """The letters of the tables that the rotation test does not notice.

    tables: a dictionary of tables by letter, each of shape (T, d), float32.
    Returns a set of letters.
    """
    # BEGIN ANSWER
    survive = set()
    for letter, table in tables.items():
        moved = table[:-3] @ shift_matrix(3, table.shape[1]).T
        if np.abs(moved - table[3:]).max() < 1e-4:
            survive.add(letter)
    return survive
    # END ANSWER

# %% name="check_which_mistakes_survive"
check("which_mistakes_survive")

# %% [markdown] name="which_mistakes_survive_why" tags=["only-solution"]
# **Why.** Errors at 200 rows, `d = 8`, `k = 3`, with the course's matrix and with the best one.
#
# | mistake | `shift_matrix` | best matrix | reason |
# |---|---|---|---|
# | positions-from-one | 3e-15 | 5e-15 | the map does not know p, so it cannot see where counting starts |
# | scaled-values | 8e-15 | 9e-15 | the map is linear: a factor goes through |
# | last-pair-missing | 3e-15 | 4e-15 | a turned zero is zero |
# | swapped-sin-cos | 0.59 | 4e-15 | the clock runs the other way: the transpose does it |
# | halves-layout | 2.1 | 4e-15 | the same matrix with rows and columns permuted |
# | wrong-base | 0.23 | 6e-15 | a rotation by the other frequencies |
# | same-function-twice | 0.42 | 0.33 | sines alone |
# | columns-unwritten | 0.30 | 0.33 | sines alone |
#
# The best matrix is best for the sum of squares, which is why its largest error can be the larger one in the last
# row. The lesson: values have to be compared as values. A property that a right table has does not make a table
# right.

# %% [markdown] name="relative_position_task"
# ## Explain
#
# Attention compares a query with a key; both are linear maps of the vectors that come in. Why does it help that
# $R(k)$ does not depend on $p$? What would a model have to learn if it did? Three or four sentences are enough. (2
# points, read by a person.)

# %% [markdown] name="relative_position" exercise="relative_position"
# <!-- BEGIN ANSWER -->
# One matrix makes the shift by k at every position. A query is a learned linear map of the vector at p, so the map
# can contain R(k), and the query then asks for "the token k further on" in the same way everywhere: what is learned
# from one place in a text holds at all others, also at positions that were rare in training. The dot product shows
# the same: PE(p)·PE(p + k) contains only cos(k·ω), and no p. If the matrix depended on p, the model would need a
# different one for each position, and would have to learn "three words earlier" again at each of them.
# <!-- END ANSWER -->

# %% [markdown] name="relative_position_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: one matrix, which depends on the offset k alone, does the shift at every p; what is learned about an
#   offset at one place holds at every place (or the converse: with p in it, each position would need its own).
# - 1 point: what attention gains by it. Query and key are linear maps, so they can contain such a matrix; or the dot
#   product of two positions depends on their offset only.

# %% [markdown] name="stretch"
# ## Stretch
#
# Let the position run continuously. The derivative of a pair is $\frac{d}{dp}(\sin p\omega, \cos p\omega) =
# \omega\,(\cos p\omega, -\sin p\omega)$: it is again a fixed matrix times the pair, the same at every $p$. Write down
# the matrix $G$ of shape $(d, d)$ with $dPE/dp = G\,PE$. Then show, on paper or by adding up
# $I + kG + (kG)^2/2! + \dots$ for a small $k$ such as 3, that `shift_matrix(k, d)` is the matrix exponential
# $\exp(kG)$. Why does this make it obvious that two shifts in a row are one shift? And which property of $G$ says that
# lengths do not change?
#
# **Next**: [04 · Dot-product decay](04_dot_product_decay.ipynb) asks how alike two positions are, and finds the
# offset again.
