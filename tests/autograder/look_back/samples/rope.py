"""Lab 08, a head that learns to look back: right and wrong answers to `rope`."""

import numpy as np

from autograder.samples import Sample, Samples, omega_of
from autograder.shipped import shipped_samples
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import turned

ANSWERS = Samples(shipped_samples("rope"))


def angles(x, positions):
    return np.asarray(positions)[:, None] * omega_of(x.shape[1])


@ANSWERS.sample("rope")
def strided_columns(x, positions):
    s, c = np.sin(angles(x, positions)), np.cos(angles(x, positions))
    out = np.empty(x.shape)
    out[:, 0::2] = x[:, 0::2] * c + x[:, 1::2] * s
    out[:, 1::2] = x[:, 1::2] * c - x[:, 0::2] * s
    return out


@ANSWERS.sample("rope")
def complex_numbers(x, positions):
    return turned(x, angles(x, positions))


@ANSWERS.sample("rope")
def in_float32(x, positions):
    a = angles(x, positions).astype(np.float32)
    out = np.empty_like(x)
    out[:, 0::2] = x[:, 0::2] * np.cos(a) + x[:, 1::2] * np.sin(a)
    out[:, 1::2] = x[:, 1::2] * np.cos(a) - x[:, 0::2] * np.sin(a)
    return out


@ANSWERS.sample("rope")
def with_rows_of_the_table(x, positions):
    table = sinusoidal_pe(int(np.max(positions)) + 1, x.shape[1])[positions]
    s, c = table[:, 0::2], table[:, 1::2]
    return np.stack([x[:, ::2] * c + x[:, 1::2] * s, x[:, 1::2] * c - x[:, ::2] * s], axis=2).reshape(x.shape)


@ANSWERS.sample("rope")
def by_length_and_angle(x, positions):
    length, angle = np.hypot(x[:, 0::2], x[:, 1::2]), np.arctan2(x[:, 0::2], x[:, 1::2]) + angles(x, positions)
    return np.stack([length * np.sin(angle), length * np.cos(angle)], axis=-1).reshape(x.shape)


@ANSWERS.sample("rope")
def the_sense_of_most_libraries(x, positions):
    s, c = np.sin(angles(x, positions)), np.cos(angles(x, positions))
    even, odd = x[:, 0::2], x[:, 1::2]
    return np.stack([even * c - odd * s, even * s + odd * c], axis=-1).reshape(x.shape)


@ANSWERS.sample("rope", "turned-twice")
def turned_once_more(x, positions):
    return complex_numbers(complex_numbers(x, positions), positions)


@ANSWERS.sample("rope", "positions-ignored")
def rows_of_the_table_in_order(x, positions):
    return with_rows_of_the_table(x, np.arange(len(x)))


@ANSWERS.sample("rope", "halves-layout")
def rotate_half(x, positions):
    h = x.shape[1] // 2
    c, s = (np.tile(f(angles(x, positions)), 2) for f in (np.cos, np.sin))
    return x * c + np.concatenate([-x[:, h:], x[:, :h]], axis=1) * s


@ANSWERS.sample("rope", "reflection")
def a_minus_in_both_lines(x, positions):
    s, c = np.sin(angles(x, positions)), np.cos(angles(x, positions))
    even, odd = x[:, 0::2], x[:, 1::2]
    return np.stack([even * c - odd * s, odd * c - even * s], axis=-1).reshape(x.shape)


@ANSWERS.sample("rope")
def in_place_in_a_copy_with_the_even_columns_kept(x, positions):
    out, s, c = x.copy(), np.sin(angles(x, positions)), np.cos(angles(x, positions))
    even = out[:, 0::2].copy()
    out[:, 0::2] = even * c + out[:, 1::2] * s
    out[:, 1::2] = out[:, 1::2] * c - even * s
    return out


@ANSWERS.sample("rope", "input-overwritten")
def turned_in_the_argument(x, positions):
    x[:] = turned(x, angles(x, positions))
    return x


@ANSWERS.sample("rope", "half-overwritten")
def even_columns_overwritten_in_the_argument(x, positions):
    s, c = np.sin(angles(x, positions)), np.cos(angles(x, positions))
    x[:, 0::2] = x[:, 0::2] * c + x[:, 1::2] * s
    x[:, 1::2] = x[:, 1::2] * c - x[:, 0::2] * s
    return x


def from_a_table(x, positions, rows):
    angle = angles(x, np.arange(rows))[positions]
    return turned(x, angle)


@ANSWERS.sample("rope", "unseen")
def angles_from_a_table_of_512_positions(x, positions):
    return from_a_table(x, positions, 512)


@ANSWERS.sample("rope", "unseen")
def angles_from_a_table_of_65536_positions(x, positions):
    return from_a_table(x, positions, 2**16)


@ANSWERS.sample("rope", "unseen")
def positions_beyond_a_table_start_again(x, positions):
    return turned(x, angles(x, np.asarray(positions) % 4096))


def pair_by_pair(angle_of):
    """Make an answer that turns pair k of row t by `angle_of(positions, t, k, d)`, with plain loops in float32."""

    def answer(x, positions):
        out = np.zeros_like(x)
        for t in range(len(x)):
            for k in range(x.shape[1] // 2):
                a = angle_of(positions, t, k, x.shape[1])
                out[t, 2 * k] = x[t, 2 * k] * np.cos(a) + x[t, 2 * k + 1] * np.sin(a)
                out[t, 2 * k + 1] = x[t, 2 * k + 1] * np.cos(a) - x[t, 2 * k] * np.sin(a)
        return out

    return answer


for mistake, angle_of in {
    "exponent-k-over-d": lambda positions, t, k, d: positions[t] / 10000 ** (k / d),
    "degrees": lambda positions, t, k, d: np.radians(positions[t] / 10000 ** (2 * k / d)),
    "k-from-one": lambda positions, t, k, d: positions[t] / 10000 ** (2 * (k + 1) / d),
    "one-angle": lambda positions, t, k, d: positions[t],
    "one-position-for-all": lambda positions, t, k, d: positions[-1] / 10000 ** (2 * k / d),
    "positions-from-one": lambda positions, t, k, d: (positions[t] + 1) / 10000 ** (2 * k / d),
    "unknown": lambda positions, t, k, d: np.radians(positions[t] / 500 ** (2 * k / d)),
}.items():
    ANSWERS.append(Sample("rope", f"loops: {mistake}", pair_by_pair(angle_of), (mistake,)))


@ANSWERS.sample("rope", "output-in-halves")
def not_interleaved_again(x, positions):
    s, c = np.sin(angles(x, positions)), np.cos(angles(x, positions))
    even, odd = x[:, 0::2], x[:, 1::2]
    return np.hstack([even * c - odd * s, even * s + odd * c])


@ANSWERS.sample("rope", "columns-exchanged")
def the_cosine_column_first(x, positions):
    clocks = (x[:, 1::2] + 1j * x[:, 0::2]) * np.exp(1j * angles(x, positions))
    return np.ascontiguousarray(clocks).view(float).astype(np.float32)


def bfloat16(values):
    """Keep the upper 16 bits of each float32, rounded to nearest even."""
    bits = np.asarray(values, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


@ANSWERS.sample("rope", "low-precision")
def angles_in_bfloat16(x, positions):
    return turned(x, bfloat16(angles(x, positions)))


@ANSWERS.sample("rope", "low-precision")
def sines_and_cosines_in_bfloat16(x, positions):
    a = bfloat16(bfloat16(positions)[:, None] * bfloat16(omega_of(x.shape[1])))
    s, c = bfloat16(np.sin(a)), bfloat16(np.cos(a))
    return np.stack([x[:, ::2] * c - x[:, 1::2] * s, x[:, 1::2] * c + x[:, ::2] * s], axis=2).reshape(x.shape)


@ANSWERS.sample("rope", "scaled-position")
def a_quarter_of_the_position(x, positions):
    return turned(x, angles(x, positions / 4))


@ANSWERS.sample("rope", "scaled-position")
def positions_over_their_number(x, positions):
    return turned(x, angles(x, positions / len(positions)), back=True)


@ANSWERS.sample("rope", "columns-unwritten")
def odd_columns_left_0(x, positions):
    a, out = angles(x, positions), np.zeros(x.shape)
    out[:, 0::2] = x[:, 0::2] * np.cos(a) + x[:, 1::2] * np.sin(a)
    return out


@ANSWERS.sample("rope", "columns-unwritten")
def odd_columns_left_as_they_were(x, positions):
    a, out = angles(x, positions), x.copy()
    out[:, 0::2] = x[:, 0::2] * np.cos(a) - x[:, 1::2] * np.sin(a)
    return out


@ANSWERS.sample("rope", "added")
def the_table_of_as_many_rows_added(x, positions):
    return x + sinusoidal_pe(*x.shape)


@ANSWERS.sample("rope", "halves-layout", "exponent-k-over-d")
def halves_with_half_the_exponent(x, positions):
    h = x.shape[1] // 2
    a = positions[:, None] / 10000 ** (np.arange(h) / x.shape[1])
    return np.hstack([x[:, :h] * np.cos(a) - x[:, h:] * np.sin(a), x[:, h:] * np.cos(a) + x[:, :h] * np.sin(a)])


@ANSWERS.sample("rope", "reflection", "degrees")
def no_minus_and_degrees(x, positions):
    a, even, odd = np.radians(angles(x, positions)), x[:, 0::2], x[:, 1::2]
    both = even * np.cos(a) + odd * np.sin(a), odd * np.cos(a) + even * np.sin(a)
    return np.stack(both, axis=-1).reshape(x.shape)
