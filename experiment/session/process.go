//go:build !js

package session

import (
	"io"
	"os/exec"
)

// Connect starts a process and returns the connection over its standard input and output. The caller waits for the process. An error of the start is
// that of the operating system.
func Connect(process *exec.Cmd) (io.ReadWriteCloser, error) {
	in, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	return Pipes(out, in), nil
}
