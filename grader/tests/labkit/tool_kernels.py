"""Run notebooks with nbclient, in the kernel for other tools or in a stock kernel, and return what each cell shows."""

import json
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NAME = "labkit"


def client_for(notebook: nbformat.NotebookNode, kernel: str = NAME, **settings: object) -> NotebookClient:
    usual = {"timeout": 20, "allow_errors": True, "coalesce_streams": True}
    client = NotebookClient(notebook, kernel_name=kernel, **{**usual, **settings})
    client.comm_open_handlers["jupyter.widget"] = lambda message: None  # authoring.py explains why
    return client


def cells(*sources: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


def shown(notebook: nbformat.NotebookNode, *kernel: str) -> list:
    """What each cell shows, except pictures."""
    ran = client_for(notebook, *kernel).execute()
    return [[_text(output) for output in cell.get("outputs", ())] for cell in ran.cells]


def _text(output: nbformat.NotebookNode) -> dict:
    """An output in a form that is the same in both kernels: without pictures, and with `~` in paths.

    A stock kernel's home is the user's, so IPython writes `~` in paths of a clone that is below it.
    """
    output = json.loads(json.dumps(output).replace(str(Path.home()) + "/", "~/"))
    data = {mime: text for mime, text in output.get("data", {}).items() if mime.startswith("text/")}
    return {**output, "metadata": None, "data": data}
