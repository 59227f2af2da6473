"""Functions for lab notebooks: `from labkit.notebook import check, cheat_sheet, look, predict, quiz, reveal, show, use_style`.

`parameters` returns the values that a lab draws for each student.
"""

from labkit.notebook.cells import watch_cells
from labkit.notebook.cheat_sheet import cheat_sheet
from labkit.notebook.examine import check
from labkit.notebook.figures import show, use_style
from labkit.notebook.look import look
from labkit.notebook.parameters import parameters
from labkit.notebook.predict import predict, reveal
from labkit.notebook.quiz import quiz

__all__ = ["cheat_sheet", "check", "look", "parameters", "predict", "quiz", "reveal", "show", "use_style"]

watch_cells()
