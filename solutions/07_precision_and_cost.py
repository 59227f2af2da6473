# %% [markdown] name="title"
# # 07 · Precision and cost
#
# **Time** 85 minutes · **Difficulty** ★★★ · **You need** [03 · Rotation proof](03_rotation_proof.ipynb)
#
# After this lab you can
#
# 1. measure how far float32 moves the entries of the table, and say from which position on that matters;
# 2. build the table by turning rows that are there already: more exact than the formula, and faster for long tables;
# 3. time a build fairly, and say how its cost grows with $T$ and $d$.

# %% [markdown] name="why"
# ## Why
#
# The labs before this one had tables of a few hundred rows. Models read texts of 100,000 tokens and more. Two questions
# come up there: is the row of position 100,000 still right? And what does a table of that size cost?
#
# **The locked formula** is the formula in `minimodel.positional.sinusoidal`, with every step in **float32**:
#
# $$\omega_k = \frac{1}{10000^{2k/d}}, \qquad \theta = p\,\omega_k, \qquad PE[p, 2k] = \sin\theta, \quad
# PE[p, 2k+1] = \cos\theta.$$
#
# The position $p$, the frequency $\omega_k$, the angle $\theta$, the sine and the cosine are float32 numbers. A float32
# number has 24 significant bits. So near 1 it is good to about $6\cdot 10^{-8}$, and near 100,000 only to about
# $0.004$.
#
# *Symbols*: $T$ positions, $d$ dimensions (even), $p$ position from 0, $k$ pair index from 0 to $d/2 - 1$, $\omega_k$ in
# radians per position, $i$ the imaginary unit: $i^2 = -1$.

# %% name="setup"
import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.precision_and_cost import figures, guesses, questions
from labkit.notebook import check, look, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style()

# %% [markdown] name="predict"
# ## Predict
#
# Two guesses, as numbers. Nobody grades them.
#
# 1. At $d = 32$: what is the first position whose row, by the locked formula, has an entry that is off by more than 0.001?
# 2. You have row 0. In one step you may turn all the rows that you have by the same number of positions, and add what comes
#    out as new rows. How many steps does it take to have 131,072 rows?

# %% name="predict_first_bad"
guess_first_bad = None  # your guess, a position

# %% name="predict_steps"
guess_steps = None  # your guess, a number of steps

# %% [markdown] name="float32_error_task"
# ## Build: the error of float32
#
# ●●○ · essential · 14 minutes · 2 points
#
# Write `float32_error(positions, d)`. For each position compare two rows: the one by the locked formula, with every step in
# float32, and the same formula with every step in float64. Return the **largest absolute difference** of an entry in the
# row: one error for each position, an array of shape `(n,)`.
#
# `positions` is an array of whole numbers (int64), of shape `(n,)`, in any order and up to about $10^9$. So do not build a
# table of all the rows up to the largest. You may write the float32 frequencies in any way. Powers in float32 differ a
# little between machines, and the check allows for that.
#
# <details><summary>Hint</summary>
# Write the rows once, as a function of the dtype, and call it twice. Which dtype does an int64 array times a float32 array
# have? Print it.
# </details>
# <details><summary>Bigger hint</summary>
# <code>positions.astype(np.float32)</code> comes first. The difference of a float32 and a float64 array is float64. Then take
# the largest along the axis that does not count positions.
# </details>

# %% name="float32_error" exercise="float32_error"
def float32_error(positions, d):
    """The largest error in each row: max over the columns of |float32 row - float64 row|.

    positions: whole numbers, an int64 array of shape (n,). d: an even number of dimensions.
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
# The error of 100 positions, from 1 to 100 million. Which straight line do the points follow? What does a larger $d$ change?

# %% name="see_errors"
figures.errors(float32_error)

# %% [markdown] name="errors_text"
# <details><summary>What the figure shows</summary>
#
# The error grows in proportion to $p$, and stays below about two ten-millionths of it: the frequency is rounded when it is
# made, the angle when it is multiplied, and both roundings are relative. Only pair 0, whose frequency is exactly 1, has
# neither below $2^{24}$. A larger $d$ has more pairs that turn almost as fast, and the worst of them counts. There is another
# way to say it. In the locked formula every pair turns as if the position were off by at most about two ten-millionths of
# itself: at position 131,072 by about two hundredths of one step. The angles are the trouble, and not the sines: with angles
# in float64, and only the entries rounded to float32, every entry is good to $3\cdot 10^{-8}$ up to a million positions.
# Beyond that the float64 angles add about $10^{-16}\,p$.
#
# </details>

# %% [markdown] name="first_bad_position_task"
# ## Build: the first bad position
#
# ●○○ · essential · 8 minutes · 1 point
#
# Write `first_bad_position(d, tolerance)`: the first position from 0 on where an entry of the row is off by more than
# `tolerance`, by your `float32_error`. It returns one whole number. The error goes up and down from row to row, so look at
# every position. The check asks for cases whose answer lies below 200,000, and for one at $d = 2$, where all angles up to
# $2^{24}$ are exact. What is left there to be rounded?
#
# The check takes every position that some machine could give; grading takes the one that your own `float32_error` gives.
# It also puts made-up errors in place of your `float32_error`, whose first bad position can be anywhere below 200,000.
#
# <details><summary>Hint</summary>
# One call of <code>float32_error</code> takes many positions at once. All of them at once may be more than memory holds; a
# block of a few thousand is about right.
# </details>
# <details><summary>Bigger hint</summary>
# <code>np.argmax</code> of an array of True and False is the index of the first True. It is 0 as well when there is none.
# And an index within a block is not yet a position.
# </details>

# %% name="first_bad_position" exercise="first_bad_position"
def first_bad_position(d, tolerance):
    """The first p with float32_error(p, d) > tolerance.

    d: an even number of dimensions. tolerance: of an entry, such as 1e-3.
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

# %% name="reveal_first_bad"
reveal(guess_first_bad, guesses.FIRST_BAD)

# %% [markdown] name="see_gap_text"
# ### See it: where the positions themselves give out
#
# At $d = 2$ the one frequency is 1, and the angle is the position. Up to $2^{24} = 16{,}777{,}216$ float32 holds every whole
# number. What happens to the next one?

# %% name="see_gap"
figures.gap(float32_error)

# %% [markdown] name="double_task"
# ## Build: twice as many rows
#
# ●●● · essential · 25 minutes · 4 points
#
# Lab 03 proved that one turn takes every row $n$ positions on. So the first $n$ rows, turned by $n$, are the next $n$ rows.
# In complex numbers a turn is one multiplication. With the angle $\theta$ of a pair,
#
# $$\sin\theta + i\cos\theta = i\,e^{-i\theta}, \qquad\text{so turning by } n \text{ positions multiplies by } e^{-i n\omega_k}.$$
#
# Write `double(rows, omega)`. `rows` is a float32 array of shape $(n, 2m)$, with $n \ge 1$ rows of $m$ interleaved pairs;
# `omega` holds their $m$ frequencies in float64. Each row is the one before it, turned by one position. Row 0 holds any pairs of
# length up to 1, so lab 01's formula does not give these rows.
#
# Return a new **float32** array of shape $(2n, 2m)$: the rows as they came, and below them the same rows turned by $n$.
# Every entry must lie within $10^{-6}$ of the exact value, for $n$ up to 65,536. Leave `rows` unchanged. The check looks at
# values, not at time. You may do without complex numbers: the matrix of lab 03 turns rows as well.
#
# `look("double")` draws your rows beside the right ones.

# %% name="see_blocks"
figures.blocks()

# %% [markdown] name="double_hints"
# <details><summary>Hint</summary>
# One turn serves all rows: m angles. Compute them in float64; they cost nothing. The products may be complex64.
# </details>
# <details><summary>Bigger hint</summary>
# A complex64 number is two float32 numbers side by side, first the real part, then the imaginary one. So
# <code>rows.view(np.complex64)</code> is the same memory as complex numbers, of shape (n, m), and
# <code>.view(np.float32)</code> goes back.
# </details>

# %% name="double" exercise="double"
def double(rows, omega):
    """Rows 0 to n - 1 as they are, and below them the same rows turned by n positions.

    z[p + n, k] = z[p, k] * exp(-1j * n * omega[k])
    with z[p, k] = rows[p, 2k] + 1j * rows[p, 2k+1].
    rows: float32, shape (n, 2m). omega: float64, shape (m,).
    Returns float32, shape (2n, 2m).
    """
    # BEGIN ANSWER
    turn = np.exp(-1j * len(rows) * omega).astype(np.complex64)  # the angles are float64
    turned = rows.view(np.complex64) * turn
    return np.concatenate([rows, turned.view(np.float32)])
    # END ANSWER

# %% name="check_double"
check("double")

# %% name="reveal_steps"
reveal(guess_steps, guesses.STEPS)

# %% [markdown] name="see_exactness_text"
# ### See it: how exact
#
# From row 0 on, `rows = double(rows, omega)` until there are enough: the largest error of each row at $d = 32$, by the
# locked formula and by doubling. Why does the one not grow in proportion to $p$? Count how many roundings lie between row 0
# and row 16,383.

# %% name="see_exactness"
figures.exactness(double)

# %% [markdown] name="see_speed_text"
# ### See it: how fast
#
# The lower limit is to get the memory and write a 1 everywhere. How far above it is each of the two? This is measured
# while the cell runs, on your machine. Run the cell again: which digits stay?

# %% name="see_speed" tags=["widget", "nbval-ignore-output"]
figures.speed(double)

# %% [markdown] name="speed_text"
# For each pair the locked formula needs one sine and one cosine, and doubling one complex product: four multiplications
# and two additions. So with complex64 products its line falls lower as the table grows; float64 products take longer. On small
# tables it does not pay: each step is a few calls of NumPy, which cost a few microseconds whatever the size. Larger tables,
# other ways to build them and their errors are in the course's repository, in `docs/precision_and_cost.md`.

# %% [markdown] name="cost_task"
# ## Build: what the cost grows with
#
# ●●○ · useful · 15 minutes · 1 point
#
# A cost often follows a power law, $\text{seconds} \approx c\,T^a d^b$. Write `cost(rows)`: it takes timings and returns the two
# exponents, first $a$ (in $T$), then $b$ (in $d$), as a tuple, list or array.
#
# `rows` is a float array of shape `(n, 3)`, with the columns $T$, $d$ and seconds, in the order in which they were
# measured. Every size $(T, d)$ was timed several times, in rounds. **The first time of each size is cold**: it pays for
# what happens only once, and must not count. The order of the sizes differs from round to round, and not every $T$ was timed
# with every $d$. How many sizes and rounds there are varies too.
#
# The check makes up timings with exponents that it knows, not always 1, so what your machine does cannot cost you the point.
# Each exponent has to be right within 0.05.
#
# <details><summary>Hint</summary>
# First bring the times of each size down to one number that the cold one does not touch. Which statistic does that? Then take
# logarithms: what does the law look like?
# </details>
# <details><summary>Bigger hint</summary>
# log(seconds) is a constant plus <em>a</em> times log T plus <em>b</em> times log d: three unknowns, and one equation for each
# size. <code>np.unique(…, axis=0)</code> lists the sizes; <code>np.linalg.lstsq</code> fits a line in several variables.
# </details>

# %% name="cost" exercise="cost"
def cost(rows):
    """The exponents a and b of seconds = c * T**a * d**b, cold calls left out.

    rows: an array of shape (n, 3): T, d, seconds, in the order of the measurement.
    Returns two numbers: a, then b.
    """
    # BEGIN ANSWER
    sizes = np.unique(rows[:, :2], axis=0)
    warm = [np.median(rows[(rows[:, :2] == size).all(axis=1), 2]) for size in sizes]
    unknowns = np.column_stack([np.ones(len(sizes)), np.log(sizes)])
    return np.linalg.lstsq(unknowns, np.log(warm))[0][1:]
    # END ANSWER

# %% name="check_cost"
check("cost")

# %% [markdown] name="see_exponents_text"
# ### See it
#
# Now real timings, of the locked formula and of your table. Which exponents do you expect for $T \cdot d$ entries that all
# cost the same? Where does your table stay below that, and why?

# %% name="see_exponents" tags=["widget", "nbval-ignore-output"]
figures.exponents(cost, double)

# %% [markdown] name="cost_text"
# A table has $T \cdot d$ entries, and no build can cost less than writing them: its cost is linear in $T$ and in $d$,
# once the tables are large. (Attention compares all positions with all: quadratic in $T$. So the longer the text, the less
# the table matters.) Below that, a fixed cost for each call flattens the line, and a fit over such sizes finds exponents
# below 1: a fact about the sizes, not about the law.

# %% [markdown] name="how_far_task"
# ## Explain
#
# ●●○ · essential · 10 minutes · 2 points, graded by your instructor
#
# How long a sequence would you trust the locked formula for, with float32 positions, at $d = 512$? Name a bound, say
# **what is wrong beyond it and how wrong**, with a number that you measured (your `float32_error` is there for it), and
# say why that is too much or why it is not. Then say what you would do for a longer sequence, and what it costs. About
# five sentences.

# %% [markdown] name="how_far" exercise="how_far"
# <!-- BEGIN ANSWER -->
# I would trust it up to about 100,000 positions. At d = 512 the first entry that is off by more than 0.001 comes at
# position 6,909, and at 100,000 the worst entries are off by about 0.015. That is as if the position were off by less than
# two hundredths of a step, so neighbouring rows stay well apart; a network that adds noise of this size by itself will not
# notice. At a million it is 0.14, and from 16,777,216 on float32 does not even hold every position: two neighbours get the
# same row. For a longer sequence I compute the angles in float64 and cast the entries: good to 3e-8 at a million positions,
# and several times slower. Or I build the table by doubling with its few phases in float64, which is faster than the formula.
# <!-- END ANSWER -->

# %% [markdown] name="how_far_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: a bound with a measured error at d = 512 beside it, and a reason why that is or is not too much: beside the
#   distance of neighbouring rows, the precision of the model, or the same row for two positions from 16,777,216 on. Any
#   bound with such a reason counts. The measured numbers depend on how the frequencies are written: 0.001 is first exceeded
#   between 6,900 and 17,000, and the worst entries are off by 0.007 to 0.015 at 100,000 and by 0.06 to 0.14 at a million.
#   Another machine may differ from these by a factor of two.
# - 1 point: the remedy and its cost: float64 angles with the entries cast (3e-8, several times slower), or doubling or
#   rotating with float64 phases (below 1e-6, faster). No point for "use float64 tables": the entries are not what is
#   wrong.

# %% [markdown] name="quiz_text"
# ## Five quick questions
#
# True or false? Write your answers into the braces and run the cell.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="cheat_sheet"
# ## Cheat sheet
#
# | | |
# |---|---|
# | float32 | 24 bits; every whole number up to $2^{24} = 16{,}777{,}216$; near 1 good to $6\cdot 10^{-8}$ |
# | error of the float32 formula at $p$ | in proportion to $p$, below about $2\cdot 10^{-7}\,p$; each row for itself |
# | first entry off by 0.001 | what `first_bad_position` says; twice the $d$ never makes it later |
# | angles in float64, entries cast | $3\cdot 10^{-8}$ up to a million positions, then about $10^{-16}\,p$ more |
# | a pair as a complex number | $z[p, k] = \sin(p\omega_k) + i\cos(p\omega_k) = i\,e^{-ip\omega_k}$, shape $(T, d/2)$ |
# | turning by $n$ positions | $z[p + n, k] = z[p, k]\,e^{-in\omega_k}$ |
# | doubling | $\lceil\log_2 T\rceil$ steps; below $10^{-6}$ with phases from float64 |
# | cost | linear in $T$ and in $d$; memory $4\,T d$ bytes: 16 MiB at (8192, 512) |
# | a fair timing | warm, several rounds, the median or the fastest, the ways in turn |

# %% [markdown] name="sources"
# **Sources.** "What Every Computer Scientist Should Know About Floating-Point Arithmetic", David Goldberg, 1991 · "Accuracy and
# Stability of Numerical Algorithms", Nicholas J. Higham, second edition, 2002 (on rounding, and on errors that accumulate) ·
# "Attention Is All You Need", Ashish Vaswani et al., 2017, section 3.5.

# %% [markdown] name="stretch"
# ## Stretch
#
# - bfloat16 has 8 significant bits, and float16 has 11. From which position on do they not hold every whole number? What would a
#   table whose *positions* are in one of them look like? (`float16` is a NumPy dtype; try `np.arange(3000, dtype=np.float16)`.)
# - Make the angles in your `double` float32. How do the errors grow? Draw them with `figures.exactness`.
# - A table at positions 1,000,000 to 1,000,999 needs no million rows. Which row 0 do you start from?

# %% [markdown] name="after"
# ## After 07
#
# This is the last lab. Where to go on, by topic:
#
# - **Rotating queries and keys in place of adding a table**: "RoFormer: Enhanced Transformer with Rotary Position
#   Embedding", Jianlin Su et al., 2021. Its angles are these angles, and so is their precision.
# - **Longer texts than in training**: "Train Short, Test Long: Attention with Linear Biases Enables Input Length
#   Extrapolation", Ofir Press, Noah A. Smith and Mike Lewis, 2022; "YaRN: Efficient Context Window Extension of Large
#   Language Models", Bowen Peng et al., 2023.
# - **No encoding at all**: "The Impact of Positional Encoding on Length Generalization in Transformers", Amirhossein
#   Kazemnejad et al., 2023.
# - **Coordinates instead of positions**: "Fourier Features Let Networks Learn High Frequency Functions in Low
#   Dimensional Domains", Matthew Tancik et al., 2020.
