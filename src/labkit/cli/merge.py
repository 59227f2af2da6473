"""`labkit merge`: the shards of a class, as if it had been graded on one machine."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from labkit.cli.options import InCourse
from labkit.cli.problems import Failure, Problem
from labkit.cli.run import Given, run


@click.command(cls=InCourse)
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder for the results and reports.")
def merge(shards: tuple[Path, ...], out: Path) -> None:
    """Put together what `labkit grade --shard` left in each of these folders. Nothing is run."""
    from labkit.grading import shard

    if out.resolve() in {folder.resolve() for folder in shards}:
        raise Problem(f"{out}: this is one of the shards; name another folder with --out")
    try:
        facts = shard.together(shards)
        shard.gather(shards, out)
    except shard.ShardProblem as problem:
        raise Problem(str(problem)) from None
    except OSError as error:
        raise Failure(f"{error.filename or out}: it cannot be copied ({error.strerror})") from None
    given = Given.from_json(facts["given"], out=out, seed=facts["seed"], of_shards=facts, resume=True, elsewhere=True)
    run(given, lambda say, meanwhile: nullcontext(shard.nobody))
