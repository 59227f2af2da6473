"""What somebody waits for who has just cloned the project: `make env`, then `make test`, both real."""

from __future__ import annotations

import subprocess
from dataclasses import asdict
from pathlib import Path

from classroom import ROOT
from measure import measure


def make(place: Path) -> dict:
    """In a fresh clone of what is committed. Packages come from where pip is set up to find them."""
    clone = place / "clone"
    place.chmod(0o755)  # some tests run as an ordinary user, who has to reach it
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True, timeout=600)
    found = {}
    for target in ("env", "test"):
        clean = ["env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL"]
        found[target] = asdict(measure([*clean, "make", target], clone, place / f"{target}.log"))
        print(f"make {target}: {found[target]}", flush=True)
    return found
