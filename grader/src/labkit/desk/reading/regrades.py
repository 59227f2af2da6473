"""Answer regrade requests, which are rows of requests.csv. The points and the reason become a row of adjustments.csv.

A request names an exercise by its reference; a row can also name it by student, lab and exercise. A request's id is computed
from the exercise and the message, so it stays the same after a regrade, in merged shards, and if the request arrives twice.

An answer is written to adjustments.csv first, then to answered.csv, which closes the request. After a crash in between, the request
is still open; giving the same answer again does not add a second row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

from labkit.desk.pages.render import runs
from labkit.desk.people import adjustments, manual, score_store
from labkit.desk.people.adjustments import Rows, reference_of, references_in
from labkit.desk.people.manual import Key
from labkit.desk.people.sheets import columns_of, number_in, read_sheet, write_rows
from labkit.desk.reading.markup import tree_of
from labkit.desk.reading.written import LONGEST, is_amount, question_of
from labkit.grade.batch.store import FactStore
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import clean, for_a_cell, in_points, legible, printable, shortened

SHEET, ANSWERED = "requests.csv", "answered.csv"
COLUMNS = ("request", "student", "lab", "exercise", "before", "after", "reason")  # of answered.csv
LONGEST_MESSAGE = 20_000  # characters
SMALL = 1e-9  # points; smaller differences are rounding errors


@dataclass(frozen=True)
class Request:
    """A student's request about one exercise, or about a whole lab if `exercise` is empty."""

    student: str
    lab: str
    exercise: str
    message: str
    where: str  # "requests.csv, line 3"
    sender: str = ""  # the student in the row, if it has a reference too

    @property
    def key(self) -> Key:
        return self.student, self.lab, self.exercise

    @property
    def id(self) -> str:
        text = "\0".join((*self.key, " ".join(self.message.split())))
        return "r" + hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:15]


@dataclass(frozen=True)
class Answered:
    """The answer to a request: what it is about (student, lab, exercise), the points before and after, and the reason."""

    key: Key
    before: float
    after: float
    reason: str


class RegradeDesk:
    """The regrade requests of a class, those `unmatched` with any exercise, and the answers in answered.csv and adjustments.csv."""

    def __init__(self, project: Project, out: Path, results: Iterable[Mapping[str, Any]] | None = None):
        """`results` has the rows of results.json. Errors: UserError, for example if adjustments.csv is unreadable."""
        self.project, self.path, self._changing = project, out / ANSWERED, Lock()
        self._adjustments, self._manual = out / adjustments.NAME, out / manual.NAME
        results = score_store.results_in(out) if results is None else results
        self._rows = {(row["student"], row["lab"]): row for row in results if row["lab"] in project.course.labs}
        known = [(*row, check["exercise"]) for row, result in self._rows.items() for check in result["checks"]]
        self.all: dict[str, Request] = {}  # by id
        self.unmatched: list[str] = []
        for each in requests_in(out / SHEET, {key for key in known if key[2] in project.course.exercises}):
            if isinstance(each, str):
                self.unmatched.append(each)
            else:
                self.all.setdefault(each.id, each)
        self.answered = answered_in(self.path)
        if self.all:
            self._facts, self._kept = FactStore(project, out), score_store.kept(out)
            self._finals = {(each.student, each.lab): each for each in self._kept.final_scores}
            adjustments.rows_in(self._adjustments)

    def open(self) -> list[Request]:
        """Requests without an answer."""
        return [each for each in self.all.values() if each.id not in self.answered]

    def requests(self) -> dict[str, Any]:
        """List all requests, open ones first, and a line for each message that matches no exercise."""
        order = sorted(self.all.values(), key=lambda each: each.id in self.answered)
        return {"requests": [self._shown(each) for each in order], "unmatched": self.unmatched}

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
            "check": self._sender_line(request),
            "points": self._points(request.key, adjustments.rows_in(self._adjustments)),
            "most": self._most(request.key),
            "answered": given and {"points": given.after, "reason": legible(given.reason)},
        }

    def _sender_line(self, request: Request) -> str:
        """Say that someone else sent the request, or that the sender is unknown; empty if the student sent it."""
        student, sender = legible(request.student), legible(request.sender)
        people = (row.person for row in self._kept.final_scores if row.student == request.student and row.person)
        names = {request.student.casefold(), *(name.casefold() for each in people for name in (each.id, each.email))}
        if not sender:
            return f"Check that {student} sent this message: anyone can compute a classmate's reference."
        if sender.casefold() in names:
            return ""
        return f"This message is from {sender}, but quotes a reference of {student}."

    def _answers(self, request: Request, written: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """Yield the student's answers by exercise: highlighted code, and text as Markdown."""
        key = self._kept.keys.get((request.student, request.lab), "")
        for name, source in self._facts.code(key).items():
            pieces = [["span", {"class": kind}, text] if kind else text for kind, text in runs(source)]
            yield {"exercise": name, "nodes": [["pre", {}, *pieces]]}
        for name, text in written.items():
            if text.strip():
                yield {"exercise": name, "nodes": tree_of(text, breaks=True, pictures=self._facts.attached(key))}

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a request with points, changed or not, and a reason. Errors: UserError, OSError."""
        match asked:
            case {"request": str(id), "points": points, "reason": str(reason)} if (
                is_amount(points) and 0 < len(reason.strip()) <= LONGEST
            ):
                after, reason = float(points), clean(reason.strip())
            case _:
                raise UserError("an answer needs points, 0 or more, and a reason")
        if not (request := self.all.get(id)):
            raise UserError("there is no such request")
        with self._changing, manual.alone(self._adjustments, self.path):
            given = answered_in(self.path)
            rows = adjustments.rows_in(self._adjustments)
            if earlier := given.pop(id, None):  # the new answer replaces the earlier one
                rows = [each for each in rows if key_of(each[1]) != request.key or each[1]["reason"] != earlier.reason]
            before = self._points(request.key, rows)
            rows = self._changed(request.key, rows, after, reason)
            adjustments.made_by(self.project, rows)
            adjustments.write(self._adjustments, [row for _, row in rows])
            self.answered = given | {id: Answered(request.key, before, after, reason)}
            write_answered(self.path, self.answered)
        return {"points": after, "reason": reason}

    def _most(self, key: Key) -> float:
        """The maximum points for the exercise, or for the whole lab."""
        lab = self.project.course.labs[key[1]]
        return adjustments.most(self.project, lab, manual.exercise_named("", lab, key[2]) if key[2] else None)

    def _points(self, key: Key, rows: Rows) -> float:
        """The points for an exercise or a lab with the current manual.csv, after the adjustments in these rows."""
        last = self._finals[key[:2]]
        result = replace(last.result, written=self._rows[key[:2]]["written"])
        readings = manual.readings_of(result, manual.read(self.project.course, self._manual))
        made = adjustments.made_by(self.project, [each for each in rows if key_of(each[1])[:2] == key[:2]])
        given = adjustments.given_to(self.project.course, result, made)
        now = replace(last, result=result, readings=readings, given=given)
        return now.points(key[2]) if key[2] else now.final or 0.0

    def _changed(self, key: Key, rows: Rows, after: float, reason: str) -> Rows:
        """Return the rows with a new one that changes the points to `after`. It replaces any row that already sets these points."""
        row = dict(zip(adjustments.COLUMNS, (*key, "", "", reason)))
        if abs(after - self._points(key, rows)) < SMALL:
            row["add"] = "0"  # the points stay the same; the row only gives a reason
        else:  # `set` applies before the other rows' `add`
            rows = [each for each in rows if key_of(each[1]) != key or not each[1]["set"].strip()]
            own = adjustments.made_by(self.project, [each for each in rows if key_of(each[1]) == key])
            row["set"] = in_points(after - sum(each.add for each in own.get(key[:2], ())))
        steps = self._finals[key[:2]].adjusted(key[2])
        # The code that confirms a decision, if the last grading found that it was made for an earlier attempt.
        if code := next((each.confirm for each in steps if each.reason == reason and each.confirm), ""):
            row[adjustments.ANSWER] = code
        return [*(each for each in rows if not _same(each[1], row)), ("this answer", row)]


def _check_line(check: Mapping[str, Any]) -> str:
    """Describe a check in one line: "midrange · as in the lab: failed, 0 of 2. Your …"."""
    name = legible(check["name"].replace("_", " "))
    worth = f", {in_points(check['points'])} of {in_points(check['max_points'])}" if check["max_points"] else ""
    message = f": {legible(check['message'])}" if check["message"] else ""
    return f"{legible(check['exercise'])} · {name} · {check['outcome']}{worth}{message}"


def requests_in(path: Path, known: Set[Key]) -> Iterator[Request | str]:
    """Yield the requests about the `known` exercises, and a line for each message that matches none.

    Errors: UserError if the file lacks a needed column.
    """
    if not path.exists():
        return
    by_name = {"student", "lab", "exercise"} <= {*columns_of(path)}
    if not by_name and "reference" not in columns_of(path):
        raise UserError(
            f"{path.name}, line 1: the header needs message, and either reference or student, lab and exercise"
        )
    labs = {each[:2] for each in known}
    by_reference: dict[str, list[Key]] = {}
    for each in sorted(known):
        by_reference.setdefault(reference_of(*each), []).append(each)
    for where, row in read_sheet(path, ("message",), once=("message", "reference", "student", "lab", "exercise")):
        message = row["message"].strip()[:LONGEST_MESSAGE]
        student, lab, exercise = key = [row.get(name, "").strip() for name in ("student", "lab", "exercise")]
        if row.get("reference", "").strip():
            found = _referring(row["reference"], message, where, by_reference)
            yield from (each if isinstance(each, str) else replace(each, sender=student) for each in found)
            continue
        if (student, lab, exercise) in known or (not exercise and (student, lab) in labs):
            yield Request(student, lab, exercise, message, where)
        else:
            named_exercise = ", ".join(printable(shortened(name, 60)) or "–" for name in key)
            yield f"{where}: no such exercise in the results: {named_exercise}"


def _referring(text: str, message: str, where: str, of: Mapping[str, Sequence[Key]]) -> Iterator[Request | str]:
    """Make a request for each exercise whose reference is in the text."""
    named = references_in(text)
    matched = [reference for reference in named if reference in of]
    for reference in matched:
        if len(of[reference]) == 1:
            yield Request(*of[reference][0], message, where)
        else:
            yield f"{where}: several exercises have the reference {reference}; name the student, lab and exercise in {SHEET} instead"
    if not matched:
        reason = f"no exercise has the reference {named[0]}" if named else "it has no reference"
        yield f"{where}: {reason}"


def answered_in(path: Path) -> dict[str, Answered]:
    """Read the answers by request id; empty if there is no file. Errors: UserError."""
    found: dict[str, Answered] = {}
    for where, row in read_sheet(path, COLUMNS) if path.exists() else ():
        key = row["student"], row["lab"], row["exercise"]
        before, after = (number_in(where, row[name]) for name in ("before", "after"))
        found[row["request"]] = Answered(key, before, after, row["reason"])
    return found


def write_answered(path: Path, answered: Mapping[str, Answered]) -> None:
    """Write all answers atomically. Errors: OSError."""
    rows = (
        (id, *each.key, in_points(each.before), in_points(each.after), each.reason) for id, each in answered.items()
    )
    write_rows(path, COLUMNS, (map(for_a_cell, row) for row in rows))


def key_of(row: Mapping[str, str]) -> Key:
    return row["student"], row["lab"].strip(), row["exercise"].strip()


def _same(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(one.get(name, "").strip() == other[name].strip() for name in adjustments.COLUMNS)
