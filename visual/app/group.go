package app

import (
	"slices"
	"strconv"

	"whorl/visual/view"
)

// Runs that are compared form a group: they were opened or started together, or one beside the other. Their panes have one scale of time,
// and what one does to the camera or the settings of a view is done to that view of all of them.

// A stretch is a part of time, in ns.
type stretch struct{ from, to float64 }

// newGroup is a group without any runs.
func (a *App) newGroup() int {
	a.groups++
	return a.groups
}

// compared are the open documents that are compared with d, d included; nil where there are no others.
func (a *App) compared(d *document) []*document {
	if d == nil || d.group == 0 {
		return nil
	}
	var all []*document
	for _, name := range a.State.Shared.Traces {
		if e := a.docs[name]; e != nil && e.group == d.group {
			all = append(all, e)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// counterparts are the panes that go along with p: those that show the same of the other runs in the same view.
func (a *App) counterparts(p *pane) []*pane {
	group := a.compared(a.docs[p.trace])
	var others []*pane
	for _, id := range a.IDs {
		q := a.panes[id]
		if q == nil || q.trace == p.trace || q.kind != p.kind || !slices.Contains(group, a.docs[q.trace]) {
			continue
		}
		if v, w := a.Pane(p.id), a.Pane(q.id); v != nil && w != nil && a.sameRoot(p.kind, v, w) {
			others = append(others, q)
		}
	}
	return others
}

// sameRoot says whether two panes of a kind show the same part of the trees of their traces.
func (a *App) sameRoot(k *view.Kind, v, w *view.Pane) bool {
	if v.Root() == 0 || w.Root() == 0 || k.Contexts {
		return v.Root() == w.Root()
	}
	twin, ok := a.twinTask(v.Root(), a.docs[v.Trace], a.docs[w.Trace])
	return ok && twin == w.Root()
}

// span is the time that the longest of the compared runs takes, zero where d stands alone.
func (a *App) span(d *document) (s view.Span) {
	group := a.compared(d)
	for _, e := range group {
		from, to := e.span()
		s.First, s.Last = min(s.First, from), max(s.Last, to)
	}
	for _, p := range a.panes { // they may know of steps that end after the last event
		if _, ok := p.result.Value.(view.Timed); ok && slices.Contains(group, a.docs[p.trace]) {
			r := p.result.Value.Bounds()
			s.First, s.Last = min(s.First, int64(r.X0)), max(s.Last, int64(r.X1))
		}
	}
	return s
}

// longest is how long the longest of the compared runs takes, as a parameter; false while one of them goes on, or where d stands alone.
func (a *App) longest(d *document) (string, bool) {
	longest := int64(0)
	group := a.compared(d)
	for _, e := range group {
		if e.live != nil && !e.live.over {
			return "", false
		}
		from, to := e.span()
		longest = max(longest, to-from)
	}
	return strconv.FormatInt(longest, 10), group != nil
}

// timed returns the picture of a pane that shows time and is compared with others; nil for all else.
func (a *App) timed(p *pane) view.Timed {
	t, ok := p.result.Value.(view.Timed)
	if !ok || a.compared(a.docs[p.trace]) == nil {
		return nil
	}
	return t
}

// sameTime lets a frame show the time that its group shows, with all else as the pane's own camera has it.
func (a *App) sameTime(p *pane, f *view.Frame) {
	f.Span = a.span(a.docs[p.trace])
	t := a.timed(p)
	if t == nil {
		return
	}
	if s, ok := a.stretches[a.docs[p.trace].group]; ok {
		f.Camera = t.See(f, s.from, s.to)
	}
}

// meet takes over what a pane shows that was zoomed before it was compared, once all that it is compared with is there.
func (a *App) meet() {
	if len(a.loading) > 0 {
		return
	}
	for _, p := range a.visible() {
		t, w := a.timed(p), a.Pane(p.id)
		if t == nil || w == nil || w.Camera.ScaleY == 0 {
			continue
		}
		d := a.docs[p.trace]
		_, led := a.stretches[d.group]
		if _, over := a.longest(d); over && !led {
			a.lead(p)
		}
	}
}

// lead makes the time that a pane's own camera shows that of its group.
func (a *App) lead(p *pane) {
	group, w := a.docs[p.trace].group, a.Pane(p.id)
	delete(a.stretches, group)
	if w.Camera.ScaleY > 0 {
		from, to := a.timed(p).Seen(a.frame(p))
		a.stretches[group] = stretch{from, to}
		return
	}
	for i, id := range a.IDs { // everything is shown again
		q := a.panes[id]
		if q == nil || a.docs[q.trace] == nil || a.docs[q.trace].group != group {
			continue
		}
		if view.Implements[view.Timed](q.kind) {
			a.check(a.Workspace.Apply(view.Action{Do: view.SetCamera, Pane: i}))
		}
	}
}

// settle gives the panes that show the time of their group a camera of their own that does, for those who look at the cameras alone.
func (a *App) settle() {
	for i, id := range a.IDs {
		if p := a.panes[id]; p != nil && a.timed(p) != nil {
			if _, ok := a.stretches[a.docs[p.trace].group]; ok {
				c := a.frame(p).Camera
				a.check(a.Workspace.Apply(view.Action{Do: view.SetCamera, Pane: i, Camera: &c}))
			}
		}
	}
}

// along are the panes that go along with what is about to be done to a pane.
func (a *App) along(do view.Action) []*pane {
	switch do.Do {
	case view.SetCamera, view.SetParam, view.EnterSubtree, view.Back, view.LeaveTo:
		if do.Pane >= 0 && do.Pane < len(a.IDs) && do.Name != view.Root {
			if p := a.panes[a.IDs[do.Pane]]; p != nil {
				others := a.counterparts(p)
				if do.Do == view.SetParam {
					others = append(others, a.alike(p, do.Name)...)
				}
				return others
			}
		}
	}
	return nil
}

// share does to the panes that go along what has been done to a pane. One undo takes back both.
func (a *App) share(do view.Action, along []*pane) {
	if do.Do == view.SetCamera {
		if p := a.panes[a.IDs[do.Pane]]; p != nil && a.timed(p) != nil {
			a.lead(p)
			return
		}
		if a.State.Shared.Apart {
			return
		}
	}
	if len(along) == 0 {
		return
	}
	w := a.State.Personal.Panes[do.Pane]
	for _, q := range along {
		do.Pane = a.Index(q.id)
		switch {
		case do.Do == view.EnterSubtree && q.kind.Contexts:
			do.Task = w.Root()
		case do.Do == view.EnterSubtree:
			var ok bool
			if do.Task, ok = a.twinTask(w.Root(), a.docs[w.Trace], a.docs[q.trace]); !ok {
				continue
			}
		}
		if err := a.Workspace.Apply(do); err != nil && do.Do == view.SetParam {
			a.fail(err)
		}
	}
}
