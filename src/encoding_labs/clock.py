"""Clocks with hands that turn with the position, drawn and animated by the browser."""

from __future__ import annotations

from encoding_labs.browser import show_scene

MOST = 16  # dimensions: eight clocks fill a row


def clock(
    *,
    d: int = 8,
    last: int = 63,
    shift: int | None = None,
    base: int | None = None,
    back: int | None = None,
    language: str | None = None,
) -> None:
    """Show a row of clocks, one for each pair of dimensions.

    d: an even number of dimensions, at most 16. last: the last position, from 8 to 127.
    shift: show two hands on each clock, at p and at p + shift. back: show a query turned back by this offset, and a key.
    base: show a slider for the base, which starts at this value, and mark where each hand is back at 12.
    Use at most one of shift, base and back; without them, each position's row of the table is shown.
    """
    if not (isinstance(d, int) and 2 <= d <= MOST and d % 2 == 0):
        raise ValueError(f"d is {d!r}; clocks are drawn for an even d from 2 to {MOST}")
    if not (isinstance(last, int) and 8 <= last <= 127):
        raise ValueError(f"last is {last!r}; it must be from 8 to 127")
    chosen = {name: value for name, value in (("shift", shift), ("base", base), ("back", back)) if value is not None}
    if len(chosen) > 1:
        raise ValueError(f"choose one of {' and '.join(chosen)}")
    if shift is not None:
        show_scene("shift", language, d=d, shift=_within("shift", shift, -20, 20))
    elif base is not None:
        show_scene("base", language, d=d, base=_within("base", base, 10, 1_000_000), last=127)
    elif back is not None:
        show_scene("back", language, d=d, back=_within("back", back, 1, 20), last=40)
    else:
        show_scene("clock", language, d=d, last=last)


def _within(name: str, value: int, least: int, most: int) -> int:
    if not (isinstance(value, int) and least <= value <= most):
        raise ValueError(f"{name} is {value!r}; it is a whole number from {least:,} to {most:,}")
    return value
