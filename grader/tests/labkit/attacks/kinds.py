"""The kinds of attacks: code in a kernel or in two, a hand-in, and disk that is taken where nobody looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from handouts import Handout

POINTS = "points that were not earned, or anybody's row"


@dataclass(frozen=True)
class Attempt:
    """Code in a kernel, with FACTS in scope. It has gained when it raises nothing and leaves `gained` true."""

    source: str
    gain: str  # what it must not gain
    finding: str = ""  # of the list in findings.py, where it is one


def attempts(gain: str, sources: Mapping[str, str], **findings: str) -> dict[str, Attempt]:
    """By their names; `findings` names those that are on the list, by finding."""
    by_name = {name: finding for finding, names in findings.items() for name in names.split("; ")}
    assert set(by_name) <= set(sources), set(by_name) - set(sources)
    return {name: Attempt(source, gain, by_name.get(name, "")) for name, source in sources.items()}


@dataclass(frozen=True)
class Channel:
    """Code in two kernels: `send(bit)` in one, then `receive()` in the other. It has gained when all bits arrive."""

    setup: str
    source: str
    finding: str = ""
    gain: str = "a word to another submission"


@dataclass(frozen=True)
class Overrun:
    """Code in a kernel with little disk. It has gained when it is not ended, or when something of it is left."""

    source: str
    finding: str = ""
    gain: str = "disk that is not counted, and files that stay"


@dataclass(frozen=True)
class HandIn:
    """A notebook with hostile code in one cell; the rest is as handed out, or solved.

    In the source `answer` is the exercise's name; @solution@, @locked@, @reference@ and @import@ are the course's own.
    """

    source: str
    cell: str = "array"  # which kind of answer it is written for, a key of Cells
    solved: bool = False
    costs: str = "all"  # of the lab's points: all, those of its cell (own), at least some, or nothing
    says: tuple[tuple[str, ...], tuple[str, ...]] | None = (
        None  # statuses that its row may have, and words, one of which it says
    )
    finding: str = ""
    gain: str = POINTS

    def save(self, folder: Path, cells: Cells) -> None:
        """Hand it in, in the student's folder."""
        lab, exercise = cells.places[self.cell]
        source = self.source.replace("def answer(", f"def {exercise}(")
        for name, what in cells.facts.items():
            source = source.replace(f"@{name}@", what)
        Handout(lab, self.solved).write(exercise, source).save(folder / f"{lab}.ipynb")


@dataclass(frozen=True)
class Planted:
    """A student's folder with something in it that is no ordinary notebook."""

    plant: Callable[[Path, str], None]  # into this folder, for the lab of this name
    costs: str = "nothing"
    says: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    finding: str = ""
    gain: str = "a row of its own class, or the class's evening"
    cell: str = "number"

    def save(self, folder: Path, cells: Cells) -> None:
        folder.mkdir(parents=True)
        self.plant(folder, cells.places[self.cell][0])


@dataclass(frozen=True)
class Cells:
    """Where a course has what attacks are written for: the lab and the exercise of each kind, and facts of the course."""

    places: Mapping[str, tuple[str, str]]
    facts: Mapping[str, str]

    @classmethod
    def of(cls, places: Mapping[str, tuple[str, str]]) -> Cells:
        """With the paths that an attack looks for in the course that is worked on."""
        from labkit.model import project

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
