# %% [markdown] name="title"
# # 06 · Order for attention
#
# A head of attention reads a sentence. For each word, the **query**, it spreads a weight of 1 over all the words. This head
# always looks three places back. Run the cell below, type a sentence of your own, and move the query. Do the weights depend on
# the words? How could a head do this?
#
# <details><summary><b>Goals and time</b> (click to unfold)</summary>
#
# **Time** 40 minutes, and 5 for the second helping · **Difficulty** ★★☆ · **You need** [04 · Dot-product decay](04_dot_product_decay.ipynb)
#
# After this lab you can
#
# 1. show when attention is blind to order, and say why;
# 2. end this blindness by adding positions, and say what the scale of the words decides;
# 3. split a score into its four parts, and say which of them a head can use to look three places back.
#
# </details>

# %% name="setup"
# In Colab, first run: %pip install encoding-labs==0.1.0
import numpy as np

from encoding_labs import sliders
from encoding_labs.order_for_attention import figures, guesses, questions
from encoding_labs.tokens import embed
from labkit.notebook import cheat_sheet, check, look, predict, quiz, reveal, show, use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

use_style(language="en")
sliders.three_back()

# %% [markdown] name="why"
# ## Why
#
# The head above has been told where each word is. What does attention know without that? It compares and mixes tokens:
#
# $$\text{attention}(X)=\text{softmax}\Big(\frac{XX^\top}{\sqrt d}\Big)X.$$
#
# $X$ has one row per token. Entry $(p,q)$ of $XX^\top/\sqrt d$ is the **score** that token $p$, the query, gives token $q$, the
# key. The softmax turns each row of scores into **weights** that add up to 1: $w_{pq}=e^{s_{pq}}/\sum_{q'}e^{s_{pq'}}$. Output
# row $p$ averages the rows of $X$ with the weights in row $p$. A real layer makes queries, keys and values from $X$ with
# three learned matrices; here each is $X$ itself.

# %% [markdown] name="predict"
# ## Predict
#
# "The cat sat on the mat" and "the mat sat on the cat" have the same words in a different order. Run each through
# attention with a **causal mask**: a token sees only itself and earlier tokens. Which picture shows how far each word's output
# moves from one sentence to the other?

# %% name="predict_changed"
predict(guesses.CHANGED)
guess_changed = None  # your guess: "A", "B", "C" or "D"; never graded

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

# %% [markdown] name="see_ordered_text"
# ### See it
#
# The bars again, now with positions added and without a mask. Which words move?

# %% name="see_ordered"
figures.ordered(attention, add_positions)

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
# In the figure below, which part shows that "the" occurs twice? Which part would be the same for any six words, like the
# weights at the top of this lab?
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

# %% [markdown] name="order_from_mask_task"
# ## Explain
#
# ●●○ · essential · 6 minutes · 2 points, graded by your instructor
#
# A language model with a causal mask but without any positional encoding still learns the order of its tokens (Haviv and
# others, 2022). Without the mask it can't. Use the first bar chart to explain both.
#
# <details><summary>Hint</summary>
# Which rows does the output of the second word average, with the mask and without it?
# </details>
# <details><summary>Bigger hint</summary>
# A second layer gets the outputs of the first. Without a mask, what could it know about order that the first one didn't?
# </details>

# %% [markdown] name="order_from_mask" exercise="order_from_mask"
# <!-- BEGIN ANSWER -->
# With a causal mask the token at p averages only the rows 0 to p. So its output depends on which tokens came before it and
# on how many there were: cat moves by 0.45 when mat takes its place, and sat by 0.14, because another word came before it.
# Only the first token, which sees itself alone, does not move. Later layers can read the order from these outputs. Without
# the mask every token averages all rows, and an average is the same in any order: the weights go with the words. So if
# tokens are exchanged, their outputs are exchanged and nothing else changes, and the same holds for every further layer.
# <!-- END ANSWER -->

# %% [markdown] name="order_from_mask_rubric" tags=["only-solution"]
# **Rubric**, 2 points
#
# - 1 point: with the mask, a token averages only itself and what came before it, so its output depends on order. All bars
#   but that of the first word show this.
# - 1 point: without the mask, every output is an average of all rows, in which order does not matter. Exchanging tokens
#   exchanges outputs, in every layer.

# %% [markdown] name="see_balance_text"
# ## Second helping: the scale of the words
#
# The heart of the lab ends here. The rest has no points, and can wait for another day.
#
# A row of $PE$ has length $\sqrt{d/2}$; a row of `embed` has length 1. So a position is 2.8 times as long as its word at $d=16$,
# and 16 times at $d=512$. Vaswani et al. (2017) scale words by $\sqrt d$ without giving a reason. Words of length
# 1 are then $\sqrt2$ times as long as their positions, at every $d$. In the heatmaps, which rows are most alike at scale 1, and
# which at scale 4?

# %% name="see_balance"
figures.balance(add_positions)

# %% [markdown] name="quiz_text"
# ## Four quick questions
#
# True or false? Answer in the cell.

# %% name="quiz"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None})  # True or False

# %% name="cheat_sheet"
cheat_sheet("06")

# %% [markdown] name="stretch"
# ## Stretch
#
# Give your `attention` a causal mask. Which rows of the weights change, and by how much?
#
# **Sources**: ["Attention Is All You Need"](https://arxiv.org/abs/1706.03762), 2017 (where learned tables did equally
# well) · ["Transformer Language Models without Positional Encodings Still Learn Positional
# Information"](https://arxiv.org/abs/2203.16634), 2022.
#
# **Next**: [07 · Precision and cost](07_precision_and_cost.ipynb): how far can float32 count? In
# [08 · A head that learns to look back](08_look_back.ipynb) you build the head of the first picture, and watch one learn it.

# %% [markdown] name="done"
# ## What you can do now
#
# - Show when attention is blind to order, and say why.
# - Add positions, and choose the scale of the words.
# - Split a score into content and position.
