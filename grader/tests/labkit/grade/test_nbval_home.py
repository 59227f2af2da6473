"""nbval needs no folder that it can write to in the user's home."""

import json
import os
import subprocess
import sys

import nbformat
import pytest


@pytest.mark.parametrize("home", ["/dev/null/home", "/dev/null"], ids=["missing", "no folder"])
def test_a_notebook_with_figures_passes_nbval_without_a_home(home, tmp_path):
    """Matplotlib then prints a warning, which is not in the stored outputs. Only root may write anywhere, so no home is closed to it."""
    cell = nbformat.v4.new_code_cell("import matplotlib.pyplot as plt\nprint(1)", execution_count=1)
    cell.outputs = [nbformat.v4.new_output("stream", text="1\n")]
    notebook = nbformat.v4.new_notebook(cells=[cell])
    (tmp_path / "lab.ipynb").write_text(json.dumps(notebook))
    unset = {"MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "MPLBACKEND"}
    own = {name: value for name, value in os.environ.items() if name not in unset} | {"HOME": home}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "labkit.grade.judge.plugin",
        "--nbval",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run([*command, "lab.ipynb"], cwd=tmp_path, env=own, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout
