# The verbs of this project. Each works from a fresh clone; the first one makes .venv on its way.

SHELL := /bin/sh
VENV := .venv
PYTHON := $(VENV)/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help run quick test test-long test-llm check bench format messages

help: ## what there is to say
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' $(MAKEFILE_LIST) | expand -t 14

run: ## open the KenoBot of this machine, or a sample, and print a login link
	@./.ci/venv requirements.txt
	@exec $(PYTHON) manage.py serve --sample

quick: ## the tests that take a minute: no browser, no PostgreSQL, nothing killed
	@./.ci/venv requirements-dev.txt
	@./.ci/test quick

test: ## every test, on PostgreSQL and in a browser too
	@./.ci/venv requirements-dev.txt
	@./.ci/test

test-long: ## the same with ten times the kills, and random examples that are others each time
	@./.ci/venv requirements-dev.txt
	@TESTS_LONG=yes ./.ci/test

test-llm: ## the client and a consolidation with a real small model (not part of make test)
	@CMAKE_ARGS="$${CMAKE_ARGS:--DGGML_NATIVE=OFF}" ./.ci/venv requirements-llm.txt
	@./.ci/test-llm

check: ## lint, types, templates, dependencies, migrations, settings
	@./.ci/venv requirements-dev.txt
	@./.ci/check

bench: ## the benchmarks, each with its table (see docs/benchmarks.md)
	@./.ci/venv requirements-dev.txt
	@./.ci/bench

format: ## let the formatters have their way
	@./.ci/venv requirements-dev.txt
	@$(VENV)/bin/ruff check --fix-only --quiet . && $(VENV)/bin/ruff format . && $(VENV)/bin/djade $$(git ls-files '*.html')

messages: ## collect the texts into locale/, and compile the translations
	@./.ci/venv requirements-dev.txt
	@$(VENV)/bin/python tests/support/messages.py
