//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// apart has a process start in a group of its own, which the terminal's interrupts do not reach.
func apart(process *exec.Cmd) { process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
