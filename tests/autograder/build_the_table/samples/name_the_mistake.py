"""Lab 01, build the table: right and wrong answers to `name_the_mistake`."""

import numpy as np

from autograder.samples import Sample, Samples

ANSWERS = Samples()
right = ANSWERS.sample("name_the_mistake")


def angles(T, d, base=10_000.0):
    return np.arange(T)[:, None] * base ** (-2 * np.arange(d // 2) / d)


def by_looking(table):
    first, second = table[0], table[1]
    if not table[:, 0::2].any() or not table[:, 1::2].any():
        return "columns-unwritten"
    if (table[:, 0::2] == table[:, 1::2]).all():
        return "same-function-twice"
    if first[0] > 0.99:
        return "swapped-sin-cos"
    if first[0] > 0.1:
        return "positions-from-one"
    if first[1] < 0.5:
        return "halves-layout"
    if np.allclose(second[0::2], second[0]):
        return "integer-division"
    return "degrees" if abs(second[0] - np.sin(np.pi / 180)) < 1e-4 else "frequencies-reversed"


@right
def row_0_and_row_1(tables):
    return {letter: by_looking(table) for letter, table in tables.items()}


@right
def in_capitals_and_with_spaces(tables):
    return {letter: f" {by_looking(table).upper()} " for letter, table in tables.items()}


def by_making_them(table, rtol=0.0, atol=1e-4):
    T, d = table.shape
    a = angles(T, d)
    sines, cosines = np.sin(a), np.cos(a)

    def weave(even, odd):
        made = np.zeros((T, d))
        made[:, 0::2], made[:, 1::2] = even, odd
        return made

    made = {
        "columns-unwritten": weave(sines, 0),
        "degrees": weave(np.sin(np.radians(a)), np.cos(np.radians(a))),
        "frequencies-reversed": weave(sines[:, ::-1], cosines[:, ::-1]),
        "halves-layout": np.hstack([sines, cosines]),
        "integer-division": weave(np.sin(np.arange(T))[:, None], np.cos(np.arange(T))[:, None]),
        "positions-from-one": weave(np.sin(angles(T + 1, d)[1:]), np.cos(angles(T + 1, d)[1:])),
        "same-function-twice": weave(sines, sines),
        "swapped-sin-cos": weave(cosines, sines),
    }
    if np.allclose(weave(0, cosines), table, rtol, atol):
        return "columns-unwritten"
    return next((name for name, each in made.items() if np.allclose(each, table, rtol, atol)), "degrees")


@right
def tables_spoiled_afterwards(tables):
    named = row_0_and_row_1(tables)
    for table in tables.values():
        table[:] = 9
    return named


def renamed(change):
    """Answer correctly, then apply `change` to each name."""
    return lambda tables: {letter: change(name) for letter, name in row_0_and_row_1(tables).items()}


CONFUSED = {"halves-layout": "swapped-sin-cos", "swapped-sin-cos": "halves-layout"}

for style, answer in {
    "two_that_row_0_cannot_tell_apart": renamed(lambda name: "degrees" if name == "frequencies-reversed" else name),
    "halves_and_order_confused": renamed(lambda name: CONFUSED.get(name, name)),
    "misspelt": renamed(lambda name: name.replace("-", "_")),
    "in_words": renamed(lambda name: "the slow pairs come first"),
    "numbers_for_names": renamed(lambda name: 3),
    "zeros_take_for_unwritten": lambda tables: {
        letter: "columns-unwritten" if 0 in table else by_looking(table) for letter, table in tables.items()
    },
    "a_list": lambda tables: list(row_0_and_row_1(tables).values()),
    "one_name_alone": lambda tables: "halves-layout",
    "one_too_many": lambda tables: {**row_0_and_row_1(tables), "right": "degrees"},
    "one_letter_left_out": lambda tables: dict(list(row_0_and_row_1(tables).items())[1:]),
    "nothing_returned": lambda tables: print(row_0_and_row_1(tables)),
}.items():
    ANSWERS.append(Sample("name_the_mistake", style, answer, ("unknown",)))

IN_THE_LAB = {"A": "frequencies-reversed", "B": "halves-layout", "C": "degrees", "D": "columns-unwritten"}


# The lab's check accepts these answers because they are right for the four tables it uses.


def what_the_lab_shows_whatever_goes_in(tables):
    return IN_THE_LAB


def what_the_lab_shows_in_the_order_of_the_letters(tables):
    return dict(zip(tables, IN_THE_LAB.values()))


def only_tables_of_the_labs_size(tables):
    return {letter: by_making_them(table) if table.shape == (24, 16) else "degrees" for letter, table in tables.items()}


def zeros_in_row_0_alone(tables):
    """Confuse two bugs that both make row 0 all zeros: sines in both columns of a pair, and cosines never written."""
    return {
        letter: "columns-unwritten" if not table[0].any() else by_looking(table) for letter, table in tables.items()
    }
