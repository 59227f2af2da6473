"""Draw the stills of the moving pictures, and the README's clocks. Run: python docs/moving_pictures.py

The labs' own JavaScript draws them, in node or, if there is no node, in Chromium.
"""

import json
import shutil
import subprocess
from pathlib import Path

from encoding_labs import browser

README = Path(__file__).with_name("clocks.svg")
SCRIPT = Path(__file__).with_name("moving_pictures.js")
# the scenes that the labs and the book show, with their parameters; the film shows a student's answer, so it has no still
SHOWN = (
    ("sentence", {"d": 6, "last": 9}),
    ("three", {"d": 32, "back": 3, "gain": 2}),
    ("clock", {"d": 8, "last": 63}),
    ("clock", {"d": 4, "last": 31}),
    ("shift", {"d": 8, "shift": 3}),
    ("base", {"d": 8, "base": 10_000, "last": 127}),
    ("back", {"d": 8, "back": 3, "last": 40}),
    ("anchor", {"d": 32, "T": 64, "anchor": 20, "offset": 7}),
    ("size", {"base": 10_000, "d": 32}),
    ("gain", {"d": 32, "T": 64, "back": 3, "gain": 1, "p": 20}),
    ("bugs", {"d": 16, "last": 23}),
    ("float32", {"d": 8, "row": 16_777_217}),
)


def computed(expression: str):
    """Evaluate JavaScript that uses the browser's functions. Errors: RuntimeError if there is no node and no Chromium."""
    files = [*(browser.FOLDER / name for name in browser.SCRIPTS), SCRIPT]
    # stage.js ends by looking for scenes in the page, but here there is no page.
    script = "const document = { querySelectorAll: () => [] };\n" + "\n".join(path.read_text("utf-8") for path in files)
    if node := shutil.which("node"):
        source = f"{script}\nconsole.log(JSON.stringify({expression}))"
        done = subprocess.run([node, "-"], input=source, capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        raise RuntimeError("drawing moving pictures needs node or Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play, play.chromium.launch(executable_path=chromium, args=["--no-sandbox"]) as opened:
        return opened.new_page().evaluate(f"() => {{ {script}\nreturn {expression}; }}")


def drawn() -> dict[Path, str]:
    """The SVG text of each picture, by path."""
    style = browser.style().replace("\n", "")
    files, calls = [], []
    for language in browser.WORDS:
        for scene, facts in SHOWN:
            say = browser.words(scene, language, facts)
            calls.append("still(" + ", ".join(map(json.dumps, (scene, facts, say, style))) + ")")
            files.append(browser.STILLS / f"{browser.still_name(scene, language, facts)}.svg")
    facts = {"d": 8, "last": 31}
    calls.append("running(" + ", ".join(map(json.dumps, (facts, browser.words("clock", "en", facts), style))) + ")")
    return dict(zip([*files, README], computed(f"[{', '.join(calls)}]")))


if __name__ == "__main__":
    browser.STILLS.mkdir(exist_ok=True)
    for path, text in drawn().items():
        path.write_text(text, "utf-8")
        print(f"{path.name}: {len(text):,} bytes")
