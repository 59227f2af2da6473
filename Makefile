# `make help` lists the targets. Each creates .venv first if it needs it.
PYTHON ?= python3
# Leave UV empty to install with pip: make env UV=
UV ?= $(shell command -v uv 2>/dev/null)
CLASS ?= examples/class
OUT ?= graded
LABFLAGS ?= $(if $(filter 0,$(shell id -u)),--allow-root)
BIN := .venv/bin
FIRST := 01_build_the_table.ipynb
# Quote a variable as one shell word, even if it contains quotes, spaces or dollar signs (`value` does not expand them).
as_word = '$(subst ','\'',$(value $(1)))'
UNPINNED := "pip", "setuptools", "encoding-labs", "nblabkit"
LIST_PINS = from importlib.metadata import distributions; \
	installed = sorted(distributions(), key=lambda each: each.name.lower()); \
	print(*(f"    \"{each.name}=={each.version}\"," for each in installed if each.name not in ($(UNPINNED))), sep="\n")

.DEFAULT_GOAL := help
.PHONY: help env lab grade test test-lab fmt cover bench evidence build pins clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | awk -F'\t' '{printf "make %-8s %s\n", $$1, $$2}'

env: .venv/.ready ## install pinned versions of everything into .venv

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
	$(BIN)/python -m compileall -q src grader/src # because kernels cannot write next to the sources
	@touch $@

lab: env ## open the first lab in JupyterLab
	$(BIN)/jupyter lab $(LABFLAGS) labs/$(FIRST) --LabApp.default_url=/lab/tree/$(FIRST) # also printed, in case no browser opens

grade: env ## grade CLASS (default: examples/class) into OUT (default: graded)
	$(BIN)/labkit grade --out $(call as_word,OUT) -- $(call as_word,CLASS)

# Test as on a user's machine, where neither is set. Besides, every pytest worker would compile all test files again.
test test-lab: export PYTHONDONTWRITEBYTECODE =
test test-lab: export PYTHONUNBUFFERED =

test: env ## run what CI runs, and list what this machine could not test; LONG=1 adds the long tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy & $(BIN)/python -m pytest --collect-only -qq > /dev/null; wait $$! # compiles the tests once for all workers
	$(BIN)/python -m pytest -n 2 --dist loadfile --nbval --nbval-sanitize-with solutions/nbval.cfg -q solutions
	LABKIT_LONG=$(LONG) $(BIN)/python -m pytest -n 3 --dist worksteal -q # last, because it ends with what was not tested

test-lab: env ## test one lab: make test-lab LAB=04
	@set -- solutions/$(call as_word,LAB)_*.py; \
		[ -f "$$1" ] || { echo 'name a lab by its number: make test-lab LAB=04' >&2; exit 2; }; \
		lab=$${1#*_}; lab=$${lab%.py}; \
		$(BIN)/python -m pytest -n 2 --dist worksteal -q tests/autograder/$$lab tests/course -k "$$lab or test_generated.py"

fmt: env ## fix and format with ruff
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

cover: env ## run the tests with coverage and list the lines that no test reaches (slower)
	$(BIN)/python -m pytest -n 2 --dist worksteal --cov --cov-report=term -q

bench: env ## measure labkit and other graders, and write grader/docs/benchmarks.md (slow; see also grader/benchmarks/bench.py -h)
	$(BIN)/python grader/benchmarks/bench.py

evidence: env ## write every claim, mistake, attack and timing, of which the repository has only the totals, to evidence/
	mkdir -p evidence
	$(BIN)/python docs/claims.py evidence/claims.md
	$(BIN)/python docs/grader_graded.py evidence/mistakes.md
	$(BIN)/python grader/benchmarks/security.py none --all evidence/attacks.md
	$(BIN)/python grader/benchmarks/bench.py --report-only --all evidence/timings.md

build: env ## generate all that follows from the labs' sources: notebooks, expected data, examples/class and pages of totals
	$(BIN)/labkit build
	$(BIN)/python docs/generated.py

pins: env ## pin the installed versions at the end of pyproject.toml
	@$(BIN)/python -c 'import sphinx' 2>/dev/null || \
		{ echo 'first install the extra site, because its versions are pinned too: see docs/open_anywhere.md' >&2; exit 2; }
	{ sed '/^constraint-dependencies/q' pyproject.toml && $(BIN)/python -c '$(LIST_PINS)' && echo ']'; } > .venv/pinned.toml
	cp .venv/pinned.toml pyproject.toml

clean: ## delete everything that make created
	rm -rf .venv graded evidence .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*
