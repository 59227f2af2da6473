"""Read the texts of a lab's cells and figures, so that tests can check the numbers in them."""

import sys
from collections.abc import Callable

import matplotlib.pyplot as plt
import pytest

from encoding_labs import COURSE
from labkit.author.source import percent
from labkit.student.model import project
from labkit.student.notebook.figures import STYLE


def cell(lab: str, name: str) -> str:
    """The source of a cell, with its answer if it has one."""
    source = percent.read_source(project.current().solutions / f"{lab}.py", COURSE.labs[lab])
    return next(each.source for each in source.cells if each.id == name)


def words_of(lab: str, name: str) -> str:
    """A cell's source as a single line."""
    return " ".join(cell(lab, name).split())


def shown_by(draw: Callable, *given: object) -> tuple[plt.Figure, str]:
    """Call a lab's drawing function. Returns its figure, which is still open, and the figure's description."""
    shown = []
    with pytest.MonkeyPatch.context() as patch, plt.style.context(STYLE):
        patch.setattr(sys.modules[draw.__module__], "show", lambda figure, alt: shown.append((figure, alt)))
        draw(*given)
    return shown[-1]


def alt_of(draw: Callable, *given: object) -> str:
    figure, alt = shown_by(draw, *given)
    plt.close(figure)
    return alt
