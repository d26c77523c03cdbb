# Two commands for a newcomer: `make run` and `make test`. Both set up everything they need, and only what is missing.
PYTHON ?= python3
VENV ?= .venv
BUILD_DIR ?= build/release
CXX := $(if $(filter default undefined,$(origin CXX)),clang++-19,$(CXX))
JOBS ?=
SCRIPT ?=
ARGS ?=

VENV_PYTHON := $(VENV)/bin/python
# A precompiled header must not come from another checkout, whatever ccache is configured to.
NINJA = CCACHE_BASEDIR= CCACHE_SLOPPINESS=pch_defines,time_macros ninja -C $(BUILD_DIR) $(if $(JOBS),-j$(JOBS))

.DEFAULT_GOAL := build
.PHONY: run test build core wheels lint format clean debian

run: build
ifeq ($(SCRIPT),)
	$(VENV_PYTHON) examples/showcase.py $(ARGS)
else
	$(VENV)/bin/lanewise run $(SCRIPT) $(ARGS)
endif

# C++ tests, then Python tests; both always run, and either one's failure is this target's.
test: build
	$(NINJA)
	status=0; \
	ctest --test-dir $(BUILD_DIR) --output-on-failure --timeout 300 -j2 || status=1; \
	$(VENV_PYTHON) -m pytest $(ARGS) || status=1; \
	exit $$status

build: core $(VENV)/.editable

# The compiled parts, installed beside the Python sources.
core: $(BUILD_DIR)/build.ninja
	$(NINJA) _core lanewise_compiler
	@cmake --install $(BUILD_DIR) --prefix python > $(BUILD_DIR)/install.log

$(BUILD_DIR)/build.ninja: | debian $(VENV)/.requirements
	cmake -G Ninja -S . -B $(BUILD_DIR) -DCMAKE_CXX_COMPILER=$(CXX) -DCMAKE_BUILD_TYPE=Release \
	  -DLANEWISE_LLVM_LINK=static -DLANEWISE_TESTS=ON -DLANEWISE_PYTHON=ON -DPython_EXECUTABLE=$(abspath $(VENV_PYTHON))

debian:
	@PYTHON=$(PYTHON) bash scripts/setup_debian.sh

$(VENV_PYTHON): | debian
	$(PYTHON) -m venv $(VENV)

$(VENV)/.requirements: requirements-dev.txt | $(VENV_PYTHON)
	$(VENV_PYTHON) -m pip install -q --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# A path entry to python/ and the `lanewise` command: Python edits need no reinstall. (scikit-build-core's editable mode would
# put an import hook in front of everything, which slows each start and hides PYTHONPATH.)
$(VENV)/.editable: Makefile $(VENV)/.requirements
	@$(VENV_PYTHON) -c "import pathlib, sysconfig; \
	  pathlib.Path(sysconfig.get_path('purelib'), 'lanewise.pth').write_text('$(abspath python)\n')"
	@printf '#!%s\nimport sys\n\nfrom lanewise.cli import main\n\nsys.exit(main())\n' $(abspath $(VENV_PYTHON)) > $(VENV)/bin/lanewise
	@chmod +x $(VENV)/bin/lanewise
	@touch $@

# One wheel for each CPython 3.10 to 3.13 found, in dist/.
wheels: debian
	CXX=$(CXX) bash scripts/build_wheels.sh

lint: debian $(VENV)/.requirements
	git ls-files '*.cpp' '*.h' | xargs clang-format-19 --dry-run --Werror
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

format: debian $(VENV)/.requirements
	git ls-files '*.cpp' '*.h' | xargs clang-format-19 -i
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

clean:
	rm -rf build dist $(VENV) python/lanewise/*.so
