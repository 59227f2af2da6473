"""JupyterLab on a copy of the labs, and Chromium."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from needs import CHROMIUM
from pyodide_fixture import *  # noqa: F403

from labkit.student.model import project

playwright = pytest.importorskip("playwright.sync_api")
SECONDS = 180
QUIET = "--disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
SETTINGS = {
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},  # render every cell
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}


@pytest.fixture(scope="session")
def notebooks(tmp_path_factory):
    """The folder that JupyterLab opens, with copies of the labs and their solutions."""
    folder, here = tmp_path_factory.mktemp("jupyterlab"), project.current()
    for part in (here.labs, here.solutions):
        shutil.copytree(part, folder / part.name)
    shutil.copytree(Path(sys.prefix) / "share/jupyter/lab", folder / "app", ignore=shutil.ignore_patterns("staging"))
    (folder / "app/settings").mkdir(exist_ok=True)
    (folder / "app/settings/overrides.json").write_text(json.dumps(SETTINGS))
    return folder


@pytest.fixture(scope="session")
def server(notebooks):
    """JupyterLab's address."""
    folder = notebooks
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ServerApp.port=0"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={folder}", f"--app-dir={folder / 'app'}"]
    command += ["--LabApp.expose_app_in_browser=True", "--ServerApp.ip=127.0.0.1"]
    surroundings = {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_RUNTIME_DIR": str(folder / "run"),
    }
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(command, cwd=folder, env=surroundings, stdout=log, stderr=log)
        try:
            yield _address(process, folder)
        finally:
            process.kill()  # kernels stop when their parent does, and a graceful shutdown may take a minute
            process.wait(30)


def _address(process: subprocess.Popen, folder: Path) -> str:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and process.poll() is None:
        for path in (folder / "run").glob("jpserver-*.json"):
            try:
                address = json.loads(path.read_text())["url"]
                urllib.request.urlopen(f"{address}api", timeout=5).read()
                return address
            except (OSError, ValueError):
                pass
        time.sleep(0.3)
    raise AssertionError((folder / "log").read_text()[-2000:])


@pytest.fixture(scope="module")  # not "session", because its event loop would still run while other tests start theirs
def browser():
    """A running Chromium."""
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *QUIET.split()])
        yield browser
        browser.close()


@pytest.fixture
def open_notebook(server, browser):
    """Open a notebook of the labs or solutions in a new browser tab."""
    pages = []

    def opened(path: str):
        page = browser.new_page(viewport={"width": 1200, "height": 1000})
        page.set_default_timeout(SECONDS * 1000)
        pages.append(page)
        page.goto(f"{server}lab/tree/{path}?reset")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function("window.jupyterapp?.shell.currentWidget?.content?.model?.cells.length > 2")
        return page

    yield opened
    for page in pages:
        page.evaluate("async () => { await window.jupyterapp.serviceManager.sessions.shutdownAll(); }")
        page.close()
