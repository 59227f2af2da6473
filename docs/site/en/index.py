# %% [markdown]
# # Positions on a clock
#
# Attention does not know which token came first. Sinusoidal positional encoding adds this information with a row of clocks:
# each position sets their hands, and the hands give a row of numbers.

# %%
from encoding_labs.clock import clock

clock()

# %% [markdown]
# In eight labs you build this table, see what a picture of it hides, prove that a shift is a rotation, measure what the
# encoding does and does not do, and watch a head learn to use it. After each exercise the lab checks your answer and, if it
# is wrong, names the mistake.
#
# ## Before you start
#
# - **For whom?** You write Python with NumPy, and know sine, cosine and the matrix product. You need no knowledge of
#   transformers: the labs explain the attention that they use.
# - **How long?** 35 to 40 minutes for each lab, about five hours for all eight. Seven labs have a second helping of 20
#   to 40 minutes.
# - **What first?** Start with [01 · Build the table](labs/01_build_the_table.ipynb) and go on in order: each lab builds on earlier
#   ones, and says on which.
# - **What do I need?** A browser. Open a lab there: it runs on your own computer, and your work stays in this browser until
#   you press **Download your notebook**. Submit that file.
#
# Or only read: each lab's page shows its text, its code and its figures.
