"""Define courses, labs and exercises, and where a course keeps its files."""

import logging

# Silence Matplotlib's message about building its font cache, which a notebook would show in red. A course imports this package
# before Matplotlib. This is not in labkit/__init__.py, because Ctrl-C while that imports logging would print a traceback.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
