"""Join the parts of one download. Google Drive splits a large download into NAME-001.zip, NAME-002.zip or NAME-2-001.zip."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from labkit.grade.intake.tree import File, Folder

PART = re.compile(r"(?P<download>.+?)(-\d{1,2})?-\d{3}")
STAMPED = re.compile(r"-\d{8}T\d{6}Z$")  # Drive's time of download, the same in each part's name


def joined(trees: Mapping[Path, File | Folder]) -> dict[Path, File | Folder]:
    """Replace the parts of each download with one tree at the path of the first part."""
    whole: dict[Path, File | Folder] = {}
    first: dict[tuple[str, ...], Folder] = {}
    for place, tree in trees.items():
        part = _part(tree)
        if part is None or not isinstance(tree, Folder):
            whole[place] = tree
        elif part in first:
            _add(first[part], tree)
        else:
            whole[place] = first[part] = tree
    return whole


def _part(tree: File | Folder) -> tuple[str, ...] | None:
    """Return a key that is the same for all parts of a download; None for a tree that is not a part."""
    if not isinstance(tree, Folder) or not (found := PART.fullmatch(tree.name)):
        return None
    if STAMPED.search(found["download"]):
        return (found["download"],)
    return (found["download"], tree.folders[0].name) if len(tree.folders) == 1 and not tree.files else None


def _add(to: Folder, more: Folder) -> None:
    known = {folder.name: folder for folder in to.folders}
    for folder in more.folders:
        if folder.name in known:
            _add(known[folder.name], folder)
        else:
            to.folders.append(folder)
    to.files += more.files
    to.folders.sort(key=lambda each: each.name)
    to.files.sort(key=lambda each: each.name)
    to.is_repository |= more.is_repository
