"""The claims tested in test_claims_LAB.py belong to cells of the lab and are listed in docs/claims.md."""

import sys

import nbformat
import pytest

from encoding_labs import COURSE
from labkit.student.model import project

sys.path.insert(0, str(project.current().root / "docs"))
import claims


def test_the_page_follows_from_the_tests():
    path = claims.DOCS / "claims.md"
    written = path.read_text("utf-8") if path.exists() else ""
    if written != claims.page():
        path.write_text(claims.page(), "utf-8")
    assert written == claims.page(), "docs/claims.md was outdated. The test has rewritten it: commit it"


@pytest.mark.parametrize("name", COURSE.names)
def test_every_claim_belongs_to_a_cell(name):
    cells = {cell.id for cell in nbformat.read(project.current().solutions / f"{name}.ipynb", 4).cells}
    made = list(claims.claims_of(name))
    assert len(made) >= 8 and {claim.cell for claim in made} <= cells
