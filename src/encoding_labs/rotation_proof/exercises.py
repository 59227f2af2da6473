"""The exercises of lab 03, rotation proof."""

from encoding_labs.rotation_proof import formulas, kept_table
from encoding_labs.rotation_proof.kept_table import judge_kept
from encoding_labs.rotation_proof.letters import judge_letters
from encoding_labs.rotation_proof.proof_steps import judge_proof
from encoding_labs.rotation_proof.symbolic_arguments import Gallery, Pattern, Row, Symbol
from encoding_labs.tables import Table
from labkit.model.course import Exercise, Lab, Probe, Tolerance

# Float32 rounding passes; mistakes are off by at least 0.01.
ROTATED = Tolerance(absolute=5e-6, per_position=0)

# (0, 6) reveals a dependence on p. (1, 8) and (3, 8) show how two shifts combine, and whether the offset matters. (7, 32) is the
# course's size. At offset 5,000 float32 angles are inaccurate, and so are fits to float32 rows.
SHIFT_MATRIX = Exercise(
    name="shift_matrix",
    probes=(Probe((3, 8)), Probe((7, 32)), Probe((1, 8)), Probe((0, 6)), Probe((-2, 10)), Probe((5000, 12))),
    tolerance=ROTATED,
    dtype="float64",
)

SHIFT = Exercise(
    name="shift",
    useful=True,
    kind=kept_table.KIND,
    probes=(
        Probe((Table(16, 8), 3)),
        Probe((Table(20, 16), 7)),
        Probe((Table(20, 6), 0)),
        Probe((Table(30, 10), -2)),
        Probe((Pattern(6, 8), 4)),
    ),
    tolerance=ROTATED,
    judge=judge_kept,
)

SYMBOLS = tuple(map(Symbol, ("p", "a", "b", "omega")))
PROOF = Exercise(name="proof", kind=formulas.KIND, probes=(Probe(SYMBOLS),), judge=judge_proof)

ROTATIONS = Exercise(
    name="rotations",
    probes=(Probe((Pattern(8, 8),)), Probe((Table(12, 12),)), Probe((Pattern(2, 2),))),
    tolerance=ROTATED,
)

# Up to d = 8 the sine columns are independent enough that all machines agree on the residual to 1e-7. At d = 16 it already varies
# by 1e-2 with the cut-off of the least squares.
SINES_ALONE = Exercise(
    name="sines_alone",
    useful=True,
    probes=(Probe((64, 4, 3)), Probe((64, 8, 1)), Probe((30, 6, 2)), Probe((50, 2, 5))),
    tolerance=Tolerance(absolute=2e-6, per_position=0),
)

# The second gallery exposes a matrix of fixed size, and hard-coded letters; the third, errors without their absolute value.
WHICH_MISTAKES_SURVIVE = Exercise(
    name="which_mistakes_survive",
    useful=True,
    probes=(
        Probe((Gallery(),)),
        Probe((Gallery(T=30, d=12, letters="BCDEFGHI"),)),
        Probe((Gallery(T=24, d=10, letters="LAGKF"),)),
    ),
    judge=judge_letters,
)

RELATIVE_POSITION = Exercise(name="relative_position", points=2, kind="written", useful=True)

# None of these are the course's frequencies, and by row 40 the fastest pair has made 13 turns.
STRANGE = (2.1, 0.9, 0.35, 0.05)
FAST = (4.0, 0.6, 5.5)  # two of these pairs make more than half a turn from one row to the next
NEXT_ROW = Exercise(
    name="next_row",
    probes=(
        Probe((Row(5, STRANGE), Row(6, STRANGE))),
        Probe((Row(40, STRANGE[::-1]), Row(41, STRANGE[::-1]))),
        Probe((Row(2, (1.3, 0.4)), Row(3, (1.3, 0.4)))),
        Probe((Row(7, FAST), Row(8, FAST))),
    ),
    tolerance=ROTATED,
    graded_only=True,
    useful=True,
)

LAB = Lab(
    name="03_rotation_proof",
    exercises=(SHIFT_MATRIX, SHIFT, PROOF, ROTATIONS, SINES_ALONE, WHICH_MISTAKES_SURVIVE, RELATIVE_POSITION, NEXT_ROW),
)
