# make              builds the engine and puts it here as $(EXE)
# make play         builds quickly (make builds a faster engine) and plays in the browser, or in the terminal where there is no Node to build the page;
#                   HOST=0.0.0.0 lets others in the network play too, PORT=8081 listens on another port
# make site         builds the page as a site without a server, for any static host, into site/
# make page         builds the page of the browser into web/dist
# make wasm         builds the engine for browsers into web/public/wasm; make play does so too where it can
# make test         everything that must pass before a change lands
# make crash        faults of disk, power and clock at every step of what writes files, and kill -9 under load
# make fuzz         runs every fuzz target, each for SECONDS=600
# make sanitize     address and thread sanitizer and Miri, as far as the machine has them
# make bench        measures speed
# make pgo          builds the engine guided by a profile of its own searches: slower to build, faster to play
# make dist         builds what a release consists of into dist/
# make net          trains a network from nothing; QUICK=1 for a trial of minutes
#
# OpenBench builds with `make EXE=name EVALFILE=path`; FEATURES=tuning makes options of the numbers of the search.

EXE ?= gardez
ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
BINARY := $(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX)

CARGO ?= cargo
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

# The network to build in, instead of crates/nnue/networks/default.gzn; the build reads it from the environment.
export EVALFILE

.PHONY: build quick play page wasm site test crash fuzz sanitize bench pgo dist net clean toolchain
.DEFAULT_GOAL := build

# Written anew and renamed, because a program that is running cannot be overwritten.
install = cp "$(TARGET_DIR)/$(1)/gardez$(SUFFIX)" "$(BINARY).new" && mv -f "$(BINARY).new" "$(BINARY)"

build: toolchain
	@echo "Building the engine: some minutes the first time."
	$(CARGO) build --release --locked --package gardez $(if $(FEATURES),--features "$(FEATURES)")
	@$(call install,release)

# HOST counts only as `make play HOST=...`: some shells and tools set it in the environment for purposes of their own.
SERVE := serve --open $(if $(filter command,$(origin HOST)),--host "$(HOST)") $(if $(PORT),--port "$(PORT)")

quick: toolchain page
	@echo "Building Gardez: some minutes the first time."
	$(CARGO) build --profile play --locked --package gardez
	@$(call install,play)

play: quick
	@if [ -f web/dist/index.html ]; then "$(abspath $(BINARY))" $(SERVE); else "$(abspath $(BINARY))" play; fi

wasm:
	@CARGO="$(CARGO)" scripts/build-wasm.sh

page:
	@if command -v npm >/dev/null && [ -f web/package.json ]; then scripts/build-page.sh; \
	else echo "There is no Node here to build the page of the browser."; fi

site:
	@scripts/build-site.sh

test:
	@CARGO="$(CARGO)" scripts/setup-tests.sh
	@CARGO="$(CARGO)" scripts/test.sh

crash: toolchain
	GARDEZ_CRASH=long $(CARGO) test --locked --profile checked --package gardez --test crash -- --nocapture

fuzz: toolchain
	@CARGO="$(CARGO)" scripts/fuzz.sh $(or $(SECONDS),600)

sanitize: toolchain
	@CARGO="$(CARGO)" scripts/sanitize.sh

bench: toolchain
	$(CARGO) bench --locked --workspace

pgo: toolchain
	@CARGO="$(CARGO)" EXE="$(BINARY)" scripts/pgo.sh

dist: toolchain
	@CARGO="$(CARGO)" scripts/dist.sh

net: build
	@scripts/net.sh

clean:
	$(CARGO) clean
	rm -f "$(BINARY)"

toolchain:
	@scripts/setup-tests.sh --toolchain-only
