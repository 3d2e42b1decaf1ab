//go:build !js

package screen

import (
	"errors"
	"net"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/visual/documents"
)

// NewRunner returns the runner of programs for the viewer. It runs each program on a goroutine.
func NewRunner() documents.Runner { return runner{} }

type runner struct{}

func (runner) Run(r experiment.Run) (documents.Session, error) {
	if _, err := r.Resolve(); err != nil {
		return nil, err
	}
	viewer, program := net.Pipe()
	go func() { _ = session.Serve(program) }() // its viewer sees the same error
	return session.Ask(viewer, r)
}

// InWorker reports whether the program was started in a Web Worker, which happens only in a browser.
func InWorker([]string) bool { return false }

// Work runs programs in a Web Worker.
func Work() error { return errors.New("only a browser has workers") }
