# %% [markdown] name="title"
# # 01 · Spread
#
# **Time** 15 minutes · **You need** Python functions
#
# After this lab you can measure how far values typically are from their mean, in the same unit as the values.

# %% name="setup"
import my_labs.spread  # tells check() which lab this is
import numpy as np

from labkit.notebook import check, reveal, show

# %% [markdown] name="predict"
# ## Predict
#
# Three runners finish in 58, 60 and 62 seconds. How far are these times typically from their mean? Guess, in seconds.

# %% name="predict_spread"
guess = None  # your guess, in seconds

# %% [markdown] name="spread_text"
# ## Build
#
# The **spread** (the population standard deviation) of values $x_1 \dots x_n$ with mean $m$ is
#
# $$s = \sqrt{\frac{1}{n} \sum_i (x_i - m)^2}$$
#
# Write `spread(values)`. If there are no values, raise a `ValueError`.


# %% name="spread" exercise="spread"
def spread(values):
    """The root of the mean squared distance from the mean."""
    # BEGIN ANSWER
    if len(values) == 0:
        raise ValueError("the spread of no values is undefined")
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
# Work out the spread of 1 and 3, and of 1, 3 and 5, to two decimals.

# %% name="by_hand" exercise="by_hand"
# BEGIN ANSWER
by_hand = [1.00, 1.63]
# END ANSWER

# %% name="check_by_hand"
check("by_hand")

# %% [markdown] name="robust_text"
# ## Explain
#
# One of a hundred values is a thousand times too large. How does it change the spread, and why? (Two sentences; your instructor grades them.)

# %% [markdown] name="robust" exercise="robust"
# <!-- BEGIN ANSWER -->
# It dominates the spread: distances are squared, so the one large distance outweighs all the others together. The
# spread then describes that value and not the rest.
# <!-- END ANSWER -->

# %% [markdown] name="rubric" tags=["only-solution"]
# **Rubric.** 1 point: the spread becomes large. 1 point: because distances are squared.
