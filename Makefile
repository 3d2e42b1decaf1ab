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

# Packages that only a native build has; every other one must build for the browser too.
NATIVE := cmd/whorl

.PHONY: help demo build install test check fmt lint browser fuzz bench bench-compare bench-peers figures soak man clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile

demo: build ## run Pascal's triangle on 5 PEs and draw its kaleidoscopes into out/
	@tools/demo.sh $(WHORL) out

build: ## the whorl command, as bin/whorl (no cgo)
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -o $(WHORL) ./cmd/whorl

install: ## the whorl command, into Go's bin folder
	CGO_ENABLED=0 $(GO) install -trimpath ./cmd/...

test: ## all tests, with the race detector where goroutines are (PKG=./tracer/... for some)
	@tools/test.sh $(PKG)

check: fmt lint browser ## format, vet, linters, tests in shuffled order, the browser build's vet
	$(GO) test -shuffle=on -short $(PKG)

fmt:
	@tools/fmt.sh $(TOOL) gofumpt

lint:
	$(GO) vet ./...
	$(TOOL) staticcheck ./...
	$(TOOL) golangci-lint run

browser:
	GOOS=js GOARCH=wasm $(GO) vet $$($(GO) list ./... | grep -vE '^whorl/($(NATIVE))(/|$$)')

fuzz: ## every fuzz target for FUZZTIME (30s) each, with the number of executions
	@FUZZTIME=$(FUZZTIME) tools/fuzz.sh $(PKG)

bench: ## every benchmark (PKG=, BENCH=, COUNT=), kept in out/bench.txt
	@mkdir -p out
	$(GO) test -run='^$$' -bench='$(BENCH)' -benchmem -count=$(COUNT) $(PKG) | tee out/bench.txt

bench-compare: ## out/bench.txt against out/bench.old.txt
	@$(TOOL) benchstat out/bench.old.txt out/bench.txt

bench-peers: ## the same work done by programs of others, as ratios
	@tools/peers.sh

figures: build ## the figures of the papers, into out/figures, and the README's picture
	@tools/figures.sh $(WHORL) out/figures

soak: ## what takes long: the large sizes of every test that has them
	WHORL_SOAK=1 $(GO) test -count=1 -timeout=2h -run='Soak' -v $(PKG)

man: build ## the manual pages, into out/man
	@$(WHORL) man out/man

clean: ## remove what make made
	rm -rf bin out dist
