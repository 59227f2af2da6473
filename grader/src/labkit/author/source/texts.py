"""Collect the English texts to translate, and compare their facts with those of a translation.

The texts are cells, titles and messages, cheat sheets, and the sentences in code. The facts are formulas, code, links, HTML tags,
placeholders and numbers.

A text's context is the name of its cell, or the key of its message. A sentence in code has no context, because it has the same
translation everywhere.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path

import nbformat

from labkit.author.source.percent import ONLY_SOLUTION, replace_answers, with_answers
from labkit.student.judging.words import WORDS
from labkit.student.model.course import Lab, folder_of
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project, read_toml
from labkit.student.notebook.examine import PAGE
from labkit.student.notebook.guesses import Choice, Statement, Truth

SHARED = "shared"  # the name of the translation of the code that labs share
CALLS = ("_", "deferred")  # lab code calls these to translate a sentence now, or to mark it for later
_PLACE, _WORD = re.compile(r"\{[^{}]*\}"), re.compile(r"[^\W\d_]{2,}")  # a string without a word needs no translation
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


@dataclass(frozen=True)
class Text:
    """An English text, and the file that has it."""

    english: str
    context: str | None
    where: str
    code: bool = False  # whether it is a cell's code

    @property
    def key(self) -> tuple[str | None, str]:
        return self.context, self.english


@dataclass(frozen=True)
class Part:
    """What one translation file covers: a lab, the code that labs share, or labkit."""

    name: str
    root: Path  # texts name their files relative to this folder
    folder: Path
    others: tuple[Path, ...] = ()  # folders below that belong to other parts
    cells: tuple[Text, ...] = ()
    sentences: tuple[Text, ...] = ()

    def texts(self) -> list[Text]:
        """All texts of this part. Errors: UserError."""
        return [*self.cells, *self._messages(), *self._pages(), *self.sentences]

    def files(self, name: str) -> list[Path]:
        """The files of this name in this part."""
        found = self.folder.rglob(name)
        return sorted(path for path in found if not any(path.is_relative_to(other) for other in self.others))

    def prefix(self, path: Path) -> str:
        """What precedes the keys of a file in a subfolder."""
        below = path.parent.relative_to(self.folder).as_posix()
        return "" if below == "." else f"{below}/"

    def _messages(self) -> Iterator[Text]:
        for path in self.files(WORDS):
            for name, text in _flat(read_toml(path)):
                yield Text(text, self.prefix(path) + name, path.relative_to(self.root).as_posix())

    def _pages(self) -> Iterator[Text]:
        for path in self.files(PAGE):
            yield Text(path.read_text("utf-8"), self.prefix(path) + PAGE, path.relative_to(self.root).as_posix())


def lab_part(project: Project, lab: Lab, source: nbformat.NotebookNode) -> Part:
    """A lab, with its source as a notebook. Errors: UserError."""
    where = project.below(project.solutions / f"{lab.name}.py")
    cells = (Text(without_answers(cell), cell.id, where, cell.cell_type == "code") for cell in translatable(source))
    folder = project.source / project.package / folder_of(lab.name)
    sentences = [*_marked_in(project, sorted(folder.glob("*.py"))), *_stated_by(project, lab)]
    return Part(lab.name, project.root, folder, (), tuple(cells), _with_words(sentences))


def shared_part(project: Project) -> Part:
    """The code that labs share. Errors: UserError."""
    folder = project.source / project.package
    labs = tuple(folder / folder_of(name) for name in project.course.names)
    part = Part(SHARED, project.root, folder, labs)
    return replace(part, sentences=_with_words(_marked_in(project, part.files("*.py"))))


def _flat(table: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield each message with its dotted key, such as `similarity.cosines-only`."""
    for name, value in table.items():
        yield from _flat(value, f"{above}{name}.") if isinstance(value, dict) else [(above + name, str(value))]


def translatable(source: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The cells with text for students."""
    return [cell for cell in source.cells if ONLY_SOLUTION not in cell.metadata.get("tags", ()) and _has_words(cell)]


def _has_words(cell: nbformat.NotebookNode) -> bool:
    text = replace_answers(cell.source, "pass" if cell.cell_type == "code" else "")
    return bool(words_in_code(text) if cell.cell_type == "code" else text.strip())


def without_answers(cell: nbformat.NotebookNode) -> str:
    """A cell's text with nothing between its answer marks."""
    return with_answers(cell.source, repeat(""))


def _with_words(sentences: list[Text]) -> tuple[Text, ...]:
    """The sentences that have a word, each once."""
    found: dict[str, Text] = {}
    for text in sentences:
        if _WORD.search(_PLACE.sub("", text.english)):
            found.setdefault(text.english, text)
    return tuple(found.values())


def _marked_in(project: Project, paths: list[Path]) -> list[Text]:
    """The sentences passed to `_` and `deferred` in these files."""
    return [Text(sentence, None, project.below(path)) for path in paths for sentence in _marked(path)]


def _marked(path: Path) -> Iterator[str]:
    """The sentences passed to `_` and `deferred`. Errors: UserError if a sentence is not a constant."""
    nodes = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(node.func, ast.Name) and node.func.id in CALLS:
            text = node.args[0] if node.args else None
            if node.func.id == "_" and isinstance(text, (ast.Name, ast.Attribute, ast.Subscript)):
                continue  # a constant is marked where it is defined
            if not (isinstance(text, ast.Constant) and isinstance(text.value, str)):
                raise UserError(f"{path.parent.name}/{path.name}, line {node.lineno}: _() needs a quoted sentence")
            yield text.value


def _stated_by(project: Project, lab: Lab) -> Iterator[Text]:
    """The sentences of a lab's `guesses.py` and `questions.py`, which need no mark."""
    for part in ("guesses", "questions"):
        if find_spec(module := project.course.module_of(lab.name, part)):
            where = project.below(project.source / project.package / folder_of(lab.name) / f"{part}.py")
            for value in vars(import_module(module)).values():
                yield from (Text(sentence, None, where) for sentence in _stated(value))


def _stated(value: object) -> Iterator[str]:
    match value:
        case Statement():
            yield from (value.text, value.reason)
        case Truth():
            yield from filter(None, (value.unit, value.why))
        case Choice():
            yield from (*value.words.values(), *value.why.values())
        case tuple() | list():
            for each in value:
                yield from _stated(each)


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
