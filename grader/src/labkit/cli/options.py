"""Options: those of a grading run, and those that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from labkit.grade.sandbox.faults import refused
from labkit.student.model.budgets import OPTIONS, Budgets
from labkit.student.model.project import MANIFEST, current, use

if TYPE_CHECKING:
    from labkit.grade.batch.part import Shard


class InCourse(click.Command):
    """A command that works on a course: the one named by --course, or the nearest one at or above the working directory."""

    def __init__(self, *args: object, params: list[click.Parameter], **kwargs: object):
        named = click.Option(
            ["--course"],
            metavar="DIR",
            type=click.Path(path_type=Path),
            help=f"The course's folder, which contains {MANIFEST}.  [default: the current folder or the nearest one above]",
        )
        super().__init__(*args, params=[*params, named], **kwargs)

    def invoke(self, ctx: click.Context) -> object:
        named = ctx.params.pop("course")
        ctx.params["project"] = use(named) if named else current()
        return super().invoke(ctx)


class WithBudgets(InCourse):
    """A command with an option for each budget, in a separate section of its help."""

    def __init__(self, *args: object, params: list[click.Parameter], **kwargs: object):
        self.budgets = [_budget_option(*each) for each in OPTIONS.items()]
        super().__init__(*args, params=[*params, *self.budgets], **kwargs)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, among in (("Options", False), ("Budgets for one submission", True)):
            options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
            with formatter.section(title):
                formatter.write_dl([each.get_help_record(ctx) for each in options if (each in self.budgets) == among])


class _Number:
    """A number within bounds; the error message states the bounds."""

    def convert(self, value: object, *where: object) -> float:
        try:
            number = super().convert(value, *where)
        except click.BadParameter:
            number = float("nan")
        if number == number:
            return number
        bounds = f", {self.min:,.12g} or more" if self.max is None else f" from {self.min:,.12g} to {self.max:,.12g}"
        self.fail(f"{str(value)!r} is not a {self.name}{bounds}.", *where)

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        return "N"


class Whole(_Number, click.IntRange):
    name = "whole number"


class _Seconds(_Number, click.FloatRange):
    name = "number of seconds"


def _budget_option(name: str, budget: Field) -> click.Option:
    """Make the option for a budget: a whole number, or seconds with a fraction."""
    number, what, least = type(budget.default), budget.metadata["what"], budget.metadata["least"]
    return click.Option(
        [f"--{name}"],
        type=Whole(least, 2**31) if number is int else _Seconds(least, 1e6),
        help=f"{what[0].upper()}{what[1:]}.  [default: {budget.default / budget.metadata['unit']:g}, at least {least:g}]",
    )


FILES = ("roster", "deadlines", "comments")  # optional files in addition to the submissions


@dataclass(frozen=True)
class Options:
    """What to grade and how: the options of `labkit grade`, under their names on the command line."""

    paths: tuple[Path, ...]
    out: Path
    budgets: Budgets
    jobs: int = 1
    seed: int | None = None
    lab: str | None = None
    only: tuple[str, ...] = ()
    replace: bool = False
    roster: Path | None = None
    deadlines: Path | None = None
    comments: Path | None = None
    canvas: Path | None = None
    moodle: Path | None = None
    assignment: tuple[str, ...] = ()
    diff: bool = False
    resume: bool = False
    no_cache: bool = False
    cluster: str | None = None
    shard: Shard | None = None
    allow_unsandboxed: bool = False
    merged: Mapping[str, object] | None = None  # with `labkit merge`: what all shards with results in `out` share

    @property
    def gradebooks(self) -> dict[str, Path]:
        """The gradebooks to fill in, by LMS."""
        return {lms: path for lms, path in (("canvas", self.canvas), ("moodle", self.moodle)) if path}

    def as_json(self) -> dict:
        """The options that another machine with the same files needs in order to grade in the same way."""
        named = {name: getattr(self, name) and str(getattr(self, name).absolute()) for name in FILES}
        paths = [str(path.absolute()) for path in self.paths]
        return {"paths": paths, **named, "lab": self.lab, "budgets": asdict(self.budgets)}

    @classmethod
    def from_json(cls, kept: dict, **others: Any) -> Options:
        named = {name: Path(kept[name]) if kept[name] else None for name in FILES}
        paths, budgets = tuple(map(Path, kept["paths"])), Budgets(**kept["budgets"])
        return cls(paths=paths, lab=kept["lab"], budgets=budgets, **named, **others)

    def same(self) -> dict:
        """The options that must be unchanged when some students are graded again."""
        named = {name: bool(getattr(self, name)) for name in FILES}
        return {"seed": self.seed, "budgets": str(self.budgets), "lab": self.lab, **named}


@contextmanager
def writing(out: Path, what: str = "written") -> Iterator[None]:
    """Report that the file `out`, or a file in the folder `out`, cannot be written. Errors: UserError; MachineFailed if the disk is full."""
    try:
        yield
    except OSError as error:
        path = error.filename if out.is_dir() and error.filename else out
        raise refused(error, f"{path}: cannot be {what} ({error.strerror})") from None


PATH = click.Path(path_type=Path)


def file_option(*names: str, help: str) -> Callable[[Any], Any]:
    return click.option(*names, metavar="FILE", type=PATH, help=help)


def out_option(help: str) -> Callable[[Any], Any]:
    return click.option("--out", required=True, type=PATH, help=help)


def labs_option(verb: str) -> Callable[[Any], Any]:
    help = f"{verb} only this lab, given by name or number; may be repeated."
    return click.option("--lab", "only", metavar="NAME", multiple=True, help=help)


JOBS = click.option(
    "--jobs",
    type=Whole(1, 256),
    default=os.cpu_count() or 1,
    help="Submissions to run at once, if memory allows.  [default: number of cores]",
)
UNSANDBOXED = click.option(
    "--allow-unsandboxed",
    is_flag=True,
    help="Run submissions even where kernels cannot be isolated (see `labkit doctor`).",
)
