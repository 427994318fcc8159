# corpusgraph: `make` lists the targets. Everything is made on demand; nothing has to be run first.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
UV := $(BIN)/uv --quiet
INSTALL := $(UV) pip install --python $(BIN)/python --require-hashes
WORKSPACE ?= demo-workspace
PACKAGES := api kg extraction canonicalize cypher schemas

.PHONY: help setup demo stop test check format bench soak fuzz lock pages clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

# environment -----------------------------------------------------------------------------------
.venv/uv.done: requirements/uv.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "corpusgraph needs Python 3.11 or newer, found " + sys.version)'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/uv.txt
	touch $@

.venv/run.done: .venv/uv.done requirements/run.txt requirements/build.txt pyproject.toml
	$(INSTALL) -r requirements/run.txt
	$(INSTALL) -r requirements/build.txt
	$(UV) pip install --python $(BIN)/python --no-deps --no-build-isolation --editable .
	touch $@

.venv/dev.done: .venv/run.done requirements/dev.txt
	$(INSTALL) -r requirements/dev.txt
	touch $@

.venv/extras.done: .venv/dev.done requirements/extras.txt scripts/install_chromium.sh
	$(INSTALL) -r requirements/extras.txt
	bash scripts/install_chromium.sh
	touch $@

setup: .venv/run.done  ## prepare everything (environment, Java, Neo4j, embedding model), leave nothing running
	$(BIN)/kg setup

# use -------------------------------------------------------------------------------------------
demo: .venv/run.done  ## build the LHCb graph, ask five questions, leave Neo4j and the API running
	$(BIN)/kg demo --workspace $(WORKSPACE)

stop:  ## stop what `make demo` started
	@if [ -x $(BIN)/kg ]; then $(BIN)/kg demo --workspace $(WORKSPACE) --stop; else echo "nothing was started"; fi

# quality ---------------------------------------------------------------------------------------
check: .venv/dev.done  ## format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

# In CI nothing that could be installed may be skipped, so the extras and a browser are installed first.
# The tests start more than a hundred Python processes: compiled modules are kept for them, whatever the environment says.
# Two workers with as many threads of linear algebra as there are cores wait for one another: small fits took three
# times the processor time. So each process has one.
test: .venv/dev.done $(if $(CI),.venv/extras.done)  ## all tests, against a real Neo4j started once
	$(BIN)/kg setup
	env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CURDIR)/build/bytecode OMP_NUM_THREADS=1 \
	  $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not soak" --durations=30 --durations-min=5

soak: .venv/dev.done  ## the tests that take minutes
	$(BIN)/kg setup
	$(BIN)/python -m pytest -m soak

fuzz: .venv/dev.done  ## fuzzing of the LaTeX and JSON readers, a minute; 10,000 queries against a Neo4j, half an hour
	$(BIN)/python scripts/fuzz.py --seconds 30
	$(BIN)/kg setup
	$(BIN)/python scripts/fuzz_gate.py --queries 10000

bench: .venv/dev.done  ## all benchmarks; renders docs/benchmarks.md
	$(BIN)/kg setup
	$(BIN)/python -m benchmarks

format: .venv/dev.done  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: .venv/dev.done  ## renew the locked requirements and neo4j.lock
	bash scripts/lock_requirements.sh
	$(BIN)/python scripts/lock_neo4j.py

pages: .venv/dev.done  ## renew the generated reference pages and the table of licences
	$(BIN)/python scripts/reference_pages.py
	$(BIN)/python scripts/licences.py

clean:  ## remove what was built (not the per-user cache)
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
