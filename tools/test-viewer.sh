#!/bin/bash
# Tests the viewer in a window, on an X server without a screen, and in a headless browser. Missing programs are installed by root on Debian;
# elsewhere they are named, and their tests are left out.
# test-viewer.sh prepare installs what is needed and builds the page; test-viewer.sh run runs the tests; without an argument it does both.
set -euo pipefail
here=$(dirname "$0")
step=${1:-both}
status=0

skip() { echo "test: left out: $1"; }

# says runs a command, without its output where the other step has shown it.
says() { if [ "$step" = run ]; then "$@" >/dev/null 2>&1; else "$@"; fi; }

window=yes browser=yes
if ! says "$here"/need.sh Xvfb xvfb libgl1-mesa-dri || ! says "$here"/need.sh xdotool xdotool; then
	window=
	says skip "the window, which needs Xvfb and xdotool"
elif ! tags=$("$here"/window.sh tags); then
	window=
	says skip "the window, which cannot be built here"
fi
if ! command -v chromium chromium-browser google-chrome >/dev/null && ! says "$here"/need.sh chromium chromium; then
	browser=
	says skip "the page in a browser, which needs Chromium"
fi

if [ "$step" != run ] && [ -n "$browser" ]; then
	"$here"/page.sh serve/dist
	"$here"/others.sh
	if [ ! -e bin/axe/node_modules/axe-core ] && ! { mkdir -p bin/axe && timeout 300 npm install --prefix bin/axe --no-save --no-audit --no-fund --ignore-scripts --loglevel=error axe-core@4 >/dev/null </dev/null; }; then
		skip "the accessibility of the page in axe-core, which npm cannot install"
	fi
fi
if [ "$step" = prepare ]; then exit; fi

# make check runs vet.
flags="-count=1 -timeout=1h -vet=off -ldflags=-w"
windows=
if [ -n "$window" ]; then
	"$here"/window.sh go test $flags -tags "$tags" ./visual/screen ./visual/app/paint ./cmd/whorl-view &
	windows=$!
fi
if [ -n "$browser" ]; then
	go test $flags -tags browser ./serve || status=1
	go test $flags -tags browser -run Browser ./visual/space || status=1
	go test $flags -tags browser -run Browser ./lesson/script/handout || status=1
fi
if [ -n "$windows" ]; then wait $windows || status=1; fi
exit $status
