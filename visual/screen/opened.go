//go:build !js

package screen

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"whorl/experiment/session"
	"whorl/visual/documents"
)

// Opened returns the files to open first, and the connection to a run to watch or to the window of a detached pane, nil for none. With piped it is
// standard input and output.
func Opened(args []string, piped bool) ([]*documents.File, io.ReadWriteCloser, error) {
	if !piped {
		return Files(args), nil, nil
	}
	signal.Ignore(syscall.SIGPIPE) // a run that is killed must not end the window that shows it
	return Files(args), session.Pipes(os.Stdin, os.Stdout), nil
}
