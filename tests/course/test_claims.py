"""The claims tested in test_claims_LAB.py belong to cells of the lab and are listed in docs/claims.md."""

import claims
import nbformat
import pytest

from encoding_labs import COURSE
from labkit.student.model import project


@pytest.mark.parametrize("name", COURSE.names)
def test_every_claim_belongs_to_a_cell(name):
    cells = {cell.id for cell in nbformat.read(project.current().solutions / f"{name}.ipynb", 4).cells}
    made = list(claims.claims_of(name))
    assert len(made) >= 8 and {claim.cell for claim in made} <= cells
