"""The options of a run: files, budgets and other choices."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from labkit.student.model.budgets import Budgets

if TYPE_CHECKING:
    from labkit.grade.batch.shard import Shard

FILES = ("roster", "deadlines", "comments")  # optional files in addition to the submissions


@dataclass(frozen=True)
class Options:
    """What to grade and how."""

    paths: tuple[Path, ...]
    out: Path
    seed: int | None
    lab: str | None
    budgets: Budgets
    roster: Path | None
    deadlines: Path | None
    comments: Path | None
    part: Shard | None = None
    of_shards: dict | None = None  # the facts shared by all shards with results in `out`
    jobs: int = 1
    resume: bool = False
    use_cache: bool = True
    only_changes: bool = False
    only: tuple[str, ...] = ()  # students to grade again; all other rows stay unchanged
    replace: bool = False  # rows of students missing from this class may be removed from `out`
    unsandboxed: bool = False
    elsewhere: bool = False  # grading runs on other machines

    def as_json(self) -> dict:
        """The options that another machine with the same files needs in order to grade in the same way."""
        named = {name: getattr(self, name) and str(getattr(self, name).absolute()) for name in FILES}
        paths = [str(path.absolute()) for path in self.paths]
        return {"paths": paths, **named, "lab": self.lab, "budgets": asdict(self.budgets)}

    def same(self) -> dict:
        """The options that must be unchanged when some students are graded again."""
        named = {name: bool(getattr(self, name)) for name in FILES}
        return {"seed": self.seed, "budgets": str(self.budgets), "lab": self.lab, **named}

    @classmethod
    def from_json(cls, kept: dict, **others: object) -> Options:
        named = {name: Path(kept[name]) if kept[name] else None for name in FILES}
        paths, budgets = tuple(map(Path, kept["paths"])), Budgets(**kept["budgets"])
        return cls(paths=paths, lab=kept["lab"], budgets=budgets, **named, **others)
