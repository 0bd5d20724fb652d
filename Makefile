# Two commands do everything on a fresh machine: `make demo` and `make test`. The rest is for people who work here.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

FLAVOUR ?= normal
DEMO ?= success
DIST := .build/dist
LIBRARY := $(DIST)/$(FLAVOUR)/libheadlesscheckout.so.1
SWIFT_HOME := $(shell dirname $$(dirname $$(readlink -f $$(command -v swiftc || echo /usr/bin/swiftc))))
export HCO_UNICODE_TABLES := $(SWIFT_HOME)/lib/swift/embedded/x86_64-unknown-linux-gnu/libswiftUnicodeDataTables.a

SHIPPED := $(shell find Sources include Package.swift -type f \( -name '*.swift' -o -name '*.c' -o -name '*.h' -o -name '*.map' -o -name 'module.modulemap' \) -not -path 'Sources/CheckoutSandbox/*' -not -path 'Sources/checkout-sandbox/*')
SANDBOX_SOURCES := $(shell find Sources/CheckoutSandbox Sources/checkout-sandbox Sources/CSandboxServer Sources/CMicrohttpd -type f 2>/dev/null)
SANDBOX := .build/sandbox/release/checkout-sandbox

.PHONY: help demo test build dist fuzz url-table locale-data amount-table simulate explore cases mutants threads canary crash bench format lint clean packages dist-both sandbox

help: ## This list.
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1	\2/p' $(MAKEFILE_LIST) | expand -t 10

packages:
	@bash .ci/packages.sh

demo: packages dist sandbox ## The main job: a C host pays at the sandbox over real HTTP. DEMO=decline, redirect, lost-answer, hook-refuses, primer
	@bash examples/demo.sh $(DEMO) $(FLAVOUR)

test: packages ## Every suite: Swift, C hosts on both flavours, Python. Ends with the totals.
	@bash Tests/run.sh

build: ## The library and the tests, for work.
	swift build --build-tests

dist: $(LIBRARY) ## The self-contained library. FLAVOUR=embedded builds the small one.
	@bash Tests/CHost/check_dist.sh $(DIST)/$(FLAVOUR) $(FLAVOUR)

dist-both:
	@$(MAKE) --no-print-directory dist FLAVOUR=normal
	@$(MAKE) --no-print-directory dist FLAVOUR=embedded

$(DIST)/normal/libheadlesscheckout.so.1: $(SHIPPED)
	swift build -c release --product HeadlessCheckout -Xswiftc -static-stdlib --disable-local-rpath --scratch-path .build/normal
	@$(call install_library,.build/normal/release,$(dir $@))

$(DIST)/embedded/libheadlesscheckout.so.1: $(SHIPPED)
	swift build -c release --product HeadlessCheckout --traits Embedded --disable-local-rpath --scratch-path .build/embedded
	@$(call install_library,.build/embedded/release,$(dir $@))

define install_library
	mkdir -p $(2)
	strip -o $(2)libheadlesscheckout.so.1.new $(1)/libHeadlessCheckout.so
	mv $(2)libheadlesscheckout.so.1.new $(2)libheadlesscheckout.so.1
	ln -sf libheadlesscheckout.so.1 $(2)libheadlesscheckout.so
	cp include/headless_checkout.h $(2)
endef

sandbox: $(SANDBOX) ## The pretend back end, as a program: .build/sandbox/release/checkout-sandbox.

$(SANDBOX): $(SANDBOX_SOURCES)
	swift build -c release --product checkout-sandbox --scratch-path .build/sandbox

SEEDS ?= 2000
simulate: ## Random runs of the real core under a virtual clock. SEEDS=n; SIMULATION_FIRST=n begins elsewhere.
	@SIMULATION_SEEDS=$(SEEDS) swift test -c release -Xswiftc -enable-testing --disable-xctest --scratch-path .build/simulation --filter 'RandomRunTests|PrimerRunTests' 2>&1 | grep -E '^simulate|✘|SIMULATION_FIRST|error:' || { echo "simulate: did not run"; exit 1; }

SECONDS ?= 60
fuzz: ## URLs and answers made and mutated at random, the redirect policy beside libcurl and browsers. SECONDS=n, FUZZ_SEED=n.
	@FUZZ_SECONDS=$(SECONDS) swift test -c release -Xswiftc -enable-testing --disable-xctest --scratch-path .build/simulation --filter FuzzTests 2>&1 | grep -E '^fuzz:|✘|error:' || { echo "fuzz: did not run"; exit 1; }
	@if command -v node >/dev/null; then node Tests/Conformance/whatwg.mjs .build/fuzz/passed.txt; fi

url-table: ## How libcurl and, where node is, browsers read the hostile URLs: the files beside the table.
	@if command -v node >/dev/null; then node Tests/Conformance/whatwg.mjs >.build/whatwg.tsv && mv .build/whatwg.tsv Tests/Conformance/whatwg.tsv; fi
	@UPDATE_TABLES=1 swift test --disable-xctest --filter HostileURLTests 2>&1 | grep -E '✘|Test run with'

BABEL := .build/babel
LOCALE_DATA := Sources/CheckoutCore/AmountFormat/make_locale_data.py
locale-data: ## How locales write amounts: Sources/CheckoutCore/AmountFormat/LocaleData.swift, from the PyPI package Babel.
	@[ -x $(BABEL)/bin/python ] || { python3 -m venv $(BABEL) && $(BABEL)/bin/pip install -q $$(sed -nE 's/^BABEL = "(.*)"/Babel==\1/p' $(LOCALE_DATA)); }
	@$(BABEL)/bin/python $(LOCALE_DATA)

amount-table: ## Where Foundation's ICU writes amounts otherwise: Tests/Conformance/icu_amounts.tsv.
	@UPDATE_TABLES=1 swift test --disable-xctest --filter AmountFormatConformanceTests 2>&1 | grep -E '✘|Test run with'

RUNS ?= 300
SEED ?= 1
crash: packages dist sandbox ## A paying C host, killed with SIGKILL and restarted, over real HTTP. RUNS=n, SEED=n, FLAVOUR=embedded.
	@Tests/Crash/build.sh $(DIST)/$(FLAVOUR) .build/crash/$(FLAVOUR)/host
	@python3 Tests/Crash/driver.py .build/crash/$(FLAVOUR)/host $(SANDBOX) --runs $(RUNS) --seed $(SEED)

cases: ## Inputs and what Primer makes of them, group by group. FILE=another file of the same shape.
	@swift build --product cases >.build/cases.log 2>&1 || { cat .build/cases.log; exit 1; }
	@.build/debug/cases $(FILE)

STATES ?= 1200000
explore: ## Every state that a small world can reach. DEPTH=n bounds the moves, STATES=n the states; EXPLORE_SUBMITS, _KILLS ... the world.
	@EXPLORE_STATES=$(STATES) $(if $(DEPTH),EXPLORE_DEPTH=$(DEPTH)) swift test -c release -Xswiftc -enable-testing --disable-xctest --scratch-path .build/simulation --filter 'ExplorerTests|PrimerSearchTests' 2>&1 | grep -vE '^(.*(Test|Suite) |↳ (Testing|Target) |\[|Build|warning)' | grep -E '^explore[:d]|↳|^ *[0-9]+\. |error:' || { echo "explore: did not run"; exit 1; }

canary: RUNS = 2000
canary: ## Secrets planted in every input, and looked for in all that leaves. RUNS=n; a tenth of them of the whole runtime.
	@CANARY_RUNS=$(RUNS) swift test -c release -Xswiftc -enable-testing --disable-xctest --scratch-path .build/simulation --filter CanaryTests 2>&1 | grep -E '^canary:|✘|CANARY_FIRST|error:' | awk -f Tests/Simulation/Canary/total.awk

mutants: ## Deliberately broken cores, and which machine catches each.
	@python3 -B Tests/Simulation/Mutants/run.py $(if $(UPDATE),--update)

threads: ## Many threads on one checkout, library and host under the thread sanitizer.
	@Tests/CHost/threads.sh

bench: packages dist-both ## Figures beside a named floor, both in one run.
	@bash Tests/Benchmarks/run.sh

format: ## Rewrites the Swift sources in the house's format.
	swift format --in-place --recursive Package.swift Sources Tests

lint: ## What `make test` checks of the format.
	swift format lint --strict --recursive Package.swift Sources Tests

clean: ## Removes everything that was built.
	rm -rf .build
