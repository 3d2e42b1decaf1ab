package panes

import (
	"math"

	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Cameras decides which part of its picture each pane shows. Panes of compared runs show the same time.
type Cameras struct {
	model     *Model
	links     *Links
	window    *Window
	out       *outbox.Outbox
	stretches map[int]stretch // by group: the time shown, if that is not all
}

// NewCameras returns cameras that all show everything.
func NewCameras(m *Model, l *Links, w *Window, out *outbox.Outbox) *Cameras {
	return &Cameras{m, l, w, out, map[int]stretch{}}
}

// A stretch is a part of time, in ns.
type stretch struct{ from, to float64 }

// fontSize is the size of text in points.
const fontSize = 13

func (cs *Cameras) Style() view.Style {
	return view.NewStyle(cs.model.Dark, float32(math.Max(math.Round(fontSize*cs.window.Scale), 6)))
}

// Frame returns the frame of a pane's picture.
func (cs *Cameras) Frame(p *Pane) *view.Frame {
	f := &view.Frame{Area: p.Area, Clip: p.Area, Style: cs.Style(), Text: cs.window.Text, Trace: p.Trace, Detail: cs.model.State.Shared.Detail, State: &cs.model.State}
	if f.Until = cs.model.Clock.Until(p.Trace); p.Kind.Windowed {
		f.Window = cs.model.Clock.Window(p.Trace)
	}
	if w := cs.model.Pane(p.ID); w != nil {
		f.Camera, f.Trail = w.Camera, w.Trail
	}
	if f.Camera.Scale == 0 && p.result.Value != nil {
		f.Camera = view.Fit(cs.bounds(p), p.Area, float64(f.Style.Font)/2)
	}
	cs.applyTime(p, f)
	return f
}

// bounds returns the world that a pane shows. Trees and bodies that are compared have one scale, that of the bounds of all of them. Panes of different
// sizes have scales of their own, since trees leave out levels in small ones.
func (cs *Cameras) bounds(p *Pane) scene.Rect {
	bounds := func(p *Pane) scene.Rect { return view.BoundsAt(p.result.Value, cs.model.Clock.Until(p.Trace)) }
	r := bounds(p)
	if !HasParam(p.Kind, view.Root) && !p.Kind.Space {
		return r
	}
	if p.ghost.picture != nil {
		r = union(r, view.BoundsAt(p.ghost.picture, nil))
	}
	for _, q := range cs.links.counterparts(p) {
		if small, large := min(p.window, q.window), max(p.window, q.window); q.result.Value != nil && (p.Kind.Space || 5*small >= 4*large) {
			r = union(r, bounds(q))
		}
	}
	return r
}

func union(r, s scene.Rect) scene.Rect {
	return scene.Rect{X0: min(r.X0, s.X0), Y0: min(r.Y0, s.Y0), X1: max(r.X1, s.X1), Y1: max(r.Y1, s.Y1)}
}

// Span returns the time that the axes of a run cover, zero for its own.
func (cs *Cameras) Span(d *documents.Document) view.Span {
	if cs.OwnScale(d) {
		return view.Span{}
	}
	return cs.links.span(d)
}

// OwnScale reports whether a run has a scale of its own until the user zooms into its group.
func (cs *Cameras) OwnScale(d *documents.Document) bool {
	if d == nil { // it is still read
		return false
	}
	_, zoomed := cs.stretches[d.Group]
	return !zoomed && cs.links.ownScale(d)
}

// applyTime gives a frame the time that its group shows. The rest of the camera stays.
func (cs *Cameras) applyTime(p *Pane, f *view.Frame) {
	d := cs.model.Document(p)
	f.Span = cs.Span(d)
	if t := cs.links.timed(p); t != nil {
		if s, ok := cs.stretches[d.Group]; ok {
			f.Camera = t.See(f, s.from, s.to)
		}
	}
}

// Adopt takes over the time of a pane that was zoomed before it was compared, once all runs of its group are there.
func (cs *Cameras) Adopt() {
	if cs.model.Docs.Loading() {
		return
	}
	for _, p := range cs.model.Visible() {
		w := cs.model.Pane(p.ID)
		if w == nil || w.Camera.ScaleY == 0 || cs.links.timed(p) == nil {
			continue
		}
		d := cs.model.Document(p)
		_, led := cs.stretches[d.Group]
		if _, over := cs.links.longest(d); over && !led {
			cs.lead(p)
		}
	}
}

// Forget makes the groups of compared runs show the time of the cameras of their panes, which were set from outside.
func (cs *Cameras) Forget() { clear(cs.stretches) }

// lead makes the time that a pane's own camera shows that of its group.
func (cs *Cameras) lead(p *Pane) {
	group, w := cs.model.Document(p).Group, cs.model.Pane(p.ID)
	delete(cs.stretches, group)
	if w.Camera.ScaleY > 0 {
		from, to := cs.links.timed(p).Seen(cs.Frame(p))
		cs.stretches[group] = stretch{from, to}
		return
	}
	for i, id := range cs.model.IDs { // the group shows all of its time again
		q := cs.model.Panes[id]
		if q == nil || cs.model.Document(q) == nil || cs.model.Document(q).Group != group {
			continue
		}
		if view.Implements[view.Timed](q.Kind) {
			cs.out.Check(outbox.AboutAction, cs.model.Workspace.Apply(view.Action{Do: view.SetCamera, Pane: i}))
		}
	}
}

// Settle stores the time of their group in the cameras of panes, for saved workspaces and pictures.
func (cs *Cameras) Settle() {
	for i, id := range cs.model.IDs {
		if p := cs.model.Panes[id]; p != nil && cs.links.timed(p) != nil {
			if _, ok := cs.stretches[cs.model.Document(p).Group]; ok {
				c := cs.Frame(p).Camera
				cs.out.Check(outbox.AboutAction, cs.model.Workspace.Apply(view.Action{Do: view.SetCamera, Pane: i, Camera: &c}))
			}
		}
	}
}
