"""Take a screenshot of the page for grading written answers, in Chromium. Run: python docs/reading_picture.py

The words in the picture are stored as the PNG's Description, so that a test can compare them with the current page.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from result_pictures import save

from labkit.desk.people import manual
from labkit.desk.people.manual import Mark, digest_of
from labkit.desk.reading.written import Answer, ReadingDesk, question_of, rubric_of
from labkit.student.model import project

READING = Path(__file__).parents[1] / "grader/docs/reading_page.png"
LAB, EXERCISE = "01_build_the_table", "why_pairs"
EARLIER = "Sine and cosine go up and down together."
ANSWER = r"""With one frequency the pair is a point on a circle, and a step of $\delta$ is a **rotation**:

$$\begin{pmatrix}\sin\omega(p+\delta)\\ \cos\omega(p+\delta)\end{pmatrix} = R_{\delta\omega}\begin{pmatrix}\sin\omega p\\ \cos\omega p\end{pmatrix}$$

It is the same for every `p`."""
SIZE = {"width": 1280, "height": 880}


def shown() -> str:
    """The text that the page must show: the question, the rubric and the answer."""
    course = project.current()
    return "\n".join([question_of(course, LAB, EXERCISE), rubric_of(course, LAB, EXERCISE).text, ANSWER])


def drawn(path: Path) -> str:
    """The text shown in this picture."""
    with Image.open(path) as picture:
        return picture.text.get("Description", "")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a page with two answers, one of them graded, and yield its address."""
    from labkit.desk.reading.regrades import RegradeDesk
    from labkit.desk.reading.server import ReadingServer

    course, path = project.current(), folder / manual.NAME
    texts = {"student-1": EARLIER, "student-2": ANSWER, "student-3": ANSWER}
    (folder / "results.json").write_text("[]")
    given = {("student-1", LAB, EXERCISE): Mark(0, "What is lost otherwise?", answer=digest_of(EARLIER))}
    manual.change(course.course, path, given)
    answers = [
        Answer(LAB, EXERCISE, digest_of(text), text, tuple(who for who, own in texts.items() if own == text))
        for text in (EARLIER, ANSWER)
    ]
    with ReadingServer(ReadingDesk(course, answers, path), RegradeDesk(course, folder)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server.address
        finally:
            server.shutdown()
            thread.join(60)


def take(path: Path) -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE)
        page.goto(address)
        page.wait_for_selector("#items button")
        page.keyboard.press("1")
        page.get_by_text("Saved for").wait_for()
        save(page, path, shown().splitlines(), whole=True)
        browser.close()


if __name__ == "__main__":
    take(READING)
