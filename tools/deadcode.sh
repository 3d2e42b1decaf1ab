#!/bin/bash
# deadcode.sh TOOL...: functions that no program reaches, neither here nor in the browser. Packages that only tests import lie in folders named testdata,
# which ./... does not list.
set -euo pipefail
dead=$("$@" ./...)
dead=$(grep -v '^tracer/observed/' <<<"$dead" || true) # programs of others reach it, by package observe
if [ -n "$dead" ]; then # perhaps the page reaches them; the tool itself runs here
	tool=$("${@:1:$#-1}" -n "${@: -1}")
	browser=$(GOOS=js GOARCH=wasm "$tool" ./cmd/whorl-view ./cmd/whorl-runner)
	dead=$(grep -xF -f <(echo "$browser") <<<"$dead" || true)
fi
if [ -n "$dead" ]; then
	echo "functions that no program reaches:" >&2
	echo "$dead" >&2
	exit 1
fi
