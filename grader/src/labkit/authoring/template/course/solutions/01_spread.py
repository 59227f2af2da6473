# %% [markdown] name="title"
# # 01 · Spread
#
# **Time** 15 minutes · **You need** Python functions
#
# After this lab you can say how far values lie from their mean, in the values' own unit.

# %% name="setup"
import my_labs.spread  # what check() asks about
import numpy as np

from labkit.notebook import check, reveal, show

# %% [markdown] name="predict"
# ## Predict
#
# Three runners need 58, 60 and 62 seconds. How far do they lie from their mean, typically? Write a guess, in seconds.

# %% name="predict_spread"
guess = None  # your guess, in seconds

# %% [markdown] name="spread_text"
# ## Build
#
# The **spread** (the population's standard deviation) of values $x_1 \dots x_n$ with mean $m$ is
#
# $$s = \sqrt{\frac{1}{n} \sum_i (x_i - m)^2}$$
#
# Write `spread(values)`. No values have no spread: raise a `ValueError` then.

# %% name="spread" exercise="spread"
def spread(values):
    """The root of the mean squared distance from the mean."""
    # BEGIN ANSWER
    if len(values) == 0:
        raise ValueError("no values have no spread")
    distances = np.asarray(values) - np.mean(values)
    return float(np.sqrt(np.mean(distances**2)))
    # END ANSWER

# %% name="check_spread"
check("spread")

# %% name="reveal_spread"
reveal(guess, 1.633, "seconds")

# %% [markdown] name="by_hand_text"
# ## By hand
#
# Work out the spread of 1, 3 and of 1, 3, 5, with two decimals.

# %% name="by_hand" exercise="by_hand"
# BEGIN ANSWER
by_hand = [1.00, 1.63]
# END ANSWER

# %% name="check_by_hand"
check("by_hand")

# %% [markdown] name="robust_text"
# ## Explain
#
# One of a hundred values is a thousand times too large. What does it do to the spread, and why? (Two sentences; read by your instructor.)

# %% [markdown] name="robust" exercise="robust"
# <!-- BEGIN ANSWER -->
# It dominates it: distances are squared, so the one large distance outweighs all the others together. The spread then
# tells about that value and nothing about the rest.
# <!-- END ANSWER -->

# %% [markdown] name="rubric" tags=["only-solution"]
# **Rubric.** 1 point: the spread becomes large. 1 point: because distances are squared.
