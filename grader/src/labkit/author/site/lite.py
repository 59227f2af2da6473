"""Build JupyterLite with the labs. Each lab opens on its own page, and its imports are found through Pyodide's lock file."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from labkit.author.site.lockfile import LOCK
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

KERNEL_EXTENSION = "@jupyterlite/pyodide-kernel-extension"
APPS = ("notebooks", "tree", "lab", "edit", "consoles")  # the menus of a notebook lead to the others
PACKAGES = "pyodide"  # the folder with Pyodide and all packages
SECONDS = 300
SETTINGS: dict[str, Any] = {
    # JupyterLite's File menu cannot download a notebook, so the toolbar gets a button for it.
    "@jupyterlab/notebook-extension:panel": {
        "toolbar": [
            {"name": "download", "command": "docmanager:download", "label": "Download your notebook", "rank": 0}
        ]
    },
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},  # seconds; the default is 120
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
HEAD = '<link rel="icon" href="favicon.ico"><script src="../labkit.js" defer></script></head>'
SCRIPT = Path(__file__).with_name("lite.js")


def write_lite(
    project: Project, notebooks: Path, pyodide: Path, start: Sequence[str], words: Mapping[str, Any], out: Path
) -> None:
    """Write JupyterLite into a new folder.

    notebooks: the folder with the labs in each language. pyodide: a folder to move into the site. start: the packages that
    Pyodide loads first. Errors: UserError, OSError.
    """
    extension = _extension()
    with tempfile.TemporaryDirectory(prefix="labkit-lite-") as place:
        shutil.copytree(notebooks, Path(place, "labs"))  # JupyterLite ignores everything below a hidden folder
        settings = {
            "apps": list(APPS),
            "contents": [str(Path(place, "labs"))],
            "federated_extensions": [str(extension)],
            "ignore_sys_prefix": ["federated_extensions"],
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "output_dir": str(Path(place, "site")),
        }
        Path(place, "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": settings}), "utf-8")
        Path(place, "overrides.json").write_text(json.dumps(SETTINGS), "utf-8")
        command = [sys.executable, "-m", "jupyterlite_core", "build"]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            errors = re.findall(r"^\w*Error: .+", done.stdout + done.stderr, re.MULTILINE)
            raise UserError(
                f"JupyterLite could not be built: {(errors or ['python -m jupyterlite_core build failed'])[-1]}"
            )
        shutil.move(Path(place, "site"), out)
    shutil.move(pyodide, out / PACKAGES)
    _configure(out / "jupyter-lite.json", start)
    size = sum(path.stat().st_size for path in (out / PACKAGES).iterdir())
    labs = sorted(path.relative_to(notebooks).with_suffix("").as_posix() for path in notebooks.rglob("*.ipynb"))
    settings = {"version": project.version, "words": words, "first": project.languages[0]}
    settings |= {"labs": labs, "megabytes": round(size / 1e6)}
    script = f"const TOLD = {json.dumps(settings, ensure_ascii=False, sort_keys=True)};\n{SCRIPT.read_text('utf-8')}"
    (out / "labkit.js").write_text(script, "utf-8")
    for app in APPS:
        page = out / app / "index.html"
        page.write_text(page.read_text("utf-8").replace("</head>", HEAD, 1))


def _configure(file: Path, start: Sequence[str]) -> None:
    """Write the settings of a built site: where Pyodide and its lock file are, and what loads before the first cell."""
    config = json.loads(file.read_text("utf-8"))
    data = config["jupyter-config-data"]
    data["exposeAppInBrowser"] = True  # for labkit.js
    kernel = data["litePluginSettings"][f"{KERNEL_EXTENSION}:kernel"]
    kernel["pyodideUrl"] = f"./{PACKAGES}/pyodide.js"
    kernel["loadPyodideOptions"] = {"lockFileURL": f"./{PACKAGES}/{LOCK}", "packages": list(start)}
    file.write_text(json.dumps(config, indent=1, sort_keys=True) + "\n", "utf-8")


def _extension() -> Path:
    """Find the folder of the kernel extension in this environment. Errors: UserError."""
    folder = Path(sys.prefix, "share/jupyter/labextensions", KERNEL_EXTENSION)
    if not folder.is_dir():
        raise UserError(f"{folder} is missing: pip install jupyterlite-pyodide-kernel")
    return folder


def kernel_wheels() -> list[Path]:
    """The wheels of the kernel itself. Errors: UserError."""
    names = ("ipykernel", "piplite", "pyodide_kernel")
    return [next(_extension().glob(f"static/pypi/{name}-*.whl")) for name in names]
