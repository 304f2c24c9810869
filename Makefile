# Every target does its own set-up: a virtual environment in .venv, made again when pyproject.toml changes.
# PYTHON=/path/to/python3.12 make test   takes that Python instead of the newest one found.
SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV __PYVENV_LAUNCHER__

BIN := .venv/bin
DATA ?= data
WORKERS ?= auto
OSV ?= https://api.osv.dev

# All platforms and every Python from 3.11; no address of an index, whatever this machine is set up with.
COMPILE = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' Makefile

demo: .venv/ready ## install, ingest examples/ into a temporary folder, ask five questions
	@$(BIN)/outfitter demo

test: check-tools ## everything: format, lint, types, all tests on both engines
	@$(BIN)/python -m tests.engines prepare || test -z "$$CI"
	$(BIN)/pytest -n $(WORKERS) --maxprocesses 4 --dist loadgroup

check: check-tools ## the fast part: format, lint, types, unit tests
	$(BIN)/pytest -q tests/unit

check-tools: .venv/ready-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

fuzz: .venv/ready-dev ## 15,000 hostile requests to a running service, about ten minutes; the tests ask a part of them
	$(BIN)/pytest -n 0 --fuzz=whole tests/e2e/test_fuzz.py

format: .venv/ready-dev ## let ruff format and mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: .venv/ready-dev ## write the generated pages of docs/ again
	$(BIN)/python -m docs.generate

bench: .venv/ready ## figures of the rankings; DATA names the folder with the public sets (docs/benchmarks.md)
	$(BIN)/outfitter bench toolbench --data $(DATA)

lock: .venv/ready-dev ## renew requirements.lock and requirements-build.lock: the newest versions within the bounds, with hashes
	$(BIN)/python -m pip install --quiet --group lock
	$(COMPILE) pyproject.toml --output-file requirements.lock
	$(COMPILE) --group build --output-file requirements-build.lock

audit: .venv/ready-dev ## are advisories known against the locks? 0: no, or the service is away; 1: yes
	$(BIN)/python -m tools.audit --url $(OSV) requirements.lock requirements-build.lock

dist: .venv/ready-dev ## wheel, source archive, SBOM and SHA256SUMS in dist/
	@$(BIN)/python -m tools.release dist

serve: .venv/ready ## the service on http://127.0.0.1:8000
	$(BIN)/outfitter serve

up: ## service and Neo4j in containers; .env holds the two secrets
	@test -f .env || { echo "no .env: copy .env.example to .env and fill it in" >&2; exit 2; }
	docker compose up --build --wait

clean: ## remove what was installed and built here
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/ready: pyproject.toml .ci/venv
	@.ci/venv
	@touch $@

.venv/ready-dev: pyproject.toml .ci/venv
	@.ci/venv --dev
	@touch .venv/ready $@

.PHONY: help demo test check check-tools fuzz format docs bench lock audit dist serve up clean
