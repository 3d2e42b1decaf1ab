//go:build !unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

// writeSignals are the signals of writes that fail; whorl has the errors of the writes instead.
var writeSignals = []os.Signal{syscall.SIGPIPE}

// apart has a process start in a group of its own, where there are such.
func apart(*exec.Cmd) {}
