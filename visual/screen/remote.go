//go:build js

package screen

import (
	"errors"
	"syscall/js"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/webport"
	"whorl/visual/documents"
)

// NewRunner returns the runner of programs for the viewer. It runs each program in a Web Worker, because a program on the
// page's own thread would freeze the page. A worker executes another module, the command whorl-runner, which the page
// loads when its first picture rests, or for the first run if that is earlier.
func NewRunner() documents.Runner { return runner{} }

type runner struct{}

func (runner) Run(r experiment.Run) (documents.Session, error) {
	if err := r.Verify(); err != nil { // report errors of the options at once
		return nil, err
	}
	page := js.Global().Get("whorl")
	worker := page.Call("worker")
	p := webport.New(worker, func() { page.Call("end", worker) })
	p.On("onerror", func(e js.Value) {
		words := "the browser could not start a worker for the program"
		if m := e.Get("message"); m.Truthy() {
			words += ": " + m.String()
		}
		p.Cut(errors.New(words))
	})
	return session.Ask(p, r)
}

// Prepare starts a worker for the next run. Later runs find one too.
func (runner) Prepare() { js.Global().Get("whorl").Call("prepare") }
