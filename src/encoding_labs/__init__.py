"""The labs on sinusoidal positional encoding: a folder for each."""
