"""The mistakes of lab 01 that the decoder finds, and those that an error message identifies.

The lab's other known mistakes are formulas in tests/autograder/build_the_table/mistakes.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from encoding_labs.decoder.evidence import Answer, evidence
from labkit.student.judging.diagnosis import mistake
from labkit.student.judging.observation import Observation, Raised, call_of, judge

# By exercise, in the order in which mistakes are reported.
SEARCHED = {
    "frequencies": """
        exponent-k-over-d exponent-4k-over-d exponent-d-minus-2 exponent-d-minus-1 k-from-one integer-division missing-minus
        lost-log wrong-base frequencies-reversed arithmetic-frequencies degrees cycles operator-precedence wrong-container
        integer-table raw-column-2j raw-column-j last-pair-missing low-precision
    """,
    "sinusoidal_pe": """
        exponent-k-over-d exponent-4k-over-d exponent-d-minus-2 exponent-d-minus-1 k-from-one divided-by-T integer-division
        missing-minus lost-log wrong-base frequencies-reversed arithmetic-frequencies degrees cycles scaled-position
        operator-precedence wrong-container integer-table position-over-d halves-layout halves-swapped swapped-sin-cos
        wrong-stack-axis padding-row rows-reversed positions-from-one negative-position same-function-twice
        columns-unwritten cos-of-sin raw-column-2j raw-column-j last-pair-missing scaled-values floored-angle low-precision
        accumulated-angle shared-state odd-d-accepted
    """,
}


def _search(exercise: str, name: str) -> None:
    """Register a mistake. An answer has it if the evidence from that answer contains the mistake's name."""
    mistake(name, exercise)(lambda seen: evidence(Answer(id(seen), seen)).get(name))


for exercise, names in SEARCHED.items():
    for name in names.split():
        _search(exercise, name)


def _in_errors(id: str, pattern: str) -> None:
    """Register a mistake that makes NumPy or Python raise an error. The error message identifies it."""

    @mistake(id, *SEARCHED)
    def stopped(observations: Sequence[Observation]) -> Mapping[str, object] | None:
        raised = (seen for seen in observations if isinstance(seen.actual, Raised))
        found = next((seen for seen in raised if re.search(pattern, str(seen.actual.message))), None)
        return {"call": call_of(found)} if found else None


@mistake("empty-table-refused", "sinusoidal_pe")
def empty_table_refused(observations: Sequence[Observation]) -> Mapping[str, object] | None:
    """ValueError is raised for T = 0, and everything else is right."""
    wrong = [seen for seen in observations if judge(seen)]
    refused = (isinstance(seen.actual, Raised) and seen.actual.error == "ValueError" for seen in wrong)
    return {"call": call_of(wrong[0])} if all(refused) and all(seen.args[0] == 0 for seen in wrong) else None


_in_errors("integer-division/whole-power", "Integers to negative integer powers")
_in_errors("operator-precedence/caret", r"bitwise_xor|for \^")
