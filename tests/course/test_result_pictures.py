"""The docs have up-to-date pictures of the class report and of a student's page."""

import sys

import pytest

from labkit.desk.pages.render import TEMPLATES
from labkit.student.judging.words import load, title
from labkit.student.model import project

sys.path.insert(0, str(project.current().root / "docs"))
import result_pictures as pictures

KILOBYTE = 1000


@pytest.mark.parametrize("path", [pictures.REPORT, pictures.STUDENT], ids=lambda path: path.name)
def test_a_picture_is_small(path):
    assert path.stat().st_size < 120 * KILOBYTE


def test_the_reports_picture_shows_todays_sections():
    today = "".join(path.read_text("utf-8") for path in TEMPLATES.glob("*.html"))
    shown = pictures.headings(pictures.REPORT)
    stale = [each for each in shown if f">{each}</h2>" not in today]
    assert shown and not stale, "outdated: run python docs/result_pictures.py, look at the picture and commit it"


def test_the_students_picture_shows_todays_exercises():
    load(project.current().course)
    lab = project.current().course.labs["01_build_the_table"]
    titles = [title(each.name) for each in lab.exercises]
    shown = [
        line.removesuffix(f" {each.name}") for line, each in zip(pictures.headings(pictures.STUDENT), lab.exercises)
    ]
    assert shown == titles, "outdated: run python docs/result_pictures.py, look at the picture and commit it"
