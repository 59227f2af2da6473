# %% [markdown] name="title"
# # 07 · Precision and cost
#
# From position 16,777,216 to 16,777,217 the first hand turns by 1 radian, so the two rows should differ. Run the cell. The dashed
# hands are where they should be. The solid hands and the rows below them are what the formula gives in **float32**, as in the
# program that made your tables since lab 02. There, row 16,777,217 **equals** row 16,777,216. Why?
#
# <details><summary><b>Goals and time</b> (click to unfold)</summary>
#
# **Time** 40 minutes, and 35 for the second helping · **Difficulty** ★★★ · **You need**
# [03 · Rotation proof](03_rotation_proof.ipynb)
#
# After this lab you can
#
# 1. measure how far float32 moves the table's entries, and find the position where that starts to matter;
# 2. say for how long a text the table is good, and what to do for a longer one;
# 3. build the table by turning the rows you already have, and time a build fairly.
#
# </details>

# %% name="setup"
# In Colab, first run: %pip install encoding-labs==0.1.0
import matplotlib.pyplot as plt
import numpy as np

from encoding_labs import sliders
from encoding_labs.precision_and_cost import figures, guesses, questions
from labkit.notebook import cheat_sheet, check, look, predict, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style(language="en")
sliders.rows_in_float32()

# %% [markdown] name="why"
# ## Why
#
# A float32 number has 24 significant bits. So float32 has every whole number up to $2^{24} = 16{,}777{,}216$, but not the next one,
# which is rounded: the program gets the same position twice. What about shorter texts? Models read texts of 100,000 tokens and
# more. Is the row of position 100,000 still right?
#
# **The locked formula** is the code in `minimodel.positional.sinusoidal`. It computes every step in float32:
#
# $$\omega_k = \frac{1}{10000^{2k/d}}, \quad \theta = p\,\omega_k, \quad PE[p, 2k] = \sin\theta, \quad
# PE[p, 2k+1] = \cos\theta.$$
#
# So position, frequency, angle, sine and cosine are all float32 numbers. Rounding to float32 moves a number near 1 by at most
# $6\cdot 10^{-8}$, and a number near 100,000 by up to $0.004$.
#
# *Symbols*: $T$ positions, $d$ dimensions (even), $p$ position from 0, $k$ pair index from 0 to $d/2 - 1$, $\omega_k$ in
# radians per position.

# %% [markdown] name="predict"
# ## Predict
#
# Guesses aren't graded, and you'll see each answer later in the lab.
#
# 1. At $d = 32$, what is the first position where the locked formula gives an entry that is off by more than 0.001?
# 2. Which picture shows how the error of a row depends on its position? The pictures are sketches; both axes are logarithmic.

# %% name="predict_guesses"
predict(guesses.GROWTH)
guess_first_bad = None  # 1: your guess, a position
guess_growth = None  # 2: your guess: "A", "B", "C" or "D"

# %% [markdown] name="float32_error_task"
# ## Build: the error of float32
#
# ●●○ · essential · 12 minutes · 2 points
#
# Write `float32_error(positions, d)`. For each position, compute the row twice: with the locked formula, where every step is in
# float32, and with the same formula where every step is in float64. Return the **largest absolute difference** between matching
# entries of the two rows: one error per position, an array of shape `(n,)`.
#
# `positions` is an int64 array of shape `(n,)`. The positions come in any order and go up to about $10^9$. A table of all rows
# up to the largest would not fit into memory, so compute only the rows you are asked for. You may compute the float32
# frequencies in any way: float32 powers differ a little between machines, and the check allows for that.
#
# <details><summary>Hint</summary>
# Write a function that computes the rows in a given dtype, and call it twice. What is the dtype of an int64 array times a
# float32 array? Print it.
# </details>
# <details><summary>Bigger hint</summary>
# Start with <code>positions.astype(np.float32)</code>. The difference of a float32 and a float64 array is float64. Then take
# the maximum along the axis that doesn't count positions.
# </details>

# %% name="float32_error" exercise="float32_error"
def float32_error(positions, d):
    """The largest error in each row: the maximum of |float32 row - float64 row|.

    positions: an int64 array of shape (n,). d: an even number of dimensions.
    Returns an array of shape (n,).
    """
    # BEGIN ANSWER
    def rows(dtype):
        frequency = dtype(1) / dtype(10000) ** (np.arange(0, d, 2, dtype=dtype) / dtype(d))
        angle = positions.astype(dtype)[:, None] * frequency
        return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)

    return np.abs(rows(np.float32) - rows(np.float64)).max(axis=1)
    # END ANSWER

# %% name="check_float32_error"
check("float32_error")

# %% [markdown] name="see_errors_text"
# ### See it
#
# Here are the errors at 100 positions, from 1 to 100 million, for three values of $d$. Compare them with the picture you chose.
# The dotted line is the error of a third way: compute the angles in float64, and round only the finished entries to float32.

# %% name="see_errors"
figures.errors(float32_error)
reveal(guess_growth, guesses.GROWTH)

# %% [markdown] name="first_bad_position_task"
# ## Build: the first bad position
#
# ●○○ · essential · 8 minutes · 2 points
#
# Write `first_bad_position(d, tolerance)`. It returns one whole number: the first position, counting from 0, where your
# `float32_error` is larger than `tolerance`. All the answers are below 200,000. The error goes up and down from row to row, so
# look at every position.
#
# One of the check's calls uses $d = 2$. There, every angle up to $2^{24}$ is exact. Which numbers are still rounded?
#
# The first bad position depends on the machine. The check accepts every position that is right on some machine, so a search
# that skips positions can pass it. Grading is stricter: it also gives your search made-up errors in place of `float32_error`,
# with the first bad position anywhere below 200,000.
#
# <details><summary>Hint</summary>
# One call of <code>float32_error</code> takes many positions. All 200,000 at once may need more memory than you have, so take
# blocks of a few thousand.
# </details>
# <details><summary>Bigger hint</summary>
# <code>np.argmax</code> of a Boolean array is the index of the first True, but it is also 0 if there is no True. And an index
# within a block isn't a position yet.
# </details>

# %% name="first_bad_position" exercise="first_bad_position"
def first_bad_position(d, tolerance):
    """The first position p whose float32_error is larger than the tolerance.

    d: an even number of dimensions. tolerance: such as 1e-3.
    Returns one whole number.
    """
    # BEGIN ANSWER
    for start in range(0, 2**25, 4096):
        bad = float32_error(np.arange(start, start + 4096), d) > tolerance
        if bad.any():
            return start + int(np.argmax(bad))
    # END ANSWER

# %% name="check_first_bad_position"
check("first_bad_position")

# %% [markdown] name="see_gap_text"
# ### See it: the positions run out
#
# At $d = 2$ the only frequency is 1, so the angle is the position, and the first picture's riddle is all that can go wrong. The
# bars show the errors that your function measures around $2^{24} = 16{,}777{,}216$. Which positions get the row of another one? The
# cell also tells you how close your first guess was.

# %% name="see_gap"
figures.gap(float32_error)
reveal(guess_first_bad, guesses.FIRST_BAD)

# %% [markdown] name="how_far_task"
# ## Explain
#
# ●●○ · essential · 8 minutes · 2 points, graded by your instructor
#
# At $d = 512$ and with float32 positions, up to what length of text would you trust the locked formula? Name a length. Explain
# **what goes wrong beyond it, and how large the error is**, with a number from your `float32_error`, and why that error is
# or isn't too large. Then explain what you would do for a longer text, and what that costs. Write about five sentences. (To measure what a line
# costs, write `%timeit` before it in a cell of your own.)

# %% [markdown] name="how_far" exercise="how_far"
# <!-- BEGIN ANSWER -->
# I would trust it up to about 100,000 positions. At d = 512 the first entry that is off by more than 0.001 comes at position
# 6,909, and at 100,000 the worst entries are off by about 0.015. That is as if the position were off by less than two
# hundredths of a step, so neighbouring rows are still easy to tell apart, and a network that computes in low precision has
# errors of that size anyway. At a million the error is 0.14, and from 16,777,216 on float32 cannot even represent every
# position, so two neighbours get the same row. For a longer text I would compute the angles in float64 and round the entries at
# the end. That is good to 3e-8 at a million positions, but several times slower. Or I would build the table by doubling, with
# float64 angles for its few turns, which takes less arithmetic than the formula.
# <!-- END ANSWER -->

# %% [markdown] name="how_far_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: a bound with an error measured at d = 512, and a reason why that error is or is not too much, such as the distance
#   between neighbouring rows, the precision of the model, or two positions getting the same row from 16,777,216 on. Any bound
#   with such a reason counts. The measured numbers depend on how the frequencies are written: 0.001 is first exceeded between
#   6,900 and 17,000, and the worst entries are off by 0.007 to 0.015 at 100,000 and by 0.06 to 0.14 at a million. On another
#   machine they may differ from these by a factor of two.
# - 1 point: the remedy and its cost: float64 angles, with the entries rounded at the end (3e-8, several times slower), or
#   doubling or rotating with float64 angles (below 1e-6, less arithmetic, often faster). No point for "store the table in
#   float64": the error does not come from the entries.

# %% name="cheat_sheet"
cheat_sheet("07")

# %% [markdown] name="double_text"
# ## Second helping: build by turning
#
# The heart of the lab ends here. The rest has points too, and can wait for another day.
#
# Start with row 0. Each step turns all the rows you have by the same number of positions, and appends the results. How many steps
# does it take to reach 131,072 rows? Guess first; the figure shows the first four steps.

# %% name="predict_steps"
guess_steps = None  # your guess, a number of steps

# %% name="see_blocks"
figures.blocks()

# %% [markdown] name="double_task"
# ### Build: twice as many rows
#
# ●●● · useful · 22 minutes · 4 points
#
# Lab 03 proved that one rotation moves every row $n$ positions forward. So if you turn the first $n$ rows by $n$ positions, you
# get the next $n$ rows. With complex numbers a turn is one multiplication. For a pair with angle $\theta$ (and $i^2 = -1$),
#
# $$\sin\theta + i\cos\theta = i\,e^{-i\theta}, \qquad\text{so turning by } n \text{ positions multiplies by } e^{-i n\omega_k}.$$
#
# Write `double(rows, omega)`. `rows` is a float32 array of shape $(n, 2m)$: $n \ge 1$ rows of $m$ interleaved pairs. `omega` is
# a float64 array with the frequency of each pair. Turning a row by one position gives the next row. But row 0 can hold any pairs
# of length up to 1, so you can't compute the rows with lab 01's formula.
#
# Return a new **float32** array of shape $(2n, 2m)$: the given rows unchanged, and below them the same rows turned by $n$
# positions. Every entry must be within $10^{-6}$ of the exact value, for $n$ up to 65,536. Don't write into `rows`. Your function
# doesn't need to be fast. Complex numbers are optional: lab 03's matrix turns rows as well.
#
# `look("double")` draws your rows next to the correct ones.

# %% [markdown] name="double_hints"
# <details><summary>Hint</summary>
# All rows turn by the same m angles. Compute these in float64: there are so few that it costs next to nothing. The products may
# be complex64.
# </details>
# <details><summary>Bigger hint</summary>
# A complex64 number is two float32 numbers side by side: the real part, then the imaginary part. So
# <code>rows.view(np.complex64)</code> reads the same memory as complex numbers, in shape (n, m), and
# <code>.view(np.float32)</code> goes back. Look at the dtype of your products first: a complex128 number would become
# four columns.
# </details>

# %% name="double" exercise="double"
def double(rows, omega):
    """The rows 0 to n - 1 unchanged, and below them the same rows turned by n positions.

    z[p + n, k] = z[p, k] * exp(-1j * n * omega[k])
    with z[p, k] = rows[p, 2k] + 1j * rows[p, 2k+1].
    rows: float32, shape (n, 2m). omega: float64, shape (m,).
    Returns float32, shape (2n, 2m).
    """
    # BEGIN ANSWER
    turn = np.exp(-1j * len(rows) * omega).astype(np.complex64)  # float64 angles
    turned = rows.view(np.complex64) * turn
    return np.concatenate([rows, turned.view(np.float32)])
    # END ANSWER

# %% name="check_double"
check("double")

# %% [markdown] name="see_exactness_text"
# ### See it: how accurate
#
# The cell builds two tables at $d = 32$: one with the locked formula, and one from row 0, by repeating
# `rows = double(rows, omega)` until the table is long enough. The figure shows the largest error of each row. Why doesn't
# doubling lose more accuracy with every position? Count the roundings between row 0 and row 16,383. Below the figure you'll
# see how close your guess was.

# %% name="see_exactness"
figures.exactness(double)
reveal(guess_steps, guesses.STEPS)

# %% [markdown] name="see_speed_text"
# ### See it: how fast
#
# What does one entry cost, in a small table and in a large one? The cell times three ways to build a table on your machine: the
# locked formula, your doubling, and filling the memory with ones, which is the least that any build must do. To be fair, the cell
# leaves out the first call of each build, which pays for things that happen only once. It alternates the builds, so that other
# programs slow them all down alike, and it keeps the fastest of six rounds. Run the cell again: which digits stay the same?
#
# If every entry cost the same, what line would the points follow, and would $d = 32$ and $d = 128$ differ? Where do the points of
# your doubling leave that line, and why? Above the figure you'll read whether doubling or the formula was faster.

# %% name="see_speed" tags=["widget", "nbval-ignore-output"]
figures.speed(double)

# %% [markdown] name="speed_text"
# The larger the table, the less the cost of an entry depends on its size, at either $d$. So the cost of a long table is **linear
# in $T$ and linear in $d$**. No build can do better, because it has to write all $T \cdot d$ entries. Attention compares every
# position with every other, which is quadratic in $T$: the longer the text, the less the table's cost matters.
#
# For each pair, the locked formula computes a sine and a cosine. Doubling computes one complex product: four multiplications and
# two additions. So it does less arithmetic. Whether that makes it faster depends on the other costs. For small tables the main one
# is the fixed cost of each call: every step of doubling makes a few NumPy calls, which take microseconds even for very few rows.
# For large tables it is memory. If your function copies sines and cosines into arrays of their own and back, or computes in
# complex128, it may take longer than the formula; with `view` and complex64 it was faster on our machine. And because each step writes its
# rows into a new array, twice as large as the one before, the figure's build makes one array for the whole table: from 1,024 rows
# on it doubles only the latest 1,024 and copies the new ones into that array. (Each of these blocks adds a rounding, so the errors
# are a little larger than in the figure above.)

# %% [markdown] name="time_of_day_task"
# ## One more, without a check
#
# ●●○ · useful · 6 minutes · 1 point
#
# Models of traffic or power use often get the time of day as one pair of columns: a hand that points to 12 at midnight
# and makes one turn a day (86,400 seconds). A sensor's log stores its start time, in whole seconds since midnight at
# the beginning of 1970, and for each reading the seconds since that start.
#
# Write `time_of_day(start, seconds)`. It returns the sine and the cosine of the hand's angle at each reading. Every entry must
# be within $10^{-5}$ of the exact value, about as much as the hand moves in a seventh of a second.
#
# The notebook has no check for this exercise; your function is checked only in grading. Test it yourself: 1,750,032,000 is a
# midnight. If the log starts then, what must your function return for a reading 6 hours later? And for a reading one second later?
#
# <details><summary>Hint</summary>
# How large does the angle get, and how far apart are two neighbouring float32 numbers of that size?
# </details>
# <details><summary>Bigger hint</summary>
# Print the dtype after every step of your computation, from the two arguments to the angle.
# </details>

# %% name="time_of_day" exercise="time_of_day"
def time_of_day(start, seconds):
    """Sine and cosine of a hand that turns once a day, at each reading.

    start: a Python int, seconds since the beginning of 1970, up to 2,000,000,000.
    seconds: since the start, float32, shape (n,), from 0 to 86,400.
    Returns an array of shape (n, 2): the sines in column 0, the cosines in column 1.
    """
    # BEGIN ANSWER
    angle = 2 * np.pi * (start + seconds.astype(np.float64)) / 86_400
    return np.stack([np.sin(angle), np.cos(angle)], axis=1)
    # END ANSWER

# %% [markdown] name="quiz_text"
# ## Five quick questions
#
# True or false? Write your answers in the cell and run it; you get a reason for each.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="stretch"
# ## Stretch
#
# - Compute the angles in your `double` in float32. How does the error grow? Draw it with `figures.exactness`.
# - How would you use `double` to compute only the rows of positions 1,000,000 to 1,000,999? Which row would you start from?
# - Draw the table for 3,000 positions that are first rounded to float16: `np.arange(3000).astype(np.float16)`. Where
#   does the rounding show?

# %% [markdown] name="after"
# **Next**: [08 · A head that learns to look back](08_look_back.ipynb): who tells a head how far to turn?
#
# **Sources**: ["What Every Computer Scientist Should Know About Floating-Point
# Arithmetic"](https://doi.org/10.1145/103162.103163), David Goldberg, 1991 · ["Accuracy and Stability of Numerical
# Algorithms"](https://doi.org/10.1137/1.9780898718027), Nicholas J. Higham, second edition, 2002 (on rounding, and on
# errors that accumulate) · ["Attention Is All You Need"](https://arxiv.org/abs/1706.03762), Ashish Vaswani et al.,
# 2017, section 3.5.

# %% [markdown] name="done"
# ## What you can do now
#
# - Measure the rounding error of a formula against float64, and find the first input where it matters.
# - Build a long table, accurate to $10^{-6}$, by turning the rows you have, and explain why its error hardly grows.
# - Explain which precision the position, frequency, angle and entries each need, and what that costs.
