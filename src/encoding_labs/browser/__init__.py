"""Pictures that the browser draws and animates. Each is a single HTML output, which needs no kernel, network or dependencies."""

from __future__ import annotations

import html
import json
import os
from functools import cache
from pathlib import Path
from urllib.parse import quote

from labkit.student.judging.finding import Finding
from labkit.student.judging.words import filled, say, words_in
from labkit.student.notebook.figures import NO_PICTURES
from labkit.student.notebook.language import spoken

FOLDER = Path(__file__).parent
SCRIPTS = ("numbers.js", "drawing.js", "clocks.js", "curves.js", "sentence.js", "tables.js", "film.js", "stage.js")
FILES = {  # the scenes that need other files than clocks.js
    "curves.js": ("anchor", "size", "gain"),
    "sentence.js": ("sentence", "three"),
    "tables.js": ("bugs",),
    "clocks.js film.js": ("film",),
}
WORDS = words_in(FOLDER)  # by language; read here, because a fork server imports this file once for all kernels
STILLS = FOLDER / "stills"  # docs/moving_pictures.py draws them


def show_scene(scene: str, language: str | None, record: dict | None = None, **facts: float) -> None:
    """Show a scene, such as one of clocks.js, in the given language, else the notebook's. `facts` has the scene's numbers.

    `record` has what else the scene draws, such as frames.

    While grading, only its description is shown: the scene would take a third of the time of a lab's first cell.
    """
    from IPython.display import display

    language = language or spoken()
    plain = say("", Finding("figure", {"alt": words(scene, language, facts)["alt"]}), language)
    source = "" if os.environ.get(NO_PICTURES) else page(scene, language, facts, record)
    display({"text/html": source, "text/plain": plain}, raw=True)


def page(scene: str, language: str, facts: dict[str, float], record: dict | None = None) -> str:
    """Build the HTML of a scene. If scripts are blocked, it shows a picture animated by CSS, or the description."""
    labels = words(scene, language, facts)
    data = json.dumps(
        {"scene": scene, "facts": facts | (record or {}), "say": labels, "style": style()}, ensure_ascii=False
    )
    still = STILLS / f"{still_name(scene, language, facts)}.svg"
    alt = html.escape(labels["alt"])
    if still.is_file():
        twin = f'<img alt="{alt}" src="{address_of(still.read_text("utf-8"))}" style="max-width: 100%">'
    else:
        twin = f"<p>{alt}</p>"
    # JupyterLab leaves key presses to elements with this attribute.
    host = f'<div data-scene="{html.escape(data)}" data-lm-suppress-shortcuts="true" lang="{language}">{twin}</div>'
    return f"{host}<script>(() => {{\n{script(scene)}}})();</script>"


def address_of(svg: str) -> str:
    """Encode a picture as a data URL for an HTML attribute in double quotes. The result is a fifth shorter than base64."""
    return html.escape(
        "data:image/svg+xml," + quote(svg.replace('"', "'"), safe=" '=:/;,.()-_!*?+@[]{}|&"), quote=False
    )


def still_name(scene: str, language: str, facts: dict[str, float]) -> str:
    return "-".join([scene, *(f"{name}{value:.9g}" for name, value in facts.items()), language])


def words(scene: str, language: str, facts: dict[str, float]) -> dict[str, str]:
    """A scene's labels in a language, and its description under `alt`."""
    if language not in WORDS:
        raise ValueError(f"language is {language!r}; there is {', '.join(sorted(WORDS))}")
    shown = {name: filled("{value:,}", {"value": value}, language) for name, value in facts.items()}
    d, last, T = facts.get("d", 0), facts.get("last", 0), facts.get("T", 0)
    shown |= {"pairs": str(d // 2), "half": str(d // 2), "rows": str(last + 1), "end": str(T - 1)}
    alt = WORDS[language]["alt"][scene].format(**shown)
    return {name: text for name, text in WORDS[language].items() if name != "alt"} | {"alt": alt}


@cache
def script(scene: str) -> str:
    """A scene's scripts as one string, without comments and indentation."""
    drawer = next((files for files, scenes in FILES.items() if scene in scenes), "clocks.js")
    scripts = ("numbers.js", "drawing.js", *drawer.split(), "stage.js")
    lines = "\n".join((FOLDER / name).read_text("utf-8") for name in scripts).splitlines()
    kept = (line.strip() for line in lines)
    return "".join(f"{line}\n" for line in kept if line and not line.startswith("//"))


@cache
def style() -> str:
    return (FOLDER / "stage.css").read_text("utf-8")
