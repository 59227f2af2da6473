"""Lab 07, precision and cost: right and wrong answers to `time_of_day`."""

import datetime
import math

import numpy as np

from autograder.samples import Sample, Samples

from . import F

ANSWERS = Samples()
TURN, DAY = 2 * np.pi, 86_400


def hand(angle):
    return np.column_stack([np.sin(angle), np.cos(angle)])


@ANSWERS.sample("time_of_day")
def whole_days_left_out_first(start, seconds):
    return hand((start % DAY + seconds) * (TURN / DAY))


@ANSWERS.sample("time_of_day")
def the_start_as_a_float64_array(start, seconds):
    time = np.array([start], dtype=np.float64) + seconds
    return hand(TURN * time / DAY).astype(F)


@ANSWERS.sample("time_of_day")
def turned_from_the_start(start, seconds):
    z = 1j * np.exp(-1j * TURN * start / DAY) * np.exp(-1j * TURN / DAY * seconds.astype(float))
    return np.stack([z.real, z.imag], axis=1)


@ANSWERS.sample("time_of_day")
def one_reading_after_the_other(start, seconds):
    angles = [math.tau * math.fmod(start + float(each), DAY) / DAY for each in seconds]
    return np.array([[math.sin(angle), math.cos(angle)] for angle in angles])


@ANSWERS.sample("time_of_day")
def by_the_calendar(start, seconds):
    begin = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=start)
    rows = []
    for each in seconds.tolist():
        time = begin + datetime.timedelta(seconds=each)
        past = (time - time.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds()
        rows.append((np.sin(TURN * past / DAY), np.cos(TURN * past / DAY)))
    return np.array(rows, dtype=F)


ANSWERS.several(
    "time_of_day",
    "time-rounded",
    the_sum_as_it_comes=lambda start, seconds: hand(TURN * (start + seconds) / DAY),
    the_sum_made_float64_too_late=lambda start, seconds: hand((start + seconds).astype(np.float64) / DAY * TURN),
)


@ANSWERS.sample("time_of_day", "time-rounded")
def two_angles_added_in_float32(start, seconds):
    omega = F(TURN) / F(DAY)
    angle = F(TURN * start / DAY) + seconds * omega
    return hand(angle).astype(np.float64)


def exact(angle):
    """Make an answer with the hand at `angle(time)`, where the time is in seconds since the start of 1970, in float64."""
    return lambda start, seconds: hand(angle(start + seconds.astype(np.float64)))


def since_midnight(turn):
    """Make an answer that reduces the start to its day first."""
    return lambda start, seconds: hand(turn * (start % DAY + seconds.astype(float)) / DAY)


def right(start, seconds):
    return exact(lambda time: TURN * time / DAY)(start, seconds)


for style, mistake, answer in (
    ("only since the start", "start-ignored", lambda start, seconds: hand(TURN * seconds / DAY)),
    ("the start again and again", "seconds-ignored", lambda start, seconds: np.tile(right(start, np.zeros(1)), (len(seconds), 1))),
    ("before the start", "seconds-subtracted", lambda start, seconds: right(start, -seconds)),
    ("days for radians", "turn-lost", exact(lambda time: time % DAY / DAY)),
    ("pi alone", "half-a-turn", exact(lambda time: np.pi / DAY * time)),
    ("degrees for radians", "degrees", exact(lambda time: time % DAY / 240)),
    ("days since a midnight for radians", "turn-lost", since_midnight(1)),
    ("pi alone since a midnight", "half-a-turn", since_midnight(np.pi)),
    ("degrees since a midnight", "degrees", since_midnight(360)),
    ("twelve hours", "other-turn", exact(lambda time: TURN * time / (DAY / 2))),
    ("hours taken for seconds", "other-turn", exact(lambda time: TURN * time / 24)),
    ("a minus", "runs-backwards", exact(lambda time: -TURN * time / DAY)),
    ("cosines first", "swapped-sin-cos", lambda start, seconds: right(start, seconds)[:, [1, 0]]),
    ("two rows", "one-below-the-other", lambda start, seconds: right(start, seconds).T),
    ("sines, then cosines", "one-below-the-other", lambda start, seconds: np.concatenate([*right(start, seconds).T])),
    ("one long row", "interleaved", lambda start, seconds: right(start, seconds).reshape(-1)),
    ("an angle", "unknown", lambda start, seconds: TURN * (start + seconds.astype(float)) / DAY % TURN),
    ("a list of rows", "unknown", lambda start, seconds: right(start, seconds).tolist()),
    ("whole seconds", "unknown", lambda start, seconds: right(start, np.floor(seconds))),
    ("nothing", "unknown", lambda start, seconds: None),
):  # fmt: skip
    ANSWERS.append(Sample("time_of_day", style, answer, (mistake,)))
