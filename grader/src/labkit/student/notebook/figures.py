"""Show a lab's figures in one style, each with a description in words."""

from __future__ import annotations

import base64
import html
import io
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from labkit.student.calls.calling import PIXELS, pixels_of
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say
from labkit.student.notebook.language import spoken, use_language
from labkit.student.notebook.missing import watch_cells

if TYPE_CHECKING:
    from matplotlib import RcParams
    from PIL import Image

STYLE = Path(__file__).with_name("labkit.mplstyle")
SOURCE = "data:image/png;base64,"  # the start of a PNG's data URL
FRAME = "max-width: calc(100% - 12px); margin: 6px; box-shadow: 0 0 0 6px #fff"  # a white margin, for dark themes
NO_PICTURES = "LABKIT_NO_PICTURES"  # set while grading: figures are read from their Axes and not drawn


def use_style(*, language: str = "en") -> None:
    """Start a lab: set the figure style and the language, and quietly end cells that use an unwritten exercise.

    While grading, output is in English, like the reference outputs; feedback is translated later.
    """
    import matplotlib.pyplot as plt

    plt.style.use(style())
    use_language("en" if os.environ.get(NO_PICTURES) else language)
    watch_cells()


@cache
def style() -> RcParams:
    """The figure style. A fork server reads it once for all kernels."""
    from matplotlib import rc_params_from_file

    return rc_params_from_file(STYLE, use_default_template=False)


def show(figure, alt: str) -> None:
    """Show a figure, or the figure of an Axes, and close it. `alt` describes it in words.

    The description becomes the alternative text, and can be expanded below the picture. The picture has twice the resolution at
    which it is shown. It is written as HTML only, because JupyterLab and nbconvert do not show the alternative text of image outputs,
    and a second copy would double the size of the notebook.
    """
    import matplotlib.pyplot as plt
    from IPython.display import display

    if not isinstance(alt, str) or not alt.strip():
        raise ValueError("show() needs alt: what the figure shows, in words")
    figure = getattr(figure, "figure", figure)
    width = round(figure.get_figwidth() * figure.dpi)
    source = "" if os.environ.get(NO_PICTURES) else _address(figure)
    plt.close(figure)
    image = f'<img src="{source}" width="{width}" style="{FRAME}" alt="{html.escape(alt)}">'
    summary, plain = (say("", Finding(id, {"alt": alt}), spoken()) for id in ("figure-in-words", "figure"))
    words = f"<details><summary>{summary}</summary><p>{html.escape(alt)}</p></details>"
    display({"text/html": image + words, "text/plain": plain}, raw=True)


def show_beside(pictures: Mapping[str, str], alt: str) -> None:
    """Show pictures side by side. `pictures` has data URLs by heading; `alt` describes all of them."""
    from IPython.display import display

    each = "".join(
        f'<figure style="margin: 0; flex: 1 1 300px; max-width: {PIXELS[1]}px"><figcaption>{html.escape(heading)}</figcaption>'
        f'<img src="{source}" style="max-width: 100%" alt="{html.escape(f"{alt}: {heading}")}"></figure>'
        for heading, source in pictures.items()
    )
    whole = f'<div style="display: flex; flex-wrap: wrap; gap: 1em">{each}</div>'
    plain = say("", Finding("figures", {"alt": alt, "headings": [*pictures]}), spoken())
    display({"text/html": whole, "text/plain": plain}, raw=True)


def _address(figure) -> str:
    """Draw the figure at twice its resolution, as a data URL: lossless WebP, a third smaller than PNG, if Pillow supports it.

    This takes half the time of `savefig`, which draws twice and writes a PNG that would have to be read again.
    """
    from PIL import Image, features

    figure.dpi *= 2
    # With MAXCOVERAGE, rare colours stay: the default turns the ends of a colour bar grey.
    picture = Image.fromarray(pixels_of(figure)).quantize(128, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    figure.dpi /= 2
    if not features.check("webp"):
        return SOURCE + _png(picture)
    small = io.BytesIO()
    picture.convert("RGB").save(small, "webp", lossless=True)
    return "data:image/webp;base64," + base64.b64encode(small.getvalue()).decode("ascii")


def png_of(pixels: np.ndarray, colours: int = 128) -> str:
    """Encode pixels as a base64 PNG with few colours, which makes it a third of the size. pixels: (rows, columns, 3), uint8."""
    from PIL import Image

    return _png(Image.fromarray(pixels).quantize(colours, dither=Image.Dither.NONE))


def _png(picture: Image.Image) -> str:
    small = io.BytesIO()
    picture.save(small, "png", optimize=True)
    return base64.b64encode(small.getvalue()).decode("ascii")
