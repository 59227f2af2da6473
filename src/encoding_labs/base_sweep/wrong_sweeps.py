"""Mistakes of lab 05's sweep."""

from __future__ import annotations

import numpy as np

from encoding_labs import COURSE
from encoding_labs.base_sweep.evidence import comparable
from labkit.judging.diagnosis import mistake
from labkit.model.course import Probe
from labkit.notebook.expected import expected_of

NEAREST = {
    "|PE(p) - PE(p)|": lambda seen, right, d: not np.any(np.abs(np.nan_to_num(seen)) > 1e-2),
    "|PE(p) - PE(q)|²": lambda seen, right, d: np.allclose(seen, right**2, rtol=1e-3),
    "1 - cos": lambda seen, right, d: np.allclose(seen, right**2 / d, rtol=1e-3),
}


@mistake(
    "nearest-neighbour",
    "sweep",
    en="The third column is off for every base; at base {base:,} it holds {seen:.4f}, which is what {formula} gives. "
    "Who is the nearest other row of a row, and is its distance a length?",
    es="La tercera columna está mal para todas las bases; con base {base:,} contiene {seen:.4f}, que es lo que da "
    "{formula}. ¿Cuál es la otra fila más cercana a una fila? ¿Es su distancia una longitud?",
)
def nearest_neighbour(observations):
    tables = [o for o in observations if comparable(o)]
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
    en="At base {base:,} your nearest-neighbour distance is 0, just where the longest wavelength, {longest:.1f}, is "
    "within T = {T}. After that many positions the slowest hand is back. Are all the others back too? Measure two "
    "such rows.",
    es="Con base {base:,} tu distancia al vecino más cercano es 0, justo donde la longitud de onda más larga, "
    "{longest:.1f}, cabe en T = {T}. Tras tantas posiciones la manecilla más lenta ha vuelto. ¿Han vuelto también las "
    "demás? Mide dos filas así.",
)
def collides_at_longest(observations):
    found = None
    for observation in filter(comparable, observations):
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
    for observation in filter(comparable, observations):
        bases = np.array(observation.args[0])
        order = np.argsort(bases)
        seen, right = observation.actual[order, 2], observation.expected[order, 2]
        in_order = np.allclose(observation.actual[:, 0], observation.expected[:, 0], rtol=1e-3)  # and not transposed
        if in_order and len(bases) > 2 and (np.diff(seen) > 0).all() and (np.diff(right) < 0).all():
            ends = {"smallest": int(bases[order[0]]), "largest": int(bases[order[-1]])}
            return {"low": float(seen[0]), "high": float(seen[-1]), **ends}
    return None


@mistake(
    "base-ignored",
    "sweep",
    en="Your third column holds {seen:.4f} for every base. Which table do you measure: does the base go into it?",
    es="Tu tercera columna contiene {seen:.4f} para todas las bases. ¿Qué tabla mides: entra la base en ella?",
)
def same_table_for_every_base(observations):
    for observation in filter(comparable, observations):
        column = observation.actual[:, 2]
        whole = (observation.actual % 1 == 0).all()  # that they are alike can come from cutting them off
        if (
            not whole
            and len(column) > 2
            and np.ptp(column) < 1e-6 < 1e-2 < column[0]
            and np.ptp(observation.expected[:, 2]) > 0.1
        ):
            return {"seen": float(column[0])}


@mistake(
    "integer-table",
    "sweep",
    en="Your array holds whole numbers alone: its first row begins with {seen:.0f}. What comes after the decimal point is lost. "
    "Which dtype has the array that they are written into, or what rounds them?",
    es="Tu array contiene solo números enteros: su primera fila empieza por {seen:.0f}. Se pierde lo que va tras la coma. ¿Qué "
    "dtype tiene el array en el que se escriben, o qué los redondea?",
)
def whole_numbers(observations):
    tables = [o for o in observations if comparable(o)]
    cut = all(any(np.array_equal(o.actual, whole(o.expected)) for whole in (np.trunc, np.round)) for o in tables)
    return {"seen": float(tables[0].actual[0, 0])} if tables and cut else None


@mistake(
    "adjacent-rows",
    "sweep",
    en="With {T} positions at d = {d} and base {base:,} your nearest-neighbour distance is {seen:.4f}, that of "
    "adjacent rows. Some rows that stand farther apart are closer to each other. Which pairs of rows do you compare?",
    es="Con {T} posiciones, d = {d} y base {base:,}, tu distancia al vecino más cercano es {seen:.4f}, la de las "
    "filas contiguas. Algunas filas más separadas están más cerca entre sí. ¿Qué pares de filas comparas?",
)
def adjacent_rows(observations):
    stored, wrong = expected_of(COURSE, "05_base_sweep")["sweep: adjacent rows"], None
    for observation in observations:
        column = stored.get(Probe(observation.args).key)
        if (
            column is None
            or not comparable(observation)
            or not np.allclose(observation.actual[:, 2], column, atol=1e-3)
        ):
            return None
        off = np.flatnonzero(np.abs(column - observation.expected[:, 2]) > 1e-2)
        if off.size and not wrong:
            bases, T, d = observation.args
            wrong = {"T": T, "d": d, "base": bases[off[0]], "seen": float(column[off[0]])}
    return wrong


@mistake(
    "columns-exchanged",
    "sweep",
    en="Your three columns hold the right numbers in another order: the first row begins with {seen:.6g}. In which "
    "order are they asked for?",
    es="Tus tres columnas tienen los números correctos en otro orden: la primera fila empieza por {seen:.6g}. ¿En "
    "qué orden se piden?",
)
def columns_exchanged(observations):
    tables = [o for o in observations if comparable(o)]
    for order in ([0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]):
        if tables and all(np.allclose(o.actual[:, order], o.expected, rtol=1e-4, atol=1e-4) for o in tables):
            return {"seen": float(tables[0].actual[0, 0])}


@mistake(
    "last-position-lost",
    "sweep",
    en="At d = {d}, a wavelength that lies between {before} and {T} positions is not counted for T = {T}. The rule "
    "asked for is: at most T.",
    es="Con d = {d}, una longitud de onda que está entre {before} y {T} posiciones no se cuenta para T = {T}. La "
    "regla que se pide es: como mucho T.",
)
def last_position_lost(observations):
    found = None
    for observation in filter(comparable, observations):
        short = observation.expected[:, 1] - observation.actual[:, 1]
        if not set(short) <= {0.0, 1.0}:
            return None
        if short.any():
            _, T, d = observation.args
            found = found or {"T": T, "before": T - 1, "d": d}
    return found


@mistake(
    "columns-for-pairs",
    "sweep",
    en="Your second column is twice what it should be everywhere: {seen:.0f} for base {base:,}. Does it count pairs "
    "or columns?",
    es="Tu segunda columna es el doble de lo debido en todas partes: {seen:.0f} con base {base:,}. ¿Cuenta pares o "
    "columnas?",
)
def columns_for_pairs(observations):
    tables = [o for o in observations if comparable(o)]
    if tables and all(np.array_equal(o.actual[:, 1], 2 * o.expected[:, 1]) and o.expected[:, 1].all() for o in tables):
        return {"seen": float(tables[0].actual[0, 1]), "base": tables[0].args[0][0]}
