"""Test the moving pictures without a page: their HTML, their words, and the numbers that their JavaScript computes."""

import json
import re
import sys
from html.parser import HTMLParser
from unittest.mock import patch

import numpy as np
import pytest
from matplotlib import colormaps, colors
from needs import needs

from autograder.precision_and_cost.samples import locked_rows
from encoding_labs import browser, sliders
from encoding_labs.clock import clock
from encoding_labs.look_back import experiment, learning
from labkit.student.model import project
from minimodel.positional.sinusoidal import sinusoidal_pe

sys.path.insert(0, str(project.current().root / "docs"))
import moving_pictures

SHOWN = {
    "sentence": sliders.sentence,
    "three": sliders.three_back,
    "clock": lambda **named: clock(d=4, last=31, **named),
    "shift": lambda **named: clock(shift=3, **named),
    "base": lambda **named: clock(base=10_000, **named),
    "back": lambda **named: clock(back=3, **named),
    "anchor": sliders.anchor_and_offset,
    "size": sliders.base_and_d,
    "gain": sliders.gain,
    "bugs": sliders.three_colourings,
    "float32": sliders.rows_in_float32,
}
TURNS = np.exp(3j * 10000.0 ** (-np.arange(16) / 16))  # of a right one_look


def data_of(show, **named) -> dict:
    """The MIME bundle that a call displays in the notebook."""
    with patch("IPython.display.display") as display:
        show(**named)
    display.assert_called_once()
    return display.call_args.args[0]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_is_well_formed_html_with_its_description(name, language):
    data = data_of(SHOWN[name], language=language)
    seen, stack = [], []

    class Parser(HTMLParser):
        def handle_starttag(self, tag, attributes):
            seen.append((tag, dict(attributes)))
            if tag not in ("img", "br"):
                stack.append(tag)

        def handle_endtag(self, tag):
            assert stack.pop() == tag

    Parser().feed(data["text/html"])
    assert stack == [] and [tag for tag, _ in seen if tag == "script"] == ["script"]
    told = json.loads(seen[0][1]["data-scene"])
    assert told["scene"] == name and seen[0][1]["lang"] == language
    alt = told["say"]["alt"]
    figure = {"en": "Figure", "es": "Figura"}[language]
    assert data["text/plain"] == f"[{figure}: {alt}]" and len(alt) > 200 and "{" not in alt


@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_asks_no_other_address_and_has_the_same_bytes_each_time(name):
    html = data_of(SHOWN[name])["text/html"]
    assert html == data_of(SHOWN[name])["text/html"]
    assert set(re.findall(r"\w+://[^\s\"'`<]+", html)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|import|eval|sendBeacon)\b\s*\(", html)


def test_both_languages_have_the_same_words_and_use_the_same_facts():
    english, spanish = browser.WORDS["en"], browser.WORDS["es"]

    def facts(words: dict) -> dict:
        return {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in words.items() if isinstance(text, str)}

    assert facts(english) == facts(spanish) and facts(english["alt"]) == facts(spanish["alt"])
    used = set(re.findall(r"\bsay\.(\w+)", "".join(map(browser.script, ("clock", "gain", "sentence", "bugs", "film")))))
    assert used == set(english)


@pytest.mark.parametrize(
    "named",
    [{"d": 7}, {"d": 18}, {"last": 5}, {"shift": 3, "back": 3}, {"base": 1}, {"shift": 2.5}, {"language": "fr"}],
)
def test_undrawable_options_are_refused_in_one_line(named):
    with pytest.raises(ValueError) as error:
        clock(**named)
    assert "\n" not in str(error.value)


computes = needs("Node or Chromium")


@computes
def test_the_browser_computes_the_locked_table():
    rows = moving_pictures.computed("Array.from({ length: 64 }, (_, p) => rowOf(p, frequencies(32, 500)))")
    np.testing.assert_allclose(rows, sinusoidal_pe(64, 32, base=500), atol=2e-5)


@computes
def test_the_browser_computes_similarity_scores_and_weights():
    table = sinusoidal_pe(64, 32).astype(np.float64)
    got = moving_pictures.computed("""{
        similarity: Array.from({ length: 64 }, (_, p) => similarity(p - 20, frequencies(32, 10000))),
        scores: scoresOf(23, 3, 64, frequencies(32, 10000)),
        weights: softmax(scoresOf(23, 3, 64, frequencies(32, 10000)).map((score) => 2 * score)),
        wavelengths: wavelengths(8, 10000),
    }""")
    gram = table @ table[20]
    np.testing.assert_allclose(got["similarity"], gram, atol=1e-4)
    np.testing.assert_allclose(got["scores"], gram, atol=1e-4)  # turned back by 3, position 23 meets position 20
    shares = np.exp(2 * (gram - gram.max()))
    np.testing.assert_allclose(got["weights"], shares / shares.sum(), atol=1e-4)
    np.testing.assert_allclose(got["wavelengths"], 2 * np.pi * 10.0 ** np.arange(4))


@computes
def test_each_of_the_three_colourings_hides_one_bug():
    same = moving_pictures.computed("""[1, 2, 3].map((bug) => Object.values(COLOURINGS).map((colouring) => {
        const right = Array.from({ length: 24 }, (_, p) => rowOf(p, frequencies(16, 10000)));
        return cells(colouring(right)) === cells(colouring(withBug(right, bug)));
    }))""")
    assert same == np.eye(3).astype(bool).tolist()


@computes
def test_rows_in_float32_are_those_of_the_locked_formula():
    positions = np.arange(2**24 - 4, 2**24 + 9)
    rows = moving_pictures.computed(
        "Array.from({ length: 13 }, (_, i) => float32Row(2 ** 24 - 4 + i, frequencies(8, 10000)))"
    )
    np.testing.assert_allclose(rows, locked_rows(positions, 8), atol=1e-6)
    assert rows[5] == rows[4] and rows[4] != rows[3]  # 16,777,217 and 16,777,216


@computes
def test_displayed_numbers_belong_to_the_nearest_whole_position_while_hands_move():
    moments = {
        ("clock", "p"): {"p": 2.6},
        ("shift", "p"): {"p": 2.6, "offset": 3},
        ("back", "q"): {"p": 20, "q": 16.6},
        ("sentence", "shuffle"): {"sentence": "the dog bites the man", "shuffle": 1.6},
        ("float32", "p"): {"p": 16_777_216.6},
    }
    calls = []
    for (scene, runs), moment in moments.items():
        facts = dict(moving_pictures.SHOWN)[scene]
        made = f"SCENES.{scene}({json.dumps(facts)}, {json.dumps(browser.words(scene, 'en', facts))})"
        rounded = {**moment, runs: round(moment[runs])}
        calls += [f"{made}.moving({json.dumps(each)}, 820)" for each in (moment, rounded)]
    drawn = moving_pictures.computed(f"[{', '.join(calls)}]")
    for between, at in zip(drawn[0::2], drawn[1::2]):
        written = [re.findall(r"<text[^>]*>([^<]*)<", picture) for picture in (between, at)]
        assert between != at and written[0] and written[0] == written[1]
    assert "0.14" in re.findall(r">([^<]*)<", drawn[0]) and "p = 3" in re.findall(r">([^<]*)<", drawn[0])


@computes
def test_the_first_picture_of_lab_06_has_the_weights_of_a_head_that_looks_back():
    facts, say = dict(moving_pictures.SHOWN)["three"], browser.words("three", "en", {"back": 3})
    shown = {"sentence": "a b c d e f g h", "p": 6}
    drawn = moving_pictures.computed(
        f"SCENES.three({json.dumps(facts)}, {json.dumps(say)}).moving({json.dumps(shown)}, 820)"
    )
    table = sinusoidal_pe(8, 32).astype(np.float64)
    wanted = experiment.softmax(2 * table[3:4] @ table.T)[0]  # the query of position 6, turned back by 3
    assert re.findall(r">([\d.]+)<", drawn) == [f"{weight:.2f}" for weight in wanted] and wanted.argmax() == 3
    assert "query: g" in drawn


@computes
def test_the_film_draws_what_was_recorded():
    record, facts = learning.recorded(TURNS), {"back": 3, "T": 128, "seen": 32}
    made = f"SCENES.film({json.dumps(facts | record)}, {json.dumps(browser.words('film', 'en', facts))})"
    last = record["weights"][-1]
    got = moving_pictures.computed(
        f"[...[0, 1, 1000].map((step) => {made}.moving({{ step }}, 980)), {json.dumps(last)}.map(counted), {made}.rests]"
    )
    assert "°" not in got[0] and "173.7°" in got[1] and "172.0°" in got[2] and got[4] == len(record["steps"]) - 1
    assert "3 back: 6 % of the rows" in got[1] and "3 back: 87 % of the rows" in got[2]
    table = sinusoidal_pe(128, 32).astype(np.float64)
    weights = experiment.softmax(table @ experiment.filmed()[1000] @ table.T).ravel()
    for shade, cells in enumerate(got[3], 2):
        lowest, next_one = (shade / 10) ** 2, ((shade + 1) / 10) ** 2 if shade < 9 else 1.01
        assert cells == np.flatnonzero((weights >= lowest) & (weights < next_one)).tolist()


@computes
def test_colours_of_values_are_those_of_the_heatmaps():
    values = np.linspace(-1, 1, 81)
    got = [
        colors.to_rgb(each)
        for each in moving_pictures.computed("Array.from({ length: 81 }, (_, i) => colourOf(i / 40 - 1))")
    ]
    np.testing.assert_allclose(got, colormaps["RdBu_r"]((values + 1) / 2)[:, :3], atol=0.03)


@computes
def test_numbers_are_written_for_readers():
    got = moving_pictures.computed(
        "[...[6.283, 62.83, 628.3, 6283.2, 1000000].map((value) => plain(value, { thousands: ',' })), fixed(-0.001), fixed(-0.5)]"
    )
    assert got == ["6.28", "62.8", "628", "6,283", "1,000,000", "0.00", "\u22120.50"]
    spanish = json.dumps({"thousands": browser.WORDS["es"]["thousands"]})
    assert moving_pictures.computed(f"[6283.2, 35333].map((value) => plain(value, {spanish}))") == [
        "6283",
        "35\u00a0333",
    ]


@computes
def test_the_stored_pictures_are_up_to_date():
    drawn = moving_pictures.drawn()
    old = [path.name for path, text in drawn.items() if not path.is_file() or path.read_text("utf-8") != text]
    for path, text in drawn.items():
        path.write_text(text, "utf-8")
    assert old == [], f"outdated: {', '.join(old)}. The test has drawn them again: look at them and commit them"
    assert sorted(browser.STILLS.iterdir()) == sorted(path for path in drawn if path.parent == browser.STILLS)


def test_the_readmes_clocks_run_without_script_and_stop_with_reduced_motion():
    text = moving_pictures.README.read_text("utf-8")
    names = set(re.findall(r"animation:(\w+) ", text))
    assert len(names) == 4 * 6 + 1 and names == set(re.findall(r"@keyframes (\w+)", text))
    assert "<script" not in text and "prefers-reduced-motion:reduce" in text and len(text) < 300_000


@pytest.mark.parametrize("name", SHOWN)
def test_every_moving_picture_in_the_labs_has_a_still(name):
    assert 'src="data:image/svg+xml,' in data_of(SHOWN[name])["text/html"]
