# Everything a newcomer needs; `make help` lists it.
PYTHON ?= python3.11
VENV ?= .venv
BIN := $(VENV)/bin
LAW := --seed 2026 --workers 2 --force

unexport PYTHONDONTWRITEBYTECODE  # else every worker and command compiles all sources again

.DEFAULT_GOAL := help
.PHONY: help install calibrate test test-all test-lowest frozen mutants lint bench convergence models pictures response laws impact-laws docs lock clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

install: $(VENV)/installed  ## create .venv with brickphys, its extras and the developers' tools

PIP = $(BIN)/pip install --quiet --disable-pip-version-check

$(VENV)/running: requirements-run.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "brickphys needs Python 3.11 or later (for PyBullet, 3.11): make PYTHON=/path/to/python3.11"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes --requirement requirements-run.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/installed: requirements.lock $(VENV)/running
	$(PIP) --require-hashes --requirement requirements.lock
	-$(BIN)/brickphys drop 2x2 --throws 1 --seed 1 --workers 1 > /dev/null  # compiles what is not compiled before
	@touch $@

calibrate: $(VENV)/running  ## install what running needs, throw until the chance of a side is known to half a point, write out/law.json and .png
	@mkdir -p out
	$(BIN)/brickphys calibrate --half-width 0.005 --seed 1 --workers 2 --out out/law.json --plot out/law.png --force

lint: install  ## run ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint  ## run ruff, mypy and the fast tests
	$(BIN)/pytest -n 2 --dist worksteal

test-all: lint  ## run ruff, mypy and all tests, slow ones too
	$(BIN)/pytest -n 3 --dist worksteal -m "slow or not slow"

frozen: install  ## compare what users and programs see with the record (six minutes; QUICK=1, RECORD=1, CASES="commands/odds*")
	$(BIN)/python -m benchmarks.frozen.record $(if $(QUICK),--quick) $(if $(RECORD),--record) $(foreach case,$(CASES),'$(case)')

LOW := .venv-lowest
WITHIN := tests/engines tests/throws tests/shapes tests/odds tests/cli tests/plots tests/test_jit.py

test-lowest:  ## run tests of throws, commands and pictures with the lowest versions that pyproject.toml allows
	$(PYTHON) -m venv $(LOW)
	$(LOW)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement requirements-lowest.lock
	$(LOW)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(LOW)/bin/pytest -n 2 --dist worksteal -W ignore::DeprecationWarning -W ignore::SyntaxWarning -W ignore::FutureWarning $(WITHIN) --ignore tests/cli/test_verify.py  # there other versions show

PER_PACKAGE ?= 40
SEED ?= 1

mutants: install  ## put small faults into the sources and count those that the fast tests miss (an hour; PER_PACKAGE=10 SEED=2 PACKAGES="odds store")
	$(BIN)/python -m benchmarks.mutants $(PACKAGES) --per-package $(PER_PACKAGE) --seed $(SEED)

bench: install  ## measure speed and memory of throws, moves and games beside plain PyBullet loops, shapely and PettingZoo
	$(BIN)/python -m benchmarks.throws
	$(BIN)/python -m benchmarks.throw_parts
	$(BIN)/python -m benchmarks.lanes
	$(BIN)/python -m benchmarks.start
	$(BIN)/python -m benchmarks.collisions
	$(BIN)/python -m benchmarks.many_moves
	$(BIN)/python -m benchmarks.encounters
	$(BIN)/python -m benchmarks.crashes
	$(BIN)/python -m benchmarks.impacts
	$(BIN)/python -m benchmarks.games
	$(BIN)/python -m benchmarks.bots
	$(BIN)/python -m benchmarks.pirate_wars
	$(BIN)/python -m benchmarks.minifig
	$(BIN)/python -m benchmarks.campaign
	$(BIN)/python -m benchmarks.blade_and_bow
	$(BIN)/python -m benchmarks.batches
	$(BIN)/python -m benchmarks.films
	$(BIN)/python -m benchmarks.clicks
	$(BIN)/python -m benchmarks.view

convergence: install  ## run the studies behind the engines' settings (an hour)
	$(BIN)/python -m benchmarks.convergence
	$(BIN)/python -m benchmarks.limit

models: install  ## write models/ again from the shapes
	$(BIN)/python -m benchmarks.models models

pictures: install  ## draw the pictures and write the tables of docs/models.md and docs/sheets.md
	$(BIN)/python -m docs.model_pictures
	$(BIN)/python docs/sheet_tables.py

response: install  ## throw the response surface again that `brickphys infer` reads (four minutes)
	$(BIN)/python -m brickphys.calibration.response_design

$(VENV)/docs: requirements-docs.lock $(VENV)/running
	$(PIP) --require-hashes --requirement requirements-docs.lock
	@touch $@

docs: $(VENV)/docs  ## build the documentation site out/site/index.html, which needs no server and no network
	$(BIN)/python -m docs.site.build

COMPILE = uv pip compile --generate-hashes --universal --python-version 3.11 --no-header --no-annotate \
  --no-emit-index-url --no-emit-find-links --upgrade

laws: install  ## throw the shipped laws again, each with the command in its file (half an hour)
	$(BIN)/brickphys calibrate --half-width 0.001 --bricks 1..12 --hands 500 $(LAW) --out brickphys/laws/default.json
	$(BIN)/brickphys calibrate --surface glass --half-width 0.001 --bricks 1..12 --hands 100 $(LAW) --out brickphys/laws/glass.json
	$(BIN)/brickphys calibrate --surface cloth --half-width 0.001 --bricks 1..12 --hands 100 $(LAW) --out brickphys/laws/cloth.json
	$(BIN)/brickphys calibrate --floor baseplate --half-width 0.009 --bricks 1..6 --hands 16 $(LAW) --out brickphys/laws/baseplate.json
	$(BIN)/brickphys calibrate --engine bullet --half-width 0.003 --bricks 1 $(LAW) --out brickphys/laws/pybullet.json
	$(BIN)/python docs/law_tables.py

impact-laws: install  ## measure the shipped impact laws again (half an hour)
	$(BIN)/python -m brickphys.projectiles.measure --half-width 0.04 --hits 80 --projectiles bb
	$(BIN)/python -m brickphys.projectiles.measure --half-width 0.06 --hits 60 --projectiles double_2x2 round_1x1

lock:  ## pin the newest dependencies with hashes (needs uv)
	$(COMPILE) pyproject.toml --group build --output-file requirements-run.lock
	$(COMPILE) pyproject.toml --all-extras --group dev --constraint requirements-run.lock --output-file requirements.lock
	$(COMPILE) --group docs --constraint requirements.lock --output-file requirements-docs.lock
	$(COMPILE) pyproject.toml --all-extras --group dev --resolution lowest-direct --output-file requirements-lowest.lock

clean:  ## remove everything that make has made
	rm -rf $(VENV) $(LOW) out build dist
