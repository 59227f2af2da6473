"""What lab 01 says about a wrong table, and the picture behind its words."""

import numpy as np
import pytest
from mistaken import all_samples

from encoding_labs.build_the_table.look import draw_difference
from labkit.notebook.examine import check, examination_of
from labkit.notebook.look import look

ONE_OF_EACH = {
    sample.mistakes[0]: sample
    for _, sample in all_samples()
    if sample.exercise == "sinusoidal_pe" and len(sample.mistakes) == 1
}


def halves(T, d):
    angles = np.arange(T)[:, None] / 10000.0 ** (2 * np.arange(d // 2) / d)
    if d % 2 or d <= 0:
        raise ValueError
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


def unwritten(T, d):
    raise NotImplementedError("sinusoidal_pe: write your answer here")


def test_words_for_each_state(capsys):
    for answer, starts in (
        (halves, "✘ sinusoidal_pe: Row 0"),
        (unwritten, "… sinusoidal_pe: not written yet."),
        (3, "✘ sinusoidal_pe:"),
    ):
        check("sinusoidal_pe", namespace={"sinusoidal_pe": answer})
        said, total, end = capsys.readouterr().out.rpartition("▸")
        assert said.startswith(starts) and "0 of" in end
    check("sinusoidal_pe", namespace={}, language="es")
    assert "no hay ninguna respuesta" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["nonsense", "why_pairs"])
def test_a_name_that_is_no_exercise(name, capsys):
    check(name, namespace={})
    said = capsys.readouterr().out
    assert "There is no exercise" in said and "sinusoidal_pe" in said
    look(name, namespace={})
    assert "There is no exercise" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_picture_shows_table_speeds_and_difference(language):
    import matplotlib.pyplot as plt

    observation = examination_of("sinusoidal_pe", {"sinusoidal_pe": halves}).observations[0]
    figure, words = draw_difference(observation, language)
    left, middle, right = figure.axes[:3]
    np.testing.assert_array_equal(left.images[0].get_array(), halves(64, 32))
    np.testing.assert_allclose(right.images[0].get_array(), abs(halves(64, 32) - observation.expected))
    assert len(middle.lines) == 2 and all(
        ax.get_title() and ax.get_xlabel() and ax.get_ylabel() for ax in (left, middle, right)
    )
    assert "(64, 32)" in words
    plt.close(figure)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("sample", ONE_OF_EACH.values(), ids=ONE_OF_EACH)
def test_every_mistake_can_be_looked_at(sample, capsys, monkeypatch):
    monkeypatch.setenv("LABKIT_NO_PICTURES", "1")
    look("sinusoidal_pe", namespace={"sinusoidal_pe": sample.answer})
    assert capsys.readouterr().out.startswith("✘ sinusoidal_pe: ")
