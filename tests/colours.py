"""Test whether readers, including colour-blind ones, can tell colours from white and from one another, and read colour maps."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from colorspacious import cspace_convert
from matplotlib.colors import Colormap, to_rgb

CONTRAST = 3.0  # WCAG 2.1, 1.4.11: required for graphics
APART = 15.0  # smallest distance in CAM02-UCS, where a difference of 1 is just visible side by side
GREYS_APART = 8.0  # smallest difference in CAM02-UCS lightness, which runs from 0 to 100
SHADES = 17  # evenly spaced samples of a colour map; the ninth is the middle
STEP = 2.0  # smallest change in lightness between neighbouring shades: twice what is just visible
SLANT = 0.25  # allowed lightness difference between +v and -v, relative to the difference between a map's ends and its middle
VISIONS = ("deuteranomaly", "protanomaly", "tritanomaly")


def on_white(colour: object, alpha: float = 1.0) -> np.ndarray:
    return 1 - alpha * (1 - np.array(to_rgb(colour)))


def contrast(rgb: np.ndarray) -> float:
    """The contrast ratio with white, from 1 to 21."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return 1.05 / (float(linear @ (0.2126, 0.7152, 0.0722)) + 0.05)


def seen(rgb: np.ndarray) -> list[np.ndarray]:
    """Convert sRGB colours to CAM02-UCS as seen with normal vision and with each of `VISIONS`. Returns four arrays of shape (..., 3)."""
    simulated = [
        cspace_convert(rgb, {"name": "sRGB1+CVD", "cvd_type": kind, "severity": 100}, "sRGB1") for kind in VISIONS
    ]
    return [cspace_convert(np.clip(each, 0, 1), "sRGB1", "CAM02-UCS") for each in (rgb, *simulated)]


def too_close(colours: dict[str, np.ndarray]) -> list[tuple[str, str, str]]:
    """List the pairs of colours that some readers cannot tell apart, with the distance between the two."""
    views, found = {name: seen(rgb) for name, rgb in colours.items()}, []
    for one, other in combinations(views, 2):
        apart = min(float(np.linalg.norm(a - b)) for a, b in zip(views[one], views[other]))
        grey = abs(float(views[one][0][0] - views[other][0][0]))
        if apart < APART or grey < GREYS_APART:
            found.append((one, other, f"{apart:.1f} apart, {grey:.1f} in grey"))
    return found


def blurred(colours: Colormap, diverging: bool) -> dict[str, str]:
    """Describe what is wrong with a colour map, for each kind of vision that cannot read it. Empty if everyone can.

    A sequential map must get steadily lighter or steadily darker. A diverging map must do so from both ends to the middle, with
    nearly the same lightness at +v and -v, and ends of different colours.
    """
    shades = colours(np.linspace(0, 1, SHADES))[:, :3]
    found = {vision: _blurred(view, diverging) for vision, view in zip(("everybody", *VISIONS), seen(shades))}
    return {vision: what for vision, what in found.items() if what}


def _blurred(view: np.ndarray, diverging: bool) -> str:
    light, middle = view[:, 0], SHADES // 2
    steps = np.diff(light) * np.repeat((1, -1 if diverging else 1), middle)  # one sign if the map is monotone
    steps *= np.sign(steps.sum())
    if steps.min() < STEP:
        return f"a step of {steps.min():.1f} in lightness"
    if not diverging:
        return ""
    ends, climb = np.linalg.norm(view[0] - view[-1]), abs(light[middle] - (light[0] + light[-1]) / 2)
    slant = np.abs(light - light[::-1]).max() / climb
    if ends < APART or climb < APART:
        return f"ends {ends:.1f} apart, {climb:.1f} from the middle"
    return f"a slant of {slant:.2f}" if slant > SLANT else ""
