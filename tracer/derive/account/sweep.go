package account

import (
	"maps"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/bounds"
	"whorl/tracer/derive/onward"
)

// A Sink gets the pieces of time that a Sweep finds, in the order of time for each PE.
type Sink interface {
	// Reset discards all pieces and steps, because the sweep begins again.
	Reset()
	// Spend adds a piece of the time of a PE. It ends where the next one begins, and the last one at the end of the account.
	Spend(pe int32, p Piece)
	// Step adds a step of a PE. Steps are work, and each begins when the one before has ended or later. It must not keep s.
	Step(pe int32, s *Step)
	// Unnamed adds work of a PE that belongs to no step and to no sample in ns.
	Unnamed(pe int32, from, to int64)
	// Pause adds a pause of a PE that has ended. Pauses of a PE do not overlap. It must not keep p.
	Pause(pe int32, p *Pause)
}

// A Namer is a Sink that also gets the work that samples name in a trace with states (Unnamed). The steps of a PE are in the order of time.
type Namer interface {
	Named(pe int32, s *Step)
}

// A Piece is time of one class.
type Piece struct {
	From  int64
	Class Class
	Why   uint32 // the reason in the trace, 0 for none
}

// A Step is work for one task: a try or a commit of a goal, an uninterrupted run of a thread, or of a goal without a reduction. It may also be work that
// a sample names.
// work that a sample names.
type Step struct {
	Time, End int64
	Task      uint64
	Code      uint32
	Kind      tracer.Kind // Reduce, Suspend, Fail, Start for a thread, End for a goal without a reduction, Sample (Task is then its context)
}

// A Sweep divides the time of the PEs of a trace among classes. The zero value is a sweep without a sink that has read nothing.
type Sweep struct {
	Sink   Sink // may be nil
	Brief  bool // leave out replays, which take a third of the time
	ByTask bool // add up by task, which takes 16 bytes for each task and 32 for each that waits, has sent messages or is among those with the most work

	pass *pass
}

// Read accounts for rest, the events of src that were not read before. It reads all of src if the earlier events have to be understood in another
// way, and twice if its steps have no costs or it has samples alone.
func (s *Sweep) Read(src, rest tracer.Source, kinds tracer.KindSet, tick func(done, total int64) error) error {
	if !s.Continues(src) {
		s.Begin(src)
		rest = src
	}
	if s.pass.basis == Nowhere {
		return nil
	}
	if err := onward.Scan(rest, kinds, tick, s.Add); err != nil {
		return err
	}
	return s.readInstants(src, kinds, tick)
}

// readInstants reads a trace again if its steps have no costs, or if it has samples alone, whose intervals the first reading has measured.
func (s *Sweep) readInstants(src tracer.Source, kinds tracer.KindSet, tick func(done, total int64) error) error {
	if p := s.pass; p.basis == Samples && p.unit == 0 {
		from, to := bounds.Span(src)
		unit, known := p.usual(to - from)
		s.restart(src, Samples, unit)
		s.pass.single = !known
		return onward.Scan(src, kinds, tick, s.Add)
	}
	if p := s.pass; p.basis != Costs || p.cost > 0 || p.steps == 0 {
		return nil
	}
	unit := max(s.pass.tick, 1)
	if meta := src.Meta(); meta.Resolution() > 0 {
		unit = meta.Resolution()
	}
	s.restart(src, Instants, unit)
	return onward.Scan(src, kinds, tick, s.Add)
}

// Begin prepares for the first event of a trace whose events the caller reads for other purposes too. After the last event, the caller calls Complete,
// or Finish if all steps of the trace have costs.
func (s *Sweep) Begin(d tracer.Description) { s.restart(d, basisOf(d), 0) }

// Complete returns the account of src after Begin, Add with each of its events, and Continues. It reads src again if its steps have no costs or
// it has samples alone.
func (s *Sweep) Complete(src tracer.Source) (*Account, error) {
	if err := s.readInstants(src, Kinds, nil); err != nil {
		return nil, err
	}
	return s.Finish(src, nil), nil
}

// Continues reports whether the sweep, which began with the description of an early part of a trace, may go on with the later events, and prepares
// it for them. It returns false if the whole description changes the meaning of the earlier events.
func (s *Sweep) Continues(d tracer.Description) bool {
	p := s.pass
	if p == nil {
		return false
	}
	from, _ := bounds.Span(d)
	if p.basis == Samples && p.unit > 0 || p.basis != basisOf(d) || p.pes != bounds.Machine(d) || p.threads != hasThreads(d) || p.from != from {
		return false
	}
	p.learn(d)
	return true
}

// Add accounts for an event of one of Kinds, in the order of Scan.
func (s *Sweep) Add(e *tracer.Event) {
	if s.pass.basis != Nowhere {
		s.pass.event(e)
	}
}

func (s *Sweep) restart(d tracer.Description, basis Basis, unit int64) {
	if s.pass != nil && s.Sink != nil {
		s.Sink.Reset()
	}
	s.pass = newPass(d, s, basis, unit)
	s.pass.learn(d)
}

// learn makes room for the codes of a trace.
func (p *pass) learn(d tracer.Description) {
	p.reasons.dict = d.Dict()
	if n := len(d.Dict().Codes()); n > len(p.codes) {
		p.codes = append(p.codes, make([]Code, n-len(p.codes))...)
	}
}

// Finish returns the account until the end of src, whose events were read. open, which may be nil, gets the pieces and steps that last until then.
// The sweep does not change.
func (s *Sweep) Finish(src tracer.Source, open Sink) *Account {
	p := s.pass
	q := *p
	q.lanes, q.codes, q.waits, q.sink = slices.Clone(p.lanes), slices.Clone(p.codes), maps.Clone(p.waits), open
	q.namer, _ = open.(Namer)
	q.tasks = p.tasks.finish()
	from, to := bounds.Span(src)
	for i := range q.lanes {
		switch l := &q.lanes[i]; {
		case len(l.group) == 0:
		case p.basis != Samples:
			q.flush(l)
		case p.lasting:
			q.to = max(q.to, l.recorded+l.value)
		}
	}
	a := &Account{From: from, Basis: p.basis, Lasting: p.lasting, Ignored: p.ignored, PEs: max(p.pes, len(p.lanes)), Rows: make([]Row, len(q.lanes))}
	a.To = max(to, q.to, a.From)
	_, a.Separate = tracer.ProcessTimes(src)
	if p.basis == Instants || p.basis == Samples && !p.single {
		a.Tick = p.unit
	}
	for i := range q.lanes {
		l := &q.lanes[i]
		if l.parts = slices.Clone(l.parts); p.basis == Samples {
			q.leave(l, a.To)
		}
		if !l.seen {
			l.first, l.since, l.class = a.To, a.To, Nothing
		}
		q.advance(l, a.To)
		q.decide(l, &tracer.Event{Kind: tracer.Exit})
		q.close(l)
		q.name(l)
		l.Times[Nothing] += l.first - a.From
		a.Rows[i] = l.Row
	}
	a.Codes, a.Tasks = q.codes, q.tasks.list()
	a.Replays = q.lengths(a.To)
	a.Waits = q.waits.list(q.reasons.dict.Codes())
	for _, w := range a.Waits {
		for _, c := range w.By {
			if c.PE >= 0 && int(c.PE) < len(a.Rows) {
				a.Rows[c.PE].Caused += c.Time
			}
		}
	}
	return a
}

// Settled returns the time before which later events do not change whether PEs work, have overhead or are idle; false if there is none.
func (s *Sweep) Settled() (int64, bool) {
	p := s.pass
	t := p.last
	for _, m := range p.sent { // its arrival may make time since then communication
		t = min(t, m.time)
	}
	for i := range p.lanes {
		if l := &p.lanes[i]; l.idle.open && l.idle.arrived {
			t = min(t, l.idle.sent)
		}
	}
	return t, !p.fell && p.basis != Instants && p.basis != Samples
}

// spend adds a piece until an instant to the times of a lane.
func (p *pass) spend(l *lane, piece Piece, to int64) {
	l.Times[piece.Class] += to - piece.From
	switch {
	case p.sink == nil || piece.From >= to:
	case l.idle.open: // the sink gets the idle time before it first
		l.late = append(l.late, piece)
	default:
		p.begin(l, piece)
	}
}

// begin tells the sink about a piece that does not continue the last one.
func (p *pass) begin(l *lane, piece Piece) {
	if l.piece.Class != piece.Class || l.piece.Why != piece.Why {
		l.piece = piece
		p.sink.Spend(l.pe, piece)
	}
}

// close tells the sink about the last step of a lane, which is over.
func (p *pass) close(l *lane) {
	if p.sink != nil && l.pending {
		l.step.End = max(l.stepEnd, l.step.Time)
		p.sink.Step(l.pe, &l.step)
	}
	l.pending = false
}
