"""The mistakes of lab 05, base sweep."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from encoding_labs.base_sweep.exercises import allowed, curves, heights
from labkit.calls.axes import Drawing
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation

TURN = 2 * np.pi

# How a wrong longest wavelength is tied to the base, or to the right value; each name is a formula in any language.
LONGEST = {
    "2π · base": lambda seen, right, base: _same(seen, TURN * base),
    "base": lambda seen, right, base: _same(seen, base),
    "1/ω": lambda seen, right, base: _same(TURN * seen, right),
    "2π · base^(k/d)": lambda seen, right, base: _same(seen, (TURN * right) ** 0.5),
}
BASE = {
    "base = T / 2π": lambda seen, right, T: _same(TURN * seen, T),
    "base = T": lambda seen, right, T: _same(seen, T),
    "base^(k/d) = T / 2π": lambda seen, right, T: _same(seen, right**2),
}
NEAREST = {
    "|PE(p) - PE(p)|": lambda seen, right, d: not np.any(np.nan_to_num(seen) > 1e-2),
    "|PE(p) - PE(q)|²": lambda seen, right, d: np.allclose(seen, right**2, rtol=1e-3),
    "1 - cos": lambda seen, right, d: np.allclose(seen, right**2 / d, rtol=1e-3),
}


@mistake(
    "longest-wavelength",
    "wavelengths",
    "longest_wavelength",
    "sweep",
    en="At d = {d} and base {base:,} your longest wavelength is {seen:.6g}: that is {formula}. Which k has the last pair, "
    "what does its exponent come to, and how many radians are in one turn?",
    es="Con d = {d} y base {base:,} tu longitud de onda más larga es {seen:.6g}: eso es {formula}. ¿Qué k tiene el último "
    "par, cuánto vale su exponente y cuántos radianes tiene una vuelta?",
)
def longest_wavelength(observations):
    # At d = 2 there is one pair and no base, so that mistakes look alike.
    values = [value for observation in observations for value in _longest(observation) if value[0] > 2]
    formula = _formula(LONGEST, [(seen, right, base) for d, base, seen, right in values])
    if formula is None:
        return None
    d, base, seen, _ = values[0]
    return {"d": d, "base": base, "seen": seen, "formula": formula}


@mistake(
    "longest-wavelength",
    "base_for_length",
    en="For T = {T:,} and d = {d} your base is {seen:.6g}, which is what {formula} gives. Put it into your "
    "longest_wavelength: which wavelength comes out? Which k does the last pair have?",
    es="Para T = {T:,} y d = {d} tu base es {seen:.6g}, que es lo que da {formula}. Pásala a tu longest_wavelength: ¿qué "
    "longitud de onda sale? ¿Qué k tiene el último par?",
)
def base_from_the_wrong_wavelength(observations):
    values = [(o.args, float(o.actual), float(o.expected)) for o in observations if _comparable(o)]
    formula = _formula(BASE, [(seen, right, T) for (T, d), seen, right in values])
    if formula is None:
        return None
    (T, d), seen, _ = values[0]
    return {"T": T, "d": d, "seen": seen, "formula": formula}


@mistake(
    "nearest-neighbour",
    "sweep",
    en="The third column is off for every base; at base {base:,} it holds {seen:.4f}, which is what {formula} gives. Who is "
    "the nearest other row of a row, and is its distance a length?",
    es="La tercera columna está mal para todas las bases; con base {base:,} contiene {seen:.4f}, que es lo que da "
    "{formula}. ¿Cuál es la otra fila más cercana a una fila? ¿Es su distancia una longitud?",
)
def nearest_neighbour(observations):
    tables = [o for o in observations if _comparable(o)]
    for formula, fits in NEAREST.items():
        if tables and all(fits(o.actual[:, 2], o.expected[:, 2], o.args[2]) for o in tables):
            return {
                "base": tables[0].args[0][0],
                "seen": float(np.nan_to_num(tables[0].actual[0, 2])),
                "formula": formula,
            }
    return None


@mistake(
    "collides-at-longest",
    "sweep",
    en="At base {base:,} your nearest-neighbour distance is 0, just where the longest wavelength, {longest:.1f}, is within "
    "T = {T}. After that many positions the slowest hand is back. Are all the others back too? Measure two such rows.",
    es="Con base {base:,} tu distancia al vecino más cercano es 0, justo donde la longitud de onda más larga, "
    "{longest:.1f}, cabe en T = {T}. Tras tantas posiciones la manecilla más lenta ha vuelto. ¿Han vuelto también las "
    "demás? Mide dos filas así.",
)
def collides_at_longest(observations):
    found = None
    for observation in filter(_comparable, observations):
        bases, T, _ = observation.args
        longest, _, seen = np.asarray(observation.actual, dtype=np.float64).T
        gone, within = np.abs(seen) < 1e-2, longest <= T
        kept = np.allclose(seen[~within], observation.expected[~within, 2], rtol=1e-3)
        if not (np.array_equal(gone, within) and kept):
            return None
        if within.any():
            first = int(np.argmax(within))
            found = found or {"base": bases[first], "longest": float(longest[first]), "T": T}
    return found


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
    "sweep",
    en="Your nearest-neighbour column grows with the base, from {low:.4g} at base {smallest:,} to {high:.4g} at base "
    "{largest:,}. When the base grows, do the pairs turn further from one position to the next, or less far? Is the "
    "column a distance, in the order of the bases?",
    es="Tu columna del vecino más cercano crece con la base, de {low:.4g} con base {smallest:,} a {high:.4g} con base "
    "{largest:,}. Cuando la base crece, ¿giran los pares más de una posición a la siguiente, o menos? ¿Es la columna "
    "una distancia, en el orden de las bases?",
)
def bigger_is_apart(observations):
    for observation in filter(_comparable, observations):
        bases = np.array(observation.args[0])
        order = np.argsort(bases)
        seen, right = observation.actual[order, 2], observation.expected[order, 2]
        in_order = np.allclose(observation.actual[:, 0], observation.expected[:, 0], rtol=1e-3)  # and not transposed
        if in_order and len(bases) > 2 and (np.diff(seen) > 0).all() and (np.diff(right) < 0).all():
            ends = {"smallest": int(bases[order[0]]), "largest": int(bases[order[-1]])}
            return {"low": float(seen[0]), "high": float(seen[-1]), **ends}
    return None


@mistake(
    "bigger-is-apart",
    "draw_sweep",
    en="At offset {offset} your line for base {smallest:,} stands at {low:.3f} and that for base {largest:,} at {high:.3f}: "
    "the labels say that the larger base tells near positions apart better. Which pairs hardly move when the base is large?",
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


def _same(seen, wanted) -> bool:
    return bool(abs(seen - wanted) <= 1e-5 * abs(wanted))


def _formula(formulas: dict, values: list[tuple]) -> str | None:
    """The formula that explains every one of these values, none of which is right."""
    if not values or any(_same(seen, right) for seen, right, _ in values):
        return None
    return next((name for name, fits in formulas.items() if all(fits(*value) for value in values)), None)


def _comparable(observation: Observation) -> bool:
    """Whether there are numbers of the right shape to look at."""
    if observation.expected is None:
        return False
    found = observation.difference
    return found is None or found.id in ("values", "finite")


def _longest(observation: Observation) -> Iterator[tuple]:
    """Each longest wavelength that an answer holds: d, base, what was seen, what is right."""
    if not _comparable(observation):
        return
    actual, right, args = observation.actual, observation.expected, observation.args
    if observation.exercise.name == "sweep":
        for base, seen, wanted in zip(args[0], actual[:, 0], right[:, 0]):
            yield args[2], base, float(seen), float(wanted)
    else:
        yield *args, float(np.ravel(actual)[-1]), float(np.ravel(right)[-1])


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
