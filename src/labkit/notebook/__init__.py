"""What a lab imports, in one line: `from labkit.notebook import check, reveal, show`."""

from labkit.notebook.examine import check
from labkit.notebook.figures import show, use_style
from labkit.notebook.predict import reveal

__all__ = ["check", "reveal", "show", "use_style"]
