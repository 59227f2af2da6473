# %% [markdown] name="title"
# # 04 · Dot-product decay
#
# **Time** 50 minutes · **Difficulty** ★★☆ · **You need** [03 · Rotation proof](03_rotation_proof.ipynb)
#
# After this lab you can
#
# 1. compute how similar a position is to every other one, from the table and from a closed form;
# 2. show that the similarity depends on the offset alone, and tell rounding from a real difference;
# 3. say how the similarity falls with distance, and which two claims about it are false.

# %% [markdown] name="why"
# ## Why
#
# Attention compares vectors by their dot product. So ask of the encoding: what is the dot product of two positions? The
# pair $k$ of positions $p$ and $q$ contributes
#
# $$\sin(p\,\omega_k)\sin(q\,\omega_k) + \cos(p\,\omega_k)\cos(q\,\omega_k) = \cos\big((p - q)\,\omega_k\big),$$
#
# and the positions themselves have dropped out: only their **offset** $p - q$ is left. The sum over all pairs is
#
# $$S(p - q) = PE(p)\cdot PE(q) = \sum_{k=0}^{d/2-1} \cos\big((p - q)\,\omega_k\big).$$
#
# At offset 0 every cosine is 1, so $S(0) = d/2$, and no offset gives more. You may read that $S$ "decays with distance".
# This lab measures what that means.

# %% name="setup"
import matplotlib.pyplot as plt
import numpy as np

import encoding_labs.dot_product_decay  # what check() asks about
from labkit.notebook import check, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style()

# %% [markdown] name="predict"
# ## Predict
#
# Take $T = 64$ and $d = 32$. A position's dot product with itself is 16. What is the **smallest** dot product of any two of
# the 64 positions? Write your guess as a number. It may be negative, and nobody grades it.

# %% name="predict_smallest"
guess_smallest = None  # your guess, a number of at most 16

# %% [markdown] name="similarity_task"
# ## Build: similarity from the table
#
# Write `similarity(pe, anchor)`: the dot product of every row of the table `pe` with row `anchor`, an array of shape
# `(T,)`. It takes any table of shape `(T, d)`, and it divides by nothing.
#
# <details><summary>Hint</summary>
# One row has shape (d,), the table has shape (T, d). Over which axis does a dot product add, and which axis is left?
# </details>
# <details><summary>Bigger hint</summary>
# The operator <code>@</code> between a matrix and a vector takes the dot product of each row of the matrix with the vector.
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
# ### See it
#
# Three anchors, three curves. Each has its top at its own anchor. Slide one onto another: do they differ?

# %% name="see_anchors"
pe = sinusoidal_pe(64, 32)
figure, ax = plt.subplots()
for anchor, style in ((0, "-"), (20, "--"), (45, ":")):
    ax.plot(np.arange(64), similarity(pe, anchor), style, label=f"anchor {anchor}")
ax.set(xlabel="position", ylabel="dot product with the anchor", ylim=(0, 17))
ax.set_title("The same curve stands around every anchor")
ax.legend(loc="lower left", ncols=3)
show(figure, alt="Dot products of 64 positions with the anchors 0, 20 and 45 at d = 32, "
     "against position. Each curve has its peak of 16 at its anchor and falls on both "
     "sides in waves. The curves are shifted copies of one symmetric curve. They keep "
     "well above 0.")

# %% [markdown] name="closed_form_task"
# ## Build: similarity from the formula
#
# Write `closed_form(offsets, d)`: the sum $S$ from above, for a one-dimensional array of whole-number offsets, negative
# ones too. The result is an array of the same shape as `offsets`.
#
# <details><summary>Hint</summary>
# No table is needed. For each offset, add d/2 cosines. The frequencies are those of lab 01.
# </details>
# <details><summary>Bigger hint</summary>
# <code>offsets[:, None] * omega</code> holds one row per offset and one column per pair. Which axis do you sum over?
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
# The table and the formula side by side, around position 10 at $T = 64$, $d = 16$. Read down from offset 0: it falls to
# offset 3, and then? The figure after it shows $d = 32$ at all offsets within 64 positions, with the steps up in a second
# colour.

# %% name="see_both"
offsets = np.arange(-10, 11)
from_table = similarity(sinusoidal_pe(64, 16), 10)[10 + offsets]
print("offset   table   formula")
for offset, one, other in zip(offsets, from_table, closed_form(offsets, 16)):
    print(f"{offset:6d} {one:7.2f} {other:9.2f}")

# %% name="see_steps"
total = closed_form(np.arange(64), 32)
rises = np.flatnonzero(np.diff(total) > 0)
figure, ax = plt.subplots()
ax.plot(np.arange(64), total, ".-", label="a step down")
ax.plot([rises, rises + 1], [total[rises], total[rises + 1]], color="C1")
ax.plot([], [], color="C1", label="a step up")
ax.set(xlabel="offset (positions)", ylabel="dot product", ylim=(0, 17))
ax.set_title(f"{rises.size} of the 63 steps go up")
ax.legend()
show(figure, alt="The dot product against the offset, 0 to 63, at d = 32. It starts at "
     "16, drops steeply at first and goes on in waves with a falling trend. Its smallest "
     f"value is 5.3, at offset 48; at offset 63 it is up again at 8.8. {rises.size} of "
     "the 63 steps go up; they are drawn in a second colour.")

# %% name="reveal_smallest"
reveal(guess_smallest, closed_form(np.arange(64), 32).min())

# %% [markdown] name="smallest_text"
# The smallest value is 5.31, at offset 48: a third of the top, and far from 0. At offset 63 it is up at 8.85
# again. The reason lies in the slow pairs. Of the 16 pairs only the first few turn far within 64 positions. The slow ones
# hardly move, and each of them keeps adding almost 1.

# %% [markdown] name="offset_only_task"
# ## Build: only the offset counts
#
# Put the dot products of all positions with all positions in one matrix, the **Gram matrix** $G = PE \cdot PE^\top$ of
# shape $(T, T)$. If only the offset counts, every diagonal of $G$ is constant. In exact arithmetic it is. A computer rounds,
# and the proof then looks like a measurement.
#
# Write `offset_only(T, d, dtype)`: how far the diagonals are from constant, as one number. For each diagonal take its
# largest entry minus its smallest; return the largest of these. `dtype` is `"float64"` or `"float32"`: angles, sines,
# cosines and the product are all computed in it. The locked table is always float32, so build your own here. Rounding
# differs between machines, so the check asks whether the size of your number is one that rounding explains.
#
# <details><summary>Hint</summary>
# <code>np.arange</code> takes a <code>dtype</code>, and an array keeps it when it is multiplied by a plain Python
# number. Check your table's <code>dtype</code>. A dot product does not mind the order of columns.
# </details>
# <details><summary>Bigger hint</summary>
# <code>np.diagonal(G, offset)</code> gives one diagonal, <code>np.ptp</code> its largest entry minus its smallest. G is
# symmetric: which offsets are enough?
# </details>

# %% name="offset_only" exercise="offset_only"
def offset_only(T, d, dtype):
    """How far the diagonals of the Gram matrix are from constant, all computed in dtype.

    max over offsets of (max - min of the diagonal at that offset).
    dtype: "float64" or "float32". Returns one number, in units of the dot product.
    """
    # BEGIN ANSWER
    omega = 10000.0 ** (-2 * np.arange(d // 2, dtype=dtype) / d)
    angle = np.arange(T, dtype=dtype)[:, None] * omega
    table = np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
    gram = table @ table.T
    return max(np.ptp(np.diagonal(gram, offset)) for offset in range(T))
    # END ANSWER

# %% name="check_offset_only"
check("offset_only")

# %% name="see_rounding"
print("float64, below 1e-12:", bool(offset_only(64, 32, "float64") < 1e-12))
print("float32, below 1e-4: ", bool(offset_only(64, 32, "float32") < 1e-4))

# %% [markdown] name="see_gram_text"
# ### See it
#
# Every diagonal has one colour. Follow a row to see the curve from above, and follow a diagonal to see that nothing changes.

# %% name="see_gram"
pe = sinusoidal_pe(64, 32)
gram = np.stack([similarity(pe, anchor) for anchor in range(64)])
figure, ax = plt.subplots(figsize=(5.6, 4.6))
image = ax.imshow(gram, cmap="viridis", vmin=0, vmax=16)
ax.set(xlabel="position q", ylabel="position p")
ax.set_title("One value on each diagonal: only p − q counts")
ax.grid(False)
figure.colorbar(image, ax=ax, label="dot product")
show(figure, alt="Heatmap of the dot products of 64 positions with each other at d = 32, "
     "position 0 at the top left. The main diagonal is brightest, at 16. Stripes run "
     "parallel to it, each of one colour, darker on the whole the farther they are from "
     "it, but not steadily: dark and brighter stripes alternate. The colour scale starts "
     "at 0, and no stripe comes near it.")

# %% [markdown] name="landmarks_task"
# ## Build: two landmarks
#
# Write `landmarks(d)`: two whole numbers, in this order,
#
# - the **first local minimum**: the smallest offset where $S$ is below both its neighbours;
# - the **first crossing**: the smallest offset where $S$ is 0 or negative.
#
# Offsets are positive here. Up to 10,000 is enough for every $d$ from 4 to 512. Before you run it: is the first low near
# the crossing?
#
# <details><summary>Hint</summary>
# <code>closed_form</code> gives all the sums at once. Coming from offset 0, what do the successive differences do at the
# first low?
# </details>
# <details><summary>Bigger hint</summary>
# <code>np.argmax</code> of an array of True and False gives the index of the first True. Check by eye that the index counts
# offsets, and not steps that end at the next offset.
# </details>

# %% name="landmarks" exercise="landmarks"
def landmarks(d):
    """The first p > 0 with S(p - 1) > S(p) < S(p + 1), and the first p with S(p) <= 0.

    d: an even number from 4 to 512.
    Returns two whole numbers, in positions: a tuple, list or array.
    """
    # BEGIN ANSWER
    total = closed_form(np.arange(4_000), d)  # both lie below 4,000 up to d = 512
    return int(np.argmax(np.diff(total) > 0)), int(np.argmax(total <= 0))
    # END ANSWER

# %% name="check_landmarks"
check("landmarks")

# %% [markdown] name="see_far_text"
# ### See it: far away
#
# Now let the offset run to 10,000, on a logarithmic axis, and divide by $d/2$ so that every curve starts at 1. The dashed
# line is the **trend**
#
# $$\frac{S(p)}{d/2} \approx 1 - \frac{\ln p + 0.577}{\ln 10000} \qquad \text{for } 1 \ll p \ll 10000.$$
#
# It comes from taking the sum for an integral; 0.577 is Euler's constant. Each factor of 10 in the offset sets another
# quarter of the pairs turning, and so it costs a quarter of the height: $\ln 10 / \ln 10000 = 1/4$.

# %% name="see_far"
offsets = np.arange(1, 10_001)
middle = offsets[4:3000]
trend = 1 - (np.log(middle) + 0.577) / np.log(10_000)
crossings = {d: int(landmarks(d)[1]) for d in (32, 128, 512)}
figure, axes = plt.subplots(3, 1, figsize=(7, 7.6), sharex=True, sharey=True)
for ax, d in zip(axes, crossings):
    crossing = crossings[d]
    ax.plot(offsets, closed_form(offsets, d) / (d / 2), lw=0.8, label=f"d = {d}")
    ax.plot(middle, trend, "--", color="C1", label="trend, drawn from 5 to 3,000")
    ax.axhline(0, color="black", lw=0.8)
    ax.plot(crossing, 0, "o", color="black", label=f"first crossing: {crossing:,}")
    ax.set(xscale="log", ylim=(-0.85, 1.05))
    ax.legend(loc="lower left")
axes[0].set_title("The similarity falls logarithmically and swings about its trend")
axes[1].set_ylabel("dot product divided by d/2")
axes[2].set_xlabel("offset (positions)")
show(figure, alt="Three panels, for d = 32, 128 and 512: the dot product divided by d/2 "
     "against the offset from 1 to 10,000 on a logarithmic axis. The trend is a straight "
     "falling line, from 0.76 at offset 5 to 0.07 at 3,000. All curves follow it and "
     "swing about it, widely at d = 32 and less at 512. The first crossings of 0, by d: "
     f"{crossings}. After its first crossing each curve comes back above 0 again and "
     "again.")

# %% [markdown] name="far_text"
# The more pairs, the closer to the trend: between the offsets 10 and 1,000 the curve for $d = 512$ stays within 0.055 of
# it, and that for $d = 32$ strays by up to 0.39. Far out, where all pairs have turned many times, the cosines are
# as often negative as positive: the long-run mean of $S$ is 0. But $S$ does not settle there. At $d = 32$ it keeps
# swinging about 0, with a root mean square near $1/\sqrt{d} = 0.18$ of its top.

# %% [markdown] name="is_it_monotone_task"
# ## Explain
#
# Two claims are often made: "the similarity falls steadily with distance" and "it falls to 0". Judge both, for $T = 64$
# and $d = 32$ and for larger offsets, and support each verdict with a number that you measured. Then say in one
# sentence what *is* true. (2 points, read by a person.)

# %% [markdown] name="is_it_monotone" exercise="is_it_monotone"
# <!-- BEGIN ANSWER -->
# It does not fall steadily: 29 of the 63 steps rise, and the first one already leads from offset 4 to offset 5. It does
# not fall to 0 within the table: its smallest value is 5.31, at offset 48. Offset 474 is the first where it is not
# positive, but that is a crossing, not an end: it goes on to negative values and comes back. What is true: the trend
# falls with the logarithm of the offset, the similarity swings about that trend, and only its long-run mean is 0.
# <!-- END ANSWER -->

# %% [markdown] name="is_it_monotone_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: not monotone, with a measurement, such as 29 rises among 63 steps, or the rise from offset 4 to 5.
# - 1 point: not to 0. Within the table the smallest value is 5.31 (offset 48); the first crossing is at 474, and beyond
#   it the sum swings about 0 without settling.

# %% [markdown] name="stretch"
# ## Stretch
#
# All rows have the same length $\sqrt{d/2}$, so distance and dot product tell the same: $|PE(p) - PE(q)|^2 = d - 2\,S(p
# - q)$. Is the adjacent position always the nearest? Search the offsets up to 1,000 at $d = 8$, and then at $d = 32$.
# Why does it take few pairs to come close again?
#
# **Next**: [05 · Base sweep](05_base_sweep.ipynb) changes the one constant that this lab kept fixed.
