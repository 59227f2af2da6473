"""The README's figure shows what the check says today."""

import sys

from labkit.model import project

sys.path.insert(0, str(project.current().root / "docs"))
import figure


def test_the_picture_shows_todays_messages():
    shown = figure.drawn(figure.PICTURE)
    if shown != figure.said():
        figure.draw(figure.PICTURE)
    assert shown == figure.said(), (
        f"docs/{figure.PICTURE.name} shows other words; drawn again now: look at it, commit it"
    )


def test_the_words_in_the_file_are_those_that_are_drawn(tmp_path, monkeypatch):
    said = [["right", "one"], ["first-wrong", "two words"], ["second", "a word-for-word text " * 4], ["third", "four"]]
    monkeypatch.setattr(figure, "said", lambda: [[name, text.strip()] for name, text in said])
    figure.draw(tmp_path / "picture.png")
    assert figure.drawn(tmp_path / "picture.png") == figure.said()


def test_each_wrong_table_is_named_and_the_right_one_is_right():
    names = [name for name, _ in figure.said()]
    assert names[0] == "right" and len(set(names)) == 4
