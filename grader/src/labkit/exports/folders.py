"""Write a file for each lab and student, in folders with safe names."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from labkit.desk.score_store import Row
from labkit.grading.cache import whole


def write_json(out: Path, row: Row, name: str, content: object) -> Path:
    """Write OUT/LAB/STUDENT/NAME atomically. Errors: OSError."""
    path = out / _safe(row.lab or "no lab") / _safe(row.student) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as file:
        file.write(text_of(content))
    return path


def text_of(content: object) -> str:
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _safe(name: str) -> str:
    """Make a safe file name. If it differs from `name`, it ends with a digest, so that similar names stay different."""
    plain = re.sub(r"[^\w@+.,() -]", "_", name).strip(" .")[:60]
    same = plain and plain == name and len(plain.encode()) <= 200
    return name if same else f"{plain[:40]}-{hashlib.sha256(name.encode('utf-8', 'backslashreplace')).hexdigest()[:10]}"
