"""Locate the parts of a course. Its folder has a `labkit.toml`, which names the parts that are not in their usual place.

A process works on one course: the one named by `--course` or LABKIT_COURSE; else the nearest one at or above the working
directory; else the checkout that contains labkit.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_origin

from labkit.student.model.budgets import OPTIONS, Budgets, from_options
from labkit.student.model.course import Course, folder_of, stated_by, work_on
from labkit.student.model.errors import UserError
from labkit.student.model.text import did_you_mean, in_a_line

MANIFEST = "labkit.toml"
VARIABLE = "LABKIT_COURSE"  # environment variable with the course's folder, inherited by worker processes
FOLDERS = {
    "labs": "labs",
    "solutions": "solutions",
    "autograder": "tests/autograder",
    "source": "src",
    "examples": "examples/class",
    "site": "docs/site",
}
FORMS = {  # of the entries of labkit.toml
    "package": str,
    "languages": list[str],
    "locked": list[str],
    "hand_in": str,
    "resubmission": str,
    "translations": dict[str, dict[str, str]],
    "folders": dict[str, str],
    "budgets": dict[str, object],
    "conventions": list[dict[str, object]],
}
TRANSLATED = ("hand_in", "resubmission", "description")  # texts that students read
# What a course states of a naming convention for submissions: see grade/intake/conventions.py.
CONVENTION: Mapping[str, type] = {"by": str, "names": str, "student": str, "time": str, "of_folders": bool}
# Right and wrong answers, for `labkit build` and the course's tests. Grading never reads these.
NOT_FOR_GRADING = ("__pycache__", "samples", "samples.py", "mistakes.py")


@dataclass(frozen=True)
class Project:
    """A course's folder and the settings in its labkit.toml."""

    root: Path
    labs: Path  # the folder of notebooks for students
    solutions: Path  # the folder with the labs' sources and the executed solutions
    autograder: Path  # the folder of checks and references: a subfolder for each lab, and modules that labs share
    source: Path  # the folder that labs and tests import from
    examples: Path  # the course's example class, which may be graded without isolation
    site: Path  # the folder of the site's own pages, with a subfolder for each language's home page
    package: str  # the course's package, below `source`
    languages: tuple[str, ...] = ("en",)
    locked: tuple[str, ...] = ()  # files protected against accidental changes, as paths below `root`
    hand_in: str = ""  # Markdown for the last cell of every lab; {file} is the notebook's name
    resubmission: str = ""  # a sentence on each student's page about resubmission
    # Translations of `hand_in`, `resubmission` and the description in pyproject.toml, by language and name.
    translations: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
    budgets: Budgets = Budgets()  # the course's, which options override
    conventions: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)

    def __getstate__(self) -> dict[str, object]:
        """Pickle everything but the course, which the other process imports itself."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def course(self) -> Course:
        """Import the package and return the course that it defines. Errors: UserError."""
        if str(self.source) not in sys.path:
            sys.path.insert(0, str(self.source))
        try:
            import_module(self.package)
        except Exception as error:
            raise UserError(
                f"{self.root / MANIFEST}: the package {self.package!r} cannot be imported: {in_a_line(error)}"
            ) from None
        return stated_by(self.package)

    def translated(self, language: str, name: str, english: str) -> str:
        """One of the texts that students read, in English if there is no translation."""
        return self.translations.get(language, {}).get(name, english)

    @property
    def editions(self) -> tuple[str, ...]:
        """The languages into which labs are translated."""
        return tuple(each for each in self.languages if each != "en")

    def labs_in(self, language: str) -> Path:
        """The folder of notebooks for students in one language."""
        return self.labs if language == "en" else self.labs / language

    def editions_of(self, lab: str) -> dict[str, Path]:
        """The lab's student notebooks by language, if they exist."""
        paths = {language: self.labs_in(language) / f"{lab}.ipynb" for language in ("en", *self.editions)}
        return {language: path for language, path in paths.items() if path.is_file()}

    def edition_of(self, lab: str, language: str) -> Path:
        """The file with the lab's translation into a language other than English."""
        return self.solutions / language / f"{lab}.po"

    def autograder_of(self, lab: str) -> Path:
        """The folder of one lab in the autograder."""
        return self.autograder / folder_of(lab)

    def tests_of(self, lab: str) -> Path:
        """The file of the lab's checks, which states their points."""
        return self.autograder_of(lab) / "test_submission.py"

    def reference_of(self, lab: str) -> Path:
        """The file of the lab's reference."""
        return self.autograder_of(lab) / "reference.py"

    def expected_of(self, lab: str) -> Path:
        """The file with expected values for graded-only exercises, which students do not get."""
        return self.autograder_of(lab) / "expected.json"

    def autograder_files(self) -> Iterator[Path]:
        """Yield the autograder files that grading may need, sorted, without samples, mistakes, caches and hidden files."""
        for path in sorted(self.autograder.rglob("*")):
            parts = path.relative_to(self.autograder).parts
            left_out = any(part[0] == "." or part in NOT_FOR_GRADING for part in parts)
            if path.is_file() and path.suffix != ".pyc" and not left_out:
                yield path

    @property
    def metadata(self) -> dict[str, Any]:
        """The [project] table of the course's pyproject.toml, or an empty one. Errors: UserError."""
        path = self.root / "pyproject.toml"
        stated = read_toml(path).get("project", {}) if path.exists() else {}
        if not isinstance(stated, dict):
            raise UserError(f"{path}: project is not a table")
        return stated

    @property
    def version(self) -> str:
        """The version in the course's pyproject.toml, or ""."""
        return str(self.metadata.get("version", ""))

    def below(self, path: Path) -> str:
        """The path relative to the course, for messages."""
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else path.name


_current: Project | None = None


def current() -> Project:
    """This process's course, opened on first use. Errors: UserError."""
    return _current or use(Path(os.environ.get(VARIABLE) or _found()))


def use(root: Path) -> Project:
    """Open the course in this folder for this process. Errors: UserError."""
    global _current
    opened = read(root.absolute())
    work_on(opened.course)
    _current = opened
    return opened


def _found() -> Path:
    here = Path.cwd()
    for folder in (here, *here.parents, Path(__file__).resolve().parents[5]):
        if (folder / MANIFEST).is_file():
            return folder
    raise UserError(
        f"no course here: no {MANIFEST} in {here} or above; go to a course's folder, name one with --course, "
        "or make one with `labkit new`"
    )


def read_toml(path: Path) -> dict[str, Any]:
    """Read the tables of a file. Errors: UserError."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise UserError(f"{path}: {error}") from None


def read(root: Path) -> Project:
    """Read the labkit.toml in a folder. Errors: UserError, which names the wrong key."""
    path = root / MANIFEST
    entries = read_toml(path)
    only_known(path, "", entries, FORMS)
    for name, value in entries.items():
        if not _fits(value, FORMS[name]):
            raise UserError(f"{path}: {name} has the wrong type: {value!r}")
    if not entries.get("package", "").isidentifier():
        raise UserError(f'{path}: it must name the course\'s package, as in package = "my_labs"')
    only_known(path, "folders.", entries.get("folders", {}), FOLDERS)
    only_known(path, "budgets.", entries.get("budgets", {}), OPTIONS)
    for texts in entries.get("translations", {}).values():
        only_known(path, "translations.", texts, TRANSLATED)
    for each in entries.get("conventions", ()):
        only_known(path, "conventions.", each, CONVENTION)
        for name, value in each.items():
            if not isinstance(value, CONVENTION[name]):
                raise UserError(f"{path}: conventions.{name} has the wrong type: {value!r}")
    for name, value in entries.get("budgets", {}).items():
        least, whole = OPTIONS[name].metadata["least"], isinstance(OPTIONS[name].default, int)
        number = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
        if not number or not least <= value < 2**31:
            raise UserError(f"{path}: budgets.{name} must be a number of at least {least:g}, not {value!r}")
    stated: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in entries.items()
    }
    own, budgets = stated.pop("folders", {}), from_options(stated.pop("budgets", {}))
    places = {name: root / own.get(name, usual) for name, usual in FOLDERS.items()}
    return Project(root, **places, budgets=budgets, **stated)


def _fits(value: object, form: Any) -> bool:
    """Whether a value of TOML has this form, such as dict[str, str]."""
    inner: Any = value.values() if isinstance(value, dict) else value
    return isinstance(value, get_origin(form) or form) and all(
        _fits(each, part) for part in get_args(form)[-1:] for each in inner
    )


def only_known(path: Path, table: str, entries: Mapping[str, object], known: Iterable[str]) -> None:
    """Check that a table has no other keys. Errors: UserError."""
    for name in entries:
        if name not in known:
            meant = did_you_mean(name, known) or f"; use one of {', '.join(known)}"
            raise UserError(f"{path}: {table}{name} is not known{meant}")
