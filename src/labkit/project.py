"""Where the parts of the project stand."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LABS = ROOT / "labs"
SOLUTIONS = ROOT / "solutions"
AUTOGRADER = ROOT / "tests" / "autograder"
LOCKED_MODULE = ROOT / "src" / "minimodel" / "positional" / "sinusoidal.py"
SOURCE = ROOT / "src"


def expected(lab: str) -> Path:
    """What the public probes of a lab must give, as data."""
    return SOURCE / "encoding_labs" / lab[3:] / "expected.json"
