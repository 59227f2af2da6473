"""The mistakes of lab 05, base sweep, in wavelengths and in a base for a length."""

from __future__ import annotations

import numpy as np

import encoding_labs.base_sweep.wrong_figures
import encoding_labs.base_sweep.wrong_positions
import encoding_labs.base_sweep.wrong_sweeps  # noqa: F401  the others
from encoding_labs.base_sweep.evidence import TURN, comparable, formula, longest, same
from labkit.judging.diagnosis import mistake

# How a wrong longest wavelength is tied to the base, or to the right value; each name is a formula in any language.
LONGEST = {
    "2π · base": lambda seen, right, base: same(seen, TURN * base),
    "base": lambda seen, right, base: same(seen, base),
    "1/ω": lambda seen, right, base: same(TURN * seen, right),
    "2π · base^(k/d)": lambda seen, right, base: same(seen, (TURN * right) ** 0.5),
}
BASE = {
    "base = T / 2π": lambda seen, right, T: same(TURN * seen, T),
    "base = T": lambda seen, right, T: same(seen, T),
    "base^(k/d) = T / 2π": lambda seen, right, T: same(seen, right**2),
}


@mistake(
    "longest-wavelength",
    "wavelengths",
    "sweep",
    en="At d = {d} and base {base:,} your longest wavelength is {seen:.6g}: that is {formula}. Which k has the last "
    "pair, what does its exponent come to, and how many radians are in one turn?",
    es="Con d = {d} y base {base:,} tu longitud de onda más larga es {seen:.6g}: eso es {formula}. ¿Qué k tiene el "
    "último par, cuánto vale su exponente y cuántos radianes tiene una vuelta?",
)
def longest_wavelength(observations):
    # At d = 2 there is one pair and no base, so that mistakes look alike.
    values = [value for observation in observations for value in longest(observation) if value[0] > 2]
    law = formula(LONGEST, [(seen, right, base) for d, base, seen, right in values])
    if law is None:
        return None
    d, base, seen, _ = values[0]
    return {"d": d, "base": base, "seen": seen, "formula": law}


@mistake(
    "longest-wavelength",
    "base_for_length",
    en="For T = {T:,} and d = {d} your base is {seen:.6g}, which is what {formula} gives. Put it into your "
    "wavelengths: which one comes out last? Which k does the last pair have, and how long is a turn?",
    es="Para T = {T:,} y d = {d} tu base es {seen:.6g}, que es lo que da {formula}. Pásala a tu wavelengths: ¿cuál "
    "sale la última? ¿Qué k tiene el último par, y cuánto mide una vuelta?",
)
def base_from_the_wrong_wavelength(observations):
    values = [(o.args, float(o.actual), float(o.expected)) for o in observations if comparable(o)]
    law = formula(BASE, [(seen, right, T) for (T, d), seen, right in values])
    if law is None:
        return None
    (T, d), seen, _ = values[0]
    return {"T": T, "d": d, "seen": seen, "formula": law}


@mistake(
    "longest-wavelength/turn",
    "base_for_length",
    en="For T = {T:,} and d = {d} your base is {seen:.6g}: as if one turn were 1 radian. How long is the turn of the "
    "fastest hand, whatever the base?",
    es="Para T = {T:,} y d = {d} tu base es {seen:.6g}: como si una vuelta fuera 1 radián. ¿Cuánto dura la vuelta de "
    "la manecilla más rápida, sea cual sea la base?",
)
def no_turn(observations):
    values = [(o.args, float(o.actual), float(o.expected)) for o in observations if comparable(o)]
    logs = [(np.log(seen) * np.log(T / TURN), np.log(right) * np.log(T)) for (T, _), seen, right in values if seen > 0]
    if len(values) > 1 and len(logs) == len(values) and all(same(*pair) for pair in logs):
        (T, d), seen, _ = values[0]
        return {"T": T, "d": d, "seen": seen}


@mistake(
    "inverse-power",
    "base_for_length",
    en="For T = {T:,} and d = {d} your base is {seen:.6g}: the right ingredients, with a power that goes the wrong "
    "way. The longest wavelength is a power of the base. What undoes it?",
    es="Para T = {T:,} y d = {d} tu base es {seen:.6g}: los ingredientes correctos, con una potencia al revés. La "
    "longitud de onda más larga es una potencia de la base. ¿Qué la deshace?",
)
def inverse_power(observations):
    values = [(o.args, float(o.actual), float(o.expected)) for o in observations if comparable(o)]
    logs = [(np.log(seen) * np.log(right), np.log(T / TURN) ** 2) for (T, _), seen, right in values if seen > 0]
    if len(values) > 1 and len(logs) == len(values) and all(same(*pair) for pair in logs):
        (T, d), seen, _ = values[0]
        return {"T": T, "d": d, "seen": seen}


@mistake(
    "frequencies-given",
    "wavelengths",
    en="At d = {d} and base {base:,} your values fall from {first:.4g} to {last:.4g}: they are radians per position. "
    "How many positions does a hand with such a speed need for a turn of 2π radians?",
    es="Con d = {d} y base {base:,} tus valores bajan de {first:.4g} a {last:.4g}: son radianes por posición. "
    "¿Cuántas posiciones necesita una manecilla con esa velocidad para una vuelta de 2π radianes?",
)
def frequencies_given(observations):
    return _all_fit(observations, lambda seen, right, base: np.allclose(seen * right, TURN, rtol=1e-4))


@mistake(
    "inverse-power",
    "wavelengths",
    en="At d = {d} and base {base:,} your values fall from {first:.4g} to {last:.4g}: the slower a hand, the sooner it "
    "would be back. How many positions does a hand need for a turn when its frequency is half as large?",
    es="Con d = {d} y base {base:,} tus valores bajan de {first:.4g} a {last:.4g}: cuanto más lenta la manecilla, antes "
    "volvería. ¿Cuántas posiciones necesita una manecilla para una vuelta cuando su frecuencia es la mitad?",
)
def turns_times_frequencies(observations):
    return _all_fit(observations, lambda seen, right, base: np.allclose(seen * right, TURN**2, rtol=1e-4))


@mistake(
    "frequencies-reversed",
    "wavelengths",
    en="At d = {d} and base {base:,} your wavelengths run from {first:.6g} to {last:.6g}: all are there, in the "
    "other order. Which pair is the fastest, and which end is asked for first?",
    es="Con d = {d} y base {base:,} tus longitudes de onda van de {first:.6g} a {last:.6g}: están todas, en el otro "
    "orden. ¿Qué par es el más rápido, y qué extremo se pide primero?",
)
def longest_first(observations):
    return _all_fit(observations, lambda seen, right, base: np.allclose(seen[::-1], right, rtol=1e-4))


@mistake(
    "base-ignored",
    "wavelengths",
    en="At d = {d} your wavelengths run from {first:.6g} to {last:.6g} for base {base:,}, as they would for base "
    "10,000. Where does the base that is passed in enter?",
    es="Con d = {d} tus longitudes de onda van de {first:.6g} a {last:.6g} con base {base:,}, como con base 10.000. "
    "¿Dónde entra la base que se recibe?",
)
def base_ignored(observations):
    def as_for_10000(seen, right, base):
        return np.allclose(np.log(seen / TURN) * np.log(base), np.log(right / TURN) * np.log(10_000), rtol=1e-4)

    return _all_fit(observations, as_for_10000)


@mistake(
    "one-per-column",
    "wavelengths",
    en="At d = {d} you returned {size} wavelengths, one for each column. How many columns share one?",
    es="Con d = {d} devolviste {size} longitudes de onda, una por columna. ¿Cuántas columnas comparten una?",
)
def one_per_column(observations):
    shapes = [(seen.args[0], getattr(seen.actual, "shape", None)) for seen in observations]
    return {"d": shapes[0][0], "size": shapes[0][0]} if all(shape == (d,) for d, shape in shapes) else None


def _all_fit(observations, fits) -> dict | None:
    """The ends of the first wrong array of wavelengths, if every call's array fits a mistake and one is wrong by it."""
    found = None
    for o in observations:
        if not comparable(o) or not (o.actual > 0).all() or not fits(o.actual, o.expected, o.args[1]):
            return None
        if not found and not np.allclose(o.actual, o.expected, rtol=1e-4):
            found = {"d": o.args[0], "base": o.args[1], "first": float(o.actual[0]), "last": float(o.actual[-1])}
    return found
