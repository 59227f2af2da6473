"""Test two of lab 02's rules for drawings: colour maps must be diverging, and a label must state a wavelength."""

import numpy as np
import pytest

from encoding_labs.heatmap.curves import says
from labkit.student.calls.axes import Drawing
from labkit.student.calls.image_rules import diverging
from labkit.student.calls.snapshot import snapshot

TABLE = np.arange(12.0).reshape(4, 3)


def drawing_of(ax):
    return Drawing.from_plain(snapshot(ax))


@pytest.mark.parametrize("name", ["RdBu", "RdBu_r", "coolwarm", "seismic", "PuOr", "bwr", "Spectral", "RdYlGn"])
def test_diverging_maps_are_known_by_their_colours(ax, name):
    ax.imshow(TABLE, cmap=name)
    assert diverging(drawing_of(ax).images[0])


@pytest.mark.parametrize("name", ["viridis", "gray", "jet", "turbo", "rainbow", "hsv", "twilight", "tab10", "hot"])
def test_other_maps_are_not(ax, name):
    ax.imshow(TABLE, cmap=name)
    assert not diverging(drawing_of(ax).images[0])


@pytest.mark.parametrize(
    ("label", "right"),
    [
        ("6.3 positions", True),
        ("6 positions", True),
        ("6,3 posiciones", True),
        ("column 6", False),
        ("column 0", False),
        ("7 positions", False),
        ("", False),
        ("9" * 400 + "e999 positions", False),
    ],
)
def test_a_label_says_the_wavelength(label, right):
    assert says(label, 2 * np.pi) is right


@pytest.mark.parametrize("label", ["35333 positions", "35,333 positions", "3.5e+04 positions", "35 333", "35332.95"])
def test_a_label_says_a_long_wavelength(label):
    assert says(label, 35332.95)
