"""The docs have an up-to-date picture of the page for grading written answers."""

import sys

from labkit.student.model import project

sys.path.insert(0, str(project.current().root / "docs"))
import reading_picture as pictures


def test_the_picture_of_the_reading_page_shows_todays_question_and_rubric():
    stale = pictures.drawn(pictures.READING) != pictures.shown()
    assert not stale, (
        f"{pictures.READING.name} is outdated: run python docs/reading_picture.py, look at the picture and commit it"
    )
