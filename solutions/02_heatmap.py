# %% [markdown] name="title"
# # 02 · Heatmap
#
# **Time** 55 minutes · **Difficulty** ★☆☆ · **You need** [01 · Build the table](01_build_the_table.ipynb), a first plot
# with matplotlib
#
# After this lab you can
#
# 1. draw a table of signed values so that every colour can be trusted;
# 2. read such a picture in either orientation, and say how many pairs complete a turn within it;
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
# From here on the table comes from the **locked module**, `minimodel`, which the course keeps and nobody changes, so that a
# mistake in lab 01 does not carry over. The symbols are those of
# [lab 01](01_build_the_table.ipynb#Symbols):
#
# $$PE[p, 2k] = \sin(p\,\omega_k) \qquad PE[p, 2k+1] = \cos(p\,\omega_k) \qquad \omega_k = 10000^{-2k/d}$$

# %% name="setup"
import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.heatmap import figures, guesses, questions
from labkit.notebook import check, look, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style()

# %% [markdown] name="predict"
# ## Predict
#
# Our picture has $T = 64$ positions and $d = 32$ dimensions, so 16 pairs. Some pairs turn around many times within the
# picture, others hardly start. How many of the 16 complete at least one full turn? Write your guess as a number. It is not graded;
# you will come back to it below.

# %% name="predict_cycles"
guess_cycles = None  # your guess, in pairs

# %% [markdown] name="draw_heatmap_task"
# ## Build: the heatmap
#
# ●●○ · essential · 14 minutes · 4 points
#
# Write `draw_heatmap(pe, ax)`. It draws the table `pe`, whose entries lie in $[-1, 1]$, on the Axes `ax`, and on no other:
# a figure may have several panels, and while the check looks another Axes is the current one. So every line of yours
# begins with `ax.` or with something that you got from it.
#
# - **rows are positions**, position 0 on top; columns are dimensions, dimension 0 on the left; both axes count from 0;
# - a **diverging** colour map: a neutral colour, pale or dark, in the middle, and two sides that grow away from it in
#   different hues;
# - colour **limits symmetric about 0** that hold all values, so that the neutral colour means 0 in every table, also in
#   one whose entries are all small;
# - **no smoothing**: each cell has the one colour of its value;
# - a label on both axes, and one **colour bar**, which explains the colours of this picture.
#
# `ax.imshow`, `ax.matshow` and `ax.pcolormesh` can all do it. Titles and tick marks are yours to choose. When the check finds
# something wrong, `look("draw_heatmap")` shows your picture beside one that is right. It works for every
# exercise that draws or returns an array.
#
# <details><summary>Hint</summary>
# Left to itself, matplotlib stretches the colours from the smallest entry of this one table to its largest. What does the
# middle colour mean then? And on which side does each of the three functions put row 0?
# </details>
# <details><summary>Bigger hint</summary>
# matplotlib's gallery has a page on diverging colour maps, and the documentation of <code>imshow</code> names the two
# arguments that fix the colour limits. A colour bar is made by the figure, which is <code>ax.figure</code>; it needs to
# know whose colours it explains, and beside which Axes it stands.
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
figures.heatmap(draw_heatmap)

# %% [markdown] name="full_cycles_task"
# ## Build: how many pairs complete a turn?
#
# ●○○ · essential · 7 minutes · 2 points
#
# Pair $k$ needs $\lambda_k = 2\pi/\omega_k$ positions for one full turn: its **wavelength**. Write `full_cycles(T, d)`:
# the number of pairs with $\lambda_k \le T$. These complete a cycle within $T$ positions. Each pair counts once, however
# often it turns.
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
reveal(guess_cycles, guesses.CYCLES)

# %% [markdown] name="draw_columns_task"
# ## Build: some columns as curves
#
# ●●○ · useful · 10 minutes · 2 points
#
# A colour is hard to measure; a curve is easy. Write `draw_columns(pe, columns, ax)`: one line per chosen column, its values
# against the position. The label of each line gives the **wavelength of its pair**, such as `"6.3 positions"`: rounded to
# whole positions is near enough, and so is anything within 1 %. Show the labels in a legend, and label both axes. Again
# nothing is drawn but on `ax`.
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
figures.columns(draw_columns)

# %% [markdown] name="see_smoothed_text"
# ## See: more rows than pixels
#
# With 4,000 positions there are more rows than lines of pixels, about seven to a line, so the plotting program has to choose.
# Left: the picture as you draw it, which shows one row of the seven and leaves out the rest. Right: the same picture
# smoothed, which averages neighbouring values. Which of the two shows the fastest column as it is? Count: in 400 positions
# column 0 turns 64 times, once in 6.3 positions. Zoom in on the left picture, and count the stripes of its first column up
# to position 400.
#
# <details><summary>What you find</summary>
#
# There are nine stripes, about 43 positions apart. From one line of pixels to the next, 7.3 positions further on, column 0
# makes one turn and a sixth, and the picture shows only the sixth: this is **aliasing**. Column 2 (11.2 positions) gets
# stripes of 21. The smoothed picture lies in another way: the mean absolute value of column 0 is 0.64 in the table and
# below 0.05 there, as if it held zeros. So neither picture shows the fast pairs; a wave needs at least two lines of pixels
# for each turn. (Other smoothing mixes colours in place of values. Then you see a purple that is not in the colour bar
# at all.)
#
# </details>

# %% name="see_smoothed"
figures.smoothed(draw_heatmap)

# %% [markdown] name="read_a_figure_task"
# ## Read a figure
#
# ●●○ · useful · 8 minutes · 1 point
#
# Other people draw the table the other way round. Here are positions 0 to 29 and the first 6 of 128 dimensions. Look at the
# axes first. Then answer for yourself, on paper: at which edge is position 0? Which row of the picture, counted from the
# top, is column 4 of the table? How many full turns has pair 0 completed at position 29? That is practice, and earns
# nothing; the exercise below shows whether your first two answers are right.
#
# Write `read_a_figure(picture)`. `picture` is an array of what is seen in a picture that is drawn like this one: its rows
# from top to bottom, in each row the values from left to right. Return the table as this course writes it: one row per
# position, position 0 first, one column per dimension, dimension 0 first. It is asked for other pictures too, and of other
# numbers than sines. (`look("read_a_figure")` draws yours beside what is asked for.)
#
# <details><summary>Hint</summary>
# The picture of 6 dimensions and 30 positions is an array of shape (6, 30). Which dimension is <code>picture[0]</code>?
# </details>
# <details><summary>Bigger hint</summary>
# Two things are to be undone, one after the other: rows and columns have changed places, and one of the two axes counts
# from the far end. Try it on a small array, such as <code>np.arange(6).reshape(2, 3)</code>.
# </details>

# %% name="see_other_orientation"
figures.other_orientation()

# %% name="read_a_figure" exercise="read_a_figure"
def read_a_figure(picture):
    """The table in a picture that has positions from left to right, dimensions from below.

    picture: shape (dimensions, positions), top row first.
    Returns an array of shape (positions, dimensions).
    """
    # BEGIN ANSWER
    return picture[::-1].T
    # END ANSWER

# %% name="check_read_a_figure"
check("read_a_figure")

# %% [markdown] name="see_colours_text"
# ## See: how many colours a column gets
#
# A usual colour map has 256 colours. This cell counts how many of them each column uses in the table for $T = 64$, $d = 32$.

# %% name="see_colours"
figures.colours_used()

# %% [markdown] name="what_the_picture_hides_task"
# ## Explain
#
# ●●○ · essential · 6 minutes · 1 point, graded by your instructor
#
# What is in the table and cannot be seen in the heatmap? Name one thing, and say why the picture cannot show it. Two or
# three sentences are enough.
#
# <details><summary>Hint</summary>
# Pick two cells of one column whose colours you cannot tell apart. Are their numbers equal?
# </details>
# <details><summary>Bigger hint</summary>
# Compare the numbers that the cell above printed with the number of rows. Or think of what links one row with the next.
# </details>

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

# %% [markdown] name="quiz_text"
# ## Five quick questions
#
# True or false? Answer before you read the reasons.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="cheat_sheet"
# ## Cheat sheet
#
# - $\lambda_k = 2\pi/\omega_k = 2\pi \cdot 10000^{2k/d}$ positions; pair $k$ is columns $2k$ and $2k + 1$.
# - The table is an array `(T, d)`: rows are positions from 0 on top, columns dimensions from 0 on the left.
# - A signed table wants a diverging map, limits symmetric about 0, no smoothing, labels, one colour bar.
# - With more rows than pixels no picture shows the fast pairs: sharp, they alias to slow ones; smoothed, they fade.
# - $d = 32$: wavelengths 6.3, 11.2, 19.9, 35.3, 62.8, 111.7, … 35,333; neighbours differ by the factor 1.78.
# - Pairs that complete a cycle at $d = 32$: 5 of 16 within 64 positions, 9 within 1,000.
# - Draw on the Axes you were handed: `ax.set_xlabel`, not `plt.xlabel`.
# - Two readings of one picture: down a column, one coordinate of a **clock**; along a row, a smooth **counter**.

# %% [markdown] name="sources"
# **Sources**
#
# - *Attention Is All You Need*. Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin, 2017.
# - *Diverging Color Maps for Scientific Visualization*. Moreland, 2009.
# - *The misuse of colour in science communication*. Crameri, Shephard, Heron, 2020.

# %% [markdown] name="stretch"
# ## Stretch
#
# Make the slow columns speak: take the table minus its row 0, divide each column by its largest absolute value, and draw
# that with `draw_heatmap`. Most columns on the right now look like two shapes, one for sines and one for cosines. Which
# two, and which powers of $p$ are they? Compare with what $\sin x$ and $1 - \cos x$ are for small $x$.
#
# **Next**: [03 · Rotation proof](03_rotation_proof.ipynb) shows what links one row with the next.
