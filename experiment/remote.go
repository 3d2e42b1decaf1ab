package experiment

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// A Remote is a session at the other end of a connection: in another process, or in a Web Worker. Its methods mean what those of a
// Session mean, and return at once. Where the connection breaks before the session has finished, the status says so and what was taken
// stays a whole trace, as far as it goes.
type Remote struct {
	c       io.ReadWriteCloser
	ask     []byte // the frame that starts the run, to be sent first; nil where it runs already
	begin   sync.Once
	end     sync.Once
	outbox  chan struct{} // holds a token when there is something to send
	over    chan struct{} // closed when the connection is
	greeted chan struct{} // closed when the session has greeted
	done    sync.WaitGroup

	mu       sync.Mutex // of what follows
	queue    []byte     // frames to send
	out      []byte
	status   Status
	snapshot *Snapshot
	hello    *greeting
	closed   bool
}

// Attach returns the session that Feed feeds to the other end of c.
func Attach(c io.ReadWriteCloser) *Remote { return newRemote(c, nil) }

// Ask returns a new session of a run that Serve carries out at the other end of c. Like a Session it begins with the first call of Do,
// Take or Status.
func Ask(c io.ReadWriteCloser, r Run) (*Remote, error) {
	payload, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return newRemote(c, appendFrame(nil, frameRun, payload)), nil
}

func newRemote(c io.ReadWriteCloser, ask []byte) *Remote {
	return &Remote{c: c, ask: ask, outbox: make(chan struct{}, 1), over: make(chan struct{}), greeted: make(chan struct{})}
}

// Take returns what has come of the trace since the last call.
func (r *Remote) Take() []byte {
	r.mu.Lock()
	b := r.out
	r.out = nil
	if len(b) > 0 {
		r.enqueue(frameTaken, len(b))
	}
	r.mu.Unlock()
	r.start()
	return b
}

// Status says how far the session has come, as far as has been heard.
func (r *Remote) Status() Status {
	r.start()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// Do sends a command.
func (r *Remote) Do(c Command) {
	r.mu.Lock()
	r.enqueue(frameCommand, c)
	if r.status.State == Paused && c.Do != Pause {
		r.status.State, r.snapshot = Running, nil
	}
	r.mu.Unlock()
	r.start()
}

// Close takes leave. A session that was started by Ask is stopped; one that was attached to goes on without this viewer.
func (r *Remote) Close() {
	r.mu.Lock()
	r.enqueue(frameClose, nil)
	r.closed = true
	r.mu.Unlock()
	r.start()
}

// Replaced takes leave as Close does, and tells the other end that the viewer goes on with a replay of its own.
func (r *Remote) Replaced() {
	r.mu.Lock()
	r.enqueue(frameReplay, nil)
	r.mu.Unlock()
	r.Close()
}

// Wait waits until the connection has ended.
func (r *Remote) Wait() {
	r.start()
	r.done.Wait()
}

// Snapshot describes what the run holds, nil while it moves.
func (r *Remote) Snapshot() *Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snapshot
}

// Description is the run, false before it is known.
func (r *Remote) Description() (Run, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hello == nil {
		return Run{}, false
	}
	return r.hello.Run, true
}

// Hear waits until the session has greeted and returns its run. The error says why it never will.
func (r *Remote) Hear() (Run, error) {
	r.start()
	select {
	case <-r.greeted:
	case <-r.over:
	}
	if run, ok := r.Description(); ok {
		return run, nil
	}
	return Run{}, errors.New("the run has ended before it began: " + r.Status().Err)
}

// Warnings are about the program, for the user.
func (r *Remote) Warnings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hello == nil {
		return nil
	}
	return r.hello.Warnings
}

// enqueue has a frame sent; r.mu is held.
func (r *Remote) enqueue(kind byte, v any) {
	var payload []byte
	if v != nil {
		payload, _ = json.Marshal(v) // of types that can be marshalled
	}
	if !r.closed {
		r.queue = appendFrame(r.queue, kind, payload)
	}
	token(r.outbox)
}

func (r *Remote) start() {
	r.begin.Do(func() {
		r.done.Go(r.talk)
		r.done.Go(r.hear)
	})
}

// finish closes the connection.
func (r *Remote) finish() {
	r.end.Do(func() {
		r.c.Close()
		close(r.over)
	})
}

// talk sends what is to be sent.
func (r *Remote) talk() {
	defer r.finish()
	if _, err := r.c.Write(r.ask); err != nil {
		return
	}
	for {
		r.mu.Lock()
		b, closed := r.queue, r.closed
		r.queue = nil
		r.mu.Unlock()
		if len(b) > 0 {
			if _, err := r.c.Write(b); err != nil {
				return
			}
		}
		if closed {
			return
		}
		select {
		case <-r.outbox:
		case <-r.over:
			return
		}
	}
}

// hear takes in what comes, until the connection ends.
func (r *Remote) hear() {
	defer r.finish()
	for {
		kind, payload, err := readFrame(r.c)
		if err == nil {
			err = r.frame(kind, payload)
		}
		if err != nil {
			r.lost(err)
			return
		}
	}
}

// lost notes that no more comes.
func (r *Remote) lost(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status.State == Finished {
		return
	}
	r.status.State, r.snapshot = Finished, nil
	switch {
	case r.closed:
		r.status.Err = "closed"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe):
		r.status.Err = "the run was cut off: its process ended without a word"
	default:
		r.status.Err = "the run was cut off: " + err.Error()
	}
}

func (r *Remote) frame(kind byte, payload []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status.State == Finished && kind != frameSnapshot {
		return errors.New("more comes after its end")
	}
	switch kind {
	case frameHello:
		var g greeting
		if err := fromJSON(kind, payload, &g); err != nil || r.hello != nil {
			return err
		}
		r.hello = &g
		close(r.greeted)
	case frameTrace:
		r.out = append(r.out, payload...)
	case frameStatus:
		var st Status
		if err := fromJSON(kind, payload, &st); err != nil {
			return err
		}
		if st.State > Finished {
			return fmt.Errorf("there is no state %d", st.State)
		}
		r.status = st
		if st.State == Running {
			r.snapshot = nil
		}
	case frameSnapshot:
		var s Snapshot
		if err := fromJSON(kind, payload, &s); err != nil {
			return err
		}
		if r.status.State != Running {
			r.snapshot = &s
		}
	}
	return nil
}
