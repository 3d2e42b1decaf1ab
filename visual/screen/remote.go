//go:build js

package screen

import (
	"encoding/json"
	"sync"
	"syscall/js"

	"whorl/experiment"
	"whorl/visual/app"
)

// NewRunner returns what starts programs for the viewer: here, each in a Web Worker, for a program that computes on the page's own thread
// would freeze it.
//
// A worker is the same WebAssembly module, started with the argument "worker" (Work). It is sent one message with the run and then one for
// each command; it sends its bytes of the trace with its status, and in the end the page terminates it.
func NewRunner() app.Runner { return runner{} }

type runner struct{}

func (runner) Run(r experiment.Run) (app.Session, error) {
	if _, err := r.Resolve(); err != nil { // what is wrong with it is said at once
		return nil, err
	}
	description, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	s := &remote{worker: js.Global().Get("whorl").Call("worker", string(description))}
	s.heard = js.FuncOf(func(_ js.Value, args []js.Value) any {
		s.hear(args[0].Get("data"))
		return nil
	})
	s.failed = js.FuncOf(func(_ js.Value, args []js.Value) any {
		words := "the browser could not start a worker for the program"
		if m := args[0].Get("message"); m.Truthy() {
			words += ": " + m.String()
		}
		s.fail(words)
		return nil
	})
	s.worker.Set("onmessage", s.heard)
	s.worker.Set("onerror", s.failed)
	return s, nil
}

// A remote is a session in a worker.
type remote struct {
	worker js.Value
	heard  js.Func
	failed js.Func

	mu     sync.Mutex
	bytes  []byte
	status app.Status
	closed bool
}

func (s *remote) hear(message js.Value) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if array := message.Get("bytes"); array.Truthy() {
		n := len(s.bytes)
		s.bytes = append(s.bytes, make([]byte, array.Get("length").Int())...)
		js.CopyBytesToGo(s.bytes[n:], array)
	}
	if text := message.Get("status"); text.Truthy() {
		var st experiment.Status
		if err := json.Unmarshal([]byte(text.String()), &st); err == nil {
			s.status = status(st)
		}
	}
	if words := message.Get("stopped"); words.Truthy() {
		s.end("the worker of the program stopped: " + words.String())
	}
}

func (s *remote) fail(words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end(words)
}

// end marks a session whose worker has ended before its run.
func (s *remote) end(words string) {
	if s.status.State != app.Finished {
		s.status.State, s.status.Err = app.Finished, words
	}
}

func (s *remote) Take() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.bytes
	s.bytes = nil
	if len(b) > 0 {
		s.post(map[string]any{"taken": len(b)})
	}
	return b
}

func (s *remote) Status() app.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

func (s *remote) Do(c app.Command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := json.Marshal(command(c))
	if err != nil {
		return
	}
	if s.status.State == app.Paused && c.Do != app.Pause {
		s.status.State = app.Running
	}
	s.post(map[string]any{"command": string(text)})
}

func (s *remote) post(message map[string]any) {
	if !s.closed {
		s.worker.Call("postMessage", message)
	}
}

func (s *remote) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	s.worker.Call("terminate")
	s.worker.Set("onmessage", nil)
	s.worker.Set("onerror", nil)
	s.heard.Release()
	s.failed.Release()
	s.end("closed")
}
