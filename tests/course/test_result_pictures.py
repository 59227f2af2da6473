"""The docs have up-to-date pictures of the pages, of a check's feedback, and of the book's page "Where it lives now"."""

import re
import sys

import numpy as np
import pytest

from labkit.desk.pages.render import TEMPLATES
from labkit.student.judging.words import load, title
from labkit.student.model import project

sys.path.insert(0, str(project.current().root / "docs"))
import figure
import fourier_features as fourier
import reading_picture as reading
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


def test_the_picture_of_the_reading_page_shows_todays_question_and_rubric():
    stale = reading.drawn(reading.READING) != reading.shown()
    assert not stale, (
        f"{reading.READING.name} is outdated: run python docs/reading_picture.py, look at the picture and commit it"
    )


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


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_states_the_errors_of_the_network_with_and_without_the_table(language):
    page = (fourier.PICTURE.parent / language / "where_it_lives_now.md").read_text("utf-8")
    without, table = fourier.INPUTS.values()
    size = np.sqrt(np.mean(fourier.TARGET**2))
    measured = [fourier.miss(fourier.learned(without)), fourier.miss(fourier.learned(table)), size]
    measured.append(fourier.miss(fourier.learned(without, 10_000)))
    assert [float(stated) for stated in re.findall(r"(?<![\d.])0\.\d\d(?!\d)", page)] == pytest.approx(
        measured, abs=0.02
    )


def test_the_picture_shows_what_the_network_learned_in_both_themes():
    style, _, drawing = fourier.PICTURE.read_text("utf-8").partition("</style>")
    assert all(f"--{name}: {colour};" in style for name, pair in fourier.COLOURS.items() for colour in pair)
    assert not re.search(r"#[0-9a-f]{6}\b", drawing), "a colour is the same in both themes"
    functions, curves = (_heights(drawing, colour) for colour in ("function", "learned"))
    for function, curve, x in zip(functions, curves, fourier.INPUTS.values(), strict=True):
        height = np.poly1d(np.polyfit(function, fourier.TARGET, 1))
        assert np.abs(height(curve) - fourier.learned(x)).max() < 0.1, "run python docs/fourier_features.py"


def _heights(drawing: str, colour: str) -> list[list[float]]:
    lines = re.findall(rf'<path d="([^"]+)"[^>]*stroke: var\(--{colour}\)', drawing)
    return [[float(y) for y in re.findall(r"[ML] \S+ (\S+)", line)] for line in lines]
