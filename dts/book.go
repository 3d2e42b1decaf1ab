package dts

import (
	"whorl/dts/journal"
	"whorl/tracer"
)

// newJournal opens the trace of the run.
func (s *system) newJournal() {
	s.book = journal.New(s.Recorder, s.Mode == Live, s.Sources, s.Funcs.nameOf)
	if s.Mode == Live {
		s.began = s.book.Clock.Began()
		s.Recorder.SetMeta(s.meta())
	}
	s.nextID.Store(s.FirstTask)
}

// meta returns the metadata of a live trace.
func (s *system) meta() tracer.Meta {
	m := tracer.Meta{
		Mode: s.Mode, Policy: s.Policy, Network: s.Network, Seed: s.Seed, PEs: s.PEs, Clock: tracer.Monotonic,
	}
	s.describe(&m)
	return m
}

// describe fills in the metadata that live and simulated traces share.
func (s *system) describe(m *tracer.Meta) {
	m.Program, m.Args, m.Substrate, m.Source = s.Program, s.Args, "dts", s.book.Symbols.Sources()
}

// complete ends the trace at the given time.
func (s *system) complete(over int64, outcome tracer.Outcome) {
	for i := range s.workers {
		s.workers[i].log.Exit(over, outcome)
	}
	if meta := s.meta(); len(meta.Source) > len(s.Sources) {
		s.Recorder.SetMeta(meta)
	}
}

// identify gives a thread its id.
func (w *Worker) identify(t *thread) { t.id = w.log.NextID(&w.sys.nextID) }

// forked records a fork to the PE with number to in the trace.
func (w *Worker) forked(t *thread, to int32) {
	w.log.Fork(t.id, t.parent, to, t.code, int64(t.bytes))
}

// start records that a thread starts.
func (w *Worker) start(t *thread) {
	if w.sys.book == nil {
		return
	}
	w.log.Begin()
	if t.id == 0 { // a main thread has no Fork event
		w.identify(t)
		w.log.Task = t.id
		t.from = tracer.None
	}
	attempt := 1
	if t.far != nil {
		attempt = max(attempt, t.far.attempt)
	}
	w.log.Start(t.id, t.from, t.code, int64(attempt))
}

// moved records that the PE has taken a thread from another.
func (w *Worker) moved(t *thread, from int32, why journal.Reason) {
	w.log.Move(t.id, from, why, int64(t.bytes))
}

// endPE returns the number in the trace of the PE on which a thread has ended, tracer.None before its end.
func (t *thread) endPE() int32 {
	if t.ended() {
		return t.endedOn
	}
	return tracer.None
}
