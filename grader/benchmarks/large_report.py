"""Measure how fast Chromium shows report.html of a large class. Run: python grader/benchmarks/large_report.py [STUDENTS]

The class has made-up results; no notebook is graded. Every student has submitted all labs. No two answers have the same text, and 30%
have a mistake. Times are measured from navigation, or from a click, to the end of layout. The script also prints the processor time of
the page's main thread, which does not depend on other load on the machine.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from classroom import ROOT, read
from playwright.sync_api import Browser, sync_playwright

from labkit.desk.pages.report import Report
from labkit.desk.people.final_score import FinalScore, Person
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.points import points_by_check
from labkit.grade.judge.results import Check, Result
from labkit.student.judging.finding import Finding
from labkit.student.model import project
from labkit.student.notebook.expected import known_mistakes

ROUNDS = 5
WRONG, ODD = 0.3, 0.05  # fractions of answers with a mistake, and of late submissions
SETTLED = "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"
CLICK = f"""async (selector) => {{
  const start = performance.now();
  document.querySelector(selector).click();
  return await {SETTLED} - start;
}}"""
CLICKS = {
    "sort the students": "#students thead th button",
    "sort them by points": "#students thead th:nth-child(2) button",
    "sort the mistakes": "#mistakes thead th button",
    "open a mistake": "#mistakes .panel summary",
}


def class_of(size: int) -> Iterator[FinalScore]:
    here, drawn = project.current(), random.Random(1)
    for number in range(size):
        person = Person(f"student-{number:05}", f"Given{number} Family", f"{number}@example.org", f"S{number % 8}")
        for lab in here.course.labs.values():
            checks, code = [], {}
            stated = {exercise: name for name, (_, exercise) in points_by_check(here, lab.name).items()}
            for each in lab.exercises:
                if each.written or each.name not in stated:
                    continue
                code[each.name] = f"# {drawn.random()}\n{SOLVED[each.name]}"
                mistakes = [*MISTAKES[each.name]] if drawn.random() < WRONG else []
                found = (Finding(drawn.choice(mistakes), {}, named=True),) if mistakes else ()
                outcome = "failed" if mistakes else "passed"
                checks.append(Check(each.name, stated[each.name], outcome, found))
            submission = Submission(person.id, lab.name, file=f"{person.id}/{lab.name}.ipynb")
            result = Result.of(here, submission, "graded", checks=tuple(checks), code=code)
            late = {"penalty": 1.0, "why_late": "1 day late"} if drawn.random() < ODD else {}
            yield FinalScore(result, person, **late)


def sources() -> dict[str, str]:
    cells = [
        cell for path in sorted((ROOT / "solutions").glob("*.ipynb")) for cell in read("solutions", path.stem)["cells"]
    ]
    named = ((cell["metadata"].get("labkit", {}).get("exercise"), "".join(cell["source"])) for cell in cells)
    return {name: source for name, source in named if name}


class Watched:
    """A page that records the time of each step: elapsed milliseconds, and its main thread's processor milliseconds."""

    def __init__(self, browser: Browser):
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        self._metrics = self.page.context.new_cdp_session(self.page)
        self._metrics.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.times: dict[str, list[tuple[float, float]]] = {}

    def open(self, path: Path) -> None:
        self.page.goto("about:blank")
        before = self._used()
        self.page.goto(path.as_uri())
        self._note("open", self.page.evaluate(SETTLED), before)

    def click(self, what: str, selector: str) -> None:
        before = self._used()
        self._note(what, self.page.evaluate(CLICK, selector), before)

    def _used(self) -> float:
        metrics = self._metrics.send("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    def _note(self, what: str, wall: float, before: float) -> None:
        after = self._used()
        self.times.setdefault(what, []).append((wall, after - before if after >= before else after))

    def lines(self) -> Iterator[str]:
        for what, found in self.times.items():
            walls, used = zip(*found)
            yield f"  {what}: median {statistics.median(walls):.0f} ms, processor time {statistics.median(used):.0f} ms"


def main(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        started = time.process_time()
        report = Report(project.current(), Path(folder), {})
        scores = [*class_of(size)]
        made = time.process_time()
        for each in scores:
            report.add(each)
        path = report.finish()
        print(
            f"{size:,} students: {path.stat().st_size / 2**20:.1f} MiB, written in {time.process_time() - made:.1f} s of"
        )
        print(f"  processor time ({len(scores):,} submissions; making them up took {made - started:.1f} s)")
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        watched = Watched(browser)
        for _ in range(ROUNDS):
            watched.open(path)
            for what, selector in CLICKS.items():
                watched.click(what, selector)
        browser.close()
    print("\n".join(watched.lines()))


if __name__ == "__main__":
    SOLVED = sources()
    MISTAKES = {name: known_mistakes(project.current(), name) for name in project.current().course.exercises}
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
