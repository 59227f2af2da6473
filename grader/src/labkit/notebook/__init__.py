"""What a lab imports, in one line: `from labkit.notebook import check, look, quiz, reveal, show, use_style`."""

from labkit.notebook.cells import watch_cells
from labkit.notebook.examine import check
from labkit.notebook.figures import show, use_style
from labkit.notebook.look import look
from labkit.notebook.predict import reveal
from labkit.notebook.quiz import quiz

__all__ = ["check", "look", "quiz", "reveal", "show", "use_style"]

watch_cells()
