# %% [markdown] name="title"
# # 05 · Base sweep
#
# <details><summary><b>Goals and time</b> (click to unfold)</summary>
#
# **Time** 40 minutes, and 40 for the second helping · **Difficulty** ★★☆ · **You need**
# [04 · Dot-product decay](04_dot_product_decay.ipynb)
#
# After this lab you can
#
# 1. work out a table's wavelengths, and measure what a larger base gains and what it costs;
# 2. choose a base for a given length, and defend it with numbers;
# 3. stretch a model to longer texts in two ways, and say what each does to neighbours.
#
# </details>

# %% [markdown] name="why"
# ## Why
#
# So far the base has been 10,000, and you took it on trust. It is a choice, and it sets the speed of every clock but the
# first. The clocks below run over 128 positions. Drag the base slider: which hand keeps its speed, and which ones no longer
# make a full turn?

# %% name="setup"
# In Colab, first run: %pip install encoding-labs==0.1.0
import matplotlib.pyplot as plt
import numpy as np

from encoding_labs import sliders
from encoding_labs.base_sweep import figures, guesses, questions, rows
from encoding_labs.base_sweep.exercises import BASES, OFFSETS
from encoding_labs.clock import clock
from labkit.notebook import cheat_sheet, check, look, predict, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style(language="en")

# %% name="clock"
clock(base=10_000)

# %% [markdown] name="predict"
# The frequency and the **wavelength** of pair $k$, the number of positions it takes to turn once:
#
# $$\omega_k = \text{base}^{-2k/d} \qquad \lambda_k = \frac{2\pi}{\omega_k}$$
#
# For pair 0 the wavelength is $2\pi$ at every base. Each clock is slower than the one before by the same factor, and a larger
# base makes that factor larger. Some models for long texts have moved to a base of 500,000. (They use rotary encodings, whose
# pairs turn at these frequencies.) What do they gain, and what do they give up?
#
# ## Predict
#
# Two guesses, for $d = 32$ and 128 positions. They aren't graded.
#
# 1. You change the base from 10 to 500,000. By what factor does the distance between the two closest rows change? (2
#    means twice as far apart, 0.5 half as far.)
# 2. With base 10 the slowest hand is back where it started after 54.4 positions. How far apart are $PE(0)$ and $PE(54)$? For
#    scale: equal rows are 0 apart, opposite rows 8.

# %% name="predict_base"
guess_factor = None  # 1: the distance at base 500,000 divided by the distance at base 10
guess_return = None  # 2: the distance between PE(0) and PE(54) at base 10

# %% [markdown] name="wavelengths_task"
# ## Build: the wavelengths
#
# ●○○ · essential · 5 minutes · 2 points
#
# Write `wavelengths(d, base)`. It returns a NumPy array of the $d/2$ wavelengths, measured in positions and sorted from
# shortest to longest.
#
# If a check finds a mistake that you can't spot, `look("wavelengths")` draws your values next to the correct ones. This
# works for every exercise that returns an array or draws a figure.
#
# <details><summary>Hint</summary>
# The frequency is in radians per position. How many radians are in one turn?
# </details>
# <details><summary>Bigger hint</summary>
# At d = 8 and base 10,000 the frequencies are 1, 0.1, 0.01 and 0.001, so the wavelengths begin with 6.28 and 62.8.
# Each is longer than the one before by the same factor, here 10.
# </details>

# %% name="wavelengths" exercise="wavelengths"
def wavelengths(d, base):
    """The wavelength of each pair: lambda_k = 2 pi / omega_k.

    omega_k = base**(-2k/d), k = 0 .. d/2 - 1. d: an even number of dimensions; base > 1.
    Returns an array of shape (d/2,), in positions.
    """
    # BEGIN ANSWER
    k = np.arange(d // 2)
    return 2 * np.pi * float(base) ** (2 * k / d)
    # END ANSWER

# %% name="check_wavelengths"
check("wavelengths")

# %% name="see_wavelengths"
# Pairs above the dotted line never complete a turn in a text of 128 positions.
figures.lengths(wavelengths)

# %% [markdown] name="sweep_task"
# ## Build: the sweep
#
# ●●○ · essential · 8 minutes · 3 points
#
# Write `sweep(bases, T, d)`. It returns a NumPy array with one row per base and three columns. Each column earns one point:
#
# 0. the longest wavelength;
# 1. how many pairs complete a cycle within $T$ positions: those with a wavelength of at most $T$;
# 2. the **nearest-neighbour distance**: the smallest Euclidean distance between two different rows of the table of
#    $T$ positions.
#
# `sinusoidal_pe(T, d, base=base)`, imported above, makes the table. `np.triu_indices(T, k=1)` returns two arrays: the first and the
# second index of every pair of different rows. You may assume $T \ge 2$.
#
# <details><summary>Hint</summary>
# Every row has distance 0 to itself, and that doesn't count. The nearest other row needn't be adjacent: at d = 8 and base 10,000
# it isn't.
# </details>
# <details><summary>Bigger hint</summary>
# Begin with one base and one column, and print it. For the third column, take the rows with the first indices and those
# with the second, subtract, and compute the length of each difference.
# </details>

# %% name="sweep" exercise="sweep"
def sweep(bases, T, d):
    """One row per base: the three measurements above, in that order.

    bases: a sequence of numbers > 1; T >= 2 positions; d: an even number of dimensions.
    Returns an array of shape (len(bases), 3).
    """
    # BEGIN ANSWER
    one, other = np.triu_indices(T, k=1)
    found = []
    for base in bases:
        table, turns = sinusoidal_pe(T, d, base=base), wavelengths(d, base)
        distances = np.linalg.norm(table[one] - table[other], axis=1)
        found.append((turns[-1], (turns <= T).sum(), distances.min()))
    return np.array(found)
    # END ANSWER

# %% name="check_sweep"
check("sweep")

# %% name="see_sweep"
# One panel for each column of the sweep, at T = 128 and d = 32.
figures.swept(sweep)
reveal(guess_factor, guesses.FACTOR)
reveal(guess_return, guesses.RETURN)

# %% [markdown] name="base_for_length_task"
# ## Build: from a length to a base
#
# ●●○ · essential · 6 minutes · 2 points
#
# You want the slowest hand to turn exactly once in $T$ positions. Write `base_for_length(T, d)`. It returns the base whose
# longest wavelength is $T$. Raise `ValueError` if there is no such base: at $d = 2$, and for $T$ below $2\pi$ (so
# for whole numbers up to 6).
#
# <details><summary>Hint</summary>
# Write the longest wavelength as a formula in base and d, set it equal to T, and solve for the base. Why does
# that fail at d = 2?
# </details>
# <details><summary>Bigger hint</summary>
# Test it: the last of <code>wavelengths(d, base_for_length(T, d))</code> must be T again, for every d.
# </details>

# %% name="base_for_length" exercise="base_for_length"
def base_for_length(T, d):
    """The base whose longest wavelength is T.

    T: a number of positions; d: an even number of dimensions. Returns a number.
    Raises ValueError for d = 2 and for T < 2 pi.
    """
    # BEGIN ANSWER
    if d == 2 or T < 2 * np.pi:
        raise ValueError(f"no base gives the longest wavelength {T} at d = {d}")
    return (T / (2 * np.pi)) ** (d / (d - 2))
    # END ANSWER

# %% name="check_base_for_length"
check("base_for_length")

# %% [markdown] name="longer_text"
# ## Stretch a model
#
# A model was trained with base 10,000 and $d = 128$, and now it has to read texts 8 times as long. Its slowest hand should turn
# no farther than it did in training. There are two ways to slow it down by a factor of 8:
#
# - **divide** all positions by 8 (position interpolation, [Chen and others, 2023](https://arxiv.org/abs/2306.15595));
# - **raise the base**. Your `base_for_length` knows by how much: compare the base for $8T$ with the base for $T$.
#
# Neighbouring rows are 1.953 apart before. Guess how far apart they are after dividing, after raising the base, and by what factor
# the base grows.

# %% name="predict_longer"
guess_divided = None  # the distance of neighbours after dividing the positions by 8
guess_raised = None  # the distance of neighbours after raising the base
guess_base_factor = None  # the new base divided by the old one

# %% name="see_longer"
figures.slower(wavelengths, base_for_length)
reveal(guess_divided, guesses.DIVIDED)
reveal(guess_raised, guesses.RAISED)
reveal(guess_base_factor, guesses.BASE_FACTOR)

# %% [markdown] name="longer_meaning"
# Raising the base in this way is called **NTK-aware scaling**. Programs that run language models have your formula in a line,
# `base * s ** (dim / (dim - 2))` ([vLLM, for example](https://docs.vllm.ai/en/latest/api/vllm/model_executor/layers/rotary_embedding/dynamic_ntk_alpha_rope/)).
# [YaRN](https://arxiv.org/abs/2309.00071) (Peng and others, 2023) slows down each pair by how often it turned in training: by the full factor if
# less than once (the pairs that column 1 of `sweep` doesn't count), not at all if 32 times or more, and by something in between for
# the rest. The dotted lines in the figure mark both limits.

# %% [markdown] name="choose_a_base_task"
# ## Explain
#
# ●●○ · essential · 8 minutes · 2 points, graded by your instructor
#
# Choose a base for $T = 500$ and one for $T = 200{,}000$, both at $d = 64$, and defend both with numbers from your own
# functions. The cell below prints some: put in other bases and compare. There is no single right choice, so say what each gains and
# what it costs. Four sentences are enough.
#
# <details><summary>Hint</summary>
# Start from <code>base_for_length</code>, and ask what changes if you take a base ten times as large.
# </details>
# <details><summary>Bigger hint</summary>
# <code>sweep</code> gives three numbers for each base at T = 500. For the long text, the wavelengths show how many pairs complete a turn within the text, and how many within its first hundred positions.
# </details>

# %% name="choices"
# At d = 64: the sweep of two bases at T = 500, and the wavelengths of a third base.
# A sweep at T = 200,000 doesn't fit in memory.
print(np.array_str(sweep([50, 5_000], 500, 64), precision=1, suppress_small=True))
print(wavelengths(64, 60_000).round().astype(int))

# %% [markdown] name="choose_a_base" exercise="choose_a_base"
# <!-- BEGIN ANSWER -->
# For T = 500 I take base 100. Its longest wavelength is 544, so the slowest pair makes most of one turn; 31 of 32 pairs
# complete a cycle, and the nearest rows are 1.95 apart, against 1.47 at base 10,000. Base 91.6 would turn the slowest pair
# exactly once. For T = 200,000 I take base 500,000. Its longest wavelength is 2.08 million (base 44,474 would give exactly
# 200,000), and the similarity is still 0.34 at offset 5,000, where at base 100 only swings around 0 are left. The cost is
# that neighbours are only 1.30 apart, and that only 11 of 32 pairs complete a cycle within 500 positions. Even with a small
# base no two rows would be equal; what you would lose is the ability to tell far from farther.
# <!-- END ANSWER -->

# %% [markdown] name="choose_a_base_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: a base for T = 500, defended by numbers measured at d = 64, such as the longest wavelength compared with T, the
#   pairs that complete a cycle, or the nearest-neighbour distance. Any base from about 20 to 10,000 can be defended.
# - 1 point: a base for T = 200,000, and what it costs: neighbours come closer, and fewer pairs turn within a short
#   text. No point for an argument based on colliding positions, because none collide.

# %% name="cheat_sheet"
cheat_sheet("05")

# %% [markdown] name="predict_similarity_text"
# ## Second helping: what the base does to similarity
#
# The heart of the lab ends here. The rest has points too, and can wait for another day.
#
# Which picture shows the similarity of two positions against their offset at $d = 512$, for a small base and for a large one?

# %% name="predict_similarity"
predict(guesses.SIMILARITY)
guess_similarity = None  # your guess: "A", "B", "C" or "D"

# %% [markdown] name="draw_sweep_task"
# ### Build: draw it
#
# ●●○ · useful · 8 minutes · 2 points
#
# Write `draw_sweep(bases, d, ax)`. On the given Axes, draw one line per base: the similarity of two positions,
# $S(\delta) / (d/2)$, against their offset $\delta$. $S$ is the sum from lab 04, $\sum_k \cos(\delta\,\omega_k)$.
#
# - Draw each line at all the offsets in `OFFSETS`: every whole number from 1 to 10,000.
# - Make the offset axis logarithmic, and leave the similarity axis linear. Label both axes, and add a legend.
# - In each line's label, write its base, for example `base 500,000`.
#
# The curves earn one point, and everything else earns the other.
#
# <details><summary>Hint</summary>
# S divided by d/2 is a mean over the pairs. How do you get the frequencies from your wavelengths?
# </details>
# <details><summary>Bigger hint</summary>
# Call methods of <code>ax</code>, and nothing from <code>plt</code>, because that draws on the current Axes, which may be a
# different one. <code>ax.set</code> takes the scale and the labels in one call.
# </details>

# %% name="draw_sweep" exercise="draw_sweep"
def draw_sweep(bases, d, ax):
    """Draw the similarity S(offset) / (d/2) at OFFSETS, one line per base, on a log axis.

    bases: a sequence of numbers > 1; d: an even number of dimensions.
    ax: the matplotlib Axes to draw on.
    """
    # BEGIN ANSWER
    colours = plt.colormaps["viridis"](np.linspace(0, 0.58, len(bases)))
    for base, colour, style in zip(bases, colours, ("-", "--") * len(bases)):
        means = np.cos(OFFSETS[:, None] * 2 * np.pi / wavelengths(d, base)).mean(axis=1)
        ax.plot(OFFSETS, means, style, color=colour, label=f"base {base:,}")
    ax.set(xscale="log", xlabel="offset δ (positions)", ylabel="similarity, S / (d/2)")
    ax.legend(loc="lower left")
    # END ANSWER

# %% name="check_draw_sweep"
check("draw_sweep")

# %% name="see_similarity"
figures.similarity(draw_sweep)
reveal(guess_similarity, guesses.SIMILARITY)

# %% [markdown] name="try_text"
# ### Try it
#
# Now drag the sliders. One sets how fast the line falls, the other how large its swings are: which is which? Which of
# them moves the point where the line first reaches 0? And at $d = 8$ and base 10,000, where does the line come back up
# the highest?
#
# <details><summary>Which is which</summary>
#
# The base sets how fast the line falls. More dimensions make the swings smaller and hardly change the fall. Both sliders
# move the first zero, because a large swing dips below 0 early: at base 10,000 the first zero is at offset 474 for $d = 32$, and at
# 3,284 for $d = 512$. Some swings are narrow. That is why you drew every offset: with only 160 offsets, evenly spaced on this
# axis, these two zeros would seem to be at 1,044 and 4,709. At $d = 8$ and base 10,000 the line comes back up to 0.996, at offset 6,283.
#
# </details>

# %% name="try_base"
sliders.base_and_d()

# %% [markdown] name="decode_task"
# ## Read the clock
#
# ●●● · useful · 16 minutes · 2 points
#
# A row is a set of hands. Can you tell its position from the hands alone? `rows.printed(p, d)` gives the row for position $p$ at
# base 10,000 as it appears in a printout: float32, rounded to two decimals, shape `(d,)`. The position need not be whole:
# `rows.printed(100.35, 8)` shows the hands about a third of the way from row 100 to row 101.
#
# Rounding to two decimals moves each hand by up to 0.0071 radians. The fastest hand gives the position to within 0.0071,
# but only up to whole turns of 6.28 positions. The slowest is still on its first turn, but at $d = 32$ it gives the
# position only to within 40. You need both, and the hands between them, as on a clock: the hour hand alone can't tell you
# the second.
#
# Write `decode(row)`. It returns the position, to within 0.03. It must work for even $d$ from 4 to 256, and for all
# positions, whole or not, from 0 to nine tenths of the longest wavelength. Searching a table won't do: even a table with
# a row every 0.1 positions is too coarse, and at $d = 256$ it would have 526,227 rows.
#
# <details><summary>Hint</summary>
# <code>np.arctan2(sine, cosine)</code> gives an angle between -π and π, but a hand turns from 0 to 2π. What fraction of a turn has the slowest hand made, and how many positions is that?
# </details>
# <details><summary>Bigger hint</summary>
# Go from the slowest hand to the fastest and keep one number, the position so far. The next hand gives a position within its
# own turn. How many whole turns must you add to come closest to the position so far?
# </details>

# %% name="decode" exercise="decode"
def decode(row):
    """The position of a printed row (base 10000), whole or not, to within 0.03.

    row: shape (d,), float32, two decimals; d even, 4 to 256.
    Returns one number, in positions, from 0 to 0.9 times the longest wavelength.
    """
    # BEGIN ANSWER
    turns = wavelengths(len(row), 10_000)
    said = np.arctan2(row[0::2], row[1::2]) % (2 * np.pi) / (2 * np.pi) * turns
    position = said[-1]
    for hand, turn in zip(said[-2::-1], turns[-2::-1]):
        position = hand + turn * round((position - hand) / turn)
    return float(position)
    # END ANSWER

# %% name="check_decode"
check("decode")

# %% [markdown] name="see_hands_text"
# ### See it
#
# There is one lane for each hand of a printed row, at $d = 8$. A lane marks the positions that its hand allows. Which position
# is marked in all four lanes?

# %% name="see_hands"
figures.hands(wavelengths, decode)

# %% [markdown] name="quiz_task"
# ## Five quick questions
#
# True or false? Write your answers in the cell and run it; you get a reason for each.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="which_base_task"
# ## One more, without a check
#
# ●●○ · useful · 5 minutes · 1 point
#
# A colleague sends you one row of a table, the row of position 1, and forgets to tell you the base. Write
# `which_base(row)`. It returns the base, to within one part in a thousand. It must work for even $d$ from 4 to 64, and for
# bases from 2 to a million.
#
# The notebook has no check for this exercise; it is checked only during grading. Test your function yourself: the row `sinusoidal_pe(2, 32, base=700)[1]` must give
# 700.
#
# <details><summary>Hint</summary>
# At position 0 every hand is at 12. How far has hand k turned at position 1?
# </details>
# <details><summary>Bigger hint</summary>
# One hand is enough, as long as you know its k and it isn't pair 0. Which power of its angle is the base?
# </details>

# %% name="which_base" exercise="which_base"
def which_base(row):
    """The base of the table that has this row at position 1.

    row: shape (d,), float32; d even, 4 to 64.
    Returns one number: the base, from 2 to 1,000,000.
    """
    # BEGIN ANSWER
    d = len(row)
    slowest = float(np.arctan2(row[-2], row[-1]))
    return slowest ** (-d / (d - 2))
    # END ANSWER

# %% [markdown] name="stretch"
# ## Stretch
#
# - Some models with rotary encodings use base 500,000 with 128 dimensions per head. How many of the 64 pairs complete a cycle
#   within 8,192 positions, and how many would with base 10,000? With your `wavelengths` that takes one line.
# - `sweep` compares every row with every other. Lab 04 showed that the dot product of two rows depends only on their offset.
#   The same is true of their distance: $|PE(p) - PE(q)|^2 = d - 2\,S(p - q)$. Use this formula to compute the third column of
#   `sweep` without a table. Then, at $d = 8$ and for each of the five bases, find the smallest offset at which two rows are closer
#   together than adjacent rows. For which base is this offset largest?
#
# <details><summary>Why a constant factor, and not even spacing?</summary>
#
# Suppose the frequencies were evenly spaced: 1, 15/16, 14/16, …, 1/16 at $d = 32$. Then the similarity would be down to
# $-0.21$ at offset 5 and, worse, it would come back. All these frequencies are multiples of 1/16, so after about
# $2\pi \cdot 16 \approx 100.5$ positions every hand is near its start again: the similarity is 0.96 at offset 101 and
# 0.999 at offset 201.
#
# Even with a constant factor between frequencies, the similarity can come back. At $d = 8$ and base 10,000 the frequencies 1, 0.1, 0.01 and 0.001 are all
# multiples of 0.001, and the similarity is back at 0.996 at offset 6,283. But at $d = 32$ the factor $10^{1/4}$ is
# irrational, and there are 16 hands: from offset 10 up to a million the similarity stays below 0.772, while neighbours have
# a similarity of 0.957. A constant factor also treats all scales alike: at $d = 32$ there are four pairs for
# every factor of 10 in wavelength, from single positions to tens of thousands.
#
# </details>
#
# **Looking back**: you built a row of clocks, drew the table of their hands, proved that a step of the same length turns
# them by the same angles everywhere, and measured how alike the rows are. Now you have set the speeds of the clocks and read the
# position off their hands.
#
# **Sources**: ["Attention Is All You Need"](https://arxiv.org/abs/1706.03762), Ashish Vaswani and others, 2017: the
# encoding, and its base 10,000 · ["RoFormer: Enhanced Transformer with Rotary Position
# Embedding"](https://arxiv.org/abs/2104.09864), Jianlin Su and others, 2021: the same frequencies as rotations ·
# ["Effective Long-Context Scaling of Foundation Models"](https://arxiv.org/abs/2309.16039), Wenhan Xiong and others,
# 2023: the base 500,000 for long texts.
#
# **Next**: [06 · Order for attention](06_order_for_attention.ipynb) uses the table in attention.

# %% [markdown] name="done"
# ## What you can do now
#
# - Read a position off a row, from the slowest hand to the fastest.
# - Show with numbers that a larger base reaches farther but brings neighbours closer.
# - Find the base for a length, and stretch a model to a longer one.
