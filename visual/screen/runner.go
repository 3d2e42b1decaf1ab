//go:build !js

package screen

import (
	"net"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/visual/documents"
)

// NewRunner returns the runner of programs for the viewer. It runs each program on a goroutine.
func NewRunner() documents.Runner { return runner{} }

type runner struct{}

func (runner) Run(r experiment.Run) (documents.Session, error) {
	if err := r.Verify(); err != nil {
		return nil, err
	}
	viewer, program := net.Pipe()
	go func() { _ = session.Serve(program) }() // its viewer sees the same error
	return session.Ask(viewer, r)
}
