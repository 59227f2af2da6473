"""Mistakes of lab 05's draw_sweep: what its lines show in place of what they should."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from encoding_labs.base_sweep.exercises import OFFSETS, allowed, curves, heights
from labkit.calls.axes import Drawing
from labkit.judging.diagnosis import mistake


@mistake(
    "other-axes",
    "draw_sweep",
    en="The Axes that was handed in has no line on it. plt.plot draws on the current Axes, and that may be another "
    "one. On what can you call plot so that it lands on ax?",
    es="En los Axes que se te dan no hay ninguna línea. plt.plot dibuja en los Axes actuales, que pueden ser otros. "
    "¿Sobre qué puedes llamar a plot para que acabe en ax?",
)
def drawn_elsewhere(observations):
    """Points, for one, are no lines, and land on the Axes that its labels are on."""
    drawings = [seen.actual for seen in observations]
    if not all(isinstance(drawing, Drawing) and not drawing.lines for drawing in drawings):
        return None
    return {} if all(each.elsewhere or not (each.xlabel or each.ylabel or each.legend) for each in drawings) else None


@mistake(
    "index-for-offset",
    "draw_sweep",
    en="Your lines begin at 0 and count points: {seen:.4f}, the height of offset 1, stands at 0. Which offset "
    "belongs to the first point? plot needs to be told, by its first argument.",
    es="Tus líneas empiezan en 0 y cuentan puntos: {seen:.4f}, la altura del desplazamiento 1, está en el 0. ¿Qué "
    "desplazamiento corresponde al primer punto? A plot hay que decírselo, con su primer argumento.",
)
def no_offsets_given(observations):
    first = None
    for observation in observations:
        if not isinstance(observation.actual, Drawing) or observation.expected is None:
            return None
        lines = curves(observation.actual, observation.args[0])
        offsets, *right = np.asarray(observation.expected).T
        for line, wanted in zip(lines.values(), right):
            if not np.array_equal(line.x, np.arange(OFFSETS.size)):
                return None
            if not (np.abs(line.y[offsets.astype(int) - 1] - wanted) <= allowed(offsets)).all():
                return None
            first = first or float(line.y[0])
    return first and {"seen": first}


@mistake(
    "not-normalised",
    "draw_sweep",
    en="Your line for base {base:,} starts at {seen:.4g} with d = {d}. The shape is right. What is the similarity of "
    "two rows at offset 0 to be, and what is the sum to be divided by?",
    es="Tu línea de la base {base:,} empieza en {seen:.4g} con d = {d}. La forma es correcta. ¿Cuánto debe valer la "
    "similitud en el desplazamiento 0, y entre qué hay que dividir la suma?",
)
def not_normalised(observations):
    drawn = list(_figures(observations))
    for observation, offsets, right, seen in drawn:
        half = observation.args[1] / 2
        if (np.abs(np.array(seen) / half - right) > allowed(offsets)).any():
            return None
    if drawn:
        observation, _, _, seen = drawn[0]
        return {"base": observation.args[0][0], "d": observation.args[1], "seen": float(seen[0][0])}


@mistake(
    "collides-at-longest",
    "draw_sweep",
    en="Your line for base {base:,} falls and is back at {seen:.3f} at offset {offset:,}: two positions that far apart "
    "would share an encoding. One hand may be back there. How many hands does the similarity add up?",
    es="Tu línea de la base {base:,} baja y vuelve a {seen:.3f} en el desplazamiento {offset:,}: dos posiciones a esa "
    "distancia compartirían codificación. Allí puede haber vuelto una manecilla. ¿Cuántas suma la similitud?",
)
def curve_that_returns(observations):
    for observation, offsets, right, drawn in _figures(observations):
        for base, wanted, seen in zip(observation.args[0], right, drawn):
            low = np.minimum.accumulate(seen)
            back = (seen > 0.99) & (low < 0.9) & (wanted < 0.95)
            if np.abs(seen).max() < 1.001 and back.any():
                where = int(np.argmax(back))
                return {"base": base, "seen": float(seen[where]), "offset": int(offsets[where])}
    return None


@mistake(
    "bigger-is-apart",
    "draw_sweep",
    en="At offset {offset} your line for base {smallest:,} stands at {low:.3f} and that for base {largest:,} at "
    "{high:.3f}: the labels say that the larger base tells near positions apart better. Which pairs hardly move when "
    "the base is large?",
    es="En el desplazamiento {offset} tu línea de la base {smallest:,} vale {low:.3f} y la de la base {largest:,} "
    "vale {high:.3f}: las etiquetas dicen que la base mayor separa mejor lo cercano. ¿Qué pares apenas "
    "se mueven cuando la base es grande?",
)
def labels_in_reverse(observations):
    for observation, offsets, right, drawn in _figures(observations):
        order = np.argsort(observation.args[0])
        right, drawn = np.array(right)[order], np.array(drawn)[order]
        if len(order) > 1 and (np.abs(drawn - right[::-1]) <= allowed(offsets)).all():
            near = int(np.argmin(np.abs(offsets - 10)))
            ends = {"smallest": observation.args[0][order[0]], "largest": observation.args[0][order[-1]]}
            return {"offset": int(offsets[near]), "low": float(drawn[0, near]), "high": float(drawn[-1, near]), **ends}
    return None


def _figures(observations) -> Iterator[tuple]:
    """Each figure with a line for every base: the observation, the offsets, the right heights, the drawn heights."""
    for observation in observations:
        if isinstance(observation.actual, Drawing) and observation.expected is not None:
            offsets, *right = np.asarray(observation.expected).T
            lines = curves(observation.actual, observation.args[0])
            if len(lines) == len(right):
                drawn = [heights(lines[base], offsets) for base in observation.args[0]]
                if np.isfinite(drawn).all():
                    yield observation, offsets, right, drawn
