"""Define courses, labs and exercises, and where a course keeps its files."""

import logging

# On its first import in a browser or on a new computer, Matplotlib would print in red that it builds a font cache. A course imports
# this package before Matplotlib. In labkit/__init__.py, Ctrl-C during the import of logging would print a traceback.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
