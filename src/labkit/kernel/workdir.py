"""What surrounds a submission's kernel: the packages in its import root, and an environment with nothing of the caller's."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import labkit
from labkit import project
from labkit.course import Environment

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def make_import_root(import_root: Path, environment: Environment) -> Path:
    """The folder whose packages a submission may import: labkit, the course's own, and what the lab gives."""
    import_root.mkdir()
    for package in packages(environment):
        (import_root / Path(package).name).symlink_to(package)
    return import_root


def packages(environment: Environment) -> tuple[str, ...]:
    """What the import root's links lead to."""
    here = project.current()
    own = (str(here.source / name) for name in (here.package, *environment.packages))
    return (str(Path(labkit.__file__).parent), *own)


def make_font_cache(config: Path) -> Path:
    """Matplotlib's folder, with the list of fonts in it: a fresh one would list the system's fonts again."""
    config.mkdir()
    for cache in _font_caches(_usual_cache()) or _font_caches(_cache_by_import()):
        shutil.copy(cache, config)
    return config


def _font_caches(folder: Path) -> list[Path]:
    return list(folder.glob("fontlist-*.json"))


def _usual_cache() -> Path:
    """Where matplotlib keeps its cache on Linux unless told otherwise; to ask it means to import it, which takes long."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("MPLCONFIGDIR") or Path(base, "matplotlib"))


def _cache_by_import() -> Path:
    """Where matplotlib says it is; the first time on a machine the import makes it."""
    import matplotlib.font_manager

    return Path(matplotlib.get_cachedir())


def environment_variables(workdir: Path, matplotlib_folder: Path) -> dict[str, str]:
    """Nothing of the caller's environment but where programs are; one thread, since kernels run side by side."""
    return {
        "PATH": os.defpath,
        **variables_of(workdir),
        "MPLCONFIGDIR": str(matplotlib_folder),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LABKIT_NO_PICTURES": "1",
        **{name: "1" for name in THREADS},
    }


def variables_of(workdir: Path) -> dict[str, str]:
    """The variables that name the kernel's own folder."""
    return {"HOME": str(workdir), "TMPDIR": str(workdir), "IPYTHONDIR": str(workdir / "ipython")}
