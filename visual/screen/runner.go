//go:build !js

package screen

import (
	"errors"

	"whorl/experiment"
	"whorl/visual/app"
)

// NewRunner returns what starts programs for the viewer: here, each on a goroutine.
func NewRunner() app.Runner { return runner{} }

type runner struct{}

func (runner) Run(r experiment.Run) (app.Session, error) {
	s, err := experiment.Start(r)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// InWorker says whether the program was started in a Web Worker, which happens in a browser alone.
func InWorker([]string) bool { return false }

// Work is what a worker does.
func Work() error { return errors.New("only a browser has workers") }
