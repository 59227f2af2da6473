"""The README's picture of a check's feedback shows its current wording."""

import sys

from labkit.student.model import project

sys.path.insert(0, str(project.current().root / "docs"))
import figure


def test_the_picture_shows_todays_message():
    shown = figure.drawn(figure.PICTURE)
    if shown != figure.said():
        figure.draw(figure.PICTURE)
    assert shown == figure.said(), (
        f"docs/{figure.PICTURE.name} was outdated. The test has drawn it again: look at it and commit it"
    )


def test_the_picture_stores_the_words_it_shows(tmp_path, monkeypatch):
    monkeypatch.setattr(figure, "said", lambda: "a word-for-word text " * 9 + "end")
    figure.draw(tmp_path / "picture.png")
    assert figure.drawn(tmp_path / "picture.png") == figure.said()
