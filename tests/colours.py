"""What colours do to readers: contrast on white, and how far apart two are, in grey and with each kind of dichromacy."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from colorspacious import cspace_convert
from matplotlib.colors import to_rgb

CONTRAST = 3.0  # WCAG 2.1, 1.4.11: what is needed to understand a graphic
APART = 15.0  # in CAM02-UCS, where 1 can just be seen side by side
GREYS_APART = 8.0  # of the same scale's lightness, 0 to 100
VISIONS = ("deuteranomaly", "protanomaly", "tritanomaly")


def on_white(colour: object, alpha: float = 1.0) -> np.ndarray:
    return 1 - alpha * (1 - np.array(to_rgb(colour)))


def contrast(rgb: np.ndarray) -> float:
    """Against white, from 1 to 21."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return 1.05 / (float(linear @ (0.2126, 0.7152, 0.0722)) + 0.05)


def seen(rgb: np.ndarray) -> list[np.ndarray]:
    """The colour in CAM02-UCS, as it is and as the three dichromacies see it."""
    simulated = [
        cspace_convert(rgb, {"name": "sRGB1+CVD", "cvd_type": kind, "severity": 100}, "sRGB1") for kind in VISIONS
    ]
    return [cspace_convert(np.clip(each, 0, 1), "sRGB1", "CAM02-UCS") for each in (rgb, *simulated)]


def too_close(colours: dict[str, np.ndarray]) -> list[tuple[str, str, str]]:
    """The pairs that somebody cannot tell apart, and how near they are; every vision's nearest counts."""
    views, found = {name: seen(rgb) for name, rgb in colours.items()}, []
    for one, other in combinations(views, 2):
        apart = min(float(np.linalg.norm(a - b)) for a, b in zip(views[one], views[other]))
        grey = abs(float(views[one][0][0] - views[other][0][0]))
        if apart < APART or grey < GREYS_APART:
            found.append((one, other, f"{apart:.1f} apart, {grey:.1f} in grey"))
    return found
