# %% [markdown] name="title"
# # 05 · Base sweep
#
# **Time** 60 minutes · **Difficulty** ★★☆ · **You need** [04 · Dot-product decay](04_dot_product_decay.ipynb)
#
# After this lab you can
#
# 1. say how long the wavelengths of a table are, the longest one included, for any base and any number of dimensions;
# 2. measure what a larger base gains and what it costs;
# 3. choose a base for a given length, and defend the choice with numbers.

# %% [markdown] name="why"
# ## Why
#
# In the labs before this one the base was 10000, and nobody asked why. It is a choice. It sets how the clocks are
# spread between the fastest and the slowest:
#
# $$\omega_k = \text{base}^{-2k/d} \qquad \lambda_k = \frac{2\pi}{\omega_k}$$
#
# The **wavelength** $\lambda_k$ is the number of positions in which pair $k$ turns once. Pair 0 takes $2\pi$
# positions, whatever the base. All the others get slower when the base grows. Models for long texts have moved to
# large bases: rotary encodings turn their pairs at the same geometric frequencies, and some of them use the base
# 500,000. What do they gain by it, and what do they give up?

# %% name="setup"
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import FloatLogSlider, IntSlider, interact

from encoding_labs.base_sweep.exercises import BASES, OFFSETS
from labkit.notebook import check, reveal, show, use_style
from labkit.notebook.cells import quiet
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style()

# %% [markdown] name="predict"
# ## Predict
#
# Write two guesses as numbers. Nobody grades them; you will meet both again below. Take $d = 32$ and 128 positions.
#
# 1. Measure the distance between the two rows that are closest to each other. You change the base from 10 to 500,000.
#    By which factor does that distance change? (2 would be twice as far apart, 0.5 half as far.)
# 2. With base 10 the slowest hand is back after 54.4 positions. How far apart are $PE(0)$ and $PE(54)$? For scale:
#    opposite encodings would be 8 apart, and a collision is 0.

# %% name="predict_base"
guess_factor = None  # 1: the distance at base 500,000 divided by the distance at base 10
guess_return = None  # 2: the distance between PE(0) and PE(54) at base 10

# %% [markdown] name="wavelengths_task"
# ## Build: the wavelengths
#
# Write `wavelengths(d, base)`: the $d/2$ wavelengths in positions, the shortest first.
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

# %% [markdown] name="longest_wavelength_task"
# ## Build: the longest of them
#
# Write `longest_wavelength(d, base)`: one number, in positions.
#
# <details><summary>Hint</summary>
# It belongs to the last pair. With d/2 pairs that are counted from 0, which k is that?
# </details>
# <details><summary>Bigger hint</summary>
# You have just written a function that returns all of them in order.
# </details>

# %% name="longest_wavelength" exercise="longest_wavelength"
def longest_wavelength(d, base):
    """The number of positions that the slowest pair needs for one turn.

    d: an even number of dimensions; base > 1. Returns a number, in positions.
    """
    # BEGIN ANSWER
    return wavelengths(d, base)[-1]
    # END ANSWER

# %% name="check_longest_wavelength"
check("longest_wavelength")

# %% [markdown] name="see_wavelengths_text"
# ### See it
#
# Every line starts at $2\pi$. The base sets the slope, and so where the last pair ends. The dashed line marks 128
# positions: pairs above it never complete a turn in a text of that length.

# %% name="see_wavelengths"
figure, ax = plt.subplots()
for base in BASES:
    ax.plot(wavelengths(32, base), "o-", ms=4, label=f"base {base:,}")
ax.axhline(128, color="0.4", ls="--", lw=1)
ax.set(yscale="log", xlabel="pair k", ylabel="wavelength (positions)",
       title="The base stretches every wavelength but the first (d = 32)")
ax.legend()
show(figure, alt="Wavelength against pair index k = 0 to 15 at d = 32, on a logarithmic "
     "axis, for the bases 10, 100, 1,000, 10,000 and 500,000. All five are straight "
     "rising lines that start at 6.28. They end at 54, 471, 4,080, 35,333 and 1.38 "
     "million positions. A dashed line marks 128 positions: base 10 stays below it, and "
     "every other base crosses it.")

# %% [markdown] name="sweep_task"
# ## Build: the sweep
#
# Write `sweep(bases, T, d)`: an array with one row per base and three columns:
#
# 0. the longest wavelength;
# 1. how many pairs complete a cycle within $T$ positions, which means that their wavelength is at most $T$;
# 2. the **nearest-neighbour distance**: the smallest Euclidean distance between two different rows of the table of
#    $T$ positions.
#
# The locked module makes the table: `sinusoidal_pe(T, d, base=base)`. You may rely on $T \ge 2$.
#
# <details><summary>Hint</summary>
# Every row has distance 0 to itself; that one must not count. And the nearest other row need not be an adjacent one:
# at d = 8 and base 10,000 it is not.
# </details>
# <details><summary>Bigger hint</summary>
# <code>np.linalg.norm(table[:, None] - table, axis=-1)</code> holds the distances of all pairs of rows. You may put
# infinity on its diagonal, or look only above it.
# </details>

# %% name="sweep" exercise="sweep"
def sweep(bases, T, d):
    """One row per base: the three measurements above, in that order.

    bases: a sequence of numbers > 1; T >= 2 positions; d: an even number of dimensions.
    Returns an array of shape (len(bases), 3).
    """
    # BEGIN ANSWER
    rows, others = np.triu_indices(T, k=1)
    found = []
    for base in bases:
        table, turns = sinusoidal_pe(T, d, base=base), wavelengths(d, base) <= T
        distances = np.linalg.norm(table[rows] - table[others], axis=1)
        found.append((longest_wavelength(d, base), turns.sum(), distances.min()))
    return np.array(found)
    # END ANSWER

# %% name="check_sweep"
check("sweep")

# %% [markdown] name="see_sweep_text"
# ### See it
#
# The whole sweep at once, for 128 positions and $d = 32$. The longest wavelengths are in scientific form: `4.08e+03`
# is 4,080.

# %% name="see_sweep"
found = sweep(BASES, 128, 32)
print("   base  longest wavelength  pairs within 128  nearest neighbour")
for base, (longest, pairs, nearest) in zip(BASES, found):
    print(f"{base:7,} {longest:19.2e} {pairs:17.0f} {nearest:18.2f}")

# %% name="see_costs"
found = sweep(BASES, 128, 32)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6))
axes[0].plot(BASES, found[:, 2], "o-")
axes[0].set(ylim=(0, 2.2), ylabel="nearest-neighbour distance")
axes[0].set_title("A larger base: rows move closer")
axes[1].plot(BASES, found[:, 1], "o-", color="C1")
axes[1].set(ylim=(0, 17), yticks=range(0, 17, 4), ylabel="pairs (of 16)")
axes[1].set_title("… and fewer pairs turn in 128 positions")
for ax in axes:
    ax.set(xscale="log", xlabel="base")
show(figure, alt="Two panels against the base on a logarithmic axis, for 128 positions "
     "and d = 32. Left: the nearest-neighbour distance falls from 1.94 at base 10 through "
     "1.47, 1.28 and 1.17 to 1.08 at base 500,000. Right: the number of pairs that "
     "complete a cycle within 128 positions falls from 16 through 11, 7 and 6 to 4.")

# %% name="reveal_factor"
near = sweep((10, 500_000), 128, 32)[:, 2]
reveal(guess_factor, near[1] / near[0], "times the distance at base 10")

# %% [markdown] name="factor_text"
# A larger base does not push neighbours apart; it brings them closer. From one position to the next only the fast
# pairs turn noticeably, and a larger base leaves fewer of them: their wavelengths are the short end of the lines
# above. What a larger base stretches is the far end. Whether that is worth it depends on how far you have to see.

# %% name="reveal_return"
table = sinusoidal_pe(55, 32, base=10)
distance = float(np.linalg.norm(table[54] - table[0]))
reveal(guess_return, distance, "apart, at a longest wavelength of 54.4")

# %% [markdown] name="return_text"
# At the longest wavelength *one* hand is back, the slowest. The fifteen others stand elsewhere. At base 10 the rows 0
# and 54 are 6.05 apart, three times as far as adjacent rows (1.94). So the longest wavelength is no length after
# which positions collide: with base 10 and $d = 32$, no offset up to 1,000,000 brings two rows closer together than
# adjacent ones are.

# %% [markdown] name="base_for_length_task"
# ## Build: from a length to a base
#
# Suppose you want the slowest hand to turn exactly once in $T$ positions. Write `base_for_length(T, d)`: the base
# whose longest wavelength is $T$. Raise `ValueError` where no base does that: at $d = 2$, and for $T$ shorter than
# $2\pi$.
#
# <details><summary>Hint</summary>
# Write down the longest wavelength as a formula in base and d, set it equal to T, and solve for the base. Why does
# that fail at d = 2?
# </details>
# <details><summary>Bigger hint</summary>
# Check yourself: <code>longest_wavelength(d, base_for_length(T, d))</code> must give T back. For T = 128 the base is
# close to 25 at d = 32 and close to 56 at d = 8.
# </details>

# %% name="base_for_length" exercise="base_for_length"
def base_for_length(T, d):
    """The base with longest_wavelength(d, base) = T.

    T: a number of positions; d: an even number of dimensions. Returns a number.
    ValueError for d = 2 and for T < 2 pi.
    """
    # BEGIN ANSWER
    if d == 2 or T < 2 * np.pi:
        raise ValueError(f"no base gives the longest wavelength {T} at d = {d}")
    return (T / (2 * np.pi)) ** (d / (d - 2))
    # END ANSWER

# %% name="check_base_for_length"
check("base_for_length")

# %% [markdown] name="see_rules_text"
# ### See it
#
# A rule that is often passed on says: take the base $T / 2\pi$. Here is what it gives for $T = 128$, beside yours.

# %% name="see_rules"
figure, ax = plt.subplots()
sizes = np.arange(4, 257, 4)
yours = [longest_wavelength(d, base_for_length(128, d)) for d in sizes]
rule = [longest_wavelength(d, 128 / (2 * np.pi)) for d in sizes]
ax.plot(sizes, yours, label="your base")
ax.plot(sizes, rule, label="base = T / 2π")
ax.set(ylim=(0, 140), xlabel="dimensions d", ylabel="longest wavelength (positions)",
       title="T / 2π falls short of T = 128, most of all at small d")
ax.legend()
show(figure, alt="Longest wavelength against the number of dimensions from 4 to 256, for "
     "T = 128. With the exact base it is 128 at every d, a horizontal line. With the base "
     "T / 2 pi it is 28 at d = 4, 60 at d = 8, 106 at d = 32, and rises towards 128 "
     "without reaching it.")

# %% [markdown] name="draw_sweep_task"
# ## Build: what the base does to similarity
#
# Write `draw_sweep(bases, d, ax)`: on the given axes, one line per base with the similarity of two positions against
# their offset, $S(\text{offset}) / (d/2)$, where $S$ is the sum of lab 04,
# $\sum_k \cos(\text{offset} \cdot \omega_k)$.
#
# - Draw at the offsets `OFFSETS`: 1 to 10,000, whole numbers that are spread evenly on a logarithmic axis. More
#   offsets do no harm.
# - The offset axis is logarithmic. Both axes have a label, and there is a legend.
# - The label of a line contains its base, such as `base 500,000`.
#
# <details><summary>Hint</summary>
# S divided by d/2 is a mean over the pairs. Your wavelengths give you the frequencies.
# </details>
# <details><summary>Bigger hint</summary>
# <code>OFFSETS[:, None] * omega</code> has one row per offset and one column per pair.
# <code>ax.set(xscale="log", ...)</code>
# and <code>ax.legend()</code> do the rest.
# </details>

# %% name="draw_sweep" exercise="draw_sweep"
def draw_sweep(bases, d, ax):
    """One line per base: the similarity S(offset) / (d/2) at OFFSETS, logarithmic offsets.

    bases: a sequence of numbers > 1; d: an even number of dimensions.
    ax: the matplotlib Axes to draw on.
    """
    # BEGIN ANSWER
    for base in bases:
        angles = OFFSETS[:, None] * 2 * np.pi / wavelengths(d, base)
        ax.plot(OFFSETS, np.cos(angles).mean(axis=1), label=f"base {base:,}")
    ax.set(xscale="log", xlabel="offset (positions)", ylabel="similarity, S / (d/2)")
    ax.legend()
    # END ANSWER

# %% name="check_draw_sweep"
check("draw_sweep")

# %% name="see_similarity"
figure, axes = plt.subplots(1, 2, figsize=(11, 4), sharey=True)
for d, ax in zip((32, 512), axes):
    draw_sweep(BASES, d, ax)
    plt.setp(ax.lines, linewidth=1.2)
    ax.axhline(0, color="0.4", lw=1)
    ax.set_title(f"d = {d}")
axes[0].legend(handles=[])
axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
axes[1].set_ylabel("")
figure.suptitle("The larger the base, the more slowly similarity falls", x=0.01, ha="left")
show(figure, alt="Two panels, d = 32 on the left and d = 512 on the right, each with the "
     "similarity of two positions against their offset from 1 to 10,000 on a logarithmic "
     "axis, for five bases. All lines start between 0.88 and 0.98, the larger base "
     "higher. At the offsets that are drawn, the line for base 10 is at 0 by offset 5, "
     "for base 100 by 29 on the left and 61 on the right, for base 1,000 by 122 and 620, "
     "for base 10,000 by 1,044 and 4,709. For base 500,000 it does not get there within "
     "10,000. After its fall each line wiggles about 0: by about 0.18 on the left, by "
     "about 0.04 on the right.")

# %% [markdown] name="similarity_text"
# This is what a large base buys. With base 10 the similarity tells offset 2 from offset 4, and beyond that it is all
# wiggles: offset 100 and offset 5,000 look alike. With base 500,000 it still falls at an offset of 10,000. The fall
# goes with the logarithm of the offset, so the more decades it has to cover, the less it drops in each one, near
# positions included: the same cost that you found as the nearest-neighbour distance. More dimensions calm the
# wiggles; they hardly change the fall.

# %% [markdown] name="spacing_text"
# ### Why a constant factor?
#
# The frequencies could also be spaced evenly: 1, 15/16, 14/16, …, 1/16 at $d = 32$. Then the similarity is down to
# $-0.21$ at offset 5, and worse, it comes back. All these frequencies are multiples of 1/16, so after about
# $2\pi \cdot 16 \approx 100.5$ positions every hand is near its start again: the similarity is 0.96 at offset 101 and
# 0.999 at offset 201. Frequencies in a geometric series have no such common step. At base 10,000 and $d = 32$ no offset up
# to 1,000,000 brings the similarity back above 0.957, which is its value between neighbours. They also serve all scales
# alike: four pairs for every factor of 10, from single positions to tens of thousands.

# %% [markdown] name="try_text"
# ### Try it
#
# The same picture for one base and one number of dimensions of your choice. Which of the two sliders moves the place
# where the line reaches 0? Which one calms the wiggles? Try the ends as well: at base 1 all pairs turn alike, and at
# $d = 2$ there is only one.

# %% name="try_base" tags=["widget"]
base_slider = FloatLogSlider(10_000, min=0, max=6, step=0.1, continuous_update=False)
d_slider = IntSlider(32, min=2, max=512, step=2, continuous_update=False)

@interact(base=base_slider, d=d_slider)
@quiet
def one_base(base, d):
    figure, ax = plt.subplots()
    draw_sweep((round(base),), d, ax)
    ax.axhline(0, color="0.4", lw=1)
    turn = longest_wavelength(d, round(base))
    ax.set_title(f"d = {d}: the slowest pair turns once in {turn:,.0f} positions")
    ax.set_ylim(-1.05, 1.05)
    show(figure, alt="Similarity against offset on a logarithmic axis, for base "
         f"{round(base):,} and d = {d}.")

# %% [markdown] name="choose_a_base_task"
# ## Explain
#
# Choose a base for $T = 128$ and one for $T = 1{,}000{,}000$, both at $d = 32$, and defend both with numbers of this
# lab. There is no single right choice; say what each gains and what it costs. Five sentences are enough. (2 points,
# read by a person.)

# %% [markdown] name="choose_a_base" exercise="choose_a_base"
# <!-- BEGIN ANSWER -->
# For T = 128 I take base 100. Its longest wavelength is 471, so the slowest pair makes about a quarter of a turn and
# never comes round; 11 of 16 pairs complete a cycle, and the nearest rows are 1.47 apart, against 1.17 at base
# 10,000. The base 24.9, with one full turn in 128 positions, would do as well. For T = 1,000,000 I take 500,000: its
# longest wavelength is 1.38 million (353,678 would give exactly 1,000,000), and its similarity still falls at offsets
# of 10,000, where base 1,000 has nothing left but wiggles. The cost is that neighbours move to 1.08, and only 4 pairs
# complete a cycle within 128 positions. With a small base no rows would collide either: what is lost is the sense of
# far and farther, not the difference between rows.
# <!-- END ANSWER -->

# %% [markdown] name="choose_a_base_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: a base for T = 128 that is defended by measured numbers, such as the longest wavelength beside T, the
#   pairs that complete a cycle, or the nearest-neighbour distance. Any base from about 10 to 10,000 can be defended.
# - 1 point: a base for T = 1,000,000, and what it costs: neighbours come closer, and fewer pairs turn within a short
#   text. No point for an argument from colliding positions, because none collide.

# %% [markdown] name="stretch"
# ## Stretch
#
# - Some models with rotary encodings use base 500,000 with 128 dimensions per head. How many of the 64 pairs complete
#   a cycle within 8,192 positions, and how many would with base 10,000? Your `wavelengths` answers it in one line; a
#   table of 8,192 rows is not needed.
# - `sweep` compares every row with every other. Lab 04 showed that the dot product of two rows depends on their
#   offset alone. So does their distance: $|PE(p) - PE(q)|^2 = d - 2\,S(p - q)$. Write the third column with it,
#   without any table, and repeat the sweep for 100,000 positions. At which base does a row that is *not* adjacent
#   come nearest first, for $d = 8$?
#
# **Looking back**: you built a row of clocks, drew it, proved that it turns in the same way everywhere, measured how alike
# its positions are, and now you have set its speeds.
