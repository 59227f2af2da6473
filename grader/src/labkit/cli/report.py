"""Write the reports: compute each final score once, and pass it to everything that shows or stores it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from labkit.desk.pages.gradebook import BY_HAND, GROUP, PERSON, write_reports
from labkit.desk.pages.report import Report
from labkit.desk.pages.students import StudentPages
from labkit.desk.pages.terminal import Summary, show_changes, show_outdated
from labkit.desk.people import score_store
from labkit.desk.people.desk import Desk
from labkit.desk.people.final_score import FinalScore
from labkit.grade.batch.grade import Results
from labkit.grade.judge.results import NOT_JUDGED
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.text import in_a_line


def report_changes(final_scores: Iterable[FinalScore], desk: Desk) -> None:
    """Print which final scores would change, and write nothing."""
    rows = [each.without_texts() for each in final_scores]
    show_changes(desk.changes(rows), len(rows), all_of_them=True)
    show_outdated(rows)
    if any(each.result.status == NOT_JUDGED for each in rows):
        raise MachineFailed("some submissions could not be graded and have no result yet; run the same command again")


def report(
    final_scores: Iterable[FinalScore], results: Results, record: score_store.Run, desk: Desk, out: Path
) -> None:
    """Write each report atomically, and print what changed and what was written."""
    summary = Summary(len(results), desk.strangers, sum(map(len, desk.adjusted.values())), desk.notes)
    try:
        with StudentPages(desk.project, out, desk.comments, results.target) as students:
            pages = Pages(students, Report(desk.project, out, desk.lecture, results.of))
            files = _write(final_scores, results, record, desk, out, summary, pages)
    except OSError as error:
        raise MachineFailed(
            f"{out}: results cannot be written here ({error.strerror}); free some space and run this again; "
            "submissions that are already graded are not run again"
        ) from None
    summary.show(files)
    if failed := summary.not_judged() or pages.failed:
        raise MachineFailed(failed)


def _write(
    final_scores: Iterable[FinalScore],
    results: Results,
    record: score_store.Run,
    desk: Desk,
    out: Path,
    summary: Summary,
    pages: Pages,
) -> list[Path]:
    """Write all files of a run. Returns the files that an instructor opens. Errors: OSError."""
    rows: list[FinalScore] = []
    collectors = (lambda each: rows.append(each.without_texts()), summary.add, pages.add)
    groups = desk.roster and desk.roster.groups
    parts = (desk.roster, PERSON), (groups, GROUP), (desk.adjusted, BY_HAND)
    further = [columns for wanted, columns in parts if wanted]
    files = write_reports(desk.project.course, final_scores, out, *collectors, further=further)
    if (changes := desk.changes(rows)) is not None:
        show_changes(changes, len(rows), all_of_them=False)
    files += pages.finish()
    keys = {(each.student, each.lab): key for each, key in results.rows}
    score_store.write(out, replace(record, shard=None) if summary.reasons else record, rows, keys)
    return files


class Pages:
    """The pages written next to the gradebook. If one cannot be made, the others are still written. Errors: OSError, such as a full disk."""

    def __init__(self, *pages: Report | StudentPages):
        self._pages = [*pages]
        self.failed = ""  # why a page could not be written

    def add(self, final_score: FinalScore) -> None:
        for page in [*self._pages]:
            self._safely(page, page.add, final_score)

    def finish(self) -> list[Path]:
        """Write the pages and return their paths."""
        made = [self._safely(page, page.finish) for page in [*self._pages]]
        return [path for path in made if path]

    def _safely(self, page: Report | StudentPages, step, *given) -> Path | None:
        try:
            return step(*given)
        except OSError:
            raise
        except Exception as error:
            self._pages.remove(page)
            self.failed = f"{page.what} could not be made ({in_a_line(error)}); please report this error. All other results were written"
