"""Sentences to type, tables and curves with sliders, computed and drawn by the browser."""

from encoding_labs.browser import show_scene


def sentence(*, language: str | None = None) -> None:
    """Show attention's result for each word of a sentence that readers type and shuffle."""
    show_scene("sentence", language, d=6, last=9)


def three_colourings(*, language: str | None = None) -> None:
    """Show a table and its twin with one of three bugs, each in three colourings. Each colouring hides one bug."""
    show_scene("bugs", language, d=16, last=23)


def rows_in_float32(*, language: str | None = None) -> None:
    """Show the rows around 2**24 as float32 computes them at d = 8, below clocks that show where the hands should be."""
    show_scene("float32", language, d=8, row=2**24 + 1)


def three_back(*, language: str | None = None) -> None:
    """Show the weights that a head which looks 3 places back gives the words of a sentence that readers type."""
    show_scene("three", language, d=32, back=3, gain=2)


def anchor_and_offset(*, language: str | None = None) -> None:
    """Show the similarity of 64 positions to an anchor at d = 32, and mark the two positions an offset away from it."""
    show_scene("anchor", language, d=32, T=64, anchor=20, offset=7)


def base_and_d(*, language: str | None = None) -> None:
    """Show similarity against offset, with sliders for the base and for the number of dimensions."""
    show_scene("size", language, base=10_000, d=32)


def gain(*, language: str | None = None) -> None:
    """Show the attention weights of one position for a head that looks 3 positions back, at T = 64 and d = 32."""
    show_scene("gain", language, d=32, T=64, back=3, gain=1, p=20)
