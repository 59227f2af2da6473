"""Lab 07, precision and cost: right and wrong answers to `double`."""

import numpy as np

from autograder.samples import Samples

from . import F, woven

ANSWERS = Samples()


def pairs(rows):
    """Each pair of columns as a complex number, sin + i cos, in complex128."""
    return rows[:, 0::2].astype(float) + 1j * rows[:, 1::2]


def columns(z):
    """The float32 rows made of these complex pairs."""
    return np.stack([z.real, z.imag], axis=-1).reshape(len(z), -1).astype(F)


def below(rows, second):
    return np.concatenate([rows, second]).astype(F)


def turned(rows, angle):
    """The rows turned by these angles, in float32."""
    return columns(pairs(rows) * np.exp(-1j * angle))


def course_omega(rows):
    d = rows.shape[1]
    return 10000.0 ** (-np.arange(0, d, 2) / d)


@ANSWERS.sample("double")
def complex64_view(rows, omega):
    turn = np.exp(-1j * len(rows) * omega).astype(np.complex64)
    return np.concatenate([rows, (rows.view(np.complex64) * turn).view(F)])


@ANSWERS.sample("double")
def complex128_cast_at_the_end(rows, omega):
    z = rows[:, 0::2] + 1j * rows[:, 1::2].astype(np.float64)
    z = np.vstack([z, z * np.exp(-1j * len(rows) * omega)])
    out = np.empty((len(z), rows.shape[1]), dtype=np.float32)
    out[:, 0::2], out[:, 1::2] = z.real, z.imag
    return out


@ANSWERS.sample("double")
def rotation_formulas_in_float32(rows, omega):
    n, angle = len(rows), len(rows) * omega
    c, s = np.cos(angle).astype(F), np.sin(angle).astype(F)
    out = np.empty((2 * n, rows.shape[1]), dtype=F)
    out[:n] = rows
    out[n:, 0::2] = rows[:, 0::2] * c + rows[:, 1::2] * s
    out[n:, 1::2] = rows[:, 1::2] * c - rows[:, 0::2] * s
    return out


@ANSWERS.sample("double")
def by_length_and_angle(rows, omega):
    s, c = rows[:, 0::2].astype(float), rows[:, 1::2].astype(float)
    length, angle = np.hypot(s, c), np.arctan2(s, c) + len(rows) * omega
    second = np.stack([length * np.sin(angle), length * np.cos(angle)], axis=-1).reshape(rows.shape)
    return np.append(rows, second.astype(np.float32), axis=0)


@ANSWERS.sample("double")
def every_row_turned_from_the_first(rows, omega):
    positions = np.arange(2 * len(rows))[:, None]
    z = pairs(rows[:1]) * np.exp(-1j * positions * omega)
    return columns(z)


@ANSWERS.sample("double")
def row_after_row_in_float64(rows, omega):
    z = list(pairs(rows))
    for _ in range(len(rows)):
        z.append(z[-1] * np.exp(-1j * omega))
    return columns(np.array(z))


@ANSWERS.sample("double", "table-rebuilt")
def the_formula_of_the_position(rows, omega):
    return woven(np.arange(2 * len(rows))[:, None] * omega).astype(F)


@ANSWERS.sample("double", "table-rebuilt")
def the_formula_of_lab_01(rows, omega):
    return woven(np.arange(2 * len(rows))[:, None] * course_omega(rows)).astype(F)


@ANSWERS.sample("double", "omega-ignored")
def frequencies_of_its_own(rows, omega):
    return below(rows, turned(rows, len(rows) * course_omega(rows)))


@ANSWERS.sample("double", "degrees")
def angles_in_degrees(rows, omega):
    return below(rows, turned(rows, np.deg2rad(len(rows) * omega)))


@ANSWERS.sample("double", "rotation-transposed")
def cosine_first_with_the_sign_of_the_task(rows, omega):
    z = (rows[:, 1::2] + 1j * rows[:, 0::2]) * np.exp(-1j * len(rows) * omega)
    return below(rows, columns(z.imag + 1j * z.real))


@ANSWERS.sample("double", "reflection")
def a_plus_in_both_lines(rows, omega):
    s, c = np.sin(len(rows) * omega), np.cos(len(rows) * omega)
    even, odd = rows[:, 0::2], rows[:, 1::2]
    return below(rows, columns(even * c + odd * s + 1j * (odd * c + even * s)))


@ANSWERS.sample("double", "half-overwritten")
def odd_columns_overwritten(rows, omega):
    s, c = np.sin(len(rows) * omega), np.cos(len(rows) * omega)
    new = rows.copy()
    new[:, 1::2] = new[:, 1::2] * c - new[:, 0::2] * s
    new[:, 0::2] = new[:, 0::2] * c + new[:, 1::2] * s
    return below(rows, new)


@ANSWERS.sample("double", "half-overwritten")
def even_columns_overwritten_in_the_argument(rows, omega):
    n, s, c = len(rows), np.sin(len(rows) * omega), np.cos(len(rows) * omega)
    old = rows.copy()
    rows[:, 0::2] = rows[:, 0::2] * c + rows[:, 1::2] * s
    rows[:, 1::2] = rows[:, 1::2] * c - rows[:, 0::2] * s
    return below(old[:n], rows)


@ANSWERS.sample("double", "column-twice")
def the_sine_twice(rows, omega):
    right = pairs(turned(rows, len(rows) * omega))
    return below(rows, columns(right.real + 1j * right.real))


@ANSWERS.sample("double", "swapped-sin-cos")
def columns_exchanged(rows, omega):
    right = pairs(turned(rows, len(rows) * omega))
    return below(rows, columns(right.imag + 1j * right.real))


@ANSWERS.sample("double", "halves-layout")
def real_parts_then_imaginary(rows, omega):
    z = pairs(rows)
    z = np.concatenate([z, z * np.exp(-1j * len(rows) * omega)])
    return np.concatenate([z.real, z.imag], axis=1).astype(F)


@ANSWERS.sample("double", "frequencies-reversed")
def frequencies_in_reversed_order(rows, omega):
    return below(rows, turned(rows, len(rows) * omega[::-1]))


@ANSWERS.sample("double", "one-angle")
def every_pair_by_n_radians(rows, omega):
    return below(rows, turned(rows, len(rows) * np.ones(len(omega))))


@ANSWERS.sample("double", "other-position")
def turned_by_omega(rows, omega):
    return below(rows, turned(rows, omega))


ANSWERS.several("double", "new-half-only", only_the_new_half=lambda rows, omega: turned(rows, len(rows) * omega))


@ANSWERS.sample("double", "first-half-changed")
def turned_in_place_and_then_joined(rows, omega):
    z = rows.view(np.complex64)
    z *= np.exp(-1j * len(rows) * omega).astype(np.complex64)
    return np.concatenate([rows, z.view(np.float32)])


@ANSWERS.sample("double", "input-overwritten")
def right_but_the_argument_is_turned(rows, omega):
    old = rows.copy()
    rows[:] = turned(rows, len(rows) * omega)
    return np.concatenate([old, rows])


@ANSWERS.sample("double", "input-overwritten")
def the_argument_grows(rows, omega):
    n = len(rows)
    second = turned(rows, n * omega)
    rows.resize((2 * n, rows.shape[1]), refcheck=False)
    rows[n:] = second
    return rows


@ANSWERS.sample("double", "float32-phase")
def the_angle_in_float32(rows, omega):
    angle = np.float32(len(rows)) * omega.astype(np.float32)
    return below(rows, turned(rows, angle))


@ANSWERS.sample("double", "float32-phase")
def the_exact_angle_rounded_to_float32(rows, omega):
    return below(rows, turned(rows, (len(rows) * omega).astype(F)))


@ANSWERS.sample("double", "float32-phase")
def frequencies_in_float32(rows, omega):
    return below(rows, turned(rows, len(rows) * omega.astype(F).astype(float)))


@ANSWERS.sample("double", "float32-phase")
def a_phase_of_one_position_to_the_n(rows, omega):
    turn = np.exp(-1j * omega).astype(np.complex64) ** len(rows)
    return np.concatenate([rows, (rows.view(np.complex64) * turn).view(F)])


@ANSWERS.sample("double", "float32-angles")
def every_row_from_the_first_in_float32(rows, omega):
    angle = np.arange(2 * len(rows), dtype=F)[:, None] * omega.astype(F)
    return columns(pairs(rows[:1]) * np.exp(-1j * angle))


@ANSWERS.sample("double", "accumulated-angle")
def row_after_row_in_complex64(rows, omega):
    n, turn = len(rows), np.exp(-1j * omega).astype(np.complex64)
    z = np.concatenate([rows.view(np.complex64), np.empty((n, len(omega)), np.complex64)])
    for p in range(n, 2 * n):
        z[p] = z[p - 1] * turn
    return z.view(F)


ANSWERS.several(
    "double",
    "low-precision",
    float16_on_the_way=lambda rows, omega: below(rows, turned(rows, len(rows) * omega).astype(np.float16)),
    rounded_to_three_decimals=lambda rows, omega: np.round(complex64_view(rows, omega), 3),
)


@ANSWERS.sample("double", "wrong-container")
def still_complex(rows, omega):
    z = rows.view(np.complex64)
    return np.concatenate([z, z * np.exp(-1j * len(rows) * omega)])


@ANSWERS.sample("double", "wrong-container")
def float64_kept(rows, omega):
    z = pairs(rows)
    z = np.concatenate([z, z * np.exp(-1j * len(rows) * omega)])
    return np.stack([z.real, z.imag], axis=-1).reshape(len(z), -1)


@ANSWERS.sample("double", "complex128-viewed")
def complex128_seen_as_float32(rows, omega):
    z = rows.view(np.complex64)
    return np.concatenate([z, z * np.exp(-1j * len(rows) * omega)]).view(F)


ANSWERS.several("double", "unknown", a_list_of_rows=lambda rows, omega: complex64_view(rows, omega).tolist())


@ANSWERS.sample("double", "unknown")
def the_turn_read_off_two_rows(rows, omega):
    z = pairs(rows)
    return columns(np.concatenate([z, z[-1] * z / z[0] * (z[1] / z[0])]))


@ANSWERS.sample("double", "unknown")
def even_numbers_of_rows_only(rows, omega):
    half = len(rows) // 2
    out = np.empty((4 * half, rows.shape[1]), F)
    out[: 2 * half], out[2 * half :] = rows[: 2 * half], turned(rows, len(rows) * omega)[: 2 * half]
    return out


@ANSWERS.sample("double", "unknown")
def one_row_squeezed(rows, omega):
    rows = np.squeeze(rows)
    return below(rows, turned(rows, len(rows) * omega))


ANSWERS.several("double", "one-row-added", one_row_added=lambda rows, omega: below(rows, turned(rows[-1:], omega)))


@ANSWERS.sample("double", "side-by-side")
def side_by_side(rows, omega):
    return np.hstack([rows, turned(rows, len(rows) * omega)])


@ANSWERS.sample("double", "rows-interleaved")
def every_other_row(rows, omega):
    out = np.empty((2 * len(rows), rows.shape[1]), F)
    out[0::2], out[1::2] = rows, turned(rows, len(rows) * omega)
    return out


@ANSWERS.sample("double", "row-by-its-position")
def each_new_row_by_its_own_position(rows, omega):
    return below(rows, turned(rows, np.arange(len(rows), 2 * len(rows))[:, None] * omega))


@ANSWERS.sample("double", "unknown")
def nothing_returned(rows, omega):
    complex64_view(rows, omega)


@ANSWERS.sample("double", "times-i")
def i_in_front_as_in_row_0(rows, omega):
    turn = (1j * np.exp(-1j * len(rows) * omega)).astype(np.complex64)
    return np.concatenate([rows, (rows.view(np.complex64) * turn).view(F)])


@ANSWERS.sample("double", "no-imaginary-unit")
def a_real_exponential(rows, omega):
    turn = np.exp(-len(rows) * omega).astype(np.complex64)
    return np.concatenate([rows, (rows.view(np.complex64) * turn).view(F)])


@ANSWERS.sample("double", "partner-missing")
def imaginary_parts_dropped(rows, omega):
    turn, out = np.exp(-1j * len(rows) * omega), np.concatenate([rows, rows])
    for k in range(len(omega)):
        out[len(rows) :, 2 * k] = (rows[:, 2 * k] * turn[k]).real
        out[len(rows) :, 2 * k + 1] = (rows[:, 2 * k + 1] * turn[k]).real
    return out


@ANSWERS.sample("double", "new-rows-zero")
def the_new_rows_left_at_zero(rows, omega):
    out = np.zeros((2 * len(rows), rows.shape[1]), F)
    out[: len(rows)] = rows
    turned(out[len(rows) :], len(rows) * omega)
    return out


@ANSWERS.sample("double", "one-row-repeated")
def row_0_turned_for_all(rows, omega):
    out = np.concatenate([rows, rows])
    out[len(rows) :] = turned(rows[:1], len(rows) * omega)
    return out
