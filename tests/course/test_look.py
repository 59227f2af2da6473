"""Test `look()`, which shows how a wrong answer differs from the right one."""

import base64
import io
import re

import numpy as np
import pytest
from longer import every
from PIL import Image

from autograder.samples import UNSEEN, all_samples
from encoding_labs import COURSE
from encoding_labs.build_the_table.look import draw_difference
from labkit.student.calls.calling import PIXELS
from labkit.student.judging.words import title
from labkit.student.notebook.examine import check, examination_of
from labkit.student.notebook.look import look

ONE_OF_EACH = {
    sample.mistakes[0]: sample
    for _, sample in all_samples()
    if sample.exercise == "sinusoidal_pe" and len(sample.mistakes) == 1 and sample.mistakes[0] != UNSEEN
}


def halves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (2 * np.arange(d // 2) / d)
    if d % 2 or d <= 0:
        raise ValueError
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


def unwritten(T, d):
    raise NotImplementedError("sinusoidal_pe: write your answer here")


def test_words_for_each_state(capsys, monkeypatch):
    for answer, starts in (
        (halves, "✘ The table: Row 0"),
        (unwritten, "… The table: not written yet."),
        (3, "✘ The table:"),
    ):
        check("sinusoidal_pe", namespace={"sinusoidal_pe": answer})
        said, total, end = capsys.readouterr().out.rpartition("▸")
        assert said.startswith(starts) and "0 of" in end
    monkeypatch.setattr("labkit.student.notebook.language._spoken", "es")
    check("sinusoidal_pe", namespace={})
    assert "no hay ninguna respuesta" in capsys.readouterr().out


@pytest.mark.parametrize("ask", [check, look])
def test_a_name_that_is_no_exercise(ask, capsys):
    ask("frequency", namespace={})
    said = " ".join(capsys.readouterr().out.split())
    assert said == "✘ There is no exercise 'frequency'. Did you mean frequencies?"
    ask("why_pairs", namespace={})
    assert capsys.readouterr().out == "… Why pairs: a written answer; your instructor grades it.\n"


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_picture_shows_table_speeds_and_difference(language):
    import matplotlib.pyplot as plt

    observation = examination_of(COURSE, "sinusoidal_pe", {"sinusoidal_pe": halves}).observations[0]
    figure, words = draw_difference(observation, language)
    left, middle, right = figure.axes[:3]
    np.testing.assert_array_equal(left.images[0].get_array(), halves(64, 32))
    np.testing.assert_allclose(right.images[0].get_array(), abs(halves(64, 32) - observation.expected))
    assert len(middle.lines) == 2 and all(
        ax.get_title() and ax.get_xlabel() and ax.get_ylabel() for ax in (left, middle, right)
    )
    assert "(64, 32)" in words and left.get_title() == {"en": "Your table", "es": "Tu tabla"}[language]
    plt.close(figure)


WRONG_FIGURES = {
    "draw_heatmap": lambda pe, ax: ax.imshow(pe),
    "draw_columns": lambda pe, columns, ax: ax.plot(pe[:, list(columns)]),
    "draw_sweep": lambda bases, d, ax: ax.plot(bases),
}


@pytest.mark.parametrize("name", WRONG_FIGURES)
def test_a_wrong_figure_is_shown_beside_one_that_is_right(name, monkeypatch, capsys):
    shown = displayed(monkeypatch)
    look(name, namespace={name: WRONG_FIGURES[name]})
    yours, asked = map(
        pixels, re.findall(r'src="data:image/png;base64,([^"]+)" style="[^"]*" alt="[^"]+"', shown[0]["text/html"])
    )
    assert yours.shape == asked.shape == PIXELS and (yours != asked).any()
    assert all(len(np.unique(each.reshape(-1, 3), axis=0)) > 10 for each in (yours, asked))
    assert capsys.readouterr().out.startswith(f"✘ {title(name)}: ") and name in shown[0]["text/plain"]


def test_a_figure_that_cannot_be_drawn_leaves_the_words(monkeypatch, capsys):
    shown = displayed(monkeypatch)
    look("draw_heatmap", namespace={"draw_heatmap": lambda pe, ax: 1 / 0})
    assert not shown and "There is no picture" in capsys.readouterr().out


@pytest.mark.parametrize("kind", [tuple, list, np.stack])
def test_several_tables_are_shown_side_by_side(kind, monkeypatch, capsys):
    shown = displayed(monkeypatch)

    def score_parts(embeddings, pe):
        content, position = embeddings, pe
        return kind([each @ other.T for each in (content, position) for other in (content, position)][::-1])

    look("score_parts", namespace={"score_parts": score_parts})
    assert "in 144 of 144 places" in shown[0]["text/plain"] and capsys.readouterr().out.startswith(
        "✘ The parts of a score: "
    )


def displayed(monkeypatch) -> list[dict]:
    """A list that collects everything displayed after this call."""
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
    return shown


def pixels(png: str) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "mistake", every(4, [*ONE_OF_EACH], why="every mistake gives a picture with the same three panels")
)
def test_every_mistake_can_be_shown_by_look(mistake, capsys, monkeypatch):
    monkeypatch.setenv("LABKIT_NO_PICTURES", "1")
    look("sinusoidal_pe", namespace={"sinusoidal_pe": ONE_OF_EACH[mistake].answer})
    assert capsys.readouterr().out.startswith("✘ The table: ")
