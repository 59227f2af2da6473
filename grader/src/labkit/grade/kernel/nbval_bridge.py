"""All imports from nbval, in one file, because nbval has had no release since 2024-03 and may break.

nbval's kernel is imported with this file. nbval's plugin is imported when one of its names is first used: it imports pytest and
nbformat, which a process that only starts kernels does not need.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager, RunningKernel

if TYPE_CHECKING:
    from nbval.plugin import (
        IPyNbCell,
        IPyNbFile,
        NbCellError,
        coalesce_streams,
        find_comment_markers,
        find_metadata_tags,
    )

PLUGIN = "nbval.plugin"  # for pytest's option -p
__all__ = [
    "CURRENT_ENV_KERNEL_NAME",
    "IPyNbCell",
    "IPyNbFile",
    "NbCellError",
    "NbvalKernelspecManager",
    "RunningKernel",
    "coalesce_streams",
    "find_comment_markers",
    "find_metadata_tags",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import labkit.grade.intake.fast_nbformat  # noqa: F401  before the plugin imports nbformat

    return getattr(import_module(PLUGIN), name)
