# %% [markdown] name="title"
# # 04 · Dot-product decay
#
# Attention compares vectors by their dot product. So how similar are two positions, to a model that sees only their rows? The curve
# shows the dot product of each of 64 rows with one of them, the anchor. Run the cell, drag the anchor, then the offset. What does
# the height of the curve depend on?
#
# <details><summary><b>Goals and time</b> (click to unfold)</summary>
#
# **Time** 40 minutes, and 35 for the second helping · **Difficulty** ★★☆ · **You need**
# [03 · Rotation proof](03_rotation_proof.ipynb)
#
# After this lab you can
#
# 1. compute how similar a position is to every other one, from the table and from a closed form;
# 2. say how the similarity changes with distance, and judge two common claims about it by measuring;
# 3. measure whether a table's similarity depends on the offset alone, and tell rounding from a real difference.
#
# </details>

# %% name="setup"
# In Colab, first run: %pip install encoding-labs==0.1.0
import matplotlib.pyplot as plt
import numpy as np

from encoding_labs import sliders
from encoding_labs.dot_product_decay import figures, guesses, questions, tables
from labkit.notebook import cheat_sheet, check, look, predict, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style(language="en")
sliders.anchor_and_offset()

# %% [markdown] name="predict"
# ## Predict
#
# The curve moves along with its anchor and keeps its shape. So its height depends only on the offset, although each row depends on
# its position. Why do the positions cancel?
#
# Before you find out, make two guesses about 64 positions at $d = 32$, where the dot product of a position with itself is 16. They
# aren't graded; you'll come back to both.
#
# 1. Take the dot products of all 64 rows with each other, and draw them as a picture: row $p$, column $q$, bright where the dot
#    product is large. Which of these four pictures do you get?
# 2. Follow the curve from offset 0 to 63, step by step. How many of these 63 steps go **up**?

# %% name="predict_both"
predict(guesses.PICTURE)
guess_picture = None  # 1: "A", "B", "C" or "D"
guess_rises = None  # 2: a number of steps

# %% [markdown] name="similarity_task"
# ## Build: similarity from the table
#
# ●○○ · essential · 6 minutes · 2 points
#
# Write `similarity(pe, anchor)`. It returns the dot product of every row of the table `pe` with row `anchor`, as a NumPy
# array of shape `(T,)`. It must work for any table of shape `(T, d)`, not only for encodings. Don't normalize the products.
#
# <details><summary>Hint</summary>
# One row has shape (d,), the table has shape (T, d). Which axis does a dot product sum over, and which axis is left?
# </details>
# <details><summary>Bigger hint</summary>
# Between a matrix and a vector, the operator <code>@</code> takes the dot product of each row of the matrix with the vector.
# </details>

# %% name="similarity" exercise="similarity"
def similarity(pe, anchor):
    """The dot product of each row with row anchor: s[p] = sum_i pe[p, i] * pe[anchor, i].

    pe: a table of shape (T, d). anchor: a row number from 0 to T - 1.
    Returns an array of shape (T,).
    """
    # BEGIN ANSWER
    return pe @ pe[anchor]
    # END ANSWER

# %% name="check_similarity"
check("similarity")

# %% [markdown] name="see_anchors_text"
# If a check reports a mistake that you can't find, `look("similarity")` draws your values next to the expected ones. `look`
# works for every exercise that returns an array.
#
# ### See it
#
# Each of these three curves has its peak at its own anchor. If you slid one onto another, would they differ? The picture below
# them has one such curve in each of its rows: it shows the dot products of all 64 positions with each other, in one
# matrix, the **Gram matrix** $G = PE \cdot PE^\top$ of shape $(T, T)$.

# %% name="see_anchors"
figures.anchors(similarity)
figures.gram(similarity)
reveal(guess_picture, guesses.PICTURE)

# %% [markdown] name="closed_form_task"
# ## Why the positions cancel
#
# For positions $p$ and $q$, pair $k$ contributes to the dot product
#
# $$\sin(p\,\omega_k)\sin(q\,\omega_k) + \cos(p\,\omega_k)\cos(q\,\omega_k) = \cos\big((p - q)\,\omega_k\big).$$
#
# The positions are gone; only their **offset** $\delta = p - q$ is left. The sum over all pairs is
#
# $$S(\delta) = PE(p)\cdot PE(p - \delta) = \sum_{k=0}^{d/2-1} \cos(\delta\,\omega_k).$$
#
# At offset 0 every cosine is 1, so $S(0) = d/2$, and no offset gives more.
#
# ## Build: similarity from the formula
#
# ●●○ · essential · 8 minutes · 2 points
#
# Write `closed_form(offsets, d)`. It returns the sum $S(\delta)$ from above for each offset in `offsets`, a one-dimensional
# NumPy array of whole numbers, which may be negative. The result has the same shape.
#
# <details><summary>Hint</summary>
# You need no table. For each offset, add d/2 cosines. The frequencies are those of lab 01.
# </details>
# <details><summary>Bigger hint</summary>
# You need every offset times every frequency, so make an array with one axis for the offsets and one for the pairs. Sum
# over one of the two. At offset 0 the result must be d/2.
# </details>

# %% name="closed_form" exercise="closed_form"
def closed_form(offsets, d):
    """S(offset) = sum over k of cos(offset * omega_k).

    omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1. d: an even number of dimensions.
    offsets: an array of shape (n,), in positions. Returns an array of shape (n,).
    """
    # BEGIN ANSWER
    omega = 10000.0 ** (-2 * np.arange(d // 2) / d)
    return np.cos(offsets[:, None] * omega).sum(axis=1)
    # END ANSWER

# %% name="check_closed_form"
check("closed_form")

# %% [markdown] name="see_both_text"
# ### See it
#
# The cell prints the similarity to position 10 at $T = 64$, $d = 16$ in two columns: from the table and from the formula. Read
# down from offset 0: the similarity falls until offset 3. What does it do after that? The figure below shows all offsets within
# 64 positions, at $d = 32$.

# %% name="see_both"
figures.side_by_side(similarity, closed_form)

# %% name="see_steps"
figures.steps(closed_form)
reveal(guess_rises, guesses.RISES)

# %% [markdown] name="is_it_monotone_task"
# ## Explain
#
# ●●○ · essential · 10 minutes · 2 points, graded by your instructor
#
# People often make two claims: "the similarity falls steadily with distance" and "it falls to 0". Judge both claims for
# $T = 256$ and $d = 64$, sizes that this lab hasn't shown, at offsets within this table and beyond it. Support each verdict
# with a number that you measured at $d = 64$. Then say in one sentence what *is* true.
#
# <details><summary>Hint</summary>
# Your <code>closed_form</code> gives all the sums for such a table at once. Which number would settle "steadily"? Which would
# settle "to 0" within the table, and which beyond it?
# </details>
# <details><summary>Bigger hint</summary>
# Count the steps that rise. Find the smallest sum and its offset. Then follow the sum far beyond the table.
# </details>

# %% [markdown] name="is_it_monotone" exercise="is_it_monotone"
# <!-- BEGIN ANSWER -->
# At d = 64 it doesn't fall steadily: 111 of the 255 steps rise, the first from offset 5 to offset 6. It doesn't fall to 0
# within the table: its smallest value is 5.28, at offset 229 (the maximum is 32). Offset 725 is the first where it
# isn't positive, but there it only crosses 0: it goes on to negative values and comes back. What is true: the trend falls
# with the logarithm of the offset, the similarity swings about that trend, and only its long-run mean is 0.
# <!-- END ANSWER -->

# %% [markdown] name="is_it_monotone_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: not monotone, with a measurement at d = 64, such as 111 rises among 255 steps, or the rise from offset 5 to 6.
# - 1 point: not to 0. Within the table the smallest value is 5.28 (offset 229); the first crossing is at 725, and beyond
#   it the sum swings about 0 without settling. No point for numbers at d = 32, which the lab prints.

# %% name="cheat_sheet"
cheat_sheet("04")

# %% [markdown] name="offset_only_task"
# ## Second helping: does only the offset count?
#
# The heart of the lab ends here. The rest has points too, and can wait for another day.
#
# ●●○ · useful · 10 minutes · 2 points
#
# In the Gram matrix of a table, the entries with the same offset, $p - q = \delta$, form a diagonal. If only the offset counts,
# all entries of a diagonal are equal. The sinusoidal table has this property; most tables don't.
#
# Write `offset_only(pe)`. It returns the **spread** of each diagonal, its largest entry minus its smallest, for the offsets
# from 0 to $T - 1$, as a NumPy array of shape `(T,)`. A constant diagonal has spread 0. Your function must work for any
# table of shape `(T, d)`. Try it on two other tables: in `tables.spoiled(T, d, row)` one row of the locked table is
# overwritten with the row before it, and the rows of `tables.scrambled(T, d)` have nothing to do with their positions.
#
# <details><summary>Hint</summary>
# Draw the Gram matrix of T = 4 on paper and write p - q into each cell. How many entries are on the diagonal for
# offset 0, and how many on the diagonal for offset 3? G is symmetric, so one side is enough.
# </details>
# <details><summary>Bigger hint</summary>
# <code>np.diagonal(G, offset)</code> gives one diagonal. A diagonal with a single entry has spread 0.
# </details>

# %% name="offset_only" exercise="offset_only"
def offset_only(pe):
    """The spread of each diagonal of the Gram matrix, for offsets 0 .. T - 1.

    spread[offset] = max - min of the entries pe[p] . pe[q] with p - q = offset.
    pe: any table of shape (T, d). Returns an array of shape (T,).
    """
    # BEGIN ANSWER
    gram = pe @ pe.T
    return np.array([np.ptp(np.diagonal(gram, offset)) for offset in range(len(pe))])
    # END ANSWER

# %% name="check_offset_only"
check("offset_only")

# %% [markdown] name="see_spreads_text"
# ### See it
#
# The figure shows your spreads for three tables. On the left are the locked table and the same table in float64. Their
# spreads would be 0 in exact arithmetic, and rounding makes them only very small: note the logarithmic scale. On the right,
# row 20 of the table is spoiled, so the dot product no longer depends on the offset alone. The spoiled row doesn't show at
# offset 0, because its product with itself is still $d/2$. Nor does it show beyond offset 43: row 20 has no partner that far
# away, because the last position is $63 = 20 + 43$.

# %% name="see_spreads"
figures.spreads(offset_only)

# %% [markdown] name="landmarks_task"
# ## Build: two landmarks
#
# ●●○ · useful · 8 minutes · 2 points
#
# Write `landmarks(d)`. It returns two whole numbers, in this order:
#
# - the **first low**, or first local minimum: the smallest offset where $S$ is less than at both neighbouring offsets;
# - the **first crossing**: the smallest offset where $S$ is 0 or negative.
#
# Consider only positive offsets; going up to 10,000 is enough for every $d$ from 4 to 512. Each correct number earns a point.
# **Guess** first: at $d = 32$, at which offset is the dot product 0 or negative for the first time? Do you expect the first
# low near it?
#
# <details><summary>Hint</summary>
# <code>closed_form</code> gives all the sums at once. As the offset grows from 0, what do the successive differences do at
# the first low?
# </details>
# <details><summary>Bigger hint</summary>
# <code>np.argmax</code> of an array of True and False gives the index of the first True. Make sure that your index is an
# offset, and not the number of a step between two offsets.
# </details>

# %% name="predict_crossing"
guess_crossing = None  # an offset, in positions

# %% name="landmarks" exercise="landmarks"
def landmarks(d):
    """First low: S(delta - 1) > S(delta) < S(delta + 1). First crossing: S(delta) <= 0.

    d: an even number from 4 to 512.
    Returns two whole numbers, in positions: a tuple, list or array.
    """
    # BEGIN ANSWER
    total = closed_form(np.arange(10_001), d)
    return int(np.argmax(np.diff(total) > 0)), int(np.argmax(total <= 0))
    # END ANSWER

# %% name="check_landmarks"
check("landmarks")

# %% name="reveal_crossing"
reveal(guess_crossing, guesses.CROSSING)

# %% [markdown] name="see_far_text"
# ### See it: far away
#
# The figure below shows offsets up to 10,000 on a logarithmic axis, and $S$ divided by $d/2$, to compare different $d$. The axis
# begins at offset 1, where the curves have already dropped from 1 to between 0.957 and 0.973. The dashed line is the **trend**
#
# $$\frac{S(\delta)}{d/2} \approx 1 - \frac{\ln \delta + 0.577}{\ln 10000} \qquad \text{for } 1 \ll \delta \ll 10000.$$
#
# You get this formula by replacing the sum with an integral; 0.577 is Euler's constant. Each factor of 10 in the
# offset sets another quarter of the pairs turning, so it costs a quarter of the height: $\ln 10 / \ln 10000 = 1/4$.
#
# **Guess** before you run the cell: at which offset does the trend itself reach 0? Then look: do the curves reach 0
# before or after that offset, and which $d$ stays closest to the trend?

# %% name="predict_trend"
guess_trend = None  # an offset, in positions

# %% name="see_far"
figures.far(closed_form, landmarks)
reveal(guess_trend, guesses.TREND)

# %% [markdown] name="grid_similarity_task"
# ## On your own: positions on a grid
#
# ●●○ · useful · 8 minutes · 1 point
#
# A vision transformer cuts an image into patches. Each patch has two positions: its column $x$ and its row $y$ in the image.
# The first $d/2$ numbers of its encoding are row $x$ of a sinusoidal table of $d/2$ dimensions, and the last $d/2$ are row $y$
# of the same table.
#
# Write `grid_similarity(dx, dy, d)`. It returns the dot product of the encodings of two patches that are `dx` columns and
# `dy` rows apart, as one number. `dx` and `dy` are whole numbers and may be negative; `d` is a multiple of 4. This question
# has no check; it's graded after you submit. Test your answer on encodings that you build yourself.
#
# <details><summary>Hint</summary>
# A dot product sums over the columns of the encoding. Which of them depend on x alone?
# </details>
# <details><summary>Bigger hint</summary>
# How many pairs are in each half? Which width belongs in their frequencies?
# </details>

# %% name="grid_similarity" exercise="grid_similarity"
def grid_similarity(dx, dy, d):
    """The dot product of the encodings of two patches, dx columns and dy rows apart.

    An encoding: row x of a table of d/2 dimensions, then row y of the same table.
    dx, dy: whole numbers. d: a multiple of 4. Returns a number.
    """
    # BEGIN ANSWER
    return closed_form(np.array([dx, dy]), d // 2).sum()
    # END ANSWER

# %% [markdown] name="quiz_task"
# ## Five quick questions
#
# True or false? Write your answers in the cell and run it; you get a reason for each.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="stretch"
# ## Stretch
#
# All rows have the same length, so distance and dot product carry the same information: $|PE(p) - PE(q)|^2 = d - 2\,S(p - q)$.
# Is the adjacent position always the nearest? Search the offsets up to 1,000 at $d = 8$, then at $d = 32$. Why do rows come
# close again only when there are few pairs?
#
# **Sources**: ["Attention Is All You Need"](https://arxiv.org/abs/1706.03762), Vaswani et al., 2017 (the encoding) ·
# ["TENER: Adapting Transformer Encoder for Named Entity Recognition"](https://arxiv.org/abs/1911.04474), Yan, Deng, Li
# and Qiu, 2019 (the dot product depends on the offset and not on its sign) · ["RoFormer: Enhanced Transformer with
# Rotary Position Embedding"](https://arxiv.org/abs/2104.09864), Su et al., 2021 (the same sum in attention, and its
# decay) · ["Masked Autoencoders Are Scalable Vision Learners"](https://arxiv.org/abs/2111.06377), He et al., 2021
# (sinusoidal encodings of image patches).

# %% [markdown] name="done"
# ## What you can do now
#
# - Compute the similarity of two encoded positions from their offset alone.
# - Measure whether a table has a property, and tell rounding errors from a real difference.
# - Test a common claim about the similarity with a number that settles it.
#
# **Next**: [05 · Base sweep](05_base_sweep.ipynb) changes the one constant that this lab kept fixed.
