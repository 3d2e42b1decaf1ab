//go:build js

// Package webport connects a page with a Web Worker: their messages as a stream of bytes.
package webport

import (
	"errors"
	"io"
	"sync"
	"syscall/js"
)

// A Port is a connection between a page and a worker. Each write is sent as one message with an array of bytes.
type Port struct {
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

// New returns a connection to a worker, or to the page of this worker. Close calls end.
func New(other js.Value, end func()) *Port {
	p := &Port{other: other, end: end}
	p.more.L = &p.mu
	p.heard = p.On("onmessage", func(e js.Value) {
		data := e.Get("data")
		if words := data.Get("stopped"); words.Truthy() {
			p.Cut(errors.New("the worker stopped: " + words.String()))
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

// Parent returns the connection of a worker to its page. The worker's function listen delivers the messages that have arrived before.
func Parent() *Port {
	p := New(js.Global(), func() {})
	p.other.Call("listen", p.heard)
	return p
}

// On sets a handler for events of the other side.
func (p *Port) On(name string, f func(e js.Value)) js.Func {
	handler := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	p.funcs = append(p.funcs, handler)
	p.other.Set(name, handler)
	return handler
}

// Cut ends the connection after the bytes that have arrived.
func (p *Port) Cut(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
	p.more.Broadcast()
}

func (p *Port) Read(b []byte) (int, error) {
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

func (p *Port) Write(b []byte) (int, error) {
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

func (p *Port) Close() error {
	p.Cut(io.EOF)
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
