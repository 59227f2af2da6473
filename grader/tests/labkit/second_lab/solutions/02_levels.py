# %% [markdown] name="title"
# # 02 · Levels
#
# Which values occur, and what do they look like?

# %% name="setup"
import matplotlib.pyplot as plt
import numpy as np
import tiny_labs.levels  # tells check() which lab this is
from ruler.measure import spread

from labkit.notebook import check, reveal, show, use_style

use_style()

# %% name="predict_levels"
reveal(None, 2, "levels")

# %% name="spread_of_levels"
print(round(spread([1, 3]), 3))


# %% name="levels" exercise="levels"
def levels(values):
    """The different values in ascending order, as an array."""
    # BEGIN ANSWER
    return np.unique(values)
    # END ANSWER


# %% name="check_levels"
check("levels")

# %% name="see_levels"
levels([3.0, 1.0, 3.0])


# %% name="draw_levels" exercise="draw_levels"
def draw_levels(values, ax):
    """Draw the values on the Axes as one line."""
    # BEGIN ANSWER
    ax.plot(values, label="values")
    # END ANSWER


# %% name="check_draw_levels"
check("draw_levels")

# %% name="show_levels"
figure, ax = plt.subplots()
ax.plot([1, 2])
show(figure, alt="a line that rises")

# %% [markdown] name="meaning" exercise="meaning"
# <!-- BEGIN ANSWER -->
# A level is a value that occurs at least once.
# <!-- END ANSWER -->
