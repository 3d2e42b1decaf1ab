#!/bin/sh
# Records the traces of this folder again, and network.trace of the folder that all packages share, with the Go of each form of the format, as the Go proxy has them.
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
mkdir "$work/programs" && cp "$here"/programs/*.go "$work/programs" && cd "$work" || exit 1
printf 'module programs\n\ngo 1.22\n' > go.mod
cat > main.go <<'END'
package main

import (
	"os"

	"programs/programs"
)

func main() { os.WriteFile(os.Args[2], programs.Record(programs.All[os.Args[1]]), 0o644) }
END
export GOFLAGS=-trimpath GOWORK=off
for go in 1.22.12 1.23.12 1.24.13 1.25.8 1.26.8; do
	GOTOOLCHAIN=go$go go build -o record . || exit 1
	for p in small mutex network memory coroutines regions; do
		case $p-$go in
		network-1.23*) ./record $p "$here/../../../../testdata/traces/network.trace" ;;
		small-*|mutex-1.22*|memory-1.24*|coroutines-1.25*|coroutines-1.23*|regions-1.25*) ./record $p "$here/$p-${go%.*}.trace" ;;
		esac
	done
done
