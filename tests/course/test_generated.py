"""Test that the example class, the pages of totals and the README's points follow from the labs."""

import generated
import pytest

from labkit.student.model.errors import UserError


def test_generated_files_are_up_to_date():
    assert not (stale := [*generated.renew()]), (
        f"{', '.join(stale)} were outdated. The test has rewritten them: commit them"
    )


def test_pages_of_totals_are_short():
    pages = [content for path, content in generated.files() if path.parent.name == "docs"]
    assert len(pages) == 2 and all(page.count(b"\n") <= 30 for page in pages)


def test_a_lab_without_a_row_in_the_readme_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    (tmp_path / "README.md").write_text("# Labs\n")
    with pytest.raises(UserError, match="README.md: the table of labs needs one row for 01_build_the_table"):
        generated.readme()
