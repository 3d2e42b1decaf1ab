// Package session runs a program so that it can be paused, stepped and shown while it goes on, here or at the other end of a connection.
//
// A Session runs on a goroutine. A viewer polls its Status, takes the trace as it grows, and gives it commands. Feed lets a viewer in another
// process do the same through a Remote; Serve runs a program for one. docs/sessions.md describes the frames between them.
package session

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/tracer/store"
)

// A Session is a program that runs on a goroutine of its own, can be paused and stepped, and whose trace is taken from it while it grows. It
// begins with the first call of Do, Take, Status or Done. With Command{StepTo, n} as the first call it stops at reduction n in a state that
// depends on the run alone. One step back is therefore a new session of the same run, stepped to one reduction less.
//
// All methods may be called by any goroutine. They return at once, except for Snapshot, which looks through the whole run.
type Session struct {
	description experiment.Run
	warnings    []string
	perform     func() *experiment.Result // runs the program and closes its trace
	unpausable  bool
	untaken     int // bytes: the run waits while more of its trace has not been taken

	ctx    context.Context
	cancel context.CancelFunc
	begin  sync.Once
	wake   chan struct{} // holds a token when the goroutine has something to look at
	news   chan struct{} // holds a token when a reader has something to look at
	done   chan struct{} // closed when the goroutine has ended

	mu        sync.Mutex // guards the fields below
	out       []byte
	discarded bool // nobody will take the trace any more
	status    Status
	commands  []Command
	result    *experiment.Result

	run      sync.Mutex                 // held while the run moves; guards the fields below
	progress func() experiment.Progress // nil before the run has begun
	x        *experiment.Execution      // nil before the run has begun, and for a run of another process
	snapshot *experiment.Snapshot       // of x as it stands, nil where nobody has asked
	pauseAt  int64                      // the reduction at which to pause, negative for none
}

// Status is how far a session has come.
type Status struct {
	State      State  `json:"state"`
	Reductions int64  `json:"reductions"`
	Virtual    int64  `json:"virtual_ns"`
	Answer     string `json:"answer"`               // while it stands still and at the end
	Err        string `json:"error"`                // why it failed or stopped
	Outcome    string `json:"outcome,omitempty"`    // done, failed, limited or interrupted; "" before the end
	Unpausable bool   `json:"unpausable,omitempty"` // it runs in another process and obeys only Stop
	Steps      bool   `json:"steps,omitempty"`      // Reductions counts forks and joins of threads; of a live run, until its last pause
}

// A State is what a session does.
type State uint8

// The states.
const (
	Running State = iota
	Paused
	Finished // it records nothing more, and all it has recorded can be taken
)

// A Command steers a session.
type Command struct {
	Do CommandKind `json:"do"`
	N  int64       `json:"n"`
}

// A CommandKind is what a command does.
type CommandKind uint8

// The commands. They have no effect once the run has ended. For a run of threads a reduction is a fork or a join; a live run pauses when each
// PE has come to its next one, or has nothing to do.
const (
	Pause  CommandKind = iota
	Resume             // until the end
	Stop               // for good; the trace is complete up to there
	Step               // N more reductions, then pause; steps add up while it is still stepping
	StepTo             // to reduction N, then pause; at once where N has passed
)

const (
	flushEvery = time.Second / 20
	maxUntaken = 32 << 20
)

// Start returns a session of a described run. Its errors are those of Resolve.
func Start(r experiment.Run) (*Session, error) {
	p, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	return New(p, nil), nil
}

// New returns a session of a prepared run. It records the run in also as well, which may be nil, and closes it when the run ends.
func New(p *experiment.Prepared, also *store.Writer) *Session {
	own := *p
	own.Watched = true
	s := newSession(own.Description, own.Warnings)
	s.perform = func() *experiment.Result { return s.execute(&own, also) }
	return s
}

func newSession(r experiment.Run, warnings []string) *Session {
	s := &Session{
		description: r, warnings: warnings, untaken: maxUntaken, pauseAt: -1,
		wake: make(chan struct{}, 1), news: make(chan struct{}, 1), done: make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Warnings returns warnings about the program, for the user.
func (s *Session) Warnings() []string { return s.warnings }

// Description returns the run with its names resolved.
func (s *Session) Description() experiment.Run { return s.description }

// Take returns the part of the trace recorded since the last call. The parts together are the bytes of a .whorl file.
func (s *Session) Take() []byte {
	s.start()
	s.mu.Lock()
	b := s.out
	s.out = nil
	s.mu.Unlock()
	token(s.wake) // it may have waited for room
	return b
}

// Discard says that nobody will Take any more, so that the run does not wait for it.
func (s *Session) Discard() {
	s.mu.Lock()
	s.out, s.discarded = nil, true
	s.mu.Unlock()
	token(s.wake)
}

// Status returns how far the session has come.
func (s *Session) Status() Status {
	s.start()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// Do gives a command, which is obeyed soon.
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

// Close stops the run. What it has recorded can still be taken once it is Finished.
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

// Result returns how the run ended, nil before. Its error is that of writing the trace if nothing else went wrong.
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

// Write takes the bytes of the recorder.
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

// loop is the session's goroutine. It holds s.run except while the run stands still.
func (s *Session) loop() {
	defer close(s.done)
	defer s.cancel()
	s.run.Lock()
	r := s.perform()
	st := s.describe(Finished)
	s.run.Unlock()
	st.Answer, st.Outcome = r.Answer, r.Outcome.String()
	if r.Err != nil {
		st.Err = r.Err.Error()
	}
	s.mu.Lock()
	s.result = r
	s.mu.Unlock()
	s.publish(st)
}

// execute runs a prepared program and closes its trace.
func (s *Session) execute(p *experiment.Prepared, also *store.Writer) *experiment.Result {
	live := store.New((*output)(s))
	rec, end := live, live.Close
	if also != nil {
		rec, end = also, func() error { return errors.Join(also.Close(), live.Close()) }
		rec.Tee(live)
	}
	x, err := p.Begin(rec)
	if err != nil {
		return &experiment.Result{Outcome: tracer.Failed, Err: errors.Join(err, end())}
	}
	s.x, s.progress = x, x.Progress
	s.move(x, rec.Flush)
	r := x.Finish()
	if err := end(); err != nil && r.Err == nil {
		r.Outcome, r.Err = tracer.Failed, err
	}
	return r
}

// move moves the run to its end, with all the pauses that are asked for.
func (s *Session) move(x *experiment.Execution, flush func() error) {
	var flushed, yielded time.Time
	for x.Running() {
		moves := s.obey(x)
		if !x.Running() {
			return
		}
		if !moves {
			if !x.Halt(s.ctx) {
				s.tell(&flushed)
				continue
			}
			if err := flush(); err != nil {
				x.End(tracer.Failed, err)
				return
			}
			s.rest(x)
			continue
		}
		s.snapshot = nil
		if s.pauseAt >= 0 {
			x.AdvanceTo(s.ctx, s.pauseAt)
		} else {
			x.Advance(s.ctx)
		}
		now := time.Now()
		if now.Sub(flushed) >= flushEvery && x.Still() { // while it moves, its PEs write to the recorder
			if err := flush(); err != nil && x.Running() {
				x.End(tracer.Failed, err)
			}
		}
		if s.tell(&flushed) {
			s.waitForRoom()
		}
		if runtime.GOOS == "js" && now.Sub(yielded) >= flushEvery/2 {
			time.Sleep(time.Microsecond) // messages arrive only while no goroutine runs
			yielded = time.Now()
		}
	}
}

// tell publishes the progress if the last time was long enough ago, and reports whether it did.
func (s *Session) tell(last *time.Time) bool {
	now := time.Now()
	if now.Sub(*last) < flushEvery {
		return false
	}
	*last = now
	s.publish(s.describe(Running))
	return true
}

// pending takes the commands that have come.
func (s *Session) pending() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	commands := s.commands
	s.commands = nil
	return commands
}

// obey obeys the commands that have come, and reports whether the run may move.
func (s *Session) obey(x *experiment.Execution) bool {
	reductions := x.Progress().Reductions
	for _, c := range s.pending() {
		switch c.Do {
		case Pause:
			s.pauseAt = reductions
		case Resume:
			s.pauseAt = -1
		case Stop:
			x.End(tracer.Interrupted, errStopped)
			return false
		case Step:
			from := max(reductions, s.pauseAt)
			s.pauseAt = from + min(max(0, c.N), math.MaxInt64-from)
		case StepTo:
			s.pauseAt = max(reductions, c.N)
		}
	}
	if s.ctx.Err() != nil {
		x.End(tracer.Interrupted, errClosed)
		return false
	}
	return s.pauseAt < 0 || reductions < s.pauseAt
}

var errStopped, errClosed = errors.New("stopped"), errors.New("closed")

// rest reports that the run stands still, and waits for a command.
func (s *Session) rest(x *experiment.Execution) {
	began := time.Now()
	st := s.describe(Paused)
	s.run.Unlock()
	s.publish(st)
	for !s.called() {
		<-s.wake
	}
	s.run.Lock()
	x.Rested(time.Since(began))
}

// called reports whether there is anything to obey.
func (s *Session) called() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.commands) > 0 || s.ctx.Err() != nil
}

// waitForRoom waits while too much of the trace has not been taken.
func (s *Session) waitForRoom() {
	for s.ctx.Err() == nil {
		s.mu.Lock()
		full := len(s.out) > s.untaken && len(s.commands) == 0
		s.mu.Unlock()
		if !full {
			return
		}
		<-s.wake
	}
}

// describe returns how far the run has come.
func (s *Session) describe(state State) Status {
	st := Status{State: state, Unpausable: s.unpausable}
	if s.progress != nil {
		p := s.progress()
		st.Reductions, st.Virtual, st.Steps = p.Reductions, p.Virtual, p.Steps
		if state == Paused {
			st.Answer = s.x.Answer()
		}
	}
	return st
}

func (s *Session) publish(st Status) {
	s.mu.Lock()
	if st.State != Paused || len(s.commands) == 0 { // a pause that a command ends at once is not shown
		s.status = st
	}
	s.mu.Unlock()
	token(s.news)
}
