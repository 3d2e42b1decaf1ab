#!/bin/bash
# Functions that no program reaches. Packages that only tests import lie in folders named testdata, which ./... does not list.
set -euo pipefail
dead=$("$@" ./...)
if [ -n "$dead" ]; then
	echo "functions that no program reaches:" >&2
	echo "$dead" >&2
	exit 1
fi
