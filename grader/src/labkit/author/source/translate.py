"""Translate a lab. `solutions/<language>/<lab>.po` has the translations, in the gettext format that Poedit and Weblate edit.

A text counts as untranslated if its entry has no translation, has wrong facts, or is marked `fuzzy` because its English changed.
Students then see the English text, `labkit build` warns, and a release is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat

from labkit.author.source import percent
from labkit.author.source.percent import answers_in, framed, replace_answers, with_answers
from labkit.author.source.texts import (
    SHARED,
    Part,
    Text,
    code_difference,
    difference,
    lab_part,
    shared_part,
    translatable,
    without_answers,
)
from labkit.student.judging.words import WORDS
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project, read_toml
from labkit.student.model.text import in_a_line, shortened
from labkit.student.notebook.examine import PAGE

if TYPE_CHECKING:
    from polib import POEntry, POFile

Key = tuple[str | None, str]  # a text's context and its English
LANGUAGE = 'use_style(language="{}")'  # in the setup cell
CLOSE = 0.75  # similarity, from 0 to 1, above which a sentence counts as an edited version of an old one
HEADER = {"MIME-Version": "1.0", "Content-Type": "text/plain; charset=UTF-8", "Content-Transfer-Encoding": "8bit"}


@dataclass(frozen=True)
class Translation:
    """The translation of a part into one language, stored in the file at `path`."""

    part: Part
    path: Path
    language: str

    @cached_property
    def _texts(self) -> list[Text]:
        return self.part.texts()

    @cached_property
    def _entries(self) -> dict[Key, POEntry]:
        return entries(self.path)

    @cached_property
    def wrong(self) -> dict[Key, str]:
        """What is wrong with each text that counts as untranslated. Errors: UserError."""
        found = {text.key: _fault(text, self._entries.get(text.key)) for text in self._texts}
        return {key: fault for key, fault in found.items() if fault}

    def __getitem__(self, key: Key) -> str:
        """The translation of a text, or its English if it counts as untranslated."""
        return key[1] if key in self.wrong else self._entries[key].msgstr

    def faults(self, others: Iterable[Path] = ()) -> Iterator[str]:
        """Yield one line for each fault. `others`: files in which sentences must have the same translation."""
        for (context, english), fault in self.wrong.items():
            yield f"{self._named}, {context or _short(english)}: {fault}"
        for path in others if self.part.sentences else ():
            known = entries(path)
            for text in self.part.sentences:
                one, other = (each[text.key].msgstr if text.key in each else "" for each in (self._entries, known))
                if one and other and one != other:
                    yield f"{self._named}: {_short(text.english)} has a different translation in {path.name}"

    @property
    def _named(self) -> str:
        return self.path.relative_to(self.part.root).as_posix()

    def words_files(self) -> Iterator[tuple[Path, str]]:
        """Yield path and text of each `translation.<language>.json`: the messages, cheat sheet and sentences of its folder."""
        part, found = self.part, {}
        for path in part.files(WORDS):
            found.setdefault(path.parent, {})["words"] = self._mapped(read_toml(path), part.prefix(path))
        for path in part.files(PAGE):
            found.setdefault(path.parent, {})["cheat_sheet"] = self[part.prefix(path) + PAGE, path.read_text("utf-8")]
        if part.sentences:
            found.setdefault(part.folder, {})["sentences"] = {text.english: self[text.key] for text in part.sentences}
        for folder, content in found.items():
            path = (folder / f"translation.{self.language}.json").relative_to(part.root)
            yield path, json.dumps(content, ensure_ascii=False, indent=1) + "\n"

    def _mapped(self, table: Mapping[str, object], above: str) -> dict[str, object]:
        """The table with each message translated."""
        return {
            name: self._mapped(value, f"{above}{name}.") if isinstance(value, dict) else self[above + name, str(value)]
            for name, value in table.items()
        }

    def renew(self) -> bool:
        """Bring the file up to date. Returns whether it changed. Errors: UserError."""
        former = self.path.read_text("utf-8") if self.path.exists() else None
        text = renewed(self._texts, self.path, self.language)
        if text == former or former is None and not self._texts:
            return False
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(text, "utf-8")
        return True


def translations(project: Project, lab: Lab, language: str) -> tuple[Translation, Translation]:
    """The translation of a lab and of the code that labs share. Errors: UserError."""
    source = percent.read_source(project.solutions / f"{lab.name}.py", lab)
    parts = (lab_part(project, lab, source), shared_part(project))
    own, shared = (Translation(part, project.edition_of(part.name, language), language) for part in parts)
    return own, shared


def editions_of(project: Project, lab: Lab) -> list[str]:
    """The languages into which a lab is translated, completely or not."""
    return [language for language in project.editions if project.edition_of(lab.name, language).exists()]


def faults(project: Project, lab: Lab, language: str) -> Iterator[str]:
    """Yield one line for each missing or wrong text in a lab's translation, and in that of the code that labs share."""
    source = project.solutions / f"{lab.name}.py"
    if LANGUAGE.format("en") not in source.read_text("utf-8"):
        yield f"{project.below(source)}, cell setup: add {LANGUAGE.format('en')}; a translation changes the language there"
    for each in translations(project, lab, language):
        names = [name for name in (SHARED, *project.course.names) if name != each.part.name]
        yield from each.faults(project.edition_of(name, language) for name in names)


def warnings(project: Project, lab: Lab) -> Iterator[str]:
    """Yield one line for each language into which a lab is not translated, and for each fault of its translations."""
    translated = editions_of(project, lab)
    for language in project.editions:
        if language in translated:
            yield from faults(project, lab, language)
        else:
            start = f"labkit translate {lab.name[:2]} --to {language}"
            yield f"{lab.name} has no {language} translation: start one with `{start}`"


def must_be_whole(project: Project, labs: Iterable[Lab]) -> None:
    """Check that these labs have no incomplete translation. Errors: UserError for the first fault."""
    for lab in labs:
        for language in editions_of(project, lab):
            for fault in faults(project, lab, language):
                raise UserError(f"{fault}; or remove the translation")


def generated_editions(project: Project, lab: Lab) -> Iterator[tuple[Path, str]]:
    """Yield path and text of what is generated from each translation: the notebook, and the words that code reads.

    Errors: UserError.
    """
    for language in editions_of(project, lab):
        own, _ = translations(project, lab, language)
        yield from own.words_files()
        notebook = percent.student_notebook(edition(project, lab, language))
        path = project.labs_in(language) / f"{lab.name}.ipynb"
        yield path.relative_to(project.root), percent.text_of(notebook)


def generated_shared(project: Project) -> Iterator[tuple[Path, str]]:
    """Yield path and text of the words that code shared by labs reads in each language. Errors: UserError."""
    part = shared_part(project)
    for language in project.editions:
        if part.texts():
            yield from Translation(part, project.edition_of(part.name, language), language).words_files()


def edition(project: Project, lab: Lab, language: str) -> nbformat.NotebookNode:
    """Build the lab's source, with answers, in another language. Errors: UserError."""
    source = percent.read_source(project.solutions / f"{lab.name}.py", lab)
    part = lab_part(project, lab, source)
    own = Translation(part, project.edition_of(part.name, language), language)
    source.metadata["labkit"]["language"] = language
    for cell in translatable(source):
        cell.source = with_answers(own[cell.id, without_answers(cell)], answers_in(cell.source))
    for cell in source.cells:
        cell.source = cell.source.replace(LANGUAGE.format("en"), LANGUAGE.format(language))
    return framed(project, source)


def entries(path: Path) -> dict[Key, POEntry]:
    """The entries of a translation file that are in use; a missing file has none. Errors: UserError."""
    return {(each.msgctxt, each.msgid): each for each in _read(path) if not each.obsolete}


def _read(path: Path) -> POFile:
    import polib

    try:
        return polib.pofile(path.read_text("utf-8") if path.exists() else "", wrapwidth=0)
    except (OSError, ValueError) as error:
        raise UserError(f"{path.parent.name}/{path.name}: {in_a_line(error)}") from None


def _fault(text: Text, entry: POEntry | None) -> str | None:
    if entry is None:
        return "is new or has changed: `labkit translate` adds it"
    if not entry.msgstr:
        return "is not translated yet"
    if entry.fuzzy:
        return "its English has changed: correct the translation, and remove `fuzzy`"
    if len(answers_in(entry.msgstr)) != len(answers_in(text.english)):
        return "it needs BEGIN ANSWER and END ANSWER where the English has them"
    if any(answers_in(entry.msgstr)):
        return "remove the text between BEGIN ANSWER and END ANSWER; the answer comes from the English lab"
    one, other = (replace_answers(each, "pass") for each in (text.english, entry.msgstr))
    return (code_difference if text.code else difference)(one, other)


def _short(text: str) -> str:
    return json.dumps(shortened(text, 58), ensure_ascii=False)


def renewed(texts: Sequence[Text], path: Path, language: str) -> str:
    """Return a translation file's new text: an entry for each text, in order, then unused translations as obsolete entries.

    A new text has no translation. A changed one has the translation of its former English, marked as `fuzzy`.
    """
    import polib

    former, new = _read(path), polib.POFile(wrapwidth=0)
    new.header, new.metadata = former.header, former.metadata or {"Language": language, **HEADER}
    unused = {(each.msgctxt, each.msgid): each for each in former if each.msgstr}
    kept = {text.key: unused.pop(text.key, None) for text in texts}
    for text in texts:
        new.append(_entry(text, kept[text.key] or _edited(text, unused)))
    for entry in unused.values():
        entry.obsolete = True
        new.append(entry)
    return str(new)


def _edited(text: Text, unused: dict[Key, POEntry]) -> POEntry | None:
    """Take out the translation of the text's former English: by its context, or for a sentence by its similarity."""
    if text.context:
        key = next((each for each in unused if each[0] == text.context), None)
    else:
        close = get_close_matches(text.english, [english for context, english in unused if not context], 1, CLOSE)
        key = (None, close[0]) if close else None
    return unused.pop(key) if key else None


def _entry(text: Text, former: POEntry | None) -> POEntry:
    import polib

    entry = polib.POEntry(msgctxt=text.context, msgid=text.english, occurrences=[(text.where, "")])
    if former:
        entry.msgstr, entry.tcomment = former.msgstr, former.tcomment
        if former.fuzzy or former.msgid != text.english:
            entry.flags = ["fuzzy"]
            entry.previous_msgid = former.previous_msgid if former.fuzzy else former.msgid
    return entry
