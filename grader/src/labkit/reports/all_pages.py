"""The pages beside the gradebook: when one cannot be made, that is said, and no result waits for it."""

from __future__ import annotations

from pathlib import Path

from labkit.desk.final_score import FinalScore
from labkit.model.text import in_a_line
from labkit.reports.report import Report
from labkit.reports.students import StudentPages


class Pages:
    """Hears every final score once. A fault of a page's own ends that page alone; a disk that is full is everybody's. Errors: OSError."""

    def __init__(self, report: Report, students: StudentPages):
        self._pages: list[Report | StudentPages] = [students, report]
        self.failed = ""  # what there is to say when one could not be made

    def hear(self, final_score: FinalScore) -> None:
        for page in [*self._pages]:
            self._safely(page, page.hear, final_score)

    def finish(self) -> list[Path]:
        """What was made."""
        made = [self._safely(page, page.finish) for page in [*self._pages]]
        return [path for path in made if path]

    def _safely(self, page: Report | StudentPages, step, *given) -> Path | None:
        try:
            return step(*given)
        except OSError:
            raise
        except Exception as error:
            self._pages.remove(page)
            self.failed = (
                f"{page.what} could not be made, please report this: {in_a_line(error)}; the results are written"
            )
