#!/bin/bash
# fmt.sh COMMAND...: names the files whose format is not the one of gofumpt, and fails when there are any. What make made (bin) is not looked at.
set -euo pipefail
bad=$("$@" -l . | { grep -v '^bin/' || true; })
if [ -n "$bad" ]; then
	echo "not formatted (gofumpt -w):" >&2
	echo "$bad" >&2
	exit 1
fi
