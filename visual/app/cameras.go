package app

import (
	"math"

	"whorl/visual/app/outbox"
	"whorl/visual/documents"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// cameras decides which part of its picture each pane shows. Panes of compared runs show the same time.
type cameras struct {
	model     *model
	links     *links
	window    *window
	out       *outbox.Outbox
	stretches map[int]stretch // by group: the time shown, if that is not all
}

// A stretch is a part of time, in ns.
type stretch struct{ from, to float64 }

// fontSize is the size of text in points.
const fontSize = 13

func (cs *cameras) style() view.Style {
	return view.NewStyle(cs.model.Dark, float32(math.Max(math.Round(fontSize*cs.window.scale), 6)))
}

// frame returns the frame of a pane's picture.
func (cs *cameras) frame(p *pane) *view.Frame {
	f := &view.Frame{Area: p.area, Clip: p.area, Style: cs.style(), Text: cs.window.text, Trace: p.trace, Detail: cs.model.State.Shared.Detail, State: &cs.model.State}
	if f.Until = cs.model.clock.Until(p.trace); p.kind.Windowed {
		f.Window = cs.model.clock.Window(p.trace)
	}
	if w := cs.model.Pane(p.id); w != nil {
		f.Camera, f.Trail = w.Camera, w.Trail
	}
	if f.Camera.Scale == 0 && p.result.Value != nil {
		f.Camera = view.Fit(cs.bounds(p), p.area, float64(f.Style.Font)/2)
	}
	cs.applyTime(p, f)
	return f
}

// bounds returns the world that a pane shows. Trees and bodies that are compared have one scale, that of the bounds of all of them.
func (cs *cameras) bounds(p *pane) scene.Rect {
	bounds := func(p *pane) scene.Rect { return view.BoundsAt(p.result.Value, cs.model.clock.Until(p.trace)) }
	r := bounds(p)
	if !hasParam(p.kind, view.Root) && !p.kind.Space {
		return r
	}
	if p.ghost.picture != nil {
		r = union(r, view.BoundsAt(p.ghost.picture, nil))
	}
	for _, q := range cs.links.counterparts(p) {
		if q.result.Value != nil {
			r = union(r, bounds(q))
		}
	}
	return r
}

func union(r, s scene.Rect) scene.Rect {
	return scene.Rect{X0: min(r.X0, s.X0), Y0: min(r.Y0, s.Y0), X1: max(r.X1, s.X1), Y1: max(r.Y1, s.Y1)}
}

// span returns the time that the axes of a run cover, zero for its own.
func (cs *cameras) span(d *documents.Document) view.Span {
	if cs.ownScale(d) {
		return view.Span{}
	}
	return cs.links.span(d)
}

// ownScale reports whether a run has a scale of its own until the user zooms into its group.
func (cs *cameras) ownScale(d *documents.Document) bool {
	if d == nil { // it is still read
		return false
	}
	_, zoomed := cs.stretches[d.Group]
	return !zoomed && cs.links.ownScale(d)
}

// applyTime gives a frame the time that its group shows. The rest of the camera stays.
func (cs *cameras) applyTime(p *pane, f *view.Frame) {
	d := cs.model.document(p)
	f.Span = cs.span(d)
	if t := cs.links.timed(p); t != nil {
		if s, ok := cs.stretches[d.Group]; ok {
			f.Camera = t.See(f, s.from, s.to)
		}
	}
}

// adopt takes over the time of a pane that was zoomed before it was compared, once all runs of its group are there.
func (cs *cameras) adopt() {
	if cs.model.docs.Loading() {
		return
	}
	for _, p := range cs.model.visible() {
		w := cs.model.Pane(p.id)
		if w == nil || w.Camera.ScaleY == 0 || cs.links.timed(p) == nil {
			continue
		}
		d := cs.model.document(p)
		_, led := cs.stretches[d.Group]
		if _, over := cs.links.longest(d); over && !led {
			cs.lead(p)
		}
	}
}

// lead makes the time that a pane's own camera shows that of its group.
func (cs *cameras) lead(p *pane) {
	group, w := cs.model.document(p).Group, cs.model.Pane(p.id)
	delete(cs.stretches, group)
	if w.Camera.ScaleY > 0 {
		from, to := cs.links.timed(p).Seen(cs.frame(p))
		cs.stretches[group] = stretch{from, to}
		return
	}
	for i, id := range cs.model.IDs { // the group shows all of its time again
		q := cs.model.panes[id]
		if q == nil || cs.model.document(q) == nil || cs.model.document(q).Group != group {
			continue
		}
		if view.Implements[view.Timed](q.kind) {
			cs.out.Check(outbox.AboutAction, cs.model.Workspace.Apply(view.Action{Do: view.SetCamera, Pane: i}))
		}
	}
}

// settle stores the time of their group in the cameras of panes, for saved workspaces and pictures.
func (cs *cameras) settle() {
	for i, id := range cs.model.IDs {
		if p := cs.model.panes[id]; p != nil && cs.links.timed(p) != nil {
			if _, ok := cs.stretches[cs.model.document(p).Group]; ok {
				c := cs.frame(p).Camera
				cs.out.Check(outbox.AboutAction, cs.model.Workspace.Apply(view.Action{Do: view.SetCamera, Pane: i, Camera: &c}))
			}
		}
	}
}
