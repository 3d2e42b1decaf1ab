package documents

import (
	"errors"
	"time"

	"whorl/experiment"
	"whorl/tracer"
)

// A document can show a trial in place of its recorded run: a simulated run of the same program with other settings. The recorded run stays in
// memory with all that views have derived from it, so that the way back takes no time.

// trialPatience is how long the pictures of the last run stay while a trial has not ended. A longer trial is shown while it grows.
const trialPatience = 100 * time.Millisecond

// A trial is a run that has begun and is not shown yet.
type trial struct {
	*Document
	shown time.Duration // when it is shown at the latest, if it has recorded anything
}

// Try starts a run that takes the place of the one that the document shows, as soon as it has ended or goes on for longer than trialPatience. It stops
// an earlier one that is not shown yet.
func (s *Set) Try(d *Document, r experiment.Run, now time.Duration) error {
	next, err := s.Start(r)
	if err != nil {
		return err
	}
	d.dropTrial()
	d.Refused = ""
	next.Live.begun = now                         // all of its first bytes are wanted at once
	next.Live.Status = next.Live.session.Status() // which begins the run
	d.next = &trial{next, now + trialPatience}
	return nil
}

// Trying reports whether a trial has begun that is not shown yet.
func (d *Document) Trying() bool { return d.next != nil }

// Before returns the recorded run while the document shows a trial, nil otherwise.
func (d *Document) Before() *Document { return d.before }

// Restore shows the recorded run again.
func (d *Document) Restore() {
	d.dropTrial()
	d.Refused = ""
	b := d.before
	if b == nil {
		return
	}
	d.dropFilter()
	if d.Data != nil {
		d.Data.Close()
	}
	d.Live.session.Close()
	b.Name, b.Group, b.replaced, b.close = d.Name, d.Group, d.replaced, d.close
	*d = *b
}

// Recording returns a further document of the recorded run, which stays when d is closed.
func (d *Document) Recording() *Document {
	b := d
	if d.before != nil {
		b = d.before
	}
	c := &Document{Source: b.Source, Path: d.Path, Missing: d.Missing, Run: b.Run, Group: d.Group}
	if file := d.close; file != nil {
		users := 2
		d.close = func() error {
			if users--; users > 0 {
				return nil
			}
			return file()
		}
		c.close = d.close
	}
	return c
}

// dropTrial stops a trial that is not shown yet.
func (d *Document) dropTrial() {
	if d.next != nil {
		d.next.end()
		d.next = nil
	}
}

// due reports whether the trial takes its place. A trial that has recorded nothing at its end leaves the pictures as they are.
func (t *trial) due(now time.Duration) bool {
	return (t.Live.Over || now >= t.shown) && events(t.Source) > 0
}

// showTrial shows the trial in place of the run before it.
func (d *Document) showTrial(now time.Duration) {
	d.dropFilter()
	next := d.next.Document
	d.next = nil
	if d.before == nil {
		d.Compare(nil)
		b := *d
		b.close = nil // the file stays open as long as d
		d.before, d.Data, d.recorded = &b, nil, nil
	} else {
		d.Live.session.Close()
	}
	d.Source, d.Live, d.Run, d.Large = next.Source, next.Live, next.Run, false
	d.replaced++
	d.restarts = d.replaced
	d.Fed = Fed{time: now - growLate} // views get it at once
}

// Repeat returns the simulated run that reproduces the trace exactly, or else the replay of the program in the trace. The error is the reason why
// there is none, or ErrReading while the program in the trace is being read.
func (s *Set) Repeat(d *Document) (experiment.Run, error) {
	if d.before != nil {
		d = d.before
	}
	switch {
	case d.Reading:
		return experiment.Run{}, errBeginning
	case d.Live != nil && !d.Live.Over:
		return experiment.Run{}, errors.New("the run goes on: it can be run again with other settings when it has ended")
	}
	r, err := d.repeat()
	if err == nil || d.Source.Meta().Substrate == "fghc" { // a trace does not hold what goals compute
		return r, err
	}
	return s.replayed(d)
}

// repeat returns the simulated run that reproduces the trace exactly.
func (d *Document) repeat() (experiment.Run, error) {
	if d.Run != nil && d.Run.Mode != experiment.Live {
		return *d.Run, nil
	}
	m := d.Source.Meta()
	if d.Run != nil {
		m.Mode = tracer.Live
	}
	return experiment.Again(&m)
}
