"""How a lab shows a figure: one style, and always with its description in words."""

from __future__ import annotations

import base64
import html
import io
import os
from pathlib import Path

STYLE = Path(__file__).with_name("labkit.mplstyle")
NO_PICTURES = "LABKIT_NO_PICTURES"  # set while grading, where a figure is judged by its Axes and never looked at


def use_style() -> None:
    """Draw every figure of this session in the style of the course."""
    import matplotlib.pyplot as plt

    plt.style.use(STYLE)


def show(figure, alt: str) -> None:
    """Show a figure, or the figure of an Axes, and close it; `alt` says in words what there is to see.

    The words are the picture's alternative text, and unfold below it for whoever cannot see it.
    """
    import matplotlib.pyplot as plt
    from IPython.display import display

    if not isinstance(alt, str) or not alt.strip():
        raise ValueError("show() needs alt: what the figure shows, in words")
    figure = getattr(figure, "figure", figure)
    picture = {"text/plain": f"[Figure: {alt}]"}
    if not os.environ.get(NO_PICTURES):
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", metadata={"Software": None})
        picture["image/png"] = base64.b64encode(buffer.getvalue()).decode("ascii")
    plt.close(figure)
    display(picture, metadata={"image/png": {"alt": alt}}, raw=True)
    words = f"<details><summary>The figure in words</summary><p>{html.escape(alt)}</p></details>"
    display({"text/html": words, "text/plain": "(described in words)"}, raw=True)
