# Everything a person or a build needs to do here. Each target installs what it needs into .venv.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Bytecode is made, and kept, when a module is first imported: most of what is installed never is. Whoever
# forbids to keep it has every process of a test compile everything anew.
export PYTHONDONTWRITEBYTECODE :=
INSTALL := -m pip -qq --disable-pip-version-check install --no-compile
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
LOCKING := $(VENV)/lock
CONTRACT := $(VENV)/contract
CLIENTS := tests/contract/node_modules/.done
AXE := tests/browser/node_modules/.done
PEER := tests/bench/node_modules/.done
SOAK := $(BIN)/pytest -m soak --hypothesis-profile=soak -o faulthandler_timeout=0
COMPUTING := tests/engine tests/players tests/graphql
ONLY ?=

.DEFAULT_GOAL := help
.PHONY: help run test tools system npm contract lint ruff mypy pyright imports format soak soak-computing soak-waiting \
	bench lock hooks clean

help: ## Show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

run: $(RUNTIME) ## Start a demonstration: nothing else has to be installed or running
	$(BIN)/cantiere demo

test: ## Everything a change has to pass
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target lint tools contract
	$(BIN)/pytest -n auto --dist worksteal

tools: system $(CLIENTS) $(AXE) # What tests use beside Python

system: npm
	@command -v curl >/dev/null && command -v nginx >/dev/null \
		|| (apt-get -qq update && apt-get -qq install -y curl nginx-light)
	@command -v chromium >/dev/null \
		|| (apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium fonts-dejavu-core)

npm:
	@command -v npm >/dev/null || (apt-get -qq update && apt-get -qq install -y nodejs npm)

# schemathesis goes through the contract from outside, in an environment of its own: what it brings along must
# not decide about what the service runs with.
contract: $(CONTRACT)/.done

lint: ruff mypy pyright imports ## Style, types and the direction of imports

ruff: $(DEV)
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --quiet --check

mypy: $(DEV)
	$(BIN)/mypy

pyright: $(DEV)
	$(BIN)/pyright

imports: $(DEV)
	$(BIN)/lint-imports --no-logo

format: $(DEV) ## Bring the code into its common form
	$(BIN)/ruff check --quiet --fix-only
	$(BIN)/ruff format

# Two halves side by side, since hardly a test uses two processors: what computes, and what waits, too.
soak: $(DEV) tools contract ## Long runs under load and with failures
	@$(MAKE) --no-print-directory --jobs 2 soak-computing soak-waiting

soak-computing:
	$(SOAK) $(COMPUTING)

soak-waiting:
	$(SOAK) $(COMPUTING:%=--ignore=%)

bench: $(DEV) $(PEER) ## Figures of speed; ONLY=name for one of them
	$(BIN)/python -m tests.bench $(ONLY)

# The locks are what pip chooses in an empty environment. The second one adds to the first, so that
# tests run against exactly what is deployed.
lock: ## Choose the newest allowed versions of everything and write them to deploy/
	rm -rf $(LOCKING)
	$(PYTHON) -m venv $(LOCKING)
	$(LOCKING)/bin/python -m pip -qq install .
	$(LOCKING)/bin/python -m pip freeze --exclude cantiere > $(LOCKING)/runtime
	$(LOCKING)/bin/python -m pip -qq install '.[dev]'
	$(LOCKING)/bin/python -m pip freeze --exclude cantiere > $(LOCKING)/dev
	cp $(LOCKING)/runtime deploy/requirements.lock
	(echo '-r requirements.lock'; grep -vxFf $(LOCKING)/runtime $(LOCKING)/dev) > deploy/requirements-dev.lock
	rm -rf $(LOCKING)
	$(PYTHON) -m venv $(LOCKING)
	$(LOCKING)/bin/python -m pip -qq install 'schemathesis>=4.32,<5' 'msgspec>=0.23,<0.24'
	$(LOCKING)/bin/python -m pip freeze > deploy/requirements-contract.lock
	rm -rf $(LOCKING)

hooks: $(DEV) ## Check each commit with pre-commit
	$(BIN)/pre-commit install

clean: ## Remove the environment and what tools left behind
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find engine schema service tests -name __pycache__ -prune -exec rm -rf {} +

$(RUNTIME): deploy/requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(INSTALL) -r deploy/requirements.lock
	$(BIN)/python $(INSTALL) --no-deps -e .
	touch $@

$(DEV): deploy/requirements-dev.lock $(RUNTIME)
	$(BIN)/python $(INSTALL) -r deploy/requirements-dev.lock
	touch $@

$(CONTRACT)/.done: deploy/requirements-contract.lock | $(RUNTIME)
	$(PYTHON) -m venv $(CONTRACT)
	$(CONTRACT)/bin/python $(INSTALL) -r deploy/requirements-contract.lock
	touch $@

%/node_modules/.done: %/package-lock.json %/package.json | npm
	cd $* && npm ci --silent
	touch $@
