"""Lab 03, rotation proof: right and wrong answers."""

import numpy as np
import sympy
from sympy import Matrix, Rational, cos, expand_trig, eye, sin

from minimodel.positional.sinusoidal import sinusoidal_pe
from mistaken import Sample, Samples

ANSWERS = Samples()


def angles_of(k, d):
    return k * 10000.0 ** (-np.arange(0, d, 2) / d)


def blocks(angles, block):
    """A block-diagonal matrix from a function of sine and cosine that gives one 2 x 2 block."""
    matrix = np.zeros((2 * len(angles),) * 2)
    for i, angle in enumerate(angles):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(np.sin(angle), np.cos(angle))
    return matrix


def turning(s, c):
    return [[c, s], [-s, c]]


# --- shift_matrix -----------------------------------------------------------------------------------------------------


@ANSWERS.sample("shift_matrix")
def a_loop_over_pairs(k, d):
    return blocks(angles_of(k, d), turning)


@ANSWERS.sample("shift_matrix")
def strided_diagonals(k, d):
    omega = 1 / 10000 ** (np.arange(0, d, 2) / d)
    matrix = np.zeros((d, d))
    matrix[range(d), range(d)] = np.repeat(np.cos(k * omega), 2)
    matrix[range(0, d, 2), range(1, d, 2)] = np.sin(k * omega)
    matrix[range(1, d, 2), range(0, d, 2)] = -np.sin(k * omega)
    return matrix


@ANSWERS.sample("shift_matrix")
def kronecker_products(k, d):
    angle = np.exp(np.arange(d // 2) * (-2 * np.log(10000.0) / d)) * k
    return np.kron(np.diag(np.cos(angle)), np.eye(2)) + np.kron(np.diag(np.sin(angle)), np.array([[0, 1], [-1, 0]]))


@ANSWERS.sample("shift_matrix")
def a_float32_matrix_power(k, d):
    return np.linalg.matrix_power(blocks(angles_of(1, d), turning).astype(np.float32), k)


@ANSWERS.sample("shift_matrix")
def float32_angles(k, d):
    omega = np.float32(1) / np.float32(10000) ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
    return blocks(np.float32(k) * omega, turning)


@ANSWERS.sample("shift_matrix")
def complex_phases(k, d):
    phase = np.exp(1j * angles_of(k, d))
    return blocks(np.angle(phase), turning)


@ANSWERS.sample("shift_matrix")
def the_exponential_of_the_generator(k, d):
    generator = np.zeros((d, d))
    for i, omega in enumerate(angles_of(1, d)):
        generator[2 * i, 2 * i + 1], generator[2 * i + 1, 2 * i] = omega, -omega
    term = part = np.eye(d)
    for n in range(1, 20):
        term = term @ generator * (k / 64 / n)
        part = part + term
    return np.linalg.matrix_power(part, 64)


@ANSWERS.sample("shift_matrix", "rotation-transposed")
def the_textbook_rotation_of_x_and_y(k, d):
    return blocks(angles_of(k, d), lambda s, c: [[c, -s], [s, c]])


@ANSWERS.sample("shift_matrix", "rotation-transposed")
def the_shift_by_minus_k(k, d):
    return blocks(angles_of(-k, d), turning)


@ANSWERS.sample("shift_matrix", "reflection")
def no_minus(k, d):
    return blocks(angles_of(k, d), lambda s, c: [[c, s], [s, c]])


@ANSWERS.sample("shift_matrix", "reflection")
def minus_before_the_cosine(k, d):
    return blocks(angles_of(k, d), lambda s, c: [[c, s], [s, -c]])


@ANSWERS.sample("shift_matrix", "reflection")
def minus_at_both_sines(k, d):
    return blocks(angles_of(k, d), lambda s, c: [[c, -s], [-s, c]])


@ANSWERS.sample("shift_matrix", "halves-blocks")
def blocks_for_the_halves_layout(k, d):
    s, c = np.diag(np.sin(angles_of(k, d))), np.diag(np.cos(angles_of(k, d)))
    return np.block([[c, s], [-s, c]])


@ANSWERS.sample("shift_matrix", "halves-blocks")
def transposed_blocks_for_the_halves_layout(k, d):
    s, c = np.diag(np.sin(angles_of(k, d))), np.diag(np.cos(angles_of(k, d)))
    return np.block([[c, -s], [s, c]])


@ANSWERS.sample("shift_matrix", "uses-position")
def a_position_added_to_the_offset(k, d, p=5):
    return blocks(angles_of(p + k, d), turning)


@ANSWERS.sample("shift_matrix", "uses-position")
def one_position_too_far(k, d):
    return blocks(angles_of(k + 1, d), turning)


@ANSWERS.sample("shift_matrix", "one-angle")
def the_offset_as_angle_of_every_pair(k, d):
    return blocks(np.full(d // 2, float(k)), turning)


@ANSWERS.sample("shift_matrix", "one-angle")
def degrees(k, d):
    return blocks(np.deg2rad(angles_of(k, d)), turning)


@ANSWERS.sample("shift_matrix", "fitted-rotation")
def least_squares_on_64_rows(k, d):
    table = blocks_table(64 + abs(k), d)
    here, there = (table[:64], table[abs(k) :]) if k >= 0 else (table[abs(k) :], table[:64])
    return np.linalg.lstsq(here, there, rcond=None)[0].T


@ANSWERS.sample("shift_matrix", "fitted-rotation")
def least_squares_on_a_float32_table(k, d):
    table = sinusoidal_pe(64 + abs(k), d)
    here, there = (table[:64], table[abs(k) :]) if k >= 0 else (table[abs(k) :], table[:64])
    return np.linalg.lstsq(here, there, rcond=None)[0].T


@ANSWERS.sample("shift_matrix", "fitted-rotation")
def pseudoinverse_of_30_rows(k, d):
    table = blocks_table(30, d)
    here, there = (table[: 30 - k], table[k:]) if k >= 0 else (table[-k:], table[: 30 + k])
    return (np.linalg.pinv(here) @ there).T


def blocks_table(T, d):
    angle = np.arange(T)[:, None] * angles_of(1, d)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d)


@ANSWERS.sample("shift_matrix", "powered-entries")
def entries_raised_to_the_power_k(k, d):
    return blocks(angles_of(1, d), turning) ** float(k)


@ANSWERS.sample("shift_matrix", "powered-entries")
def k_times_the_shift_by_one(k, d):
    return k * blocks(angles_of(1, d), turning)


@ANSWERS.sample("shift_matrix", "unknown")
def exponent_k_over_d(k, d):
    return blocks(k * 10000.0 ** (-np.arange(d // 2) / d), turning)


@ANSWERS.sample("shift_matrix", "unknown")
def sine_and_cosine_exchanged(k, d):
    return blocks(angles_of(k, d), lambda s, c: [[s, c], [-c, s]])


@ANSWERS.sample("shift_matrix", "unknown")
def only_the_blocks(k, d):
    return np.array([turning(np.sin(angle), np.cos(angle)) for angle in angles_of(k, d)])


# --- shift ------------------------------------------------------------------------------------------------------------


def shifted(even, odd):
    return np.stack([even, odd], axis=-1).reshape(len(even), -1)


@ANSWERS.sample("shift")
def two_strided_columns(pe, k):
    s, c = np.sin(angles_of(k, pe.shape[1])), np.cos(angles_of(k, pe.shape[1]))
    out = np.empty_like(pe)
    out[:, 0::2] = pe[:, 0::2] * c + pe[:, 1::2] * s
    out[:, 1::2] = pe[:, 1::2] * c - pe[:, 0::2] * s
    return out


@ANSWERS.sample("shift")
def one_complex_multiplication(pe, k):
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * angles_of(k, pe.shape[1]))
    return shifted(turned.imag, turned.real)


@ANSWERS.sample("shift")
def a_complex64_view(pe, k):
    phase = np.exp(-1j * angles_of(k, pe.shape[1])).astype(np.complex64)
    return (np.ascontiguousarray(pe).view(np.complex64) * phase).view(np.float32)


@ANSWERS.sample("shift")
def a_double_loop(pe, k):
    T, d = pe.shape
    out = np.zeros((T, d))
    for p in range(T):
        for i, angle in enumerate(angles_of(k, d)):
            s, c = pe[p, 2 * i : 2 * i + 2]
            out[p, 2 * i] = s * np.cos(angle) + c * np.sin(angle)
            out[p, 2 * i + 1] = c * np.cos(angle) - s * np.sin(angle)
    return out


@ANSWERS.sample("shift")
def pairs_on_a_third_axis(pe, k):
    pairs, angle = pe.reshape(len(pe), -1, 2), angles_of(k, pe.shape[1])
    turned = np.stack([np.cos(angle), np.sin(angle)], axis=-1) * pairs
    return shifted(turned.sum(axis=-1), pairs[..., 1] * np.cos(angle) - pairs[..., 0] * np.sin(angle))


@ANSWERS.sample("shift", "rotation-transposed")
def turned_the_other_way(pe, k):
    return two_strided_columns(pe, -k)


@ANSWERS.sample("shift", "reflection")
def a_plus_in_both_identities(pe, k):
    s, c = np.sin(angles_of(k, pe.shape[1])), np.cos(angles_of(k, pe.shape[1]))
    return shifted(pe[:, 0::2] * c + pe[:, 1::2] * s, pe[:, 1::2] * c + pe[:, 0::2] * s)


@ANSWERS.sample("shift", "halves-blocks")
def partners_half_a_table_apart(pe, k):
    h = pe.shape[1] // 2
    s, c = np.sin(angles_of(k, 2 * h)), np.cos(angles_of(k, 2 * h))
    return np.concatenate([pe[:, :h] * c + pe[:, h:] * s, pe[:, h:] * c - pe[:, :h] * s], axis=1)


@ANSWERS.sample("shift", "uses-position")
def turned_by_p_plus_k(pe, k):
    turns = (np.arange(len(pe)) + k)[:, None] * angles_of(1, pe.shape[1])
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * turns)
    return shifted(turned.imag, turned.real)


@ANSWERS.sample("shift", "one-angle")
def every_pair_by_k_radians(pe, k):
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * k)
    return shifted(turned.imag, turned.real)


@ANSWERS.sample("shift", "one-angle")
def pairs_turned_in_degrees(pe, k):
    turned = (pe[:, 1::2] + 1j * pe[:, 0::2]) * np.exp(1j * np.deg2rad(angles_of(k, pe.shape[1])))
    return shifted(turned.imag, turned.real)


@ANSWERS.sample("shift", "circular-roll")
def rows_moved_around(pe, k):
    return np.roll(pe, -k, axis=0)


@ANSWERS.sample("shift", "unknown")
def the_sines_overwritten_before_the_cosines(pe, k):
    s, c = np.sin(angles_of(k, pe.shape[1])), np.cos(angles_of(k, pe.shape[1]))
    pe[:, 0::2] = pe[:, 0::2] * c + pe[:, 1::2] * s
    pe[:, 1::2] = pe[:, 1::2] * c - pe[:, 0::2] * s
    return pe


@ANSWERS.sample("shift", "unknown")
def unchanged(pe, k):
    return pe


# --- proof ------------------------------------------------------------------------------------------------------------


def rotation(angle):
    return Matrix([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])


def steps(p, k, j, omega):
    """The six steps, for the samples to change one of them."""
    u, v = p * omega, k * omega
    return [
        Matrix([sin((p + k) * omega), cos((p + k) * omega)]),
        Matrix([sin(u) * cos(v) + cos(u) * sin(v), cos(u) * cos(v) - sin(u) * sin(v)]),
        rotation(v),
        rotation(j * omega) * rotation(v),
        rotation((j + k) * omega),
        rotation(-v),
    ]


def changed(step, make):
    """A proof with one step replaced by what `make` gives for the symbols and the right steps."""

    def proof(p, k, j, omega):
        right = steps(p, k, j, omega)
        right[step - 1] = make(p, k, j, omega, right)
        return right

    return proof


ANSWERS.append(Sample("proof", "matrices throughout", steps))


@ANSWERS.sample("proof")
def lists_instead_of_matrices(p, k, j, omega):
    return tuple(step.tolist() if step.cols == 2 else list(step) for step in steps(p, k, j, omega))


@ANSWERS.sample("proof")
def arrays_of_numpy(p, k, j, omega):
    return [np.array(step.tolist(), dtype=object) for step in steps(p, k, j, omega)]


@ANSWERS.sample("proof")
def expanded_by_sympy(p, k, j, omega):
    first = Matrix([sin(p * omega + k * omega), cos(omega * k + omega * p)])
    right = steps(p, k, j, omega)
    composed = rotation(omega * j + omega * k)
    return [first, first.applyfunc(expand_trig), right[2], composed.applyfunc(expand_trig), composed, right[2].T]


@ANSWERS.sample("proof")
def the_inverse_by_sympy(p, k, j, omega):
    right = steps(p, k, j, omega)
    return [*right[:5], right[2].inv()]


@ANSWERS.sample("proof")
def a_factored_writing(p, k, j, omega):
    right = steps(p, k, j, omega)
    one = sin(k * omega) ** 2 + cos(k * omega) ** 2
    half = Rational(1, 2)
    right[1] = Matrix([half * (2 * right[1][0]), one * right[1][1]])
    right[5] = 2 * cos(k * omega) * eye(2) - right[2]
    return right


for style, mistakes, step, make in (
    ("the pair at p only", (), 1, lambda p, k, j, w, s: Matrix([sin(p * w), cos(p * w)])),
    ("cosine first", (), 1, lambda p, k, j, w, s: Matrix([s[0][1], s[0][0]])),
    ("the first step skipped", (), 1, lambda p, k, j, w, s: s[1]),
    ("the second step repeats the first", (), 2, lambda p, k, j, w, s: s[0]),
    (
        "a wrong sign in the cosine's identity",
        (),
        2,
        lambda p, k, j, w, s: Matrix([s[1][0], cos((p - k) * w).expand(trig=True)]),
    ),
    ("only the sine row", (), 2, lambda p, k, j, w, s: Matrix([s[1][0]])),
    ("the matrix transposed", ("rotation-transposed",), 3, lambda p, k, j, w, s: s[2].T),
    ("a matrix that knows p", ("uses-position",), 3, lambda p, k, j, w, s: rotation(p * w)),
    ("nearly the right matrix", (), 3, lambda p, k, j, w, s: s[2] * Rational(999999, 1000000)),
    ("the composition left as it was", (), 4, lambda p, k, j, w, s: s[4]),
    ("a sum of matrices instead of a product", (), 4, lambda p, k, j, w, s: rotation(j * w) + rotation(k * w)),
    ("the composition not put together", (), 5, lambda p, k, j, w, s: s[3]),
    ("the difference of the offsets", (), 5, lambda p, k, j, w, s: rotation((j - k) * w)),
    ("the inverse is the matrix itself", (), 6, lambda p, k, j, w, s: s[2]),
    ("another symbol", (), 3, lambda p, k, j, w, s: rotation(sympy.Symbol("theta"))),
    ("another function", (), 1, lambda p, k, j, w, s: Matrix([sympy.tan((p + k) * w), s[0][1]])),
    ("numbers instead of symbols", (), 3, lambda p, k, j, w, s: rotation(3 * Rational(1, 10))),
    ("a true statement in words", (), 6, lambda p, k, j, w, s: "the transpose"),
):
    ANSWERS.append(Sample("proof", style, changed(step, make), mistakes or ("unknown",)))


@ANSWERS.sample("proof", "unknown")
def only_three_steps(p, k, j, omega):
    return steps(p, k, j, omega)[:3]


# --- sines_alone ------------------------------------------------------------------------------------------------------


@ANSWERS.sample("sines_alone")
def least_squares_on_the_locked_table(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, 0::2]
    best = np.linalg.lstsq(sines[:T], sines[k:], rcond=None)[0]
    return np.sqrt(np.mean((sines[:T] @ best - sines[k:]) ** 2))


@ANSWERS.sample("sines_alone")
def the_pseudoinverse(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, ::2].astype(np.float64)
    rest = sines[k:] - sines[:T] @ (np.linalg.pinv(sines[:T]) @ sines[k:])
    return float(np.sqrt((rest * rest).sum() / rest.size))


@ANSWERS.sample("sines_alone")
def normal_equations_in_float64(T, d, k):
    sines = np.sin(np.arange(T + k)[:, None] * angles_of(1, d))
    here, there = sines[:T], sines[k:]
    rest = there - here @ np.linalg.solve(here.T @ here, here.T @ there)
    return np.linalg.norm(rest) / np.sqrt(rest.size)


@ANSWERS.sample("sines_alone")
def a_projection_column_by_column(T, d, k):
    sines = np.sin(np.arange(T + k)[:, None] * angles_of(1, d))
    q, _ = np.linalg.qr(sines[:T])
    rests = [there - q @ (q.T @ there) for there in sines[k:].T]
    return (sum(float(rest @ rest) for rest in rests) / (T * d / 2)) ** 0.5


@ANSWERS.sample("sines_alone", "unknown")
def the_largest_instead_of_the_root_mean_square(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, 0::2]
    return np.abs(sines[:T] @ np.linalg.lstsq(sines[:T], sines[k:], rcond=None)[0] - sines[k:]).max()


@ANSWERS.sample("sines_alone", "unknown")
def whole_pairs(T, d, k):
    table = sinusoidal_pe(T + k, d)
    return np.sqrt(np.mean((table[:T] @ np.linalg.lstsq(table[:T], table[k:], rcond=None)[0] - table[k:]) ** 2))


@ANSWERS.sample("sines_alone", "unknown")
def within_a_table_of_T_rows(T, d, k):
    sines = sinusoidal_pe(T, d)[:, 0::2]
    here, there = sines[:-k], sines[k:]
    return np.sqrt(np.mean((here @ np.linalg.lstsq(here, there, rcond=None)[0] - there) ** 2))


@ANSWERS.sample("sines_alone", "unknown")
def every_sine_from_its_own_sine(T, d, k):
    sines = sinusoidal_pe(T + k, d)[:, 0::2]
    scale = (sines[:T] * sines[k:]).sum(axis=0) / (sines[:T] ** 2).sum(axis=0)
    return np.sqrt(np.mean((sines[:T] * scale - sines[k:]) ** 2))


# --- which_mistakes_survive -------------------------------------------------------------------------------------------

RIGHT = {
    "positions-from-one": "passes",
    "scaled-values": "passes",
    "last-pair-missing": "passes",
    "swapped-sin-cos": "other matrix",
    "halves-layout": "other matrix",
    "wrong-base": "other matrix",
    "same-function-twice": "no matrix",
    "columns-unwritten": "no matrix",
}
ANSWERS.append(Sample("which_mistakes_survive", "a dictionary", RIGHT))
CAPITALS = {key: value.capitalize() for key, value in RIGHT.items()}
ANSWERS.append(Sample("which_mistakes_survive", "capital letters", CAPITALS))
ANSWERS.append(Sample("which_mistakes_survive", "all pass", dict.fromkeys(RIGHT, "passes"), ("unknown",)))
ANSWERS.append(
    Sample("which_mistakes_survive", "halves break it", RIGHT | {"halves-layout": "no matrix"}, ("unknown",))
)
ANSWERS.append(Sample("which_mistakes_survive", "one forgotten", dict(list(RIGHT.items())[:-1]), ("unknown",)))
