"""Follow the README of a new course: copy its code blocks to the places it names."""

from pathlib import Path

LAST = "}\n"  # the end of WRONG


def add_midrange(course: Path) -> None:
    """Add the README's exercise and its mistake to a new course's lab, which must be built afterwards."""
    source = next(course.glob("src/*/spread"))
    asked, truth, cells, check, wrong = blocks((course / "README.md").read_text("utf-8"))
    (sentence,) = blocks((course / "README.md").read_text("utf-8"), "toml")
    _insert(source / "exercises.py", asked + "\n", before="LAB = ")
    _replace(source / "exercises.py", "(SPREAD, BY_HAND, ROBUST)", "(SPREAD, BY_HAND, MIDRANGE, ROBUST)")
    _insert(course / "tests/autograder/spread/reference.py", truth + "\n\n", before="BY_HAND = ")
    _insert(course / "solutions/01_spread.py", cells + "\n", before='# %% [markdown] name="robust_text"')
    mistakes = course / "tests/autograder/spread/mistakes.py"
    mistakes.write_text(f"{mistakes.read_text('utf-8').removesuffix(LAST)}{wrong}{LAST}", "utf-8")
    for path, block in (
        (course / "tests/autograder/spread/test_submission.py", f"\n{check}"),
        (source / "words.en.toml", sentence),
    ):
        path.write_text(f"{path.read_text('utf-8')}\n{block}", "utf-8")


def blocks(text: str, kind: str = "python") -> list[str]:
    found = []
    for piece in text.split(f"```{kind}\n")[1:]:
        lines = piece.split("```")[0].rstrip().splitlines()
        indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        found.append("\n".join(line[indent:] for line in lines) + "\n")
    return found


def _insert(path: Path, text: str, before: str) -> None:
    _replace(path, before, f"{text}{before}")


def _replace(path: Path, before: str, after: str) -> None:
    content = path.read_text("utf-8")
    assert content.count(before) == 1, path
    path.write_text(content.replace(before, after), "utf-8")
