//go:build js

package screen

import (
	"errors"
	"io"
	"sync"
	"syscall/js"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/visual/documents"
)

// NewRunner returns the runner of programs for the viewer. It runs each program in a Web Worker, because a program on the
// page's own thread would freeze the page. A worker is the same WebAssembly module with the argument "worker" (Work).
func NewRunner() documents.Runner { return runner{} }

type runner struct{}

func (runner) Run(r experiment.Run) (documents.Session, error) {
	if _, err := r.Resolve(); err != nil { // report errors of the options at once
		return nil, err
	}
	page := js.Global().Get("whorl")
	worker := page.Call("worker")
	p := newPort(worker, func() {
		worker.Call("terminate")
		page.Set("workers", page.Get("workers").Int()-1)
	})
	p.on("onerror", func(e js.Value) {
		words := "the browser could not start a worker for the program"
		if m := e.Get("message"); m.Truthy() {
			words += ": " + m.String()
		}
		p.cut(errors.New(words))
	})
	return session.Ask(p, r)
}

// InWorker reports whether the program was started in a Web Worker to run programs.
func InWorker(args []string) bool { return len(args) > 1 && args[1] == "worker" }

// Work runs the program that the page requests and sends its trace.
func Work() error {
	self := js.Global()
	p := newPort(self, func() {})
	self.Call("listen", p.heard)
	return session.Serve(p)
}

// A port is a connection between a page and a worker. Each write is sent as one message with an array of bytes.
type port struct {
	other js.Value // receiver of messages
	end   func()
	heard js.Func
	funcs []js.Func

	mu     sync.Mutex
	more   sync.Cond
	bytes  []byte
	err    error // set at the end of the connection
	closed bool
}

func newPort(other js.Value, end func()) *port {
	p := &port{other: other, end: end}
	p.more.L = &p.mu
	p.heard = p.on("onmessage", func(e js.Value) {
		data := e.Get("data")
		if words := data.Get("stopped"); words.Truthy() {
			p.cut(errors.New("the worker stopped: " + words.String()))
			return
		}
		if !data.InstanceOf(js.Global().Get("Uint8Array")) {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		n := len(p.bytes)
		p.bytes = append(p.bytes, make([]byte, data.Get("length").Int())...)
		js.CopyBytesToGo(p.bytes[n:], data)
		p.more.Signal()
	})
	return p
}

// on sets a handler for events of the other side.
func (p *port) on(name string, f func(e js.Value)) js.Func {
	handler := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	p.funcs = append(p.funcs, handler)
	p.other.Set(name, handler)
	return handler
}

// cut ends the connection after the bytes that have arrived.
func (p *port) cut(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
	p.more.Broadcast()
}

func (p *port) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.bytes) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		p.more.Wait()
	}
	n := copy(b, p.bytes)
	p.bytes = p.bytes[n:]
	return n, nil
}

func (p *port) Write(b []byte) (int, error) {
	p.mu.Lock()
	closed := p.closed
	p.mu.Unlock()
	if closed {
		return 0, io.ErrClosedPipe
	}
	if len(b) == 0 {
		return 0, nil
	}
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	p.other.Call("postMessage", array, []any{array.Get("buffer")})
	return len(b), nil
}

func (p *port) Close() error {
	p.cut(io.EOF)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	for _, name := range []string{"onmessage", "onerror"} {
		p.other.Set(name, nil)
	}
	for _, f := range p.funcs {
		f.Release()
	}
	p.end()
	return nil
}
