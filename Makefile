# What can be done here: make help.
SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

GO ?= go
# Read-only modules: a build never changes go.mod. No version stamp: a clone that belongs to another user builds too.
export GOFLAGS := $(strip $(GOFLAGS) -mod=readonly -buildvcs=false)

WHORL := bin/whorl
TOOL  := $(GO) tool -modfile=tools/go.mod

PKG      ?= ./...
FUZZTIME ?= 30s
BENCH    ?= .
COUNT    ?= 1

# Packages that only a native build has, from the table of internal/floors; every other one must build for the browser too.
NATIVE = $(shell sed -n 's|.*Pattern: "\([^"]*\)".*Native: true.*|\1|p' internal/floors/table_test.go | sed 's|/\.\.\.$$||' | paste -sd '|')

# Packages for tests alone. They lie in folders named testdata, which ./... leaves out.
HELPERS = $$($(GO) list -test -deps ./... | sed -n "s/ .*//; s/^whorl/./; /\/testdata\//p" | sort -u)

.PHONY: help demo demo-pictures build page install test race test-viewer check fmt lint browser fuzz bench bench-compare bench-peers bench-replay figures soak man clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

demo: build ## a window on Pascal's triangle under two policies (or its page, without a display); pictures of it in out/
	@tools/demo.sh $(WHORL) out
	@tools/demo-window.sh $(WHORL) out

demo-pictures: build ## the same, without the window
	@tools/demo.sh $(WHORL) out
	@tools/demo-window.sh $(WHORL) out print

# Without cgo also while the page is made, which runs the command once: it is compiled only once.
build: export CGO_ENABLED := 0
build: page ## bin/whorl (no cgo, with the page), and bin/whorl-view where a window can be built
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -o $(WHORL) ./cmd/whorl
	@if tags=$$(tools/window.sh tags); then \
		echo "$(GO) build -trimpath -tags $$tags -o bin/whorl-view ./cmd/whorl-view"; \
		CGO_ENABLED=1 $(GO) build -trimpath -tags $$tags -o bin/whorl-view ./cmd/whorl-view; \
	else echo 'make: bin/whorl-view is left out; whorl view serves the page instead'; fi

page: ## the page of the viewer, as serve/dist
	@tools/page.sh serve/dist

install: ## the whorl command, into Go's bin folder
	CGO_ENABLED=0 $(GO) install -trimpath ./cmd/...

test: ## all tests, with the race detector where goroutines share memory (PKG=./tracer/... for some), and the viewer's in a window and a browser
	@tools/test.sh $(PKG)

race: ## every test under the race detector
	$(GO) test -race -vet=off -timeout=2h $(PKG)

test-viewer: ## the tests of the viewer in a real window and a real browser
	@tools/test-viewer.sh

check: fmt lint browser ## format, linters with vet and staticcheck, unreachable code, the browser build's vet

fmt:
	@tools/fmt.sh $(TOOL) gofumpt

# The flags of tools/test.sh, so that the tests have compiled what the checks read.
lint: GOFLAGS += -trimpath -gcflags=all=-dwarf=false
lint:
	$(TOOL) golangci-lint run ./... $(HELPERS)
	$(GO) vet -tags browser ./serve ./visual/space ./lesson/script/handout
	@if tags=$$(tools/window.sh tags); then echo "$(GO) vet -tags $$tags"; $(GO) vet -tags $$tags ./visual/screen ./visual/app/paint ./cmd/whorl-view; fi
	@tools/deadcode.sh $(TOOL) deadcode

browser:
	@tools/page.sh vet $$(GOOS=js GOARCH=wasm $(GO) list ./... | grep -vE '^whorl/($(NATIVE))(/|$$)')

fuzz: ## every fuzz target for FUZZTIME (30s) each, with the number of executions
	@FUZZTIME=$(FUZZTIME) tools/fuzz.sh $(PKG)

bench: ## every benchmark (PKG=, BENCH=, COUNT=), kept in out/bench.txt
	@mkdir -p out
	$(GO) test -run='^$$' -bench='$(BENCH)' -benchmem -count=$(COUNT) $(PKG) | tee out/bench.txt

bench-compare: ## out/bench.txt against out/bench.old.txt
	@$(TOOL) benchstat out/bench.old.txt out/bench.txt

bench-peers: ## the same work done by programs of others, as ratios
	@tools/peers.sh

bench-replay: ## replays of programs against the programs themselves, on 1 and 2 processors, as the tables of docs/replay.md (COUNT= rounds, SECTIONS= some)
	@mkdir -p out
	@$(GO) build -o out/ ./replay/testdata/programs ./replay/testdata/reality ./cmd/whorl
	@out/reality $(CURDIR)/out/programs $(CURDIR)/out/whorl $(COUNT) $(SECTIONS)

figures: ## the figures of the papers and the README's picture, drawn anew into docs
	$(GO) test -count=1 -timeout=1h ./internal/gallery -update
	@mkdir -p out
	WHORL_SHOTS=$(CURDIR)/out $(GO) test -count=1 -run '^TestDemo$$' ./visual/app
	mv out/demo.png docs/pictures/viewer.png

soak: ## all tests with their large sizes, which takes an hour
	WHORL_SOAK=1 $(GO) test -count=1 -timeout=3h $(PKG)

man: build ## the manual pages, into out/man
	@$(WHORL) man out/man

clean: ## remove what make made
	rm -rf bin out
	find serve/dist -type f ! -name README -delete
