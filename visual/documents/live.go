package documents

import (
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/tracer"
	"whorl/tracer/store"
)

// A Runner starts programs: in a goroutine, or in a Web Worker of the web page.
type Runner interface {
	Run(r experiment.Run) (Session, error)
}

// A Preparer is a Runner that can do a part of the work of the next run in advance.
type Preparer interface {
	Prepare() // returns at once; has no effect if all is prepared
}

// A Session is a running or finished program and the bytes of its trace. Its methods do not block.
type Session interface {
	TakeTrace() []byte // the bytes of the .whorl file since the last call
	Status() session.Status
	Do(session.Command)
	Close()
}

// An Inspector is a Session that lists the queues and suspended goals of a paused run; nil while they are unknown.
type Inspector interface {
	Snapshot() *experiment.Snapshot
}

// A Replaceable is a Session whose other end has to know that a new run of the same program takes its place. GoTo calls Replaced instead of Close.
type Replaceable interface {
	Replaced()
}

// A Live is a run with its growing trace.
type Live struct {
	Status session.Status
	Trace  *store.Growing
	Over   bool          // the run has ended and its trace is complete
	Asked  time.Duration // time of the last command

	session Session
	err     error         // of the bytes
	rest    []byte        // received from the session, not yet in the trace
	begun   time.Duration // time of the first bytes of the trace
	grown   time.Duration // time of the last bytes
	merged  merge         // the last one
	merging atomic.Bool
	spilled bool // a part of the trace is in a temporary file
}

// A merge is a call of Trace.Merge.
type merge struct {
	events int64 // of the trace
	all    bool
	ended  bool // the trace has its end, before which Merge may hold events back
}

// NewLive returns the document of a run, which is not yet in the Set.
func (s *Set) NewLive(running Session, r experiment.Run) *Document {
	l := &Live{session: running, Trace: store.NewGrowing()}
	if s.Scratch != nil {
		l.Trace.Spill(s.Memory, s.Scratch)
	}
	return &Document{Source: l.Trace, Live: l, Run: &r}
}

// Snapshot returns the queues and the suspended goals of a paused run, nil if they are unknown.
func (l *Live) Snapshot() *experiment.Snapshot {
	if in, ok := l.session.(Inspector); ok && l.Status.State == session.Paused {
		return in.Snapshot()
	}
	return nil
}

// A run that began before its window may have recorded much when the window opens. The first picture shows firstPart bytes, so that it appears at
// once; a paused run, and a trace that no pane shows within firstWait, get all bytes.
const (
	firstPart = 1 << 18
	firstWait = time.Second
)

// part returns the bytes to write to the trace now.
func (l *Live) part(shown bool, now time.Duration) []byte {
	l.rest = append(l.rest, l.session.TakeTrace()...)
	b := l.rest
	if l.begun == 0 && len(b) > 0 {
		l.begun = now
		b = b[:min(len(b), firstPart)]
	} else if !shown && now < l.begun+firstWait {
		return nil
	}
	l.rest = l.rest[len(b):]
	if len(l.rest) == 0 {
		l.rest = nil
	}
	return b
}

// quiet is the time without new events after which the views get all events, also those that wait for another stream (store.Growing.Merge).
const quiet = time.Second

// merge merges the streams of the trace in the background, so that the views extend their results. It reports whether all events that have
// arrived are merged.
func (l *Live) merge(now time.Duration) (done bool) {
	if len(l.Trace.Streams()) < 2 {
		return true
	}
	next := merge{events(l.Trace), l.Status.State != session.Running || now >= l.grown+quiet, l.Trace.Ended()}
	if l.merging.Load() {
		return false
	}
	if next == l.merged {
		return true
	}
	l.merged = next
	l.merging.Store(true)
	go func() {
		defer l.merging.Store(false)
		_ = l.Trace.Merge(next.all) // an error shows when the views read the trace
	}()
	return false
}

// The intervals of Pump for a run.
const (
	pumpEvery      = 40 * time.Millisecond
	pumpTrialEvery = 5 * time.Millisecond // for one that is not shown yet
)

// Pumped describes the changes of a call of Pump.
type Pumped struct {
	Changed  bool // some trace or status
	Finished []*Document
	Spilled  []*Document // their traces have begun to go to temporary files
	Errors   []error     // of traces that cannot be read
}

// Pump receives the bytes that the runs have recorded since the last call, in the order of the names of their traces.
func (s *Set) Pump(now time.Duration) (p Pumped) {
	for _, name := range slices.Sorted(maps.Keys(s.open)) {
		d := s.open[name]
		if t := d.next; t != nil {
			if t.pump(true, now, &p); t.due(now) {
				d.showTrial(now)
				p.Changed = true
			} else if t.Live.Over {
				d.Refused = t.Live.Status.Err
				d.dropTrial()
				p.Changed = true
			}
		}
		if d.pump(d.Fed.Events > 0, now, &p) {
			p.Finished = append(p.Finished, d)
		}
	}
	return p
}

// pump receives the bytes of a run. It reports whether the run has finished.
func (d *Document) pump(shown bool, now time.Duration, p *Pumped) (finished bool) {
	l := d.Live
	if l == nil || l.Over {
		return false
	}
	status := l.session.Status() // read before the bytes: after the end all bytes are recorded
	if b := l.part(shown || status.State == session.Paused, now); len(b) > 0 && l.err == nil {
		if _, l.err = l.Trace.Write(b); l.err != nil {
			p.Errors = append(p.Errors, l.err)
		}
		p.Changed, l.grown = true, now
		if !l.spilled && l.Trace.Spilled() {
			l.spilled = true
			p.Spilled = append(p.Spilled, d)
		}
	}
	if status != l.Status {
		l.Status, p.Changed = status, true
	}
	if !l.merge(now) || status.State != session.Finished || len(l.rest) > 0 {
		return false
	}
	l.Over, p.Changed = true, true
	l.Status.Reductions = max(status.Reductions, l.Trace.Counts()[tracer.Reduce]) // the last status of a killed run is older than its trace
	return true
}

// Pumps returns the time of the next Pump, false if there is no run.
func (s *Set) Pumps(now time.Duration) (time.Duration, bool) {
	for _, d := range s.open {
		if d.next != nil {
			return now + pumpTrialEvery, true
		}
	}
	for _, d := range s.open {
		if l := d.Live; l != nil && !l.Over && (l.Status.State != session.Paused || len(l.rest) > 0 || now < l.Asked+time.Second) {
			return now + pumpEvery, true
		}
	}
	return 0, false
}

// Start starts a run. It does not add the document to the Set.
func (s *Set) Start(r experiment.Run) (*Document, error) {
	if s.Runner == nil {
		return nil, errors.New("programs cannot be run here")
	}
	session, err := s.Runner.Run(r)
	if err != nil {
		return nil, err
	}
	return s.NewLive(session, r), nil
}

// Command sends a command to the run of a document, if it has one.
func (d *Document) Command(c session.Command, now time.Duration) {
	if d != nil && d.Live != nil {
		d.Live.session.Do(c)
		d.Live.Asked = now
	}
}

// GoTo runs a program up to a reduction and pauses it. If the run is past the reduction or has ended, GoTo restarts it with the same seed, which
// gives the same run.
func (s *Set) GoTo(d *Document, reduction int64, now time.Duration) error {
	stop := session.Command{Do: session.StepTo, N: reduction}
	if reduction >= d.Live.Status.Reductions && !d.Live.Over {
		d.Command(stop, now)
		return nil
	}
	if s.Runner == nil {
		return errors.New("programs cannot be run here, so a step back is not possible")
	}
	session, err := s.Runner.Run(*d.Run)
	if err != nil {
		return err
	}
	if old, ok := d.Live.session.(Replaceable); ok {
		old.Replaced()
	} else {
		d.Live.session.Close()
	}
	fresh := s.NewLive(session, *d.Run)
	d.Live, d.Source = fresh.Live, fresh.Source
	d.replaced++
	d.restarts = d.replaced
	d.Command(stop, now)
	return nil
}
