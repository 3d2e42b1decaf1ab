#!/bin/bash
# fmt.sh COMMAND...: names the files whose format is not the one of gofumpt, and fails when there are any.
set -euo pipefail
bad=$("$@" -l .)
if [ -n "$bad" ]; then
	echo "not formatted (gofumpt -w):" >&2
	echo "$bad" >&2
	exit 1
fi
