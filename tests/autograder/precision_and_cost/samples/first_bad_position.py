"""Lab 07, precision and cost: right and wrong answers to `first_bad_position`."""

import itertools

import numpy as np

from autograder.samples import Samples

from . import F, exact, first_where, largest, locked_rows, omega, woven

ANSWERS = Samples()


@ANSWERS.sample("first_bad_position")
def block_after_block(d, tolerance):
    return first_where(lambda positions: largest(positions, d) > tolerance)


@ANSWERS.sample("first_bad_position")
def small_blocks_without_an_end(d, tolerance):
    for start in itertools.count(0, 4096):
        bad = np.flatnonzero(largest(np.arange(start, start + 4096), d) > tolerance)
        if len(bad):
            return start + bad[0]


@ANSWERS.sample("first_bad_position")
def a_whole_number_as_float(d, tolerance):
    return float(first_where(lambda positions: largest(positions, d) > tolerance))


@ANSWERS.sample("first_bad_position")
def other_frequencies_in_float32(d, tolerance):
    def off(positions):
        near = woven(positions.astype(F)[:, None] * np.exp(np.arange(0, d, 2, dtype=F) * F(-np.log(10000) / d)))
        return np.abs(near - exact(positions, d)).max(axis=1) > tolerance

    return first_where(off)


ANSWERS.several(
    "first_bad_position",
    an_array_of_one=lambda d, tolerance: np.array(first_where(lambda positions: largest(positions, d) > tolerance)),
    blocks_of_its_errors=lambda d, tolerance: by_its_errors(d, tolerance, itertools.count(0, 5000), 5000),
)


ANSWERS.several(
    "first_bad_position",
    "unknown",
    the_last_good_one=lambda d, tolerance: first_where(lambda positions: largest(positions, d) > tolerance) - 1,
    all_bad_positions=lambda d, tolerance: np.flatnonzero(largest(np.arange(40_000), d) > tolerance),
    the_largest_float32_that_counts=lambda d, tolerance: 2**24,
    tolerance_in_percent=lambda d, tolerance: first_where(lambda positions: largest(positions, d) > tolerance / 100),
    a_text=lambda d, tolerance: str(first_where(lambda positions: largest(positions, d) > tolerance)),
    by_theory=lambda d, tolerance: int(tolerance / 6e-8),
)


@ANSWERS.sample("first_bad_position", "off-by-one")
def counted_from_one(d, tolerance):
    return first_where(lambda positions: largest(positions, d) > tolerance) + 1


@ANSWERS.sample("first_bad_position", "unknown")
def where_the_angle_is_off(d, tolerance):
    def off(positions):
        near = (positions.astype(F)[:, None] * omega(d, F)).astype(np.float64)
        return np.abs(near - positions[:, None] * omega(d)).max(axis=1) > tolerance

    return first_where(off, block=2**16)


@ANSWERS.sample("first_bad_position", "not-the-first")
def powers_of_two_from_four(d, tolerance):
    return next(2**power for power in range(2, 26) if largest(np.array([2**power]), d)[0] > tolerance)


@ANSWERS.sample("first_bad_position", "not-the-first")
def every_hundredth(d, tolerance):
    return 100 * first_where(lambda hundreds: largest(100 * hundreds, d) > tolerance)


ANSWERS.several(
    "first_bad_position",
    "nothing-found",
    among_the_first_thousand=lambda d, tolerance: int(np.argmax(largest(np.arange(1_000), d) > tolerance)),
)


@ANSWERS.sample("first_bad_position", "nothing-found")
def minus_one_for_none(d, tolerance):
    bad = np.flatnonzero(largest(np.arange(10_000), d) > tolerance)
    return bad[0] if len(bad) else -1


@ANSWERS.sample("first_bad_position", "unknown")
def index_within_the_block(d, tolerance):
    position = first_where(lambda positions: largest(positions, d) > tolerance)
    return position % 2**10


@ANSWERS.sample("first_bad_position", "unknown")
def relative_error(d, tolerance):
    def off(positions):
        right = exact(positions, d)
        return np.abs((locked_rows(positions, d) - right)[:, 1:] / right[:, 1:]).max(axis=1) > tolerance

    return first_where(off)


@ANSWERS.sample("first_bad_position", "error-for-position")
def the_error_in_place_of_the_position(d, tolerance):
    position = first_where(lambda positions: largest(positions, d) > tolerance)
    return largest(np.array([position]), d)[0]


@ANSWERS.sample("first_bad_position", "unknown")
def binary_search(d, tolerance):
    low, high = 0, 2**17
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if largest(np.array([middle]), d)[0] > tolerance else (middle + 1, high)
    return low


ANSWERS.several(
    "first_bad_position",
    "unseen",
    half_the_tolerance=lambda d, tolerance: first_where(lambda positions: largest(positions, d) > tolerance / 2),
    always_at_32_dimensions=lambda d, tolerance: first_where(lambda positions: largest(positions, 32) > tolerance),
    block_starts_left_out_at_8192=lambda d, tolerance: by_its_errors(d, tolerance, range(0, 2**25, 8192), 8192, skip=1),
)


KEPT = {}


@ANSWERS.sample("first_bad_position", "unseen")
def kept_by_the_tolerance_alone(d, tolerance):
    if tolerance not in KEPT:
        KEPT[tolerance] = first_where(lambda positions: largest(positions, d) > tolerance)
    return KEPT[tolerance]


@ANSWERS.sample("first_bad_position", "unseen")
def two_dimensions_by_heart(d, tolerance):
    return 1 if d == 2 else first_where(lambda positions: largest(positions, d) > tolerance)


@ANSWERS.sample("first_bad_position", "unseen")
def one_position_skipped_after_each_block(d, tolerance):
    for start in range(0, 2**25, 4097):
        bad = largest(np.arange(start, start + 4096), d) > tolerance
        if bad.any():
            return start + int(np.argmax(bad))


@ANSWERS.sample("first_bad_position", "unseen")
def the_end_of_each_block_left_out(d, tolerance):
    for start in range(0, 2**25, 1000):
        bad = largest(np.arange(start, start + 999), d) > tolerance
        if bad.any():
            return start + int(np.argmax(bad))


@ANSWERS.sample("first_bad_position", "unseen")
def given_up_at_a_hundred_thousand(d, tolerance):
    return first_where(lambda positions: largest(positions, d) > tolerance, end=100_000)


@ANSWERS.sample("first_bad_position", "unknown")
def printed(d, tolerance):
    print(first_where(lambda positions: largest(positions, d) > tolerance))


@ANSWERS.sample("first_bad_position", "unknown")
def the_start_of_the_block(d, tolerance):
    return first_where(lambda positions: largest(positions, d) > tolerance) // 4096 * 4096


@ANSWERS.sample("first_bad_position", "unknown")
def always_a_thousandth(d, tolerance):
    if d == 2:
        return 2**24 + 1  # what the search below would find, but it takes a second
    return first_where(lambda positions: largest(positions, d) > 1e-3, block=2**16)


@ANSWERS.sample("first_bad_position", "unknown")
def close_to_numpy(d, tolerance):
    def off(positions):
        return (~np.isclose(locked_rows(positions, d), exact(positions, d), atol=tolerance)).any(axis=1)

    return first_where(off, block=2**16)


@ANSWERS.sample("first_bad_position", "unknown")
def powers_of_two_from_two(d, tolerance):
    return next(2**power for power in range(1, 26) if largest(np.array([2**power]), d)[0] > tolerance)


float32_error = largest  # the searches below call this global name, so that grading can replace the errors


def by_its_errors(d, tolerance, starts, size, skip=0):
    for start in starts:
        bad = float32_error(np.arange(start + skip, start + size), d) > tolerance
        if bad.any():
            return start + skip + int(np.argmax(bad))


@ANSWERS.sample("first_bad_position")
def errors_kept_for_each_block(d, tolerance, kept={}):
    for start in itertools.count(0, 1024):
        if (d, start) not in kept:
            kept[d, start] = float32_error(positions=np.arange(start, start + 1024), d=d)
        if (kept[d, start] > tolerance).any():
            return next(start + p for p, error in enumerate(kept[d, start]) if error > tolerance)
