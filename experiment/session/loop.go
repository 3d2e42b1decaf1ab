package session

import (
	"errors"
	"math"
	"runtime"
	"time"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/tracer/store"
)

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

// move moves the run to its end and pauses it on command.
func (s *Session) move(x *experiment.Execution, flush func() error) {
	var flushed, yielded time.Time
	for x.Running() {
		moves := s.obey(x)
		if !x.Running() {
			return
		}
		if !moves {
			if !x.Halt(s.ctx) {
				s.publishProgress(&flushed)
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
		if now.Sub(flushed) >= flushEvery && x.Still() { // the PEs of a moving run write to the recorder
			if err := flush(); err != nil && x.Running() {
				x.End(tracer.Failed, err)
			}
		}
		if s.publishProgress(&flushed) {
			s.waitForRoom()
		}
		if runtime.GOOS == "js" && now.Sub(yielded) >= flushEvery/2 {
			time.Sleep(time.Microsecond) // messages arrive only while no goroutine runs
			yielded = time.Now()
		}
	}
}

// publishProgress publishes the progress at intervals, and reports whether it did.
func (s *Session) publishProgress(last *time.Time) bool {
	now := time.Now()
	if now.Sub(*last) < flushEvery {
		return false
	}
	*last = now
	s.publish(s.describe(Running))
	return true
}

// pending takes the commands that have arrived.
func (s *Session) pending() []Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	commands := s.commands
	s.commands = nil
	return commands
}

// obey executes the commands that have arrived, and reports whether the run may move.
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

// rest publishes that the run stands still, and waits for a command.
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

// called reports whether commands have arrived.
func (s *Session) called() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.commands) > 0 || s.ctx.Err() != nil
}

// waitForRoom waits while too many bytes of the trace have not been taken.
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

// describe returns the status of the run.
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
