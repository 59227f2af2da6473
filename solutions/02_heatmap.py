# %% [markdown] name="title"
# # 02 · Heatmap
#
# A, B and C are three pictures of the same table, 24 positions by 16 dimensions, with a colour for each number. Below each is the
# same table with a bug, in the same colours. Run the cell, and choose the bug. Each picture hides one of the three. Which one, and
# how?
#
# <details><summary><b>Goals and time</b> (click to unfold)</summary>
#
# **Time** 35 minutes, and 35 for the second helping · **Difficulty** ★☆☆ · **You need**
# [01 · Build the table](01_build_the_table.ipynb), basic matplotlib
#
# After this lab you can
#
# 1. draw a table of signed values in colours that don't mislead;
# 2. count the pairs that complete a turn in such a picture, and say what it can't show;
# 3. read the picture in either orientation, and say what you see instead of the pairs that are too fast for it.
#
# </details>

# %% name="setup"
# In Colab, first run: %pip install encoding-labs==0.1.0
import matplotlib.pyplot as plt
import numpy as np

from encoding_labs import sliders
from encoding_labs.heatmap import aliasing, figures, guesses, questions
from labkit.notebook import cheat_sheet, check, look, predict, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style(language="en")
sliders.three_colourings()

# %% [markdown] name="why"
# ## Why
#
# A hides the wrong sign, because $-1$ and $1$ have the same colour. B hides the wrong size, because its colours are stretched to
# the values in each table. C has fewer pixels than columns. So each pixel shows the mean of two neighbours, which stays the
# same when they are exchanged.
#
# A table of 64 positions and 32 dimensions has 2,048 numbers. You won't read them all. In an honest picture, a **heatmap**, you
# see at once which columns are fast, which are slow and where a mistake is. So here the picture is the exercise: the check reads
# the value shown at each place in your figure, and compares it with the table.
#
# From now on the table comes from `minimodel`, a **locked module** that comes with the course, so a mistake in lab 01 doesn't
# carry over. The symbols are the same as in [lab 01](01_build_the_table.ipynb):
#
# $$PE[p, 2k] = \sin(p\,\omega_k) \qquad PE[p, 2k+1] = \cos(p\,\omega_k) \qquad \omega_k = 10000^{-2k/d}$$

# %% [markdown] name="predict"
# ## Predict
#
# Our picture has $T = 64$ positions and $d = 32$ dimensions, so 16 pairs. How many of them complete at least one full turn within
# the 64 positions? Guesses aren't graded; you'll come back to this one.

# %% name="predict_cycles"
guess_cycles = None  # a number of pairs

# %% [markdown] name="draw_heatmap_task"
# ## Build: the heatmap
#
# ●●○ · essential · 14 minutes · 4 points
#
# Write `draw_heatmap(pe, ax)`, which draws the table `pe` on the Axes `ax` and nowhere else. A figure may have several panels,
# and during the check a different Axes is the current one. So never use `plt`: call methods of `ax`, or of objects that you reach
# from it. The entries of `pe` are between $-1$ and $1$.
#
# - **Rows are positions**, with position 0 at the top. Columns are dimensions, with dimension 0 on the left. Both axes
#   count from 0.
# - The colour map is **diverging**: it has a neutral middle, light or dark, and two different hues that get stronger
#   towards the ends.
# - The colour **limits are symmetric about 0** and include every value, so that the neutral colour means 0 in every table,
#   even one with only small entries.
# - **Nothing is smoothed**: each cell has a single colour, the colour of its value.
# - Each axis has a label, and the picture has one **colour bar**.
#
# `ax.imshow`, `ax.matshow` and `ax.pcolormesh` all work here. Titles and tick marks are up to you. If the check finds something
# wrong, run `look("draw_heatmap")` in a new cell: it shows your picture next to a correct one.
#
# <details><summary>Hint</summary>
# By default matplotlib stretches the colours from this table's smallest entry to its largest. What does the middle colour
# mean then? And where does each of the three functions put row 0?
# </details>
# <details><summary>Bigger hint</summary>
# The matplotlib gallery has a page on diverging colour maps, and the documentation of <code>imshow</code> lists the two
# arguments that set the colour limits. Make the colour bar with a method of <code>ax.figure</code>: pass it the picture that
# the bar explains, and the Axes to put it next to.
# </details>


# %% name="draw_heatmap" exercise="draw_heatmap"
def draw_heatmap(pe, ax):
    """Draw a table as a heatmap: the colour at row p, column i shows PE[p, i].

    The neutral colour means 0.
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
# Read the picture in two directions. Down a column, you follow one coordinate of one clock hand as the position grows. Along a
# row, you read the encoding of one position, fast clocks first, like the digits of a binary counter. But here the digits
# change smoothly, and each pair is slower than the one before by a factor of $10000^{2/32} \approx 1.78$, not 2.

# %% name="see_heatmap"
figures.heatmap(draw_heatmap)

# %% [markdown] name="full_cycles_task"
# ## Build: how many pairs complete a turn?
#
# ●○○ · essential · 7 minutes · 2 points
#
# The **wavelength** of pair $k$, $\lambda_k = 2\pi/\omega_k$, is the number of positions that the pair needs for one full turn.
# Write `full_cycles(T, d)`. It returns the number of pairs that complete a turn within $T$ positions, that is, pairs with
# $\lambda_k \le T$. Each pair counts once, however often it turns.
#
# <details><summary>Hint</summary>
# How many wavelengths are there at d = 8, and what are they? Count by hand for T = 64, then for T = 6.
# </details>
# <details><summary>Bigger hint</summary>
# Comparing an array with a number gives an array of True and False. In a sum, True counts as 1.
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

# %% [markdown] name="what_the_picture_hides_task"
# ## Explain
#
# ●●○ · essential · 6 minutes · 1 point, graded by your instructor
#
# A typical colour map has 256 colours. The next figure shows how many of them each column of the table uses at $T = 64$,
# $d = 32$.
#
# Even at 64 positions, with pixels to spare, the table contains something that you can't see in the heatmap. Name one example,
# and explain in two or three sentences why the picture can't show it.
#
# <details><summary>Hint</summary>
# Pick two cells of one column whose colours you can't tell apart. Are their numbers equal?
# </details>
# <details><summary>Bigger hint</summary>
# Compare the number of colours in the figure with the number of rows. Or think of what links one row to the next.
# </details>

# %% name="see_colours"
figures.colours_used()

# %% [markdown] name="what_the_picture_hides" exercise="what_the_picture_hides"
# <!-- BEGIN ANSWER -->
# The slow columns look constant, but they aren't. At T = 64 and d = 32 the last sine grows from 0 to 0.011, about one step
# of a map with 256 colours, and the last cosine changes by 0.00006, far less than a step. The last sine is a different number
# in every row, but you see only one or two colours. (Also correct: each pair turns by a fixed angle from row to row. That links
# all rows, but it's a relation between cells, not a colour.)
# <!-- END ANSWER -->

# %% [markdown] name="what_the_picture_hides_rubric" tags=["only-solution"]
# **Rubric**, 1 point
#
# - 1 point: names something that is in the table but can't be seen at 64 positions, and gives the reason. For example: changes
#   in the slow columns that are smaller than one colour step; the exact values; the rotation that takes each row to the next,
#   which no single cell shows. No point for "some rows are left out": at 64 positions none are.

# %% name="cheat_sheet"
cheat_sheet("02")

# %% [markdown] name="predict_columns_text"
# ## Second helping: some columns as curves
#
# The heart of the lab ends here. The rest has points too, and can wait for another day.
#
# Take the sine columns 0, 8, 16 and 24, and draw each as a curve over the 64 positions, one below the other. Which of these
# four pictures do you get?

# %% name="predict_columns"
predict(guesses.COLUMNS)
guess_columns = None  # "A", "B", "C" or "D"

# %% [markdown] name="draw_columns_task"
# ### Build: draw the curves
#
# ●●○ · useful · 9 minutes · 2 points
#
# It's hard to read exact values from colours, but easy from curves. Write `draw_columns(pe, columns, ax)`, which plots each
# chosen column as a line, value against position. Label each line with the **wavelength of its pair**, such as
# `"6.3 positions"`. You may round to whole positions, and any value within 1 % is accepted. Show the labels in a legend,
# and label both axes. Again, draw only on `ax`.
#
# `columns` is a tuple of column numbers, such as `(0, 8, 16)`. You can work out a column's wavelength from its number and the
# width of `pe`.
#
# <details><summary>Hint</summary>
# Columns 8 and 9 belong to the same pair. Which one, and what is its k?
# </details>
# <details><summary>Bigger hint</summary>
# <code>pe[:, 8]</code> is column 8. An f-string can round: <code>f"{x:.1f} positions"</code>. The text goes into
# <code>label=</code>, and <code>ax.legend()</code> shows it.
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
reveal(guess_columns, guesses.COLUMNS)

# %% [markdown] name="see_stripes_text"
# ## Discover: more rows than pixels
#
# ●○○ · useful · 6 minutes
#
# The cell after your guess draws 4,000 positions in a picture with only 544 lines of pixels. In the table, pair 0 turns
# once every 6.3 positions, and each turn makes a stripe in column 0. How many positions apart are the stripes in the picture?
# Guess before you run the cell.
#
# The figure also enlarges the upper left corner, positions 0 to 400, and plots what column 0 shows there, line by line.
# **Count the waves**, divide 400 by that number, and compare the result with your guess.

# %% name="predict_stripes"
guess_stripes = None  # positions from one stripe of column 0 to the next

# %% name="see_stripes"
aliasing.stripes(draw_heatmap)

# %% name="reveal_stripes"
reveal(guess_stripes, guesses.STRIPES)
aliasing.frames()

# %% [markdown] name="see_smoothed_text"
# The clocks show the hands of pairs 0 and 1 at the first eight lines of pixels, like the frames of a film. Each arc
# shows how the hand seems to have moved since the line before: the shorter way round.
#
# That's why a wheel in a film can seem to turn backwards. The camera takes 24 pictures a second. If each spoke moves almost to
# where the next spoke was in the previous picture, the wheel seems to have turned back a little.
#
# Does smoothing help? It averages the rows that share a line of pixels. The figure below shows the same corner three times: the
# table itself, the sharp picture from above, and a smoothed picture. The mean absolute value of column 0 is 0.64 in the table,
# but below 0.05 in the smoothed picture, as if the column held only zeros. So **both pictures are wrong** about the fast pairs:
# the sharp one shows waves that aren't there, and in the smoothed one pair 0 disappears and pair 1 is a pale wave, still at the
# wrong speed. You need more than two lines of pixels per turn to see a wave. Here pairs 0 and 1 have fewer. Pair 2, which turns
# once in 19.9 positions, and all slower pairs have enough.

# %% name="see_smoothed"
aliasing.corners(draw_heatmap)

# %% [markdown] name="seen_wavelength_task"
# ## On your own: how fast does it seem?
#
# ●●○ · useful · 7 minutes · 1 point, graded without a check
#
# A pair turns once in `wavelength` positions, but a picture has lines of pixels only at positions 0, `step`, 2 `step` and so on;
# `step` doesn't have to be a whole number. From each line to the next the hand seems to go the shorter way round, forwards or
# backwards. Write `seen_wavelength(wavelength, step)`. It returns how many positions the pair **seems** to need for one turn,
# as a positive number whichever way it seems to turn. In the tests, the hand never seems to stand still.
#
# There's no check here, so try cases where you know the result, such as the stripes above.
#
# <details><summary>Hint</summary>
# How many turns does the hand make from one line to the next? Which part of that can't be seen?
# </details>
# <details><summary>Bigger hint</summary>
# A hand that makes 2.9 turns from one line to the next seems to go back by 0.1 of a turn. How many lines does it then seem to
# need for one turn, and how many positions is that?
# </details>


# %% name="seen_wavelength" exercise="seen_wavelength"
def seen_wavelength(wavelength, step):
    """How many positions a pair seems to need for one turn.

    wavelength: positions per turn. step: positions from one line of pixels to the next.
    Returns a positive number.
    """
    # BEGIN ANSWER
    turns = step / wavelength
    return step / abs(turns - round(turns))
    # END ANSWER


# %% [markdown] name="read_a_figure_task"
# ## Read a figure
#
# ●●○ · useful · 8 minutes · 1 point
#
# Some people draw the table the other way round. The picture below shows positions 0 to 29 and the first 6 of 128 dimensions.
# Look at its axes first, then answer two practice questions, which aren't graded:
#
# 1. Which row of the picture is column 4 of the table? Count the rows from the top: 1, 2, 3, …
# 2. How many full turns has pair 0 completed by position 29?
#
# Now write `read_a_figure(picture)`. `picture` is an array with the values of a picture drawn like this one, in the order in
# which you see them: rows from top to bottom, and each row from left to right. Return the table as this course writes it: one
# row per position, position 0 first, and one column per dimension, dimension 0 first. Grading also uses other pictures, and not
# all of them show sines.
#
# <details><summary>Hint</summary>
# The picture of 6 dimensions and 30 positions is an array of shape (6, 30). Which dimension is <code>picture[0]</code>?
# </details>
# <details><summary>Bigger hint</summary>
# Undo two things, one after the other: rows and columns are swapped, and one of the two axes runs backwards. Try it on a
# small array, such as <code>np.arange(6).reshape(2, 3)</code>.
# </details>

# %% name="see_other_orientation"
figures.other_orientation()

# %% name="practice"
practice_row = None  # question 1
practice_turns = None  # question 2

reveal(practice_row, guesses.PRACTICE_ROW)
reveal(practice_turns, guesses.PRACTICE_TURNS)


# %% name="read_a_figure" exercise="read_a_figure"
def read_a_figure(picture):
    """The table shown in a picture with positions left to right, dimensions bottom to top.

    picture: shape (dimensions, positions), top row first.
    Returns an array of shape (positions, dimensions).
    """
    # BEGIN ANSWER
    return picture[::-1].T
    # END ANSWER


# %% name="check_read_a_figure"
check("read_a_figure")

# %% [markdown] name="quiz_text"
# ## Five quick questions
#
# True or false? Answer before you read the reasons.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="done"
# ## Stretch
#
# Make the slow columns visible: subtract row 0 from the table, divide each column by its largest absolute value, and draw
# the result with `draw_heatmap`. Most columns on the right now follow one of two curves, one for sines and one for cosines.
# Which powers of $p$ are these two curves? Compare with $\sin x$ and $1 - \cos x$ for small $x$.
#
# ## What you can do now
#
# - Draw a table of signed values so that you can read position, sign and size from the picture.
# - Read someone else's picture of such a table, axes first.
# - Say which pairs a picture can show, and what you see instead of the other pairs.
#
# **Next**: [03 · Rotation proof](03_rotation_proof.ipynb) shows what links one row to the next.
#
# **Sources**
#
# - [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762). Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez,
#   Kaiser, Polosukhin, 2017.
# - [*Communication in the Presence of Noise*](https://doi.org/10.1109/JRPROC.1949.232969). Shannon, 1949: a wave needs
#   more than two samples per period.
# - [*Diverging Color Maps for Scientific Visualization*](https://doi.org/10.1007/978-3-642-10520-3_9). Moreland, 2009.
# - [*The misuse of colour in science communication*](https://doi.org/10.1038/s41467-020-19160-7). Crameri, Shephard,
#   Heron, 2020.
