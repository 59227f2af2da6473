"""Lab 04, dot-product decay: right and wrong answers to `landmarks`."""

import numpy as np

from autograder.samples import Sample, Samples

from . import omega, total

ANSWERS = Samples()


@ANSWERS.sample("landmarks")
def first_true_of_an_array(d):
    sums = total(np.arange(10_000), d)
    return int(np.argmax(np.diff(sums) > 0)), int(np.argmax(sums <= 0))


@ANSWERS.sample("landmarks")
def array_of_two(d):
    sums = total(np.arange(6000), d)
    low = np.flatnonzero((sums[1:-1] < sums[:-2]) & (sums[1:-1] < sums[2:]))[0] + 1
    return np.array([low, np.flatnonzero(sums <= 0)[0]])


@ANSWERS.sample("landmarks")
def step_by_step(d):
    low, p = None, 0
    while True:
        before, here, after = total([p - 1, p, p + 1], d)
        if low is None and p and before > here < after:
            low = p
        if here <= 0:
            return [low, p]
        p += 1


@ANSWERS.sample("landmarks")
def whole_numbers_as_floats(d):
    low, crossing = first_true_of_an_array(d)
    return np.array([low, crossing], dtype=np.float64)


@ANSWERS.sample("landmarks")
def float32_sums(d):
    sums = np.cos(np.arange(5000, dtype=np.float32)[:, None] * omega(d, np.float32)).sum(axis=1)
    return np.argmax(np.diff(sums) > 0), np.argmax(sums <= 0)


@ANSWERS.sample("landmarks")
def pair_by_pair_in_plain_python(d):
    sums = [sum(np.cos(p * 10000 ** (-2 * k / d)) for k in range(d // 2)) for p in np.arange(4000)[None]][0]
    low = next(p for p in range(1, 3999) if sums[p - 1] > sums[p] < sums[p + 1])
    return low, next(p for p in range(1, 4000) if sums[p] <= 0)


@ANSWERS.sample("landmarks")
def first_places_where(d):
    sums = total(np.arange(1, 5001), d)
    return [1 + np.where(np.diff(sums) > 0)[0][0], 1 + np.where(sums <= 0)[0][0]]


@ANSWERS.sample("landmarks")
def signs_of_differences(d):
    sums = total(np.arange(5000), d)
    turns = np.diff(np.sign(np.diff(sums)))
    return int(np.flatnonzero(turns > 0)[0] + 1), int(np.nonzero(sums < 0)[0].min())


@ANSWERS.sample("landmarks", "claims-monotone")
def no_minimum(d):
    return None, first_true_of_an_array(d)[1]


@ANSWERS.sample("landmarks", "claims-monotone")
def minus_one_for_no_minimum(d):
    return -1, first_true_of_an_array(d)[1]


@ANSWERS.sample("landmarks", "claims-monotone")
def lowest_of_all(d):
    sums = total(np.arange(10_000), d)
    return int(np.argmin(sums)), int(np.argmax(sums <= 0))


@ANSWERS.sample("landmarks", "claims-monotone")
def falls_until_the_crossing(d):
    crossing = first_true_of_an_array(d)[1]
    return crossing, crossing


@ANSWERS.sample("landmarks", "claims-monotone")
def falls_to_the_end_of_the_table(d):
    return 63, first_true_of_an_array(d)[1]


@ANSWERS.sample("landmarks", "claims-zero")
def smallest_taken_for_zero(d):
    sums = total(np.arange(64), d)
    return int(np.argmax(np.diff(sums) > 0)), int(np.argmin(np.abs(sums)))


@ANSWERS.sample("landmarks", "claims-zero")
def zero_at_the_end_of_the_table(d):
    return first_true_of_an_array(d)[0], 63


@ANSWERS.sample("landmarks", "claims-monotone", "claims-zero")
def falls_steadily_to_zero(d):
    return 63, 63


@ANSWERS.sample("landmarks", "index-for-offset")
def one_too_far(d):
    low, crossing = first_true_of_an_array(d)
    return low + 1, crossing + 1


@ANSWERS.sample("landmarks", "index-for-offset")
def offsets_from_one_by_index(d):
    sums = total(np.arange(1, 5000), d)
    return int(np.argmax(np.diff(sums) > 0)), int(np.argmax(sums <= 0))


@ANSWERS.sample("landmarks", "index-for-offset")
def a_step_further_at_the_low_alone(d):
    low, crossing = first_true_of_an_array(d)
    return low + 1, crossing


@ANSWERS.sample("landmarks", "index-for-offset")
def a_step_before_at_the_crossing_alone(d):
    low, crossing = first_true_of_an_array(d)
    return low, crossing - 1


@ANSWERS.sample("landmarks", "nothing-found")
def argmax_over_a_thousand_offsets(d):
    sums = total(np.arange(1000), d)
    return int(np.argmax(np.diff(sums) > 0)), int(np.argmax(sums <= 0))


@ANSWERS.sample("landmarks", "nothing-found")
def none_where_the_search_ends(d):
    return first_true_of_an_array(d)[0], next((p for p in range(2000) if total([p], d)[0] <= 0), None)


@ANSWERS.sample("landmarks", "nothing-found")
def minus_one_where_the_search_ends(d):
    return first_true_of_an_array(d)[0], next((p for p in range(500) if total([p], d)[0] <= 0), -1)


def of_frequencies(make):
    def answer(d):
        sums = np.cos(np.arange(10_001)[:, None] * make(d)).sum(axis=1)
        return int(np.argmax(np.diff(sums) > 0)), int(np.argmax(sums <= 0))

    return answer


for law, make in {
    "exponent-k-over-d": lambda d: 10000.0 ** (-np.arange(d // 2) / d),
    "exponent-4k-over-d": lambda d: omega(d) ** 2,
    "exponent-d-minus-2": lambda d: np.geomspace(1, 1e-4, d // 2),
    "k-from-one": lambda d: omega(d + 2)[1:] ** ((d + 2) / d),
    "missing-minus": lambda d: 1 / omega(d),
    "cycles": lambda d: 2 * np.pi * omega(d),
    "degrees": lambda d: np.radians(omega(d)),
}.items():
    ANSWERS.append(Sample("landmarks", law, of_frequencies(make), (law,)))


@ANSWERS.sample("landmarks", "degrees")
def degrees_and_none_for_no_crossing(d):
    sums = np.cos(np.radians(np.arange(5_000)[:, None] * omega(d))).sum(axis=1)
    return int(np.argmax(np.diff(sums) > 0)), next(iter(np.flatnonzero(sums <= 0)), None)


@ANSWERS.sample("landmarks", "unknown")
def a_base_of_1000(d):
    return of_frequencies(lambda d: omega(d) ** 0.75)(d)


@ANSWERS.sample("landmarks", "unknown")
def argmax_over_the_table_that_is_drawn(d):
    """Its zeros for every d are those of a search for positive sums, too."""
    sums = total(np.arange(64), d)
    return first_true_of_an_array(d)[0], int(np.argmax(sums <= 0))


@ANSWERS.sample("landmarks", "unknown")
def the_first_sum_above_zero(d):
    return first_true_of_an_array(d)[0], int(np.argmax(total(np.arange(5000), d) > 0))


@ANSWERS.sample("landmarks", "unknown")
def second_minimum(d):
    sums = total(np.arange(6000), d)
    lows = np.flatnonzero((sums[1:-1] < sums[:-2]) & (sums[1:-1] < sums[2:])) + 1
    return int(lows[1]), int(np.argmax(sums <= 0))


@ANSWERS.sample("landmarks", "unknown")
def the_first_two_lows(d):
    low, crossing = first_true_of_an_array(d)
    return low - 2, crossing


@ANSWERS.sample("landmarks", "unknown")
def a_crossing_looked_for_at_some_offsets(d):
    some = np.unique(np.geomspace(1, 10_000, 160).round().astype(int))
    return first_true_of_an_array(d)[0], int(some[np.argmax(total(some, d) <= 0)])


@ANSWERS.sample("landmarks", "unknown")
def below_a_tenth(d):
    sums = total(np.arange(6000), d)
    return first_true_of_an_array(d)[0], int(np.argmax(sums <= 0.1 * d / 2))


@ANSWERS.sample("landmarks", "sums-for-offsets")
def the_sums_themselves(d):
    sums = total(np.arange(6000), d)
    low, crossing = first_true_of_an_array(d)
    return sums[low], sums[crossing]


@ANSWERS.sample("landmarks", "unknown")
def one_landmark(d):
    return first_true_of_an_array(d)[0]


@ANSWERS.sample("landmarks", "unknown")
def other_way_round(d):
    return first_true_of_an_array(d)[::-1]


@ANSWERS.sample("landmarks", "unknown")
def a_list_in_place_of_the_crossing(d):
    return 1, [2]


@ANSWERS.sample("landmarks", "nothing-found")
def no_crossing_anywhere(d):
    return first_true_of_an_array(d)[0], next((p for p in range(64) if total([p], d)[0] <= 0), None)
