#!/bin/bash
# All tests of some packages, or of all: with the race detector for the packages whose own code starts goroutines or shares memory, without
# it for the others and for those with tests that leave out the race detector (testenv.Sequential). `make race` runs all packages with it.
# Of all packages, the viewer's tests in a window and a browser run beside the race detector, since they mostly wait; their output comes
# last. TESTFLAGS goes to go test.
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

concurrent='^\s*go (func|[A-Za-z_][A-Za-z_.]*)\b.*\(|\.Go\(func|"sync/atomic"|"golang.org/x/sync/|"whorl/internal/parallel"'

plain=() raced=()
list=$(go list -f '{{.ImportPath}} {{.Dir}} {{join .GoFiles " "}}' "$@")
while read -r pkg dir files; do
	if [ -n "$files" ] && (cd "$dir" && grep -qE "$concurrent" $files); then
		raced+=("$pkg")
		if grep -qs 'testenv\.Sequential(' "$dir"/*_test.go; then plain+=("$pkg"); fi
	else
		plain+=("$pkg")
	fi
done <<<"$list"

# make check runs vet. A package may take an hour: Go's own 10 minutes are short for a machine that has much else to do. Without debug
# information programs link in half the time.
TESTFLAGS="-vet=off -timeout=1h -ldflags=-w ${TESTFLAGS:-}"
# Trimmed paths make compiled packages the same in all folders, so that tests that build programs find them in the cache.
export GOFLAGS="${GOFLAGS:-} -trimpath"

status=0
if [ ${#plain[@]} -gt 0 ]; then go test $TESTFLAGS "${plain[@]}" || status=1; fi
viewer=
if [ "$*" = ./... ]; then
	"$here"/test-viewer.sh prepare || status=1
	said=$(mktemp)
	"$here"/test-viewer.sh run >"$said" 2>&1 &
	viewer=$!
	trap 'kill $viewer 2>/dev/null || true; rm -f "$said"' EXIT
fi
echo "test: ${#raced[@]} packages with goroutines ${race:+under the race detector}"
if [ ${#raced[@]} -gt 0 ]; then go test $race $TESTFLAGS "${raced[@]}" || status=1; fi
if [ -n "$viewer" ]; then
	wait $viewer || status=1
	cat "$said"
fi
exit $status
