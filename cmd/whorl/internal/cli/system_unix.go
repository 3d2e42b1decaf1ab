//go:build unix

package cli

import (
	"os"
	"os/exec"
	"syscall"
)

// writeSignals are the signals of writes that fail, to a pipe that nobody reads or beyond the allowed size of a file; whorl has the errors
// of the writes instead.
var writeSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}

// apart has a process start in a group of its own, which the terminal's interrupts do not reach.
func apart(process *exec.Cmd) { process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
