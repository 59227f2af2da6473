# %% [markdown]
# # Positions on a clock
#
# Attention does not know which token came first. Sinusoidal positional encoding adds this information with a row of clocks:
# each position sets their hands, and the hands give a row of numbers.

# %%
from encoding_labs.clock import clock

clock()

# %% [markdown]
# In seven labs you build this table, see what a picture of it hides, prove that a shift is a rotation, measure what the
# encoding does and does not do, and watch a head learn to use it. After each exercise the lab checks your answer and, if it
# is wrong, names the mistake.
#
# Open a lab in the browser; there is nothing to install. It runs on your own computer, and your work stays in this browser
# until you press **Download your notebook**. Submit that file.
