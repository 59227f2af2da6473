# %% [markdown] name="title"
# # 06 · Order for attention
#
# <details><summary><b>Goals and time</b> (click to unfold)</summary>
#
# **Time** 75 minutes · **Difficulty** ★★☆ · **You need** [03 · Rotation proof](03_rotation_proof.ipynb) and
# [05 · Base sweep](05_base_sweep.ipynb)
#
# After this lab you can
#
# 1. show when attention is blind to order, and fix that by adding positions;
# 2. build a head that looks back, by hand and with rotary encoding;
# 3. explain what a head learns from positions, and which part of that works on longer texts.
#
# </details>

# %% [markdown] name="why"
# ## Why
#
# The table is for **attention**, which compares and mixes tokens:
#
# $$\text{attention}(X)=\text{softmax}\Big(\frac{XX^\top}{\sqrt d}\Big)X.$$
#
# $X$ has one row per token. Entry $(p,q)$ of $XX^\top/\sqrt d$ is the **score** that token $p$, the query, gives token $q$, the
# key. The softmax turns each row of scores into **weights** that add up to 1: $w_{pq}=e^{s_{pq}}/\sum_{q'}e^{s_{pq'}}$. Output
# row $p$ averages the rows of $X$ with the weights in row $p$. A real layer makes queries, keys and values from $X$ with
# three learned matrices; here each is $X$ itself.

# %% name="setup"
# In Colab, first run: %pip install encoding-labs==0.1.0
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
# "The cat sat on the mat" and "the mat sat on the cat" have the same words in a different order. Run each through
# attention with a **causal mask**: a token sees only itself and earlier tokens. How many of the six words get a
# different output?

# %% name="predict_changed"
guess_changed = None  # your guess, a number of words from 0 to 6; never graded

# %% [markdown] name="attention_task"
# ## Build: attention
#
# ●○○ · essential · 8 minutes · 2 points
#
# Write `attention(x)`. It computes the formula above, without a mask. `x` and the result have shape `(T, d)`. Don't change `x`:
# the checks catch that.
#
# `embed("dog bites man", 8)` gives you words to try: one vector of length 1 per word.
#
# <details><summary>Hint</summary>
# Three steps: scores (T, T), weights (T, T), output (T, d). Print the weights' row sums.
# </details>
# <details><summary>Bigger hint</summary>
# <code>sum(axis=1, keepdims=True)</code> keeps the sums as a column. Without <code>keepdims</code>, what is divided by what?
# </details>

# %% name="attention" exercise="attention"
def attention(x):
    """One head without learned matrices or a mask: softmax(x xᵀ / sqrt(d)) x.

    The softmax is taken along each row, so each token's weights add up to 1.
    x: an array of shape (T, d). Returns an array of shape (T, d).
    """
    # BEGIN ANSWER
    scores = x @ x.T / np.sqrt(x.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))  # avoids overflow
    return weights / weights.sum(axis=1, keepdims=True) @ x
    # END ANSWER

# %% name="check_attention"
check("attention")

# %% [markdown] name="see_blind_text"
# ### See it
#
# The first two pictures show the outputs without a mask, with word vectors scaled by 4: find the row of "cat" in each. The bars
# show how far each word's output moves from one sentence to the other. What does attention without a mask know about order?

# %% name="see_blind"
figures.order_blind(attention)
figures.causal(attention)
reveal(guess_changed, guesses.CHANGED)

# %% [markdown] name="add_positions_task"
# ## Build: add positions
#
# ●○○ · essential · 5 minutes · 2 points
#
# Scale the word vectors and add row $p$ of the table at position $p$:
#
# $$X=\text{scale}\cdot E+PE.$$
#
# Write `add_positions(embeddings, scale)`. `embeddings` ($E$) and the result have shape `(T, d)`. The table is
# `sinusoidal_pe(T, d)`.
#
# <details><summary>Hint</summary>
# Which T and d does the table need, and where can you read them?
# </details>
# <details><summary>Bigger hint</summary>
# What should you get with <code>scale=0</code>?
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
# A row of $PE$ has length $\sqrt{d/2}$; a row of `embed` has length 1. So a position is 2.8 times as long as its word at $d=16$,
# and 16 times at $d=512$. Vaswani et al. (2017) scale words by $\sqrt d$ without giving a reason. Words of length
# 1 are then $\sqrt2$ times as long as their positions, at every $d$.

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
# content-position, position-content, position-position. In each name the query comes first. (You may
# leave out the division by $\sqrt d$.)
#
# In the figure below, which part shows that "the" occurs twice? Which part would be the same for any six words?
#
# <details><summary>Hint</summary>
# In content-position, which is on the left of the product, E or P?
# </details>
# <details><summary>Bigger hint</summary>
# Two of the four are transposes of each other. Which two?
# </details>

# %% name="score_parts" exercise="score_parts"
def score_parts(embeddings, pe):
    """E Eᵀ, E Pᵀ, P Eᵀ and P Pᵀ, each divided by sqrt(d): the parts of the scores of E + P.

    embeddings is E and pe is P, both of shape (T, d).
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
# In lab 03 a shift turned out to be a rotation, $PE(p+\delta)=R(\delta)\,PE(p)$, which turns pair $k$ by $\delta\,\omega_k$:
#
# $$\begin{pmatrix}\cos\delta\omega_k&\sin\delta\omega_k\\-\sin\delta\omega_k&\cos\delta\omega_k\end{pmatrix}.$$
#
# So a head can **look for a position**. Its query is row $p$ turned back by $\delta$: row $p-\delta$. Its keys are unchanged
# rows. Move the query, then the key: at which position does the key's hand meet the turned hand of the query on every clock?

# %% name="clock"
clock(back=3)

# %% [markdown] name="look_back_task"
# ### Build it
#
# ●●● · essential · 12 minutes · 2 points
#
# The gain sets how sharply the head focuses:
#
# $$\text{weights}=\text{softmax}\big(\text{gain}\cdot PE\,R(-\delta)^\top PE^\top\big).$$
#
# Write `look_back(pe, offset, gain)`. It returns these weights, of shape `(T, T)`. Don't use a mask, and don't divide by
# $\sqrt d$. `pe` is any array of shape `(T, d)`. You may copy $R$ (base 10,000) from lab 03.
#
# <details><summary>Hint</summary>
# <code>pe @ R.T</code> applies R to each row of pe. With offset 3, which row should row 10 become?
# </details>
# <details><summary>Bigger hint</summary>
# Start with the scores. What should their <code>argmax(axis=1)</code> be?
# </details>

# %% name="look_back" exercise="look_back"
def look_back(pe, offset, gain):
    """Weights of a head that looks back by `offset`: softmax(gain * PE R(-offset)ᵀ PEᵀ).

    R(-offset) turns pair k of a row by -offset * omega_k, omega_k = 10000**(-2k/d).
    pe: an array of shape (T, d), with even d. offset: a whole number, 0 or more.
    gain: a positive number.
    Returns an array of shape (T, T). Row p has the weights of query p, which add up to 1.
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
# The first three rows have no token three positions back. But their weights must still add up to 1, so position 0 gets the
# most: 15 percent of row 0's weight at gain 1, 65 at gain 4. Such a head can't answer "nowhere".

# %% name="see_look_back"
figures.looking_back(look_back)
sliders.gain()

# %% [markdown] name="rope_task"
# ## Build: turn instead of add
#
# ●●○ · essential · 9 minutes · 2 points
#
# If only the rotation matters, why add anything? **Rotary** encoding (RoPE) turns the words themselves: the query at $p$ by
# $R(p)$, the key at $q$ by $R(q)$. Because $R(p)^\top R(q)=R(q-p)$,
#
# $$\big(R(p)\,x_p\big)\cdot\big(R(q)\,x_q\big)=x_p\cdot R(q-p)\,x_q:$$
#
# only the offset matters. Values are averaged, not compared, so they aren't turned.
#
# Write `rope(x, positions)`. It returns `x` with row $t$ turned by $R(\text{positions}[t])$. `x` and the result have shape
# `(T, d)`; `positions` is an array of `T` whole numbers, in any order. Su et al. (2021) turn the opposite way; both ways are accepted.
#
# <details><summary>Hint</summary>
# Each pair of each row has its own angle, so the angles have shape (T, d/2). The matrix's first row gives the even columns,
# its second the odd ones.
# </details>
# <details><summary>Bigger hint</summary>
# What should <code>rope(np.tile([0.0, 1.0], (64, 16)), np.arange(64))</code> be?
# </details>

# %% name="rope" exercise="rope"
def rope(x, positions):
    """Turn pair k of row t by positions[t] * omega_k, omega_k = 10000**(-2k/d).

    The pair (a, b) in columns 2k and 2k + 1 becomes R(positions[t]) (a, b).
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
# ## Experiment: can a head learn this by itself?
#
# A text has 32 random words from a vocabulary of 8. From position 3 on, a head must name the word three positions back. Its
# scores are $PMP^\top$; $M$ starts at zero and is learned by gradient descent. Five heads try:
#
# - **no positions**: $P$ is zero;
# - **learned table**: $P$ is learned too, but rows from 32 on stay untrained;
# - **sinusoidal**: $P=PE$;
# - **sinusoidal, random starts**: each text starts at a random position, 0 to 96;
# - **rotary**: the query is $R(p)\,u$ with a learned $u$, the key $R(q)\,PE(0)$.
#
# Then the heads and your `look_back` are tested on 32-word and 128-word texts. Predict each head's fractions of correct answers
# (chance: 0.125). Three more guesses are about the sinusoidal head's $M$: by what angle $M$ turns pair 1 ($\omega_1=0.56$); what
# fraction is correct at 128 words if only the rotations in the diagonal blocks of $M$ are kept; and what the upper left corner
# of $M$ looks like.

# %% name="predict_experiment"
guess_right = {  # fractions from 0 to 1: at 32 words, at 128 words
    "no positions": (None, None),
    "learned table": (None, None),
    "sinusoidal": (None, None),
    "sinusoidal, random starts": (None, None),
    "rotary": (None, None),
}
guess_angle = None  # degrees
guess_rotations = None  # a fraction from 0 to 1
guess_m = None  # your guess: "A", "B", "C" or "D"
predict(guesses.M)

# %% name="train"
learning.watch(look_back, guess_right)

# %% name="see_curves"
learning.curves(look_back)
reveal(guess_angle, guesses.ANGLE)

# %% name="see_matrix"
learning.matrix(look_back)
reveal(guess_m, guesses.M)
reveal(guess_rotations, guesses.ROTATIONS)

# %% [markdown] name="learned_or_fixed_task"
# ## Explain
#
# ●●○ · essential · 7 minutes · 2 points, graded by your instructor
#
# A model trained with sinusoids on 512 tokens fails on 1,000. "But sinusoids extrapolate," a colleague says. Use $M$ to explain
# what extrapolates, what doesn't, and why.
#
# <details><summary>Hint</summary>
# Split M as in the figure. What does each part give for two rows δ apart?
# </details>
# <details><summary>Bigger hint</summary>
# Which rows did M see in training?
# </details>

# %% [markdown] name="learned_or_fixed" exercise="learned_or_fixed"
# <!-- BEGIN ANSWER -->
# The formula gives a row for every position, and the same rotation R(δ) leads from any row to the row δ later, at 700 as at 7.
# So the part of M that rotates and scales each pair gives scores that depend on the offset alone, and it works at 1,000 as well
# as at 512. But training does not require that form. It only requires good scores on rows 0 to 511, so M can keep other entries
# that do no harm there. On rows that M never saw, those entries give scores that were never trained, and they can outweigh the
# right one. In the experiment 97 percent of M was rotation, and the other 3 percent lowered the fraction correct at 128 words
# from 1.00 to 0.90. So the rotation extrapolates, if the model has learned it and nothing else. Sinusoids guarantee that the
# rows exist, not that the model can read them. Random starts help because M then sees those rows in training.
# <!-- END ANSWER -->

# %% [markdown] name="learned_or_fixed_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: what extrapolates. The rows beyond 511 exist, and the same rotation R(δ) leads from each row to the row δ later. So
#   the part of M that rotates (and scales) gives scores that depend on the offset alone, at any position.
# - 1 point: what doesn't. Training fits M only to the rows it sees, so on new rows the rest of M gives untrained scores. A row
#   can exist without the model being able to read it. (Random starts, or 1.00 with the rotations alone, count as evidence.)

# %% [markdown] name="read_head_task"
# ## Without a check: read a head
#
# ●●○ · essential · 5 minutes · 1 point, graded after you hand in
#
# You get another head's $M$: a strong or weak rotation in each diagonal block, and a little noise everywhere. Write
# `read_head(m)`. It returns how far that head looks back, a whole number from -12 to 12, negative if it looks ahead. `m` has
# shape `(d, d)`.
#
# <details><summary>Hint</summary>
# How can you turn M into a matrix with a row and a column for each position?
# </details>
# <details><summary>Bigger hint</summary>
# Which positions have at least 12 before them and 12 after?
# </details>

# %% name="read_head" exercise="read_head"
def read_head(m):
    """How far a head with scores PE M PEᵀ looks back; negative if it looks ahead.

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
# **Sources**: ["Attention Is All You Need"](https://arxiv.org/abs/1706.03762), 2017 (where learned tables did equally
# well) · ["RoFormer: Enhanced Transformer with Rotary Position Embedding"](https://arxiv.org/abs/2104.09864), 2021.
#
# **Next**: [07 · Precision and cost](07_precision_and_cost.ipynb): how far can float32 count?

# %% [markdown] name="done"
# ## What you can do now
#
# - Show when attention is blind to order, and fix that.
# - Build the rotation that looks back, by hand and with RoPE.
# - Read from $M$ what a head learned.
