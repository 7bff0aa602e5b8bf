# Each target makes what it needs, in .venv; a second run finds it there. PYTHON=… chooses the interpreter.

VENV := .venv
BIN := $(VENV)/bin
WHEELS := dist/*.whl
COMPILED := build/compiled
OPTIMISED := build/optimised
ALONE := build/alone
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c requirements.lock

# By which tools.run_tests makes what a run needs.
export GNU_MAKE := $(MAKE)

# Tests start thousands of processes: where this is set, each of them would compile all that it imports anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo serve test quick test-wheel soak programs mutants bench gallery site wheel compiled reference lint lock clean
.PHONY: lint-style lint-types lint-floors

help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

demo: $(VENV)/.base ## make a ledger from replays/, show replay, score, audit and statistics
	@$(BIN)/trickledger demo

serve: $(VENV)/.dev ## serve the demonstration's ledger at http://127.0.0.1:8750/ until Ctrl-C
	@$(BIN)/trickledger serve --demo

test: $(VENV)/.dev ## the linters, then all tests but the long ones, the rules once more on the wheel
	@$(MAKE) --no-print-directory lint-style lint-floors programs
	$(BIN)/python -m tools.run_tests test

quick: $(VENV)/.dev ## what an hour's work may have broken, in under a minute: style, floors, all tests that are not slow
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	HYPOTHESIS_PROFILE=quick $(BIN)/python -m pytest -n 2 --dist worksteal -q -m 'not soak and not slow'

test-wheel: wheel ## the wheel alone in an empty environment: its commands, its pages, then the tests of the rules
	tools/venv.sh $(ALONE)
	$(ALONE)/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.lock $(WHEELS)
	tools/try_wheel.sh $(ALONE)/bin/python commands
	wheel=$$(echo $(WHEELS)) && $(ALONE)/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.lock "$$wheel[serve]"
	tools/try_wheel.sh $(ALONE)/bin/python pages
	wheel=$$(echo $(WHEELS)) && $(ALONE)/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.lock "$$wheel[test]"
	tools/try_wheel.sh $(ALONE)/bin/python rules

soak: $(VENV)/.dev programs ## the long tests in random order: full products, crashes, failing disks, long searches
	$(BIN)/python -m tools.run_tests soak

programs: $(VENV)/.dev ## see to the programs that tests ask for (Debian's, where make runs as root)
	@tools/program.sh node nodejs
	@tools/program.sh curl curl
	@tools/program.sh strace strace
	@tools/program.sh zsh zsh
	@tools/program.sh fish fish
	@tools/program.sh groff groff
	@tools/program.sh mandoc mandoc
	@tools/program.sh wrk wrk
	@tools/program.sh pg_ctlcluster postgresql
	@OR=chromium tools/program.sh chromium-headless-shell chromium-headless-shell fonts-ipaexfont-gothic
	@tools/pango.sh $(BIN)/python

mutants: GAME := *
mutants: $(VENV)/.mutants ## rules with one fault at a time, and whether a test finds it; GAME=ombre for one game
	rm -rf mutants
	nice $(BIN)/mutmut run --max-children 2 'ledger.games.$(GAME).*'
	$(BIN)/mutmut results --all true | $(BIN)/python tools/mutants.py

bench: $(VENV)/.bench $(OPTIMISED)/.made ## measure speed, as ratios against peers measured in the same run
	$(BIN)/python -m bench
	[ ! -d $(OPTIMISED)/ledger ] || PYTHONPATH=$(OPTIMISED):. $(BIN)/python -P -m bench replay record catch_up history_at_scale

gallery: $(VENV)/.dev ## draw every page and state beside its mock-up (MOCKUPS=folder) into gallery/; ALL=--all for more, ALL=--readme for docs/images/
	@OR=chromium tools/program.sh chromium-headless-shell chromium-headless-shell fonts-ipaexfont-gothic
	$(BIN)/python -m tools.gallery $(ALL)

site: $(VENV)/.dev ## build the site of docs/, in English and Japanese, into build/site
	$(BIN)/python -m tools.site build/site
	@echo "open build/site/index.html"

wheel: dist/.made ## the compiled wheel for this Python and machine, in dist/
	@ls $(WHEELS)

reference: $(VENV)/.base ## write schemas/ and the pages in docs/ that are made from the code anew
	$(BIN)/python -m tools.schemas
	$(BIN)/python -m tools.reference
	$(BIN)/python -m tools.commands
	$(BIN)/python -m tools.man
	$(BIN)/python -m tools.errors
	$(BIN)/python -m tools.glossary
	$(BIN)/python -m tools.http
	$(BIN)/python -m tools.games
	$(BIN)/python -m tools.hand_records
	$(BIN)/python -m tools.architecture

lint: lint-types lint-style lint-floors ## all linters: types, style, layers

lint-types: $(VENV)/.dev ## mypy
	$(BIN)/mypy

lint-style: $(VENV)/.dev ## ruff
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-floors: $(VENV)/.dev ## import-linter: the layers
	$(BIN)/lint-imports

lock: ## write requirements.lock anew with the newest versions that fit
	tools/venv.sh .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check '.[dev,bench,mutants]'
	{ echo '# Written by `make lock`; every version of every extra. Used as constraints, see CONTRIBUTING.md.'; \
	  .venv-lock/bin/python -m pip freeze --disable-pip-version-check --all --exclude pip --exclude trickledger; } > requirements.lock
	rm -rf .venv-lock

clean: ## remove what was made here
	rm -rf $(VENV) .venv-lock build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis mutants
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made: tools/venv.sh
	tools/venv.sh $(VENV)
	@touch $@

$(VENV)/.base: $(VENV)/.made pyproject.toml requirements.lock
	$(INSTALL) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.base
	$(INSTALL) -e '.[dev]'
	@touch $@

WHEEL_OF := $(VENV)/.base $(shell find ledger replays schemas -type f ! -name '*.pyc') README.md LICENSE THIRD-PARTY.md docs/trickledger.1 tools/wheel.sh

dist/.made: $(WHEEL_OF)
	tools/wheel.sh $(BIN)/python dist
	@[ ! -f $(WHEELS) ] || touch $@

$(OPTIMISED)/.made: dist/.made
	rm -rf $(OPTIMISED)
	[ ! -f $(WHEELS) ] || $(INSTALL) --no-deps --target $(OPTIMISED) $(WHEELS)
	@mkdir -p $(OPTIMISED) && touch $@

# Without optimisation: compiling it would take longer than it saves.
compiled: $(COMPILED)/.made ## the compiled build that tests run, not optimised, into build/compiled

$(COMPILED)/.made: $(VENV)/.dev $(WHEEL_OF)
	rm -rf $(COMPILED)
	tools/wheel.sh $(BIN)/python build/wheel 0
	[ ! -f build/wheel/*.whl ] || $(INSTALL) --no-deps --target $(COMPILED) build/wheel/*.whl
	@mkdir -p $(COMPILED) && touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(INSTALL) -e '.[dev,bench]'
	@touch $@

$(VENV)/.mutants: $(VENV)/.dev
	$(INSTALL) -e '.[dev,mutants]'
	@touch $@
