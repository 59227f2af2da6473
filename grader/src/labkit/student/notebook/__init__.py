"""Functions that lab notebooks import: check, cheat_sheet, look, predict, quiz, reveal, show and use_style."""

from labkit.student.notebook.cells import watch_cells
from labkit.student.notebook.cheat_sheet import cheat_sheet
from labkit.student.notebook.examine import check
from labkit.student.notebook.figures import show, use_style
from labkit.student.notebook.look import look
from labkit.student.notebook.predict import predict, reveal
from labkit.student.notebook.quiz import quiz

__all__ = ["cheat_sheet", "check", "look", "predict", "quiz", "reveal", "show", "use_style"]

watch_cells()
