package panes

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"whorl/visual/documents"
	"whorl/visual/view"
)

// Links knows which runs are compared: those that were opened or started together, or one beside the other. Their panes have one
// scale of time, and the camera and the settings of a view change in all of them. A selection in one run is lit in the others (twins.go).
type Links struct {
	model *Model
	twins map[twinKey]twinned
}

// NewLinks returns the links between the panes of a model.
func NewLinks(m *Model) *Links { return &Links{model: m} }

// Compared returns the open documents that are compared with d, d included; nil if there are no others.
func (l *Links) Compared(d *documents.Document) []*documents.Document {
	return l.model.Docs.Compared(d, l.model.State.Shared.Traces)
}

// counterparts returns the panes of the other compared runs that show the same view with the same root.
func (l *Links) counterparts(p *Pane) []*Pane {
	group := l.Compared(l.model.Document(p))
	var others []*Pane
	for _, id := range l.model.IDs {
		q := l.model.Panes[id]
		if q == nil || q.Trace == p.Trace || q.Kind != p.Kind || !slices.Contains(group, l.model.Document(q)) {
			continue
		}
		if v, w := l.model.Pane(p.ID), l.model.Pane(q.ID); v != nil && w != nil && l.sameRoot(p.Kind, v, w) {
			others = append(others, q)
		}
	}
	return others
}

// sameRoot reports whether two panes of a kind show the same part of the trees of their traces.
func (l *Links) sameRoot(k *view.Kind, v, w *view.Pane) bool {
	if v.Root() == 0 || w.Root() == 0 || k.Contexts {
		return v.Root() == w.Root()
	}
	twin, ok := l.twinTask(v.Root(), l.model.Docs.Get(v.Trace), l.model.Docs.Get(w.Trace))
	return ok && twin == w.Root()
}

// alike returns the other panes of a trace whose views have a parameter in common with that of p (Param.Common).
func (l *Links) alike(p *Pane, param string) (others []*Pane) {
	common := func(k *view.Kind) bool {
		return slices.ContainsFunc(k.Params, func(q view.Param) bool { return q.Common && q.Name == param })
	}
	if !common(p.Kind) {
		return nil
	}
	for _, id := range l.model.IDs {
		if q := l.model.Panes[id]; q != nil && q != p && q.Trace == p.Trace && l.model.Pane(id) != nil && common(q.Kind) {
			others = append(others, q)
		}
	}
	return others
}

// ValueOf returns the value of a parameter of a pane, as users write it.
func (l *Links) ValueOf(p *Pane, q view.Param) string {
	if v, ok := l.model.Pane(p.ID).Params[q.Name]; ok {
		return v
	}
	if v, ok := l.commonValue(p, q); ok {
		return v
	}
	return fmt.Sprint(q.Default)
}

// commonValue returns the value of a parameter in another pane that has it in common with p, false if none sets it.
func (l *Links) commonValue(p *Pane, q view.Param) (string, bool) {
	if !q.Common {
		return "", false
	}
	for _, other := range l.alike(p, q.Name) {
		if value, ok := l.model.Pane(other.ID).Params[q.Name]; ok {
			return value, true
		}
	}
	return "", false
}

// short is how many times as long as another the longest of the compared runs takes before the other one has a scale of its own: on a common
// scale it would be a sliver.
const short = 10

// ownScale reports whether a run takes much less time than others that are compared with it.
func (l *Links) ownScale(d *documents.Document) bool {
	longest, over := l.longest(d)
	from, to := d.Span()
	ns, _ := strconv.ParseInt(longest, 10, 64)
	return over && ns/short > to-from
}

// RecordedSuffix follows the name of a trace whose recorded run is beside its trial.
const RecordedSuffix = ", recorded"

// ghost returns the recorded run that is drawn over a trial, nil for none.
func (l *Links) ghost(d *documents.Document) *documents.Document {
	if d == nil || l.model.State.Shared.Alone || slices.Contains(l.model.State.Shared.Traces, d.Name+RecordedSuffix) {
		return nil
	}
	return d.Before()
}

// span returns the time that the longest of the compared runs takes, or of a trial and its recorded run; zero if d is not compared.
func (l *Links) span(d *documents.Document) (s view.Span) {
	group := l.Compared(d)
	for _, e := range group {
		from, to := e.Span()
		s.First, s.Last = min(s.First, from), max(s.Last, to)
	}
	if b := l.ghost(d); b != nil && group == nil {
		group = []*documents.Document{d}
		for _, e := range []*documents.Document{b, d} {
			from, to := e.Span()
			s.First, s.Last = min(s.First, from), max(s.Last, to)
		}
	}
	for _, p := range l.model.Panes { // views may know of steps that end after the last event
		if _, ok := p.result.Value.(view.Timed); ok && slices.Contains(group, l.model.Document(p)) {
			r := p.result.Value.Bounds()
			s.First, s.Last = min(s.First, int64(r.X0)), max(s.Last, int64(r.X1))
		}
	}
	return s
}

// longest returns the duration of the longest of the compared runs as the value of a parameter; false while one of them goes on, or if d
// is not compared.
func (l *Links) longest(d *documents.Document) (string, bool) {
	longest := int64(0)
	group := l.Compared(d)
	for _, e := range group {
		if e.Live != nil && !e.Live.Over {
			return "", false
		}
		from, to := e.Span()
		longest = max(longest, to-from)
	}
	return strconv.FormatInt(longest, 10), group != nil
}

// timed returns the picture of a pane that shows time and is compared with others, nil for any other.
func (l *Links) timed(p *Pane) view.Timed {
	t, ok := p.result.Value.(view.Timed)
	if !ok || l.Compared(l.model.Document(p)) == nil {
		return nil
	}
	return t
}

// compare gives the views that compare their run with another the trace of that run. It reports whether any view has got a new one.
func (l *Links) compare(now time.Duration) (fresh bool) {
	wanted := map[*documents.Document]bool{}
	for _, p := range l.model.Panes {
		if d := l.model.Document(p); d != nil && p.opened != nil && p.params[view.Against] == view.AgainstTrace {
			wanted[d] = true
		}
	}
	for _, name := range l.model.State.Shared.Traces {
		d := l.model.Docs.Get(name)
		if d == nil {
			continue
		}
		var other *documents.Document
		if wanted[d] {
			if other = l.Other(d); other != nil && other.Data == nil { // its panes are hidden
				other.Supply(now)
			}
		}
		if !d.Compare(other) {
			continue
		}
		for _, q := range l.model.Panes {
			if q.Trace == name && q.opened != nil && HasParam(q.Kind, view.Against) {
				q.working, fresh = true, true
			}
		}
	}
	return fresh
}

// Other returns the run with which views of a document compare theirs, the first other one of its group; nil if there is none.
func (l *Links) Other(d *documents.Document) *documents.Document {
	for _, e := range l.Compared(d) {
		if e != d {
			return e
		}
	}
	return nil
}
