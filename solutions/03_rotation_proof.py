# %% [markdown] name="title"
# # 03 · Rotation proof
#
# **Time** 70 minutes · **Difficulty** ★★☆ · **You need** [01 · Build the table](01_build_the_table.ipynb), matrix
# products, and a first look at SymPy
#
# After this lab you can
#
# 1. write down the matrix that advances every row of the table by δ positions, and say what it depends on;
# 2. prove it, for all positions at once, and show that shifts compose and can be undone;
# 3. say what is lost without the cosines, and why a wrong table may still have the property.

# %% [markdown] name="why"
# ## Why
#
# A model should be able to use "three words earlier" in the same way at the start of a text and at its end. It can,
# if going on by δ positions is **one and the same linear map** wherever you start:
#
# $$PE(p + \delta) = R(\delta)\,PE(p) \qquad \text{for every } p$$
#
# Read the table as a row of clocks again, one for each pair of columns: the hand of clock $k$ points to $x = \sin(p\,\omega_k)$,
# $y = \cos(p\,\omega_k)$. So it starts at 12 and turns clockwise, like any clock. Going on by δ positions turns it by the
# angle $\delta\,\omega_k$, from wherever it points. All of this lab is in that sentence, and all you need to prove it are
# the two addition identities
#
# $$\sin(\alpha + \beta) = \sin \alpha \cos \beta + \cos \alpha \sin \beta \qquad
# \cos(\alpha + \beta) = \cos \alpha \cos \beta - \sin \alpha \sin \beta$$
#
# Letters as in all labs: $T$ positions, $d$ dimensions, $p$ a position from 0, $k$ the index of a pair of columns, δ
# (`offset`) a distance in positions, $\omega_k = 10000^{-2k/d}$. As in lab 02 the table
# comes from the locked module.

# %% name="setup"
import numpy as np
from sympy import Matrix, cos, sin

from encoding_labs.rotation_proof import figures, gallery, guesses, questions
from labkit.notebook import check, look, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style()

# %% [markdown] name="predict"
# ## Predict
#
# Take $d = 8$, so that $R(3)$ is a matrix of $8 \times 8 = 64$ entries. How many of them are **not** 0?
#
# Second: a table is tested by shifting it. If your matrix takes every row to the row 3 further on, the table passes. Below
# are ten tables with one mistake each, such as "the first token has position 1". How many of the ten will pass?
#
# Neither guess is graded; you will come back to them below.

# %% name="predict_two"
guess_entries = None  # your guess, from 0 to 64
guess_survivors = None  # your guess, a number of tables from 0 to 10

# %% [markdown] name="shift_matrix_task"
# ## Build: the matrix
#
# ●●○ · essential · 12 minutes · 3 points
#
# Write `shift_matrix(offset, d)`: the array of shape `(d, d)` with `shift_matrix(offset, d) @ PE(p) = PE(p + offset)` for
# every position $p$. Here $PE(p)$ is a row of the table taken as a vector: sine in the even places, cosine in the odd
# ones. The offset is a whole number; it may be 0, negative, or some thousands, so the matrix is `float64` and its angles
# are too. The function does not get $p$, and does not need it.
#
# If the check finds a mistake and you cannot see it, `look("shift_matrix")` draws yours beside what is asked for. That
# works for every function that returns an array.
#
# <details><summary>Hint</summary>
# Start with one pair. Take sin(pω + δω) apart with the first identity: what are the coefficients of sin(pω) and cos(pω)?
# They are the first row of a 2 × 2 matrix. The second identity gives the second row.
# </details>
# <details><summary>Bigger hint</summary>
# Pairs do not mix, so the matrix is 0 outside of the 2 × 2 blocks on its diagonal. With
# <code>even = np.arange(0, d, 2)</code>, the index <code>matrix[even, even + 1]</code> reaches the upper right corner of
# all blocks at once.
# </details>

# %% name="shift_matrix" exercise="shift_matrix"
def shift_matrix(offset, d):
    """The matrix of a shift: PE(p + offset) = shift_matrix(offset, d) @ PE(p) for every p.

    offset: a whole number of positions. d: an even number of dimensions.
    Returns an array of shape (d, d), float64.
    """
    # BEGIN ANSWER
    even, matrix = np.arange(0, d, 2), np.zeros((d, d))
    angle = offset * 10000.0 ** (-even / d)
    matrix[even, even] = matrix[even + 1, even + 1] = np.cos(angle)
    matrix[even, even + 1], matrix[even + 1, even] = np.sin(angle), -np.sin(angle)
    return matrix
    # END ANSWER

# %% name="check_shift_matrix"
check("shift_matrix")

# %% [markdown] name="see_matrix_text"
# ### See it
#
# Three shifts at $d = 8$. Which entries change from picture to picture? And which clock hardly moves in 20 positions?

# %% name="see_matrix"
figures.matrices(shift_matrix)
reveal(guess_entries, guesses.ENTRIES)

# %% [markdown] name="reference_run_text"
# Now apply it to a whole table, 16 positions at $d = 8$. Rows are vectors here, so the matrix stands on the right,
# transposed.

# %% name="reference_run"
table = sinusoidal_pe(16, 8)
error = np.abs(table[:-3] @ shift_matrix(3, 8).T - table[3:]).max()
print(f"T = 16, d = 8, offset 3: the largest error is below {1e-5:.0e}: {error < 1e-5}")

# %% [markdown] name="reference_run_meaning"
# In exact arithmetic the error is 0. A computer rounds, so on a machine the exact statement becomes a measurement. The
# table is stored in `float32`, and its rounding leaves about 6e-8 here; a `float64` table leaves about 2e-16. Printed with
# four decimals either would look like zero: print errors in scientific notation, as in `print(f"{error:.0e}")`.

# %% [markdown] name="shift_task"
# ## Build: the same without the matrix
#
# ●●○ · essential · 6 minutes · 2 points
#
# Of the $d^2$ entries at most $2d$ are not 0. Write `shift(pe, offset)`, which moves **every row** of a table on by that
# many positions without building the matrix: row $p$ of the result is $R(\delta)$ times row $p$ of `pe`. The result has the
# shape of `pe`, `(T, d)`.
#
# Use the numbers in `pe`, and do not rebuild the table: `pe` may be scaled, or hold numbers that no formula gives. The last
# rows of the result may be positions that `pe` does not hold. Leave `pe` as it was.
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
def shift(pe, offset):
    """Every row moved on: row p of the result is R(offset) times row p of pe.

    pe: a table of shape (T, d), float32; it is left as it was. offset: a whole number.
    Returns an array of shape (T, d).
    """
    # BEGIN ANSWER
    angle = offset * 10000.0 ** (-np.arange(0, pe.shape[1], 2) / pe.shape[1])
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
# Two starting positions, 2 and 9, and a shift by 3. The hands start in different places. What is the same in both rows?

# %% name="see_shift"
figures.clocks(shift)

# %% [markdown] name="proof_task"
# ## Prove it
#
# ●●● · essential · 18 minutes · 3 points
#
# A test on 16 rows says nothing about the 17th; a proof covers them all. Write `proof(p, a, b, omega)`. It receives four
# SymPy symbols: a position, two offsets $a$ and $b$, and a frequency. It returns a **list of six steps**. A pair is a column,
# sine over cosine: `Matrix([..., ...])`.
#
# | step | what it is | how it is written |
# |---|---|---|
# | 1 | the pair at position $p + a$ | with the sine and cosine of the sum |
# | 2 | the same pair | taken apart: no sine or cosine of a sum is left |
# | 3 | the matrix $R(a)$, 2 × 2, which makes step 2 out of the pair at $p$ | without $p$ |
# | 4 | the product $R(b)\,R(a)$: first on by $a$, then on by $b$ | multiplied out, no sine or cosine of a sum |
# | 5 | the same matrix | put together: with sines and cosines of the sum of both angles |
# | 6 | the inverse of $R(a)$ | as you like, in $a$ and $\omega$ |
#
# The check takes the symbols as unknowns: a step is right when it holds for **every** value of them, in whatever way you
# write it, and has the form in the table. Each right step earns half a point, whatever the others are; write `None` for one
# that you leave open. Use +, \*, whole powers, `sin`, `cos`, `tan`, `exp`, `I` and `Matrix`, all from SymPy. You may let SymPy
# do a step: its `expand_trig` knows the two identities, and so uses what you would use on paper.
#
# <details><summary>Hint</summary>
# The angles are p·ω, a·ω and b·ω. Steps 1 and 2 are the two identities with α = p·ω and β = a·ω. For step 3: what are the
# coefficients of sin(p·ω) and cos(p·ω) in step 2?
# </details>
# <details><summary>Bigger hint</summary>
# Steps 3 to 6 are all values of one function of an angle. Write that function once, inside <code>proof</code>; SymPy
# multiplies matrices with <code>*</code>. For step 6: which angle takes back a turn by a·ω?
# </details>

# %% name="proof" exercise="proof"
def proof(p, a, b, omega):
    """The six steps of the table above: from the pair at p + a to the inverse of R(a).

    p, a, b, omega: SymPy symbols.
    Returns a list: two columns of shape (2, 1), then four matrices of shape (2, 2).
    """
    # BEGIN ANSWER
    def R(angle):
        return Matrix([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])

    u, v = p * omega, a * omega
    together = Matrix([sin(u + v), cos(u + v)])
    apart = Matrix([sin(u) * cos(v) + cos(u) * sin(v), cos(u) * cos(v) - sin(u) * sin(v)])
    return [together, apart, R(v), R(b * omega) * R(v), R(b * omega + v), R(-v)]
    # END ANSWER

# %% name="check_proof"
check("proof")

# %% [markdown] name="proof_meaning"
# Three things are proved now, for each frequency and so for the whole table. $R(a)$ is a rotation that does not
# contain $p$, so it serves every position, also those beyond any seen in training. Two shifts one after the other are one
# shift. And every shift can be undone. Compare your step 6 with your step 3: what has to be done to $R(a)$ to undo it, and
# for which matrices is that so?
#
# This is the third way to read the table: a row of clocks in lab 01, smooth digits of a counter in lab 02, and here pairs
# that turn.

# %% [markdown] name="sines_alone_task"
# ## Build: what if there were only sines?
#
# ●●○ · useful · 8 minutes · 2 points
#
# Keep the $d/2$ sine columns and drop the cosines. Is there still a matrix that moves the rows on? Measure it. Let $A$ hold
# the sines at the positions $p = 0, \dots, T-1$, and $B$ those at $p + \delta$, for the same $T$ positions: both have shape
# $(T, d/2)$. Find the matrix $W$ that brings $A\,W$ closest to $B$ by least squares, and return the size of what is left
# over: the **root mean square** of all entries of $B - A\,W$.
#
# <details><summary>Hint</summary>
# A table of T + offset rows holds both: A is its beginning, and B its end. Only the even columns count.
# </details>
# <details><summary>Bigger hint</summary>
# <code>np.linalg.lstsq(A, B, rcond=None)[0]</code> is the matrix W that brings A W closest to B.
# The root mean square of an array is the root of the mean of its squares.
# </details>

# %% name="sines_alone" exercise="sines_alone"
def sines_alone(T, d, offset):
    """What the best linear map from the sines at p to those at p + offset leaves over.

    p = 0 .. T-1. T: positions. d: an even number of dimensions. offset: not negative.
    Returns one number: the root mean square of B - A W over its T * d/2 entries.
    """
    # BEGIN ANSWER
    sines = sinusoidal_pe(T + offset, d)[:, 0::2].astype(np.float64)
    here, there = sines[:T], sines[offset:]
    best = np.linalg.lstsq(here, there, rcond=None)[0]
    return np.sqrt(np.mean((there - here @ best) ** 2))
    # END ANSWER

# %% name="check_sines_alone"
check("sines_alone")

# %% [markdown] name="see_sines_alone_text"
# ### See it
#
# For 64 positions and offsets 1 to 25: what sines alone leave over with one clock ($d = 2$) and with four ($d = 8$),
# and what your rotation leaves over on whole pairs. Where are the low points, and what do these offsets have in common?

# %% name="see_sines_alone"
figures.left_over(sines_alone, shift)

# %% [markdown] name="sines_alone_meaning"
# <details><summary>What these offsets have in common</summary>
#
# The first clock shows why. $\sin(p + \delta) = \cos \delta \cdot \sin p + \sin \delta \cdot \cos p$, and the last term
# needs a cosine that is not there. At $d = 2$ little remains only where $\sin \delta$ is close to 0: 22 positions are almost
# exactly seven half turns of that clock. With more clocks such an offset is rarer, because it has to suit all of them
# at once.
#
# </details>

# %% [markdown] name="which_mistakes_survive_task"
# ## Which mistakes survive?
#
# ●●○ · essential · 6 minutes · 1 point
#
# It is tempting to take the rotation as a test: *a table that the matrix shifts must be right.* Is that so?
# `gallery.tables()` gives ten tables of shape `(40, 8)`, in `float32`, in a dictionary by letter. Each has one mistake that
# is easily made, and `gallery.MISTAKES` says which. Look at both, and think about each before you compute.
#
# Write `which_mistakes_survive(tables)`. It gets such a dictionary and returns the **set of the letters whose tables pass**,
# such as `{"B", "H"}`. A table passes when `shift_matrix(3, d)` takes **every** row to the row 3 further on. Rounding leaves
# errors below 1e-5; what the test notices is off by 0.1 or more. The points come from other tables, with other sizes,
# letters and mistakes.
#
# <details><summary>Hint</summary>
# Ask two things of each table. Does each pair of its columns still turn? And does it turn by the angle that
# <code>shift_matrix</code> expects, in the direction that it expects?
# </details>
# <details><summary>Bigger hint</summary>
# The run with 16 rows above is the test of one table. Loop over <code>tables.items()</code>, and take d from the shape of
# each table.
# </details>

# %% name="which_mistakes_survive" exercise="which_mistakes_survive"
def which_mistakes_survive(tables):
    """The letters of the tables that the rotation test, with offset 3, takes for right.

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

# %% [markdown] name="see_survivors_text"
# ### See it
#
# For each table the largest error with your matrix, and with the best matrix that there is for that table. Some tables that
# fail with yours have a matrix of their own: they hold the property, in another convention. Others have none.

# %% name="see_survivors"
figures.two_tests(shift_matrix)
reveal(guess_survivors, guesses.SURVIVORS)

# %% [markdown] name="which_mistakes_survive_why" tags=["only-solution"]
# **Why.** A, C and F pass: the map does not know p, so it cannot see where counting starts; it is linear, so a factor goes
# through; a turned zero is zero. B, E and G fail, but have a matrix of their own: the same one with rows and columns
# permuted, a rotation by other frequencies, the transpose (with the columns exchanged the clock runs the other way). D and
# H are sines alone. In I only the shift of row 0 is wrong, in J only those that reach past position 20: no matrix mends
# either, and a test of few rows may miss both. The lesson: values have to be compared as values. A property that a right
# table has does not make a table right.

# %% [markdown] name="relative_position_task"
# ## Explain
#
# ●●○ · essential · 6 minutes · 2 points, graded by your instructor
#
# Attention compares a query with a key; both are linear maps of the vectors that come in. Why does it help that $R(\delta)$
# does not depend on $p$? What would a model have to learn if it did? Three or four sentences are enough.
#
# <details><summary>Hint</summary>
# Let the query be a fixed matrix times the row at p. Which matrix would make it equal to the row at p - 3?
# </details>
# <details><summary>Bigger hint</summary>
# Say what the model needs at position 5, at position 500, and at a position that was rare in training.
# </details>

# %% [markdown] name="relative_position" exercise="relative_position"
# <!-- BEGIN ANSWER -->
# One matrix makes the shift by δ at every position. A query is a learned linear map of the vector at p, so the map
# can contain R(δ), and the query then asks for "the token δ further on" in the same way everywhere: what is learned
# from one place in a text holds at all others, also at positions that were rare in training. The dot product shows
# the same: PE(p)·PE(p + δ) contains only cos(δ·ω), and no p. If the matrix depended on p, the model would need a
# different one for each position, and would have to learn "three words earlier" again at each of them.
# <!-- END ANSWER -->

# %% [markdown] name="relative_position_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: one matrix, which depends on the offset alone, does the shift at every p; what is learned about an
#   offset at one place holds at every place (or the converse: with p in it, each position would need its own).
# - 1 point: what attention gains by it. Query and key are linear maps, so they can contain such a matrix; or the dot
#   product of two positions depends on their offset only.

# %% [markdown] name="see_head_text"
# ## See what it is for: a head that looks 3 back
#
# Turn every row back by 3, and compare it with all rows of the table: $\text{scores} = \text{gain} \cdot PE\,R(-3)^\top PE^\top$,
# and a softmax along each row (e to each score, divided by the row's sum, as in `attend` of lab 01) makes weights of them, the
# sharper the larger the gain. That is an attention head whose query
# matrix is $R(-3)$ and whose key matrix is the identity. It has one matrix for all 64 positions. Where does position 10
# look? And position 1?

# %% name="see_head"
figures.head(shift_matrix)

# %% [markdown] name="quiz_text"
# ## Five quick questions
#
# True or false? Write your answers into the cell and run it; each is explained at once.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="cheat_sheet"
# ## Cheat sheet
#
# - **Shift** $PE(p + \delta) = R(\delta)\,PE(p)$ for every $p$. $R$: `(d, d)`, at most $2d$ entries that are not 0.
# - **One pair** $R_k(\delta) = \begin{pmatrix} \cos\delta\omega_k & \sin\delta\omega_k \\ -\sin\delta\omega_k & \cos\delta\omega_k
#   \end{pmatrix}$ on (sine, cosine): clockwise on a dial with $x$ = sine and $y$ = cosine.
# - **Rows** are vectors in a table: `table @ R.T`.
# - **Compose, undo** $R(b)\,R(a) = R(a + b)$, $R(a)^{-1} = R(-a) = R(a)^\top$, $R(0) = I$.
# - **Worked** at $d = 8$ a shift by 3 turns the four clocks by 171.9°, 17.19°, 1.719° and 0.1719°.
# - **Size of an error** `float32` table 6e-8, `float64` 2e-16, at $T = 16$, $d = 8$.
# - **Not a test of values**: a later start, a factor, a pair of zeros pass. Another order of columns has a matrix of its own.
# - **A head that looks δ back**: $\text{softmax}(\text{gain} \cdot PE\,R(-\delta)^\top PE^\top)$.
# - **Three readings** of one table: clocks that turn; a counter whose digits change smoothly; a rotation for each offset.

# %% [markdown] name="stretch"
# ## Stretch
#
# Let the position run continuously. The derivative of a pair is $\frac{d}{dp}(\sin p\omega, \cos p\omega) =
# \omega\,(\cos p\omega, -\sin p\omega)$: it is again a fixed matrix times the pair, the same at every $p$. Write down
# the matrix $G$ of shape $(d, d)$ with $dPE/dp = G\,PE$. Then show, on paper or by adding up
# $I + \delta G + (\delta G)^2/2! + \dots$, that `shift_matrix(offset, d)` is the matrix exponential $\exp(\delta G)$. At
# offset 3 and $d = 8$, how many terms do you need for an error below 1e-9? Why does the exponential make it obvious that two
# shifts in a row are one shift? And which property of $G$ says that lengths do not change?
#
# **Sources**: "Attention Is All You Need", Vaswani et al., 2017 (the remark that $PE_{pos+k}$ is a linear function of
# $PE_{pos}$, in section 3.5) · "RoFormer: Enhanced Transformer with Rotary Position Embedding", Su et al., 2021 ·
# "Self-Attention with Relative Position Representations", Shaw, Uszkoreit and Vaswani, 2018.
#
# **Next**: [04 · Dot-product decay](04_dot_product_decay.ipynb) asks how alike two positions are, and finds the
# offset again.
