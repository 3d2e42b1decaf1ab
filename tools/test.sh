#!/bin/bash
# All tests: with the race detector for the packages that start goroutines or share memory, without it for the others. Those
# that wait for other processes, for windows or for clocks have the machine to themselves. TESTFLAGS goes to go test.
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

# A package is concurrent when it or its tests have a go statement or import sync.
concurrent() {
	local pkg dir
	go list -f '{{.ImportPath}} {{.Dir}}' "$@" | while read -r pkg dir; do
		if grep -qsE '^\s*go (func|[A-Za-z_][A-Za-z_.]*)\b.*\(|"sync(/atomic)?"|"golang.org/x/sync/' "$dir"/*.go; then
			echo "$pkg"
		fi
	done
}

alone='^whorl/(cmd/whorl|dts/cluster|sim/live|visual/app|visual/screen)$'

mapfile -t all < <(go list "$@")
mapfile -t raced < <(concurrent "$@")
mapfile -t plain < <(printf '%s\n' "${all[@]}" | grep -vxF -f <(printf '%s\n' "${raced[@]}" -) || true)
mapfile -t shared < <(printf '%s\n' "${raced[@]}" | grep -vE "$alone" || true)
mapfile -t single < <(printf '%s\n' "${raced[@]}" | grep -E "$alone" || true)

TESTFLAGS="-timeout=1h ${TESTFLAGS:-}" # for a package; Go's own 10 minutes are short for a machine that has much else to do

status=0
if [ ${#plain[@]} -gt 0 ]; then go test $TESTFLAGS "${plain[@]}" || status=1; fi
echo "test: ${#raced[@]} packages with goroutines ${race:+under the race detector}"
if [ ${#shared[@]} -gt 0 ]; then go test $race $TESTFLAGS "${shared[@]}" || status=1; fi
if [ ${#single[@]} -gt 0 ]; then go test $race $TESTFLAGS -p 1 "${single[@]}" || status=1; fi
exit $status
