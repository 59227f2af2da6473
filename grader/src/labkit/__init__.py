"""What makes, checks and grades the labs."""

import logging

# At its first import in a browser or on a new computer it would say in red that it builds a cache of fonts.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
