# %% [markdown] name="title"
# # 02 · Heatmap
#
# **Time** 45 minutes · **Difficulty** ★☆☆ · **You need** [01 · Build the table](01_build_the_table.ipynb), a first plot
# with matplotlib
#
# After this lab you can
#
# 1. draw a table of signed values so that every colour can be trusted;
# 2. read such a picture in either orientation, and say how many pairs turn fully within it;
# 3. say what the picture cannot show.

# %% [markdown] name="why"
# ## Why
#
# A table of 64 positions and 32 dimensions has 2,048 numbers. Nobody reads 2,048 numbers, but an eye takes in a picture of
# them at once: which columns are fast, which are slow, where a mistake sits. A **heatmap** gives each number a colour.
#
# A picture can also mislead. With the wrong colours you cannot tell $-1$ from $+1$; a smoothed picture shows values that
# are not in the table; a picture upside down shows the first token last. So in this lab the picture is the exercise:
# the check reads what your figure says at each place, and compares it with the table.
#
# From here on the table comes from `minimodel`, so that an error in your lab 01 does not follow you:
#
# $$PE[p, 2k] = \sin(p\,\omega_k) \qquad PE[p, 2k+1] = \cos(p\,\omega_k) \qquad \omega_k = 10000^{-2k/d}$$

# %% name="setup"
import matplotlib.pyplot as plt
import numpy as np

import encoding_labs.heatmap  # what check() asks about
from labkit.notebook import check, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style()

# %% [markdown] name="predict"
# ## Predict
#
# Our picture has $T = 64$ positions and $d = 32$ dimensions, so 16 pairs. Some pairs turn around many times within the
# picture, others hardly start. How many of the 16 complete at least one full turn? Write your guess as a number.

# %% name="predict_cycles"
guess_cycles = None  # your guess, in pairs

# %% [markdown] name="draw_heatmap_task"
# ## Build: the heatmap
#
# Write `draw_heatmap(pe, ax)`. It draws the table `pe`, whose entries lie in $[-1, 1]$, on the Axes `ax`:
#
# - **rows are positions**, position 0 on top; columns are dimensions, dimension 0 on the left; both axes count from 0;
# - a **diverging** colour map: a neutral colour, pale or dark, in the middle, and two sides that grow away from it in
#   different hues;
# - colour **limits symmetric about 0** that hold all values, so that the neutral colour means 0 in every table;
# - **no smoothing**: each cell has the one colour of its value;
# - a label on both axes, and one **colour bar**.
#
# `ax.imshow`, `ax.matshow` and `ax.pcolormesh` can all do it. Titles and tick marks are yours to choose.
#
# <details><summary>Hint</summary>
# Left to itself, matplotlib stretches the colours from the smallest entry of this one table to its largest. Which
# arguments of <code>imshow</code> fix the two ends? On which side does each of the three functions put row 0?
# </details>
# <details><summary>Bigger hint</summary>
# The colour limits are <code>vmin</code> and <code>vmax</code>. Diverging maps have names such as <code>coolwarm</code>.
# A colour bar needs to know whose colours it explains: keep what <code>imshow</code> returns, and hand it to
# <code>ax.figure.colorbar</code> together with <code>ax=ax</code>.
# <code>aspect="auto"</code> lets the picture fill the Axes.
# </details>

# %% name="draw_heatmap" exercise="draw_heatmap"
def draw_heatmap(pe, ax):
    """Draw a table as a heatmap: the colour at row p, column i shows PE[p, i].

    The neutral colour shows 0.
    pe: shape (T, d), entries in [-1, 1]. ax: the matplotlib Axes to draw on.
    """
    # BEGIN ANSWER
    colours = {"cmap": "RdBu_r", "vmin": -1, "vmax": 1}
    image = ax.imshow(pe, **colours, interpolation="nearest", aspect="auto")
    ax.set(xlabel="dimension", ylabel="position")
    ax.figure.colorbar(image, ax=ax, label="value")
    # END ANSWER

# %% name="check_draw_heatmap"
check("draw_heatmap")

# %% [markdown] name="see_heatmap_text"
# ### See it
#
# Read the picture in two directions. Down a column you follow one coordinate of one clock hand as the position grows.
# Along a row you read the whole code of one position, fast clocks first. A binary counter looks much the same: its last
# digit flips at every step, the one before it at every second step. Here the digits are smooth, and each pair is slower
# than the one before by $10000^{2/32} \approx 1.78$ rather than by 2.

# %% name="see_heatmap"
figure, ax = plt.subplots(figsize=(7, 5.2))
draw_heatmap(sinusoidal_pe(64, 32), ax)
ax.grid(False)  # the course's style draws a grid, which suits curves
ax.set_title("Fast pairs stand on the left, nearly still ones on the right")
show(figure, alt="Heatmap of the table for 64 positions, as rows with position 0 on top, "
     "and 32 dimensions as columns. In the leftmost columns the colours of +1 and -1 "
     "alternate every few rows. To the right the bands get longer, from pair to pair. "
     "Columns 8 and 9 show one full wave from top to bottom, columns 10 and 11 about half "
     "of one. From column 20 on the even columns stay close to the colour of 0, and the "
     "odd ones keep the colour of +1.")

# %% [markdown] name="full_cycles_task"
# ## Build: how many pairs come around?
#
# Pair $k$ needs $\lambda_k = 2\pi/\omega_k$ positions for one full turn: its **wavelength**. Write `full_cycles(T, d)`:
# the number of pairs whose wavelength is at most $T$. These complete a cycle within $T$ positions. Each pair counts
# once, however often it turns.
#
# <details><summary>Hint</summary>
# How many wavelengths are there at d = 8, and what are they? Count by hand for T = 64, then for T = 6.
# </details>
# <details><summary>Bigger hint</summary>
# Comparing an array with a number gives an array of True and False, and True counts as 1 in a sum.
# </details>

# %% name="full_cycles" exercise="full_cycles"
def full_cycles(T, d):
    """The number of pairs k with 2*pi / omega_k <= T.

    omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1.
    T: positions. d: an even number of dimensions. Returns a whole number from 0 to d/2.
    """
    # BEGIN ANSWER
    wavelength = 2 * np.pi * 10000.0 ** (2 * np.arange(d // 2) / d)
    return int(np.sum(wavelength <= T))
    # END ANSWER

# %% name="check_full_cycles"
check("full_cycles")

# %% name="reveal_cycles"
reveal(guess_cycles, full_cycles(64, 32), "pairs")

# %% [markdown] name="cycles_text"
# Fewer than a third of the pairs come around within 64 positions. Longer texts set more of them going: within 1,000
# positions it is 9 of the 16. The last one needs 35,333 positions for one turn.

# %% [markdown] name="draw_columns_task"
# ## Build: some columns as curves
#
# A colour is hard to measure; a curve is easy. Write `draw_columns(pe, columns, ax)`: one line per chosen column, its values
# against the position. The label of each line gives the **wavelength of its pair**, such as `"6.3 positions"`, rounded
# as you like within 1 %. Show the labels in a legend, and label both axes.
#
# `columns` is a tuple of column numbers, such as `(0, 8, 16)`; the wavelength follows from the column's number and from
# the width of `pe`.
#
# <details><summary>Hint</summary>
# Columns 8 and 9 belong to the same pair. Which one, and what is its k?
# </details>
# <details><summary>Bigger hint</summary>
# <code>pe[:, 8]</code> is column 8. An f-string rounds: <code>f"{x:.1f} positions"</code>. The text goes into
# <code>label=</code>, and appears when <code>ax.legend()</code> is called.
# </details>

# %% name="draw_columns" exercise="draw_columns"
def draw_columns(pe, columns, ax):
    """Draw chosen columns of a table against position, one labelled line each.

    The label gives the wavelength 2*pi / omega_k of the column's pair, in positions.
    pe: shape (T, d). columns: numbers from 0 to d - 1. ax: the matplotlib Axes to draw on.
    """
    # BEGIN ANSWER
    for column in columns:
        wavelength = 2 * np.pi * 10000.0 ** (2 * (column // 2) / pe.shape[1])
        ax.plot(pe[:, column], label=f"{wavelength:.1f} positions")
    ax.set(xlabel="position", ylabel="value")
    ax.legend()
    # END ANSWER

# %% name="check_draw_columns"
check("draw_columns")

# %% name="see_columns"
figure, ax = plt.subplots()
draw_columns(sinusoidal_pe(64, 32), (0, 8, 16, 24), ax)
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), title="wavelength")
ax.set_title("Within 64 positions the slow sines are almost straight lines")
show(figure, alt="Four sine columns of the table against positions 0 to 63. Column 0, "
     "wavelength 6.3 positions, swings up and down ten times. Column 8, 62.8 positions, "
     "makes one full wave. Column 16, 628.3 positions, rises to 0.59 in a slight curve. "
     "Column 24, 6283.2 positions, rises to 0.06, almost straight.")

# %% [markdown] name="see_smoothed_text"
# ## See: what smoothing does
#
# With 2,000 positions several rows share one line of pixels, so the plotting program has to choose. Left: the picture as you
# draw it, which leaves rows out. Right: the same picture smoothed, which averages neighbouring values. In the table the mean
# absolute value of column 0 is 0.64; in the smoothed picture it is 0.01, as if the fastest column held zeros. (Other
# smoothing mixes colours in place of values. Then you see a purple that is not in the colour bar at all.)

# %% name="see_smoothed"
figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True)
for ax, title in zip(axes, ("Sharp: rows are left out", "Smoothed: fast columns fade")):
    draw_heatmap(sinusoidal_pe(2000, 32), ax)
    ax.set_title(title)
    ax.grid(False)
for image in axes[1].images:
    image.set(interpolation="hanning", interpolation_stage="data")
show(figure, alt="Two heatmaps of the table for 2000 positions and 32 dimensions. Left, "
     "sharp: the fast columns on the left are full of strong colours in fine stripes. "
     "Right, smoothed: the first two columns have the colour of 0 from top to bottom, as "
     "if they held zeros, and the next ones are pale; the slow columns on the right keep "
     "their colours, with blurred edges.")

# %% [markdown] name="read_a_figure_task"
# ## Read a figure
#
# Other people draw the table the other way round. Here are positions 0 to 29 and the first 6 of 128 dimensions. Look at the
# axes first. Then write `read_a_figure` as a dictionary with your answer to each of these:
#
# | key | question |
# |---|---|
# | `"position 0"` | At which edge of the picture is position 0: `"left"`, `"right"`, `"top"` or `"bottom"`? |
# | `"pairs"` | How many pairs are in the picture? |
# | `"column 4"` | Which row of the picture is column 4 of the table? Count the rows from the top; the top one is 1. |
# | `"turns"` | How many full turns has pair 0 completed at position 29? |
# | `"cosine"` | Which colour do the cosines have at position 0: `"red"`, `"white"` or `"blue"`? |
#
# <details><summary>Hint</summary>
# A pair is back where it started when both of its rows have the colours of position 0 again. The wavelength of pair 0 is the
# same for every d.
# </details>

# %% name="see_other_orientation"
figure, ax = plt.subplots(figsize=(8, 2.9))
part = sinusoidal_pe(30, 128)[:, :6]
mesh = ax.pcolormesh(np.arange(30), np.arange(6), part.T, shading="nearest")
mesh.set(cmap="RdBu_r", clim=(-1, 1))
ax.set(xlabel="position", ylabel="dimension", xticks=range(0, 30, 5), yticks=range(6))
ax.set_title("Neighbouring pairs of 128 dimensions turn at nearly the same speed")
ax.grid(False)
figure.colorbar(mesh, ax=ax, label="value")
show(figure, alt="Heatmap with positions 0 to 29 from left to right, and dimensions 0 to "
     "5 from bottom to top; blue is -1, white 0, red 1. Each row is a wave along the "
     "positions. At position 0, rows 0, 2 and 4 are white and rows 1, 3 and 5 are red. "
     "Dimension 1 is reddest near positions 0, 6, 13, 19 and 25; dimension 3 near 0, 7, "
     "15, 22 and 29; dimension 5 near 0, 8, 17 and 25.")

# %% name="read_a_figure" exercise="read_a_figure"
# BEGIN ANSWER
read_a_figure = {
    "position 0": "left",
    "pairs": 3,
    "column 4": 2,
    "turns": 4,
    "cosine": "red",
}
# END ANSWER

# %% name="check_read_a_figure"
check("read_a_figure")

# %% [markdown] name="see_colours_text"
# ## See: how many colours a column gets
#
# A usual colour map has 256 colours. This cell counts how many of them each column uses in the table for $T = 64$, $d = 32$.

# %% name="see_colours"
table = sinusoidal_pe(64, 32)
colour = np.minimum((table + 1) / 2 * 256, 255).astype(int)
print("sines  ", [len(np.unique(column)) for column in colour[:, 0::2].T])
print("cosines", [len(np.unique(column)) for column in colour[:, 1::2].T])

# %% [markdown] name="what_the_picture_hides_task"
# ## Explain
#
# What is in the table and cannot be seen in the heatmap? Name one thing, and say why the picture cannot show it. Two or
# three sentences are enough. (1 point, read by a person.)

# %% [markdown] name="what_the_picture_hides" exercise="what_the_picture_hides"
# <!-- BEGIN ANSWER -->
# The slow columns look constant, but they are not. At T = 64 and d = 32 the last sine grows from 0 to 0.011, which is
# about one step of a map with 256 colours, and the last cosine changes by 0.00006, which is far less than a step. The
# last sine is a different number in every row; the eye sees one colour. (Also right: that each pair turns by a fixed
# angle from row to row, which links all rows, is a relation between cells and not a colour; and with more positions than
# pixels, rows are left out.)
# <!-- END ANSWER -->

# %% [markdown] name="what_the_picture_hides_rubric" tags=["only-solution"]
# **Rubric**, 1 point
#
# - 1 point: names something that is in the table and not to be seen, with the reason. For example: changes smaller than
#   a step of colour in the slow columns; rows left out or averaged when there are more positions than pixels; the exact
#   values; the rotation that takes each row to the next, which no single cell shows.

# %% [markdown] name="stretch"
# ## Stretch
#
# Make the slow columns speak: take the table minus its row 0, divide each column by its largest absolute value, and draw
# that with `draw_heatmap`. Most columns on the right now look like two shapes, one for sines and one for cosines. Which
# two, and which powers of $p$ are they? Compare with what $\sin x$ and $1 - \cos x$ are for small $x$.
#
# **Next**: [03 · Rotation proof](03_rotation_proof.ipynb) shows what links one row with the next.
