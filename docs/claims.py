"""The labs' claims and the tests that check them: totals by lab on a page, and each claim in a list.

python docs/claims.py [FILE]    write docs/claims.md and, if named, FILE with every claim and its test
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from encoding_labs import COURSE
from labkit.model.course import folder_of

DOCS = Path(__file__).parent
TESTS = DOCS.parent / "tests" / "course"
CLAIM = re.compile(r"\[([a-z0-9_-]+)\] (.+)", re.DOTALL)
PAGE = """\
# What the labs claim, and what tests it

The tests of a lab's claims are in `tests/course/test_claims_LAB.py`. A test's docstring names the cell and states the claim. The
tests compute in float64, or use the locked module's table if a claim is about that table. Each number with decimals, thousands or a
percent sign in a lab's texts must be in the code of one of them: `test_claims.py` looks for it, so a changed digit is noticed.
`python docs/claims.py` makes this page; `python docs/claims.py all.md` also lists every claim.

| lab | claims | cells with claims |
|---|---|---|
{rows}
"""
LIST = """\
# Every claim of the labs

A cell's name is its id in the notebook.
{labs}"""


@dataclass(frozen=True)
class Claim:
    cell: str
    sentence: str
    test: str


def claims_of(lab: str) -> Iterator[Claim]:
    """Yield a lab's claims in order. Errors: ValueError if a test has no claim in its docstring."""
    path = TESTS / f"test_claims_{folder_of(lab)}.py"
    for test in ast.parse(path.read_text("utf-8")).body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            found = CLAIM.fullmatch(" ".join((ast.get_docstring(test) or "").split()))
            if not found:
                raise ValueError(
                    f"{path.name}, {test.name}: begin its docstring with the cell in brackets, then the claim"
                )
            yield Claim(found[1], found[2], test.name)


def page() -> str:
    cells = {lab[:2]: [claim.cell for claim in claims_of(lab)] for lab in COURSE.names}
    rows = [(lab, len(each), len(set(each))) for lab, each in cells.items()]
    rows += [("all", sum(claims for _, claims, _ in rows), sum(named for *_, named in rows))]
    return PAGE.format(rows="\n".join(f"| {lab} | {claims} | {cells} |" for lab, claims, cells in rows))


def everything() -> str:
    return LIST.format(labs="".join(map(_section, COURSE.names)))


def _section(lab: str) -> str:
    rows = [
        f"| `{claim.cell}` | {claim.sentence.replace('|', chr(92) + '|')} | `{claim.test}` |"
        for claim in claims_of(lab)
    ]
    title = lab[3:].replace("_", " ")
    return "\n".join([f"\n## {lab[:2]} {title}\n", "| cell | claim | test |", "|---|---|---|", *rows, ""])


if __name__ == "__main__":
    (DOCS / "claims.md").write_text(page(), "utf-8")
    for file in sys.argv[1:]:
        Path(file).write_text(everything(), "utf-8")
