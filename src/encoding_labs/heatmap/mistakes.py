"""The mistakes of lab 02, heatmap: read from what the Axes hold, never from pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from encoding_labs.heatmap import counting_mistakes, orientation_mistakes  # noqa: F401  those without a drawing
from encoding_labs.heatmap.curves import curve, curves_of, runs_along
from encoding_labs.heatmap.pictures import (
    HALF_CELL,
    Scene,
    diverging,
    missing_labels,
    scene_of,
    symmetric,
    table_of,
)
from labkit.calls.axes import SHADES, SHARP, Drawing
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation


def scenes(observations: Sequence[Observation]) -> Iterator[Scene]:
    """The pictures that hold the table, whichever way round."""
    return filter(None, map(scene_of, observations))


@mistake(
    "axes-swapped",
    "draw_heatmap",
    en="The table has {T} positions and {d} dimensions; your picture has {rows} rows and {columns} columns, and each of "
    "its rows is one dimension. What should one row of the picture mean?",
    es="La tabla tiene {T} posiciones y {d} dimensiones; tu imagen tiene {rows} filas y {columns} columnas, y cada fila "
    "es una dimensión. ¿Qué debe significar una fila de la imagen?",
)
def _axes_swapped(observations):
    for scene in scenes(observations):
        if scene.orientation == "swapped":
            T, d = scene.table.shape
            return {"T": T, "d": d, "rows": scene.y.size, "columns": scene.x.size}
    return None


@mistake(
    "axes-swapped",
    "draw_columns",
    en="The line for column {chosen} runs over {points} points, but not over the {T} positions on the x axis. Does your "
    "index pick a row of the table or a column, and which of the two axes counts positions?",
    es="La línea de la columna {chosen} recorre {points} puntos, pero no las {T} posiciones del eje x. ¿Tu índice elige "
    "una fila de la tabla o una columna, y cuál de los dos ejes cuenta posiciones?",
)
def _rows_or_exchanged(observations):
    for observation in observations:
        if not isinstance(observation.actual, Drawing):
            continue
        table = table_of(observation)
        T, d = table.shape
        for chosen in observation.args[1]:
            if curve(observation, chosen):
                continue
            ways = [(table[:, chosen], np.arange(T))]  # x and y exchanged
            ways += [(np.arange(d), table[chosen])] if chosen < T else []  # a row in place of the column
            for line in (*curves_of(observation), *observation.actual.lines):
                if any(runs_along(line, *way) for way in ways):
                    return {"chosen": chosen, "points": line.x.size, "T": T}
    return None


@mistake(
    "origin-flipped",
    "draw_heatmap",
    en="At the top of your picture stands row {row} of the table, and the y axis reads {reading:g} there. Where should a "
    "reader find position 0?",
    es="Arriba en tu imagen está la fila {row} de la tabla, y el eje y marca {reading:g} ahí. ¿Dónde debería encontrar "
    "un lector la posición 0?",
)
def _origin_flipped(observations):
    for scene in scenes(observations):
        T = scene.table.shape[0]
        upside_down = scene.orientation in ("rows", "turned")
        counts_upward = T > 1 and scene.orientation == "upright" and _counts_from_the_bottom(scene.y)
        if upside_down or counts_upward:
            return {"row": T - 1 if upside_down else 0, "reading": scene.y[0]}
    return None


def _counts_from_the_bottom(readings: np.ndarray) -> bool:
    """Whether the y axis reads 0 at the lowest row: an extent that does not match the picture."""
    return bool(np.abs(readings[::-1] - np.arange(readings.size)).max() <= HALF_CELL)


@mistake(
    "asymmetric-limits",
    "draw_heatmap",
    en="For a table of {T} positions the colours run from {low:.2f} to {high:.2f}, so the middle of the colour map "
    "stands for {middle:.2f}. Which colour is zero, and does it stay the same from one table to the next?",
    es="Para una tabla de {T} posiciones los colores van de {low:.2f} a {high:.2f}, así que el centro del mapa representa "
    "{middle:.2f}. ¿Qué color es el cero, y sigue siéndolo de una tabla a otra?",
)
def _asymmetric_limits(observations):
    for scene in scenes(observations):
        low, high = scene.image.limits
        if low < high and not symmetric(scene.image):
            return {"T": scene.table.shape[0], "low": low, "high": high, "middle": (low + high) / 2}
    return None


@mistake(
    "sequential-colormap",
    "draw_heatmap",
    en="On a scale from 0 (black) to 1 (white) your colour map has brightness {low:.2f} at its low end, {middle:.2f} in "
    "the middle and {high:.2f} at its high end; the red, green and blue of its middle are {neutral}. Is 0 the one "
    "neutral colour, and can a reader tell a negative entry from a positive one?",
    es="En una escala de 0 (negro) a 1 (blanco), tu mapa de colores tiene brillo {low:.2f} en el extremo bajo, "
    "{middle:.2f} en el centro y {high:.2f} en el alto; el rojo, verde y azul de su centro son {neutral}. ¿Es el 0 el "
    "único color neutro, y se distingue un valor negativo de uno positivo?",
)
def _sequential_colormap(observations):
    for scene in scenes(observations):
        if not diverging(scene.image):
            brightness, middle = scene.image.brightness, SHADES // 2
            neutral = ", ".join(f"{part:.2f}" for part in scene.image.colours[middle, :3])
            return {"low": brightness[0], "middle": brightness[middle], "high": brightness[-1], "neutral": neutral}
    return None


@mistake(
    "smoothed",
    "draw_heatmap",
    en="With {T} positions your picture is drawn with interpolation {name!r}, which blends neighbouring cells. Fast "
    "columns then fade, or take colours that are not in the colour bar. Is every colour in your picture the colour of an "
    "entry, also where imshow chooses the interpolation itself?",
    es="Con {T} posiciones tu imagen se dibuja con interpolación {name!r}, que mezcla celdas vecinas. Las columnas "
    "rápidas se desvanecen, o toman colores que no están en la barra. ¿Es cada color de tu imagen el color de un valor "
    "de la tabla, también cuando imshow elige la interpolación por su cuenta?",
)
def _smoothed(observations):
    for scene in scenes(observations):
        if scene.image.interpolation not in SHARP:
            return {"T": scene.table.shape[0], "name": scene.image.interpolation}
    return None


@mistake(
    "unlabelled",
    "draw_heatmap",
    en="Your picture lacks: {missing}. Could a stranger tell what a row is, what a column is, and which colour is which "
    "value?",
    es="A tu imagen le falta: {missing}. ¿Sabría un extraño qué es una fila, qué es una columna y qué valor es cada color?",
)
def _unlabelled(observations):
    here = (scene.drawing for scene in scenes(observations) if not scene.drawing.elsewhere)
    missing = [missing_labels(drawing, colorbar=True) for drawing in here]
    return {"missing": ", ".join(missing[0])} if missing and missing[0] else None


@mistake(
    "unlabelled",
    "draw_columns",
    en="Your drawing lacks: {missing}. Could a stranger tell what the axes count, and which line has which wavelength?",
    es="A tu dibujo le falta: {missing}. ¿Sabría un extraño qué cuentan los ejes y qué longitud de onda tiene cada línea?",
)
def _unlabelled_lines(observations):
    drawings = [observation.actual for observation in observations if isinstance(observation.actual, Drawing)]
    missing = [missing_labels(drawing, legend=True) for drawing in drawings if drawing.lines and not drawing.elsewhere]
    return {"missing": ", ".join(missing[0])} if missing and missing[0] else None
