"""Lab 02, heatmap: right and wrong answers to `seen_wavelength`."""

import math

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


@ANSWERS.sample("seen_wavelength")
def nearest_whole_number_of_turns(wavelength, step):
    turns = step / wavelength
    return step / abs(turns - round(turns))


@ANSWERS.sample("seen_wavelength")
def by_sine_and_cosine(wavelength, step):
    angle = 2 * np.pi / wavelength * step
    return 2 * np.pi / np.abs(np.arctan2(np.sin(angle), np.cos(angle))) * step


@ANSWERS.sample("seen_wavelength", "always-forwards")
def whole_turns_floored(wavelength, step):
    turns = step / wavelength
    return step / (turns - math.floor(turns))


@ANSWERS.sample("seen_wavelength", "one-turn-assumed")
def as_beats_between_two_speeds(wavelength, step):
    return wavelength * step / abs(step - wavelength)


@ANSWERS.sample("seen_wavelength", "in-lines")
def steps_counted_by_the_nearest_whole_number(wavelength, step):
    return 1 / min(abs(step / wavelength - whole) for whole in range(100))


@ANSWERS.sample("seen_wavelength", "unknown")
def the_longer_of_two_ways(wavelength, step):
    part = step / wavelength % 1
    return step / max(part, 1 - part)


@ANSWERS.sample("seen_wavelength", "unseen")
def steps_taken_as_whole_numbers(wavelength, step):
    turns = int(step) / wavelength
    return int(step) / abs(turns - round(turns))
