"""Functions that lab notebooks import: check, cheat_sheet, look, predict, quiz, reveal, show and use_style; scripts also run_cells."""

from labkit.student.notebook.examine import cheat_sheet, check
from labkit.student.notebook.figures import show, use_style
from labkit.student.notebook.guesses import predict, quiz, reveal
from labkit.student.notebook.look import look
from labkit.student.notebook.missing import run_cells, watch_cells

__all__ = ["cheat_sheet", "check", "look", "predict", "quiz", "reveal", "run_cells", "show", "use_style"]

watch_cells()
