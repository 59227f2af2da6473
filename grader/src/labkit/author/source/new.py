"""`labkit new`: create a small course to start from, with an example class and tests."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from labkit.student.model.errors import UserError

TEMPLATES = Path(__file__).with_name("template")


def new_course(folder: Path) -> str:
    """Create a course in a new or empty folder, and return its package's name. Errors: UserError, OSError."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: a file with this name already exists")
    if folder.exists() and any(folder.iterdir()):
        raise UserError(f"{folder}: this folder is not empty; choose a new one")
    package = package_name(folder.absolute().name)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".labkit-new-", dir=folder.parent) as making:
        made = Path(making, "course")
        for path, text in filled("course", {"my_labs": package}):
            target = made / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        if folder.exists():
            folder.rmdir()
        shutil.move(made, folder)
    return package


def filled(template: str, words: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """Yield the path and text of each template file, after replacing `words` in both."""
    folder, any_word = TEMPLATES / template, re.compile("|".join(map(re.escape, words)))
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        name, text = (
            any_word.sub(lambda found: words[found[0]], each)
            for each in (str(path.relative_to(folder)), path.read_text("utf-8"))
        )
        yield Path(name), text


def package_name(name: str) -> str:
    """Derive a package name from a folder name, such as demo_labs from demo, and avoid names of installed packages."""
    plain = re.sub(r"\W+", "_", name.lower(), flags=re.ASCII).strip("_")
    plain = plain if plain.endswith("labs") else f"{plain}_labs".lstrip("_")
    plain = plain if plain.isidentifier() else f"the_{plain}"
    taken = find_spec(plain)
    return f"{plain}_course" if taken and taken.origin else plain
