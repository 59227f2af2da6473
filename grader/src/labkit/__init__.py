"""Create, check and grade labs in Jupyter notebooks."""

import logging

# The first import in a browser or on a new computer would otherwise print in red that it builds a font cache.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
