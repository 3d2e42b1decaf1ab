//go:build js

package screen

import (
	"context"
	"errors"
	"syscall/js"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/internal/webport"
	"whorl/tracer"
	"whorl/visual/documents"
)

// NewRunner returns the runner of programs for the viewer. It runs each program in a Web Worker, because a program on the
// page's own thread would freeze the page. A worker executes another module, the command whorl-runner, which the page
// loads when its first picture rests, or for the first run if that is earlier.
func NewRunner() documents.Runner { return &runner{hosts: map[*experiment.Recorded]js.Value{}} }

// hosts are the workers that have read recorded programs.
type runner struct {
	hosts map[*experiment.Recorded]js.Value
}

func (w *runner) Run(r experiment.Run) (documents.Session, error) {
	if err := r.Verify(); err != nil { // report errors of the options at once
		return nil, err
	}
	page := js.Global().Get("whorl")
	if r.Recorded != nil {
		port := page.Call("channel", w.hosts[r.Recorded])
		return session.Ask(webport.New(port, func() { port.Call("close") }), r)
	}
	_, p := worker(page)
	return session.Ask(p, r)
}

// worker returns a worker that runs or reads a program, and the connection to it.
func worker(page js.Value) (worker js.Value, p *webport.Port) {
	worker = page.Call("worker")
	p = webport.New(worker, func() { page.Call("end", worker) })
	p.On("onerror", func(e js.Value) {
		words := "the browser could not start a worker for the program"
		if m := e.Get("message"); m.Truthy() {
			words += ": " + m.String()
		}
		p.Cut(errors.New(words))
	})
	return worker, p
}

// Read has a worker read the program in a trace, which also replays it until it is forgotten.
func (w *runner) Read(src tracer.Source, name string) (run experiment.Run, forget func(), err error) {
	host, p := worker(js.Global().Get("whorl"))
	pause := func() { time.Sleep(time.Millisecond) }
	if run, err = session.Read(p, src, name, pause); err != nil {
		p.Close()
		return run, nil, err
	}
	w.hosts[run.Recorded] = host
	return run, func() {
		delete(w.hosts, run.Recorded)
		p.Close()
	}, nil
}

// Rank has the worker that has read a program rank its parts.
func (w *runner) Rank(ctx context.Context, r experiment.Run, watch func(over, all int)) (elapsed int64, gains []*experiment.Gain, err error) {
	port := js.Global().Get("whorl").Call("channel", w.hosts[r.Recorded])
	return session.Rank(ctx, webport.New(port, func() { port.Call("close") }), r, watch)
}

// Prepare starts a worker for the next run. Later runs find one too.
func (*runner) Prepare() { js.Global().Get("whorl").Call("prepare") }
