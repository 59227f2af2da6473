"""The README's figure shows the check's current words."""

import sys

from labkit.model import project

sys.path.insert(0, str(project.current().root / "docs"))
import figure


def test_the_picture_shows_todays_message():
    shown = figure.drawn(figure.PICTURE)
    if shown != figure.said():
        figure.draw(figure.PICTURE)
    assert shown == figure.said(), (
        f"docs/{figure.PICTURE.name} shows other words; drawn again now: look at it, commit it"
    )


def test_the_picture_stores_the_words_it_shows(tmp_path, monkeypatch):
    monkeypatch.setattr(figure, "said", lambda: "a word-for-word text " * 9 + "end")
    figure.draw(tmp_path / "picture.png")
    assert figure.drawn(tmp_path / "picture.png") == figure.said()
