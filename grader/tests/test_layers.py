"""Import rules: rooms import only rooms below them, the grader imports no course, no lab imports another, and tests stay in their part."""

import ast
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path

from labkit.student.model import course, project

# Four houses and the command, each with its rooms from the lowest layer upward.
HOUSES = {
    "student": ("model", "judging", "calls", "notebook"),
    "grade": ("sandbox", "intake", "kernel", "judge", "batch", "cluster"),
    "desk": ("people", "pages", "interview", "reading", "lms"),
    "author": ("source", "release", "site"),
    "cli": ("commands",),
}
# The houses that each house must not know. Only the command knows all of them.
NEVERS = {
    "student": {"grade", "desk", "author"}, "grade": {"desk", "author"}, "desk": {"author"}, "author": {"desk"}, "cli": set(),
}  # fmt: skip
FACES = {"notebook", "model", "judge"}  # names that courses import; they repeat definitions of the houses
ROOMS = tuple(f"{house}.{room}" for house, rooms in HOUSES.items() for room in rooms)
LABKIT, COURSE = project.current().root / "grader/src/labkit", project.current().source / "encoding_labs"
HEIGHT = {room: height for height, room in enumerate(ROOMS)}


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every module that a file imports, at its top or inside functions, with the imported names."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(path: Path) -> str:
    """The house and the room of a file."""
    return named_room(".".join(path.relative_to(LABKIT).with_suffix("").parts))


def named_room(module: str) -> str:
    """The house and the room of a module below `labkit`, such as grade.judge; empty if it is in none. Commands are files of `cli`."""
    house, room, *_ = (*module.split("."), "", "")
    if house in ("cli", "__main__"):
        return "cli.commands"
    return f"{house}.{room}" if f"{house}.{room}" in HEIGHT else ""


FILES = sorted(
    path
    for house in (*HOUSES, "__main__.py")
    for path in (LABKIT.joinpath(house).rglob("*.py") if house in HOUSES else (LABKIT / house,))
    if "template" not in path.parts
    and (path.name != "__init__.py" or path.parent.parent != LABKIT or path.parent.name == "cli")
)


def test_each_room_imports_only_rooms_below_it():
    up = []
    for path in FILES:
        room = room_of(path)
        assert room, f"{path.relative_to(LABKIT)} is in no room of the plan"
        for name in imports(path):
            package, _, rest = name.partition(".")
            other = named_room(rest) if package == "labkit" else ""
            if other and other != room and HEIGHT[other] >= HEIGHT[room]:
                up.append(f"{path.relative_to(LABKIT)} imports {name}, which is above it")
            if package in ("encoding_labs", "minimodel", "autograder"):
                up.append(f"{path.relative_to(LABKIT)} imports {name}")
    assert not up


def test_no_house_imports_what_it_must_not_know():
    known = []
    for path in FILES:
        house = room_of(path).partition(".")[0]
        for name in imports(path):
            other = name.removeprefix("labkit.").partition(".")[0] if name.startswith("labkit.") else ""
            if other in NEVERS[house] | FACES or other == "cli" != house:
                known.append(f"{path.relative_to(LABKIT)} imports {name}")
    assert not known


def test_one_file_imports_nbval():
    assert [path.name for path in FILES if any(name.startswith("nbval") for name in imports(path))] == [
        "nbval_bridge.py"
    ]


# Files in which a process starts, so they may use the current project: the command, pytest's plugin, a student's kernel, and
# processes that the grader starts.
MAY_ASK = """
cli/options.py grade/batch/warm_up.py grade/batch/worker.py grade/cluster/remote.py grade/judge/in_kernel.py
grade/judge/plugin.py grade/kernel/fork_server.py student/calls/calling.py student/notebook/missing.py
student/notebook/examine.py student/notebook/language.py student/notebook/look.py
"""
CURRENT = {"labkit.student.model.project.current", "labkit.student.model.course.current"}


def asks_for_the_current_one(path: Path) -> bool:
    """Whether the file calls `current` of `labkit.student.model.project` or `labkit.student.model.course`, however it is imported."""
    called = [
        ast.unparse(node.func) for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)
    ]
    return bool({"project.current", "course.current", *(["current"] if CURRENT & {*imports(path)} else [])} & {*called})


def test_the_current_project_or_course_is_asked_for_where_a_process_begins():
    """All other code takes the project or the course as an argument."""
    assert {path.relative_to(LABKIT).as_posix() for path in FILES if asks_for_the_current_one(path)} == {
        *MAY_ASK.split()
    }


def module_of(path: Path) -> str:
    parts = path.relative_to(LABKIT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_no_files_import_each_other_in_a_circle():
    modules = {module_of(path): path for path in FILES}
    waiting = {}
    for module, path in modules.items():
        named = {name if name in modules else name.rpartition(".")[0] for name in imports(path)}
        waiting[module] = (named & modules.keys()) - {module}
    while free := [module for module, needs in waiting.items() if not needs]:
        waiting = {module: needs.difference(free) for module, needs in waiting.items() if module not in free}
    assert not waiting, "some of these files import one another in a circle"


# Everything else in the package is shared by all labs.
OF_A_LAB = {course.folder_of(lab) for lab in project.current().course.names}
OF_THE_COURSE = sorted(COURSE.rglob("*.py"))


def test_no_lab_is_imported_by_another_or_by_what_labs_share_and_none_imports_what_only_graders_have():
    wrong = []
    for path in OF_THE_COURSE:
        lab = path.relative_to(COURSE).parts[0]
        for name in imports(path):
            first, second, *_ = (*name.split("."), "")
            another = first == "encoding_labs" and second in OF_A_LAB - {lab}
            above = first == "labkit" and second not in ("student", "notebook", "model")
            if another or above or first in ("autograder", "solutions"):
                wrong.append(f"{path.relative_to(COURSE)} imports {name}")
    assert len(OF_THE_COURSE) > 30 and not wrong


def test_the_locked_module_imports_nothing_of_ours():
    for path in (project.current().source / "minimodel").rglob("*.py"):
        assert not [name for name in imports(path) if name.split(".")[0] in ("labkit", "encoding_labs")]


def test_tests_of_the_grader_name_nothing_of_this_course():
    """The grader's tests run on the tiny course, so that a change to a lab needs no change there."""
    words = ("encoding_labs", "minimodel", "sinusoidal", *(name[3:] for name in course.current().names))
    below = (project.current().root / "grader/tests/labkit").rglob("*")
    files = [path for path in below if path.is_file() and path.suffix != ".pyc"]
    named = [(path.name, word) for path in files for word in words if word in path.read_text("utf-8").lower()]
    assert len(files) > 50 and not named


@cache
def arrows() -> frozenset[tuple[str, str]]:
    """Which house imports which. Imports that follow from others are left out."""
    found = {("encoding_labs", "student")}
    for path in FILES:
        house = room_of(path).partition(".")[0]
        below = {name.split(".")[1] for name in imports(path) if name.startswith("labkit.")}
        found |= {(house, other) for other in below if other in HOUSES and other != house}
    return frozenset(arrow for arrow in found if not _leads(found - {arrow}, *arrow))


def _leads(arrows: Set[tuple[str, str]], one: str, other: str) -> bool:
    reached, waiting = set(), [one]
    while waiting:
        here = waiting.pop()
        further = {there for start, there in arrows if start == here} - reached
        reached |= further
        waiting += further
    return other in reached


def test_the_readme_diagram_matches_the_imports():
    readme = (project.current().root / "grader/README.md").read_text("utf-8")
    drawn = "\n".join(f"    {one} --> {other}" for one, other in sorted(arrows()))
    block = f"```mermaid\nflowchart TD\n{drawn}\n```"
    assert block in readme, f"replace the diagram in grader/README.md with this:\n{block}"


def test_the_import_graph_has_no_circle():
    assert not [one for one, _ in arrows() if _leads(arrows(), one, one)]
