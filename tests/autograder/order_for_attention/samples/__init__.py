"""Sample answers to lab 06, order for attention."""
