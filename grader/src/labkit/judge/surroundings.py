"""The environment in which checks run: pytest takes options and plugins from the caller's."""

from __future__ import annotations

import os

KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "MPLCONFIGDIR", "XDG_CACHE_HOME")


def surroundings() -> dict[str, str]:
    """Of the environment only what says where things are and which layer holds."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("LABKIT_")}
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
