"""Measure how long `make env` and `make test` take in a fresh clone of the project."""

from __future__ import annotations

import subprocess
from dataclasses import asdict
from pathlib import Path

from classroom import ROOT
from measure import measure


def make(place: Path) -> dict:
    """Measure `make env` and `make test` in a clone of the last commit. pip gets packages from its configured index."""
    clone = place / "clone"
    place.chmod(0o755)  # some tests run as an ordinary user, who must be able to enter the folder
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True, timeout=600)
    found = {}
    for target in ("env", "test"):
        clean = ["env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL"]
        found[target] = asdict(measure([*clean, "make", target], clone, place / f"{target}.log"))
        print(f"make {target}: {found[target]}", flush=True)
    return found
