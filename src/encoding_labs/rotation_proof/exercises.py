"""Lab 03, rotation proof: what is asked."""

from encoding_labs.rotation_proof.proof_steps import judge_proof
from encoding_labs.tables import Table
from labkit.course import Exercise, Lab, Probe, Tolerance
from labkit.judging.short_answers import judge_items

# The tolerance lets a float32 matrix pass, and float32 angles up to about k = 20; the mistakes are off by 0.01 and more.
ROTATED = Tolerance(absolute=5e-6, per_position=0)

# (0, 6) shows what depends on p; (1, 8) beside (3, 8) shows how two shifts combine; (7, 32) is the size of the course.
SHIFT_MATRIX = Exercise(
    name="shift_matrix",
    probes=(Probe((3, 8)), Probe((7, 32)), Probe((1, 8)), Probe((0, 6)), Probe((-2, 10))),
    tolerance=ROTATED,
)

SHIFT = Exercise(
    name="shift",
    probes=(Probe((Table(16, 8), 3)), Probe((Table(40, 32), 7)), Probe((Table(20, 6), 0)), Probe((Table(30, 10), -2))),
    tolerance=ROTATED,
)

PROOF = Exercise(name="proof", kind="formula", probes=(Probe(("p", "k", "j", "omega")),), judge=judge_proof)

# Up to d = 8 the sine columns are far enough from dependent that the residual is the same on every machine to 1e-7;
# at d = 16 it already moves by 1e-2 with the cut-off of the least squares.
SINES_ALONE = Exercise(
    name="sines_alone",
    probes=(Probe((64, 4, 3)), Probe((64, 8, 1)), Probe((30, 6, 2)), Probe((50, 2, 5))),
    tolerance=Tolerance(absolute=2e-6, per_position=0),
)

WHICH_MISTAKES_SURVIVE = Exercise(name="which_mistakes_survive", kind="value", judge=judge_items)

RELATIVE_POSITION = Exercise(name="relative_position", points=2, kind="written")

LAB = Lab(
    name="03_rotation_proof",
    exercises=(SHIFT_MATRIX, SHIFT, PROOF, SINES_ALONE, WHICH_MISTAKES_SURVIVE, RELATIVE_POSITION),
)
