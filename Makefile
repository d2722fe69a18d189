# Two commands do all set-up on a fresh machine: `make demo` and `make test`.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
SOURCES := pyproject.toml setup.py $(wildcard src/worldline/record/core/*)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test laws lint bench-record bench-tokens bench-disk bench-page bench-align bench-rollout bench-rewrite bench-scaling bench-embedded picture leaderboard clean

demo: .venv/demo
	@$(BIN)/python examples/demo.py

test: .venv/dev lint
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m 'not alone'
	$(BIN)/python -m pytest -m alone tests/laws
	$(MAKE) laws

lint: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# The laws of the recorder on every other installed CPython from 3.11 to 3.13.
laws: .venv/dev
	$(BIN)/python tests/laws/on_every_python.py

bench-record: .venv/bench
	$(BIN)/python benchmarks/record.py

bench-tokens: .venv/dev
	$(BIN)/python benchmarks/tokens.py

bench-disk: .venv/dev
	$(BIN)/python benchmarks/disk.py

bench-page: .venv/dev
	$(BIN)/python benchmarks/page.py

bench-align: .venv/dev
	$(BIN)/python benchmarks/align.py

bench-rollout: .venv/dev
	$(BIN)/python benchmarks/rollout.py

bench-rewrite: .venv/dev
	$(BIN)/python benchmarks/rewriting.py $(WORLDLINE_DATA)/cruxeval.jsonl --check 20

bench-scaling: .venv/dev
	$(BIN)/python benchmarks/scaling.py

bench-embedded: .venv/dev
	$(BIN)/python benchmarks/embedded_targets.py

# The picture that the README begins with: the last scene of the demo about the embedded model.
picture: .venv/demo
	mkdir -p runs
	$(BIN)/python examples/library.py runs/shelf.py
	$(BIN)/python examples/ladder.py runs/shelf.py --svg docs/ladder.svg

leaderboard: .venv/dev
	$(BIN)/python benchmarks/leaderboard.py

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "error: no CPython 3.11 to 3.13 found; set PYTHON=/path/to/python3.12"; exit 2; }
	$(PYTHON) -m venv .venv

.venv/demo: $(SOURCES) | .venv/bin/python
	$(PIP) --editable '.[tokens]'
	@touch $@

.venv/dev: $(SOURCES) | .venv/bin/python
	$(PIP) --editable '.[dev]'
	@touch $@ .venv/demo

.venv/hf: .venv/dev
	$(PIP) --editable '.[hf]'
	@touch $@

# All that the whole suite needs: local models, training, a Ray of this machine, Inspect.
.venv/full: .venv/hf
	$(PIP) --editable '.[learn,ray,inspect]'
	@touch $@

.venv/bench: .venv/dev
	$(PIP) --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv .venv-* build runs .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src -name '*.so' -delete
