"""Translated messages and titles: each `words.<language>.toml` translates the `words.en.toml` next to it.

`solutions/<language>/messages.toml` stores a digest of the English text that each message was translated from.
"""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from labkit.author.source.same_facts import difference, digest_of
from labkit.student.model.course import folder_of
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import in_a_line

HEAD = "# A digest of the English text of each translated message. `labkit translate` writes this file.\n"


def faults(project: Project, lab: str, language: str) -> Iterator[str]:
    """Yield one line for each fault in the translated messages of a lab and of shared code. Each line starts with the file."""
    digests = _read(_digests_of(project, language))
    for path in _files(project, lab, language):
        english, other = _messages(path.with_name("words.en.toml")), _messages(path)
        for name, text in english.items():
            if fault := _fault(name, text, other.get(name), digests.get(_key(project, path), {}).get(name)):
                yield f"{project.below(path)}, {name}: {fault}"
        for name in other.keys() - english.keys():
            yield f"{project.below(path)}, {name}: there is no such message in English; remove it"


def _fault(name: str, english: str, other: str | None, digest: str | None) -> str | None:
    if not other:
        return "is missing: translate it"
    if digest is None:
        return "has no digest of its English: `labkit translate` adds it"
    if digest != digest_of(english):
        return (
            "the English has changed since its translation: update the translation, then run "
            f"`labkit translate --accept {shlex.quote(name)}`"
        )
    return difference(english, other)


def renewed(project: Project, lab: str, language: str, accepted: Collection[str]) -> tuple[Path, str]:
    """Return the path of the digest file and its new text, updated for new and accepted messages."""
    path = _digests_of(project, language)
    digests = _read(path)
    for file in _files(project, lab, language):
        english, other = _messages(file.with_name("words.en.toml")), _messages(file)
        known = digests.get(_key(project, file), {})
        digests[_key(project, file)] = {
            name: digest_of(text) if name in accepted else known.get(name, digest_of(text))
            for name, text in english.items()
            if other.get(name)
        }
    return path, HEAD + "".join(
        f"\n[{json.dumps(file)}]\n"
        + "".join(f"{json.dumps(name)} = {json.dumps(digest)}\n" for name, digest in each.items())
        for file, each in sorted(digests.items())
        if each
    )


def names_of(project: Project, lab: str, language: str) -> set[str]:
    """The names of all messages that `renewed` can accept."""
    return {name for path in _files(project, lab, language) for name in _messages(path.with_name("words.en.toml"))}


def _files(project: Project, lab: str, language: str) -> list[Path]:
    """List the translation files of a lab and of the course's shared code, whether or not they exist."""
    package = project.source / project.package
    others = {folder_of(name) for name in project.course.names} - {folder_of(lab)}
    english = (path for path in package.rglob("words.en.toml") if path.relative_to(package).parts[0] not in others)
    return sorted(path.with_name(f"words.{language}.toml") for path in english)


def _key(project: Project, path: Path) -> str:
    return path.relative_to(project.source / project.package).as_posix()


def _digests_of(project: Project, language: str) -> Path:
    return project.solutions / language / "messages.toml"


def _messages(path: Path) -> dict[str, str]:
    """Map each message's dotted name, such as `similarity.cosines-only`, to its text."""
    return dict(_flat(_read(path)))


def _flat(table: Mapping[str, object], above: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        yield from _flat(value, f"{above}{name}.") if isinstance(value, dict) else [(above + name, str(value))]


def _read(path: Path) -> dict[str, dict[str, str]]:
    """Read a TOML file; a missing file counts as empty. Errors: UserError."""
    try:
        return tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    except ValueError as error:
        raise UserError(f"{path.parent.name}/{path.name}: {in_a_line(error)}") from None
