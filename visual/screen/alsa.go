//go:build window && sound && linux

package screen

/*
#cgo pkg-config: alsa
#include <alsa/asoundlib.h>

static void whorl_hush(const char *file, int line, const char *function, int err, const char *format, ...) {}
static void whorl_hush_alsa(void) { snd_lib_error_set_handler(whorl_hush); }
*/
import "C"

// hushDriver keeps the driver from writing errors to standard error; its functions return them.
func hushDriver() { C.whorl_hush_alsa() }
