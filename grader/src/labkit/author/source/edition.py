"""Read and check a translated lab. `solutions/<language>/<lab>.py` has its text, in cells with the same names as in English.

The file contains every cell with text to translate. All other cells, and the answers, come from the English lab. Each cell's
header has a digest of the English text that was translated: `# %% [markdown] name="why" english="3f2a9c"`. While the text is
still English, the header also has `untranslated=true`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat

from labkit.author.source import percent
from labkit.author.source.percent import ONLY_SOLUTION, answers_in_text, framed, gaps, replace_answers
from labkit.author.source.same_facts import code_difference, difference, digest_of, words_in_code
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

LANGUAGE = 'use_style(language="{}")'  # in the setup cell


@dataclass(frozen=True)
class Translation:
    """One translated cell. `english` is the digest of the English text that was translated."""

    kind: str
    source: str
    english: str
    untranslated: bool = False


def edition(project: Project, lab: Lab, language: str) -> nbformat.NotebookNode:
    """Build the lab's source, with answers, in another language. Errors: UserError, which names the lab and the cell."""
    path = project.edition_of(lab.name, language)
    source = percent.read_source(project.solutions / f"{lab.name}.py", lab)
    cells = read(path)
    for fault in faults(source, cells):
        raise UserError(f"{project.below(path)}, {fault}")
    source.metadata["labkit"]["language"] = language
    for cell in source.cells:
        if cell.id in cells:
            cell.source = _with_answers(cells[cell.id].source, answers_in_text(cell.source))
        cell.source = cell.source.replace(LANGUAGE.format("en"), LANGUAGE.format(language))
    return framed(source, project.hand_in_for(language), project.version)


def read(path: Path) -> dict[str, Translation]:
    """Read a translated lab's cells, by name. Errors: UserError."""
    import jupytext

    cells: dict[str, Translation] = {}
    for number, cell in enumerate(jupytext.reads(path.read_text("utf-8"), fmt="py:percent").cells):
        name = cell.metadata.get("name")
        if not isinstance(name, str) or name in cells:
            raise UserError(f"{path.parent.name}/{path.name}, cell {name or number}: every cell needs its own name")
        untranslated = bool(cell.metadata.get("untranslated"))
        cells[name] = Translation(cell.cell_type, cell.source, str(cell.metadata.get("english")), untranslated)
    return cells


def faults(source: nbformat.NotebookNode, cells: dict[str, Translation]) -> Iterator[str]:
    """Yield one line for each fault in a translated lab, in cell order. Each line starts with the cell's name."""
    if not any(LANGUAGE.format("en") in cell.source for cell in source.cells):
        yield f"cell setup: add {LANGUAGE.format('en')} to the English lab; a translation changes the language there"
    wanted = {cell.id: cell for cell in translatable(source)}
    for name, cell in wanted.items():
        fault = _fault(cell, cells[name]) if name in cells else "is missing: `labkit translate` adds it"
        if fault:
            yield f"cell {name}: {fault}"
    for name in cells.keys() - wanted.keys():
        yield f"cell {name}: the English lab has no such cell to translate; remove it"


def _fault(english: nbformat.NotebookNode, cell: Translation) -> str | None:
    if cell.untranslated:
        return "is not translated yet: translate it, and remove untranslated=true"
    if cell.english != digest_of_cell(english):
        return (
            "the English has changed since its translation: update the translation, then run "
            f"`labkit translate --accept {english.id}`"
        )
    if cell.kind != english.cell_type:
        return f"make it a {english.cell_type} cell, as in English"
    if len(gaps(cell.source)) != len(gaps(english.source)):
        return "it needs BEGIN ANSWER and END ANSWER where the English has them"
    if any(answers_in_text(cell.source)):
        return "remove the text between BEGIN ANSWER and END ANSWER; the answer comes from the English lab"
    one, other = (replace_answers(text, "pass") for text in (english.source, cell.source))
    return (code_difference if cell.kind == "code" else difference)(one, other)


def translatable(source: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The cells with text for students; a translation needs all of them."""
    return [cell for cell in source.cells if ONLY_SOLUTION not in cell.metadata.get("tags", ()) and _has_words(cell)]


def _has_words(cell: nbformat.NotebookNode) -> bool:
    text = replace_answers(cell.source, "pass" if cell.cell_type == "code" else "")
    return bool(words_in_code(text) if cell.cell_type == "code" else text.strip())


def digest_of_cell(cell: nbformat.NotebookNode) -> str:
    """Return a digest of a cell's English text without its answers."""
    return digest_of(_without_answers(cell.source))


def _without_answers(text: str) -> str:
    return _with_answers(text, [""] * len(gaps(text)))


def _with_answers(text: str, answers: list[str]) -> str:
    """Insert these answers between the answer marks of a cell."""
    for answer, (begin, end) in zip(reversed(answers), reversed(gaps(text))):
        text = "".join((text[:begin], "\n", answer and answer + "\n", text[end:]))
    return text


def renewed(source: nbformat.NotebookNode, cells: dict[str, Translation], accepted: Collection[str] = ()) -> str:
    """Return the translation file's text, with missing cells added in English and new digests for the `accepted` cells.

    Cells no longer in the English lab come last, so that their translation is not lost.
    """
    english = {cell.id: cell for cell in translatable(source)}
    kept = {name: cells.get(name) or _start(cell) for name, cell in english.items()}
    for name in accepted:
        kept[name] = replace(kept[name], english=digest_of_cell(english[name]), untranslated=False)
    return "\n".join(_text_of(name, cell) for name, cell in {**kept, **cells, **kept}.items())


def _start(english: nbformat.NotebookNode) -> Translation:
    return Translation(english.cell_type, _without_answers(english.source), digest_of_cell(english), True)


def _text_of(name: str, cell: Translation) -> str:
    """A cell in percent format."""
    mark = " [markdown]" if cell.kind == "markdown" else ""
    head = f'# %%{mark} name="{name}" english="{cell.english}"' + " untranslated=true" * cell.untranslated
    lines = cell.source.splitlines()
    if cell.kind == "markdown":
        lines = [f"# {line}".rstrip() for line in lines]
    return "\n".join((head, *lines, ""))
