//go:build !js

package system

import "syscall"

// own are the signals that Whorl, the run-time system of Go or the operating system need: they end a run, report a fault of the program, or cannot be
// caught.
var own = []syscall.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL, syscall.SIGSTOP, syscall.SIGPIPE, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGABRT, syscall.SIGBUS,
	syscall.SIGFPE, syscall.SIGSEGV, syscall.SIGPROF, syscall.SIGURG,
}
