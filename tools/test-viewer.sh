#!/bin/bash
# The tests of the viewer where people use it: in a window, on an X server that nobody sees, and in a browser without a window. What is
# needed is installed as root on Debian; elsewhere what is missing is said, and its tests are left out.
set -euo pipefail
here=$(dirname "$0")
status=0

skip() { echo "test: left out: $1"; }

if ! "$here"/need.sh Xvfb xvfb libgl1-mesa-dri || ! "$here"/need.sh xdotool xdotool; then
	skip "the window, which needs Xvfb and xdotool"
elif ! tags=$("$here"/window.sh tags); then
	skip "the window, which cannot be built here"
else
	"$here"/window.sh go test -count=1 -timeout=1h -tags "$tags" ./visual/screen ./visual/app/paint ./cmd/whorl-view || status=1
fi

browser=
for name in chromium chromium-browser google-chrome; do
	if command -v $name >/dev/null; then
		browser=$name
		break
	fi
done
if [ -z "$browser" ] && ! "$here"/need.sh chromium chromium; then
	skip "the page in a browser, which needs Chromium"
else
	"$here"/page.sh serve/dist
	go test -count=1 -timeout=1h -tags browser ./serve || status=1
	"$here"/others.sh
	go test -count=1 -timeout=1h -tags browser -run Browser ./visual/space || status=1
fi
exit $status
