# %% [markdown] name="title"
# # 06 · Order for attention
#
# **Time** 75 minutes · **Difficulty** ★★☆ · **You need** [03 · Rotation proof](03_rotation_proof.ipynb) and
# [05 · Base sweep](05_base_sweep.ipynb)
#
# After this lab you can
#
# 1. say when attention is blind to order, and show it;
# 2. add positions to words, keep the two in balance, and take the scores apart into what each contributes;
# 3. build a head that looks back by a fixed offset, and turn queries and keys so that scores depend on the offset alone.

# %% [markdown] name="why"
# ## Why
#
# Five labs were about a table of numbers. What is it for? For **attention**, which compares tokens and mixes them:
#
# $$\text{attention}(X) = \text{softmax}\Big(\frac{X X^\top}{\sqrt d}\Big)\, X.$$
#
# $X$ has one row per token, and $d$ columns. Entry $(p, q)$ of $X X^\top / \sqrt d$ is the **score** of token $p$ for token
# $q$. The softmax turns row $p$ of the scores into **weights**, which are positive and add up to 1:
#
# $$w_{pq} = \frac{e^{s_{pq}}}{\sum_{q'} e^{s_{pq'}}}, \qquad \text{and row } p \text{ of the output is } \sum_q w_{pq}\, x_q.$$
#
# A real layer makes queries, keys and values from $X$ with three matrices of its own. Here all three are $X$ itself. The
# rows of the score matrix belong to the queries, its columns to the keys.
#
# Letters as in all labs: $T$ positions, $d$ dimensions, $p$ and $q$ positions from 0, $k$ the index of a pair of columns,
# δ (`offset`) a distance in positions, $\omega_k = 10000^{-2k/d}$.

# %% name="setup"
import numpy as np

from encoding_labs.order_for_attention import figures, guesses, questions
from encoding_labs.order_for_attention.tokens import embed
from labkit.notebook import check, look, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style()

# %% [markdown] name="predict"
# ## Predict
#
# "The cat sat on the mat" and "the mat sat on the cat" have the same words in another order, and another meaning. Give each
# to attention, as the formula above has it, without any positions. For how many of the six words does the output differ
# between the two sentences?
#
# Second: a head is to look 3 positions back, among 64 positions. The query of token $p$ is row $p - 3$ of the table (lab 03
# turns row $p$ into it), the keys are the rows themselves, at $d = 32$, and the softmax takes the dot products as they are,
# undivided. From $p = 3$ on, token $p$ gives more weight to token $p - 3$
# than to any other. How much is that, for the token that gives it least? Write a share from 0 to 1. Nobody grades either
# guess.

# %% name="predict_two"
guess_changed = None  # your guess, a number of words from 0 to 6
guess_looking = None  # your guess, a share from 0 to 1

# %% [markdown] name="attention_task"
# ## Build: attention
#
# ●○○ · essential · 8 minutes · 2 points
#
# Write `attention(x)` as in the formula under *Why*: no mask, no matrices besides `x`. `x` is an array of shape `(T, d)`, and
# so is the result. In this lab an array may be float32 or float64, and an argument is left as it came.
#
# `embed("dog bites man", 8)` gives you an array to try: a row for each word, in place of what a model would learn. The same word
# has the same row wherever it stands. If the check finds a mistake and you cannot see it, `look("attention")` draws yours
# beside what is asked for; that works for every function that returns arrays.
#
# <details><summary>Hint</summary>
# Three steps, each a line: scores of shape (T, T), weights of shape (T, T), output of shape (T, d). Print the sum of each
# row of your weights.
# </details>
# <details><summary>Bigger hint</summary>
# <code>sum(axis=1, keepdims=True)</code> keeps the sums a column, so that each row is divided by its own. Without
# <code>keepdims</code> each column would be divided by one of them, and no error would tell you.
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
# Each picture has a row for each word's output, at $d = 16$. (The words were multiplied by 4; why, you will see soon.) Find
# "cat" in both, then "mat". `??figures.order_blind` shows how a picture is made.

# %% name="see_blind"
figures.order_blind(attention)
reveal(guess_changed, guesses.CHANGED)

# %% [markdown] name="see_causal_text"
# Say in a sentence what this attention knows of the order of its tokens. (Recurrent and convolutional networks are not so:
# there the order is in the wiring.)
#
# Now a **causal mask**, which models that write text from left to right have: a token sees only itself and the tokens before
# it. Its output is then the last row of `attention` applied to the text up to there. Which words will differ now?

# %% name="see_causal"
figures.causal(attention)

# %% [markdown] name="add_positions_task"
# ## Build: add positions
#
# ●○○ · essential · 6 minutes · 2 points
#
# Give every token a mark of its place: add the table's row $p$ to the word at position $p$. Before that, multiply the words
# by a number:
#
# $$X = \text{scale} \cdot E + PE.$$
#
# Write `add_positions(embeddings, scale)`. `embeddings` has shape `(T, d)` with even `d`; the result has the same shape.
# The table is `sinusoidal_pe(T, d)`, the locked one.
#
# <details><summary>Hint</summary>
# Which T and which d does the table need? Both stand in one attribute of the array that came in.
# </details>
# <details><summary>Bigger hint</summary>
# The scale belongs to one of the two. Try <code>scale=0</code> in your head: what should be left?
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
# First the experiment from above, with positions and without a mask. Then the question of **balance**. Every row of $PE$
# has the length $\sqrt{d/2}$. The rows of `embed` have length 1, as where a model starts from entries with a standard deviation
# of $1/\sqrt d$. So at $d = 16$ the position is 2.8 times as long as the word, and at $d = 512$ it is 16 times. With the
# scale $\sqrt d$ a word is $\sqrt 2$ times as long as its position, for every $d$. Vaswani et al. (2017) multiply by
# $\sqrt d$ and give no reason; this is what it does to the balance.

# %% name="see_balance"
figures.ordered(attention, add_positions)
figures.balance(add_positions)

# %% [markdown] name="score_parts_task"
# ## Build: what the scores become
#
# ●●○ · essential · 8 minutes · 2 points
#
# With $X = E + P$ (a scale is in $E$ already) the scores fall into four parts:
#
# $$\frac{X X^\top}{\sqrt d} = \frac{E E^\top + E P^\top + P E^\top + P P^\top}{\sqrt d}.$$
#
# Write `score_parts(embeddings, pe)`: these four arrays of shape `(T, T)`, in this order, as a tuple, a list or one array
# of shape `(4, T, T)`. Their names are content-content, content-position, position-content and position-position; the
# first word is the query's side, the rows. Each is divided by $\sqrt d$, so that they add up to the scores of `attention`.
# (The check also takes all four without the division.)
#
# <details><summary>Hint</summary>
# Multiply out (E + P)(E + P)ᵀ on paper. In content-position, whose rows stand on the left of the product?
# </details>
# <details><summary>Bigger hint</summary>
# Two of the four are each other's transpose. Which two, and why are they not equal?
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

# %% [markdown] name="see_parts_text"
# ### See it
#
# Which part knows that "the" stands there twice? Which one would be the same for any six words? The last is the Gram matrix
# of [lab 04](04_dot_product_decay.ipynb), divided by $\sqrt d$: one value on each diagonal.

# %% name="see_parts"
figures.parts(score_parts)

# %% [markdown] name="look_back_task"
# ## Build: a head that looks back
#
# ●●● · essential · 12 minutes · 2 points
#
# In lab 03 a shift became a matrix: $PE(p + \delta) = R(\delta)\,PE(p)$, where the pair $k$ turns by $\delta\,\omega_k$,
#
# $$\begin{pmatrix} \cos\delta\omega_k & \sin\delta\omega_k \\ -\sin\delta\omega_k & \cos\delta\omega_k \end{pmatrix}$$
#
# on columns $2k$ and $2k + 1$. So a head can **ask for a place**. Its query is the row of position $p$, turned back by
# $\delta$: the row of $p - \delta$. Its keys are the rows as they are, and lab 04 says which of them that query fits best. A
# number, the gain, says how sharply it looks:
#
# $$\text{weights} = \text{softmax}\big(\text{gain} \cdot PE\; R(-\delta)^\top PE^\top\big).$$
#
# Write `look_back(pe, offset, gain)`: these weights, an array of shape `(T, T)` whose rows add up to 1. There is no
# division by $\sqrt d$ here (it is in the gain), and no mask. `pe` is any array of shape `(T, d)` with even `d`; what turns
# its rows is always the $R$ above, with base 10,000. Build it here; you may copy yours from lab 03.
#
# <details><summary>Hint</summary>
# The rows of <code>pe @ R.T</code> are R times each row of pe. Which row should row 10 come near to, with offset 3?
# </details>
# <details><summary>Bigger hint</summary>
# Start with gain 1 and <code>argmax(axis=1)</code> of the scores: for p from <code>offset</code> on it has to be
# p - offset. Only then add the softmax.
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
# Offset 3 at $T = 64$, $d = 32$. And the first three rows? Position 1 asks for position -2, which no token has. The turned
# query is there all the same, and the softmax hands out all of the weight. The largest share goes to where the dot product is
# largest, and that is position 0: of row 0's weight 15 percent at gain 1, and 65 at gain 4. A head of this kind cannot say
# "nobody".
#
# In a real layer nobody writes $R(-\delta)$ down; the matrices for queries and keys can become it.

# %% name="see_look_back"
figures.looking_back(look_back)
reveal(guess_looking, guesses.LOOKING)

# %% [markdown] name="rope_task"
# ## Build: turn instead of add
#
# ●●○ · essential · 10 minutes · 2 points
#
# If what counts is a rotation, why add anything? **Rotary** encoding (RoPE) leaves the words as they are and turns them: in
# the query at position $p$, and in the key at position $q$, pair $k$ turns by $p\,\omega_k$ and by $q\,\omega_k$. Since $R(p)^\top
# R(q) = R(q - p)$, their dot product is
#
# $$\big(R(p)\,x_p\big)\cdot\big(R(q)\,x_q\big) = x_p \cdot R(q - p)\,x_q,$$
#
# and the places are gone but for their difference. Values are not turned: they are averaged, not compared.
#
# Write `rope(x, positions)`: row $t$ of `x`, turned by $R(\text{positions}[t])$. `x` has shape `(T, d)` with even `d`;
# `positions` is an array of `T` whole numbers, in any order, and not always 0, 1, 2, …; the result has the shape of `x`.
# Pairs are columns $2k$ and $2k + 1$, and they turn in the sense of the matrix above: from the row $(0, 1, 0, 1, …)$ of
# position 0, `rope` makes the row of position $p$. Su et al. turn the other way. A score is then $x_p \cdot R(p - q)\,x_q$:
# another number, but again one in which only the offset counts, so both are right here. (Many libraries also pair column $i$
# with column $i + d/2$. That works too, when queries and keys do the same; this course interleaves.)
#
# <details><summary>Hint</summary>
# Angles have the shape (T, d/2): one for each row and pair. Take the even and the odd columns apart, and write down the
# two lines of the matrix.
# </details>
# <details><summary>Bigger hint</summary>
# Compute both new columns from the old ones before you store either. And test yourself:
# <code>rope(np.tile([0.0, 1.0], (64, 16)), np.arange(64))</code> is a table that you know.
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

# %% [markdown] name="see_rope_text"
# ### See it
#
# "Mat" stands 5 before "cat", and the two walk through the text together. What does the score of "cat" for "mat" do?

# %% name="see_rope"
figures.relative(rope, add_positions)

# %% [markdown] name="ways"
# ## Four ways, one paragraph each
#
# The fixed table that is added is one way to tell order. Others are:
#
# **Learned tables.** Gehring et al. (2017) add learned position vectors in a convolutional network. Vaswani et al. (2017)
# tried learned ones in place of the sinusoids and report nearly identical results. They kept the sinusoids because these
# *might* let a model go on to longer texts than it was trained on. A learned table costs $T \cdot d$ numbers and has $T$ rows.
#
# **Rotary (RoPE).** Su et al. (2021) turn queries and keys as you did, in every layer. Nothing is learned and nothing is added
# to the words. Scores carry the offset; the value that is passed on carries no place.
#
# **ALiBi.** Press et al. (2022) use no position vectors. They subtract from each score a number proportional to the distance
# of the two tokens, with a slope fixed for each head. They report that a model trained on texts of 1,024 tokens did as well
# at 2,048 as one with sinusoids that was trained on 2,048, and that sinusoids extrapolate poorly.
#
# **None at all.** Haviv et al. (2022) trained causal language models without any position code. They came close to
# ordinary ones, and the position could be read from their inner states: the mask alone lets a model count what came before.
# Kazemnejad et al. (2023) compared five ways in such models, on reasoning and mathematical tasks longer than those trained
# on; overall, no code at all did best. Neither result is about attention without a mask: you have seen what that does.

# %% [markdown] name="learned_or_fixed_task"
# ## Explain
#
# ●●○ · essential · 8 minutes · 2 points, graded by your instructor
#
# A model for texts of up to 512 tokens has $d = 768$. Its position table can be learned, or fixed by the formula. What does
# the learned one gain, and what does it cost, in numbers? Then a text of 600 tokens comes. What happens at position 512 with
# each of the two, and what does the formula promise there, and what not?
#
# <details><summary>Hint</summary>
# How many rows has each table? Who decided what stands in them?
# </details>
# <details><summary>Bigger hint</summary>
# That a row exists is one question. Whether the layers above have ever seen anything like it is another.
# </details>

# %% [markdown] name="learned_or_fixed" exercise="learned_or_fixed"
# <!-- BEGIN ANSWER -->
# The learned table can take whatever form the data reward; nothing of sine and cosine is presumed. It costs 512 · 768 =
# 393,216 parameters, and rows that occur seldom in training, the late ones, are trained little. In the comparison of Vaswani
# et al. both did about equally well. At position 512 the learned table has no row: the model stops, or one has to be invented
# that nobody has trained. The formula gives a row for every position, at no cost, different from all others, and the offset
# to each earlier token is still a rotation. That is all it promises. The model has never met this row nor the scores that
# it makes, so whether it works there is to be measured, and experiments with sinusoids found that it often works badly.
# <!-- END ANSWER -->

# %% [markdown] name="learned_or_fixed_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: gain and cost within the trained length: free form, fitted to the data, against 393,216 parameters (or 512 · 768)
#   and rows that need data to be trained; or that results were about equal.
# - 1 point: at position 512 the learned table has no row (or an untrained one), the formula has one; and that a row exists
#   does not mean that the model can use it.

# %% [markdown] name="joins"
# ## Where the labs meet
#
# | lab | what it gave | where you met it here |
# |---|---|---|
# | [01](01_build_the_table.ipynb) | the table, interleaved, position 0 first | the $P$ in $X = E + P$ |
# | [02](02_heatmap.ipynb) | to read it: fast columns left, slow columns right | why six tokens differ mostly in the first columns |
# | [03](03_rotation_proof.ipynb) | a shift is a rotation that does not know $p$ | the head that looks back; RoPE |
# | [04](04_dot_product_decay.ipynb) | the dot product depends on the offset alone | the position-position part; why the head's neighbours get weight |
# | [05](05_base_sweep.ipynb) | the base sets the longest wavelength | the same frequencies in `look_back` and `rope` |
#
# ## Five quick questions
#
# True or false? Write your answers into the cell and run it; each is explained at once.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True or False

# %% [markdown] name="cheat_sheet"
# ## Cheat sheet
#
# - **Attention** softmax(X Xᵀ / √d) X; X: (T, d), scores and weights: (T, T); row p belongs to the token that looks.
# - **Blind to order**: exchange rows of X, and the rows of the output are exchanged. Not under a causal mask.
# - **Adding** X = scale · E + PE, still (T, d). |PE(p)| = √(d/2): 2.83 at d = 16, 16 at d = 512.
# - **Balance** word length 1: scale 1 gives 1 : √(d/2), scale √d gives √2 : 1.
# - **Scores** of X = E + P: E Eᵀ + E Pᵀ + P Eᵀ + P Pᵀ, over √d.
# - **Looking back** softmax(gain · PE R(-δ)ᵀ PEᵀ): with δ = 3, T = 64, d = 32, gain 4 at least 0.885 of the weight is at
#   p - 3, for every p ≥ 3. For p < 3 most is at position 0.
# - **RoPE** x at p becomes R(p) x, queries and keys only: (R(p) x) · (R(q) y) = x · R(q - p) y.
# - **Three readings of one table**: clocks that turn; a counter whose digits change at different speeds; a rotation for
#   each offset.

# %% [markdown] name="stretch"
# ## Stretch
#
# 1. Turn the values too. Write attention with `rope` on queries, keys and values, and move a text as a whole by 100
#    positions: what changes in the output that should not?
# 2. Write ALiBi for one head: subtract `slope * abs(p - q)` from the scores. Let all else in them be 0, and $T = 64$. For
#    which slopes does a token give more than 0.01 of its weight to the one 10 positions before it?
# 3. Give `look_back` a causal mask. Which row changes most, and what becomes of row 0?
#
# **Sources**: "Attention Is All You Need", Vaswani et al., 2017 · "RoFormer: Enhanced Transformer with Rotary Position
# Embedding", Su et al., 2021 · "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
# Press, Smith and Lewis, 2022. The others above: "Convolutional Sequence to Sequence Learning", Gehring et al., 2017 ·
# "Transformer Language Models without Positional Encodings Still Learn Positional Information", Haviv et al., 2022 · "The
# Impact of Positional Encoding on Length Generalization in Transformers", Kazemnejad et al., 2023.
#
# **Next**: [07 · Precision and cost](07_precision_and_cost.ipynb) asks how far float32 can count, and how fast a table can be made.
