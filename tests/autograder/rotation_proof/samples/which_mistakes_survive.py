"""Lab 03, rotation proof: right and wrong answers to `which_mistakes_survive`."""

import numpy as np

from autograder.samples import UNSEEN, Sample, Samples, omega_of

ANSWERS = Samples()


def matrix_of(d, offset=3):
    s, c = np.sin(offset * omega_of(d)), np.cos(offset * omega_of(d))
    return np.kron(np.diag(c), np.eye(2)) + np.kron(np.diag(s), [[0, 1], [-1, 0]])


def signed_errors(table, offset=3):
    return table[:-offset] @ matrix_of(table.shape[1], offset).T - table[offset:]


def errors(table, offset=3):
    return np.abs(signed_errors(table, offset)).max(axis=1)


@ANSWERS.sample("which_mistakes_survive")
def a_loop_over_the_dictionary(tables):
    survive = set()
    for letter, table in tables.items():
        if errors(table).max() < 1e-5:
            survive.add(letter)
    return survive


@ANSWERS.sample("which_mistakes_survive")
def a_list_of_letters(tables):
    return [letter for letter, table in tables.items() if errors(table).max() < 0.05]


@ANSWERS.sample("which_mistakes_survive")
def with_vectors_in_columns(tables):
    def passes(columns):
        return abs(matrix_of(len(columns)) @ columns[:, :-3] - columns[:, 3:]).max() < 1e-4

    return tuple(letter for letter in tables if passes(tables[letter].T))


@ANSWERS.sample("which_mistakes_survive")
def letters_in_an_array(tables):
    close = [np.allclose(signed_errors(table), 0, atol=1e-4) for table in tables.values()]
    return np.array([*tables])[close]


def letters_where(passes):
    return lambda tables: {letter for letter, table in tables.items() if passes(table.astype(np.float64))}


def left_of(here, there):
    return np.abs(here @ matrix_of(here.shape[1]).T - there).max()


def one_size(table):
    return np.abs(table[:-3] @ matrix_of(8).T - table[3:])


for style, mistake, answer in (
    # Rounding errors are up to 2.3e-7 in tables with entries up to 1, and from 6e-7 in the table with entries up to 3.
    ("less than a millionth", "too-strict", letters_where(lambda table: errors(table).max() < 4e-7)),
    ("one row further on", "none-survive", letters_where(lambda table: left_of(table[:-4], table[4:]) < 1e-4)),
    ("in a set of one text", "unknown", lambda t: {"".join(each for each in t if errors(t[each]).max() < 1e-4)}),
    (
        "rows of length 2 alone",
        "length-required",
        letters_where(lambda t: errors(t).max() < 1e-4 and (abs((t**2).sum(1) - t.shape[1] / 2) < 1e-4).all()),
    ),
    ("every other one", "unknown", lambda tables: set([*tables][::2])),
    ("a matrix of the size that the lab shows", "one-size", letters_where(lambda table: one_size(table).max() < 1e-4)),
    (
        "the largest error without its size",
        "signed-error",
        letters_where(lambda table: signed_errors(table).max() < 1e-4),
    ),
    (
        "the largest error the other way round",
        "signed-error",
        letters_where(lambda table: -signed_errors(table).min() < 1e-4),
    ),
    ("the first six columns", UNSEEN, letters_where(lambda table: abs(signed_errors(table)[:, :6]).max() < 1e-4)),
    ("the first alone", "first-alone", lambda t: next({each} for each in t if errors(t[each]).max() < 1e-4)),
    ("the sum of all errors", UNSEEN, letters_where(lambda table: abs(signed_errors(table).sum()) < 1e-3)),
    ("the sum over each row", UNSEEN, letters_where(lambda t: abs(signed_errors(t).sum(axis=1)).max() < 1e-4)),
    ("the mean over each column", UNSEEN, letters_where(lambda t: abs(signed_errors(t).mean(axis=0)).max() < 1e-4)),
    ("even columns alone", UNSEEN, letters_where(lambda table: abs(signed_errors(table)[:, 0::2]).max() < 1e-4)),
    ("odd columns alone", UNSEEN, letters_where(lambda table: abs(signed_errors(table)[:, 1::2]).max() < 1e-4)),
    ("the last pair alone", UNSEEN, letters_where(lambda table: abs(signed_errors(table)[:, -2:]).max() < 1e-4)),
    ("as many rows as in the lab", UNSEEN, letters_where(lambda table: errors(table[:40]).max() < 1e-4)),
    ("the row one further on", UNSEEN, letters_where(lambda table: errors(table, offset=1).max() < 1e-4)),
    ("typed", "unknown", lambda tables: {"A", "C", "F"}),
    ("a dictionary", "unknown", lambda tables: {letter: errors(tables[letter]).max() < 1e-4 for letter in tables}),
    ("how many", "unknown", lambda tables: sum(errors(table).max() < 1e-4 for table in tables.values())),
    ("the letters in a text", "unknown", lambda tables: "A C F"),
    ("names of its own", "unknown", lambda tables: {"positions from one", "scaled", "last pair"}),
):
    ANSWERS.append(Sample("which_mistakes_survive", style, answer, (mistake,)))


@ANSWERS.sample("which_mistakes_survive", "few-rows")
def any_row_for_all(tables):
    return [
        letter
        for letter, table in tables.items()
        if np.isclose(table[:-3] @ matrix_of(table.shape[1]).T, table[3:], atol=1e-5).all(axis=1).any()
    ]


@ANSWERS.sample("which_mistakes_survive", "last-alone")
def a_new_set_for_each_letter(tables):
    for letter, table in tables.items():
        if errors(table).max() < 1e-4:
            survive = {letter}
    return survive
