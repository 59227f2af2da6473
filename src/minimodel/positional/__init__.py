"""Ways to tell a model where a token stands."""
