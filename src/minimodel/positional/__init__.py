"""Ways to give a model the position of a token."""
