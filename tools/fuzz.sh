#!/bin/bash
# Runs every fuzz target of the given packages for $FUZZTIME each and says how often each one was executed.
set -euo pipefail
time=${FUZZTIME:-30s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
targets=0 total=0 failed=0

for pkg in $(go list "$@"); do
	dir=$(go list -f '{{.Dir}}' "$pkg")
	grep -qsE '^func Fuzz' "$dir"/*_test.go || continue
	for target in $(go test -list '^Fuzz' "$pkg" | grep '^Fuzz'); do
		targets=$((targets + 1))
		if ! go test -run='^$' -fuzz="^$target\$" -fuzztime="$time" "$pkg" >"$log" 2>&1; then
			failed=$((failed + 1))
			cat "$log"
			echo "FAIL $pkg $target"
			continue
		fi
		execs=$(grep -oE 'execs: [0-9]+' "$log" | tail -1 | grep -oE '[0-9]+' || echo 0)
		total=$((total + execs))
		printf 'ok   %-40s %-28s %12d executions\n' "$pkg" "$target" "$execs"
	done
done
echo "$targets targets, $total executions, $failed failed"
[ $failed = 0 ] && [ $targets -gt 0 ]
