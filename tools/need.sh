#!/bin/bash
# need.sh COMMAND PACKAGE...: installs Debian packages if COMMAND is missing and the user is root on Debian, and otherwise names the
# packages. Fails if the command is still missing at the end.
set -euo pipefail
cmd=$1
shift
if command -v "$cmd" >/dev/null; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "installing $*" >&2
	export DEBIAN_FRONTEND=noninteractive
	(apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@") >/dev/null </dev/null || true
	if command -v "$cmd" >/dev/null; then exit 0; fi
	echo "could not install $*" >&2
	exit 1
fi
echo "$cmd is missing: apt-get install $*" >&2
exit 1
