"""A model small enough to read: the parts the labs rely on."""
