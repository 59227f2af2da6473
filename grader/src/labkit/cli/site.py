"""`labkit site`: write the labs as a static web site."""

from __future__ import annotations

import re
from pathlib import Path

import click

from labkit.cli.options import InCourse, writing
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount


@click.command(cls=InCourse)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The folder to write into.")
@click.option(
    "--pyodide",
    metavar="ADDRESS|FOLDER",
    help="Address or folder of Pyodide, which runs Python in the browser; a folder is copied.  [default: the address in JupyterLite's kernel]",
)
@click.option(
    "--source",
    "named",
    metavar="OWNER/NAME[@REF]",
    help="Public GitHub repository, for links to Colab and Binder.  [default: no such links]",
)
@click.option("--book-only", is_flag=True, help="Write only pages and downloads, without JupyterLite.")
@click.option("--with-solutions", is_flag=True, help="Include the solutions; for instructors only.")
def site(
    project: Project, out: Path, pyodide: str | None, named: str | None, book_only: bool, with_solutions: bool
) -> None:
    """Write the labs as a static web site. Each lab's page opens the lab in JupyterLite, which runs in the browser. Any web server can serve the folder, under any prefix."""
    from labkit.author.site.build import may_be_written, missing, write_site
    from labkit.author.site.pages import Source
    from labkit.author.source.translate import must_be_whole
    from labkit.grade.batch.course_check import wrong_parts

    if absent := missing():
        raise UserError(f"a site needs {', '.join(absent)}: pip install 'nblabkit[site]'")
    if book_only and pyodide:
        raise UserError("--book-only takes no --pyodide: its pages run no code")
    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: a file with this name already exists")
    for fault in wrong_parts(project, project.course.names):
        raise UserError(fault)
    must_be_whole(project, project.course.labs.values())
    source = None
    if named:
        found = re.fullmatch(r"([\w.-]+/[\w.-]+)(?:@([\w./-]+))?", named)
        if not found:
            raise UserError(f"--source {named!r} is not OWNER/NAME or OWNER/NAME@REF")
        source = Source(found[1], found[2] or "main")
    with writing(out):
        may_be_written(out)
        out.mkdir(parents=True, exist_ok=True)
        languages = write_site(project, out, source, pyodide, not book_only, with_solutions)
    labs = amount(len(project.course.names), "lab")
    click.echo(f"{out}: {labs} in {', '.join(languages)}. View it with: python -m http.server -d {out}")
