//go:build !js

package screen

import (
	"fmt"
	"io"
	"os"
	"os/exec"

	"whorl/experiment/session"
	"whorl/visual/documents"
)

// NewFetch returns nil: windows find files by their paths.
func NewFetch() func(address string) *documents.File { return nil }

// NewWindows returns a function that opens another window, which is another process of this program, and returns the connection to it.
func NewWindows() func() (io.ReadWriteCloser, error) {
	return func() (io.ReadWriteCloser, error) {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("no other window can be opened: %w", err)
		}
		process := exec.Command(self, "--"+DetachedFlag)
		process.Stderr = os.Stderr
		conn, err := session.Connect(process)
		if err != nil {
			return nil, fmt.Errorf("no other window can be opened: %w", err)
		}
		go func() { _, _ = process.Process.Wait() }() // the connection ends with the process
		return conn, nil
	}
}
