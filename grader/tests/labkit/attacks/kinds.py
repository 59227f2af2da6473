"""The kinds of attacks: code in one or two kernels, a submission, and uncounted disk space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from handouts import Handout

POINTS = "unearned points, or damage to another row"


@dataclass(frozen=True)
class Attempt:
    """Code in a kernel, with FACTS in scope. It succeeds if it raises nothing and leaves `gained` true."""

    source: str
    gain: str  # what it must not gain
    finding: str = ""  # the number of its finding in findings.py, if any


def attempts(gain: str, sources: Mapping[str, str], **findings: str) -> dict[str, Attempt]:
    """Attempts by name. `findings`: the number of a finding in findings.py, and the names of its attempts."""
    by_name = {name: finding for finding, names in findings.items() for name in names.split("; ")}
    assert set(by_name) <= set(sources), set(by_name) - set(sources)
    return {name: Attempt(source, gain, by_name.get(name, "")) for name, source in sources.items()}


@dataclass(frozen=True)
class Channel:
    """Code in two kernels: `send(bit)` in one, then `receive()` in the other. It succeeds if all bits arrive."""

    setup: str
    source: str
    finding: str = ""
    gain: str = "a message to another submission"


@dataclass(frozen=True)
class Overrun:
    """Code that exceeds a kernel's small disk budget. It succeeds if it isn't stopped, or if it leaves files behind."""

    source: str
    finding: str = ""
    gain: str = "uncounted disk space, or leftover files"


@dataclass(frozen=True)
class HandIn:
    """A notebook with hostile code in one cell. The other cells are unchanged or solved.

    In the source, `answer` stands for the exercise's function. @solution@, @locked@ and @reference@ stand for the paths of these
    files in the course, and @import@ for an import from the locked file.
    """

    source: str
    cell: str = "array"  # the kind of answer that it is written for, a key of Cells
    solved: bool = False
    costs: str = "all"  # of the lab's points: all, those of its cell (own), at least some, or nothing
    says: tuple[tuple[str, ...], tuple[str, ...]] | None = (
        None  # statuses that its row may have, and words, at least one of which must be in the row
    )
    finding: str = ""
    gain: str = POINTS

    def save(self, folder: Path, cells: Cells) -> None:
        """Save the notebook in the student's folder."""
        lab, exercise = cells.places[self.cell]
        source = self.source.replace("def answer(", f"def {exercise}(")
        for name, what in cells.facts.items():
            source = source.replace(f"@{name}@", what)
        Handout(lab, self.solved).write(exercise, source).save(folder / f"{lab}.ipynb")


@dataclass(frozen=True)
class Planted:
    """A student's folder that contains something other than an ordinary notebook."""

    plant: Callable[[Path, str], None]  # called with this folder and the lab's name
    costs: str = "nothing"
    says: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    finding: str = ""
    gain: str = "damage to another row, or to the whole run"
    cell: str = "number"

    def save(self, folder: Path, cells: Cells) -> None:
        folder.mkdir(parents=True)
        self.plant(folder, cells.places[self.cell][0])


@dataclass(frozen=True)
class Cells:
    """The cells that attacks need: a lab and an exercise of each kind, and facts about the course."""

    places: Mapping[str, tuple[str, str]]
    facts: Mapping[str, str]

    @classmethod
    def of(cls, places: Mapping[str, tuple[str, str]]) -> Cells:
        """Return these cells, with the paths and the import in the current course that attacks look for."""
        from labkit.student.model import project

        here = project.current()
        lab, asked = places["locked"]
        module = here.root / here.locked[0]
        dotted = ".".join(module.relative_to(here.source).with_suffix("").parts)
        first = places["array"][0]
        return cls(places, {
            "solution": str(here.solutions / f"{first}.ipynb"), "locked": str(module),
            "reference": str(here.reference_of(first)), "import": f"from {dotted} import {asked}",
        })  # fmt: skip


TINY = {
    "array": ("02_levels", "levels"), "number": ("01_spread", "spread"), "value": ("01_spread", "by_hand"),
    "other": ("01_spread", "midrange"), "figure": ("02_levels", "draw_levels"), "locked": ("01_spread", "spread"),
}  # fmt: skip
