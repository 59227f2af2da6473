"""How a lab shows a figure: one style, and always with its description in words."""

from __future__ import annotations

import base64
import html
import io
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from labkit.calls.kinds import PIXELS
from labkit.judging.finding import Finding
from labkit.judging.words import say
from labkit.notebook.cells import watch_cells
from labkit.notebook.language import spoken, use_language

STYLE = Path(__file__).with_name("labkit.mplstyle")
SOURCE = "data:image/png;base64,"  # begins an address that holds its picture
NO_PICTURES = "LABKIT_NO_PICTURES"  # set while grading, where a figure is judged by its Axes and never looked at


def use_style(*, language: str = "en") -> None:
    """Begin a lab: draw every figure in the style of the course, speak its language, and take an unwritten exercise for no error.

    While grading everything is English, as the reference outputs are: words for a student are chosen afterwards.
    """
    import matplotlib.pyplot as plt

    plt.style.use(STYLE)
    use_language("en" if os.environ.get(NO_PICTURES) else language)
    watch_cells()


def show(figure, alt: str) -> None:
    """Show a figure, or the figure of an Axes, and close it; `alt` says in words what there is to see.

    The words are the picture's alternative text, and unfold below it. The picture has twice as many pixels as it takes up.
    It is in HTML alone: of an `image/png` neither JupyterLab nor nbconvert shows the alternative text, and a second copy would
    double the notebook.
    """
    import matplotlib.pyplot as plt
    from IPython.display import display

    if not isinstance(alt, str) or not alt.strip():
        raise ValueError("show() needs alt: what the figure shows, in words")
    figure = getattr(figure, "figure", figure)
    png = "" if os.environ.get(NO_PICTURES) else _png(figure)
    width = round(figure.get_figwidth() * figure.dpi)
    plt.close(figure)
    source = SOURCE + png if png else ""
    image = f'<img src="{source}" width="{width}" style="max-width: 100%" alt="{html.escape(alt)}">'
    summary, plain = (say("", Finding(id, {"alt": alt}), spoken()) for id in ("figure-in-words", "figure"))
    words = f"<details><summary>{summary}</summary><p>{html.escape(alt)}</p></details>"
    display({"text/html": image + words, "text/plain": plain}, raw=True)


def show_beside(pictures: Mapping[str, str], alt: str) -> None:
    """Show pictures, by their addresses, beside each other, each under its heading; `alt` says what they are."""
    from IPython.display import display

    each = "".join(
        f'<figure style="margin: 0; flex: 1 1 300px; max-width: {PIXELS[1]}px"><figcaption>{html.escape(heading)}</figcaption>'
        f'<img src="{source}" style="max-width: 100%" alt="{html.escape(f"{alt}: {heading}")}"></figure>'
        for heading, source in pictures.items()
    )
    whole = f'<div style="display: flex; flex-wrap: wrap; gap: 1em">{each}</div>'
    plain = say("", Finding("figures", {"alt": alt, "headings": [*pictures]}), spoken())
    display({"text/html": whole, "text/plain": plain}, raw=True)


def _png(figure) -> str:
    from PIL import Image

    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=2 * figure.dpi)
    with Image.open(buffer) as picture:
        return _smallest(np.asarray(picture.convert("RGB")))


def _smallest(pixels: np.ndarray) -> str:
    """A picture in 32, 64 or 128 colours: as few as the eye does not notice."""
    from PIL import Image

    for colours, change in ((32, 0.3), (64, 0.6)):  # of 255, on average
        few = np.asarray(Image.fromarray(pixels).quantize(colours, dither=Image.Dither.NONE).convert("RGB"))
        if np.abs(few.astype(np.int16) - pixels).mean() < change:
            return png_of(pixels, colours)
    return png_of(pixels)


def png_of(pixels: np.ndarray, colours: int = 128) -> str:
    """A picture in base64, of few colours: a third as long, and no eye tells the difference. pixels: (rows, columns, 3), uint8."""
    from PIL import Image

    small = io.BytesIO()
    Image.fromarray(pixels).quantize(colours, dither=Image.Dither.NONE).save(small, "png", optimize=True)
    return base64.b64encode(small.getvalue()).decode("ascii")
