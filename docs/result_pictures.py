"""Take screenshots of the report and of a student's page, in Chromium. Run: python docs/result_pictures.py

They show the graded `examples/class`. The headings in each screenshot are stored as the PNG's Description.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

ROOT = Path(__file__).parents[1]
REPORT, STUDENT = (ROOT / "grader/docs" / name for name in ("report.png", "student_page.png"))
MISTAKE, WHOSE = "exponent-k-over-d", "student-04"
SECONDS = 900  # for grading the class
COLOURS = 255


def headings(path: Path) -> list[str]:
    """The headings shown in this picture."""
    with Image.open(path) as picture:
        return picture.text.get("Description", "").splitlines()


def grade(out: Path) -> None:
    command = [sys.executable, "-m", "labkit", "grade", "examples/class", "--out", out, "--seed", "1"]
    subprocess.run(command, cwd=ROOT, check=True, timeout=SECONDS, stdout=subprocess.DEVNULL)


def take(out: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 960})
        page.goto((out / "report.html").as_uri())
        panel = page.locator(f".panel[data-mistake={MISTAKE}]")
        panel.locator("summary").click()
        panel.locator("[data-for=points]").click()
        panel.locator("[name=add]").fill("1")
        panel.locator("[name=reason]").fill("Regraded: k / d was accepted.")
        panel.locator("[name=reason]").blur()
        panel.locator("xpath=ancestor::tbody").evaluate("(row) => scrollBy(0, row.getBoundingClientRect().top - 6)")
        save(page, REPORT, page.locator("h2").all_inner_texts())
        page.goto((out / f"students/{WHOSE}.html").as_uri())
        save(page, STUDENT, page.locator("h3").all_inner_texts())
        browser.close()


def save(page, path: Path, shown: Iterable[str], whole: bool = False) -> None:
    """Save the visible part of a page, or the whole page. Each text in `shown` becomes one line of the PNG's Description."""
    words = PngInfo()
    words.add_itxt("Description", "\n".join(" ".join(text.split()) for text in shown))  # headings may be multi-line
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder, "page.png")
        page.screenshot(path=raw, full_page=whole)
        with Image.open(raw) as picture:
            reduced = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
            reduced.save(path, pnginfo=words, optimize=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        grade(Path(folder, "out"))
        take(Path(folder, "out"))
