# %% [markdown] name="title"
# # 03 · Rotation proof
#
# <details><summary><b>Goals and time</b> (click to unfold)</summary>
#
# **Time** 40 minutes, and 40 for the second helping · **Difficulty** ★★☆ · **You need**
# [01 · Build the table](01_build_the_table.ipynb) and matrix products; the lab explains the SymPy that you need
#
# After this lab you can
#
# 1. write the matrix that moves every row of the table forward by δ positions, and say what it depends on;
# 2. prove that one matrix works at every position, that shifts add up, and that each shift can be undone;
# 3. teach an attention head to look three back with one example, and say why one is enough.
#
# </details>

# %% [markdown] name="why"
# ## Why
#
# "Three words earlier" should mean the same at the start of a text as at the end. A model built from matrices can learn
# this if moving δ positions forward is **the same linear map wherever you start**:
#
# $$PE(p + \delta) = R(\delta)\,PE(p) \qquad \text{for every } p$$
#
# As in lab 01, each pair of columns is a clock. Its hand points to $x = \sin(p\,\omega_k)$, $y = \cos(p\,\omega_k)$: it
# starts at 12 and turns clockwise. Below, the dashed hand is at $p$ and the solid one at $p + \delta$, with an arc between them.
# Change the position, then the offset: which one makes the arcs longer or shorter?

# %% name="setup"
# In Colab, first run: %pip install encoding-labs==0.1.0
import numpy as np
from sympy import Matrix, cos, expand_trig, sin

from encoding_labs.clock import clock
from encoding_labs.rotation_proof import figures, gallery, guesses, questions
from labkit.notebook import cheat_sheet, check, look, predict, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style(language="en")
clock(shift=3)

# %% [markdown] name="predict"
# Only the offset: moving δ positions forward turns the hand by $\delta\,\omega_k$, wherever it points. That's the whole lab in one
# sentence. To prove it, you need two identities:
#
# $$\begin{aligned}
# \sin(\alpha + \beta) &= \sin \alpha \cos \beta + \cos \alpha \sin \beta \\
# \cos(\alpha + \beta) &= \cos \alpha \cos \beta - \sin \alpha \sin \beta
# \end{aligned}$$
#
# <details><summary>Symbols, as in all labs</summary>
# T positions, d dimensions, p a position counted from 0, k a pair of columns, δ (<code>offset</code>) a distance in
# positions, ω<sub>k</sub> = 10000<sup>−2k/d</sup>. The table comes from <code>minimodel</code>, the
# course's locked module (see lab 02).
# </details>
#
# ## Predict
#
# At $d = 8$, $R(3)$ is an 8 × 8 matrix. How many of its 64 entries are **not** 0? (Guesses aren't graded. You'll come back to it.)

# %% name="predict_two"
guess_entries = None  # your guess, from 0 to 64

# %% [markdown] name="shift_matrix_task"
# ## Build: the matrix
#
# ●●○ · essential · 12 minutes · 3 points
#
# Write `shift_matrix(offset, d)`. It returns an array of shape `(d, d)` such that
# `shift_matrix(offset, d) @ PE(p) = PE(p + offset)` for every position $p$. Here $PE(p)$ is a row of the table as a vector:
# sines at even indices, cosines at odd ones. The offset is a whole number and may be 0, negative, or in the thousands, so
# use `float64`, for the angles too. The function doesn't get $p$, and doesn't need it. Its first line, which you may delete, has
# the indices of the sines.
#
# If the check reports a mistake that you can't find, `look("shift_matrix")` draws your array next to the expected one.
# `look` works for every function that returns an array.
#
# <details><summary>Hint</summary>
# Start with one pair. Expand sin(pω + δω) with the first identity: what are the coefficients of sin(pω) and cos(pω)? They
# are the first row of a 2 × 2 matrix. The second identity gives the second row.
# </details>
# <details><summary>Bigger hint</summary>
# Pairs don't mix, so the matrix is 0 outside the 2 × 2 blocks on its diagonal. The index <code>matrix[even, even + 1]</code>
# selects the upper right corner of every block at once.
# </details>

# %% name="shift_matrix" exercise="shift_matrix"
def shift_matrix(offset, d):
    """The matrix of a shift: PE(p + offset) = shift_matrix(offset, d) @ PE(p) for every p.

    offset: a whole number of positions. d: an even number of dimensions.
    Returns an array of shape (d, d), float64.
    """
    even = np.arange(0, d, 2)
    # BEGIN ANSWER
    matrix = np.zeros((d, d))
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
# The figure shows the matrices of three shifts at $d = 8$, with a frame around each clock's block. Which entries change
# from picture to picture? Which clock hardly moves in 20 positions?

# %% name="see_matrix"
figures.matrices(shift_matrix)
reveal(guess_entries, guesses.ENTRIES)

# %% [markdown] name="proof_task"
# ## Prove it
#
# ●●● · essential · 13 minutes · 3 points
#
# A test of 16 rows says nothing about the 17th; a proof covers them all. `proof(p, a, b, omega)` gets four SymPy symbols: a
# position, two offsets and a frequency. Its first line makes their angles $u$, $v$ and $w$. Let it return a **list of six steps**:
#
# | step | what it is | its form |
# |---|---|---|
# | 1 | the pair at position $p + a$: a column, sine over cosine | sine and cosine of $u + v$ |
# | 2 | the same pair, expanded | no sine or cosine of a sum |
# | 3 | $R(a)$, the 2 × 2 matrix that takes the pair at $p$ to step 2 | contains no $p$ |
# | 4 | the product $R(b)\,R(a)$: forward by $a$, then by $b$ | no sine or cosine of a sum |
# | 5 | the same matrix, combined | sines and cosines of $v + w$ |
# | 6 | the inverse of $R(a)$ | any form in $a$ and $\omega$ |
#
# Each step earns half a point if it is true for **all** values of the symbols and has this form; how you write it is up to
# you. Write `None` for a step that you skip. This is all the SymPy you need:
#
# ```python
# Matrix([sin(u), cos(u)])        # a column: the pair at p
# Matrix([[u, 1], [1, v]])        # a 2 × 2 matrix; * multiplies matrices
# expand_trig(cos(x + y))         # -sin(x)*sin(y) + cos(x)*cos(y)
# ```
#
# You may also use +, −, \*, /, integer powers, `tan`, `exp` and `I`.
#
# <details><summary>Hint</summary>
# Steps 1 and 2 are the two identities with α = u and β = v. For step 3: what are the coefficients of sin(u) and cos(u) in
# step 2?
# </details>
# <details><summary>Bigger hint</summary>
# Steps 3 to 6 are all values of one function of an angle. Write that function once, inside <code>proof</code>. For step 6:
# which angle undoes a turn by v?
# </details>

# %% name="proof" exercise="proof"
def proof(p, a, b, omega):
    """The six steps of the table above: from the pair at p + a to the inverse of R(a).

    p, a, b, omega: SymPy symbols.
    Returns a list: two columns of shape (2, 1), then four matrices of shape (2, 2).
    """
    u, v, w = p * omega, a * omega, b * omega
    # BEGIN ANSWER

    def R(angle):
        return Matrix([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])

    together = Matrix([sin(u + v), cos(u + v)])
    apart = Matrix([sin(u) * cos(v) + cos(u) * sin(v), cos(u) * cos(v) - sin(u) * sin(v)])
    return [together, apart, R(v), R(w) * R(v), R(v + w), R(-v)]
    # END ANSWER

# %% name="check_proof"
check("proof")

# %% [markdown] name="proof_meaning"
# You've proved three things, for the whole table. $R(a)$ is a rotation without $p$ in it, so it works at every position, even ones
# never seen in training. Two shifts in a row are one shift. And every shift can be undone: compare step 6 with step 3. How do you
# get the inverse from $R(a)$, and for which matrices does that work?

# %% [markdown] name="one_example_text"
# ## How many examples does a head need to learn *three back*? One.
#
# An attention head that looks from position $p$ gives each position $q$ the score $PE(p)^\top M\,PE(q)$ and looks most at the
# one with the largest score. It learns its matrix $M$ from examples. Take just one, and no training: position 3 looked at
# position 0. The matrix $M = PE(3)\,PE(0)^\top$ gives this pair a large score.
#
# Now use your proof: a shift is a rotation of each pair. So keep only the rotation from each 2 × 2 block on the diagonal of $M$:
#
# $$\begin{pmatrix} e & f \\ g & h \end{pmatrix} \;\longrightarrow\; \begin{pmatrix} s & t \\ -t & s \end{pmatrix}
# \qquad s = e + h \qquad t = f - g$$
#
# In a table with 2,048 rows and 32 columns, every position from 3 on looks for the one three back. What percentage finds it with $M$,
# and what percentage with its rotations alone?

# %% name="predict_example"
guess_example = None  # with M, in percent
guess_rotations = None  # with the rotations of M, in percent

# %% [markdown] name="rotations_task"
# ### Build: the rotations in a matrix
#
# ●●○ · essential · 6 minutes · 2 points
#
# Write `rotations(M)`. It returns an array of the shape of `M`. In each 2 × 2 block on the diagonal, which has rows and columns
# $2k$ and $2k+1$, it has the $s$ and $t$ of that block of `M`, as above; it is 0 outside these blocks.
#
# <details><summary>Hint</summary>
# You can reach the same entry of all blocks at once, as in <code>shift_matrix</code>. Which entries of M are the e of its
# blocks, and where does each s go?
# </details>
# <details><summary>Bigger hint</summary>
# <code>M[even, even + 1]</code> is an array with the f of every block. Compute s and t as two such arrays, then write four
# times into an array of zeros.
# </details>

# %% name="rotations" exercise="rotations"
def rotations(M):
    """What is left of M if only the rotation of each 2 x 2 block on its diagonal is kept.

    M: an array of shape (d, d), d even. A block [[e, f], [g, h]] becomes
    [[s, t], [-t, s]] with s = e + h and t = f - g. Returns an array of shape (d, d).
    """
    even = np.arange(0, len(M), 2)
    # BEGIN ANSWER
    kept = np.zeros(M.shape)
    kept[even, even] = kept[even + 1, even + 1] = M[even, even] + M[even + 1, even + 1]
    kept[even, even + 1] = M[even, even + 1] - M[even + 1, even]
    kept[even + 1, even] = -kept[even, even + 1]
    return kept
    # END ANSWER

# %% name="check_rotations"
check("rotations")

# %% name="see_example"
# The last 24 rows of attention weights, with gain 4. Where does position 2,047 look?
PE = sinusoidal_pe(2048, 32).astype(np.float64)
M = np.outer(PE[3], PE[0])
figures.one_example(PE, M, rotations(M))
reveal(guess_example, guesses.EXAMPLE)
reveal(guess_rotations, guesses.ROTATIONS)

# %% name="cheat_sheet"
cheat_sheet("03")

# %% [markdown] name="relative_position_task"
# ## Second helping
#
# The heart of the lab ends here. The rest has points too, and can wait for another day.
#
# ## Explain
#
# ●●○ · useful · 5 minutes · 2 points, graded by your instructor
#
# Attention compares a query with a key, and both are linear maps of the input vectors. Why does it help that
# $R(\delta)$ doesn't depend on $p$? What would a model have to learn if $R(\delta)$ did depend on $p$? Three or four
# sentences are enough.
#
# <details><summary>Hint</summary>
# Let the query be a fixed matrix times the row at p. Which matrix would make it equal to the row at p - 3?
# </details>
# <details><summary>Bigger hint</summary>
# What does the model need at position 5, at position 500, and at a position that was rare in training?
# </details>

# %% [markdown] name="relative_position" exercise="relative_position"
# <!-- BEGIN ANSWER -->
# One matrix shifts by δ at every position. A query is a learned linear map of the vector at p, so the map
# can contain R(δ), and the query then asks for "the token δ further on" in the same way everywhere: what is learned
# from one place in a text holds at all other places, even at positions that were rare in training. The dot product shows the
# same: PE(p)·PE(p + δ) contains only cos(δ·ω), and no p. If the matrix depended on p, the model would need a different one
# for each position, and would have to learn "three words earlier" again for each one.
# <!-- END ANSWER -->

# %% [markdown] name="relative_position_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: one matrix, which depends only on the offset, shifts the row at every p; what is learned about an
#   offset in one place holds everywhere (or the reverse: if it depended on p, each position would need its own).
# - 1 point: how this helps attention. Queries and keys are linear maps of the input, so they can contain such a matrix;
#   or the dot product of two positions depends only on their offset.

# %% [markdown] name="shift_task"
# ## Build: a shift without the matrix
#
# ●●○ · useful · 6 minutes · 2 points
#
# At most $2d$ of the $d^2$ entries are not 0, so nearly all the work of a matrix product is wasted. A table with 200,000
# columns would need a matrix of 320 GB, and grading uses a very wide table too. So write `shift(pe, offset)` without
# building the matrix: row $p$ of the result is $R(\delta)$ times row $p$ of `pe`, and the shape stays `(T, d)`.
#
# Use the numbers in `pe` instead of rebuilding the table: `pe` may be scaled, or follow no formula at all. It's fine if
# the last rows of the result are for positions past the end of `pe`. Leave `pe` unchanged.
#
# <details><summary>Hint</summary>
# <code>pe[:, 0::2]</code> are the sines of all pairs and <code>pe[:, 1::2]</code> their cosines.
# Each new sine is a sum: the old sine times one factor, plus the old cosine times another. So is each new cosine.
# </details>
# <details><summary>Bigger hint</summary>
# Cosine and sine are the real and the imaginary part of one complex number. What does multiplying it by a number of
# length 1 do to its angle? Or, in real numbers: fill a new array of the same shape, and read only from the old one.
# </details>

# %% name="shift" exercise="shift"
def shift(pe, offset):
    """Every row moved forward: row p of the result is R(offset) times row p of pe.

    pe: a table of shape (T, d), float32; it is left unchanged. offset: a whole number.
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
# The figure shows what your `shift` does to positions 2 and 9 at offset 3. The hands start in different places. What is
# the same in both rows?

# %% name="see_shift"
figures.clocks(shift)

# %% [markdown] name="reference_run_text"
# Now shift a whole table with the matrix: 16 positions at $d = 8$. Its vectors are rows, so the matrix goes on the right, transposed. Exact
# arithmetic would leave no error; rounding leaves an error of about 6e-8 with a `float32` table and 2e-16 with a `float64`
# one. Its digits differ a little between machines, so the cell only prints whether it is below 1e-5. To see the error itself, add
# `print(f"{error:.0e}")`: with four decimals it would look like 0.

# %% name="reference_run"
table = sinusoidal_pe(16, 8)
error = np.abs(table[:-3] @ shift_matrix(3, 8).T - table[3:]).max()
print(f"T = 16, d = 8, offset 3: the largest error is below {1e-5:.0e}: {error < 1e-5}")

# %% [markdown] name="predict_left_over_text"
# ## What if there were only sines?
#
# Keep the $d/2$ sine columns and drop the cosines. Is there still a matrix that shifts the rows? Predict first. For
# one clock ($d = 2$), take the best possible matrix at each offset. Which picture shows the error that
# remains?

# %% name="predict_left_over"
predict(guesses.LEFT_OVER)
guess_left_over = None  # your guess: "A", "B", "C" or "D"

# %% [markdown] name="sines_alone_task"
# ### Build: measure it
#
# ●●○ · useful · 6 minutes · 2 points
#
# Let $A$ be the sines at the positions $p = 0, \dots, T-1$, and $B$ the sines δ positions further on. Both have shape
# $(T, d/2)$. Find the matrix $W$ that brings $A\,W$ closest to $B$ by least squares; NumPy's
# `np.linalg.lstsq(A, B, rcond=None)[0]` is this $W$. Write `sines_alone(T, d, offset)`. It returns the size of the remaining
# error: the **root mean square** of all entries of $B - A\,W$.
#
# <details><summary>Hint</summary>
# A table of T + offset rows contains both: A is its first T rows, B its last T. Use only the even columns.
# </details>
# <details><summary>Bigger hint</summary>
# The root mean square of an array is the square root of the mean of its squares.
# </details>

# %% name="sines_alone" exercise="sines_alone"
def sines_alone(T, d, offset):
    """The error left by the best linear map from the sines at p to the sines at p + offset.

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
# The figure shows the remaining error for 64 positions and offsets 1 to 25. It compares sines alone, for one clock
# ($d = 2$) and for four ($d = 8$), with your rotation, which uses whole pairs. Where are the low points, and what do those
# offsets have in common?

# %% name="see_sines_alone"
figures.left_over(sines_alone, shift)
reveal(guess_left_over, guesses.LEFT_OVER)

# %% [markdown] name="which_mistakes_survive_task"
# ## Which mistakes survive?
#
# ●●○ · useful · 6 minutes · 1 point
#
# It's tempting to use the rotation as a test: *a table that the matrix shifts correctly must be right.* Is that true?
# `gallery.tables()` returns a dictionary from letters to ten tables, each of shape `(40, 8)` in `float32`. The dictionary
# `gallery.MISTAKES` has the mistake in each table. Print the mistakes, and think about each table before you compute.
#
# Write `which_mistakes_survive(tables)`. It gets such a dictionary and returns the **set of letters of the tables that pass**,
# such as `{"B", "H"}`. A table passes if `shift_matrix(3, d)` takes **every** row to the row 3 positions later.
# Rounding leaves errors below 1e-5; a mistake that the test catches leaves an error of 0.1 or more. Grading uses other
# tables, with other sizes, letters and mistakes.
#
# <details><summary>Hint</summary>
# Ask two questions about each table. Does each pair of its columns still turn? And does it turn by the angle that
# <code>shift_matrix</code> expects, in the direction that it expects?
# </details>
# <details><summary>Bigger hint</summary>
# The cell above that prints the error for T = 16 tests one table. Loop over <code>tables.items()</code>, and take d from the
# shape of each table.
# </details>

# %% name="predict_survivors"
guess_survivors = None  # how many of the ten tables pass: your guess, from 0 to 10

# %% name="which_mistakes_survive" exercise="which_mistakes_survive"
def which_mistakes_survive(tables):
    """The letters of the tables that pass the rotation test with offset 3.

    tables: a dictionary from letters to tables, each of shape (T, d), float32.
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
# The figure shows two errors for each table: the largest error with your matrix, and the largest error with the best
# matrix for that table. Some tables fail with your matrix but work with another one, because they follow another
# convention. For the other tables that fail, no matrix works.

# %% name="see_survivors"
figures.two_tests(shift_matrix)
reveal(guess_survivors, guesses.SURVIVORS)

# %% [markdown] name="which_mistakes_survive_why" tags=["only-solution"]
# **Why.** A, C and F pass: the map doesn't know p, so it can't see where counting starts; it is linear, so a constant
# factor changes nothing; and zeros stay zeros when they turn. B, E and G fail, but another matrix shifts each of them: for
# B, the same one with rows and columns permuted; for E, a rotation by other frequencies; for G, the transpose, because with
# the columns swapped the clock runs backwards. D and H contain only sines. In I only the shift of row 0 is wrong; in J, only
# the shifts that reach past position 20. No matrix fixes either, and a test of only a few rows may miss both. The lesson:
# compare values with values. A correct table has this property, but the property alone doesn't make a table correct.

# %% [markdown] name="quiz_text"
# ## Five quick questions
#
# True or false? Write your answers in the cell and run it; you get a reason for each.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="next_row_task"
# ## One more, without a check
#
# ●●○ · useful · 6 minutes · 1 point
#
# Imagine a table that you have never seen. Even columns are sines, odd ones cosines, and every pair turns at a steady
# speed. But the speeds aren't $\omega_k$, and you don't get them. All you get are two neighbouring rows.
#
# Write `next_row(before, here)`, which computes row $p + 2$ from rows $p$ and $p + 1$. The notebook doesn't check
# this one; it's graded after you submit. Test it yourself: rows 5 and 6 of `sinusoidal_pe(8, 8, base=50)` must give row 7,
# up to an error of 1e-6.
#
# <details><summary>Hint</summary>
# From each row to the next, a hand turns by the same angle. You've seen it turn once.
# </details>
# <details><summary>Bigger hint</summary>
# Take a hand as a complex number, cosine + i · sine. What do you get if you divide the hand at one position by the hand at
# the position before?
# </details>

# %% name="next_row" exercise="next_row"
def next_row(before, here):
    """The row that comes after two neighbouring rows of a table with unknown frequencies.

    before, here: rows p and p + 1, arrays of shape (d,), float64, pairs of length 1.
    Returns row p + 2, an array of shape (d,).
    """
    # BEGIN ANSWER
    was, now = before[1::2] + 1j * before[0::2], here[1::2] + 1j * here[0::2]
    then = now * now / was
    return np.stack([then.imag, then.real], axis=-1).ravel()
    # END ANSWER

# %% [markdown] name="stretch"
# ## Stretch
#
# Let the position vary continuously. The derivative of a pair is $\frac{d}{dp}(\sin p\omega, \cos p\omega) =
# \omega\,(\cos p\omega, -\sin p\omega)$: again a fixed matrix times the pair, the same at every $p$. Write down the
# matrix $G$ of shape $(d, d)$ with $dPE/dp = G\,PE$. Then show, on paper or by adding up
# $I + \delta G + (\delta G)^2/2! + \dots$, that `shift_matrix(offset, d)` is the matrix exponential $\exp(\delta G)$. How many
# terms do you need at offset 3 and $d = 8$ for an error below 1e-9? Why does the exponential make it obvious that two shifts
# in a row are one? And which property of $G$ keeps lengths unchanged?
#
# **Sources**: ["Attention Is All You Need"](https://arxiv.org/abs/1706.03762), Vaswani et al., 2017 (section 3.5 notes
# that $PE_{pos+k}$ is a linear function of $PE_{pos}$) · ["RoFormer: Enhanced Transformer with Rotary Position
# Embedding"](https://arxiv.org/abs/2104.09864), Su et al., 2021 · ["Self-Attention with Relative Position
# Representations"](https://arxiv.org/abs/1803.02155), Shaw, Uszkoreit and Vaswani, 2018.

# %% [markdown] name="done"
# ## What you can do now
#
# - Write a shift as a matrix of small rotations, and apply it without the matrix.
# - Prove in six steps that one matrix works at every position, that shifts add up, and that each shift can be undone.
# - Teach a head to look three back with one example, because the same rotation does it everywhere.
#
# **Next**: [04 · Dot-product decay](04_dot_product_decay.ipynb) asks how similar two positions are. The offset matters
# there too.
