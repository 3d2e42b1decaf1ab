package experiment

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"

	"whorl/tracer/store"
)

// A Session is a program that runs on a goroutine of its own, can be paused and stepped, and whose trace is taken from it while it grows.
// It stands still until the first call of Do, Take or Status, so that Do(Command{StepTo, n}) as the first call gives a run that stands at
// reduction n whatever the clock says: the same program, stepped to the same reduction, is in the same state. One step back is therefore
// a new session of the same run, stepped to one reduction less.
//
// All methods may be called by any goroutine and return at once, but Snapshot, which looks through the whole run first.
type Session struct {
	prepared *Prepared
	also     *store.Writer // nil: nobody else
	untaken  int           // bytes: a run of whose trace so much has not been taken waits
	ctx      context.Context
	cancel   context.CancelFunc
	begin    sync.Once
	wake     chan struct{} // holds a token when there is something for the goroutine to look at
	news     chan struct{} // holds a token when there is something for a reader to look at
	done     chan struct{} // closed when the goroutine has ended

	mu       sync.Mutex // of what follows
	out      []byte
	deaf     bool // nobody will take anything any more
	status   Status
	commands []Command
	result   *Result

	run      sync.Mutex // held while x moves
	x        *execution // nil before the run has begun
	snapshot *Snapshot  // of x as it stands, nil where nobody has asked
	pauseAt  int64      // the reduction to pause at, negative for none
}

// Status is how far a session has come.
type Status struct {
	State      SessionState `json:"state"`
	Reductions int64        `json:"reductions"`
	Virtual    int64        `json:"virtual_ns"`
	Answer     string       `json:"answer"`               // while it stands still and at the end
	Err        string       `json:"error"`                // why it failed or stopped; "" for nothing
	Outcome    string       `json:"outcome,omitempty"`    // how it ended: done, failed, limited, interrupted; "" before
	Unpausable bool         `json:"unpausable,omitempty"` // another process carries it out: only Stop is obeyed
	Steps      bool         `json:"steps,omitempty"`      // Reductions are steps of threads, forks and joins; while a live run moves, as of its last pause
}

// SessionState says what a session does.
type SessionState uint8

// The states of a session.
const (
	Running SessionState = iota
	Paused
	Finished // it records nothing more, and all it has recorded can be taken
)

// A Command steers a session.
type Command struct {
	Do CommandKind `json:"do"`
	N  int64       `json:"n"`
}

// CommandKind says what a command does.
type CommandKind uint8

// The commands. One that comes when the run has ended does nothing. For a run of threads a reduction is a step, a fork or a join; a live one
// pauses when each PE has come to its next one, or has nothing to do.
const (
	Pause  CommandKind = iota
	Resume             // until it ends
	Stop               // for good; what has been recorded is a whole trace
	Step               // N more reductions, then pause. While it is still stepping the steps add up
	StepTo             // to reduction N, then pause; at once where N has passed
)

const (
	flushEvery = time.Second / 20
	maxUntaken = 32 << 20
)

// Start makes a session of a described run. Its errors are those of Resolve.
func Start(r Run) (*Session, error) { return StartWith(r, nil) }

// StartWith is Start for a run that is recorded in also as well, which may be nil and is closed when the run ends: Result says with what
// error.
func StartWith(r Run, also *store.Writer) (*Session, error) {
	p, err := r.Resolve()
	if err != nil {
		return nil, err
	}
	return p.Start(also), nil
}

// Start makes a session, like StartWith.
func (p *Prepared) Start(also *store.Writer) *Session {
	own := *p
	own.watched = true
	s := &Session{
		prepared: &own, also: also, untaken: maxUntaken, pauseAt: -1,
		wake: make(chan struct{}, 1), news: make(chan struct{}, 1), done: make(chan struct{}),
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Warnings are about the program, for the user.
func (s *Session) Warnings() []string { return s.prepared.Warnings }

// Description is the run, with its names found.
func (s *Session) Description() Run { return s.prepared.Description }

// Take returns what has been recorded since the last call, as the bytes of a .whorl file go on.
func (s *Session) Take() []byte {
	s.start()
	s.mu.Lock()
	b := s.out
	s.out = nil
	s.mu.Unlock()
	token(s.wake) // it may have waited for room
	return b
}

// Discard says that nobody will Take anything any more: the run does not wait for it.
func (s *Session) Discard() {
	s.mu.Lock()
	s.out, s.deaf = nil, true
	s.mu.Unlock()
	token(s.wake)
}

// Status says how far the session has come.
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
		s.status.State = Running // so that whoever waits for the next pause does not take the last one for it
	}
	s.mu.Unlock()
	s.start()
	token(s.wake)
}

// Close stops the run. What it has recorded can still be taken once it has Finished.
func (s *Session) Close() {
	s.cancel()
	s.start()
	token(s.wake)
}

// Done is closed when the session is Finished and its goroutine has ended.
func (s *Session) Done() <-chan struct{} {
	s.start()
	return s.done
}

// Result is how the run ended, nil before. Its error is that of writing the trace where nothing else went wrong.
func (s *Session) Result() *Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.result
}

// Snapshot describes what the run holds, nil while it moves or before it has begun.
func (s *Session) Snapshot() *Snapshot {
	if !s.run.TryLock() {
		return nil
	}
	defer s.run.Unlock()
	if s.x == nil {
		return nil
	}
	if s.snapshot == nil {
		s.snapshot = s.x.course.snapshot()
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

// write is where the recorder's bytes go.
func (s *Session) write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.deaf {
		s.out = append(s.out, b...)
	}
	return len(b), nil
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// loop is the session's goroutine. It holds s.run but where the run stands still.
func (s *Session) loop() {
	defer close(s.done)
	defer s.cancel()
	s.run.Lock()
	r := s.carryOut()
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

// carryOut runs the program and closes its trace.
func (s *Session) carryOut() *Result {
	if _, ok := s.prepared.program.(*followed); ok {
		return s.follow()
	}
	live := store.New(writerFunc(s.write))
	rec, end := live, live.Close
	if s.also != nil {
		rec, end = s.also, func() error { return errors.Join(s.also.Close(), live.Close()) }
		rec.Tee(live)
	}
	x, err := s.prepared.begin(rec)
	if err != nil {
		return &Result{Outcome: Failed, Err: errors.Join(err, end())}
	}
	s.x = x
	s.move(rec.Flush)
	r := x.finish()
	if err := end(); err != nil && r.Err == nil {
		r.Outcome, r.Err = Failed, err
	}
	return r
}

// follow carries out a program of another process, which closes its trace.
func (s *Session) follow() *Result {
	x, err := s.prepared.begin(nil)
	if err != nil {
		return &Result{Outcome: Failed, Err: err}
	}
	s.x = x
	c := x.course.(*followedRun)
	s.move(func() error { return c.pour(s.write) })
	r := x.finish()
	if err := c.pour(s.write); err != nil && r.Err == nil {
		r.Outcome, r.Err = Failed, err
	}
	if c.file != nil {
		c.file.Close()
	}
	return r
}

// move carries the run to its end, with all the rests that are asked for.
func (s *Session) move(flush func() error) {
	x := s.x
	var flushed, yielded time.Time
	for x.more {
		moves := s.obey()
		if !x.more {
			return
		}
		if !moves {
			if !x.course.halt() { // yet, or it has ended
				x.advance(s.ctx, 0)
				s.tell(&flushed)
				continue
			}
			if err := flush(); err != nil {
				x.end(Failed, err)
				return
			}
			s.rest()
			continue
		}
		s.snapshot = nil
		if s.pauseAt >= 0 {
			x.advanceTo(s.ctx, sliceActions, s.pauseAt)
		} else {
			x.advance(s.ctx, sliceActions)
		}
		now := time.Now()
		if now.Sub(flushed) >= flushEvery && x.course.still() { // else what others record may not be touched
			if err := flush(); err != nil && x.more {
				x.end(Failed, err)
			}
		}
		if s.tell(&flushed) {
			s.waitForRoom()
		}
		if runtime.GOOS == "js" && now.Sub(yielded) >= flushEvery/2 {
			time.Sleep(time.Microsecond) // messages come in only while nothing runs
			yielded = time.Now()
		}
	}
}

// tell publishes now and then how far the run is.
func (s *Session) tell(last *time.Time) bool {
	now := time.Now()
	if now.Sub(*last) < flushEvery {
		return false
	}
	*last = now
	s.publish(s.describe(Running))
	return true
}

// obey carries out the commands that have come, and says whether the run may move.
func (s *Session) obey() bool {
	s.mu.Lock()
	commands := s.commands
	s.commands = nil
	s.mu.Unlock()
	at := s.x.progress().Reductions
	_, unpausable := s.x.course.(*followedRun)
	for _, c := range commands {
		if c.Do != Stop && unpausable {
			continue
		}
		switch c.Do {
		case Pause:
			s.pauseAt = at
		case Resume:
			s.pauseAt = -1
		case Stop:
			s.x.end(Interrupted, errors.New("stopped"))
			return false
		case Step:
			from := max(at, s.pauseAt)
			s.pauseAt = from + min(max(0, c.N), math.MaxInt64-from)
		case StepTo:
			s.pauseAt = max(at, c.N)
		}
	}
	if s.ctx.Err() != nil {
		s.x.end(Interrupted, errors.New("closed"))
		return false
	}
	return s.pauseAt < 0 || at < s.pauseAt
}

// rest reports that the run stands still, and waits for a command.
func (s *Session) rest() {
	began := time.Now()
	st := s.describe(Paused)
	s.run.Unlock()
	s.publish(st)
	for !s.called() {
		<-s.wake
	}
	s.run.Lock()
	s.x.started = s.x.started.Add(time.Since(began)) // a pause is no part of a limited time
}

// called says whether there is anything to obey.
func (s *Session) called() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.commands) > 0 || s.ctx.Err() != nil
}

// waitForRoom waits while nobody takes what has been recorded.
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

// describe says how far the run has come.
func (s *Session) describe(state SessionState) Status {
	st := Status{State: state}
	if s.x != nil {
		at := s.x.progress()
		st.Reductions, st.Virtual = at.Reductions, at.Virtual
		_, st.Steps = s.x.course.(*threadRun)
		_, st.Unpausable = s.x.course.(*followedRun)
		if state == Paused {
			st.Answer = s.x.course.answer()
		}
	}
	return st
}

func (s *Session) publish(st Status) {
	s.mu.Lock()
	if st.State != Paused || len(s.commands) == 0 { // with a command at hand this is no pause that anyone should see
		s.status = st
	}
	s.mu.Unlock()
	token(s.news)
}
