//go:build window && linux

package screen

// Ebitengine opens the display before main begins and panics if there is none. Only a C constructor runs earlier.

/*
#cgo LDFLAGS: -lX11 -lXau
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <X11/Xauth.h>
#include <X11/Xlib.h>

#define COOKIE "MIT-MAGIC-COOKIE-1"

// Ebitengine queries the monitors with a second library, which writes to standard error if it finds no key for the
// display, though none is needed. whorl_key appends an empty key for any display to a copy of the user's keys. That
// library accepts the empty key silently and others ignore it. Since Go reads the environment of the process at its
// start, the program then runs itself again.
static void whorl_key(Display *d, char **argv) {
	const char *display = DisplayString(d);
	char host[256] = "", number[16] = "", path[32], connection[16];
	const char *colon = strrchr(display, ':');
	if (getenv("WHORL_XAUTHORITY") || !colon || sscanf(colon, ":%15[0-9]", number) != 1 || gethostname(host, sizeof host - 1))
		return;
	Xauth *key = XauGetAuthByAddr(FamilyLocal, strlen(host), host, strlen(number), number, strlen(COOKIE), COOKIE);
	if (key) {
		XauDisposeAuth(key);
		return;
	}
	int copy = memfd_create("Xauthority", 0);
	int keys = open(XauFileName() ? XauFileName() : "", O_RDONLY);
	char buf[4096];
	for (ssize_t n; keys >= 0 && (n = read(keys, buf, sizeof buf)) > 0;)
		if (write(copy, buf, n) != n)
			return;
	if (write(copy, "\xff\xff\0\0\0\0\0\0\0\0", 10) != 10)
		return;
	const char *before = getenv("XAUTHORITY");
	setenv("WHORL_XAUTHORITY", before ? before : "", 1);
	snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
	setenv("XAUTHORITY", path, 1);
	snprintf(connection, sizeof connection, "%d", ConnectionNumber(d));
	setenv("WHORL_CONNECTION", connection, 1);
	fcntl(ConnectionNumber(d), F_SETFD, 0);
	execv("/proc/self/exe", argv);
}

// An X server without other clients resets when its last client leaves, and refuses clients meanwhile. The connection
// therefore stays open until the process ends, also while the program runs itself again.
__attribute__((constructor)) static void whorl_display(int argc, char **argv) {
	Display *d = XOpenDisplay(NULL);
	if (d) {
		const char *before = getenv("WHORL_CONNECTION");
		if (before) {
			close(atoi(before));
			unsetenv("WHORL_CONNECTION");
		}
#ifdef __GLIBC__ // passes the arguments to constructors
		whorl_key(d, argv);
#endif
		return;
	}
	const char *name = getenv("DISPLAY");
	if (name && *name)
		fprintf(stderr, "whorl-view: the display %s cannot be opened; use whorl serve to view traces in a browser\n", name);
	else
		fputs("whorl-view: no display (DISPLAY is not set); use whorl serve to view traces in a browser\n", stderr);
	exit(69);
}
*/
import "C"

import (
	"io"
	"os"

	"github.com/jezek/xgb"
)

// Programs started by the window get the user's keys. From here on the second library's log is discarded.
func init() {
	xgb.Logger.SetOutput(io.Discard)
	before, changed := os.LookupEnv("WHORL_XAUTHORITY")
	if !changed {
		return
	}
	os.Unsetenv("WHORL_XAUTHORITY")
	os.Unsetenv("WHORL_CONNECTION")
	if os.Unsetenv("XAUTHORITY"); before != "" {
		os.Setenv("XAUTHORITY", before)
	}
}
