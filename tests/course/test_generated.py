"""Test that the example class, the pages of totals and the README's points follow from the labs."""

import generated


def test_generated_files_are_up_to_date():
    assert not (stale := [*generated.renew()]), (
        f"{', '.join(stale)} were outdated. The test has rewritten them: commit them"
    )


def test_pages_of_totals_are_short():
    pages = [content for path, content in generated.files() if path.parent.name == "docs"]
    assert len(pages) == 2 and all(page.count(b"\n") <= 30 for page in pages)
