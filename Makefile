# Atelier's commands. `make` lists them. Nothing but a Python from 3.12 to 3.13 is needed to run it.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PY := .venv/bin/python
READY := .venv/.installed
LOWEST := 3.12
HIGHEST := 3.13

# Candidates are run, not looked up: a name on PATH may be a shim that only prints an error.
CANDIDATES = $(PYTHON) python3.13 python3.12 python3 python \
    $(wildcard $(HOME)/.pyenv/versions/3.13*/bin/python3 $(HOME)/.pyenv/versions/3.12*/bin/python3) \
    /usr/local/bin/python3.13 /usr/local/bin/python3.12 /opt/homebrew/bin/python3.13 \
    /opt/homebrew/bin/python3.12 /usr/bin/python3.13 /usr/bin/python3.12 /usr/bin/python3

# One that was named on purpose is the one to take, or nothing.
ifeq ($(origin PYTHON),command line)
ifneq ($(shell { "$(PYTHON)" -c 'import sys; print((3, 12) <= sys.version_info[:2] <= (3, 13))'; } 2>/dev/null),True)
$(error PYTHON=$(PYTHON) is no Python $(LOWEST) or $(HIGHEST) that runs here; name one that is, or leave it out)
endif
endif

# Taken as written, so that a brief may hold quotes, umlauts and dollar signs.
override BRIEF := $(value BRIEF)
export BRIEF
export UV_PYTHON_DOWNLOADS := never

# A virtual environment whose Python is gone (moved, upgraded) is made anew.
ifneq ($(wildcard $(READY)),)
ifneq ($(shell $(PY) -c 'print(1)' 2>/dev/null),1)
.PHONY: $(READY)
endif
endif

.PHONY: help
help: ## Say what can be done here
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: $(READY) ## Start everything, with a database of its own, on http://127.0.0.1:8321
	@exec $(PY) -m server all

.PHONY: demo
demo: $(READY) ## Make one work from BRIEF="…" without a question, into demo-output/
	@exec $(PY) -m server demo $${BRIEF:+-- "$$BRIEF"}

.PHONY: migrate
migrate: $(READY) ## Bring the database's tables up to date
	@exec $(PY) -m server migrate

.PHONY: check
check: $(READY) check-python check-web ## Check style, types, layers, dependencies and the built page

.PHONY: check-python
check-python: $(READY)
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/basedpyright
	.venv/bin/lint-imports
	.venv/bin/deptry .
	.venv/bin/vulture
	.venv/bin/codespell

# Each process of tests has a Postgres of its own; those with processes and limits run in one of them.
IN_PARALLEL ?= --numprocesses 2 --dist loadgroup --benchmark-disable

.PHONY: test
test: $(READY) ## Run all tests except the long repetitions
	$(PY) -m pytest -m "not long" $(IN_PARALLEL)

.PHONY: test-faults
test-faults: $(READY) ## Kill, freeze and cut off real processes, every repetition
	$(PY) -m pytest tests/faults tests/properties tests/integration/evals \
	    tests/integration/graphs/test_context.py tests/integration/graphs/test_delegation_recovery.py \
	    tests/integration/graphs/test_hostile_texts.py tests/integration/graphs/test_recovery.py

.PHONY: test-media
test-media: $(READY) ## Draw every subject, weather and hour, and look at them
	$(PY) -m pytest tests/integration/infra/local_pictures

.PHONY: test-comfyui
test-comfyui: $(READY) ## Try the adapter on a real ComfyUI server: URL=http://127.0.0.1:8188
	@[ -n "$(URL)" ] || { echo "Name the server: make test-comfyui URL=http://127.0.0.1:8188" \
	    "(make test tries the adapter on simulated ones)." >&2; exit 2; }
	ATELIER_TEST_COMFYUI_URL="$(URL)" $(PY) -m pytest tests/live/comfyui -k "real" --durations=5

SEED ?= 1
N ?= 100

.PHONY: chaos
chaos: $(READY) ## Random faults under load, then every invariant: SEED=1 N=100
	@exec $(PY) -m tests.chaos --seed $(SEED) --count $(N)

.PHONY: chaos-vendors
chaos-vendors: $(READY) ## The same at simulated vendors over HTTP: SEED=1 N=100
	@exec $(PY) -m tests.chaos --vendors --seed $(SEED) --count $(N)

.PHONY: mutate
mutate: $(READY) ## Change the stop-check in every small way: does a test notice? (needs uv)
	@PYTHONPATH="$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
	    uv run -q --no-project --with mutmut==3.8.1 --python $(PY) python -u -m tests.mutation

.PHONY: evals
evals: $(READY) ## Scenarios with simulated users, every trial
	$(PY) -m evals run

.PHONY: evals-quick
evals-quick: $(READY) ## One trial of each scenario
	$(PY) -m evals run --quick

.PHONY: eval-routing
eval-routing: $(READY) ## How often a message finds its task
	$(PY) -m evals routing

.PHONY: bench-candidates
bench-candidates: $(READY) ## How well and fast a message finds its task among 100,000
	$(PY) -m evals.candidates --tasks 100 10000 100000

.PHONY: bench
bench: $(READY) ## Ratios against bare LangGraph, DBOS and others, as a table and JSON
	$(PY) -m evals bench

.PHONY: schema
schema: $(READY) ## Write infra/db/schema.sql anew from the migrations
	$(PY) -m infra.db.schema

.PHONY: lock
lock: $(READY) ## Resolve requirements.lock anew (needs uv)
	uv pip compile pyproject.toml --group dev --universal --generate-hashes --no-header \
	    --no-emit-index-url --python $(PY) -o requirements.lock -q

# ---------------------------------------------------------------- the page

NPM := $(shell node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null \
    && command -v npm)

web/node_modules/.installed: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

.PHONY: web
ifeq ($(NPM),)
web: ## Build the page into server/static/app (needs Node)
	@echo "Node 20 is not installed. It is needed to change the page, not to run it." >&2; exit 1
else
web: web/node_modules/.installed
	cd web && npm run build
endif

.PHONY: check-web
ifeq ($(wildcard web/package.json),)
check-web:
else ifeq ($(NPM),)
check-web:
	@echo "Node 20 is not installed: the page in server/static/app is taken as it is committed."
else
check-web: web/node_modules/.installed
	cd web && npm run check && npm run build
	@git diff --exit-code --stat -- server/static/app || { \
	    echo "The committed page is not what web/ builds: run make web and commit it." >&2; exit 1; }
endif

# ---------------------------------------------------------------- the environment

$(READY): requirements.lock
	@fits='import sys, venv; sys.exit(not ((3, 12) <= sys.version_info[:2] <= (3, 13)))'; \
	if $(PY) -c "$$fits" 2>/dev/null; then python=; else \
	    for python in $(CANDIDATES) ""; do \
	        [ -n "$$python" ] && "$$python" -c "$$fits" >/dev/null 2>&1 && break; \
	    done; \
	    if [ -z "$$python" ]; then \
	        echo "Atelier needs Python $(LOWEST) or $(HIGHEST) and found none. Install one" \
	            "(Debian, Ubuntu: apt-get install python3 python3-venv), or name it:" \
	            "make run PYTHON=/path/to/python3" >&2; \
	        exit 1; \
	    fi; \
	    python=$$("$$python" -c 'import sys; print(sys.executable)'); \
	    rm -rf .venv; \
	fi; \
	if command -v uv >/dev/null 2>&1; then \
	    echo "Installing the locked packages with uv; this takes seconds and happens once."; \
	    { [ -z "$$python" ] || uv venv -q --python "$$python" .venv; } && \
	    uv pip sync -q --python $(PY) --require-hashes requirements.lock && touch $@ && exit 0; \
	    echo "uv could not do it; trying pip." >&2; \
	fi; \
	echo "Installing the locked packages with pip; this takes about a minute and happens once."; \
	if [ -n "$$python" ] && ! { "$$python" -m venv --clear .venv; }; then \
	    echo "$$python cannot make a virtual environment" \
	        "(Debian, Ubuntu: apt-get install python3-venv)." >&2; \
	    exit 1; \
	fi; \
	$(PY) -m pip --version >/dev/null 2>&1 || $(PY) -m ensurepip >/dev/null; \
	$(PY) -m pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock && touch $@
