# %% [markdown] name="title"
# # 08 · A head that learns to look back
#
# A head looks for the word three places back. Its query is the table's row of position $p$, turned back by 3 positions on
# every clock; its keys are the rows of all positions. Run the cell below. At which key do the hands meet on **every** clock?
#
# A head that learns starts with a matrix of zeros. How long does it take to find these turns by itself?
#
# <details><summary><b>Goals and time</b> (click to unfold)</summary>
#
# **Time** 40 minutes, and 20 for the second helping · **Difficulty** ★★☆ · **You need**
# [03 · Rotation proof](03_rotation_proof.ipynb) and [06 · Order for attention](06_order_for_attention.ipynb)
#
# After this lab you can
#
# 1. compute from a table, in one product, a matrix that turns every pair by the right angle;
# 2. build a head that looks back, by hand and with rotary encoding;
# 3. explain what a head learns from positions, and which part of that works on longer texts.
#
# </details>

# %% name="setup"
# In Colab, first run: %pip install encoding-labs==0.1.0
import numpy as np

from encoding_labs import sliders
from encoding_labs.clock import clock
from encoding_labs.look_back import figures, guesses, learning, questions
from encoding_labs.tokens import embed
from labkit.notebook import cheat_sheet, check, look, predict, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style(language="en")
clock(back=3)

# %% [markdown] name="why"
# ## Why
#
# In lab 03 a shift turned out to be a rotation, $PE(p+\delta)=R(\delta)\,PE(p)$, which turns pair $k$ by $\delta\,\omega_k$:
#
# $$\begin{pmatrix}\cos\delta\omega_k&\sin\delta\omega_k\\-\sin\delta\omega_k&\cos\delta\omega_k\end{pmatrix}.$$
#
# So a head can **look for a position**. Let it score query $p$ for key $q$ by $PE(p)^\top M\,PE(q)$, where $M$ has shape
# $(d, d)$. With $M=R(\delta)$, key $p-\delta$ gets the highest score. Ours isn't given $R$: it starts with $M=0$ at $d=32$. In each
# **step** it reads 16 texts of 32 random words and names, for each word from position 3 on, the one three places back. Then
# gradient descent changes $M$ a little, so that the right words become likelier.
#
# ## Predict
#
# 1. The turn in a 2 × 2 block is that of its rotation, as in lab 03. Training takes 1,000 steps. After how many does $M$ turn
#    each of the first four pairs by $3\,\omega_k$, to within 2 degrees?
# 2. Which picture shows the upper left corner of $M$ after training?

# %% name="predict_guesses"
guess_steps = None  # 1: your guess, a number of steps; never graded
guess_m = None  # 2: your guess: "A", "B", "C" or "D"
predict(guesses.M)

# %% [markdown] name="one_look_task"
# ## Build: one look at the table
#
# ●○○ · essential · 6 minutes · 2 points
#
# First do without gradients. Each position $p\ge\delta$ is an example of looking back: its query is row $p$, and the right
# key is row $p-\delta$. As in lab 03, one example gives the matrix $PE(p)\,PE(p-\delta)^\top$. Add up those of all examples:
#
# $$M=\sum_{p=\delta}^{T-1}PE(p)\,PE(p-\delta)^\top.$$
#
# Write `one_look(pe, offset)`. It returns $M$, of shape `(d, d)`. `pe` is any array of shape `(T, d)`, and `offset` is a
# whole number from 1 to $T-1$. Three lines are enough.
#
# <details><summary>Hint</summary>
# Which rows of pe are queries, and which are their keys? Make an array of each, both of shape (T - offset, d).
# </details>
# <details><summary>Bigger hint</summary>
# A sum of outer products is a single matrix product. Which of your two arrays comes first, and which one is transposed, if
# the result is to have shape (d, d), with a row for each dimension of the query?
# </details>

# %% name="one_look" exercise="one_look"
def one_look(pe, offset):
    """The sum of PE(p) PE(p - offset)ᵀ over all positions p from offset on.

    pe: an array of shape (T, d). offset: a whole number from 1 to T - 1.
    Returns an array of shape (d, d): row i belongs to dimension i of the query.
    """
    # BEGIN ANSWER
    queries = pe[offset:]
    keys = pe[:-offset]
    return queries.T @ keys
    # END ANSWER

# %% name="check_one_look"
check("one_look")

# %% [markdown] name="see_film_text"
# ### See it
#
# The film below shows a head that learns. On each clock the solid hand is the turn in that pair's block of $M$; the longer
# the hand, the stronger the block. The dashed hand is the turn in the $M$ of **your** `one_look`. Beside them is the head's
# attention in a text of 128 words: a row for each query, a column for each key. Go back to step 0 and move on by the arrow
# keys: when do the hands find their angle, and what do all later steps do?

# %% name="see_film"
learning.film(one_look)
reveal(guess_steps, guesses.STEPS)

# %% name="see_matrix"
learning.matrix(one_look)
reveal(guess_m, guesses.M)

# %% [markdown] name="look_back_task"
# ## Build: a head that looks back
#
# ●●○ · essential · 9 minutes · 2 points
#
# Now give a head the exact turns. The gain sets how sharply it focuses:
#
# $$\text{weights}=\text{softmax}\big(\text{gain}\cdot PE\,R(-\delta)^\top PE^\top\big).$$
#
# Write `look_back(pe, offset, gain)`. It returns these weights, of shape `(T, T)`. Don't use a mask, and don't divide by
# $\sqrt d$. `pe` is any array of shape `(T, d)`. The first lines are written: fill the 2 × 2 blocks of `back`, as in lab 03's
# `shift_matrix`. You can copy the softmax from lab 06.
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
    d = pe.shape[1]
    one, two = np.arange(0, d, 2), np.arange(1, d, 2)  # the columns of each pair
    omega = 10000.0 ** (-one / d)
    back = np.zeros((d, d))  # will be R(-offset)
    # BEGIN ANSWER
    angle = -offset * omega
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
# The first three rows have no token three positions back. But their weights must still add up to 1, so position 0, the
# nearest to where they look, gets the most: 15 percent of row 0's weight at gain 1, 65 at gain 4. Such a head can't answer
# "nowhere".

# %% name="see_look_back"
figures.looking_back(look_back)

# %% [markdown] name="experiment"
# ## Experiment: what carries over to longer texts?
#
# Your `look_back` works at any position. Do heads that learn get there too? Five of them train on texts of 32 words, from a
# vocabulary of 8, and are then tested on 128 words (chance: 0.125):
#
# - **no positions**: $P$ is zero in the scores $PMP^\top$;
# - **learned table**: $P$ is learned too, but rows from 32 on stay untrained;
# - **sinusoidal**: $P=PE$, the head of the film;
# - **sinusoidal, random starts**: each text starts at a random position, 0 to 96;
# - **rotary**: the query is $R(p)\,u$ with a learned $u$, the key $R(q)\,PE(0)$.
#
# At 128 words the sinusoidal head is right 0.90 of the time. Keep only the rotations in the diagonal blocks of its $M$, and
# set all other entries to 0. What fraction is right then?

# %% name="predict_experiment"
guess_rotations = None  # a fraction from 0 to 1

# %% name="see_curves"
learning.curves(look_back)
reveal(guess_rotations, guesses.ROTATIONS)

# %% [markdown] name="learned_or_fixed_task"
# ## Explain
#
# ●●○ · essential · 6 minutes · 2 points, graded by your instructor
#
# A model trained with sinusoids on 512 tokens fails on 1,000. "But sinusoids extrapolate," a colleague says. Use $M$ to explain
# what extrapolates, what doesn't, and why. Three or four sentences are enough.
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
# right one. In the experiment the rotations had 97 percent of M's sum of squares, and the rest lowered the fraction correct
# at 128 words from 1.00 to 0.90. So the rotation extrapolates, if the model has learned it and nothing else. Sinusoids guarantee that the
# rows exist, not that the model can read them. Random starts help because M then sees those rows in training.
# <!-- END ANSWER -->

# %% [markdown] name="learned_or_fixed_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: what extrapolates. The rows beyond 511 exist, and the same rotation R(δ) leads from each row to the row δ later. So
#   the part of M that rotates (and scales) gives scores that depend on the offset alone, at any position.
# - 1 point: what doesn't. Training fits M only to the rows it sees, so on new rows the rest of M gives untrained scores. A row
#   can exist without the model being able to read it. (Random starts, or 1.00 with the rotations alone, count as evidence.)

# %% name="cheat_sheet"
cheat_sheet("08")

# %% [markdown] name="rope_task"
# ## Second helping: turn instead of add
#
# The heart of the lab ends here. The rest has points too, and can wait for another day.
#
# ●●○ · useful · 9 minutes · 2 points
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
# Cat at p scores mat at p - 5, for p from 5 to 64: with both turned, with only the query
# turned, and with the table added to both. Which of these scores is the same at every p?
figures.relative(rope)

# %% [markdown] name="read_head_task"
# ## Without a check: read a head
#
# ●●○ · useful · 5 minutes · 1 point, graded after you hand in
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
# ## Four quick questions
#
# True or false? Answer in the cell.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None})  # True or False

# %% [markdown] name="stretch"
# ## Stretch
#
# Give `look_back` a causal mask. Which row changes most? Then raise the gain below: apart from $p-3$, which keys keep their
# weight longest?

# %% name="see_gain"
sliders.gain()

# %% [markdown] name="after"
# ## After 08
#
# This is the last lab. On the course site, the page "Where it lives now" shows what became of the table. Further reading, by topic:
#
# - **Rotating queries and keys in place of adding a table**: ["RoFormer: Enhanced Transformer with Rotary Position
#   Embedding"](https://arxiv.org/abs/2104.09864), Jianlin Su et al., 2021. It uses the same angles, so it needs the
#   same precision.
# - **Longer texts than in training**: ["Train Short, Test Long: Attention with Linear Biases Enables Input Length
#   Extrapolation"](https://arxiv.org/abs/2108.12409), Ofir Press, Noah A. Smith and Mike Lewis, 2021, who found that
#   sinusoids extrapolate poorly; ["YaRN: Efficient Context Window Extension of Large Language
#   Models"](https://arxiv.org/abs/2309.00071), Bowen Peng et al., 2023.
# - **No encoding at all**, under a causal mask: ["Transformer Language Models without Positional Encodings Still Learn
#   Positional Information"](https://arxiv.org/abs/2203.16634), Adi Haviv et al., 2022; ["The Impact of Positional
#   Encoding on Length Generalization in Transformers"](https://arxiv.org/abs/2305.19466), Amirhossein Kazemnejad et
#   al., 2023.
# - **Coordinates instead of positions**: ["Fourier Features Let Networks Learn High Frequency Functions in Low
#   Dimensional Domains"](https://arxiv.org/abs/2006.10739), Matthew Tancik et al., 2020.

# %% [markdown] name="done"
# ## What you can do now
#
# - Find every turn that a head needs in one product of the table with itself.
# - Build the rotation that looks back, by hand and with RoPE.
# - Read from $M$ what a head learned, and say which part of it works on longer texts.
