"""What is wrong with the form of an answer of lab 01: its container, its axes or its dtype, whichever differs first."""

from __future__ import annotations

import numpy as np

from labkit.judging.finding import Finding
from labkit.judging.observation import Observation
from labkit.judging.words import register

TABLE = {
    "en": {
        "another-container": "A NumPy array is asked for.",
        "another-count-of-axes": "A table has two axes, positions and dimensions; yours has {axes}. Which line adds or "
        "drops one?",
        "axes-exchanged": "Its two axes have changed places. Which axis counts positions, and which dimensions?",
        "another-dtype": "The dtype asked for is {wanted}; yours is {dtype}. Where do you set it?",
    },
    "es": {
        "another-container": "Se pide un array de NumPy.",
        "another-count-of-axes": "Una tabla tiene dos ejes, posiciones y dimensiones; la tuya tiene {axes}. ¿Qué línea "
        "añade o quita uno?",
        "axes-exchanged": "Sus dos ejes están intercambiados. ¿Cuál cuenta posiciones y cuál dimensiones?",
        "another-dtype": "Se pide el dtype {wanted} y el tuyo es {dtype}. ¿Dónde lo fijas?",
    },
}
register(TABLE, "sinusoidal_pe")

FREQUENCIES = {
    "en": {
        "another-container": "A NumPy array is asked for.",
        "another-count-of-axes": "An array with one axis is asked for; yours has {axes}.",
        "another-size": "One number for each pair is asked for. How many pairs do d columns make?",
    },
    "es": {
        "another-container": "Se pide un array de NumPy.",
        "another-count-of-axes": "Se pide un array con un solo eje; el tuyo tiene {axes}.",
        "another-size": "Se pide un número por par. ¿Cuántos pares forman d columnas?",
    },
}
register(FREQUENCIES, "frequencies")


def differing_form(seen: Observation) -> Finding | None:
    """The first part of its form that is not the one asked for, if any."""
    array, wanted, dtype = seen.actual, np.shape(seen.expected), seen.exercise.dtype
    if seen.raises:
        return None
    if not isinstance(array, np.ndarray):
        return Finding("another-container")
    if array.ndim != len(wanted):
        return Finding("another-count-of-axes", {"axes": array.ndim})
    if array.shape != wanted:
        return Finding("axes-exchanged" if len(wanted) == 2 else "another-size")
    return (
        Finding("another-dtype", {"dtype": array.dtype, "wanted": dtype}) if dtype not in (None, array.dtype) else None
    )
