"""Test the CI workflows and .ci/run, which installs bubblewrap and Chromium if it can and then runs the tests."""

import re
import shutil
import subprocess
import tomllib

import pytest
import yaml
from needs import needs

from labkit.student.model import project

RUN = project.current().root / ".ci" / "run"
HIDING = ("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE")  # set on developers' machines, where they hide faults
NEEDED = ("bash", "dirname", "sh", "timeout")


@pytest.fixture
def machine(tmp_path):
    """Fake programs in the only folder where .ci/run can find any. The fake `make` prints its arguments and its input."""

    def program(name: str, script: str) -> None:
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)

    for name in NEEDED:
        (tmp_path / name).symlink_to(shutil.which(name))
    program("make", 'read -r line; echo make "$@" "[$line]$PYTHONUNBUFFERED$PYTHONDONTWRITEBYTECODE"')
    program("id", "echo 0")
    program.run = lambda: subprocess.run(
        [RUN],
        env={"PATH": str(tmp_path), **dict.fromkeys(HIDING, "1")},
        capture_output=True,
        text=True,
        timeout=60,
        input="of a terminal\n",
    )
    return program


BROWSER = {"chromium": ""}


@needs("Linux")
@pytest.mark.parametrize(
    ("programs", "missing"),
    [
        ({"bwrap": "", **BROWSER, "apt-get": "exit 100"}, []),
        ({"bwrap": "", "google-chrome": "", "apt-get": "exit 100"}, []),
        ({"apt-get": '[ "$1" = update ] || /bin/ln -s sh "${0%/*}/bwrap"', **BROWSER}, []),
        ({"apt-get": '[ "$1" = update ] || /bin/ln -s sh "${0%/*}/chromium"', "bwrap": ""}, []),
        ({"apt-get": "exit 100", **BROWSER}, ["bubblewrap"]),
        ({"apt-get": '/bin/ln -s sh "${0%/*}/bwrap"', "id": "echo 1000", **BROWSER}, ["bubblewrap"]),
        ({}, ["bubblewrap", "chromium"]),
    ],
)
def test_available_programs_are_installed_and_the_tests_run_in_any_case(programs, missing, machine):
    for name, script in programs.items():
        machine(name, script)
    done = machine.run()
    assert (done.returncode, done.stdout) == (0, "make test UV= []\n"), done.stderr
    assert [line.split(" is missing")[0] for line in done.stderr.splitlines()] == missing


WORKFLOWS = {path.stem: path for path in (project.current().root / ".github" / "workflows").iterdir()}


@pytest.fixture(params=WORKFLOWS)
def each_workflow(request) -> dict:
    return yaml.safe_load(WORKFLOWS[request.param].read_text("utf-8"))


@pytest.fixture(scope="module")
def workflow() -> dict:
    return yaml.safe_load(WORKFLOWS["ci"].read_text("utf-8"))


def test_the_workflow_runs_it_on_every_python_that_is_promised(workflow):
    metadata = tomllib.loads((project.current().root / "pyproject.toml").read_text("utf-8"))["project"]
    promised = [each.rpartition(" ")[2] for each in metadata["classifiers"] if re.search(r":: 3\.\d+$", each)]
    linux = workflow["jobs"]["linux"]
    assert linux["strategy"]["matrix"]["python"] == promised
    assert metadata["requires-python"] == f">={promised[0]}"
    assert ".ci/run" in [step.get("run") for step in linux["steps"]]


def test_the_workflow_runs_it_on_a_newcomers_machine(workflow):
    """Debian 12 has Python 3.11.2. The user is an ordinary one, and neither bubblewrap nor a browser is installed."""
    job = workflow["jobs"]["newcomer"]
    script = "\n".join(step.get("run", "") for step in job["steps"])
    assert job["container"] == "debian:12" and re.search(
        r"runuser -u \w+ -- env HOME=\S+ \.ci/run$", script, re.MULTILINE
    )
    assert not re.search("bubblewrap|chromium", script)


PINNED = re.compile(r"(actions|pypa)/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
MAY_WRITE = {"publish": {"id-token": "write"}, "pages": {"id-token": "write", "pages": "write"}}


def test_a_workflow_may_only_read_and_has_a_time_limit(each_workflow):
    assert each_workflow["permissions"] == {"contents": "read"}
    for name, job in each_workflow["jobs"].items():
        assert job["timeout-minutes"] <= 60
        granted = job.get("permissions", {})
        assert granted == MAY_WRITE[name] if name in MAY_WRITE else {*granted.values()} <= {"read"}


def test_a_workflow_tests_a_users_machine(each_workflow):
    assert {name: each_workflow["env"][name] for name in HIDING} == dict.fromkeys(HIDING, "")


@pytest.mark.parametrize("name", WORKFLOWS)
def test_actions_are_pinned_and_say_their_version(name):
    used = re.findall(r"uses: (.+)", WORKFLOWS[name].read_text("utf-8"))
    assert used and all(PINNED.fullmatch(each) for each in used), used


def test_only_a_tag_publishes_and_only_what_was_tested():
    workflow = yaml.safe_load(WORKFLOWS["release"].read_text("utf-8"))
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML reads the key `on` as true
    publish, build = workflow["jobs"]["publish"], workflow["jobs"]["build"]
    assert publish["needs"] == "build" and publish["environment"] == "pypi"
    assert "run" not in {
        key for step in publish["steps"] for key in step
    }  # only other people's actions run with permission to publish
    runs = [step.get("run", "") for step in build["steps"]]
    assert any("pytest" in run for run in runs) and "GITHUB_REF_NAME" in "".join(runs)


def test_the_site_is_published_without_solutions_and_without_publishing_packages():
    workflow = yaml.safe_load(WORKFLOWS["site"].read_text("utf-8"))
    assert workflow[True] == {"push": {"tags": ["v*"]}, "workflow_dispatch": None}
    pages, build = workflow["jobs"]["pages"], workflow["jobs"]["build"]
    assert {*workflow["jobs"]} == {"build", "pages"} and pages["needs"] == "build"
    assert "run" not in {key for step in pages["steps"] for key in step}
    runs = [step["run"] for step in build["steps"] if "run" in step]
    assert runs[-1].startswith(".venv/bin/labkit site --out site --address ") and runs[-1].endswith(" $SOURCE")
    assert "solutions" not in runs[-1] + build["env"]["SOURCE"]
    assert all("--constraint" in run for run in runs if "pip install" in run)


@pytest.mark.parametrize(("name", "job"), [("ci", "macos"), ("newest", "newest-pytest")])
def test_the_tests_that_ci_names_exist(name, job):
    steps = yaml.safe_load(WORKFLOWS[name].read_text("utf-8"))["jobs"][job]["steps"]
    named = [word for step in steps for word in re.findall(r"(?:grader/)?tests/\S+", step.get("run", ""))]
    assert len(named) > 5 and all((project.current().root / name).is_file() for name in named)


def test_nbval_meets_the_newest_pytest_each_week():
    workflow = yaml.safe_load(WORKFLOWS["newest"].read_text("utf-8"))
    assert workflow[True]["schedule"]
    steps = [step.get("run", "") for step in workflow["jobs"]["newest-pytest"]["steps"]]
    assert any(re.search(r"install --upgrade pytest$", step) for step in steps)
