"""Test the claims of lab 03 in float64. Each docstring has a cell's id in brackets, then a claim in that cell, quoted or summed up."""

import numpy as np
import pytest
import sympy
from lab_words import alt_of

from autograder.rotation_proof import reference
from autograder.rotation_proof.mistakes import WRONG
from encoding_labs.rotation_proof import figures, gallery, guesses
from encoding_labs.rotation_proof.questions import QUIZ
from minimodel.positional.sinusoidal import sinusoidal_pe

OFFSETS = range(1, 26)
ALONE = {d: np.array([reference.sines_alone(64, d, offset) for offset in OFFSETS]) for d in (2, 8)}


def dips(curve):
    return [offset for offset in OFFSETS[1:-1] if curve[offset - 1] < min(curve[offset - 2], curve[offset])]


def error(table, offset, matrix):
    return np.abs(table[:-offset] @ matrix.T - table[offset:]).max()


def test_one_matrix_shifts_every_row():
    """[why] PE(p + δ) = R(δ) PE(p) for every p, with one matrix for each δ."""
    for offset in (1, 3, 7, 63):
        assert error(reference.table(2000, 32), offset, reference.shift_matrix(offset, 32)) < 1e-11


def test_the_hand_turns_clockwise():
    """[why] If x is the sine and y the cosine, the hand of a clock starts at 12 and turns clockwise."""
    sine, cosine = reference.table(2, 8)[:, 0::2], reference.table(2, 8)[:, 1::2]
    assert not sine[0].any() and (cosine[0] == 1).all() and (sine[1] > 0).all() and (cosine[1] < 1).all()


def test_entries_of_a_shift():
    """[shift_task] Of the d² entries of a shift matrix, at most 2d are nonzero: 16 at d = 8 and offset 3. At offset 0, only d are."""
    assert np.count_nonzero(reference.shift_matrix(3, 8)) == guesses.ENTRIES.value == 16
    assert np.count_nonzero(reference.shift_matrix(0, 8)) == 8
    assert all(np.count_nonzero(reference.shift_matrix(offset, 32)) <= 64 for offset in range(-50, 50))


def test_a_matrix_too_large_to_build():
    """[shift_task] A float64 matrix with 200,000 rows and columns takes 320 GB."""
    assert 200_000**2 * np.dtype(np.float64).itemsize == 320e9


def test_rounding_errors_that_remain():
    """[reference_run_text] At T = 16, d = 8 and offset 3, the error is about 6e-8 for a float32 table and about 2e-16 for a float64 table."""
    matrix = reference.shift_matrix(3, 8)
    assert 5e-8 < error(sinusoidal_pe(16, 8).astype(np.float64), 3, matrix) < 7e-8
    assert 1e-16 < error(reference.table(16, 8), 3, matrix) < 3e-16


def test_a_large_offset_needs_float64():
    """[shift_matrix_task] If the offset is several thousand, float32 angles give cosines that are off by more than 1e-5."""
    turns = np.float32(5000) * reference.frequencies(12).astype(np.float32)
    assert np.abs(np.cos(turns.astype(np.float64)) - np.cos(5000 * reference.frequencies(12))).max() > 1e-5


def test_turns_of_the_four_clocks():
    """[cheat_sheet] At d = 8 a shift by 3 turns the four clocks by 171.9, 17.19, 1.719 and 0.1719 degrees."""
    np.testing.assert_allclose(np.degrees(3 * reference.frequencies(8)), (171.9, 17.19, 1.719, 0.1719), rtol=4e-4)


def test_shifts_compose_and_can_be_undone():
    """[proof_meaning] R(b) R(a) = R(a + b), and the inverse of R(a) is R(-a), which is its transpose."""
    a, b, both = (reference.shift_matrix(offset, 16) for offset in (5, -12, -7))
    np.testing.assert_allclose(b @ a, both, atol=1e-14)
    np.testing.assert_allclose(a.T @ a, np.eye(16), atol=1e-14)
    np.testing.assert_array_equal(a.T, reference.shift_matrix(-5, 16))


def test_the_six_steps_of_the_proof():
    """[proof_task] Expanded with the two identities, the pair at p + a is the pair at p times a matrix that does not contain p."""
    p, a, omega = sympy.symbols("p a omega", real=True)
    pair = sympy.Matrix([sympy.sin(p * omega), sympy.cos(p * omega)])
    turn = sympy.Matrix([[pair[1], pair[0]], [-pair[0], pair[1]]]).subs(p, a)
    later = pair.subs(p, p + a).applyfunc(lambda entry: sympy.expand_trig(sympy.expand(entry)))
    assert (turn * pair - later).applyfunc(sympy.expand) == sympy.zeros(2, 1)


def test_expand_trig_takes_only_sums_apart():
    """[proof_task] expand_trig expands the cosine of x + y, also for products such as p omega. It leaves the cosine of z (x + y) as it is, which a message says."""
    x, y, z = sympy.symbols("x y z")
    apart = -sympy.sin(x) * sympy.sin(y) + sympy.cos(x) * sympy.cos(y)
    assert sympy.expand_trig(sympy.cos(x + y)) == apart
    assert sympy.expand_trig(sympy.cos(z * (x + y))) == sympy.cos(z * (x + y))
    assert sympy.expand_trig(sympy.cos(x * z + y * z)) == apart.subs({x: x * z, y: y * z}, simultaneous=True)


def test_low_points_of_sines_alone():
    """[see_sines_alone] With sines alone, the error has low points at offsets 3, 6, 9, 13, 16, 19 and 22, both at d = 2 and at d = 8."""
    assert dips(ALONE[2]) == dips(ALONE[8]) == [3, 6, 9, 13, 16, 19, 22]


def test_heights_of_sines_alone():
    """[see_sines_alone] At d = 2 the error reaches 0.7 and is nearly 0 at offset 22. At d = 8 its low points are between 0.08 and 0.27, and its highest point is 0.42, at offset 14."""
    assert 0.70 < ALONE[2].max() < 0.72 and ALONE[2][21] < 0.01
    low = ALONE[8][np.array(dips(ALONE[8])) - 1]
    assert 0.08 < low.min() and low.max() < 0.27
    assert round(ALONE[8].max(), 2) == 0.42 and ALONE[8].argmax() + 1 == 14


def test_the_right_picture():
    """[predict_left_over] With one clock, the best matrix leaves an error within 0.02 of √½ |sin δ|. This is picture C, which rises to 0.7 and falls nearly to 0."""
    drawn = np.sqrt(0.5) * np.abs(np.sin(guesses.OFFSETS))
    assert guesses.LEFT_OVER.right == "C" and np.abs(drawn - ALONE[2]).max() < 0.02
    assert [*guesses.OFFSETS] == [*OFFSETS]


def test_seven_half_turns():
    """[see_sines_alone] 22 positions are almost exactly seven half turns of the first clock."""
    assert abs(22 / np.pi - 7) < 0.003


def test_whole_pairs_leave_no_error():
    """[see_sines_alone] With whole pairs instead of sines alone, no error is left."""
    for offset in OFFSETS:
        whole = reference.table(64 + offset, 8)
        assert reference.rms(whole[offset:] - reference.shift(whole[:64], offset)) < 1e-14


def test_rounding_and_mistakes_are_far_apart():
    """[which_mistakes_survive_task] In the ten tables, rounding errors are below 1e-5, and mistakes that the test notices cause errors above 0.1."""
    found = np.array([reference.errors(table).max() for table in gallery.tables().values()])
    assert len(found) == 10 and ((found < 1e-5) | (found > 0.1)).all()


def test_three_of_ten_tables_pass():
    """[see_survivors] Three of the ten wrong tables pass the test: one starts at a later position, one is multiplied by a factor, and one has a pair of zeros."""
    survive = reference.which_mistakes_survive(gallery.tables())
    assert survive.sum() == guesses.SURVIVORS.value == 3
    assert [letter for letter, there in zip(gallery.MISTAKES, survive) if there] == ["A", "C", "F"]


def test_three_more_tables_have_their_own_matrix():
    """[which_mistakes_survive_why] Other matrices shift B (the same one, permuted), E (a rotation by other frequencies) and G (the transpose). No matrix shifts D, H, I and J."""
    assert WRONG["which_mistakes_survive"]["any-matrix"](gallery.tables()) == {*"ABCEFG"}
    tables, usual, order = gallery.tables(), reference.shift_matrix(3, 8), np.r_[0:8:2, 1:8:2]
    slower = reference.rotations(np.outer(tables["E"][3], tables["E"][0]))
    for letter, matrix in (("B", usual[np.ix_(order, order)]), ("E", slower), ("G", usual.T)):
        assert error(tables[letter], 3, matrix) < 1e-5


def test_which_rows_show_the_mistakes_in_i_and_j():
    """[which_mistakes_survive_why] In table I only the shift of row 0 is wrong. In table J only shifts to positions past 20 are wrong."""
    wrong = {letter: np.flatnonzero(reference.errors(table) > 1e-5) for letter, table in gallery.tables().items()}
    assert wrong["I"].tolist() == [0] and wrong["J"].min() == 18


PE = sinusoidal_pe(2048, 32).astype(np.float64)
M = np.outer(PE[3], PE[0])


def looks(matrix):
    """The position at which each position from 3 on looks most."""
    return (PE[3:] @ matrix @ PE.T).argmax(axis=1)


def test_one_example_alone_is_right_from_two_positions():
    """[see_example] With M the largest score is always at 0 or at 1,536, the row least like row 0. That is three back from 3 and 1,539 only: 0.1 % of 2,045."""
    right = looks(M) == np.arange(2045)
    assert {*looks(M)} == {0, 1536} and (PE @ PE[0]).argmin() == 1536 and np.bincount(looks(M))[0] > 2045 / 2
    assert (3 + np.flatnonzero(right)).tolist() == [3, 1539] and round(100 * right.mean(), 1) == guesses.EXAMPLE.value


def test_the_rotations_of_one_example_are_right_everywhere():
    """[see_example] The rotations of M are R(3), and with them the largest score is three back from all 2,045 positions."""
    turned = reference.rotations(M)
    assert np.abs(turned - reference.shift_matrix(3, 32)).max() < 1e-6
    assert 100 * (looks(turned) == np.arange(2045)).mean() == guesses.ROTATIONS.value


@pytest.mark.parametrize(("start", "offset"), [(0, 3), (5, 3), (40, 17)])
def test_any_one_example_of_an_offset_gives_its_matrix(start, offset):
    """[cheat_sheet] The rotations of one outer product are the shift's matrix, from any start and for any offset."""
    table = reference.table(100, 32)
    example = np.outer(table[start + offset], table[start])
    np.testing.assert_allclose(reference.rotations(example), reference.shift_matrix(offset, 32), atol=1e-12)


def test_the_figure_of_one_example():
    """[see_example] In the last 24 rows, M gives no weight above 0.01. Its rotations give about 0.89 to the position three back, with gain 4."""
    told = alt_of(figures.one_example, PE, M, reference.rotations(M))
    assert (
        "M: none of these weights is above 0.01" in told
        and "rotations(M): in each row the largest of them is 0.89 to 0.89, 3 to 3 places back" in told
    )


def test_the_derivative_is_a_matrix_and_the_shift_its_exponential():
    """[stretch] dPE/dp = G PE with the same G everywhere, and shift_matrix(δ, d) = exp(δ G). At δ = 3 and d = 8, twenty terms of the series are accurate to 1e-9."""
    generator = np.kron(np.diag(reference.frequencies(8)), [[0, 1], [-1, 0]])
    step, row = 1e-5, reference.table(1, 8, first=7)[0]
    slope = (reference.shift_matrix(step, 8) @ row - reference.shift_matrix(-step, 8) @ row) / (2 * step)
    np.testing.assert_allclose(generator @ row, slope, atol=1e-9)
    term = total = np.eye(8)
    for n in range(1, 21):
        term = term @ generator * (3 / n)
        total = total + term
    assert np.abs(total - reference.shift_matrix(3, 8)).max() < 1e-9
    assert (generator.T == -generator).all()


def test_halves_have_a_matrix_too():
    """[quiz] If a table has all sines first, the rows and columns of its shift matrix must be in the same order. The usual shift matrix does not work for it."""
    order = np.r_[0:8:2, 1:8:2]
    halves, matrix = reference.table(40, 8)[:, order], reference.shift_matrix(3, 8)
    assert error(halves, 3, matrix[np.ix_(order, order)]) < 1e-14 and error(halves, 3, matrix) > 1
    assert [statement.truth for statement in QUIZ] == [False, True, True, True, False]


def test_two_rows_determine_the_next():
    """[next_row_task] Rows 5 and 6 of sinusoidal_pe(8, 8, base=50) determine row 7, although the pairs of this table do not turn at the speeds used in the course."""
    rows = sinusoidal_pe(8, 8, base=50).astype(np.float64)
    assert np.abs(reference.next_row(rows[5], rows[6]) - rows[7]).max() < 1e-5
    assert np.abs(reference.shift(rows[6:7], 1)[0] - rows[7]).max() > 0.1
