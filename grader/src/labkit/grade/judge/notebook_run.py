"""Run an assembled notebook with nbval, to find the cells that fail.

Outputs are not compared: only the outputs of checks matter, and the grader computes those itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from labkit.grade.judge.run import Run
from labkit.grade.kernel.nbval_bridge import IPyNbCell, IPyNbFile, find_comment_markers, find_metadata_tags


class NotebookRun(IPyNbFile):  # type: ignore[misc]  # nbval publishes no types
    """A submission's notebook in its own kernel, which stays open for the tests."""

    def __init__(self, *, run: Run, **node: object):
        super().__init__(**node)
        self.run = run

    @classmethod
    def of(cls, run: Run, session: pytest.Session) -> NotebookRun:
        path = Path(f"{run.assembled.lab.name}.ipynb")
        made: NotebookRun = cls.from_parent(session, run=run, path=path, nodeid="notebook")
        return made

    def failures(self) -> Iterator[tuple[IPyNbCell, Exception]]:
        """Run the cells in order. Yields each cell that failed, with nbval's error.

        After a cell that hung or ended the kernel, the remaining cells are skipped, and answers are called in another kernel.
        """
        self.setup()
        for cell in self.collect():
            try:
                cell.runtest()
            except pytest.skip.Exception:
                pass
            except Exception as error:
                yield cell, error
            if self.timed_out or not self.kernel.is_alive():
                self.run.close()
                return

    def setup(self) -> None:
        self.kernel = self.run.open_kernel()

    def collect(self) -> Iterator[IPyNbCell]:
        """Collect cells as nbval does, but from memory, because the notebook is not in a file."""
        for number, cell in enumerate(self.run.assembled.judged_cells()):
            marked = {**dict(find_metadata_tags(cell.metadata)), **dict(find_comment_markers(cell.source))}
            options = defaultdict(bool, {**marked, "check": False})
            yield IPyNbCell.from_parent(self, name=f"Cell {number}", cell_num=number, cell=cell, options=options)
