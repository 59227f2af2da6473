"""Regular expressions give the same matches on every Python version that is promised."""

import ast
import re
import re._constants as sre
import re._parser as parser
from pathlib import Path

import pytest

import labkit

POSSESSIVE = re.compile(r"[*+?}]\+|\(\?>")
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)


def possessive_patterns() -> dict[str, str | bytes]:
    """Every string in labkit's source that is a regular expression with a possessive part."""
    found = {}
    for path in Path(labkit.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, (str, bytes)) and POSSESSIVE.search(
                text if isinstance(text, str) else text.decode("latin-1")
            ):
                try:
                    re.compile(text)
                except re.error:
                    continue
                found[f"{path.name}:{node.lineno}"] = text
    return found


def unsafe(items, possessive: bool = False) -> bool:
    """Whether a possessive part repeats something and goes on: Python 3.11.0 to 3.11.4 do not undo that if the rest fails (gh-106052)."""
    items = list(items)
    for place, (kind, given) in enumerate(items):
        if kind is sre.BRANCH:
            if any(unsafe(branch, possessive) for branch in given[1]):
                return True
        elif kind in REPEATS or kind in (sre.SUBPATTERN, sre.ATOMIC_GROUP):
            goes_on = place + 1 < len(items)
            if possessive and kind is not sre.SUBPATTERN and goes_on:
                return True
            inside = given if kind is sre.ATOMIC_GROUP else given[-1]
            if unsafe(inside, possessive or kind in (sre.POSSESSIVE_REPEAT, sre.ATOMIC_GROUP)):
                return True
    return False


def test_no_possessive_part_repeats_something_and_goes_on():
    patterns = possessive_patterns()
    assert len(patterns) > 3
    assert [place for place, pattern in patterns.items() if unsafe(parser.parse(pattern))] == []


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r'(?:[^"]++|"[^"]*+")*+', True),
        (r'(?:[^"]++|"[^"]*+")*', False),
        (r"(?>a(?:b)*c)", True),
        (r"(?:a++|b)*+c", False),
    ],
)
def test_unsafe_patterns_are_told_apart(pattern, found):
    assert unsafe(parser.parse(pattern)) == found
