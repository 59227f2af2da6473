"""The pages that answer complaints name tests that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMED = [
    (page, *found)
    for page in ("complaints.md", "handed_in.md")
    for found in re.findall(r"`(test_\w+\.py)(?:::(test_\w+))?`", (ROOT / "docs" / page).read_text("utf-8"))
]


@pytest.mark.parametrize(("page", "file", "test"), NAMED)
def test_a_test_that_a_page_names_is_there(page, file, test):
    source = (ROOT / "tests/labkit" / file).read_text("utf-8")
    assert re.search(rf"^def {test or 'test_'}", source, re.MULTILINE), f"{page} names {file}::{test}"


def test_every_complaint_has_one():
    rows = [line for line in (ROOT / "docs/complaints.md").read_text("utf-8").splitlines() if line.startswith("| ")]
    assert len(rows) > 20 and all("test_" in row for row in rows[1:])
