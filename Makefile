# Two commands do everything on a bare machine with Python (3.11 or later) and make:
#   make paper   reproduce the paper: every table and figure, in report/index.html
#   make test    lint, type-check, test and build the docs
# Everything is installed into .venv and nowhere else.

PYTHON ?= python3
BIN := .venv/bin
JOBS ?= 2

.PHONY: help install paper test lint types tests docs serve figures designs bench attack clean
.DEFAULT_GOAL := help

help:  ## What can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.venv/installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "replibandit needs Python 3.11 or later, but '$(PYTHON)' is older: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { echo "the venv module is missing; on Debian: apt install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,docs]'
	@touch $@

install: .venv/installed  ## Create .venv with everything in it

paper: install  ## Reproduce the paper: every table and figure, in report/index.html
	$(BIN)/replibandit paper --out report

test: lint types tests docs  ## Everything that must hold: lint, types, tests, docs

lint: install  ## Style, formatting, and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: install  ## Strict types
	$(BIN)/mypy

tests: install  ## Every test, in JOBS processes
	$(BIN)/pytest --quiet --numprocesses $(JOBS)

docs: install  ## Build the documentation into site/, strictly
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

serve: install  ## Read the documentation at a local address
	$(BIN)/mkdocs serve

figures: install  ## Draw every picture of the documentation anew, and fill in what its examples print
	$(BIN)/python docs/figures.py
	$(BIN)/python docs/refresh.py

designs: install  ## Search again for the table of certified constants
	$(BIN)/python benchmarks/designs.py

bench: install  ## Speed, side by side, ratios within one run
	$(BIN)/python benchmarks/speed.py

attack: install  ## Attack every shipped claim with a million pairs of twins per finalist
	$(BIN)/python benchmarks/attack.py
	$(BIN)/python benchmarks/attack_table.py

clean:  ## Remove everything that was made
	rm -rf .venv site report build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
