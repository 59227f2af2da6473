"""Run only the autograder's tests on a class: `python same_tests.py LAB CLASS SCORES.json`. A lower bound on grading time.

One process reads the submissions one after another. It runs their definitions with `exec`, and all tests in one pytest session, as
labkit's workers do. Nothing is forked, isolated or sent between processes, and no pages are written.
"""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

os.environ["MPLBACKEND"] = "agg"

import pytest
from classroom import ROOT

from labkit.grade.judge.assemble import reference_cells
from labkit.grade.judge.in_kernel import InKernelRun
from labkit.grade.judge.judge import Judging
from labkit.grade.judge.plugin import run_pytest
from labkit.student.model import project


class SameTests(Judging):
    """Runs one lab's tests on the answers, in this process."""

    def __init__(self, lab: str, paths: list[Path]):
        super().__init__(project.current(), (), lambda _: None, io.StringIO())
        self.lab, self.paths = self.project.course.labs[lab], paths
        self.passed: dict[str, list[bool]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.session = session
        cells = [cell for cell in reference_cells(self.project, self.lab) if cell.cell_type == "code" and cell.source]
        for path in self.paths:
            answers = {cell["id"]: "".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]}
            names: dict[str, object] = {"__name__": "__main__"}
            for cell in cells:
                exec(answers[cell.id] if cell.metadata["labkit"]["exercise"] else cell.source, names)
            self.outcomes = self.passed.setdefault(path.parent.name, [])
            self._test(InKernelRun(self.project, self.lab, names))
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]):
        report = yield
        if call.when == "call":
            self.outcomes.append(report.passed)
        return report


def main() -> None:
    lab, folder, scores = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    project.use(ROOT)
    floor = SameTests(lab, sorted(folder.glob("*/*.ipynb")))
    run_pytest(project.current(), io.StringIO(), (), floor)
    scores.write_text(json.dumps(floor.passed), "utf-8")


if __name__ == "__main__":
    main()
