"""Build JupyterLite with the labs, and copy what they need of Pyodide into the site.

Each lab opens on its own page. Before the kernel runs a cell, it looks up each import in Pyodide's lock file, to which the course is
added, and installs what it finds.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from email.parser import HeaderParser
from http.client import HTTPException
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from labkit.author.release.students import write_installed_wheel
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

KERNEL_EXTENSION = "@jupyterlite/pyodide-kernel-extension"
APPS = ("notebooks", "tree", "lab", "edit", "consoles")  # the menus of a notebook lead to the others
PACKAGES = "pyodide"  # the folder with Pyodide and all packages
SECONDS = 300  # for building JupyterLite
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
Lock = dict[str, Any]
LOCK = "pyodide-lock.json"
VERSION = "0.27.7"
ADDRESS = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full"
# The SHA-256 of this version's lock file, which has those of the packages, and of the files that it leaves out.
DIGESTS = {
    LOCK: "9c45b916001a750f4102fc287494f3eab215909c7535c626a20db80fd6333e2c",
    "pyodide.js": "b4cb23a53aba19c221659b9fb40a2f18281d685691dc06647fb0afd0681baf98",
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
}
# Packages that the kernel loads before the first cell, by import name. They load sooner if Pyodide itself loads them at the start.
OF_THE_KERNEL = ("micropip", "piplite", "ssl", "sqlite3", "ipykernel", "comm", "pyodide_kernel", "jedi", "ipython")
IN_PYTHON = {"pyodide-py"}  # part of Pyodide


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


def write_packages(folder: Path | None, wheels: Sequence[Path], kernel_wheels: Sequence[Path], out: Path) -> list[str]:
    """Write Pyodide, the packages that the labs need, and their lock file. Returns the packages to load at the start.

    folder: a copy of Pyodide; None to download it. Errors: UserError, OSError.
    """
    lock = read_lock(folder)
    for wheel in (*wheels, *kernel_wheels):
        shutil.copy(wheel, out)
    ours = {entry["name"]: entry for entry in map(entry_of, (*wheels, *kernel_wheels))}
    lock["packages"] = packages = _chosen(lock["packages"], ours, out)
    digests = dict(DIGESTS) if folder is None else dict.fromkeys(DIGESTS, "")
    digests |= {entry["file_name"]: entry["sha256"] for entry in packages.values()}
    del digests[LOCK]
    for name, digest in digests.items():
        if not (out / name).exists():
            (out / name).write_bytes(_read(folder, name, digest))
    (out / LOCK).write_text(json.dumps(lock, indent=1, sort_keys=True) + "\n", "utf-8")
    return [*OF_THE_KERNEL, *(entry_of(wheel)["name"] for wheel in wheels)]


def read_lock(folder: Path | None) -> Lock:
    """Read Pyodide's lock file. Errors: UserError."""
    try:
        lock = json.loads(_read(folder, LOCK, "" if folder else DIGESTS[LOCK]))
        return {"info": lock["info"], "packages": lock["packages"]}
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(
            f"{folder}: {LOCK} is not one of Pyodide's ({error}); choose another folder with --pyodide"
        ) from None


def _read(folder: Path | None, name: str, digest: str) -> bytes:
    """Read a file from the folder, or from the cache, into which it is downloaded.

    digest: its SHA-256; "" if unknown. Errors: UserError, OSError.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "labkit", f"pyodide-{VERSION}")
    path = (folder or cache) / name
    if folder is None and not (path.is_file() and _digest_of(path.read_bytes()) == digest):
        cache.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_download(f"{ADDRESS}/{name}"))
    if not path.is_file():
        raise UserError(f"{path} is missing: choose a folder with all of Pyodide with --pyodide")
    content = path.read_bytes()
    if digest and _digest_of(content) != digest:
        origin = path if folder else f"{ADDRESS}/{name}"
        raise UserError(f"{origin}: its SHA-256 is not the expected one, so the file was changed or damaged")
    return content


def _digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _download(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            content = answer.read()
            return gzip.decompress(content) if answer.headers["Content-Encoding"] == "gzip" else content
    except (OSError, EOFError, HTTPException) as error:
        raise UserError(
            f"{address}: cannot be downloaded ({error}); go online, use a folder with Pyodide {VERSION} with --pyodide, "
            "or leave out JupyterLite with --book-only"
        ) from None


def _chosen(known: Mapping[str, Lock], packages: Mapping[str, Lock], out: Path) -> dict[str, Lock]:
    """Add what these packages and the kernel need.

    Packages that the kernel or compiled packages need come from Pyodide, all others from this environment, where the labs were
    tested. Errors: UserError.
    """
    needed = ["comm", *(name for entry in packages.values() for name in entry["depends"])]
    chosen = {**_closure(known, OF_THE_KERNEL), **packages}
    while needed:
        name = needed.pop()
        if name in known and not known[name]["file_name"].endswith("none-any.whl"):
            chosen = _closure(known, [name]) | chosen
        elif name not in chosen:
            chosen[name] = entry_of(_installed(name, out))
            needed += chosen[name]["depends"]
    return chosen


def _closure(packages: Mapping[str, Lock], names: Iterable[str]) -> dict[str, Lock]:
    kept: dict[str, Lock] = {}
    waiting = [canonicalize_name(name) for name in names]
    while waiting:
        name = waiting.pop()
        if name not in kept and name in packages:
            kept[name] = packages[name]
            waiting += map(canonicalize_name, packages[name]["depends"])
    return kept


def entry_of(wheel: Path) -> Lock:
    """Make a wheel's entry in the lock file: name, imports and dependencies."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = next(name for name in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        stated = HeaderParser().parsestr(archive.read(metadata).decode("utf-8"))
    tops = {name.split("/")[0].removesuffix(".py") for name in names if name.endswith(".py")}
    return {
        "name": canonicalize_name(stated["Name"]),
        "version": stated["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": _digest_of(wheel.read_bytes()),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": sorted({*_depends(stated.get_all("Requires-Dist", []))}),
        "unvendored_tests": False,
    }


def _depends(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        wanted = Requirement(line)
        in_pyodide = {"extra": "", "sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix"}
        name = canonicalize_name(wanted.name)
        if name not in IN_PYTHON and (wanted.marker is None or wanted.marker.evaluate(in_pyodide)):
            yield name


def _installed(name: str, out: Path) -> Path:
    """Write a wheel of an installed package that Pyodide lacks. Returns its path. Errors: UserError."""
    try:
        installed: Distribution = distribution(name)
    except PackageNotFoundError:
        raise UserError(f"neither Pyodide nor this environment has {name}: pip install {name}") from None
    if any(str(file).endswith((".so", ".pyd", ".dylib")) for file in installed.files or ()):
        raise UserError(f"{name} is compiled and not part of Pyodide, so the labs cannot import it in a browser")
    return write_installed_wheel(installed, out)
