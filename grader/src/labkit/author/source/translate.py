"""Check and update a lab's translation: cells, sentences in code, messages, and the cheat sheet."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from labkit.author.source import edition, messages, percent, texts
from labkit.author.source.same_facts import difference, digest_of
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.notebook.cheat_sheet import ORIGIN

PAGE = "cheat_sheet"  # --accept uses this name for the cheat sheet


def has_edition(project: Project, lab: Lab, language: str) -> bool:
    """Whether the lab has a translation, complete or not."""
    return project.edition_of(lab.name, language).exists()


def faults(project: Project, lab: Lab, language: str) -> Iterator[str]:
    """Yield one line for each missing or wrong part of a lab's translation."""
    path = project.edition_of(lab.name, language)
    for fault in edition.faults(_source(project, lab), edition.read(path)):
        yield f"{project.below(path)}, {fault}"
    yield from texts.faults(project, None, language)
    yield from texts.faults(project, lab.name, language)
    yield from messages.faults(project, lab.name, language)
    if fault := _fault_of_page(project, lab, language):
        yield f"{project.below(_page(project, lab, language))}: {fault}"


def must_be_whole(project: Project, lab: Lab, language: str) -> None:
    """Check that the translation is complete. Errors: UserError for the first fault."""
    for fault in faults(project, lab, language):
        raise UserError(fault)


def renew(project: Project, lab: Lab, language: str, accepted: Collection[str] = ()) -> Iterator[Path]:
    """Add missing parts to a lab's translation, mark `accepted` ones as up to date, and yield the files that changed."""
    source, path = _source(project, lab), project.edition_of(lab.name, language)
    cells = edition.read(path) if path.exists() else {}
    known = {cell.id for cell in edition.translatable(source)} & cells.keys()
    named = messages.names_of(project, lab.name, language)
    for name in {*accepted} - known - named - {PAGE}:
        raise UserError(
            f"{project.below(path)}: there is no cell or message {name!r} to accept; the cells are {', '.join(sorted(known))}"
        )
    page = _page(project, lab, language)
    english = _page(project, lab, "en")
    digests, text = messages.renewed(project, lab.name, language, accepted)
    files = {
        digests: text,
        path: edition.renewed(source, cells, known & {*accepted}),
        texts.file_of(project, lab.name, language): texts.renewed(project, lab.name, language),
    }
    if english.exists() and not page.exists():
        files[page] = _with_origin(english, english.read_text("utf-8"), untranslated=True)
    elif PAGE in accepted:
        files[page] = _with_origin(english, ORIGIN.sub("", page.read_text("utf-8")))
    for path, text in files.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            yield path


def _source(project: Project, lab: Lab):
    return percent.read_source(project.solutions / f"{lab.name}.py", lab)


def _page(project: Project, lab: Lab, language: str) -> Path:
    return texts.file_of(project, lab.name, language).with_name(f"cheat_sheet.{language}.md")


def _with_origin(english: Path, text: str, untranslated: bool = False) -> str:
    mark = " untranslated=true" * untranslated
    return f'<!-- english="{digest_of(english.read_text("utf-8"))}"{mark} -->\n{text}'


def _fault_of_page(project: Project, lab: Lab, language: str) -> str | None:
    english, page = (_page(project, lab, each) for each in ("en", language))
    if not english.exists():
        return None
    if not page.exists():
        return "is missing: `labkit translate` adds it"
    text = page.read_text("utf-8")
    head = ORIGIN.match(text)
    if head and "untranslated=true" in head[0]:
        return "is not translated yet: translate it, and remove untranslated=true"
    if not head or f'english="{digest_of(english.read_text("utf-8"))}"' not in head[0]:
        return f"the English has changed since its translation: update the translation, then run `labkit translate --accept {PAGE}`"
    return difference(english.read_text("utf-8"), ORIGIN.sub("", text))
