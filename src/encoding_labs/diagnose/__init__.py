"""Name the mistake in anybody's positional encoding: `python -m encoding_labs.diagnose FILE.py:FUNCTION`."""
