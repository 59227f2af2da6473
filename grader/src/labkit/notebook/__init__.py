"""Functions that lab notebooks import: check, cheat_sheet, look, predict, quiz, reveal, show and use_style."""

from labkit.notebook.cells import watch_cells
from labkit.notebook.cheat_sheet import cheat_sheet
from labkit.notebook.examine import check
from labkit.notebook.figures import show, use_style
from labkit.notebook.look import look
from labkit.notebook.predict import predict, reveal
from labkit.notebook.quiz import quiz

__all__ = ["cheat_sheet", "check", "look", "predict", "quiz", "reveal", "show", "use_style"]

watch_cells()
