//go:build !unix

package command

import (
	"os"
	"os/exec"
	"syscall"
)

// WriteSignals are the signals of failing writes. whorl uses the errors of the writes instead.
var WriteSignals = []os.Signal{syscall.SIGPIPE}

// Detach starts a process in a group of its own, where the system has groups.
func Detach(*exec.Cmd) {}
