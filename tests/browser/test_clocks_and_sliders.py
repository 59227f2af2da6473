"""Test the clocks and sliders in Chromium: on a page of their own, in nbconvert's HTML, and in the README's image."""

from functools import cache

import nbformat
import numpy as np
import pytest
from longer import every
from nbconvert import HTMLExporter
from needs import needs

from encoding_labs import browser as pictures
from encoding_labs.look_back import learning
from labkit.student.model import project

SECONDS = 60
pytestmark = [needs("Chromium"), pytest.mark.timeout(4 * SECONDS), pytest.mark.xdist_group("browser")]
SCENES = {
    "sentence": {"d": 6, "last": 9},
    "three": {"d": 32, "back": 3, "gain": 2},
    "film": {"back": 3, "T": 128, "seen": 32},
    "clock": {"d": 8, "last": 63},
    "shift": {"d": 8, "shift": 3},
    "base": {"d": 8, "base": 10_000, "last": 127},
    "back": {"d": 8, "back": 3, "last": 40},
    "anchor": {"d": 32, "T": 64, "anchor": 20, "offset": 7},
    "size": {"base": 10_000, "d": 32},
    "gain": {"d": 32, "T": 64, "back": 3, "gain": 1, "p": 20},
    "bugs": {"d": 16, "last": 23},
    "float32": {"d": 8, "row": 16_777_217},
}
CELLS = ("from encoding_labs.clock import clock", "clock(d=4, last=31)")


@cache
def recorded(name: str) -> dict | None:
    """What the film shows: a head that learns, and the turns of a right `one_look`."""
    return learning.recorded(np.exp(3j * 10000.0 ** (-np.arange(16) / 16))) if name == "film" else None


MOVING = "host => host.shadowRoot.querySelector('svg').children[1].innerHTML"


@pytest.fixture(scope="module")
def tab(browser):
    """One page for all tests in this file. `errors` collects its JavaScript errors and its requests."""
    page = browser.new_page()
    page.errors = []
    page.set_default_timeout(SECONDS * 1000)
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("request", lambda request: page.errors.append(request.url))
    return page


@pytest.fixture
def show(tab):
    """Show scenes (clocks or plots with sliders) in the page. Returns the page and the scenes' elements."""

    def shown(*names: str, still: bool = True, width: int = 1000, dark: bool = False, language: str = "en"):
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(reduced_motion="reduce" if still else "no-preference")
        colours = "color: #ddd; background: #111" if dark else "color: #111; background: #fff"
        html = "".join(pictures.page(name, language, SCENES[name], recorded(name)) for name in names)
        tab.errors = []
        tab.set_content(
            f'<html lang="en"><title>scenes</title><body style="{colours}"><main><h1>Scenes</h1>{html}</main>'
        )
        hosts = tab.query_selector_all("[data-scene]")
        assert len(hosts) == len(names) and tab.errors == []
        return tab, hosts

    yield shown
    tab.set_content("")  # stop all clocks


def slid(host, number: int) -> int:
    return int(host.evaluate("(host, n) => host.shadowRoot.querySelectorAll('[type=range]')[n].value", number))


def test_scenes_are_still_with_reduced_motion(show):
    page, hosts = show(*SCENES)
    before = [host.evaluate(MOVING) for host in hosts]
    page.evaluate(
        "new Promise(done => (function next(n) { n ? requestAnimationFrame(() => next(n - 1)) : done() })(20))"
    )
    assert [host.evaluate(MOVING) for host in hosts] == before and min(map(len, before)) > 300
    assert not any("NaN" in host.evaluate("host => host.shadowRoot.innerHTML") for host in hosts)


def test_clocks_run_each_on_its_own(show):
    page, hosts = show("clock", "clock", still=False)
    hosts[1].evaluate("host => host.shadowRoot.querySelector('button').click()")
    paused = slid(hosts[1], 0)  # on a busy machine the clock may have advanced before it was paused
    page.wait_for_function("Number(document.querySelector('[data-scene]').dataset.frames) > 60")
    assert slid(hosts[0], 0) >= 1 and slid(hosts[1], 0) == paused
    names = [
        host.evaluate("host => host.shadowRoot.querySelector('button').getAttribute('aria-label')") for host in hosts
    ]
    assert names == ["Pause", "Play"]


def test_a_clock_never_shows_a_position_before_the_first(show):
    """A frame's timestamp may be from before the clock was started."""
    _, (host,) = show("clock")
    said = host.evaluate("""host => new Promise(done => {
        const real = requestAnimationFrame, said = [], root = host.shadowRoot;
        window.requestAnimationFrame = draw => real(now => {
            draw(now - 900);
            said.push(root.querySelector('output').value);
            if (said.length === 3) {
                window.requestAnimationFrame = real;
                done(said);
            }
        });
        root.querySelector('button').click();
    })""")
    assert said == ["0", "0", "0"]


def test_every_slider_answers_the_keyboard(show):
    page, hosts = show(*SCENES)
    for name, host in zip(SCENES, hosts):
        for number in range(int(host.evaluate("host => host.shadowRoot.querySelectorAll('[type=range]').length"))):
            host.evaluate("(host, n) => host.shadowRoot.querySelectorAll('[type=range]')[n].focus()", number)
            if name == "film":
                page.keyboard.press("Home")  # it rests at its end
            drawn, value = host.evaluate("host => host.shadowRoot.querySelector('svg').innerHTML"), slid(host, number)
            page.keyboard.press("ArrowRight")
            assert slid(host, number) == value + 1, name
            assert host.evaluate("host => host.shadowRoot.querySelector('svg').innerHTML") != drawn, name


def test_the_film_stands_still_at_its_end_and_runs_from_its_start(show):
    page, (host,) = show("film")
    assert slid(host, 0) == 63 and "172.0°" in host.evaluate(MOVING)
    _, (host,) = show("film", still=False)
    assert slid(host, 0) < 63
    page.wait_for_function("document.querySelector('[data-scene]').shadowRoot.querySelector('[type=range]').value > 2")
    host.evaluate("host => host.shadowRoot.querySelector('input').focus()")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert slid(host, 0) == 1 and "173.7°" in host.evaluate(MOVING)


def test_a_typed_sentence_is_drawn_and_shuffled(show):
    page, (host,) = show("sentence")
    host.evaluate("host => host.shadowRoot.querySelector('[type=text]').select()")
    page.keyboard.type("a <b> & c")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")  # shuffle 1 reverses the words
    titles = "host => [...host.shadowRoot.querySelectorAll('.title')].map(each => [each.textContent, Number(each.getAttribute('x'))])"
    shown = sorted(host.evaluate(titles), key=lambda word: word[1])
    assert [word for word, _ in shown] == ["c", "&", "<b>", "a"] and "0.00" in host.evaluate(MOVING)
    host.evaluate("host => host.shadowRoot.querySelector('[type=text]').select()")
    page.keyboard.press("Delete")
    assert host.evaluate(titles) == [] and "NaN" not in host.evaluate(MOVING)


def test_a_key_that_leaves_the_position_as_it_is_stops_the_clock(show):
    """Otherwise the clock would move before the next key is pressed."""
    page, (host,) = show("clock", still=False)
    host.evaluate("host => host.shadowRoot.querySelector('input').focus()")
    page.keyboard.press("Home")
    assert host.evaluate("host => host.shadowRoot.querySelector('button').getAttribute('aria-label')") == "Play"


def test_a_drag_is_answered_in_the_same_task(show):
    """The event handler redraws the picture before it returns, so the next frame shows the new position."""
    _, (host,) = show("clock")
    answered = host.evaluate("""host => {
        const input = host.shadowRoot.querySelector('input'), moving = host.shadowRoot.querySelector('svg').children[1];
        return [5, 40, 12].every(value => {
            const before = moving.innerHTML;
            input.value = value;
            input.dispatchEvent(new Event('input'));
            return moving.innerHTML !== before && moving.innerHTML.includes(`p = ${value}<`);
        });
    }""")
    assert answered


def test_a_click_in_the_table_goes_to_its_row(show):
    page, (host,) = show("clock")
    box = host.evaluate("""host => {
        const svg = host.shadowRoot.querySelector('svg').getBoundingClientRect();
        const row = host.shadowRoot.querySelector('.frame').getBoundingClientRect();
        return [row.x + 20, row.y + row.height / 2];
    }""")
    page.mouse.click(box[0], box[1] + 5 * 20)
    assert slid(host, 0) == 20


@pytest.mark.parametrize("width, dark", every(2, [(500, True), (1000, False)], why="the same in light colours"))
def test_axe_finds_nothing(show, width, dark):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page, _ = show(*SCENES, width=width, dark=dark)
    found = axe.run(page).response["violations"]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found] == []


# Measures letters rather than the box of a line, because a font's ascent may be far above its letters.
CUT = """() => [...document.querySelectorAll('[data-scene]')].flatMap(host => {
    const svg = host.shadowRoot.querySelector('svg'), area = svg.getBoundingClientRect();
    const pen = document.createElement('canvas').getContext('2d');
    return [...svg.querySelectorAll('text')].filter(text => text.textContent).filter(text => {
        const style = getComputedStyle(text), start = text.getStartPositionOfChar(0), shown = text.getScreenCTM();
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        const ink = pen.measureText(text.textContent);
        const across = [start.x, start.x + text.getComputedTextLength()];
        const down = [start.y - ink.actualBoundingBoxAscent, start.y + ink.actualBoundingBoxDescent];
        return across.flatMap(x => down.map(y => new DOMPoint(x, y).matrixTransform(shown))).some(corner =>
            corner.x < area.left - 1 || corner.x > area.right + 1 || corner.y < area.top - 1 || corner.y > area.bottom + 1);
    }).map(text => `${JSON.parse(host.dataset.scene).scene}: ${text.textContent}`);
})"""
TALL = """async () => {
    const face = new FontFace('Tall', "local('DejaVu Sans'), local('Liberation Sans')", { ascentOverride: '160%' });
    document.fonts.add(await face.load());
    for (const host of document.querySelectorAll('[data-scene]')) {
        const style = document.createElement('style');
        style.textContent = 'text { font-family: Tall !important; }';
        host.shadowRoot.append(style);
    }
}"""
MOVED = """() => {
    const host = document.querySelector('[data-scene]'), text = host.shadowRoot.querySelector('svg text');
    text.setAttribute('transform', 'translate(0 -1000)');
}"""


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_text_is_cut_off(show, language):
    for width in (390, 576, 1000):
        page, _ = show(*SCENES, width=width, language=language)
        assert page.evaluate(CUT) == [], width


def test_a_font_with_a_tall_ascent_is_not_cut_off_and_a_moved_text_is(show):
    page, _ = show(*SCENES)
    page.evaluate(TALL)
    assert page.evaluate(CUT) == []
    page.evaluate(MOVED)
    assert len(page.evaluate(CUT)) == 1


def test_nbconverts_page_moves(tab, tmp_path):
    cells = [nbformat.v4.new_code_cell(cell, id=f"c{number}") for number, cell in enumerate(CELLS)]
    html = pictures.page("clock", "en", SCENES["clock"])
    cells[1].outputs = [nbformat.v4.new_output("display_data", {"text/html": html, "text/plain": "[Figure: clocks]"})]
    page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    (tmp_path / "lab.html").write_text(page, "utf-8")
    tab.emulate_media(reduced_motion="no-preference")
    tab.goto((tmp_path / "lab.html").as_uri(), wait_until="domcontentloaded")
    tab.wait_for_function("document.querySelector('[data-scene]')?.shadowRoot")
    host = tab.query_selector("[data-scene]")
    host.scroll_into_view_if_needed()
    before = host.evaluate(MOVING)
    tab.wait_for_function(
        "before => document.querySelector('[data-scene]').shadowRoot.querySelector('svg').children[1].innerHTML !== before",
        arg=before,
    )
    tab.goto("about:blank")


def test_the_readmes_clocks_move_as_a_picture(tab):
    """GitHub shows the README's clocks as an image, in which scripts do not run."""
    tab.emulate_media(reduced_motion="no-preference")
    tab.goto((project.current().root / "docs" / "clocks.svg").as_uri())
    moments = []
    for time in (0, 700, 1600):
        tab.evaluate(
            "time => document.getAnimations().forEach(each => { each.pause(); each.currentTime = time; })", time
        )
        moments.append(tab.screenshot())
    tab.goto("about:blank")  # later tests call set_content, which fails while the tab shows an image
    assert len(set(moments)) == 3
