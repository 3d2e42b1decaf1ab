#!/bin/bash
# window.sh has: is what a native window is built with there? Where it is not, it is installed as root on Debian; otherwise says what is
# missing and fails.
# window.sh COMMAND...: runs a command on a display of its own that nobody sees, for programs with windows.
set -euo pipefail
here=$(dirname "$0")

if [ "${1-}" = has ]; then
	for header in X11/Xlib.h X11/extensions/Xrandr.h X11/Xcursor/Xcursor.h X11/extensions/Xinerama.h X11/extensions/XInput2.h \
		X11/extensions/xf86vmode.h X11/Xauth.h GL/gl.h; do
		if echo "#include <X11/Xlib.h>
#include <$header>" | ${CC:-gcc} -E - >/dev/null 2>&1; then continue; fi
		# A command that does not exist is what the packages are asked to bring; whether they did is seen below.
		if [ -z "${WHORL_ASKED-}" ]; then
			"$here"/need.sh whorl-headers gcc libc6-dev pkg-config libgl1-mesa-dev libx11-dev libxrandr-dev libxcursor-dev \
				libxinerama-dev libxi-dev libxxf86vm-dev libxau-dev 2>/dev/null || true
			WHORL_ASKED=1 exec "$0" has
		fi
		echo "the window needs gcc, pkg-config and headers, of which $header is missing:" \
			"apt-get install gcc pkg-config libgl1-mesa-dev libx11-dev libxrandr-dev libxcursor-dev libxinerama-dev libxi-dev libxxf86vm-dev libxau-dev" >&2
		exit 1
	done
	exit 0
fi

"$here"/need.sh Xvfb xvfb libgl1-mesa-dri
exec 3< <(exec Xvfb -displayfd 1 -screen 0 1600x1000x24 -nolisten tcp -noreset 2>/dev/null)
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
read -r number <&3
DISPLAY=:$number XAUTHORITY=/dev/null "$@"
