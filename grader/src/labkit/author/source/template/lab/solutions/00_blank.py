# %% [markdown] name="title"
# # 00 · Blank
#
# **Time** REPLACE minutes · **You need** REPLACE
#
# REPLACE: what students can do after this lab.

# %% name="setup"
import my_labs.blank  # tells check() which lab this is

from labkit.notebook import check

# %% [markdown] name="blank_example_text"
# ## REPLACE: an example
#
# Write `blank_example(values)`: the largest value minus the smallest.

# %% name="blank_example" exercise="blank_example"
def blank_example(values):
    """The largest value minus the smallest."""
    # BEGIN ANSWER
    return max(values) - min(values)
    # END ANSWER

# %% name="check_blank_example"
check("blank_example")
