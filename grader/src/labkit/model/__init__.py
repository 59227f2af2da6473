"""Define courses, labs and exercises, and where a course keeps its files."""

import logging

# A course imports this package before Matplotlib, whose first import in a browser or on a new computer would otherwise print in
# red that it builds a font cache. It is not in labkit/__init__.py, where an interrupt of the command would end in a traceback.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
