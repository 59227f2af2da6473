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
