//go:build window && linux

package screen

// Ebitengine opens the display before main begins, and panics where there is none. What runs before that is a constructor of C.

/*
#cgo LDFLAGS: -lX11
#include <stdio.h>
#include <stdlib.h>
#include <X11/Xlib.h>

__attribute__((constructor)) static void whorl_display(void) {
	Display *d = XOpenDisplay(NULL);
	if (d) {
		XCloseDisplay(d);
		return;
	}
	const char *name = getenv("DISPLAY");
	if (name && *name)
		fprintf(stderr, "whorl-view: the display %s cannot be opened; whorl serve shows the viewer in a browser\n", name);
	else
		fputs("whorl-view: there is no display here (DISPLAY is not set); whorl serve shows the viewer in a browser\n", stderr);
	exit(69);
}
*/
import "C"
