#!/bin/bash
# All tests of some packages, or of all: with the race detector for the packages that start goroutines which share memory, without it for the others
# and for the tests that do less under it (testenv.Sequential and testenv.Race). `make race` runs all packages with it.
# Of all packages, the viewer's tests in a window and a browser run beside the others, since they mostly wait; their output comes last.
# TESTFLAGS goes to go test.
set -euo pipefail
here=$(dirname "$0")

"$here"/need.sh gcc gcc libc6-dev || true
"$here"/need.sh gfortran gfortran || true # a test compares programs in HPF with it
"$here"/others.sh
race=-race
if ! command -v gcc >/dev/null; then
	echo "test: no C compiler: the race detector is left out"
	race=
fi

concurrent='^\s*go (func|[A-Za-z_][A-Za-z_.]*)\b.*\(|\.Go\(func|"sync/atomic"$|"golang.org/x/sync/[a-z]*"$|"whorl/internal/parallel"$'

# The goroutines of these packages wait for a signal, a process, a file or a connection, and say so through a channel. Their programs are the
# largest ones: under the race detector all that they import would have to be compiled once more.
waiting='^whorl/(cmd/.*|visual/screen|visual/app/chooser)$'

# The goroutines of these packages divide work by internal/parallel, which has tests of its own.
pictures='^whorl/visual/(view|views)/'

# asking prints the tests of a folder that ask whether the race detector is on, or a pattern of all of them if another function asks.
asking() {
	find "$1" -maxdepth 1 -name '*_test.go' -exec awk '/^func / { name = match($0, /^func Test[^(]*/) ? substr($0, 6, RLENGTH - 5) : ".*" }
		/testenv\.(Sequential\(|Race)/ { print name }' {} + | sort -u
}

plain=() raced=() both=() tests=
list=$(go list -f '{{.ImportPath}} {{.Dir}} {{if or .TestGoFiles .XTestGoFiles}}{{join .GoFiles " "}}{{end}}' "$@")
while read -r pkg dir files; do
	if [ -n "$files" ] && [[ ! $pkg =~ $waiting && ! $pkg =~ $pictures ]] && (cd "$dir" && grep -qE "$concurrent" $files); then
		raced+=("$pkg")
		names=$(asking "$dir")
		if [ -n "$names" ]; then both+=("$pkg") tests+="|${names//$'\n'/|}"; fi
	else
		plain+=("$pkg")
	fi
done <<<"$list"

# make check runs vet. A package may take an hour: Go's own 10 minutes are short for a machine that has much else to do. Without debug
# information programs link in half the time.
TESTFLAGS="-vet=off -timeout=1h -ldflags=-w ${TESTFLAGS:-}"
# Trimmed paths make compiled packages the same in all folders, so that tests that build programs find them in the cache. The tables of debuggers take a
# tenth of the time of compiling.
export GOFLAGS="${GOFLAGS:-} -trimpath -gcflags=all=-dwarf=false"
# Else each process with the race detector sleeps for a second at its end.
export GORACE="atexit_sleep_ms=0 ${GORACE:-}"

status=0
viewer=
if [ "$*" = ./... ]; then
	"$here"/test-viewer.sh prepare || status=1
	said=$(mktemp)
	"$here"/test-viewer.sh run >"$said" 2>&1 &
	viewer=$!
	trap 'kill $viewer 2>/dev/null || true; rm -f "$said"' EXIT
fi
if [ ${#plain[@]} -gt 0 ]; then go test $TESTFLAGS "${plain[@]}" || status=1; fi
echo "test: ${#raced[@]} packages with goroutines ${race:+under the race detector}"
if [ ${#raced[@]} -gt 0 ]; then go test $race $TESTFLAGS "${raced[@]}" || status=1; fi
if [ -n "$race" ] && [ ${#both[@]} -gt 0 ]; then
	echo "test: without the race detector, the tests of ${#both[@]} of them that do less under it"
	go test $TESTFLAGS -run="^(${tests#|})$" "${both[@]}" || status=1
fi
if [ -n "$viewer" ]; then
	wait $viewer || status=1
	cat "$said"
fi
exit $status
