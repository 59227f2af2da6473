"""Rewrite what follows from the labs and is not written by `labkit build`. `make build` runs this.

python docs/generated.py    rewrite examples/class, docs/claims.md, docs/grader_graded.md, the pages of mistakes that shipped, and each
                            lab's points in the README
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "tests" / "course"), str(ROOT / "tests")]

import claims
import grader_graded
import shipped
from class_of_examples import build_class

from encoding_labs import COURSE
from labkit.grade.judge.points import points_by_check
from labkit.student.model import project
from labkit.student.model.errors import UserError
from labkit.student.model.text import in_points

CLASS = ROOT / "examples" / "class"


def files() -> Iterator[tuple[Path, bytes]]:
    """Yield the path and content of each file."""
    with TemporaryDirectory() as made:
        build_class(Path(made))
        for path in sorted(path for path in Path(made).rglob("*") if path.is_file()):
            yield CLASS / path.relative_to(made), path.read_bytes()
    yield ROOT / "README.md", readme().encode()
    yield ROOT / "docs" / "claims.md", claims.page().encode()
    yield ROOT / "docs" / "grader_graded.md", grader_graded.page().encode()
    for language in shipped.PAGES:
        yield shipped.path_of(language), shipped.page(language).encode()


def readme() -> str:
    """The README with the current points in its table of labs. Errors: UserError if a lab is missing there."""
    text = (ROOT / "README.md").read_text("utf-8")
    for name, lab in COURSE.labs.items():
        graded = sum(points for points, _ in points_by_check(project.current(), name).values())
        written = sum(exercise.points for exercise in lab.exercises)
        row = re.compile(rf"(labs/{name}\.ipynb\).*\| )\d+ \+ \d+( \|)$", re.MULTILINE)
        text, rows = row.subn(rf"\g<1>{in_points(graded)} + {written}\g<2>", text)
        if rows != 1:
            raise UserError(f"README.md: the table of labs needs one row for {name}, with points such as 12 + 2")
    return text


def renew() -> Iterator[str]:
    """Rewrite outdated files, remove those of former examples, and yield their names."""
    known = dict(files())
    for path in sorted({*known, *(path for path in CLASS.rglob("*") if path.is_file())}):
        if path not in known:
            path.unlink()
        elif not path.exists() or path.read_bytes() != known[path]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(known[path])
        else:
            continue
        yield path.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    try:
        for name in renew():
            print(ROOT / name)
    except UserError as error:
        sys.exit(str(error))
