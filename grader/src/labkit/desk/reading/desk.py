"""The data behind the grading page: exercises, answers and points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any

from labkit.desk.people import manual
from labkit.desk.people.readers import DECISION, Key, Mark, Marks, of_latest_answers, of_reader
from labkit.desk.reading.answers import Answer
from labkit.desk.reading.markup import Node, inline_of, tree_of
from labkit.desk.reading.question import question_of
from labkit.desk.reading.rubric import rubric_of
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import clean, legible

LONGEST = 10_000  # characters of a comment
AT_ONCE = 50  # answers per reply
TOO_MANY = 1e9  # points; a huge integer would not fit into a float


class ReadingDesk:
    """The answers of a class, and manual.csv, where points are saved as soon as they are given.

    A named reader does not see other readers' points. Without a name, the page shows every reader's points and those that count.
    """

    def __init__(self, project: Project, answers: Iterable[Answer], path: Path, reader: str = DECISION):
        self.project, self.path, self.reader, self._changing = project, path, reader, Lock()
        self.answers = {(answer.exercise, answer.id): answer for answer in answers}
        self._hear(manual.read_all(project.course, path))
        self._done: list[tuple[Answer, dict[Key, Mark | None]]] = []  # for undo, with the previous marks

    def _hear(self, marks: Marks) -> None:
        self.marks = marks
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
        whole = [{"points": float(n + 1), "text": []} for n in range(int(asked.points))] if not rubric.items else None
        return {
            "lab": lab,
            "exercise": name,
            "reader": legible(self.reader),
            "most": asked.points,
            "question": tree_of(question_of(self.project, lab, name)),
            "rubric": tree_of(rubric.text),
            "items": [{"points": item.points, "text": inline_of(item.text)} for item in rubric.items],
            "steps": whole or [],
            "at_once": AT_ONCE,
            "answers": [self._shown(answer) for answer in self._of(name)],
        }

    def _of(self, exercise: str) -> Iterator[Answer]:
        return (answer for (name, _), answer in self.answers.items() if name == exercise)

    def texts(self, exercise: str, start: int = 0) -> dict[str, list[Node]]:
        """The texts of AT_ONCE answers by id, starting at number `start`. Rendering all answers of a large class would take seconds."""
        some = islice(self._of(exercise), start, start + AT_ONCE)
        return {answer.id: tree_of(answer.text, breaks=True) for answer in some}

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
                "points": int() | float() as points,
                "comment": str(comment),
                "items": str(items),
            } if (
                len(comment) <= LONGEST
                and len(items) <= 100
                and not isinstance(points, bool)
                and 0 <= points < TOO_MANY
            ):
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
