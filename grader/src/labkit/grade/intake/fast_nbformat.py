"""Import nbformat's cells without the rest of nbformat, which imports two validators of JSON: longer than a worker's other imports."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


@contextmanager
def only_nodes() -> Iterator[None]:
    """Meanwhile, `import nbformat` imports only nodes. The rest is imported when it is first used."""
    if "nbformat" in sys.modules or not (spec := find_spec("nbformat")):
        yield
        return
    part = sys.modules["nbformat"] = ModuleType("nbformat")
    part.__path__ = list(spec.submodule_search_locations or ())
    try:
        nodes = vars(import_module("nbformat.notebooknode"))
        part.__dict__.update(NotebookNode=nodes["NotebookNode"], from_dict=nodes["from_dict"], __getattr__=_of_the_rest)
        yield
    finally:
        del sys.modules["nbformat"]


def _of_the_rest(name: str) -> object:
    if name.startswith("_"):  # pytest asks each object of nbval's plugin whether it is a fixture
        raise AttributeError(name)
    return getattr(import_module("nbformat"), name)


with only_nodes():
    from nbformat import NotebookNode, from_dict

__all__ = ["NotebookNode", "from_dict", "only_nodes"]
