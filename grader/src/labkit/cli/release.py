"""`labkit release` and `labkit site`: package the course for students, for another grader, or as a web site."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from labkit.cli.options import PATH, InCourse, Whole, labs_option, out_option, writing
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount


@click.command(cls=InCourse)
@out_option("The folder to write into.")
@click.option(
    "--to",
    "form",
    type=click.Choice(["students", "nbgrader", "gradescope"]),
    default="students",
    show_default=True,
    help="students: labs, wheels, an environment. nbgrader: a course tree. gradescope: an autograder zip for each lab.",
)
@labs_option("Release")
@click.option(
    "--seed",
    type=Whole(0),
    help="For nbgrader and gradescope: seed for the hidden calls.  [default: drawn once for each --out and stored there]",
)
@click.option("--allow-unsandboxed", is_flag=True, help="For gradescope: grade even where kernels cannot be isolated.")
def release(
    project: Project, out: Path, form: str, only: tuple[str, ...], seed: int | None, allow_unsandboxed: bool
) -> None:
    """Package the course for students or for another grader. Students get no answers; other graders get answers and tests."""
    if allow_unsandboxed and form != "gradescope":
        raise UserError(f"--to {form} takes no --allow-unsandboxed: it has no isolation to turn off")
    if seed is not None and form == "students":
        raise UserError("--to students takes no --seed: it has no hidden calls")
    labs = _complete_labs(project, [project.course.lab_named(name) for name in only] or project.course.names, out)
    with writing(out):
        if form == "students":
            _for_students(project, labs, out)
        else:
            _for_a_grader(project, labs, form, seed, allow_unsandboxed, out)


def _complete_labs(project: Project, names: Sequence[str], out: Path) -> list[Lab]:
    """The labs with these names, after checking that all their parts exist and that `out` is no file. Errors: UserError."""
    from labkit.author.source.translate import must_be_whole
    from labkit.grade.batch.course_check import wrong_parts

    if out.exists() and not out.is_dir():
        raise UserError(f"{out}: a file with this name already exists")
    for fault in wrong_parts(project, names):
        raise UserError(fault)
    labs = [project.course.labs[name] for name in names]
    must_be_whole(project, labs)
    return labs


def _for_students(project: Project, labs: Sequence[Lab], out: Path) -> None:
    from labkit.author.release import students

    written = students.write_release(project, labs, out)
    notebooks = amount(sum(path.suffix == ".ipynb" for path in written), "notebook")
    click.echo(f"{out}: {notebooks}, with wheels of labkit and the course. Give students the whole folder, as a zip.")


def _for_a_grader(
    project: Project, labs: Sequence[Lab], form: str, seed: int | None, allow_unsandboxed: bool, out: Path
) -> None:
    from labkit.author.release import graders
    from labkit.grade.batch.store import seed_for

    if form == "nbgrader":
        graders.may_be_written(out)
    out.mkdir(parents=True, exist_ok=True)
    seed = seed_for(out, seed)
    if form == "nbgrader":
        graders.write_tree(project, labs, seed, out)
        assignments = amount(len(labs), "assignment")
        click.echo(f"{out}: {assignments}. Next: cd {out} && nbgrader generate_assignment {labs[0].name}")
    else:
        for path in graders.write_zips(project, labs, seed, allow_unsandboxed, out):
            click.echo(path)


@click.command(cls=InCourse)
@out_option("The folder to write into.")
@click.option(
    "--pyodide",
    type=PATH,
    metavar="FOLDER",
    help="Folder with Pyodide, which runs Python in the browser.  [default: download it once, about 30 MB]",
)
@click.option(
    "--source",
    "named",
    metavar="OWNER/NAME[@REF]",
    help="Public GitHub repository, for links to Colab and Binder.  [default: no such links]",
)
@click.option(
    "--address",
    metavar="URL",
    default="",
    help="Where the site will be published, for search engines, link previews and a page for wrong addresses.  [default: leave these out]",
)
@click.option("--book-only", is_flag=True, help="Write only pages and downloads, without JupyterLite.")
@click.option("--with-solutions", is_flag=True, help="Include the solutions; for instructors only.")
def site(
    project: Project,
    out: Path,
    pyodide: Path | None,
    named: str | None,
    address: str,
    book_only: bool,
    with_solutions: bool,
) -> None:
    """Write the labs as a static web site. Each lab's page opens the lab in JupyterLite, which runs in the browser. Any web server can serve the folder, under any prefix."""
    from labkit.author.site.build import missing, write_site
    from labkit.author.site.pages import Edition, Source

    if absent := missing():
        raise UserError(f"a site needs {', '.join(absent)}: pip install 'nblabkit[site]'")
    if book_only and pyodide:
        raise UserError("--book-only takes no --pyodide: its pages run no code")
    if address and not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", address):
        raise UserError(f"--address {address!r} is not an address such as https://example.org/labs/")
    labs = _complete_labs(project, project.course.names, out)
    source = None
    if named:
        found = re.fullmatch(r"([\w.-]+/[\w.-]+)(?:@([\w./-]+))?", named)
        if not found:
            raise UserError(f"--source {named!r} is not OWNER/NAME or OWNER/NAME@REF")
        source = Source(found[1], found[2] or "main")
    with writing(out):
        address = address and f"{address.rstrip('/')}/"
        first = Edition(project, project.languages[0], source, not book_only, address=address)
        languages = write_site(first, out, pyodide, with_solutions)
    click.echo(
        f"{out}: {amount(len(labs), 'lab')} in {', '.join(languages)}. View it with: python -m http.server -d {out}"
    )
