"""Every test named in complaints.md exists, and every complaint names a test."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/complaints.md").read_text("utf-8")


@pytest.mark.parametrize(("file", "test"), re.findall(r"`(test_\w+\.py)(?:::(test_\w+))?`", PAGE))
def test_a_named_test_exists(file, test):
    source = next((ROOT / "tests/labkit").rglob(file)).read_text("utf-8")
    assert re.search(rf"^def {test or 'test_'}", source, re.MULTILINE)


def test_every_complaint_has_one():
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| issue |")]
    assert len(rows) > 20 and all("test_" in row for row in rows)
