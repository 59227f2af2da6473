"""The fingerprints of all answers of a class, kept from one run to the next: who was read once need not be read again."""

from __future__ import annotations

import json
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path

from labkit.grading.cache import whole
from labkit.grading.cache_key import lab_digest
from labkit.intake.answer_cells import find_answers
from labkit.intake.choose import Chosen, digest_of
from labkit.intake.files import read_notebook
from labkit.intake.handout import handout
from labkit.intake.notebooks import Notebook, parse_notebook
from labkit.judge.results import Result
from labkit.model.budgets import Budgets
from labkit.reports import fingerprints


class SimilarityIndex:
    """What the answers of submissions are known by, from this file where it tells. Safe to delete at any time."""

    def __init__(self, path: Path, submissions: Iterable[Chosen], budgets: Budgets):
        self.path, self._budgets = path, budgets
        self._chosen = {(each.student, each.lab): each for each in submissions if each.digest}
        self._kept = _read(path)
        self._used: dict[str, Mapping[str, str]] = {}

    def of(self, result: Result) -> dict[str, bytes]:
        """By exercise, sorted, eight bytes each; none where the file is not what it was when it was chosen."""
        if (chosen := self._chosen.get((result.student, result.lab))) is None:
            return {}
        key = f"{_deciding(chosen.lab)} {chosen.digest}"
        try:
            found = {exercise: b64decode(text, validate=True) for exercise, text in self._kept[key].items()}
        except (KeyError, ValueError, TypeError, AttributeError):  # not read yet, or not as keep() wrote it
            submission = self._read_again(chosen)
            if submission is None:
                return {}
            found = prints_of(submission)
        self._used[key] = {exercise: b64encode(prints).decode() for exercise, prints in found.items()}
        return found

    def keep(self) -> None:
        """Those that were asked for. Where they cannot be written they are found again next time."""
        if self._used != self._kept:
            with suppress(OSError), whole(self.path) as file:
                json.dump(self._used, file)

    def _read_again(self, chosen: Chosen) -> Notebook | None:
        if chosen.entry.path is None:  # a row of an earlier run, whose file is another by now
            return None
        content = read_notebook(chosen.entry.path, self._budgets)
        if not isinstance(content, bytes) or digest_of(content) != chosen.digest:
            return None
        found = parse_notebook(content, chosen.entry.path.stem, self._budgets)
        return found if isinstance(found, Notebook) else None


def prints_of(submission: Notebook) -> dict[str, bytes]:
    """Of the code that answers each exercise, where it is enough for one."""
    asked = handout(submission.lab_name).exercises
    answers = {name: cell.source for name, cell in find_answers(submission).items() if asked[name] == "code"}
    found = {name: sorted(fingerprints.fingerprints(source)) for name, source in answers.items()}
    return {name: array("Q", prints).tobytes() for name, prints in found.items() if prints}


@cache
def _deciding(lab: str) -> str:
    """The digest of what fingerprints follow from besides a submission."""
    own = (Path(fingerprints.__file__).read_bytes(), Path(__file__).read_bytes())
    return sha256(b"".join((lab_digest(lab).encode(), *own))).hexdigest()


def _read(path: Path) -> dict:
    try:
        kept = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}
