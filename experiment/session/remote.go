package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"whorl/experiment"
)

// A Remote is a session at the other end of a connection: on another goroutine, in another process, or in a Web Worker. It has the methods of a
// Session, which return at once. If the connection breaks before the session has finished, the status has an error, and the trace is complete up
// to that moment.
type Remote struct {
	c       io.ReadWriteCloser
	ask     []byte // the frame that starts the run; nil for a run that exists
	begin   sync.Once
	end     sync.Once
	outbox  chan struct{} // holds a token when there is something to send
	over    chan struct{} // closed with the connection
	greeted chan struct{} // closed by the greeting of the session
	done    sync.WaitGroup

	mu       sync.Mutex // guards the fields below
	queue    []byte     // frames to send
	out      []byte
	status   Status
	snapshot *experiment.Snapshot
	hello    *greeting
	closed   bool
}

// Attach returns the session that Feed feeds to the other end of c.
func Attach(c io.ReadWriteCloser) *Remote { return newRemote(c, nil) }

// Pipes returns the connection that reads from in and writes to out, such as standard input and output.
func Pipes(in io.ReadCloser, out io.WriteCloser) io.ReadWriteCloser { return pipes{in, out} }

type pipes struct {
	io.ReadCloser
	out io.WriteCloser
}

func (p pipes) Write(b []byte) (int, error) { return p.out.Write(b) }
func (p pipes) Close() error                { return errors.Join(p.ReadCloser.Close(), p.out.Close()) }

// Ask returns a new session of a run that Serve executes at the other end of c. Like a Session it begins with the first call of Do, TakeTrace or
// Status.
func Ask(c io.ReadWriteCloser, r experiment.Run) (*Remote, error) {
	payload, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return newRemote(c, appendFrame(nil, frameRun, payload)), nil
}

func newRemote(c io.ReadWriteCloser, ask []byte) *Remote {
	return &Remote{c: c, ask: ask, outbox: make(chan struct{}, 1), over: make(chan struct{}), greeted: make(chan struct{})}
}

// TakeTrace returns the part of the trace that has arrived since the last call.
func (r *Remote) TakeTrace() []byte {
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

// Status returns the last status that has arrived.
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

// Close takes leave. It stops a session that Ask started; a session of Attach goes on without this viewer.
func (r *Remote) Close() {
	r.mu.Lock()
	r.enqueue(frameClose, nil)
	r.closed = true
	r.mu.Unlock()
	r.start()
}

// Replaced takes leave like Close, and informs the other end that the viewer continues with a replay of its own.
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

// Snapshot describes the work of the run, nil while it moves.
func (r *Remote) Snapshot() *experiment.Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snapshot
}

// Description returns the run; ok is false before the greeting of the session.
func (r *Remote) Description() (run experiment.Run, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hello == nil {
		return experiment.Run{}, false
	}
	return r.hello.Run, true
}

// Await waits for the greeting of the session and returns its run. The error is the reason why the connection ended before the greeting.
func (r *Remote) Await() (experiment.Run, error) {
	r.start()
	select {
	case <-r.greeted:
	case <-r.over:
	}
	if run, ok := r.Description(); ok {
		return run, nil
	}
	return experiment.Run{}, errors.New("the run has ended before it began: " + r.Status().Err)
}

// enqueue adds a frame to the queue. The caller holds r.mu.
func (r *Remote) enqueue(kind byte, v any) {
	var payload []byte
	if v != nil {
		payload, _ = json.Marshal(v) // cannot fail for these types
	}
	if !r.closed {
		r.queue = appendFrame(r.queue, kind, payload)
	}
	token(r.outbox)
}

func (r *Remote) start() {
	r.begin.Do(func() {
		r.done.Go(r.send)
		r.done.Go(r.receive)
	})
}

// finish closes the connection.
func (r *Remote) finish() {
	r.end.Do(func() {
		r.c.Close()
		close(r.over)
	})
}

// send sends the frames of the queue until the viewer leaves or the connection ends. After a failed write it sends nothing more, but leaves
// the connection open, so that bytes which the other end wrote before it closed its reading end can still be received.
func (r *Remote) send() {
	defer r.finish()
	broken := false
	r.mu.Lock()
	r.queue = append(r.queue, r.ask...) // after the first commands, so that the run begins with them
	r.mu.Unlock()
	for {
		r.mu.Lock()
		b, closed := r.queue, r.closed
		r.queue = nil
		r.mu.Unlock()
		if len(b) > 0 && !broken {
			_, err := r.c.Write(b)
			broken = err != nil
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

// receive reads frames until the connection ends.
func (r *Remote) receive() {
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

// lost ends the session with an error if the connection ended before it.
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

// frame handles a received frame.
func (r *Remote) frame(kind byte, payload []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status.State == Finished && kind != frameSnapshot {
		return errors.New("a frame after the end of the session")
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
		var s experiment.Snapshot
		if err := fromJSON(kind, payload, &s); err != nil {
			return err
		}
		if r.status.State != Running {
			r.snapshot = &s
		}
	}
	return nil
}
