"""Lab 07, precision and cost: right answers to `double`."""

import numpy as np

from autograder.samples import Samples

from . import F

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
def cosines_first_and_turned_over(rows, omega):
    z = (rows[:, 1::2] + 1j * rows[:, 0::2]) * np.exp(1j * len(rows) * omega)
    second = np.empty_like(rows)
    second[:, 0::2], second[:, 1::2] = z.imag, z.real
    return np.concatenate([rows, second])


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
def a_loop_over_pairs(rows, omega):
    n = rows.shape[0]
    out = np.vstack((rows, rows))
    for k, w in enumerate(omega):
        s, c = rows[:, 2 * k].astype(float), rows[:, 2 * k + 1].astype(float)
        out[n:, 2 * k] = s * np.cos(n * w) + c * np.sin(n * w)
        out[n:, 2 * k + 1] = c * np.cos(n * w) - s * np.sin(n * w)
    return out


@ANSWERS.sample("double")
def a_loop_over_rows(rows, omega):
    n, turn = len(rows), np.exp(-1j * len(rows) * np.asarray(omega))
    out = np.zeros((2 * n, rows.shape[1]), dtype="float32")
    for p in range(n):
        z = (rows[p, 0::2] + 1j * rows[p, 1::2]) * turn
        out[p], out[n + p, 0::2], out[n + p, 1::2] = rows[p], z.real, z.imag
    return out


@ANSWERS.sample("double")
def einsum_over_pairs(rows, omega):
    angle = len(rows) * omega
    turns = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    second = np.einsum("ijk,nkj->nki", turns, rows.reshape(len(rows), -1, 2)).reshape(rows.shape)
    return np.concatenate([rows, second], axis=0, dtype=np.float32, casting="same_kind")


@ANSWERS.sample("double")
def the_matrix_of_lab_03(rows, omega):
    n, d = rows.shape
    R = np.zeros((d, d))
    for k, w in enumerate(omega):
        R[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[np.cos(n * w), np.sin(n * w)], [-np.sin(n * w), np.cos(n * w)]]
    return np.concatenate([rows, rows @ R.T]).astype(np.float32)


@ANSWERS.sample("double")
def repeated_angles_and_partners(rows, omega):
    angle = np.repeat(len(rows) * omega, 2)
    partner = np.stack([rows[:, 1::2], -rows[:, 0::2]], axis=2).reshape(rows.shape)
    return np.r_[rows, rows * np.cos(angle) + partner * np.sin(angle)].astype(np.float32)


@ANSWERS.sample("double")
def by_length_and_angle(rows, omega):
    s, c = rows[:, 0::2].astype(float), rows[:, 1::2].astype(float)
    length, angle = np.hypot(s, c), np.arctan2(s, c) + len(rows) * omega
    second = np.stack([length * np.sin(angle), length * np.cos(angle)], axis=-1).reshape(rows.shape)
    return np.append(rows, second.astype(np.float32), axis=0)


@ANSWERS.sample("double")
def into_an_empty_array_with_out(rows, omega):
    n, m = len(rows), len(omega)
    z = np.empty((2 * n, m), dtype=np.complex64)
    z[:n] = rows.view(np.complex64)
    np.multiply(z[:n], np.exp(-1j * n * omega).astype(np.complex64), out=z[n:])
    return z.view(np.float32)


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


@ANSWERS.sample("double")
def lists_and_math(rows, omega):
    import math

    n, turns = len(rows), [(math.cos(len(rows) * w), math.sin(len(rows) * w)) for w in omega]
    out = [list(row) for row in rows]
    for row in rows.tolist():
        new = []
        for (c, s), a, b in zip(turns, row[0::2], row[1::2]):
            new += [a * c + b * s, b * c - a * s]
        out.append(new)
    assert len(out) == 2 * n
    return np.array(out, dtype=np.float32)
