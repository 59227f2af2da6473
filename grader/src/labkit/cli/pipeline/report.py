"""Write the reports: compute each final score once, and pass it to everything that shows or stores it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from labkit.cli.pipeline.grade import Graded
from labkit.cli.pipeline.options import Options
from labkit.desk.pages.gradebook import write_reports
from labkit.desk.pages.report import Report
from labkit.desk.pages.students import StudentPages
from labkit.desk.pages.terminal import Summary, show_changes, show_outdated
from labkit.desk.people import score_store
from labkit.desk.people.desk import Desk
from labkit.desk.people.final_score import FinalScore
from labkit.grade.batch import again, shard
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


def report(final_scores: Iterable[FinalScore], graded: Graded, desk: Desk, given: Options) -> None:
    """Write each report atomically, and print what changed and what was written."""
    results = graded.results
    summary = Summary(len(results), desk.strangers, len(desk.adjusted), desk.notes)
    try:
        with StudentPages(desk.project, given.out, desk.comments, results.target) as students:
            pages = Pages(students, Report(desk.project, given.out, desk.lecture, results.of))
            files = _write(final_scores, graded, desk, given, summary, pages)
    except OSError as error:
        raise MachineFailed(
            f"{given.out}: results cannot be written here ({error.strerror}); free some space and run this again; "
            "submissions that are already graded are not run again"
        ) from None
    summary.show(files)
    if failed := summary.not_judged() or pages.failed:
        raise MachineFailed(failed)


def _write(
    final_scores: Iterable[FinalScore], graded: Graded, desk: Desk, given: Options, summary: Summary, pages: Pages
) -> list[Path]:
    """Write all files of a run. Returns the files that an instructor opens. Errors: OSError."""
    out, rows = given.out, []
    collectors = (lambda each: rows.append(each.without_texts()), summary.add, pages.add)
    groups = bool(desk.roster and desk.roster.groups)
    further = {"with_people": desk.roster is not None, "with_groups": groups, "with_adjustments": bool(desk.adjusted)}
    files = write_reports(desk.project.course, final_scores, out, *collectors, **further)
    if (changes := desk.changes(rows)) is not None:
        show_changes(changes, len(rows), all_of_them=False)
    files += pages.finish()
    keys = {(each.student, each.lab): key for each, key in graded.results.rows}
    run = score_store.Run(
        graded.seed,
        **desk.digests,
        same={**given.same(), "seed": graded.seed},
        labs=again.lab_digests(desk.project, graded.results.rows),
        shard=shard.record(given.part, graded.facts, given.as_json()) if given.part and not summary.reasons else None,
    )
    score_store.write(out, run, rows, keys)
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
