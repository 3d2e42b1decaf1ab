package documents

import (
	"cmp"
	"errors"

	"whorl/experiment"
	"whorl/tracer"
)

// A Replayer is a Runner that reads the program in a trace. name is that of the trace; Run replays it until forget is called.
type Replayer interface {
	Read(src tracer.Source, name string) (run experiment.Run, forget func(), err error)
}

// A recorded is the program in the trace of a document, which is read in the background.
type recorded struct {
	done   chan struct{} // closed when the fields below are set
	run    experiment.Run
	forget func()
	err    error
}

// ErrReading is the error of Repeat while the program in a trace is being read.
var ErrReading = errors.New("the program in the trace is being read")

// replayed returns the replay of the program in the trace of a document.
func (s *Set) replayed(d *Document) (experiment.Run, error) {
	runner, ok := s.Runner.(Replayer)
	if !ok {
		return experiment.Run{}, errors.New("programs cannot be run here")
	}
	if d.recorded == nil {
		r := &recorded{done: make(chan struct{})}
		d.recorded = r
		source, name := d.Source, cmp.Or(d.Path, d.Name)
		go func() {
			defer close(r.done)
			r.run, r.forget, r.err = runner.Read(source, name)
		}()
	}
	select {
	case <-d.recorded.done:
		return d.recorded.run, d.recorded.err
	default:
		return experiment.Run{}, ErrReading
	}
}

// forgetThen ends the use of the program when it has been read, and calls f then.
func (r *recorded) forgetThen(f func()) {
	if <-r.done; r.err == nil {
		r.forget()
	}
	f()
}
