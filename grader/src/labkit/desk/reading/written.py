"""Grade written answers: each distinct answer once, on the page or in a spreadsheet. Points go to manual.csv.

The page saves points as soon as they are given. A spreadsheet has a row for each ungraded answer, and its points are read back.
Both show the exercise's question, from the lab's notebook, and its rubric, from the solution, which students do not get.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, TypeGuard, cast

from labkit.desk.people import manual, score_store
from labkit.desk.people.final_score import Mark
from labkit.desk.people.manual import DECISION, Key, Marks, counts_for, digest_of, of_latest_answers, of_reader
from labkit.desk.people.sheets import number_in, read_sheet
from labkit.desk.reading.markup import Node, inline_of, tree_of
from labkit.grade.batch.store import FactStore, whole
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import clean, for_a_cell, legible, printable

LONGEST = 10_000  # characters of a comment or reason
AT_ONCE = 50  # answers per reply
TOO_MANY = 1e9  # points; a huge integer would not fit into a float
COLUMNS = ("answer", "lab", "exercise", "students", "of", "points", "comment", "text", "rubric")  # of a spreadsheet
ATTACHED = "(attachment:"  # before the name of a picture in the text of an answer
HINTS = re.compile(r"<details>.*?</details>", re.DOTALL | re.IGNORECASE)
ITEM = re.compile(r"(?<![\w.,])(\d+(?:[.,]\d+)?) (?:points?|puntos?):\s*")
LONGEST_CELL = 30_000  # characters; a spreadsheet allows slightly more


@dataclass(frozen=True)
class Answer:
    """One answer to an exercise. Neither its id nor its position reveals the student."""

    lab: str
    exercise: str
    id: str
    text: str
    students: tuple[str, ...]

    def keys(self) -> list[Key]:
        return [(student, self.lab, self.exercise) for student in self.students]

    def given(self, marks: Mapping[Key, Mark]) -> Mark | None:
        """The mark for the answer. Returns None while any student who gave it is ungraded."""
        found = [marks.get(key) for key in self.keys()]
        return found[0] if all(each and counts_for(each, self.text) for each in found) else None

    def by_readers(self, given: Mapping[Key, Mapping[str, Mark]]) -> dict[str, Mark]:
        """Each reader's mark for this text, by the reader's name."""
        found: dict[str, Mark] = {}
        for key in self.keys():
            found |= {reader: each for reader, each in given.get(key, {}).items() if counts_for(each, self.text)}
        return found


def answers_in(course: Course, rows: Iterable[Mapping[str, Any]]) -> list[Answer]:
    """Find the answers in results.json that need manual grading, sorted by lab and exercise in course order, then by id."""
    found: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for row in rows:
        for exercise in {check["exercise"] for check in row["checks"] if check["outcome"] == "manual"}:
            text = row["written"].get(exercise, "")
            found.setdefault((row["lab"], exercise, digest_of(text)), []).append((row["student"], text))
    place = {name: number for number, name in enumerate(course.exercises)}
    answers = [
        Answer(lab, exercise, id, several[0][1], tuple(student for student, _ in several))
        for (lab, exercise, id), several in found.items()
        if exercise in place
    ]
    return sorted(answers, key=lambda each: (place[each.exercise], each.id))


class ReadingDesk:
    """The answers of a class, and manual.csv.

    A named reader does not see other readers' points. Without a name, the page shows every reader's points and those that count.
    """

    def __init__(self, project: Project, answers: Iterable[Answer], path: Path, reader: str = DECISION):
        self.project, self.path, self.reader, self._changing = project, path, reader, Lock()
        self.answers = {(answer.exercise, answer.id): answer for answer in answers}
        self._hear(manual.read_all(project.course, path))
        pasted = any(ATTACHED in each.text for each in self.answers.values())
        kept = score_store.earlier(path.parent) if pasted else None
        self._keys: Mapping[tuple[str, str], str] = kept.keys if kept else {}
        self._facts = FactStore(project, path.parent) if kept else None
        self._done: list[tuple[Answer, dict[Key, Mark | None]]] = []  # for undo, with the previous marks

    def _hear(self, marks: Marks) -> None:
        self.given = of_reader(marks, self.reader)
        self._by_reader = of_latest_answers(marks) if self.reader == DECISION else {}

    def exercises(self) -> list[dict[str, Any]]:
        """List all exercises, each with its question, its rubric, and its answers without their text."""
        names = dict.fromkeys(exercise for exercise, _ in self.answers)
        return [self._exercise(name) for name in names]

    def _exercise(self, name: str) -> dict[str, Any]:
        course = self.project.course
        lab, asked = course.lab_of(name), course.exercises[name]
        rubric = rubric_of(self.project, lab, name)
        whole_points = [] if rubric.items else range(1, int(asked.points) + 1)
        return {
            "lab": lab,
            "exercise": name,
            "reader": legible(self.reader),
            "most": asked.points,
            "question": tree_of(question_of(self.project, lab, name)),
            "rubric": tree_of(rubric.text),
            "items": [{"points": item.points, "text": inline_of(item.text)} for item in rubric.items],
            "steps": [{"points": points} for points in whole_points],
            "at_once": AT_ONCE,
            "answers": [self._shown(answer) for answer in self._of(name)],
        }

    def _of(self, exercise: str) -> Iterator[Answer]:
        return (answer for (name, _), answer in self.answers.items() if name == exercise)

    def texts(self, exercise: str, start: int = 0) -> dict[str, list[Node]]:
        """The texts of AT_ONCE answers by id, starting at number `start`. Rendering all answers of a large class would take seconds."""
        some = islice(self._of(exercise), start, start + AT_ONCE)
        return {answer.id: tree_of(answer.text, breaks=True, pictures=self._pictures(answer)) for answer in some}

    def _pictures(self, answer: Answer) -> Mapping[str, str]:
        if self._facts is None or ATTACHED not in answer.text:
            return {}
        return self._facts.attached(self._keys.get((answer.students[0], answer.lab), ""))

    def _shown(self, answer: Answer) -> dict[str, Any]:
        given = answer.given(self.given)
        shown = {"points": given.points, "comment": given.comment, "items": given.items} if given else None
        by = answer.by_readers(self._by_reader).items()
        readers = [{"reader": legible(name), "points": each.points} for name, each in by if name != DECISION]
        return {"id": answer.id, "students": len(answer.students), "given": shown, "readers": readers}

    def give(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Save points for an answer. Errors: UserError for invalid points, OSError if they cannot be saved."""
        match asked:
            case {
                "exercise": str(exercise),
                "answer": str(id),
                "points": points,
                "comment": str(comment),
                "items": str(items),
            } if is_amount(points) and len(comment) <= LONGEST and len(items) <= 100:
                given = Mark(float(points), clean(comment), clean(items), id)
            case _:
                raise UserError("this is not a valid grade")
        answer = self.answers.get((exercise, id))
        if answer is None:
            raise UserError("there is no such answer")
        manual.check_points(self.project.course, "here", answer.lab, exercise, given.points)
        with self._changing:
            before = manual.read_all(self.project.course, self.path)
            self._change(dict.fromkeys(answer.keys(), given))
            self._done.append((answer, {key: before.get((*key, self.reader)) for key in answer.keys()}))
        return {"students": len(answer.students)}

    def undo(self) -> dict[str, Any]:
        """Undo the last change. Returns the answer and its current mark, or nothing if there was no change.

        Errors: UserError, OSError.
        """
        with self._changing:
            if not self._done:
                return {}
            answer, before = self._done[-1]
            self._change(before)
            self._done.pop()
        return {"exercise": answer.exercise, **self._shown(answer)}

    def _change(self, changes: Mapping[Key, Mark | None]) -> None:
        self._hear(manual.change(self.project.course, self.path, changes, self.reader))

    def progress(self) -> tuple[int, int]:
        """Return how many distinct answers are graded, and how many there are."""
        read = sum(answer.given(self.given) is not None for answer in self.answers.values())
        return read, len(self.answers)


def is_amount(points: object) -> TypeGuard[float]:
    """Whether a page sent an amount of points: a number, which NaN and, in JSON, true are not."""
    return isinstance(points, int | float) and not isinstance(points, bool) and 0 <= points < TOO_MANY


def write_sheet(project: Project, path: Path, answers: Iterable[Answer], marks: Mapping[Key, Mark]) -> int:
    """Write the ungraded answers. Returns the number of rows. Errors: OSError."""
    waiting = [answer for answer in answers if answer.given(marks) is None]
    with whole(path) as file:
        file.write("\ufeff")  # tells spreadsheets that this is UTF-8
        rows = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC)
        rows.writerow(COLUMNS)
        for each in waiting:
            most, rubric = project.course.exercises[each.exercise].points, rubric_of(project, each.lab, each.exercise)
            facts = each.id, each.lab, each.exercise, len(each.students), most, "", ""
            rows.writerow([*facts, for_a_cell(_short(legible(each.text))), for_a_cell(rubric.text)])
    return len(waiting)


def _short(text: str) -> str:
    more = len(text) - LONGEST_CELL
    return f"{text[:LONGEST_CELL]}\n… and {more:,} more characters" if more > 0 else text


def taken_from(course: Course, path: Path, answers: Iterable[Answer]) -> dict[Key, Mark]:
    """Read the points for each answer, and give them to everyone who wrote it. Rows without points stay ungraded.

    Errors: UserError, with the line.
    """
    known = {(answer.lab, answer.exercise, answer.id): answer for answer in answers}
    taken: dict[Key, Mark] = {}
    for where, row in read_sheet(path, ("answer", "lab", "exercise", "points", "comment")):
        if not row["points"].strip():
            if row["comment"].strip():
                raise UserError(f"{where}: this row has a comment but no points; add points, which may be 0")
            continue
        lab, exercise, id = row["lab"].strip(), row["exercise"].strip(), row["answer"].strip()
        points = number_in(where, row["points"])
        manual.check_points(course, where, lab, exercise, points)
        if (lab, exercise, id) not in known:
            raise UserError(f"{where}: {exercise} has no current answer {printable(id)!r}; write the sheet again")
        for key in known[lab, exercise, id].keys():
            if key in taken:
                raise UserError(f"{where}: this answer occurs twice")
            taken[key] = Mark(points, row["comment"], answer=id)
    return taken


@dataclass(frozen=True)
class Item:
    """One condition in a rubric, and the points for meeting it."""

    points: float
    text: str


@dataclass(frozen=True)
class Rubric:
    """The rubric's text, and its items if each starts like "1 point: …". Without items, the page offers whole points."""

    text: str
    items: tuple[Item, ...]


def question_of(project: Project, lab: str, exercise: str) -> str:
    """Return the Markdown from the last heading before the answer cell up to that cell, without hints; "" without a notebook."""
    cells = _cells_of(project.labs / f"{lab}.ipynb")
    place = next((at for at, cell in enumerate(cells) if _exercise(cell) == exercise), 0)
    asked: list[str] = []
    for cell in reversed(cells[:place]):
        if _exercise(cell):
            break
        if cell["cell_type"] == "markdown":
            asked.insert(0, "".join(cell["source"]))
            if asked[0].lstrip().startswith("#"):
                break
    return HINTS.sub("", "\n\n".join(asked)).strip()


def rubric_of(project: Project, lab: str, exercise: str) -> Rubric:
    """Read the rubric from the cell NAME_rubric or rubric; empty if the solution has none."""
    cells = _cells_of(project.solutions / f"{lab}.ipynb")
    sources = {cell.get("id"): "".join(cell["source"]) for cell in cells}
    alone = sum(each.written for each in project.course.labs[lab].exercises) == 1
    text = sources.get(f"{exercise}_rubric") or (sources.get("rubric", "") if alone else "")
    parts = ITEM.split(text)
    pairs = zip(parts[1::2], parts[2::2])
    return Rubric(text, tuple(Item(float(points.replace(",", ".")), _plain(what)) for points, what in pairs))


def _cells_of(path: Path) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", json.loads(path.read_text("utf-8"))["cells"]) if path.exists() else []


def _exercise(cell: dict[str, Any]) -> str:
    return str(cell["metadata"].get("labkit", {}).get("exercise", ""))


def _plain(text: str) -> str:
    """Join an item's lines, without the next item's bullet at the end."""
    return " ".join(re.sub(r"\s*\n\s*[-*]\s*\Z", "", text).split())
