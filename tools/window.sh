#!/bin/bash
# window.sh tags: prints the build tags of a native window, and that of sound if it can be built too. Missing packages are installed by root
# on Debian; elsewhere they are named. Fails if no window can be built.
# window.sh COMMAND...: runs a command that opens windows on an X server without a screen.
set -euo pipefail
here=$(dirname "$0")

window="gcc libc6-dev pkg-config libgl1-mesa-dev libx11-dev libxrandr-dev libxcursor-dev libxinerama-dev libxi-dev libxxf86vm-dev libxau-dev"

# missing HEADER...: names the first of the headers that the C compiler does not find, nothing where it finds all.
missing() {
	local header
	for header in "$@"; do
		printf '#include <X11/Xlib.h>\n#include <%s>\n' "$header" | ${CC:-gcc} -E - >/dev/null 2>&1 || { echo "$header"; return; }
	done
}
of_window() {
	missing X11/extensions/Xrandr.h X11/Xcursor/Xcursor.h X11/extensions/Xinerama.h X11/extensions/XInput2.h \
		X11/extensions/xf86vmode.h X11/Xauth.h GL/gl.h
}
of_sound() {
	missing alsa/asoundlib.h
	pkg-config --exists alsa 2>/dev/null || echo "pkg-config"
}

# need.sh tests for a command; headers have none. The name here exists nowhere, so the packages are always installed.
bring() { "$here"/need.sh whorl-headers "$@" 2>/dev/null || true; }

if [ "${1-}" = tags ]; then
	if [ -n "$(of_window)" ]; then bring $window; fi
	lacks=$(of_window)
	if [ -n "$lacks" ]; then
		echo "the window needs gcc, pkg-config and headers; $lacks is missing: apt-get install $window" >&2
		exit 1
	fi
	if [ -n "$(of_sound)" ]; then bring pkg-config libasound2-dev; fi
	if [ -n "$(of_sound)" ]; then
		echo "the window will have no sound: apt-get install libasound2-dev" >&2
		echo window
	else
		echo window,sound
	fi
	exit 0
fi

"$here"/need.sh Xvfb xvfb libgl1-mesa-dri
exec 3< <(exec Xvfb -displayfd 1 -screen 0 1600x1000x24 -nolisten tcp -noreset 2>/dev/null)
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
read -r number <&3
DISPLAY=:$number XAUTHORITY=/dev/null "$@"
