# Every target does its own set-up: a virtual environment in .venv, made again when pyproject.toml changes.
# PYTHON=/path/to/python3.12 make test   takes that Python instead of the newest one found.
SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV __PYVENV_LAUNCHER__

BIN := .venv/bin
DATA ?= ../shared/data
WORKERS ?= auto

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

bench: .venv/ready ## figures of the rankings; DATA names a folder with the benchmark's cases
	$(BIN)/outfitter bench toolbench --data $(DATA)

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

.PHONY: help demo test check check-tools fuzz format bench serve up clean
