"""Lab 07, precision and cost: the mistakes that it names, each as a formula.

What rounding tells, and what differs from machine to machine, is no formula: `src/encoding_labs/precision_and_cost` has it.
"""

import numpy as np

from autograder.mistakes import WRONG_FREQUENCIES, omega_of, woven
from labkit.authoring.wrong_formulas import telling, within

from .reference import cost, double, fitted, of_each_size, table, turned

ROUNDING = 1e-6  # an error of float32 angles is known to this, where their frequencies are
STATISTIC = 0.02  # another statistic of the warm times moves an exponent by less

# float32_error


def signed(positions):
    """At d = 2, where it is known on every machine: how far the float32 positions move each entry, shape (n, 2)."""
    return table(positions.astype(np.float32), 2) - table(positions, 2)


def at_d_2(measure):
    """A wrong measure of the differences at d = 2; it has no value elsewhere, where machines differ."""

    def formula(positions, d):
        if d != 2:
            raise ValueError
        off = signed(positions)
        return telling(measure(off, table(positions, d)), n=len(positions))

    return formula


def against_right(rows):
    """One of the two tables has other rows: far more than rounding, where positions times rounding are small."""

    def formula(positions, d):
        if d not in (2, 4, 32):
            raise ValueError
        errors = np.abs(rows(positions.astype(np.float32).astype(np.float64), d) - table(positions, d)).max(axis=1)
        first = int(np.argmax(errors > 0.01))
        return telling(errors, position=int(positions[first]), seen=errors[first])

    return within(0.1, formula)


def by_law(law):
    return against_right(lambda positions, d: woven(positions[:, None] * law(d)))


def apart(rows):
    """Even columns first, then the odd ones."""
    return np.concatenate([rows[:, 0::2], rows[:, 1::2]], axis=1)


def together(rows):
    """The columns of two halves, interleaved."""
    return rows.reshape(len(rows), 2, -1).swapaxes(1, 2).reshape(rows.shape)


def exchanged(rows):
    """The two columns of each pair in the other order."""
    return rows.reshape(len(rows), -1, 2)[:, :, ::-1].reshape(rows.shape)


def angles_cast(positions, d):
    angles = (positions[:, None] * omega_of(d)).astype(np.float32).astype(np.float64)
    errors = np.abs(woven(angles) - table(positions, d)).max(axis=1)
    return telling(errors, largest=errors.max())


def shared_frequencies(step):
    """At d = 4 the slow float32 frequency is so many float32 numbers from the nearest one: machines' powers differ."""

    def formula(positions, d):
        if d > 4:
            raise ValueError
        slow = (np.float32([0.01]).view(np.int32) + np.int32(step)).view(np.float32)
        speeds = np.append(np.float32(1), slow)[: d // 2]
        near, far = (positions[:, None].astype(dtype) * speeds.astype(dtype) for dtype in (np.float32, np.float64))
        return np.abs(woven(near.astype(np.float64)) - woven(far)).max(axis=1)

    return within(ROUNDING, formula)


# double


def below(rows, second):
    return np.concatenate([rows, second])


def new_half(angles):
    """The rows as they came, and below them the same turned by wrong angles, a function of the rows and omega."""
    return lambda rows, omega: below(rows, turned(rows, angles(rows, omega)))


def right_angles(rows, omega):
    return len(rows) * omega


def after(change):
    """The right new rows, changed in one way."""
    return lambda rows, omega: below(rows, change(turned(rows, right_angles(rows, omega))))


def at_position(shift):
    """New rows turned by another number of positions, a function of the rows."""

    def formula(rows, omega):
        return telling(below(rows, turned(rows, shift(rows) * omega)), seen=shift(rows))

    return formula


def columns_from(even, odd):
    """Even columns of one array and odd ones of another."""
    return np.stack([even[:, 0::2], odd[:, 1::2]], axis=-1).reshape(even.shape)


def reflected(rows, omega, exchange):
    forward, back = (turned(rows, way * right_angles(rows, omega)) for way in (1, -1))
    return below(rows, columns_from(back, forward) if exchange else columns_from(forward, back))


def half_overwritten(first):
    """Even columns (first = 0) or odd ones (first = 1) are overwritten before the others are made."""

    def formula(rows, omega):
        new = turned(rows, right_angles(rows, omega))
        mixed = columns_from(new, rows) if first == 0 else columns_from(rows, new)
        later = turned(mixed, right_angles(rows, omega))
        return below(rows, columns_from(new, later) if first == 0 else columns_from(later, new))

    return formula


def of_length_1(rows):
    return rows / np.hypot(rows[:, 0::2], rows[:, 1::2]).repeat(2, axis=1)


def own_frequencies(law):
    return new_half(lambda rows, omega: len(rows) * law(rows.shape[1]))


# cost


def fit(exponents, close=STATISTIC, **facts):
    """A wrong fit as a formula, which tells its two exponents."""

    def formula(rows):
        found = exponents(rows)
        return telling(found, in_T=found[0], in_d=found[1], **facts)

    return within(close, formula)


def logarithms(rows, summed_up=np.median):
    return [*map(np.log, of_each_size(rows, summed_up))]


def slopes(sizes, heights):
    return fitted(sizes, heights)[1:]


def of_every_row(rows):
    return slopes(np.log(rows[:, :2]), np.log(rows[:, 2]))


def constant_and_slopes(picked, logarithm):
    """The unknowns log c, a and b of the right fit, picked by number."""

    def formula(rows):
        unknowns = fitted(*map(logarithm, of_each_size(rows)))
        return telling(unknowns[picked], constant=unknowns[0], count=len(picked))

    return formula


def line(x, y):
    return np.polyfit(x, y, 1)[0]


def of_means(sizes, heights):
    """The slope over the mean height at each size."""
    values = np.unique(sizes)
    return line(values, [heights[sizes == value].mean() for value in values])


def each_alone(slope):
    """An exponent for each size, whatever the other size was."""
    return lambda rows: [slope(sizes, logarithms(rows)[1]) for sizes in logarithms(rows)[0].T]


def of_entries(rows):
    """The exponent of the number of entries T * d."""
    sizes, times = logarithms(rows)
    return line(sizes.sum(axis=1), times)


def in_one_order(sizes_of):
    """Rounds side by side as if each had the order of the first."""

    def exponents(rows):
        n = len(of_each_size(rows)[0])
        return slopes(np.log(sizes_of(rows, n)), np.log(np.median(rows[:, 2].reshape(-1, n), axis=0)))

    return exponents


WRONG = {
    "float32_error": {
        "signed-error": [
            at_d_2(lambda off, right: off.max(axis=1)),
            at_d_2(lambda off, right: (-off).max(axis=1)),
            at_d_2(lambda off, right: off.min(axis=1)),
            at_d_2(lambda off, right: np.abs(off.max(axis=1))),
            at_d_2(lambda off, right: np.abs(off.min(axis=1))),
        ],
        "angle-error": lambda positions, d: at_d_2(
            lambda off, right: np.abs(positions.astype(np.float32).astype(np.float64) - positions)
        )(positions, d),
        "relative-error": [
            at_d_2(lambda off, right: np.abs(off / right).max(axis=1)),
            at_d_2(lambda off, right: np.abs(off / (right + off)).max(axis=1)),
            at_d_2(lambda off, right: np.abs(off).max(axis=1) / np.abs(right).max(axis=1)),
        ],
        "one-function": [at_d_2(lambda off, right, column=column: np.abs(off[:, column])) for column in (0, 1)],
        "not-the-largest": [
            at_d_2(lambda off, right: np.abs(off).mean(axis=1)),
            at_d_2(lambda off, right: np.abs(off).sum(axis=1)),
            at_d_2(lambda off, right: np.abs(off).min(axis=1)),
            at_d_2(lambda off, right: (off**2).max(axis=1)),
            at_d_2(lambda off, right: (off**2).mean(axis=1)),
            at_d_2(lambda off, right: np.sqrt((off**2).mean(axis=1))),
            at_d_2(lambda off, right: np.linalg.norm(off, axis=1)),
        ],
        "wrong-axis": [
            at_d_2(lambda off, right: np.abs(off).max(axis=0)),
            at_d_2(lambda off, right: np.abs(off).max(axis=0, keepdims=True)),
            at_d_2(lambda off, right: np.abs(off)),
            at_d_2(lambda off, right: np.abs(off).max(axis=1, keepdims=True)),
        ],
        "wrong-axis/one-number": [
            at_d_2(lambda off, right: np.abs(off).max()),
            at_d_2(lambda off, right: np.abs(off).mean()),
        ],
        "other-frequencies": [
            *(
                by_law(WRONG_FREQUENCIES[id])
                for id in ("exponent-k-over-d", "exponent-4k-over-d", "exponent-d-minus-2")
            ),
            by_law(WRONG_FREQUENCIES["k-from-one"]),
            *(by_law(lambda d, base=base: omega_of(d, base)) for base in (1e3, 1e5)),
        ],
        "other-columns": [
            against_right(lambda positions, d: apart(table(positions, d))),
            against_right(lambda positions, d: exchanged(table(positions, d))),
            against_right(lambda positions, d: apart(exchanged(table(positions, d)))),
        ],
        "angles-cast": within(ROUNDING, angles_cast),
        "frequencies-shared": [shared_frequencies(step) for step in (-1, 0, 1)],
    },
    "first_bad_position": {
        "error-for-position": within(2e-4, lambda d, tolerance: tolerance),
    },
    "double": {
        "new-half-only": lambda rows, omega: turned(rows, right_angles(rows, omega)),
        "first-half-changed": [
            lambda rows, omega: double(rows, omega)[np.arange(-len(rows), len(rows))],
            lambda rows, omega: below(0 * rows, turned(rows, right_angles(rows, omega))),
            lambda rows, omega: np.tile(turned(rows, right_angles(rows, omega)), (2, 1)),
            lambda rows, omega: below(of_length_1(rows), turned(rows, right_angles(rows, omega))),
        ],
        "rotation-transposed": new_half(lambda rows, omega: -len(rows) * omega),
        "other-position": [
            at_position(lambda rows: 0),
            at_position(lambda rows: 1),
            at_position(lambda rows: len(rows) - 1),
            at_position(lambda rows: len(rows) + 1),
            at_position(lambda rows: 2 * len(rows)),
            at_position(lambda rows: len(rows) // 2),
            at_position(lambda rows: rows.shape[1]),
            at_position(lambda rows: rows.shape[1] // 2),
            lambda rows, omega: telling(after(lambda new: new[::-1])(rows, omega), seen=2 * len(rows) - 1),
        ],
        "row-by-its-position": [
            new_half(lambda rows, omega: np.arange(len(rows), 2 * len(rows))[:, None] * omega),
            new_half(lambda rows, omega: np.arange(len(rows))[:, None] * omega),
            new_half(lambda rows, omega: np.arange(1, len(rows) + 1)[:, None] * omega),
        ],
        "degrees": new_half(lambda rows, omega: np.deg2rad(len(rows) * omega)),
        "cycles": new_half(lambda rows, omega: 2 * np.pi * len(rows) * omega),
        "omega-ignored": [own_frequencies(omega_of), *map(own_frequencies, WRONG_FREQUENCIES.values())],
        "one-angle": [
            new_half(lambda rows, omega: len(rows) * np.ones(len(omega))),
            new_half(lambda rows, omega: len(rows) * omega[0]),
            new_half(lambda rows, omega: len(rows) * omega[-1]),
        ],
        "frequencies-reversed": lambda rows, omega: telling(
            new_half(lambda rows, omega: len(rows) * omega[::-1])(rows, omega), last=len(omega) - 1
        ),
        "times-i": new_half(lambda rows, omega: len(rows) * omega - np.pi / 2),
        "no-imaginary-unit": lambda rows, omega: below(rows, rows * np.exp(-right_angles(rows, omega)).repeat(2)),
        "partner-missing": lambda rows, omega: below(rows, rows * np.cos(right_angles(rows, omega)).repeat(2)),
        "reflection": [
            lambda rows, omega: reflected(rows, omega, exchange=False),
            lambda rows, omega: reflected(rows, omega, exchange=True),
        ],
        "half-overwritten": [half_overwritten(0), half_overwritten(1)],
        "column-twice": [
            after(lambda new: new[:, 0::2].repeat(2, axis=1)),
            after(lambda new: new[:, 1::2].repeat(2, axis=1)),
        ],
        "swapped-sin-cos": [after(exchanged), lambda rows, omega: exchanged(double(rows, omega))],
        "halves-layout": [
            lambda rows, omega: below(rows, apart(turned(together(rows), right_angles(rows, omega)))),
            after(apart),
            lambda rows, omega: apart(double(rows, omega)),
        ],
        "new-rows-zero": after(np.zeros_like),
        "one-row-repeated": [
            lambda rows, omega: below(rows, turned(rows[:1], right_angles(rows, omega)).repeat(len(rows), axis=0)),
            lambda rows, omega: below(rows, turned(rows[-1:], omega).repeat(len(rows), axis=0)),
        ],
        "one-row-added": lambda rows, omega: telling(below(rows, turned(rows[-1:], omega)), rows_now=len(rows) + 1),
        "side-by-side": lambda rows, omega: np.concatenate([rows, turned(rows, right_angles(rows, omega))], axis=1),
        "rows-interleaved": lambda rows, omega: np.stack(
            [rows, turned(rows, right_angles(rows, omega))], axis=1
        ).reshape(2 * len(rows), -1),
    },
    "cost": {
        "cold-call": [
            fit(of_every_row),
            fit(lambda rows: of_every_row(rows[1:])),
            fit(lambda rows: slopes(*logarithms(rows, np.mean))),
            fit(lambda rows: slopes(*logarithms(rows, np.max))),
            fit(lambda rows: slopes(*logarithms(rows, lambda times: times[0]))),
        ],
        "exponents-exchanged": fit(lambda rows: cost(rows)[::-1]),
        "no-logarithm": [
            fit(lambda rows: slopes(*of_each_size(rows)), close=1e-3),
            fit(lambda rows: slopes(of_each_size(rows)[0], logarithms(rows)[1]), close=1e-3),
            fit(lambda rows: slopes(logarithms(rows)[0], of_each_size(rows)[1]), close=0.4),  # of about 20
        ],
        "mixed-logarithms": [
            fit(lambda rows, factor=factor: cost(rows) * factor, factor=factor)
            for ratio in (np.log(10), np.log(2), np.log2(10))
            for factor in (ratio, 1 / ratio)
        ],
        "no-constant": fit(lambda rows: np.linalg.lstsq(*logarithms(rows))[0]),
        "constant-included": [
            constant_and_slopes(picked, logarithm)
            for picked in ([0, 1], [0, 1, 2], [1, 2, 0])
            for logarithm in (np.log, np.log10, np.log2)
        ],
        "one-exponent": [
            within(STATISTIC, lambda rows: telling(of_entries(rows), in_T=of_entries(rows))),
            fit(lambda rows: [of_entries(rows)] * 2),
        ],
        "sizes-apart": [fit(each_alone(line)), fit(each_alone(of_means))],
        "seconds-per-entry": fit(lambda rows: cost(rows) - 1),
        "always-linear": fit(lambda rows: [1.0, 1.0]),
        "rounds-misaligned": [
            fit(in_one_order(lambda rows, n: rows[:n, :2])),
            fit(in_one_order(lambda rows, n: of_each_size(rows)[0])),
        ],
    },
}
