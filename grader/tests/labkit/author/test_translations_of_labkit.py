"""labkit's own Spanish is complete and up to date. The test rewrites outdated files and fails."""

from pathlib import Path

import labkit
from labkit.author.source.texts import Part
from labkit.author.source.translate import Translation

SOURCE = Path(labkit.__file__).parent
ROOT = SOURCE.parents[1]


def test_every_message_has_its_translation():
    part = Part("labkit", ROOT, SOURCE, (SOURCE / "author/source/template",))
    translation = Translation(part, ROOT / "translations/es.po", "es")
    stale = [translation.path.name] if translation.renew() else []
    for path, text in Translation(part, translation.path, "es").words_files():
        if not (ROOT / path).exists() or (ROOT / path).read_text("utf-8") != text:
            (ROOT / path).write_text(text, "utf-8")
            stale.append(path.as_posix())
    assert not [*Translation(part, translation.path, "es").faults()]
    assert not stale, "these files were outdated; the test has rewritten them: commit them"
