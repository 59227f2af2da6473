# %% [markdown] name="title"
# # 01 · Build the table
#
# Transformers read text with **attention**. Every word has a vector: a few numbers that stand for its meaning. For each word,
# attention takes a mean of all the words' vectors, in which those more similar to its own weigh more. Run the cell below, type a
# sentence of your own, and shuffle it. Which of the results change?
#
# <details><summary><b>Goals, time and signs</b> (click to unfold)</summary>
#
# **Time** 40 minutes, and 30 for the second helping · **Difficulty** ★☆☆ · **You need** NumPy arrays, sine and cosine
#
# The eight labs are written for second-year students of computer science, mathematics or a science. You need no machine learning,
# because the labs explain what they use of attention.
#
# After this lab you can
#
# 1. give the frequency of each pair of columns, in radians per position;
# 2. build the table of sinusoidal positional encodings, for any number of positions and dimensions;
# 3. identify the bug in a wrong table from just two of its rows.
#
# Below its heading, each exercise says how hard it is (●○○ easy, ●●○ medium, ●●● hard) and how important. The **essential** ones
# are the heart of the lab; when their checks pass, the cheat sheet opens. The **useful** ones give points too, but can wait: most
# are in the second helping. An **extra** gives no points.
#
# </details>

# %% name="setup"
# In Colab, first run: %pip install encoding-labs==0.1.0
import numpy as np

from encoding_labs.build_the_table import figures, guesses, numbering, questions, sentences
from encoding_labs.build_the_table.gallery import gallery
from encoding_labs.clock import clock
from encoding_labs.sliders import sentence
from labkit.notebook import cheat_sheet, check, look, predict, quiz, reveal, show, use_style

use_style(language="en")
sentence()

# %% [markdown] name="by_hand_task"
# <details><summary>Which of the results change</summary>
# None of them: a mean doesn't depend on order, so each word takes its result along.
# </details>
#
# To tell a model where a word is, add a row of numbers for its position $p$ to its vector.
#
# ## The hands of two clocks
#
# ●○○ · essential · 3 minutes · 1 point
#
# Two clocks can give such a row. Run the next cell and move the slider. Both hands start at 12 and turn clockwise (the other way
# round from your maths book): the first by 1 radian per position, and the second by 0.01. Each hand gives a pair of numbers. The
# **sine** of its angle is how far right its tip is, and the **cosine** is how far up. So row 0 is $(0, 1, 0, 1)$, and row 1, to
# four decimals, is $(0.8415, 0.5403, 0.0100, 1.0000)$.
#
# Set `by_hand` to a list of the four numbers in row 3, to at least four decimals. Use a calculator set to radians, or `np.sin` and
# `np.cos`.
#
# <details><summary>Hint</summary>
# Each hand has one angle. What are the two angles at position 3?
# </details>
# <details><summary>Bigger hint</summary>
# The angles are 3 and 0.03 radians. Row 1 shows which function of which angle goes where.
# </details>

# %% name="see_clock"
clock(d=4, last=31)  # d: dimensions, the columns of the table

# %% name="by_hand" exercise="by_hand"
# BEGIN ANSWER
by_hand = [0.1411, -0.9900, 0.0300, 0.9996]
# END ANSWER

# %% name="check_by_hand"
check("by_hand")

# %% [markdown] name="why"
# ## Predict: are clocks needed?
#
# Could simpler numbers do the same? Here are four candidates for a row: three without clocks, and D, with four clocks, each ten
# times slower than the one before. And here are four tests:
#
# 1. **Small**: in a text of 1,000 words, no entry is far above 1, the size of a word vector's entries.
# 2. **Steady**: the step from row 7 to row 8 is as long in 10 words as in 1,000.
# 3. **Smooth**: rows 7 and 8 are closer than rows 0 and 15.
# 4. **Linear**: one matrix and one constant row take every row to the row three further.
#
# Each test has one loser; which? (A letter may lose twice.)

# %% name="numberings"
candidates = {  # p: position of a word; T: number of words
    "A": lambda p, T: [p],  # the number of the word, from 0
    "B": lambda p, T: [p / T],  # how far through the text it is
    "C": lambda p, T: [p // 2**k % 2 for k in range(10)],  # binary digits, last one first
    "D": lambda p, T: [f(p / 10**k) for k in range(4) for f in (np.sin, np.cos)],
    # "E": lambda p, T: [...],  # your own idea
}
numbering.draw(candidates)
guess_losers = None  # the losers of tests 1 to 4, in one word such as "DDDD"

# %% name="see_losers"
numbering.compare(candidates, guess_losers)

# %% [markdown] name="formula"
# ## The formula
#
# From 7 to 8, four digits of C jump at once. Clock hands turn by the same angles at every step instead. D passes all four tests.
# [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762) (Vaswani et al., 2017) takes any number of clocks: to the vector of
# the word at position $p$ it adds row $p$ of this table:
#
# $$PE[p, 2k] = \sin(p\,\omega_k) \qquad PE[p, 2k+1] = \cos(p\,\omega_k) \qquad \omega_k = 10000^{-2k/d}$$
#
# The table $PE$ has $d$ columns. Columns $2k$ and $2k+1$ form pair $k$: how far right and how far up the tip of clock $k$'s hand
# is. This hand turns by $\omega_k$ radians per position. At $d = 4$ the frequencies are $10000^0 = 1$ and $10000^{-2/4} = 0.01$,
# as on your two clocks, and at $d = 8$ they are those of D.
#
# <details><summary><b>Symbols</b>, the same in all eight labs (click to unfold)</summary>
#
# | symbol | what it is | unit or range |
# |---|---|---|
# | $T$ | number of positions: rows of the table | |
# | $d$ | number of dimensions: columns of the table | even |
# | $p$ | position, counted from 0 | 0 to $T - 1$ |
# | $i$ | column, counted from 0 | 0 to $d - 1$ |
# | $k$ | index of a pair: columns $2k$ and $2k + 1$; never an offset | 0 to $d/2 - 1$ |
# | $\omega_k$ | frequency of pair $k$: how fast its hand turns | radians per position |
# | $\lambda_k = 2\pi/\omega_k$ | wavelength of pair $k$: one full turn | positions |
# | base | the number 10,000 in $\omega_k = \mathrm{base}^{-2k/d}$ | |
# | δ | offset from one position to another (`offset` in code) | positions |
# | $S(\delta) = \sum_k \cos(\delta\,\omega_k)$ | dot product of two rows that are δ positions apart | at most $d/2$ |
#
# </details>

# %% [markdown] name="predict"
# ## Predict
#
# Make two guesses before you build the table. They aren't graded; you'll come back to both.
#
# 1. At $d = 32$ the hand of the first clock turns by 1 radian per position. How many positions does the hand of the **last**
#    clock need for one full turn?
# 2. At $d = 8$, plot one point for each position from 0 to 63. Its x coordinate is column 0, the sine of the first clock.
#    Its y coordinate is column 3, the cosine of the second clock, which is ten times slower. Which of the four pictures
#    do you get?

# %% name="predict_points"
guess_last_turn = None  # 1: a number of positions

predict(guesses.TWO_CLOCKS)
guess_points = None  # 2: "A", "B", "C" or "D"

# %% [markdown] name="frequencies_task"
# ## Build: the frequencies
#
# ●○○ · essential · 5 minutes · 2 points
#
# Write `frequencies(d)`. It returns the $d/2$ frequencies as an array, in radians per position, highest first.
#
# <details><summary>Hint</summary>
# There is one frequency per pair, not one per column. Which values does k take when d is 8?
# </details>
# <details><summary>Bigger hint</summary>
# At d = 8 the frequencies are 1, 0.1, 0.01 and 0.001. <code>np.arange</code> gives all values of k at once, and
# NumPy can raise a number to an array of powers.
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

# %% name="see_frequencies"
# On a logarithmic axis, equal ratios become equal steps. Do you see straight lines?
figures.speeds(frequencies)
reveal(guess_last_turn, guesses.LAST_TURN)

# %% [markdown] name="sinusoidal_pe_task"
# ## Build: the table
#
# ●●○ · essential · 12 minutes · 5 points
#
# Write `sinusoidal_pe(T, d)`. It returns a `float32` array of shape `(T, d)`. Row $p$ is position $p$, with sines in the even
# columns and cosines in the odd ones. `T = 0` gives an empty table of shape `(0, d)`. Raise `ValueError` if `d` is odd or not
# positive, or if `T` is negative.
#
# NumPy computes in `float64` by default. If you round to `float32` only once, at the end, every entry is within 3e-8
# of the exact value, for positions up to a million.
#
# If you can't tell from the check what's wrong, run `look("sinusoidal_pe")` in a new cell. It shows your table, how fast each
# pair turns, and where the table differs from the correct one.
#
# <details><summary>Hint</summary>
# First make all the angles: one row per position, one column per pair. Which shapes must the positions and the frequencies
# have for NumPy to multiply every position by every frequency?
# </details>
# <details><summary>Bigger hint</summary>
# <code>positions[:, None] * omega</code> has shape (T, d/2). A slice with step 2, such as <code>table[:, 0::2]</code>,
# picks every other column.
# </details>

# %% name="sinusoidal_pe" exercise="sinusoidal_pe"
def sinusoidal_pe(T, d):
    """The table: PE[p, 2k] = sin(p * omega_k), PE[p, 2k+1] = cos(p * omega_k).

    Returns an array of shape (T, d), float32.
    Raises ValueError if d is odd or not positive, or if T is negative.
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

# %% name="see_points"
# Left, both columns of one clock; right, the two columns from your second guess.
figures.points(sinusoidal_pe)
reveal(guess_points, guesses.TWO_CLOCKS)

# %% [markdown] name="see_order_text"
# ### Dog bites man
#
# Back to the first picture. The function below is the attention in it, for one **token** (a piece of text, here a word). Its input
# `x` has one row per token. Here it reads two sentences that mean different things, first with the words' vectors alone, then with
# your table added to them. The last drawing shows where this happens in a transformer.

# %% name="see_order"
def attend(x, place):
    """The attention output for the token at this place; x has one row per token."""
    likeness = x @ x[place]
    weights = np.exp(likeness) / np.exp(likeness).sum()
    return weights @ x

sentences.draw(attend, sinusoidal_pe)
figures.transformer()

# %% [markdown] name="why_pairs_task"
# ## Explain
#
# ●●○ · essential · 6 minutes · 2 points, graded by your instructor
#
# The sine and cosine of a pair share one frequency. Why must they? Explain what would be lost if every column had its own
# frequency. Three or four sentences are enough, and a drawing of the clock may help.
#
# <details><summary>Hint</summary>
# Draw one clock at position p and at position p + 5. How do you get from the first hand to the second, and does that depend
# on p?
# </details>
# <details><summary>Bigger hint</summary>
# Suppose you know only the sine. Can you tell where the tip of the hand is, and where it will be next?
# </details>

# %% [markdown] name="why_pairs" exercise="why_pairs"
# <!-- BEGIN ANSWER -->
# With a shared frequency, sine and cosine are the two coordinates of one point on a circle. Moving forward by δ positions
# turns that point by the angle δ·ω, whatever p is: a fixed rotation of the pair. That is what lets a model read relative
# offsets with a linear map. With two different frequencies the two numbers belong to two different clocks, and no fixed linear
# map of them moves both forward by δ. From a sine alone you can't even tell whether it is rising or falling, because it takes
# each value at two places in a turn.
# <!-- END ANSWER -->

# %% [markdown] name="why_pairs_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: with a shared frequency the pair is a point on a circle, and moving forward by δ is a rotation by δ·ω that does
#   not depend on p. ("It is a circle" is not enough, because the picture of columns 0 and 1 shows that; the answer must mention
#   the rotation.)
# - 1 point: says what is lost otherwise. Either no fixed linear map moves the pair forward by δ, or you can't tell from a sine
#   alone whether it is rising or falling, or lengths and dot products no longer depend on the offset alone.

# %% name="cheat_sheet"
cheat_sheet("01")

# %% [markdown] name="quiz_text"
# ## Second helping
#
# The heart of the lab ends here. The rest has points too, and can wait for another day.
#
# ### Five quick questions
#
# You'll often come across these claims. True or false? Answer before you read the reasons.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="name_the_mistake_task"
# ## Name the mistake
#
# ●●○ · useful · 14 minutes · 2 points
#
# Each of the four tables below should be `sinusoidal_pe(24, 16)`, but the program that made it has one of the eight bugs
# listed here. (Some well-known programs, such as tensor2tensor, put all sines first. Here that counts as a bug, because this
# course interleaves sines and cosines.) Look at the pictures first: which bug do you see in each?
#
# | name | the bug |
# |---|---|
# | `"columns-unwritten"` | half of the columns, all sines or all cosines, were never filled in, so they are 0 |
# | `"degrees"` | the angles were treated as degrees |
# | `"frequencies-reversed"` | the slow pairs come first |
# | `"halves-layout"` | all sines first, then all cosines |
# | `"integer-division"` | the fraction $2k/d$ in the exponent was rounded down to a whole number |
# | `"positions-from-one"` | the first token has position 1 |
# | `"same-function-twice"` | sine in both columns of a pair |
# | `"swapped-sin-cos"` | cosine in the even columns, sine in the odd ones |
#
# The cell after the picture prints the first and last entries of rows 0 and 1, for your own table and for these four.
# (`gallery()` returns the four tables in a dictionary, by letter.) Rows 0 and 1 are enough to tell all eight bugs apart.
#
# Now write code that identifies the bug. `name_the_mistake(tables)` takes a dictionary of wrong tables, such as `gallery()`.
# The loop and the first two bugs are written for you; add the other six. Each `table` has shape `(T, d)`, with at least 6
# positions and 6 dimensions.
#
# The check tries your function on these four tables, which show only four of the eight bugs. Grading uses other tables, sizes
# and letters, and all eight bugs, so hard-coded names earn nothing.
#
# <details><summary>Hint</summary>
# Look at row 0 first: at position 0 every angle is 0. Which bugs can you already see there? Then look at row 1: how fast
# do the first pair and the last pair turn?
# </details>
# <details><summary>Bigger hint</summary>
# Add more <code>if</code> statements like the first two, each with its own <code>return</code>. Three of the six bugs show in
# the first two entries of row 0. For the other three, compare the first and last entries of <code>sines[1]</code> with those
# in your table.
# </details>

# %% name="see_gallery"
figures.wrong_tables()

# %% name="see_rows"
figures.rows_0_and_1(sinusoidal_pe)

# %% name="name_the_mistake" exercise="name_the_mistake"
def name_the_mistake(tables):
    """The name of the mistake in each wrong table.

    tables: {letter: array of shape (T, d)}, T >= 6, d >= 6. Returns {letter: name}.
    """
    def name_of(table):
        sines, cosines = table[:, 0::2], table[:, 1::2]  # where a correct table has them
        if not sines.any() or not cosines.any():
            return "columns-unwritten"
        if np.array_equal(sines, cosines):
            return "same-function-twice"
        # BEGIN ANSWER
        turned = sines[1]  # the sine of each pair's angle at position 1
        if table[0, 0] > 0.9:
            return "swapped-sin-cos"
        if table[0, 0] > 0.1:
            return "positions-from-one"
        if table[0, 1] < 0.1:
            return "halves-layout"
        if turned[-1] > 0.8:
            return "integer-division" if turned[0] > 0.8 else "frequencies-reversed"
        return "degrees"
        # END ANSWER

    return {letter: name_of(table) for letter, table in tables.items()}

# %% name="check_name_the_mistake"
check("name_the_mistake")

# %% [markdown] name="sinusoidal_pos_task"
# ## Extra: the table as one vector
#
# ●○○ · extra · 4 minutes · 0 points
#
# Some programs keep the table as one long vector. Write `sinusoidal_pos(seed, T, d_model)`. It returns an array of shape
# `(T * d_model,)` in row-major order, so entry `p * d_model + i` is column `i` of position `p`. Ignore the seed: it's a
# parameter only because some other encodings are random.
#
# <details><summary>Hint</summary>
# Which two entries are neighbours in the vector: two positions of one column, or two columns of one position?
# </details>
# <details><summary>Bigger hint</summary>
# You already have the table. By default NumPy arranges an array row by row; see <code>reshape</code>.
# </details>

# %% name="sinusoidal_pos" exercise="sinusoidal_pos"
def sinusoidal_pos(seed, T, d_model):
    """The table row by row: entry p * d_model + i is PE[p, i].

    seed: ignored. d_model: an even number of dimensions.
    Returns an array of shape (T * d_model,).
    """
    # BEGIN ANSWER
    return sinusoidal_pe(T, d_model).reshape(-1)
    # END ANSWER

# %% name="check_sinusoidal_pos"
check("sinusoidal_pos")

# %% [markdown] name="unshuffle_task"
# ## On your own
#
# ●●○ · useful · 6 minutes · 1 point, graded without a check
#
# Someone shuffled the columns of a table and forgot its base, which can be any number from 20 to 1,000. The rows are untouched:
# row $p$ is still position $p$. Write `unshuffle(table)`, which returns the same columns in this course's order. The table has
# at least 32 positions, and 6 to 16 columns.
#
# There's no check and no hint here, so test your function yourself. What should it return for
# `sinusoidal_pe(40, 8)[:, [5, 2, 7, 0, 3, 6, 1, 4]]`?

# %% name="unshuffle" exercise="unshuffle"
def unshuffle(table):
    """The columns of a shuffled table, back in this course's order.

    table: an array of shape (T, d) with its columns in any order, for an unknown base.
    Returns an array of shape (T, d).
    """
    # BEGIN ANSWER
    sines, cosines = np.flatnonzero(table[0] < 0.5), np.flatnonzero(table[0] > 0.5)
    order = np.empty(table.shape[1], int)
    # At position 1, a faster hand has a larger sine and a smaller cosine.
    order[0::2] = sines[np.argsort(-table[1, sines])]
    order[1::2] = cosines[np.argsort(table[1, cosines])]
    return table[:, order]
    # END ANSWER

# %% [markdown] name="done"
# ## Stretch
#
# Take `name_the_mistake` further: give it a table with **two** bugs, such as sines first and degrees. Which combinations can
# you identify from rows 0 and 1 alone, and which look like a single one of the eight bugs?
#
# ## What you can do now
#
# - Give the frequency of each pair of columns, in radians per position.
# - Build the table in any size, and say what each of its numbers means.
# - Identify the bug in a wrong table from just two of its rows.
#
# **Next**: [02 · Heatmap](02_heatmap.ipynb) looks at the whole table at once.
#
# <details><summary><b>The eight labs</b> (click to unfold)</summary>
#
# | no. | lab | the question |
# |---|---|---|
# | 01 | Build the table (this one) | How does a model learn where each token is? |
# | 02 | [Heatmap](02_heatmap.ipynb) | What does the whole table look like, and what does the picture hide? |
# | 03 | [Rotation proof](03_rotation_proof.ipynb) | Why is a shift by δ positions one fixed matrix? |
# | 04 | [Dot-product decay](04_dot_product_decay.ipynb) | How similar are two positions that are δ apart? |
# | 05 | [Base sweep](05_base_sweep.ipynb) | What does the number 10,000 do? |
# | 06 | [Order for attention](06_order_for_attention.ipynb) | What does attention do with the table? |
# | 07 | [Precision and cost](07_precision_and_cost.ipynb) | How far can you trust the table, and what does it cost? |
# | 08 | [A head that learns to look back](08_look_back.ipynb) | Can a head find the shift by itself? |
#
# </details>
#
# **Sources**
#
# - [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762). Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez,
#   Kaiser, Polosukhin, 2017.
# - [*Convolutional Sequence to Sequence Learning*](https://arxiv.org/abs/1705.03122). Gehring, Auli, Grangier, Yarats,
#   Dauphin, 2017. (Learned positions.)
# - [*Position Information in Transformers: An Overview*](https://doi.org/10.1162/coli_a_00445). Dufter, Schmitt,
#   Schütze, 2022.
