//go:build !unix

package cli

import "os/exec"

// apart has a process start in a group of its own, where there are such.
func apart(*exec.Cmd) {}
