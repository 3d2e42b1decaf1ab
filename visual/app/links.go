package app

import (
	"slices"
	"strconv"

	"whorl/visual/documents"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// Links hold runs together that are compared: those that were opened or started together, or one beside the other. Their panes have one
// scale of time, and the camera and the settings of a view change in all of them. A selection in one run is lit in the others (twins.go).
type links struct {
	*model
	stretches map[int]stretch // by group: the time shown, if that is not all
}

// A stretch is a part of time, in ns.
type stretch struct{ from, to float64 }

// compared returns the open documents that are compared with d, d included; nil if there are no others.
func (l *links) compared(d *documents.Document) []*documents.Document {
	return l.docs.Compared(d, l.State.Shared.Traces)
}

// counterparts returns the panes of the other compared runs that show the same view with the same root.
func (l *links) counterparts(p *pane) []*pane {
	group := l.compared(l.document(p))
	var others []*pane
	for _, id := range l.IDs {
		q := l.panes[id]
		if q == nil || q.trace == p.trace || q.kind != p.kind || !slices.Contains(group, l.document(q)) {
			continue
		}
		if v, w := l.Pane(p.id), l.Pane(q.id); v != nil && w != nil && l.sameRoot(p.kind, v, w) {
			others = append(others, q)
		}
	}
	return others
}

// sameRoot reports whether two panes of a kind show the same part of the trees of their traces.
func (l *links) sameRoot(k *view.Kind, v, w *view.Pane) bool {
	if v.Root() == 0 || w.Root() == 0 || k.Contexts {
		return v.Root() == w.Root()
	}
	twin, ok := l.twinTask(v.Root(), l.docs.Get(v.Trace), l.docs.Get(w.Trace))
	return ok && twin == w.Root()
}

// alike returns the other panes of a trace whose views have a parameter in common with that of p (Param.Common).
func (l *links) alike(p *pane, param string) (others []*pane) {
	common := func(k *view.Kind) bool {
		return slices.ContainsFunc(k.Params, func(q view.Param) bool { return q.Common && q.Name == param })
	}
	if !common(p.kind) {
		return nil
	}
	for _, id := range l.IDs {
		if q := l.panes[id]; q != nil && q != p && q.trace == p.trace && l.Pane(id) != nil && common(q.kind) {
			others = append(others, q)
		}
	}
	return others
}

// span returns the time that the longest of the compared runs takes, zero if d is not compared.
func (l *links) span(d *documents.Document) (s view.Span) {
	group := l.compared(d)
	for _, e := range group {
		from, to := e.Span()
		s.First, s.Last = min(s.First, from), max(s.Last, to)
	}
	for _, p := range l.panes { // views may know of steps that end after the last event
		if _, ok := p.result.Value.(view.Timed); ok && slices.Contains(group, l.document(p)) {
			r := p.result.Value.Bounds()
			s.First, s.Last = min(s.First, int64(r.X0)), max(s.Last, int64(r.X1))
		}
	}
	return s
}

// longest returns the duration of the longest of the compared runs as the value of a parameter; false while one of them goes on, or if d
// is not compared.
func (l *links) longest(d *documents.Document) (string, bool) {
	longest := int64(0)
	group := l.compared(d)
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
func (l *links) timed(p *pane) view.Timed {
	t, ok := p.result.Value.(view.Timed)
	if !ok || l.compared(l.document(p)) == nil {
		return nil
	}
	return t
}

// applyTime gives a frame the time that its group shows. The rest of the camera stays.
func (l *links) applyTime(p *pane, f *view.Frame) {
	d := l.document(p)
	f.Span = l.span(d)
	if t := l.timed(p); t != nil {
		if s, ok := l.stretches[d.Group]; ok {
			f.Camera = t.See(f, s.from, s.to)
		}
	}
}

// adopt takes over the time of a pane that was zoomed before it was compared, once all runs of its group are there.
func (l *links) adopt() {
	if l.docs.Loading() {
		return
	}
	for _, p := range l.visible() {
		w := l.Pane(p.id)
		if w == nil || w.Camera.ScaleY == 0 || l.timed(p) == nil {
			continue
		}
		d := l.document(p)
		_, led := l.stretches[d.Group]
		if _, over := l.longest(d); over && !led {
			l.lead(p)
		}
	}
}

// lead makes the time that a pane's own camera shows that of its group.
func (l *links) lead(p *pane) {
	group, w := l.document(p).Group, l.Pane(p.id)
	delete(l.stretches, group)
	if w.Camera.ScaleY > 0 {
		from, to := l.timed(p).Seen(l.frame(p))
		l.stretches[group] = stretch{from, to}
		return
	}
	for i, id := range l.IDs { // the group shows all of its time again
		q := l.panes[id]
		if q == nil || l.document(q) == nil || l.document(q).Group != group {
			continue
		}
		if view.Implements[view.Timed](q.kind) {
			l.check(l.Workspace.Apply(view.Action{Do: view.SetCamera, Pane: i}))
		}
	}
}

// settle stores the time of their group in the cameras of panes, for saved workspaces and pictures.
func (l *links) settle() {
	for i, id := range l.IDs {
		if p := l.panes[id]; p != nil && l.timed(p) != nil {
			if _, ok := l.stretches[l.document(p).Group]; ok {
				c := l.frame(p).Camera
				l.check(l.Workspace.Apply(view.Action{Do: view.SetCamera, Pane: i, Camera: &c}))
			}
		}
	}
}

// followers returns the panes that an action on one pane applies to as well.
func (l *links) followers(do view.Action) []*pane {
	switch do.Do {
	case view.SetCamera, view.SetParam, view.EnterSubtree, view.Back, view.LeaveTo:
		if do.Pane >= 0 && do.Pane < len(l.IDs) && do.Name != view.Root {
			if p := l.panes[l.IDs[do.Pane]]; p != nil {
				others := l.counterparts(p)
				if do.Do == view.SetParam {
					others = append(others, l.alike(p, do.Name)...)
				}
				return others
			}
		}
	}
	return nil
}

// follow applies an action that was applied to a pane to its followers. One undo takes back both.
func (l *links) follow(do view.Action, followers []*pane) {
	if do.Do == view.SetCamera {
		if p := l.panes[l.IDs[do.Pane]]; p != nil && l.timed(p) != nil {
			l.lead(p)
			return
		}
		if l.State.Shared.Apart {
			return
		}
	}
	if len(followers) == 0 {
		return
	}
	w := l.State.Personal.Panes[do.Pane]
	for _, q := range followers {
		do.Pane = l.Index(q.id)
		switch {
		case do.Do == view.EnterSubtree && q.kind.Contexts:
			do.Task = w.Root()
		case do.Do == view.EnterSubtree:
			var ok bool
			if do.Task, ok = l.twinTask(w.Root(), l.docs.Get(w.Trace), l.document(q)); !ok {
				continue
			}
		}
		if err := l.Workspace.Apply(do); err != nil && do.Do == view.SetParam {
			l.fail(err)
		}
	}
}

// compareContexts gives the calling contexts of another run to the views that compare theirs with these. It reports whether any view has
// got new ones.
func (l *links) compareContexts() bool {
	fresh := false
	for _, id := range l.IDs {
		p := l.panes[id]
		if p == nil || p.opened == nil || p.params[contexts.Against.Name] != contexts.AgainstTrace {
			continue
		}
		d := l.document(p)
		if d == nil || !d.SetBeside(l.contextsBeside(d)) {
			continue
		}
		for _, q := range l.panes {
			if q.trace == p.trace && q.opened != nil && q.kind.Contexts {
				q.working, fresh = true, true
			}
		}
	}
	return fresh
}

// contextsBeside returns the calling contexts of the first other run of the group that shows some, nil if there is none.
func (l *links) contextsBeside(d *documents.Document) (name string, c *contexts.Contexts) {
	for _, e := range l.compared(d) {
		if e == d {
			continue
		}
		for _, id := range l.IDs {
			q := l.panes[id]
			if q == nil || q.trace != e.Name {
				continue
			}
			if g, ok := q.result.Value.(interface{ Baseline() *contexts.Contexts }); ok {
				return e.Name, g.Baseline()
			}
		}
	}
	return "", nil
}
