package experiment

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"whorl/sim"
	"whorl/tracer"
)

// Follow makes a session of a run that another process carries out, which records it in a file at path while it goes on. Carry starts that process
// when the session begins, has it end when its context is cancelled, and returns when it has ended, with how: an outcome, and an error for
// one that is not Done. The run can be stopped, but not paused.
func Follow(r Run, path string, carry func(context.Context) (Outcome, error)) *Session {
	return (&Prepared{Description: r, program: &followed{path: path, carry: carry}}).Start(nil)
}

// followed is the program of another process.
type followed struct {
	path  string
	carry func(context.Context) (Outcome, error)
}

func (f *followed) begin(p *Prepared, _ tracer.Recorder) (c course, booted, err error) {
	return &followedRun{program: f, pes: p.Description.PEs, began: time.Now(), done: make(chan struct{})}, nil, nil
}

// A followedRun is a run that another process carries out.
type followedRun struct {
	program *followed
	pes     int
	began   time.Time
	file    *os.File

	cancel  context.CancelFunc // nil before it has begun
	done    chan struct{}      // closed when it is over; what follows is not touched before
	outcome Outcome
	err     error
	ended   time.Time
}

func (f *followedRun) advance(ctx context.Context, _ uint64) (more bool, err error) {
	if f.cancel == nil {
		var own context.Context
		own, f.cancel = context.WithCancel(context.WithoutCancel(ctx))
		go func() {
			defer close(f.done)
			f.outcome, f.err = f.program.carry(own)
			f.ended = time.Now()
		}()
	}
	slice := time.NewTimer(liveSlice)
	defer slice.Stop()
	select {
	case <-f.done:
		if f.outcome == Limited {
			return false, &limitError{f.err}
		}
		return false, f.err
	case <-ctx.Done():
		return true, ctx.Err()
	case <-slice.C:
		return true, nil
	}
}

// pour hands on what has been added to the file since the last call. The file need not be there yet.
func (f *followedRun) pour(write func([]byte) (int, error)) error {
	if f.file == nil {
		file, err := os.Open(f.program.path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		f.file = file
	}
	_, err := io.Copy(writerFunc(write), f.file)
	return err
}

func (f *followedRun) still() bool { return true } // nothing of this process moves
func (f *followedRun) halt() bool  { return false }

func (f *followedRun) progress() Progress {
	select {
	case <-f.done:
		return Progress{Virtual: int64(f.ended.Sub(f.began))}
	default:
		return Progress{Virtual: int64(time.Since(f.began))}
	}
}

func (f *followedRun) answer() string      { return "" }
func (f *followedRun) snapshot() *Snapshot { return &Snapshot{TotalPEs: f.pes} }
func (f *followedRun) stats() sim.Stats    { return sim.Stats{PEs: f.pes} }

func (f *followedRun) exit(Outcome) {
	if f.cancel != nil {
		f.cancel()
		<-f.done
	}
}

func (f *followedRun) close() (status uint8, exited bool, err error) {
	if f.cancel != nil {
		f.cancel()
	}
	return 0, false, nil
}
