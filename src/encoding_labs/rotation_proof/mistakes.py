"""Recognize mistakes in lab 03 that no single formula covers, such as rounding or an overwritten table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from encoding_labs.rotation_proof.kept_table import Overwritten
from encoding_labs.rotation_proof.letters import expected_letters, letters_of, tables_of
from encoding_labs.rotation_proof.proof_steps import STEPS, check_step, has_slip
from encoding_labs.tables import Table
from labkit.student.judging.diagnosis import mistake
from labkit.student.judging.observation import Observation, Raised

FAR = 1000  # offsets beyond this show the precision of the angles
ROUNDED = 1e-6  # right numbers differ by less than this from the expected ones, which are stored in float32
ALIKE = 0.05  # error of a fit to a float32 table at the rows used for the fit


def matrices(observations: Sequence[Observation]) -> Iterator[tuple[Observation, np.ndarray]]:
    """Yield each observation whose value is a finite matrix of the right shape, with that matrix in float64."""
    for each in observations:
        usable = isinstance(each.actual, np.ndarray) and each.actual.dtype.kind in "biuf"
        if usable and (each.difference is None or each.difference.id in ("values", "dtype")):
            yield each, each.actual.astype(np.float64)


@mistake("fitted-rotation", "shift_matrix")
def fitted_rotation(observations):
    for each, matrix in matrices(observations):
        offset, d = each.args
        if not 0 < offset <= 12 or np.abs(matrix).max() > FAR or np.allclose(matrix @ matrix.T, np.eye(d), atol=1e-3):
            continue
        table = Table(1600, d).build().astype(np.float64)
        error = np.abs(table[:-offset] @ matrix.T - table[offset:]).max(axis=1)
        close, far = float(error[: 16 - offset].max()), float(error[1500:].max())
        if close < ALIKE and far > max(ALIKE, 20 * close):
            return {"d": d, "offset": offset, "close": close, "far": far}


@mistake("low-precision", "shift_matrix")
def low_precision(observations):
    found = [*matrices(observations)]
    if len(found) < len(observations) or any(each.actual.dtype.kind != "f" for each, _ in found):
        return None
    wrong = [(each, matrix) for each, matrix in found if each.difference]
    if any(each.difference.id != "dtype" for each, _ in wrong if abs(each.args[0]) < FAR):
        return None
    for each, matrix in wrong:
        error = float(np.abs(matrix - each.expected).max())
        if abs(each.args[0]) >= FAR and ROUNDED < error < 0.1:
            return {"dtype": str(each.actual.dtype), "offset": each.args[0], "error": error}


@mistake("low-precision/entries", "shift_matrix")
def low_precision_of_entries(observations):
    """The angles are precise enough, but the entries are not."""
    found = [*matrices(observations)]
    close = all(np.abs(matrix - each.expected).max() <= ROUNDED for each, matrix in found)
    if len(found) == len(observations) and close and any(each.difference for each, _ in found):
        return {"dtype": str(found[0][0].actual.dtype)}


@mistake("input-overwritten", "shift")
def input_overwritten(observations):
    return {} if any(isinstance(each.actual, Overwritten) for each in observations) else None


@mistake("matrix-built", "shift")
def matrix_built(observations):
    """The answer runs out of memory: grading shifts a table so wide that its whole matrix does not fit."""
    return (
        {}
        if any(isinstance(each.actual, Raised) and "MemoryError" in each.actual.kinds for each in observations)
        else None
    )


def _proof(observations: Sequence[Observation]) -> tuple | None:
    """The proof, if it has the required number of steps."""
    proof = observations[0].actual
    whole = isinstance(proof, tuple) and proof and proof[0] == "steps" and len(proof) - 1 == len(STEPS)
    return proof if whole else None


@mistake("swapped-sin-cos", "proof")
def upside_down(observations):
    proof = _proof(observations)
    return {} if proof and has_slip(proof, 1) else None


@mistake("rotation-transposed", "proof")
def proof_transposed(observations):
    proof = _proof(observations)
    turned = proof and check_step(proof, 3) and has_slip(proof, 3)
    return {} if turned and upside_down(observations) is None else None


@mistake("uses-position", "proof")
def proof_uses_position(observations):
    proof = _proof(observations)
    found = check_step(proof, 3) if proof else None
    return {} if found and found.id == "symbols" and "p" in found.facts["seen"] else None


@mistake("numbers-for-symbols", "proof")
def numbers_for_symbols(observations):
    seen = observations[0].actual
    message = str(seen.message) if isinstance(seen, Raised) and seen.error == "TypeError" else ""
    wanted = ("loop of ufunc", "Cannot convert expression to float", "must be real number")
    return {} if any(words in message for words in wanted) else None


@mistake("symbols-for-numbers", "shift_matrix", "shift", "next_row")
def symbols_for_numbers(observations):
    """SymPy's sin or cos got an array."""
    seen = [each.actual for each in observations]
    messages = [str(each.message) for each in seen if isinstance(each, Raised) and each.error == "AttributeError"]
    return {} if any("as_coefficient" in each for each in messages) else None


@mistake("too-strict", "which_mistakes_survive")
def too_strict(observations):
    """The tolerance is below the rounding error, so tables that should pass fail, starting with those with the largest entries."""
    lost = False
    for seen in observations:
        letters, right = letters_of(seen.actual), expected_letters(seen)
        if letters is None or letters - right:
            return None
        largest = {name: np.abs(table).max() for name, table in tables_of(seen).items()}
        if letters and letters != right:
            if max(map(largest.get, letters)) > 0.9 * min(map(largest.get, right - letters)):
                return None
            lost = True
    return {} if lost else None


@mistake("one-size", "which_mistakes_survive")
def one_size(observations):
    shown, *others = observations
    stopped = any(isinstance(each.actual, Raised) and each.actual.error == "ValueError" for each in others)
    return {} if stopped and letters_of(shown.actual) == expected_letters(shown) else None
