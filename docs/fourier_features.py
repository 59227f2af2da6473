"""Draw the picture of the page "Where it lives now": a network learns a function with and without the table.

Run: python docs/fourier_features.py. It writes docs/site/fourier_features.svg, which follows the reader's light or dark theme.
"""

import io
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from labkit.student.notebook.figures import use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

PICTURE = Path(__file__).parent / "site" / "fourier_features.svg"
T, D = 128, 16
POSITIONS = np.arange(T)
SEEN = POSITIONS % 2 == 0
TARGET = (np.sin(2 * np.pi * POSITIONS / 32) + np.sin(2 * np.pi * POSITIONS / 9)) / 2
INPUTS = {"p": (2 * POSITIONS / T - 1)[:, None], "PE(p)": sinusoidal_pe(T, D).astype(np.float64)}
COLOURS = {  # for the light and the dark theme
    "paper": ("#ffffff", "#121212"),
    "ink": ("#1a1a1a", "#e6e6e6"),
    "function": ("#808080", "#8c8c8c"),
    "learned": ("#0072b2", "#56b4e9"),
}


def learned(x: np.ndarray, steps: int = 1_000) -> np.ndarray:
    """What a network with 64 ReLUs returns for all rows of x after training on the seen ones with Adam."""
    random = np.random.default_rng(0)
    weights = random.normal(size=(x.shape[1], 64)) * np.sqrt(2 / x.shape[1])
    layers = [weights, random.uniform(-1, 1, 64), random.normal(size=64) / np.sqrt(32), np.zeros(1)]
    first, second = ([np.zeros_like(layer) for layer in layers] for _ in range(2))
    for step in range(1, steps + 1):
        for layer, gradient, m, v in zip(layers, _gradients(layers, x[SEEN], TARGET[SEEN]), first, second):
            m += 0.1 * (gradient - m)
            v += 0.001 * (gradient**2 - v)
            layer -= 0.01 * m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return _forward(layers, x)[1]


def _forward(layers: list[np.ndarray], x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    weights, bias, out, constant = layers
    hidden = np.maximum(x @ weights + bias, 0)
    return hidden, hidden @ out + constant


def _gradients(layers: list[np.ndarray], x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, ...]:
    """The gradients of the mean squared error."""
    hidden, value = _forward(layers, x)
    error = 2 * (value - y) / len(y)
    back = np.outer(error, layers[2]) * (hidden > 0)
    return x.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(keepdims=True)


def miss(values: np.ndarray) -> float:
    """The root mean square error at the positions that the network has not seen."""
    return float(np.sqrt(np.mean((values - TARGET)[~SEEN] ** 2)))


@plt.rc_context()
def draw(path: Path) -> None:
    use_style()
    paper, ink, function, line = (light for light, _ in COLOURS.values())
    edges = dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), ink)
    plt.rcParams.update(edges | {"svg.hashsalt": "", "axes.grid": False, "path.simplify": False})
    figure, axes = plt.subplots(1, 2, figsize=(9, 3), sharey=True)
    for ax, (name, x) in zip(axes, INPUTS.items()):
        ax.plot(POSITIONS, TARGET, color=function, linewidth=1.2)
        ax.plot(POSITIONS[SEEN], TARGET[SEEN], "o", color=ink, markersize=2.5)
        ax.plot(POSITIONS, learned(x), color=line)
        ax.set(title=name, xlabel="p")
    text = io.StringIO()
    figure.savefig(text, format="svg", facecolor=paper, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    path.write_text(_themed(text.getvalue()), "utf-8")


def _themed(svg: str) -> str:
    """Replace the colours by variables with a value for each theme."""
    for name, (light, _) in COLOURS.items():
        svg = svg.replace(light, f"var(--{name})")
    light, dark = ("".join(f"--{name}: {pair[n]}; " for name, pair in COLOURS.items()) for n in (0, 1))
    style = f"<style>svg {{ {light}}} @media (prefers-color-scheme: dark) {{ svg {{ {dark}}} }}</style>"
    svg = svg.replace(" <defs>", f" {style}\n <defs>", 1)
    return "".join(line.rstrip() + "\n" for line in svg.splitlines())


if __name__ == "__main__":
    draw(PICTURE)
