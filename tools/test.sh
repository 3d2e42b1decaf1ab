#!/bin/bash
# All tests: with the race detector for the packages that start goroutines or share memory, without it for the others.
set -euo pipefail
here=$(dirname "$0")

"$here"/need.sh gcc gcc libc6-dev || true
"$here"/need.sh gfortran gfortran || true # a test compares programs in HPF with it
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

mapfile -t all < <(go list "$@")
mapfile -t raced < <(concurrent "$@")
mapfile -t plain < <(printf '%s\n' "${all[@]}" | grep -vxF -f <(printf '%s\n' "${raced[@]}" -) || true)

status=0
if [ ${#plain[@]} -gt 0 ]; then go test "${plain[@]}" || status=1; fi
if [ ${#raced[@]} -gt 0 ]; then
	echo "test: ${#raced[@]} packages with goroutines ${race:+under the race detector}"
	go test $race "${raced[@]}" || status=1
fi
exit $status
