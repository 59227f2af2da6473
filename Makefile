# One verb per target; each brings up .venv by itself. `make help` lists them.
PYTHON ?= python3
# Empty it to install with pip: make env UV=
UV ?= $(shell command -v uv 2>/dev/null)
CLASS ?= examples/class
OUT ?= graded
LABFLAGS ?= $(if $(filter 0,$(shell id -u)),--allow-root)
BIN := .venv/bin
# A variable as one word of the shell, whatever is in it: quotes, spaces, or dollar signs, which `value` leaves as they are.
as_word = '$(subst ','\'',$(value $(1)))'
UNPINNED := "pip", "setuptools", "encoding-labs", "nblabkit"
LIST_PINS = from importlib.metadata import distributions; \
	installed = sorted(distributions(), key=lambda each: each.name.lower()); \
	print(*(f"    \"{each.name}=={each.version}\"," for each in installed if each.name not in ($(UNPINNED))), sep="\n")

.DEFAULT_GOAL := help
.PHONY: help env lab grade test test-lab fmt cover bench build pins clean

help: ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "make %-8s %s\n", $$1, $$2}'

env: .venv/.ready ## build .venv with everything pinned (nothing to do when nothing changed)

.venv/.ready: pyproject.toml grader/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'labkit needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=python3.12' >&2; exit 2; }
ifneq ($(UV),)
	$(UV) sync --quiet --extra grade --extra lab --extra test --python $(PYTHON)
else
	$(PYTHON) -m venv .venv
	sed -n '/^constraint-dependencies/,/^]/s/^ *"\(.*\)",$$/\1/p' pyproject.toml > .venv/constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint .venv/constraints.txt --editable grader --editable '.[grade,lab,test]'
endif
	$(BIN)/python -m compileall -q src grader/src # for kernels, which may not write beside the sources
	@touch $@

lab: env ## open JupyterLab on the first lab
	$(BIN)/jupyter lab $(LABFLAGS) labs/01_build_the_table.ipynb

grade: env ## grade examples/class, or CLASS=dir, into graded, or OUT=dir
	$(BIN)/labkit grade --out $(call as_word,OUT) -- $(call as_word,CLASS)

# Where it is set, pytest would prepare every test file anew in each worker.
test test-lab: export PYTHONDONTWRITEBYTECODE =

test: env ## run everything that CI runs; with LONG=1 the long tests too
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	LABKIT_LONG=$(LONG) $(BIN)/python -m pytest -n 3 --dist worksteal -q
	$(BIN)/python -m pytest -n 2 --dist loadfile --nbval --nbval-sanitize-with solutions/nbval.cfg -q solutions

test-lab: env ## run only the tests of one lab: make test-lab LAB=04
	@set -- solutions/$(call as_word,LAB)_*.py; \
		[ -f "$$1" ] || { echo 'name a lab by its number: make test-lab LAB=04' >&2; exit 2; }; \
		lab=$${1#*_}; lab=$${lab%.py}; \
		$(BIN)/python -m pytest -n 2 --dist worksteal -q tests/autograder/$$lab tests/course -k "$$lab or test_claims.py"

fmt: env ## mend what ruff can mend, and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

cover: env ## run the tests, slower, and say which lines none of them reaches
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term -q

bench: env ## time labkit beside its peers, and write grader/docs/benchmarks.md (takes long; grader/benchmarks/bench.py -h names parts)
	$(BIN)/python grader/benchmarks/bench.py

build: env ## generate labs/, the solution notebooks and the expected data
	$(BIN)/labkit build

pins: env ## pin what is installed now, at the end of pyproject.toml
	{ sed '/^constraint-dependencies/q' pyproject.toml && $(BIN)/python -c '$(LIST_PINS)' && echo ']'; } > .venv/pinned.toml
	cp .venv/pinned.toml pyproject.toml

clean: ## remove what make made
	rm -rf .venv graded .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*
