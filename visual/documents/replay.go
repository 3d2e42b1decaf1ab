package documents

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"

	"whorl/experiment"
	"whorl/tracer"
)

// A Replayer is a Runner that reads the program in a trace. name is that of the trace; Run replays it, and Rank ranks its parts (experiment.WhatIf),
// until forget is called.
type Replayer interface {
	Read(src tracer.Source, name string) (run experiment.Run, forget func(), err error)
	Rank(ctx context.Context, r experiment.Run, watch func(over, all int)) (elapsed int64, gains []*experiment.Gain, err error)
}

// A recorded is the program in the trace of a document, which is read in the background.
type recorded struct {
	done   chan struct{} // closed when the fields below are set
	run    experiment.Run
	forget func()
	err    error

	ranking *Ranking // the last one, nil for none
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
		if k := r.ranking; k != nil {
			k.Stop()
			<-k.done
		}
		r.forget()
	}
	f()
}

// A Ranking ranks the parts of a recorded program in the background, by what the program gains if they take less time. A nil Ranking has ended.
type Ranking struct {
	stop context.CancelFunc
	done chan struct{} // closed when result is set

	over, all atomic.Int32
	result    Ranked
}

// A Ranked is the result of a Ranking.
type Ranked struct {
	Elapsed int64 // ns of the replay as it is
	Gains   []*experiment.Gain
	Err     error
}

// Rank begins to rank the parts of a replay of the program in the trace of a document, and stops an earlier ranking of it. The program has been read
// (Repeat).
func (s *Set) Rank(d *Document, r experiment.Run) *Ranking {
	if d.before != nil {
		d = d.before
	}
	d.recorded.ranking.Stop()
	ctx, stop := context.WithCancel(context.Background())
	k := &Ranking{stop: stop, done: make(chan struct{})}
	d.recorded.ranking = k
	runner := s.Runner.(Replayer) // which has read the program
	go func() {
		defer close(k.done)
		defer stop()
		k.result.Elapsed, k.result.Gains, k.result.Err = runner.Rank(ctx, r, func(over, all int) {
			k.all.Store(int32(all))
			k.over.Store(int32(over))
		})
	}()
	return k
}

// Stop ends a ranking that is not wanted any more.
func (k *Ranking) Stop() {
	if k != nil {
		k.stop()
	}
}

// Progress returns how many of the parts have been measured; all is 0 while they are not known.
func (k *Ranking) Progress() (over, all int) { return int(k.over.Load()), int(k.all.Load()) }

// Result returns the result of a ranking, false before its end.
func (k *Ranking) Result() (r Ranked, ok bool) {
	select {
	case <-k.done:
		return k.result, true
	default:
		return Ranked{}, false
	}
}
