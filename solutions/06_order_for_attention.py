# %% [markdown] name="title"
# # 06 · Order for attention
#
# **Time** 75 minutes · **Difficulty** ★★☆ · **You need** [03 · Rotation proof](03_rotation_proof.ipynb) and
# [05 · Base sweep](05_base_sweep.ipynb)
#
# After this lab you can
#
# 1. show when attention is blind to order, and cure it by adding positions;
# 2. build a head that looks back, by hand and with rotary encoding;
# 3. say what a head learns from positions, and which part works on longer texts.

# %% [markdown] name="why"
# ## Why
#
# The table's purpose is **attention**, which compares and mixes tokens:
#
# $$\text{attention}(X)=\text{softmax}\Big(\frac{XX^\top}{\sqrt d}\Big)X.$$
#
# $X$ has one row per token. Entry $(p,q)$ of $XX^\top/\sqrt d$ is the **score** of token $p$, the query, for token $q$, the key.
# The softmax turns each row of scores into **weights** that add up to 1: $w_{pq}=e^{s_{pq}}/\sum_{q'}e^{s_{pq'}}$. Row $p$ of
# the output is the average of the rows of $X$ with these weights. A real layer makes queries, keys and values from $X$ with three
# learned matrices; here all three are $X$ itself.

# %% name="setup"
import numpy as np

from encoding_labs import sliders
from encoding_labs.clock import clock
from encoding_labs.order_for_attention import figures, guesses, learning, questions
from encoding_labs.order_for_attention.tokens import embed
from labkit.notebook import cheat_sheet, check, look, predict, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style(language="en")

# %% [markdown] name="predict"
# ## Predict
#
# "The cat sat on the mat" and "the mat sat on the cat" have the same words in a different order. Give each to
# attention with a **causal mask**: a token sees only itself and earlier tokens. For how many of the six words does
# the output differ?

# %% name="predict_changed"
guess_changed = None  # your guess, a number of words from 0 to 6; never graded

# %% [markdown] name="attention_task"
# ## Build: attention
#
# ●○○ · essential · 8 minutes · 2 points
#
# Write `attention(x)`. It returns the formula above, without a mask. `x` and the result have shape `(T, d)`. Don't write into
# `x`: this lab's checks notice.
#
# `embed("dog bites man", 8)` gives you words to try: a row of length 1 for each word, the same wherever the word is.
#
# <details><summary>Hint</summary>
# Three steps: scores (T, T), weights (T, T), output (T, d). Print the weights' row sums.
# </details>
# <details><summary>Bigger hint</summary>
# <code>sum(axis=1, keepdims=True)</code> keeps the sums a column. Without <code>keepdims</code>, what is divided by what?
# </details>

# %% name="attention" exercise="attention"
def attention(x):
    """One head without matrices or mask: softmax(x xᵀ / sqrt(d)) x.

    The softmax goes along each row: the weights of one token add up to 1.
    x: an array of shape (T, d). Returns an array of shape (T, d).
    """
    # BEGIN ANSWER
    scores = x @ x.T / np.sqrt(x.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))  # none overflows
    return weights / weights.sum(axis=1, keepdims=True) @ x
    # END ANSWER

# %% name="check_attention"
check("attention")

# %% [markdown] name="see_blind_text"
# ### See it
#
# First look at the outputs without a mask, for word vectors 4 times as long: find "cat" in both pictures. Then see how
# far each output moves between the sentences. What does attention without a mask know about order?

# %% name="see_blind"
figures.order_blind(attention)
figures.causal(attention)
reveal(guess_changed, guesses.CHANGED)

# %% [markdown] name="add_positions_task"
# ## Build: add positions
#
# ●○○ · essential · 5 minutes · 2 points
#
# Scale the words, and add row $p$ of the table at position $p$:
#
# $$X=\text{scale}\cdot E+PE.$$
#
# Write `add_positions(embeddings, scale)`. $E$ is `embeddings`; it and the result have shape `(T, d)`. The table is
# `sinusoidal_pe(T, d)`.
#
# <details><summary>Hint</summary>
# Which T and d does the table need, and where can you read them?
# </details>
# <details><summary>Bigger hint</summary>
# What should be left with <code>scale=0</code>?
# </details>

# %% name="add_positions" exercise="add_positions"
def add_positions(embeddings, scale):
    """scale * E + PE.

    embeddings: E, an array of shape (T, d), with even d. scale: a positive number.
    Returns an array of shape (T, d).
    """
    # BEGIN ANSWER
    return scale * embeddings + sinusoidal_pe(*embeddings.shape)
    # END ANSWER

# %% name="check_add_positions"
check("add_positions")

# %% [markdown] name="see_balance_text"
# ### See it
#
# A row of $PE$ has length $\sqrt{d/2}$, a row of `embed` length 1. A position is 2.8 times as long as its word at $d=16$, and
# 16 times at $d=512$. Vaswani et al. (2017) scale by $\sqrt d$ without giving a reason: it makes a word $\sqrt2$ times as long as its
# position at every $d$.

# %% name="see_balance"
figures.ordered(attention, add_positions)
figures.balance(add_positions)

# %% [markdown] name="score_parts_task"
# ## Build: the parts of a score
#
# ●●○ · essential · 7 minutes · 2 points
#
# With $X=E+P$ the scores have four parts:
#
# $$\frac{XX^\top}{\sqrt d}=\frac{EE^\top+EP^\top+PE^\top+PP^\top}{\sqrt d}.$$
#
# Write `score_parts(embeddings, pe)`. It returns these four arrays of shape `(T, T)`, in this order: content-content,
# content-position, position-content, position-position. The query's part comes first. (They are also accepted without the
# division by $\sqrt d$.)
#
# In the figure below: which part knows that "the" is there twice? Which would be the same for any six words?
#
# <details><summary>Hint</summary>
# In content-position, which of E and P is on the left of the product?
# </details>
# <details><summary>Bigger hint</summary>
# Two of the four are each other's transpose. Which?
# </details>

# %% name="score_parts" exercise="score_parts"
def score_parts(embeddings, pe):
    """E Eᵀ, E Pᵀ, P Eᵀ and P Pᵀ, each divided by sqrt(d): the parts of the scores of E + P.

    embeddings: E, and pe: P, arrays of shape (T, d).
    Returns four arrays of shape (T, T): a tuple, a list, or one array of shape (4, T, T).
    """
    # BEGIN ANSWER
    both, root = (embeddings, pe), np.sqrt(pe.shape[1])
    return tuple(rows @ columns.T / root for rows in both for columns in both)
    # END ANSWER

# %% name="check_score_parts"
check("score_parts")

# %% name="see_parts"
figures.parts(score_parts)

# %% [markdown] name="look_back_text"
# ## A head that looks back
#
# In lab 03 a shift became a rotation: $PE(p+\delta)=R(\delta)\,PE(p)$, where pair $k$ turns by $\delta\,\omega_k$,
#
# $$\begin{pmatrix}\cos\delta\omega_k&\sin\delta\omega_k\\-\sin\delta\omega_k&\cos\delta\omega_k\end{pmatrix}.$$
#
# So a head can **ask for a place**. Its query is row $p$ turned back by $\delta$: row $p-\delta$. Its keys are the
# unchanged rows. Move the query, then the key: where do all hands meet?

# %% name="clock"
clock(back=3)

# %% [markdown] name="look_back_task"
# ### Build it
#
# ●●● · essential · 12 minutes · 2 points
#
# The gain sets how sharply the head looks:
#
# $$\text{weights}=\text{softmax}\big(\text{gain}\cdot PE\,R(-\delta)^\top PE^\top\big).$$
#
# Write `look_back(pe, offset, gain)`. It returns these weights, of shape `(T, T)`, without a mask or $\sqrt d$. `pe` is any array
# of shape `(T, d)`. You may copy $R$ (base 10,000) from lab 03.
#
# <details><summary>Hint</summary>
# <code>pe @ R.T</code> applies R to each row of pe. With offset 3, which row should row 10 become?
# </details>
# <details><summary>Bigger hint</summary>
# Begin with the scores. Where should their <code>argmax(axis=1)</code> be?
# </details>

# %% name="look_back" exercise="look_back"
def look_back(pe, offset, gain):
    """The weights of a head that looks `offset` back: softmax(gain * PE R(-offset)ᵀ PEᵀ).

    R(-offset) turns pair k of a row by -offset * omega_k, omega_k = 10000**(-2k/d).
    pe: an array of shape (T, d), with even d. offset: a whole number, 0 or more.
    gain: a positive number.
    Returns an array of shape (T, T): row p holds the weights of position p; its sum is 1.
    """
    # BEGIN ANSWER
    d = pe.shape[1]
    angle = -offset * 10000.0 ** (-2 * np.arange(d // 2) / d)
    one, two = np.arange(0, d, 2), np.arange(1, d, 2)  # the columns of each pair
    back = np.zeros((d, d))
    back[one, one] = back[two, two] = np.cos(angle)
    back[one, two], back[two, one] = np.sin(angle), -np.sin(angle)
    scores = gain * (pe @ back.T @ pe.T)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)
    # END ANSWER

# %% name="check_look_back"
check("look_back")

# %% [markdown] name="see_look_back_text"
# ### See it
#
# The first three rows would have to look before the text. But a softmax must put its weight somewhere, so position 0
# gets the most: 15 percent of row 0's weight at gain 1, 65 at gain 4. Such a head can't answer "nowhere".

# %% name="see_look_back"
figures.looking_back(look_back)
sliders.gain()

# %% [markdown] name="rope_task"
# ## Build: turn instead of add
#
# ●●○ · essential · 9 minutes · 2 points
#
# If the rotation is what counts, why add anything? **Rotary** encoding (RoPE) turns the words themselves: the query at $p$ by
# $R(p)$, the key at $q$ by $R(q)$. Because $R(p)^\top R(q)=R(q-p)$,
#
# $$\big(R(p)\,x_p\big)\cdot\big(R(q)\,x_q\big)=x_p\cdot R(q-p)\,x_q:$$
#
# only the offset is left. Values are averaged, not compared, so they aren't turned.
#
# Write `rope(x, positions)`. It returns `x` with row $t$ turned by $R(\text{positions}[t])$. `x` and the result have shape
# `(T, d)`; `positions` is an array of `T` whole numbers, in any order. Su et al. (2021) turn the other way; both are accepted.
#
# <details><summary>Hint</summary>
# Each row and pair has its own angle: shape (T, d/2). Then write out the matrix's two rows, one for the even columns and one for the odd.
# </details>
# <details><summary>Bigger hint</summary>
# What should <code>rope(np.tile([0.0, 1.0], (64, 16)), np.arange(64))</code> be?
# </details>

# %% name="rope" exercise="rope"
def rope(x, positions):
    """Row t of x, its pair k turned by positions[t] * omega_k, omega_k = 10000**(-2k/d).

    A pair (a, b), columns 2k and 2k + 1, becomes R(positions[t]) (a, b), as in a shift.
    x: an array of shape (T, d), with even d.
    positions: an array of T whole numbers, 0 or more.
    Returns an array of shape (T, d).
    """
    # BEGIN ANSWER
    d = x.shape[1]
    angle = positions[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)
    turned = np.empty(x.shape)
    turned[:, 0::2] = x[:, 0::2] * np.cos(angle) + x[:, 1::2] * np.sin(angle)
    turned[:, 1::2] = x[:, 1::2] * np.cos(angle) - x[:, 0::2] * np.sin(angle)
    return turned
    # END ANSWER

# %% name="check_rope"
check("rope")

# %% name="see_rope"
figures.relative(rope, add_positions)

# %% [markdown] name="experiment"
# ## Experiment: does a head find this by itself?
#
# A text has 32 random words from a vocabulary of 8. From position 3 on, a head has to name the word three back. Its scores are $PMP^\top$; $M$
# starts at zero and is learned by gradient descent. Five heads try:
#
# - **no positions**: $P$ is zero;
# - **learned table**: $P$ is learned too, but rows from 32 on stay untrained;
# - **sinusoidal**: $P=PE$;
# - **sinusoidal, random starts**: each text begins anywhere from 0 to 96;
# - **rotary**: the query is $R(p)\,u$ with a learned $u$, the key $R(q)\,PE(0)$.
#
# Then they and your `look_back` are tested on texts of 32 and 128 words. Predict the fractions of correct answers (chance:
# 0.125). For the sinusoidal $M$, predict by what angle it turns pair 1 ($\omega_1=0.56$), the fraction at 128 words if
# only the rotations in its diagonal blocks are kept, and what its upper left corner looks like.

# %% name="predict_experiment"
guess_right = {  # shares from 0 to 1: at 32, at 128
    "no positions": (None, None),
    "learned table": (None, None),
    "sinusoidal": (None, None),
    "sinusoidal, random starts": (None, None),
    "rotary": (None, None),
}
guess_angle = None  # degrees
guess_rotations = None  # a share from 0 to 1
guess_m = None  # your guess: "A", "B", "C" or "D"
predict(guesses.M)

# %% name="train"
learning.watch(look_back, guess_right)

# %% name="see_curves"
learning.curves(look_back)
reveal(guess_angle, guesses.ANGLE)

# %% name="see_matrix"
learning.matrix()
reveal(guess_m, guesses.M)
reveal(guess_rotations, guesses.ROTATIONS)

# %% [markdown] name="learned_or_fixed_task"
# ## Explain
#
# ●●○ · essential · 7 minutes · 2 points, graded by your instructor
#
# A model trained with sinusoids on texts of 512 tokens fails at 1,000. "But sinusoids extrapolate", says a colleague. Explain
# with $M$ which part extrapolates, which part doesn't, and why.
#
# <details><summary>Hint</summary>
# Split M as the figure does. What does each part give for two rows δ apart?
# </details>
# <details><summary>Bigger hint</summary>
# On which rows did training test M?
# </details>

# %% [markdown] name="learned_or_fixed" exercise="learned_or_fixed"
# <!-- BEGIN ANSWER -->
# The formula gives a row for every position, and from any row to the one δ later it is the same rotation R(δ), at 700 as at
# 7. So the part of M that is a rotation and scale in each pair's block makes scores that depend on the offset alone: it works
# at 1,000 as it does at 512. Training does not ask for that form. It asks only that the scores are good on the rows 0 to 511,
# and any other entries of M that do no harm there may stay. On rows that M never met these entries make scores that were
# never trained, and they can outweigh the right one. In the experiment 97 percent of M was rotation, and the other 3 percent
# took the share right from 1.00 to 0.90 at 128. So what extrapolates is the rotation, if the model has learned it and
# nothing else; sinusoids alone promise rows, not that the model can read them. Random starts help, because then M meets
# those rows in training.
# <!-- END ANSWER -->

# %% [markdown] name="learned_or_fixed_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: what carries over. The rows beyond 511 exist and the same rotation R(δ) leads from row to row, so the part of M that
#   is rotation (and scale) gives scores that depend on the offset alone, at any position.
# - 1 point: what does not. Training holds M only to the rows it met; the rest of M makes untrained scores on new rows. That
#   a row exists does not mean that the model can read it. (Random starts, or 1.00 with the rotations alone, may serve as
#   evidence.)

# %% [markdown] name="read_head_task"
# ## Without a check: read a head
#
# ●●○ · essential · 5 minutes · 1 point, graded after you hand in
#
# You get the $M$ of another head: a rotation in each diagonal block, strong or weak, and a little noise everywhere. Write
# `read_head(m)`: how far it looks back, a whole number from -12 to 12, negative if it looks ahead. `m` has shape `(d, d)`.
#
# <details><summary>Hint</summary>
# How can you turn M into a matrix with a row and a column for each position?
# </details>
# <details><summary>Bigger hint</summary>
# Which positions have places 12 before and 12 after them?
# </details>

# %% name="read_head" exercise="read_head"
def read_head(m):
    """The offset by which a head with the scores PE M PEᵀ looks back; negative if ahead.

    m: M, an array of shape (d, d), with even d.
    Returns a whole number.
    """
    # BEGIN ANSWER
    pe = sinusoidal_pe(64, len(m))
    middle = np.arange(16, 48)
    return round(np.median(middle - (pe[middle] @ m @ pe.T).argmax(axis=1)))
    # END ANSWER

# %% [markdown] name="quiz_text"
# ## Five quick questions
#
# True or false? Answer in the cell.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% name="cheat_sheet"
cheat_sheet("06")

# %% [markdown] name="stretch"
# ## Stretch
#
# Give `look_back` a causal mask. Which row changes most?
#
# **Sources**: "Attention Is All You Need", 2017 (learned tables did as well there) · "RoFormer: Enhanced Transformer with Rotary
# Position Embedding", 2021.
#
# **Next**: [07 · Precision and cost](07_precision_and_cost.ipynb): how far can float32 count?

# %% [markdown] name="done"
# ## What you can do now
#
# - Show when attention is blind to order, and cure it.
# - Build the rotation that looks back, by hand and with RoPE.
# - Read from $M$ what a head learned.
