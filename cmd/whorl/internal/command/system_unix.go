//go:build unix

package command

import (
	"os"
	"os/exec"
	"syscall"
)

// WriteSignals are the signals of failing writes, to a closed pipe or beyond the limit of a file. whorl uses the errors of the writes instead.
var WriteSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}

// Detach starts a process in a group of its own, which the interrupts of the terminal do not reach.
func Detach(process *exec.Cmd) { process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
