// Package session runs a program that can be paused, stepped and shown while it runs, in this process or at the other end of a connection.
//
// A Session runs on a goroutine. A viewer polls its Status, takes the trace as it grows, and gives it commands. Feed lets a viewer in another
// process do the same through a Remote; Serve runs a program for one. docs/sessions.md describes the frames between them.
package session

import (
	"context"
	"sync"
	"time"

	"whorl/experiment"
	"whorl/tracer/store"
)

// A Session runs a program on a goroutine of its own. It can be paused and stepped, and its trace is taken while it grows. It begins with the
// first call of Do, TakeTrace, Status or Done. If that is Do with Command{StepTo, n}, the run stops at reduction n in a state that depends only on the
// run. One step back is therefore a new session of the same run, stepped to one reduction less.
//
// Any goroutine may call the methods. They return at once, except for Snapshot, which examines the whole run.
type Session struct {
	description experiment.Run
	perform     func() *experiment.Result // runs the program and closes its trace
	unpausable  bool
	untaken     int // limit in bytes of the trace that has not been taken; beyond it the run waits

	ctx    context.Context
	cancel context.CancelFunc
	begin  sync.Once
	wake   chan struct{} // holds a token when the goroutine has work
	news   chan struct{} // holds a token when readers can read something new
	done   chan struct{} // closed when the goroutine has ended

	mu        sync.Mutex // guards the fields below
	out       []byte
	discarded bool // no reader takes the trace
	status    Status
	commands  []Command
	result    *experiment.Result

	run      sync.Mutex                 // held while the run moves; guards the fields below
	progress func() experiment.Progress // nil before the run has begun
	x        *experiment.Execution      // nil before the run has begun, and for a run of another process
	snapshot *experiment.Snapshot       // of x as it stands, nil until a Snapshot is asked for
	pauseAt  int64                      // the reduction at which to pause, negative for none
}

// Status is the status of a session.
type Status struct {
	State      State  `json:"state"`
	Reductions int64  `json:"reductions"`
	Virtual    int64  `json:"virtual_ns"`
	Answer     string `json:"answer"`               // when it stands still and at the end
	Err        string `json:"error"`                // the reason why it failed or stopped
	Outcome    string `json:"outcome,omitempty"`    // done, failed, limited or interrupted; "" before the end
	Unpausable bool   `json:"unpausable,omitempty"` // it runs in another process and obeys only Stop
	Steps      bool   `json:"steps,omitempty"`      // Reductions counts forks and joins of threads; of a live run, until its last pause
}

// A State is the state of a session.
type State uint8

// The states.
const (
	Running State = iota
	Paused
	Finished // nothing more is recorded, and the whole trace can be taken
)

// A Command steers a session.
type Command struct {
	Do CommandKind `json:"do"`
	N  int64       `json:"n"`
}

// A CommandKind selects the effect of a command.
type CommandKind uint8

// The commands. They have no effect after the end of the run. For a run of threads a reduction is a fork or a join. A live run pauses when each PE
// has reached its next reduction or is idle.
const (
	Pause  CommandKind = iota
	Resume             // until the end
	Stop               // ends the run; the trace is complete up to that moment
	Step               // N more reductions, then pause; further steps add to those still to do
	StepTo             // to reduction N, then pause; pauses at once if N has passed
)

const (
	flushEvery = time.Second / 20
	maxUntaken = 32 << 20

	// untakenShare is the largest part of a run's memory limit that untaken bytes of its trace may use, as a divisor.
	untakenShare = 8
)

// Start returns a session of a described run. Its errors are those of Resolve.
func Start(r experiment.Run) (*Session, error) {
	p, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	return New(p, nil), nil
}

// New returns a session of a prepared run. If also is not nil, the session records the run in it too and closes it at the end.
func New(p *experiment.Prepared, also *store.Writer) *Session {
	own := *p
	own.Watched = true
	s := newSession(own.Description)
	s.perform = func() *experiment.Result { return s.execute(&own, also) }
	return s
}

func newSession(r experiment.Run) *Session {
	s := &Session{
		description: r, untaken: maxUntaken, pauseAt: -1,
		wake: make(chan struct{}, 1), news: make(chan struct{}, 1), done: make(chan struct{}),
	}
	if most := r.Limits.Memory; most > 0 {
		s.untaken = int(min(maxUntaken, most/untakenShare))
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Description returns the run with its names resolved.
func (s *Session) Description() experiment.Run { return s.description }

// TakeTrace returns the part of the trace recorded since the last call. The parts together are the bytes of a .whorl file.
func (s *Session) TakeTrace() []byte {
	s.start()
	s.mu.Lock()
	b := s.out
	s.out = nil
	s.mu.Unlock()
	token(s.wake) // the run may wait for room
	return b
}

// Discard declares that there will be no more calls of TakeTrace, so that the run does not wait for one.
func (s *Session) Discard() {
	s.mu.Lock()
	s.out, s.discarded = nil, true
	s.mu.Unlock()
	token(s.wake)
}

// Status returns the status of the session.
func (s *Session) Status() Status {
	s.start()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// Do gives a command, which the run executes soon.
func (s *Session) Do(c Command) {
	s.mu.Lock()
	s.commands = append(s.commands, c)
	if s.status.State == Paused && c.Do != Pause {
		s.status.State = Running // a caller that waits for the next pause must not see the last one
	}
	s.mu.Unlock()
	s.start()
	token(s.wake)
}

// Close stops the run. The rest of the trace can still be taken when the session is Finished.
func (s *Session) Close() {
	s.cancel()
	s.start()
	token(s.wake)
}

// Done returns a channel that is closed when the session is Finished and its goroutine has ended.
func (s *Session) Done() <-chan struct{} {
	s.start()
	return s.done
}

func (s *Session) changes() <-chan struct{} { return s.news }

// Result returns the result of the run, nil before its end. Its error is that of writing the trace if the run itself has none.
func (s *Session) Result() *experiment.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.result
}

// Snapshot describes the work of the run, nil while it moves or before it has begun.
func (s *Session) Snapshot() *experiment.Snapshot {
	if !s.run.TryLock() {
		return nil
	}
	defer s.run.Unlock()
	if s.snapshot == nil && s.x != nil {
		s.snapshot = s.x.Snapshot()
	}
	return s.snapshot
}

func (s *Session) start() { s.begin.Do(func() { go s.loop() }) }

func token(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Write receives the bytes of the recorder.
func (o *output) Write(b []byte) (int, error) {
	s := (*Session)(o)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.discarded {
		s.out = append(s.out, b...)
	}
	return len(b), nil
}

// An output is a Session as the writer of its trace.
type output Session
