"""Grade a class in one process with otter's Python API. In otter's environment: `python otter_warm.py CLASS AUTOGRADER.zip OUT`."""

import json
import sys
from pathlib import Path

from otter.api import grade_submission


def main() -> None:
    folder, autograder, out = map(Path, sys.argv[1:])
    for notebook in sorted(folder.glob("*/*.ipynb")):
        results = grade_submission(str(notebook), str(autograder), quiet=True)
        scores = [{"score": each.score, "max_score": each.possible} for each in results.results.values()]
        place = out / notebook.parent.name / "results.json"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps({"tests": scores}))


if __name__ == "__main__":
    main()
