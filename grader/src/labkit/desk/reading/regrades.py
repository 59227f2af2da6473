"""The queue of regrade requests. The instructor answers each with points and a reason, which become a row of adjustments.csv.

An answer is written to adjustments.csv first, then to answered.csv, which closes the request. After a crash in between, the request
is still open; giving the same answer again does not add a second row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from labkit.desk.pages.highlight import runs
from labkit.desk.people import manual, score_store
from labkit.desk.reading import answered
from labkit.desk.reading.adjusting import Adjusting, key_of
from labkit.desk.reading.answered import Answered
from labkit.desk.reading.markup import tree_of
from labkit.desk.reading.question import question_of
from labkit.desk.reading.requests import Request, exercises_of, read
from labkit.grade.batch.kept_code import KeptCode
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import clean, in_points, legible

LONGEST = 10_000  # characters of a reason
TOO_MANY = 1e9  # points; a huge integer would not fit into a float


class RegradeDesk:
    """The regrade requests of a class and their answers, in answered.csv and adjustments.csv."""

    def __init__(self, project: Project, out: Path, results: Iterable[Mapping[str, Any]] | None = None):
        """`results` has the rows of results.json. Errors: UserError, for example if adjustments.csv is unreadable."""
        self.project, self.path, self._changing = project, out / answered.NAME, Lock()
        results = score_store.results_in(out) if results is None else results
        self._rows = {(row["student"], row["lab"]): row for row in results if row["lab"] in project.course.labs}
        known = [key for key in exercises_of(self._rows.values()) if key[2] in project.course.exercises]
        self.all = read(out, known)
        self._by_id = {each.id: each for each in self.all.found}
        self.answered = answered.read(self.path)
        if self.all.found:
            self._code, self._adjusting = KeptCode(out), Adjusting(project, out, self._rows)
            self._adjusting.rows()

    def open(self) -> list[Request]:
        """Requests without an answer."""
        return [each for each in self.all.found if each.id not in self.answered]

    def requests(self) -> dict[str, Any]:
        """List all requests, open ones first, and a line for each message that matches no exercise."""
        order = sorted(self.all.found, key=lambda each: each.id in self.answered)
        return {"requests": [self._shown(each) for each in order], "unmatched": list(self.all.unmatched)}

    def _shown(self, request: Request) -> dict[str, Any]:
        lab, exercise, row = request.lab, request.exercise, self._rows[request.student, request.lab]
        given = self.answered.get(request.id)
        return {
            "id": request.id,
            "student": legible(request.student),
            "lab": lab,
            "exercise": exercise,
            "question": tree_of(question_of(self.project, lab, exercise)) if exercise else [],
            "answers": [each for each in self._answers(request, row["written"]) if exercise in ("", each["exercise"])],
            "checks": [_check_line(each) for each in row["checks"] if exercise in ("", each["exercise"])],
            "message": legible(request.message),
            "where": legible(request.where),
            "check": f"Check that {legible(request.student)} sent this message: anyone can compute a classmate's reference.",
            "points": self._adjusting.points(request.key, self._adjusting.rows()),
            "most": self._adjusting.most(request.key),
            "answered": given and {"points": given.after, "reason": legible(given.reason)},
        }

    def _answers(self, request: Request, written: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """Yield the student's answers by exercise: highlighted code, and text as Markdown."""
        for name, source in self._code.of(request.student, request.lab).items():
            pieces = [["span", {"class": kind}, text] if kind else text for kind, text in runs(source)]
            yield {"exercise": name, "nodes": [["pre", {}, *pieces]]}
        for name, text in written.items():
            if text.strip():
                yield {"exercise": name, "nodes": tree_of(text, breaks=True)}

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a request with points, changed or not, and a reason. Errors: UserError, OSError."""
        match asked:
            case {"request": str(id), "points": int() | float() as points, "reason": str(reason)} if (
                not isinstance(points, bool) and 0 <= points < TOO_MANY and 0 < len(reason.strip()) <= LONGEST
            ):
                after, reason = float(points), clean(reason.strip())
            case _:
                raise UserError("an answer needs points, 0 or more, and a reason")
        if not (request := self._by_id.get(id)):
            raise UserError("there is no such request")
        with self._changing, manual.alone(self._adjusting.path, self.path):
            given = answered.read(self.path)
            rows = self._adjusting.rows()
            if earlier := given.pop(id, None):  # the new answer replaces the earlier one
                rows = [each for each in rows if key_of(each[1]) != request.key or each[1]["reason"] != earlier.reason]
            before = self._adjusting.points(request.key, rows)
            self._adjusting.write(self._adjusting.changed(request.key, rows, after, reason))
            self.answered = given | {id: Answered(request.key, before, after, reason)}
            answered.write(self.path, self.answered)
        return {"points": after, "reason": reason}


def _check_line(check: Mapping[str, Any]) -> str:
    """Describe a check in one line: "midrange · as in the lab: failed, 0 of 2. Your …"."""
    name = legible(check["name"].replace("_", " "))
    worth = f", {in_points(check['points'])} of {in_points(check['max_points'])}" if check["max_points"] else ""
    message = f": {legible(check['message'])}" if check["message"] else ""
    return f"{legible(check['exercise'])} · {name} · {check['outcome']}{worth}{message}"
