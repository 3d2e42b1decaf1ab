package panes

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"whorl/internal/figures"
	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/view"
)

// Stages computes the pictures of the panes.
type Stages struct {
	networks  *Networks
	model     *Model
	links     *Links
	cameras   *Cameras
	window    *Window
	out       *outbox.Outbox
	revisions uint64 // of ghosts
	turn      int    // the pane that computes first in the next step
	memory    int64  // bytes that the picture of a trace may take, 0 for no limit
}

// NewStages returns the stages of panes whose pictures take at most memory bytes, 0 for no limit.
func NewStages(n *Networks, cs *Cameras, memory int64) *Stages {
	return &Stages{networks: n, model: cs.model, links: cs.links, cameras: cs, window: cs.window, out: cs.out, memory: memory}
}

// settleTime is how long a pane must keep its size before stages that depend on the size are computed anew.
const settleTime = 150 * time.Millisecond

// Work lets the visible panes compute, one after the other, and first those that can show the beginning of a long trace. It reports whether there is
// more to do.
func (s *Stages) Work(budget time.Duration) bool {
	seen := s.model.computing()
	s.supply(seen)
	for _, p := range seen {
		if w, d := s.model.Pane(p.ID), s.model.Document(p); w != nil && d != nil {
			s.feed(p, w, d)
		}
		if p.begins() && p.update(budget) && p.begins() {
			return true
		}
	}
	more := false
	for i, p := range s.inTurn(seen) {
		if more = p.update(budget) || more; more {
			s.turn = slices.Index(seen, p) // it goes on in the next step
			if i+1 < len(seen) {
				s.turn++
			}
			break
		}
	}
	if !more {
		for _, p := range seen {
			more = s.ghost(p, budget) || more
		}
	}
	for _, p := range seen { // after the panes whose modules they show
		if w, d := s.model.Pane(p.ID), s.model.Document(p); p.Kind.Modules && w != nil && d != nil {
			s.feed(p, w, d)
			more = p.update(budget) || more
		}
	}
	return s.links.compare(s.window.Now) || more
}

// inTurn returns the panes in the order of their computing: those without a picture before the others.
func (s *Stages) inTurn(seen []*Pane) []*Pane {
	var blank, others []*Pane
	for i := range seen {
		if p := seen[(i+s.turn)%len(seen)]; p.result.Value == nil {
			blank = append(blank, p)
		} else {
			others = append(others, p)
		}
	}
	return append(blank, others...)
}

// supply gives new events to the stages of visible traces once these have computed the old ones. Hidden panes release their pictures of a
// trace that has grown.
func (s *Stages) supply(seen []*Pane) {
	type use struct{ open, busy bool }
	uses, shown := map[*documents.Document]use{}, map[*Pane]bool{}
	for _, p := range seen {
		shown[p] = true
		if d := s.model.Document(p); d != nil {
			u := uses[d]
			uses[d] = use{u.open || p.opened != nil, u.busy || p.opened != nil && p.working}
		}
	}
	for d, u := range uses {
		if d.Revision() != d.Fed.Revision && !u.busy && (!u.open || s.window.Now >= d.Due()) {
			d.Supply(s.window.Now)
		}
	}
	for _, p := range s.model.Panes {
		if d := s.model.Document(p); d != nil && p.opened != nil && !shown[p] && (p.working || p.fed != d.Fed.Revision) {
			p.rest()
		}
	}
}

// feed passes changes of the trace, the parameters, the time and the size to the stages of a pane. A wrong value is reported once.
func (s *Stages) feed(p *Pane, w *view.Pane, d *documents.Document) {
	if w.Network != p.wired.text {
		s.out.Redraw()
		if s.networks.rewire(p, w) {
			p.leave()
			p.Err, p.params = nil, nil
		}
	}
	if !view.Implements[view.Picture](p.Kind) || d.Data == nil {
		return
	}
	if s.cover(p, w) {
		return
	}
	if p.opened != nil && p.opened.Data != d.Data { // a trial has begun, or the recorded run is back
		p.opened.Rest()
		p.opened, p.fed = nil, 0
		clear(p.wired.supplied)
		p.wired.seen = lastSeen{}
	}
	supplied, err := s.networks.supply(p, d)
	if err != nil {
		s.stop(p, err)
		p.wired.stopped, p.fed = true, d.Fed.Revision
		return
	}
	if p.wired.stopped { // the network has been mended, or a trace that it reads is open now
		p.wired.stopped, p.fed = false, 0
	}
	if supplied && p.opened != nil {
		p.working = true
	}
	if p.fed != d.Fed.Revision {
		p.fed = d.Fed.Revision
		kind, err := s.within(p, w, d)
		if err != nil {
			s.stop(p, err)
			return
		}
		if p.opened != nil && p.opened.Kind == p.Kind && kind != p.Kind { // the trace of a run has outgrown the memory
			p.opened.Rest()
			p.opened = nil
		}
		if p.opened == nil {
			if p.opened, p.Err = d.Data.Open(kind, s.window.Text); p.Err != nil {
				return
			}
			p.opens++
			p.params = map[string]string{}
			p.grows = false
		} else {
			p.grows = p.result.Value != nil && (p.grows || !p.working)
		}
		p.working = true
	}
	if p.opened == nil {
		return
	}
	if want := s.wanted(p, w); !maps.Equal(want, p.params) {
		s.setParams(p, want)
	}
	// A pane that works keeps its time, so that it shows something while the user drags faster than it works.
	if time := s.cameras.Frame(p).Counted(); p.working && p.result.Value != nil {
		p.late = !p.opened.Counts(time)
	} else if p.late = false; p.opened.SetCounted(time) {
		p.working, p.grows = true, false
	}
	if side := p.side(); side != p.window && (p.window == 0 || s.window.Now >= p.sized+settleTime) {
		p.window = max(side, 1)
		p.working, p.grows = true, false
	}
}

// errCovered is shown by a pane of a trace that is covered.
var errCovered = errors.New("this is shown after your prediction in the lesson (!)")

// cover stops a pane that would show a covered trace, and lets it compute again when that is over.
func (s *Stages) cover(p *Pane, w *view.Pane) bool {
	covered := s.model.Hides(p.Kind, w.Trace)
	switch d := s.model.Document(p); {
	case covered && !errors.Is(p.Err, errCovered):
		s.stop(p, errCovered)
		p.clear()
		p.late, p.fed = false, d.Fed.Revision
	case covered:
		p.fed = d.Fed.Revision
	case errors.Is(p.Err, errCovered):
		p.Err, p.fed = nil, 0
	}
	return covered
}

// within returns the view of a pane, or its form that condenses a trace too large for memory. The trace of a run grows beyond all limits: once it does
// not fit, within marks its document as Large, and returns an error for a view that cannot condense.
func (s *Stages) within(p *Pane, w *view.Pane, d *documents.Document) (*view.Kind, error) {
	if s.memory == 0 {
		return p.Kind, nil
	}
	demand := view.Demand{Counts: d.Source.Counts(), Side: int(p.side()), Params: w.Params}
	kind := p.Kind.Within(s.memory, demand)
	if d.Live == nil || kind == p.Kind && p.Kind.Holds(s.memory, demand) {
		return kind, nil
	}
	d.Large = true
	if kind == p.Kind {
		return nil, fmt.Errorf("the trace of this run is too large for the view %s, which would need more than %s of memory; nothing of the recording is lost",
			p.Kind.Title, figures.Size(s.memory))
	}
	return kind, nil
}

// stop releases the results of a pane that shows an error instead.
func (s *Stages) stop(p *Pane, why error) {
	if p.opened != nil {
		fed := p.fed
		p.rest()
		p.opened, p.fed = nil, fed
	}
	p.Err = why
}

// wanted returns the values of a pane's parameters that are not the defaults.
func (s *Stages) wanted(p *Pane, w *view.Pane) map[string]string {
	want := map[string]string{}
	for _, q := range p.Kind.Params {
		switch {
		case q.Name == view.Background.Name && s.model.Dark:
			want[q.Name] = "dark"
		case q.Name == view.Palette.Name && s.model.State.Shared.Palette != "":
			want[q.Name] = s.model.State.Shared.Palette
		}
	}
	if HasParam(p.Kind, view.TimeRange) {
		if longest, ok := s.links.longest(s.model.Document(p)); ok {
			want[view.TimeRange] = longest
		}
	}
	for _, q := range p.Kind.Params {
		if value, ok := s.links.commonValue(p, q); ok {
			want[q.Name] = value
		}
	}
	for name, value := range w.Params {
		if name != view.Background.Name && (w.Network == "" || HasParam(p.Kind, name)) {
			want[name] = value
		}
	}
	return want
}

// setParams sets those parameters of a pane's stages that differ from the wanted values.
func (s *Stages) setParams(p *Pane, want map[string]string) {
	defaults := p.Kind.Defaults()
	for name := range p.params {
		if _, ok := want[name]; !ok {
			s.out.Check(outbox.AboutAction, p.opened.Set(name, fmt.Sprint(defaults[name])))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value := want[name]; value != p.params[name] {
			s.out.Check(outbox.AboutAction, p.opened.Set(name, value))
		}
	}
	p.params = want
	p.working, p.grows = true, false
}
