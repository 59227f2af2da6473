"""Measure labkit alone, by class size."""

from __future__ import annotations

import os
import shutil
from dataclasses import asdict
from pathlib import Path

from compare import run
from tools import contenders


def by_size(place: Path, sizes: list[int], jobs: int) -> dict:
    """Grade one class of each size from scratch, without a running server or cached results. The system's page cache is kept."""
    labkit, found = contenders(jobs)[0], []
    for size in sizes:
        (place / "prepared").mkdir()
        labkit.prepare(place / "prepared", size)
        load = os.getloadavg()[0]
        cost = run(labkit, place / "prepared", place / "running", size)
        shutil.rmtree(place / "prepared")
        found.append({"size": size, "load": round(load, 2), "cost": asdict(cost)})
        print(f"labkit, class of {size}: {cost}", flush=True)
    return {"jobs": jobs, "sizes": found}
