package session

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"whorl/experiment"
	"whorl/sim"
	"whorl/tracer"
)

// Follow returns a session of a run that another process executes and records in the file path. The session calls execute when it begins. execute
// starts the process, ends it when its context is cancelled, and returns the outcome at the end, with an error for any outcome but Done. The run
// can be stopped but not paused.
func Follow(r experiment.Run, path string, execute func(context.Context) (tracer.Outcome, error)) *Session {
	s := newSession(r)
	s.unpausable = true
	s.snapshot = &experiment.Snapshot{TotalPEs: r.PEs}
	s.perform = func() *experiment.Result {
		f := &follower{session: s, path: path, began: time.Now(), done: make(chan struct{})}
		s.progress = func() experiment.Progress { return experiment.Progress{Virtual: int64(f.lasted())} }
		return f.follow(execute)
	}
	return s
}

// A follower reads the trace file of another process while it grows.
type follower struct {
	session *Session
	path    string
	file    *os.File // nil before the file exists
	began   time.Time

	done    chan struct{} // closed when the process has ended; the fields below are set then
	ended   time.Time
	outcome tracer.Outcome
	err     error
}

// follow copies the trace until the process has ended or the session is stopped, and then the rest of it.
func (f *follower) follow(execute func(context.Context) (tracer.Outcome, error)) *experiment.Result {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		defer close(f.done)
		f.outcome, f.err = execute(ctx)
		f.ended = time.Now()
	}()
	outcome, why := f.watch()
	cancel()
	<-f.done
	if why == nil {
		outcome, why = f.outcome, f.err
	}
	if err := f.copy(); err != nil && why == nil {
		outcome, why = tracer.Failed, err
	}
	if f.file != nil {
		f.file.Close()
	}
	pes := f.session.description.PEs
	return &experiment.Result{Outcome: outcome, Err: why, Machine: sim.Stats{PEs: pes}, Wall: f.lasted()}
}

// watch copies the trace while the process runs. Its error is the reason why the session ends before the process.
func (f *follower) watch() (tracer.Outcome, error) {
	s := f.session
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-f.done:
			return tracer.Done, nil
		case <-s.wake:
		case <-tick.C:
			if err := f.copy(); err != nil {
				return tracer.Failed, err
			}
			s.publish(s.describe(Running))
			s.waitForRoom()
		}
		for _, c := range s.pending() {
			if c.Do == Stop {
				return tracer.Interrupted, errStopped
			}
		}
		if s.ctx.Err() != nil {
			return tracer.Interrupted, errClosed
		}
	}
}

// copy copies the bytes added to the file since the last call. The file may not exist yet.
func (f *follower) copy() error {
	if f.file == nil {
		file, err := os.Open(f.path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		f.file = file
	}
	_, err := io.Copy((*output)(f.session), f.file)
	return err
}

// lasted returns how long the process has run.
func (f *follower) lasted() time.Duration {
	select {
	case <-f.done:
		return f.ended.Sub(f.began)
	default:
		return time.Since(f.began)
	}
}
