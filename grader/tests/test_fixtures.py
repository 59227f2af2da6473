"""No test changes what a later one in the same process sees."""

import os
import subprocess
import sys
from pathlib import Path

import needs
import pytest

TESTS = """
import pytest

@pytest.mark.parametrize("n", range(3))
def test_style(n):
    import matplotlib.pyplot as plt
    from labkit.student.notebook.figures import STYLE

    assert plt.rcParams["axes.titlelocation"] == "center"
    plt.style.use(STYLE)
    assert plt.rcParams["axes.titlelocation"] == "left"
"""


@pytest.mark.parametrize("before", ["", "import matplotlib"], ids=["loaded by a test", "loaded before"])
def test_a_style_ends_with_its_test(before, tmp_path):
    (tmp_path / "conftest.py").write_text(f"from fixtures import *\n{before}\n")
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  long(why)\n  needs(what)\n")
    own = {"PYTHONPATH": str(Path(needs.__file__).parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | own, capture_output=True, text=True, timeout=240)
    assert "3 passed" in done.stdout, done.stdout + done.stderr
