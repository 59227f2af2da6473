"""Collect the sentences in a lab's code and their translations in `texts.<language>.toml`.

The English sentences are in calls to `_("…")`, in `questions.py` and in `guesses.py`. Translations of a lab's sentences are
in the lab's folder, and translations for shared modules are in the course's folder. A sentence has the same translation
everywhere.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from labkit.author.source.same_facts import difference
from labkit.student.model.course import folder_of
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import in_a_line
from labkit.student.notebook.language import entries
from labkit.student.notebook.predict import Choice, Truth
from labkit.student.notebook.quiz import Statement

_PLACE, _WORD = re.compile(r"\{[^{}]*\}"), re.compile(r"[^\W\d_]{2,}")  # a string without a word needs no translation
CLOSE = 0.75  # similarity, from 0 to 1, above which a sentence counts as an edited version of an old one
CALLS = ("_", "deferred")  # lab code calls these to translate a sentence now, or to mark it for later


def texts_of(project: Project, lab: str | None) -> dict[str, str]:
    """Map each sentence in a lab's code to the first file that has it. Without a lab, use the shared code."""
    return {text: where for text, where in _all_texts(project, lab).items() if _WORD.search(_PLACE.sub("", text))}


def _all_texts(project: Project, lab: str | None) -> dict[str, str]:
    found: dict[str, str] = {}
    package = project.source / project.package
    folder = package / folder_of(lab) if lab else package
    shared = [path for path in sorted(package.rglob("*.py")) if lab is None and _is_shared(project, path)]
    for path in shared or sorted(folder.glob("*.py")):
        for text in _marked(path):
            found.setdefault(text, project.below(path))
    for part in ("guesses", "questions"):
        if lab and find_spec(project.course.module_of(lab, part)):
            module = import_module(project.course.module_of(lab, part))
            for value in vars(module).values():
                for text in _stated(value):
                    found.setdefault(text, project.below(folder / f"{part}.py"))
    return found


def _is_shared(project: Project, path: Path) -> bool:
    folders = {folder_of(name) for name in project.course.names}
    return path.relative_to(project.source / project.package).parts[0] not in folders


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


def file_of(project: Project, lab: str | None, language: str) -> Path:
    """The translation file of a lab, or the shared one."""
    package = project.source / project.package
    return (package / folder_of(lab) if lab else package) / f"texts.{language}.toml"


def translations(path: Path) -> dict[str, str]:
    """Read the translations in a file, by English sentence. Errors: UserError."""
    return {text: other for text, (other, _) in _tables(path).items()}


def _tables(path: Path) -> dict[str, tuple[str, str]]:
    """Map each English sentence to (translation, `was`). `was` is the old English, or "" if unchanged. Errors: UserError."""
    language = path.name.split(".")[1]
    try:
        tables = entries(path) if path.exists() else []
        return {str(each["en"]): (str(each[language]), str(each.get("was", ""))) for each in tables}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{path.parent.name}/{path.name}: {in_a_line(error)}") from None


def faults(project: Project, lab: str | None, language: str) -> Iterator[str]:
    """Yield one line for each fault in the translations of a lab's sentences. Each line starts with the file."""
    path = file_of(project, lab, language)
    own, wanted = translations(path), texts_of(project, lab)
    changed = {text: was for text, (_, was) in _tables(path).items()}
    for text, where in wanted.items():
        if not own.get(text):
            yield f"{project.below(path)}: no translation of {_short(text)}, which is in {where}"
        elif changed.get(text):
            yield f"{project.below(path)}, {_short(text)}: the English has changed; update the translation and remove `was`"
        elif how := difference(text, own[text]):
            yield f"{project.below(path)}, {_short(text)}: {how}"
    for text in own.keys() - wanted.keys():
        yield f"{project.below(path)}: {_short(text)} is no longer in the code; remove it or correct its English"
    for other, known in _others(project, lab, language).items():
        for text in sorted(own.keys() & known.keys()):
            if own[text] and known[text] not in ("", own[text]):
                yield f"{project.below(path)}: {_short(text)} has a different translation in {project.below(other)}"


def _others(project: Project, lab: str | None, language: str) -> dict[Path, dict[str, str]]:
    """The other translation files: a sentence must have the same translation in all of them."""
    files = (file_of(project, each, language) for each in (None, *project.course.names) if each != lab)
    return {path: translations(path) for path in files if path.exists()}


def _short(text: str) -> str:
    return json.dumps(text if len(text) < 60 else f"{text[:57]}…", ensure_ascii=False)


def renewed(project: Project, lab: str, language: str) -> str:
    """Return a lab's translation file with every sentence that the lab needs.

    A new sentence gets its translation from another lab, or else from a similar old sentence, whose English is stored as `was`.
    Otherwise its translation is empty. Unused sentences come last, so that their translation is not lost.
    """
    own, wanted = _tables(file_of(project, lab, language)), texts_of(project, lab)
    known = {text: other for file in _others(project, lab, language).values() for text, other in file.items()}
    unused = {text: other for text, (other, _) in own.items() if text not in wanted}
    found: dict[str, tuple[str, str]] = {}
    for text in wanted:
        close = get_close_matches(text, unused, 1, CLOSE)
        if text in own:
            found[text] = own[text]
        elif text not in known and close:
            found[text] = unused.pop(close[0]), close[0]
        else:
            found[text] = known.get(text, ""), ""
    found |= {text: (other, "") for text, other in unused.items()}
    head = (
        f"# Translations of the sentences in {folder_of(lab)}'s code. `en` is exactly the English text in the code.\n"
    )
    return head + "".join(_table(text, language, *other) for text, other in found.items())


def _table(text: str, language: str, other: str, was: str) -> str:
    lines = [f"en = {_quoted(text)}", *([f"was = {_quoted(was)}"] if was else []), f"{language} = {_quoted(other)}"]
    return "\n".join(("", "[[text]]", *lines, ""))


def _quoted(text: str) -> str:
    """Write a TOML string."""
    return json.dumps(text, ensure_ascii=False)
