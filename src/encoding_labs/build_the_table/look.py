"""Draw the figure that `look` shows for a table: the table itself, the speeds of its pairs, and where it differs."""

from __future__ import annotations

import numpy as np

from labkit.judging.observation import Observation

TEXTS = {
    "en": {
        "yours": "Your table",
        "speeds": "How fast each pair turns",
        "difference": "Where it differs",
        "position": "position",
        "dimension": "dimension",
        "pair": "pair k",
        "speed": "radians per position",
        "value": "value",
        "size": "size of the difference",
        "own": "yours",
        "asked": "right",
        "alt": "Three panels. Left: your table at {size} as a heatmap. Middle: the angle by which each of its pairs turns from "
        "position 0 to 1, beside the right angles; they differ in {pairs} of {all} pairs. Right: the "
        "size of the difference in each cell; it is beyond the tolerance in {wrong} of {cells} cells, first in row {row}.",
    },
    "es": {
        "yours": "Tu tabla",
        "speeds": "Velocidad de cada par",
        "difference": "Dónde difiere",
        "position": "posición",
        "dimension": "dimensión",
        "pair": "par k",
        "speed": "radianes por posición",
        "value": "valor",
        "size": "tamaño de la diferencia",
        "own": "la tuya",
        "asked": "la correcta",
        "alt": "Tres paneles. Izquierda: tu tabla de {size} como mapa de calor. Centro: el ángulo que gira cada par de la "
        "posición 0 a la 1, junto a los ángulos correctos; difieren en {pairs} de {all} pares. Derecha: el tamaño de "
        "la diferencia en cada celda; supera la tolerancia en {wrong} de {cells} celdas, por primera vez en la fila {row}.",
    },
}


def draw_difference(observation: Observation, language: str = "en"):
    """Draw the figure with its three panels. Returns the figure and a description in words."""
    import matplotlib.pyplot as plt

    texts, expected = TEXTS[language], observation.expected
    actual = np.nan_to_num(observation.actual.astype(np.float64), posinf=0, neginf=0)
    rule = observation.exercise.tolerance
    error = np.abs(actual - expected)
    wrong = error > rule.absolute + rule.per_position * np.arange(len(error))[:, None]
    own, asked = _speeds(actual), _speeds(expected)
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 4.4))
    most = max(1.0, float(np.abs(actual).max()))
    shared = {"aspect": "auto", "interpolation": "nearest"}
    image = left.imshow(actual, cmap="RdBu_r", vmin=-most, vmax=most, **shared)
    figure.colorbar(image, ax=left, label=texts["value"]).ax.locator_params(nbins=4)
    middle.plot(asked, "-", color="0.5", lw=5, label=texts["asked"])
    middle.plot(own, "o", label=texts["own"])
    middle.set(xlabel=texts["pair"], ylabel=texts["speed"], title=texts["speeds"])
    middle.set_yscale("symlog", linthresh=float(asked[asked > 0].min(initial=1.0)))
    middle.legend()
    image = right.imshow(error, cmap="Greys", vmin=0, **shared)
    figure.colorbar(image, ax=right, label=texts["size"]).ax.locator_params(nbins=4)
    for ax, title in ((left, texts["yours"]), (right, texts["difference"])):
        ax.set(xlabel=texts["dimension"], ylabel=texts["position"], title=title)
        ax.grid(False)
    words = texts["alt"].format(
        size=observation.actual.shape,
        pairs=int((np.abs(own - asked) > 1e-5 + 1e-3 * np.abs(asked)).sum()),
        all=len(own),
        wrong=int(wrong.sum()),
        cells=wrong.size,
        row=int(np.flatnonzero(wrong.any(axis=1))[0]) if wrong.any() else "–",
    )
    return figure, words


def _speeds(table: np.ndarray) -> np.ndarray:
    """The angle from row 0 to row 1 of each pair, in radians. The pair's length does not matter."""
    hands = table[:2, 1::2] + 1j * table[:2, 0::2]
    return np.angle(hands[-1] * hands[0].conj())
