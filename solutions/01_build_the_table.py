# %% [markdown] name="title"
# # 01 · Build the table
#
# **Time** 70 minutes · **Difficulty** ★☆☆ · **You need** NumPy arrays, sine and cosine
#
# After this lab you can
#
# 1. write down the frequency of every pair of columns, and say what its unit is;
# 2. build the table of sinusoidal positional encodings for any number of positions and dimensions;
# 3. look at a wrong table and say which mistake made it.

# %% [markdown] name="map"
# **The seven labs**
#
# | | lab | the question |
# |---|---|---|
# | 01 | Build the table (you are here) | How does a model learn where each token is? |
# | 02 | [Heatmap](02_heatmap.ipynb) | What does the whole table look like, and what does the picture hide? |
# | 03 | [Rotation proof](03_rotation_proof.ipynb) | Why is a shift by δ positions one fixed matrix? |
# | 04 | [Dot-product decay](04_dot_product_decay.ipynb) | How alike are two positions that lie δ apart? |
# | 05 | [Base sweep](05_base_sweep.ipynb) | What does the number 10,000 do? |
# | 06 | [Order for attention](06_order_for_attention.ipynb) | What becomes of the table inside attention? |
# | 07 | [Precision and cost](07_precision_and_cost.ipynb) | How far can the table be trusted, and what does it cost? |

# %% name="setup"
import numpy as np

from encoding_labs.build_the_table import figures, guesses, questions, sentences
from encoding_labs.build_the_table.gallery import gallery
from labkit.notebook import check, look, quiz, reveal, show, use_style

use_style()

# %% [markdown] name="why"
# ## Why
#
# Here is attention without a mask, for one token: a mean of all rows, in which the rows that are most like its own
# weigh most. Run it. The two sentences do not say the same thing. Can attention tell?

# %% name="see_blind"
def attend(x, place):
    """What attention makes of the token at this place; x has one row per token."""
    likeness = x @ x[place]
    weights = np.exp(likeness) / np.exp(likeness).sum()
    return weights @ x

sentences.tell(attend)

# %% [markdown] name="why_more"
# Each word gets the same result, whoever bites whom: a mean does not know the order of what goes into it. (A recurrent
# network reads one token after the other, and a convolution looks at neighbours; both have the order built in. A causal
# mask also breaks the tie, since then the first token sees only itself.) So we have to tell the model where each token
# is. *Attention Is All You Need* (Vaswani et al., 2017) adds to each token a vector that depends on its position alone:
#
# $$PE[p, 2k] = \sin(p\,\omega_k) \qquad PE[p, 2k+1] = \cos(p\,\omega_k) \qquad \omega_k = 10000^{-2k/d}$$
#
# Read it as a row of clocks. Pair $k$ is the hand of clock $k$. It starts at 12 and turns clockwise by $\omega_k$ radians
# per position; the sine says how far right its tip is, the cosine how far up. The first clock is fast. Each clock is
# slower than the one before it by the same factor.

# %% [markdown] name="symbols"
# ## Symbols
#
# They mean the same in all seven labs.
#
# | symbol | what it is | unit or range |
# |---|---|---|
# | $T$ | number of positions: rows of the table | |
# | $d$ | number of dimensions: columns of the table | even |
# | $p$ | position, counted from 0 | 0 to $T - 1$ |
# | $i$ | column, counted from 0 | 0 to $d - 1$ |
# | $k$ | pair of columns, $2k$ and $2k + 1$; always a pair, never an offset | 0 to $d/2 - 1$ |
# | $\omega_k$ | frequency of pair $k$: the angle by which its hand turns | radians per position |
# | $\lambda_k = 2\pi/\omega_k$ | wavelength of pair $k$: one full turn | positions |
# | base | the number 10,000 in $\omega_k = \mathrm{base}^{-2k/d}$ | |
# | δ | offset from one position to another (`offset` in code) | positions |
# | $S(\delta) = \sum_k \cos(\delta\,\omega_k)$ | dot product of two rows that lie δ apart | at most $d/2$ |
#
# The table $PE$ has one row per position and one column per dimension, and is kept in `float32`.

# %% [markdown] name="offers"
# ## What makes this a good code?
#
# - It is **fixed**: no parameters, nothing to train.
# - It is **bounded**: every entry lies in $[-1, 1]$, however long the text is.
# - It is **unique**: in exact arithmetic no two positions have the same row. The first clock alone guarantees it: its turn
#   takes $2\pi$ positions, and since $\pi$ is irrational no whole number of positions but 0 makes a whole number of turns.
# - It is **smooth**: from one position to the next every hand moves by its own fixed angle, 1 radian or less, so
#   neighbours have similar rows.
# - It gives a row for **any position**, including positions beyond any seen in training. Whether a model can use that row
#   is another question.
# - It makes **relative offsets** easy: the row of position $p + 3$ is one fixed linear map of the row of $p$, whatever
#   $p$ is. [03 · Rotation proof](03_rotation_proof.ipynb) shows it.

# %% [markdown] name="by_hand_task"
# ## By hand
#
# ●○○ · essential · 8 minutes · 1 point
#
# A formula that you have worked out once on paper stays with you. At $d = 4$ the first two rows are
# $PE(0) = (0, 1, 0, 1)$ and, with four decimals, $PE(1) = (0.8415, 0.5403, 0.0100, 1.0000)$.
#
# Take position 3, again at $d = 4$, before you program anything. Work out the four numbers of $PE(3)$ on paper, with a
# calculator set to radians. Write `by_hand` as a list of them, in order, each **rounded** to four decimals (0.12345
# rounds to 0.1235; cut off it would be 0.1234, and counts as wrong). The check says how many are right, not which.
#
# <details><summary>Hint</summary>
# How many pairs are there at d = 4, and what is the frequency of each? Each pair then has one angle at position 3.
# </details>
# <details><summary>Bigger hint</summary>
# The frequencies at d = 4 are 1 and 0.01, so the two angles are 3 and 0.03 radians. Which function of which angle stands
# in which place, you can see in PE(1).
# </details>

# %% name="by_hand" exercise="by_hand"
# BEGIN ANSWER
by_hand = [0.1411, -0.9900, 0.0300, 0.9996]
# END ANSWER

# %% name="check_by_hand"
check("by_hand")

# %% [markdown] name="predict"
# ## Predict
#
# Take $d = 32$. The hand of the first clock turns by 1 radian per position. How many positions does the hand of the
# **last** clock need for one full turn? Write your guess as a number. It is not graded; you will come back to it below.

# %% name="predict_last_turn"
guess_last_turn = None  # your guess, in positions

# %% [markdown] name="frequencies_task"
# ## Build: the frequencies
#
# ●○○ · essential · 6 minutes · 2 points
#
# Write `frequencies(d)`: an array of the $d/2$ frequencies in radians per position, the fastest first.
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
# On a logarithmic axis equal ratios are equal steps. For each $d$ your frequencies should lie on a straight line, and
# every line starts at 1.

# %% name="see_frequencies"
figures.speeds(frequencies)

# %% name="reveal_last_turn"
reveal(guess_last_turn, guesses.LAST_TURN)

# %% [markdown] name="sinusoidal_pe_task"
# ## Build: the table
#
# ●●○ · essential · 12 minutes · 5 points
#
# Write `sinusoidal_pe(T, d)`: a `float32` array of shape `(T, d)`, row $p$ for position $p$, sine in the even columns
# and cosine in the odd ones. It raises `ValueError` when `d` is odd or not positive, and when `T` is negative: these make
# no table. `T = 0` is an empty table of shape `(0, d)`.
#
# Two remarks. Some programs put all sines first, then all cosines. Theirs is the same table with its columns in another
# order, and just as good, as long as everybody keeps to one order; this course interleaves. And NumPy computes in
# `float64` unless told otherwise. Round to `float32` once, at the end, and every entry is within 3e-8 of the exact value,
# for positions up to a million.
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
# If the check leaves you puzzled, run `look("sinusoidal_pe")` in a cell of your own: it draws your table, how fast its
# pairs turn, and where it differs from what is asked for.
#
# ### See it
#
# Here are the first three rows of your table at $d = 8$. Every row is one position. Find the pair that turns by 1 radian
# per position. Find the columns that hardly move.

# %% name="see_table"
figures.rows(sinusoidal_pe)

# %% [markdown] name="see_clockwork_text"
# Now the same table as clocks. Above are the four hands at position 12, with the places where their tips have been.
# In 13 positions only the first clock completes a turn. Below, the framed row of the table holds the coordinates of the
# four tips: right, up, right, up and so on.
#
# Beside it stands the position as a binary counter. Its last digit changes at every step, the one before it at every
# second step. The table does the same smoothly, from the left: each pair is slower than the one before, here by 10.

# %% name="see_clockwork"
figures.clockwork(sinusoidal_pe, 12)

# %% [markdown] name="play_text"
# Let it run: press ▶, or move the slider. (Where controls do not work, change the 12 above.)

# %% name="play_clockwork" tags=["widget"]
figures.play(sinusoidal_pe)

# %% [markdown] name="see_order_text"
# ### Dog bites man
#
# Back to the beginning. Once more attention without a mask, but now your table is added to the words.

# %% name="see_order"
sentences.tell(attend, sinusoidal_pe)

# %% [markdown] name="name_the_mistake_task"
# ## Name the mistake
#
# ●●● · useful · 20 minutes · 2 points
#
# These four tables should be `sinusoidal_pe(24, 16)`. Each was made by a program with one mistake, of a kind that real
# programs have had. (Here sines-first counts as a mistake: it is not the layout this course asks for.) Look at them
# first, and write down on paper which mistake you see in each. That is practice for your eye, and earns nothing.
#
# | name | the mistake |
# |---|---|
# | `"columns-unwritten"` | half of the columns, all sines or all cosines, were never filled and hold 0 |
# | `"degrees"` | the angles were treated as degrees |
# | `"frequencies-reversed"` | the slow pairs come first |
# | `"halves-layout"` | all sines first, then all cosines |
# | `"integer-division"` | the fraction $2k/d$ in the exponent was rounded down to a whole number |
# | `"positions-from-one"` | the first token has position 1 |
# | `"same-function-twice"` | sine in both columns of a pair |
# | `"swapped-sin-cos"` | cosine in the even columns, sine in the odd ones |
#
# Then write `name_the_mistake(tables)`, a program that looks at tables for you. `tables` is a dictionary: a letter for each
# wrong table, an array of shape `(T, d)` with at least 6 positions and 6 dimensions. It returns a dictionary with the same
# letters and one of these names for each. Each table has one mistake. The check hands it the four tables of the picture,
# which `gallery()` gives you too; it is graded on others, of other sizes, under other letters, with all eight mistakes. So names that are typed in earn nothing.
#
# <details><summary>Hint</summary>
# Look at row 0 first: at position 0 every angle is 0. Which mistakes does it show already? Then ask what row 1 says about
# the speed of the first pair and of the last.
# </details>
# <details><summary>Bigger hint</summary>
# One question after the other, each with its <code>return</code>, works well. Begin with what no other mistake does: columns
# that are 0 throughout, partners that are equal. Or turn it around: make the eight wrong tables in the size of the one that
# came in, and see which is near it (<code>np.allclose</code> with <code>atol=1e-3</code>).
# </details>

# %% name="see_gallery"
figures.wrong_tables()

# %% name="name_the_mistake" exercise="name_the_mistake"
def name_the_mistake(tables):
    """The name of the mistake in each wrong table.

    tables: {letter: array of shape (T, d)}, T >= 6, d >= 6. Returns {letter: name}.
    """
    # BEGIN ANSWER
    def name_of(table):
        sines, cosines = table[:, 0::2], table[:, 1::2]
        turned = sines[1]  # by how far each pair has gone at position 1
        if not sines.any() or not cosines.any():
            return "columns-unwritten"
        if np.array_equal(sines, cosines):
            return "same-function-twice"
        if table[0, 0] > 0.9:
            return "swapped-sin-cos"
        if table[0, 0] > 0.1:
            return "positions-from-one"
        if table[0, 1] < 0.1:
            return "halves-layout"
        if turned[-1] > 0.8:
            return "integer-division" if turned[0] > 0.8 else "frequencies-reversed"
        return "degrees"

    return {letter: name_of(table) for letter, table in tables.items()}
    # END ANSWER

# %% name="check_name_the_mistake"
check("name_the_mistake")

# %% [markdown] name="why_pairs_task"
# ## Explain
#
# ●●○ · essential · 8 minutes · 2 points, graded by your instructor
#
# Sine and cosine of a pair share one frequency. Why must they? Say what would be lost if every column had a frequency
# of its own. Three or four sentences are enough; a drawing of the clock may help you think.
#
# <details><summary>Hint</summary>
# Draw one clock at position p and at position p + 5. What takes the first hand to the second, and does it depend on p?
# </details>
# <details><summary>Bigger hint</summary>
# Cover the cosine with your hand. From the sine alone, can you say where the tip is, and where it will be next?
# </details>

# %% [markdown] name="why_pairs" exercise="why_pairs"
# <!-- BEGIN ANSWER -->
# With a shared frequency, sine and cosine are the two coordinates of one point on a circle. Moving on by δ positions
# turns that point by the angle δ·ω, whatever p is: a fixed rotation of the pair. That is what lets a model read relative
# offsets with a linear map. With two different frequencies the two numbers belong to two different clocks, and no fixed
# linear map of them moves both on by δ. A sine alone does not even tell whether the hand is rising or falling: two
# positions in a turn share each value.
# <!-- END ANSWER -->

# %% [markdown] name="why_pairs_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: with a shared frequency the pair is a point on a circle, and moving on by δ is a rotation by δ·ω that does
#   not depend on p.
# - 1 point: what is lost otherwise. Either no fixed linear map of the pair moves it on by δ, or a sine alone does not
#   tell rising from falling, or lengths and dot products no longer depend on the offset alone.

# %% [markdown] name="sinusoidal_pos_task"
# ## Extra: the table as one vector
#
# ●○○ · extra · 5 minutes · 0 points
#
# As on a problem site: some programs keep a table as one long vector. Write `sinusoidal_pos(seed, T, d_model)`: the table
# in row-major order, an array of shape `(T * d_model,)`, so that entry `p * d_model + i` is column `i` of position `p`. The
# seed is there because other encodings of the same family are random; what should this one do with it? It has hidden tests
# like the others, and earns no points.
#
# <details><summary>Hint</summary>
# Which two entries are neighbours in the vector: two positions of one column, or two columns of one position?
# </details>
# <details><summary>Bigger hint</summary>
# You have the table already. NumPy lays an array out row by row unless told otherwise; see <code>reshape</code>.
# </details>

# %% name="sinusoidal_pos" exercise="sinusoidal_pos"
def sinusoidal_pos(seed, T, d_model):
    """The table row by row: entry p * d_model + i is PE[p, i].

    d_model: an even number of dimensions. Returns an array of shape (T * d_model,).
    """
    # BEGIN ANSWER
    return sinusoidal_pe(T, d_model).reshape(-1)
    # END ANSWER

# %% name="check_sinusoidal_pos"
check("sinusoidal_pos")

# %% [markdown] name="quiz_text"
# ## Five quick questions
#
# One often reads these sentences. True or false? Answer before you read the reasons.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="cheat_sheet"
# ## Cheat sheet
#
# - $PE[p, 2k] = \sin(p\,\omega_k)$, $PE[p, 2k+1] = \cos(p\,\omega_k)$, $\omega_k = 10000^{-2k/d}$, $k = 0 \ldots d/2 - 1$
# - Shapes: frequencies `(d/2,)`, angles `(T, d/2)`, table `(T, d)`, `float32`. Angles in radians, positions from 0.
# - Row 0 is 0, 1, 0, 1, … whatever $d$ is: the first thing to look at in a table.
# - $d = 4$: frequencies 1, 0.01; $PE(1) = (0.8415, 0.5403, 0.0100, 1.0000)$. $d = 8$: frequencies 1, 0.1, 0.01, 0.001.
# - Slowest pair: frequency $10000^{-(d-2)/d}$, one turn in 6,283 positions at $d = 8$ and 60,611 at
#   $d = 512$.
# - Three readings: a row of **clocks**, each slower by the same factor; a smooth **counter**, fast digits on the left; a
#   **rotation**, since moving on by δ turns pair $k$ by $\delta\,\omega_k$, whatever $p$ is.

# %% [markdown] name="sources"
# **Sources**
#
# - *Attention Is All You Need*. Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin, 2017.
# - *Convolutional Sequence to Sequence Learning*. Gehring, Auli, Grangier, Yarats, Dauphin, 2017. (Positions that are
#   learned.)
# - *Position Information in Transformers: An Overview*. Dufter, Schmitt, Schütze, 2022.

# %% [markdown] name="stretch"
# ## Stretch
#
# Take your `name_the_mistake` further: give it a table with **two** mistakes, such as sines first and degrees. Which pairs of
# mistakes can be told apart by rows 0 and 1 alone, and which look like one of the eight?
#
# **Next**: [02 · Heatmap](02_heatmap.ipynb) looks at the whole table at once.
