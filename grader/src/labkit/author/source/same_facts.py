"""Compare the facts in a text and its translation: formulas, code, links, HTML tags, placeholders and numbers."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator

# Kinds are searched in this order, and what is found is removed from the text before the next search.
KINDS = {
    "formulas": re.compile(r"\$\$.+?\$\$|\$[^$\n]+(?:\n[^$\n]+)?\$", re.DOTALL),
    "pieces of code": re.compile(r"```.*?```|`[^`]+`|<code>.*?</code>", re.DOTALL),
    "link targets": re.compile(r"(?<=\]\()[^)\s]+(?=\))"),
    "HTML tags": re.compile(r"</?[a-zA-Z][^>]*>|<!--.*?-->"),
    "placeholders": re.compile(r"(?<!\{)\{\w+(?:![ras])?(?::[^{}\s]*)?\}(?!\})"),  # but not the dict {letter: name}
    "numbers": re.compile(r"\d+(?:[.,]\d+)*"),
}
_WORDS_IN_FORMULA = re.compile(r"\\(?:text|mbox|mathrm)\{[^}]*\}")
_COMMENT = re.compile(r"(?<=\s)#.*")  # in a block of code between ```
_TAG_WORDS = re.compile(r'\b(?:alt|title|aria-label)="[^"]*"')
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")  # in English
_SPACED = re.compile(r"(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))")  # in other languages
_GROUPS_IN_FORMULA = re.compile(r"(?<=\d)(?:\{,\}|\\,)(?=\d{3}(?!\d))")  # 10{,}000, or 10\,000
_WORDS = re.compile(r"[^\W\d_]{2,}.*\s|\s.*[^\W\d_]{2,}")  # matches text for people to read: it has a word and a space


def difference(english: str, other: str) -> str | None:
    """Describe the first kind of fact in which a text and its translation differ; None if they agree."""
    for kind, one, two in zip(KINDS, facts_of(english, _THOUSANDS), facts_of(other, _SPACED)):
        if one != two:
            return f"its {kind} differ: {' and '.join(_only(one - two, two - one))}"
    return None


def facts_of(text: str, thousands: re.Pattern[str]) -> Iterator[Counter[str]]:
    """Count each formula, code span, link target, tag, placeholder and number in a text."""
    for kind, pattern in KINDS.items():
        if kind == "numbers":
            text = thousands.sub("", text)
        yield Counter(_plain(kind, each) for each in pattern.findall(text))
        text = pattern.sub(_comments, text)


def _comments(fact: re.Match[str]) -> str:
    """Keep only the comments of a code block: they are translated, so their facts are compared like other text."""
    return f" {' '.join(_COMMENT.findall(fact[0]))} " if fact[0].startswith("```") else " "


def _plain(kind: str, fact: str) -> str:
    if kind == "formulas":
        fact = re.sub(r"\s+", "", _WORDS_IN_FORMULA.sub(r"\\text{}", _GROUPS_IN_FORMULA.sub("", fact)))
        fact = fact.replace(r"\operatorname{sen}", r"\sin")  # in Spanish and Portuguese
    if kind == "HTML tags":
        fact = _TAG_WORDS.sub("", fact)
    if fact.startswith("```"):
        fact = _COMMENT.sub("", fact)
    return " ".join(fact.split())


def _only(one: Counter[str], two: Counter[str]) -> Iterator[str]:
    for which, facts in (("English", one), ("translation", two)):
        if facts:
            yield f"only the {which} has {', '.join(sorted(facts.elements()))}"


def code_difference(english: str, other: str) -> str | None:
    """Like `difference`, but for Python code: statements must be equal except for docstrings, comments and strings with words."""
    try:
        one, two = _without_words(english), _without_words(other)
    except SyntaxError as error:
        return f"its code is not valid Python: {error.msg}, line {error.lineno}"
    if one != two:
        return "its code differs"
    return difference("\n".join(words_in_code(english)), "\n".join(words_in_code(other)))


def words_in_code(source: str) -> list[str]:
    """Extract the text that people read from Python code: docstrings, strings of several words, and comments."""
    tree = ast.parse(source)
    found = [text for _, text in _word_strings(tree)]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return found + [token.string for token in tokens if token.type == tokenize.COMMENT]


def _without_words(source: str) -> str:
    tree = ast.parse(source)
    for node, _ in _word_strings(tree):
        node.value = ""
    return ast.dump(tree)


def _word_strings(tree: ast.AST) -> list[tuple[ast.Constant, str]]:
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [(node, node.value) for node in strings if id(node) in docstrings or _WORDS.search(node.value)]
