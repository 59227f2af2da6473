"""Grade 200 submissions, 60 of them hostile or broken, and 200 honest ones. Compares rows, points, time, memory and what is left behind."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import hostile_proofs
import layouts
from attacks import HAND_INS, SEAMS, hostile_class
from attacks.kinds import Cells
from classroom import LAB, answers, filled, read

from labkit.grade.sandbox.confine import best_layer
from labkit.student.model.budgets import Budgets

SEAMS["proof"] = hostile_proofs  # proofs are a kind of answer that only this course has
HAND_INS.update(hostile_proofs.HAND_INS)
SIZE, HOSTILE, LARGEST = 200, 60, 300  # all submissions, the hostile ones, and a trusted process's limit in MiB
CELLS = {
    "array": (LAB, "frequencies"), "number": (LAB, "frequencies"), "value": (LAB, "by_hand"), "other": (LAB, "sinusoidal_pe"),
    "figure": ("02_heatmap", "draw_heatmap"), "formula": ("03_rotation_proof", "proof"), "locked": (LAB, "sinusoidal_pe"),
}  # fmt: skip


def chosen() -> list[str]:
    """Choose 60 submissions: all that repeat an attack from the red team's findings, and an even sample of the others."""
    found = [name for name in hostile_class.chosen(CELLS) if HAND_INS[name].finding]
    rest = [name for name in hostile_class.chosen(CELLS) if not HAND_INS[name].finding]
    left = HOSTILE - len(found)
    return sorted([*found, *rest[:: len(rest) // left][:left]])


def measure(jobs: int) -> dict:
    """Grade an honest class, the hostile one, and an honest one again. Returns times, memory, and a list `faults` that should be empty."""
    names, runs = chosen(), []
    for hostile in ([], names, []):
        folder = Path(tempfile.mkdtemp(prefix="lk-class-", dir="/tmp"))
        try:
            folder.chmod(0o755)
            runs.append(_grade(folder, hostile, jobs))
        finally:
            subprocess.run(["rm", "-rf", folder], timeout=60)
        print({name: value for name, value in runs[-1].items() if name != "rows"}, flush=True)
    honest = (runs[0]["seconds"] + runs[2]["seconds"]) / 2
    budgets = Budgets()
    right = len(names) * (budgets.notebook_seconds + budgets.judging_seconds) / jobs
    return {
        "size": SIZE, "hostile": len(names), "findings": sorted({HAND_INS[name].finding for name in names} - {""}), "jobs": jobs,
        "layer": best_layer(), "honest seconds": round(honest, 1), "hostile seconds": runs[1]["seconds"], "right": round(right),
        "largest": max(run["largest"] for run in runs), "rows": runs[1]["rows"], "faults": [fault for run in runs for fault in run["faults"]],
        "within": runs[1]["seconds"] <= 2 * honest + right,
    }  # fmt: skip


def _grade(folder: Path, hostile: Iterable[str], jobs: int) -> dict:
    cells = Cells.of(CELLS)
    for name in hostile:
        HAND_INS[name].save(folder / "class" / name, cells)
    honest = [
        *hostile_class.HONEST,
        *(f"student-{number:03}" for number in range(SIZE - len(hostile) - len(hostile_class.HONEST))),
    ]
    for student in honest:
        layouts.write(folder / "class" / student / f"{LAB}.ipynb", filled(read("labs"), answers(student, right=True)))
    graded = hostile_class.grade(folder, best_layer(), jobs=jobs, budgets={})
    rows = graded.rows
    faults = [f"{name}: no row" for name in (*honest, *hostile) if name not in rows]
    faults += [f"{name}: {rows[name]['score']:g} points, {rows[name]['status']}" for name in honest
               if rows[name]["score"] != rows[name]["max_score"]]  # fmt: skip
    faults += [f"{name}: points for {exercise}" for name in hostile for exercise in _earned(rows[name], name)]
    faults += [f"left behind: {left}" for left in graded.left]
    faults += [f"a process of {graded.largest} MiB"] if graded.largest >= LARGEST else []
    kept = {
        name: f"{rows[name]['score']:g} of {rows[name]['max_score']:g}, {rows[name]['status']}"
        for name in hostile
        if name in rows
    }
    return {"seconds": round(graded.seconds, 1), "largest": graded.largest, "faults": faults, "rows": kept}


def _earned(row: dict, name: str) -> list[str]:
    """A list with the attacked exercise if it earned points that it should have lost, else an empty list."""
    attack = HAND_INS[name]
    exercise = CELLS[attack.cell][1]
    had = any(check["points"] for check in row["checks"] if check["exercise"] == exercise)
    return [exercise] if had and attack.costs != "nothing" else []


if __name__ == "__main__":
    print(json.dumps(measure(os.cpu_count() or 1), indent=1))
