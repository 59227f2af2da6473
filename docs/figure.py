"""Draw the README's figure: the expected table, a wrong one, and the check's message. Run: python docs/figure.py

The words in the picture are stored as the PNG's Description, so that a test can compare them with the check's current message.
"""

from pathlib import Path
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle
from PIL import Image

from encoding_labs import COURSE
from labkit.student.calls.calling import call_answer
from labkit.student.judging.words import say
from labkit.student.notebook.examine import examine
from labkit.student.notebook.figures import use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

PICTURE = Path(__file__).with_name("names_the_mistake.png")
EXERCISE = COURSE.exercises["sinusoidal_pe"]


ROWS, COLUMNS = 16, 16


def swapped(T, d):
    """A wrong answer, with cosines in the even columns."""
    if T < 0 or d <= 0 or d % 2:
        raise ValueError("size")
    angles = np.arange(T)[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
    return np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(T, d).astype(np.float32)


def said() -> str:
    """The check's current message about the wrong table, which the figure must show."""
    examination = examine(
        COURSE,
        EXERCISE,
        lambda probe: call_answer({EXERCISE.name: swapped}, EXERCISE.name, EXERCISE.kind, probe.inputs(), probe.twice),
    )
    return " ".join(say(EXERCISE.name, examination.findings[0]).split())


def drawn(path: Path) -> str:
    """The check's message that this picture shows."""
    with Image.open(path) as picture:
        return picture.text.get("Description", "")


@plt.rc_context()
def draw(path: Path) -> None:
    use_style()
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.7), sharey=True)
    for ax, answer, title in zip(axes, (sinusoidal_pe, swapped), ("expected", "a student's table")):
        ax.imshow(answer(ROWS, COLUMNS), cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
        ax.set_title(title, fontsize=16)
        ax.set_xlabel("dimension", fontsize=13)
        ax.grid(False)
        ax.tick_params(labelsize=11)
        ax.add_patch(Rectangle((-0.5, -0.5), COLUMNS, 1, fill=False, edgecolor="black", linewidth=3, clip_on=False))
    axes[0].set_ylabel("position", fontsize=13)
    text = said()
    figure.text(0.02, -0.04, fill(f"check: {text}", 74), va="top", fontsize=15, linespacing=1.4)
    figure.savefig(path, dpi=160, bbox_inches="tight", metadata={"Software": None, "Description": text})
    plt.close(figure)


if __name__ == "__main__":
    draw(PICTURE)
