"""`labkit merge`: combine the shards of a class, as if it had been graded on one machine."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from pathlib import Path

import click

from labkit.cli.options import InCourse, writing
from labkit.cli.pipeline.options import Options
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project


@click.command(cls=InCourse)
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the results and reports.")
def merge(project: Project, shards: tuple[Path, ...], out: Path) -> None:
    """Combine the shards of a class. Each SHARD is a folder from `labkit grade --shard`. No submission is run again."""
    from labkit.cli.pipeline.run import run
    from labkit.desk.people import score_store
    from labkit.grade.batch import shard, store

    if out.resolve() in {folder.resolve() for folder in shards}:
        raise UserError(f"{out}: this is one of the shards; choose another folder with --out")
    with writing(out, "copied"):
        _keeps_manual_points(shards, out)
        records = {folder: (kept := score_store.earlier(folder)) and kept.run.shard for folder in shards}
        facts = shard.together(records)
        store.join(shards, out)
    given = Options.from_json(
        facts["given"], out=out, seed=facts["seed"], of_shards=facts, resume=True, replace=True, elsewhere=True
    )
    run(project, given, lambda say, meanwhile: nullcontext(partial(shard.without_grading, project)))


def _keeps_manual_points(shards: tuple[Path, ...], out: Path) -> None:
    """Check that `out` has all points given by hand in the shards. Errors: UserError."""
    from labkit.desk.people import score_store

    whole = score_store.digests(out)
    for folder in shards:
        for file, digest in score_store.digests(folder).items():
            if digest not in ("", whole[file]):
                name = score_store.BY_HAND[file]
                raise UserError(
                    f"{folder / name}: merging would leave out this file; move its contents to {out / name}"
                )
