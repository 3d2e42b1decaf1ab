package tiles

import (
	"slices"

	"whorl/visual/app/outbox"
	"whorl/visual/scene"
	"whorl/visual/ui"
	"whorl/visual/workspace"
)

// carried is a tab that the pointer drags outside its bar, or has just dropped there. pane is 0 for none.
type carried struct {
	pane    int
	dropped bool
}

// A target is a place for a pane: put puts the pane there, and rect is where it will be, in points: its half of a leaf, or the gap between two tabs.
type target struct {
	put  func(w *workspace.Workspace, id int)
	rect scene.Rect
}

// edgeShare is the part of a leaf along each of its sides where a dropped tab divides the leaf.
const edgeShare = 0.25

// carry shows where the tab that the pointer drags will land, or puts a dropped one there.
func (t *Tiles) carry(c *ui.Context) {
	if t.carried.pane == 0 {
		return
	}
	x, y := c.Pointer()
	to, ok := t.targetAt(t.carried.pane, float64(x)/t.window.Scale, float64(y)/t.window.Scale)
	switch {
	case !ok:
	case t.carried.dropped:
		t.actions.Move(t.carried.pane, to.put)
	default:
		r := t.window.Rect(to.rect)
		c.Carry(func() {
			c.Fill(r, c.Theme.Accent.Alpha(70))
			c.Outline(r, 0, c.Px(2), c.Theme.Accent)
		})
	}
}

// targetAt returns the place for a pane whose tab is dropped at a point, in points; false if it would stay where it is.
func (t *Tiles) targetAt(id int, x, y float64) (target, bool) {
	for i := range t.Spots {
		s := &t.Spots[i]
		if !s.Rect.Contains(x, y) {
			continue
		}
		others := without(s.Node.Panes, id)
		if len(others) == 0 {
			return target{}, false
		}
		if y < s.Bar.Y1 {
			return t.tabTarget(s, id, others, x), true
		}
		return paneTarget(s, len(others) < len(s.Node.Panes), others, x, y)
	}
	return target{}, false
}

// tabTarget returns the place for a pane among the tabs of a leaf. others are the panes of the leaf without that pane.
func (t *Tiles) tabTarget(s *Spot, id int, others []int, x float64) target {
	to, gap := s.Tabs.Gap(float32(x * t.window.Scale))
	rect := s.Bar
	rect.X0 = float64(gap)/t.window.Scale - 2
	rect.X1 = rect.X0 + 4
	if own := slices.Index(s.Node.Panes, id); own >= 0 && own < to {
		to--
	}
	return target{put: beside(others, to), rect: rect}
}

// paneTarget returns the place for a pane that is dropped on the picture of a leaf: along a side where both parts have room, else as a tab. own says
// that the leaf has the pane already.
func paneTarget(s *Spot, own bool, others []int, x, y float64) (target, bool) {
	r := s.Rect
	r.Y0 = s.Bar.Y1
	u, v := (x-r.X0)/r.W(), (y-r.Y0)/r.H()
	near := s.Node.Shown
	if !slices.Contains(others, near) {
		near = others[0]
	}
	best, side := edgeShare, workspace.AsTab
	rect := r
	for _, e := range []struct {
		distance float64
		side     workspace.Side
		room     bool
		rect     scene.Rect
	}{
		{u, workspace.ToLeft, s.Rect.W() > 2*workspace.LeastWidth, scene.Rect{X0: r.X0, Y0: s.Rect.Y0, X1: r.X0 + r.W()/2, Y1: r.Y1}},
		{1 - u, workspace.ToRight, s.Rect.W() > 2*workspace.LeastWidth, scene.Rect{X0: r.X0 + r.W()/2, Y0: s.Rect.Y0, X1: r.X1, Y1: r.Y1}},
		{v, workspace.Above, s.Rect.H() > 2*workspace.LeastHeight, scene.Rect{X0: r.X0, Y0: s.Rect.Y0, X1: r.X1, Y1: s.Rect.Y0 + s.Rect.H()/2}},
		{1 - v, workspace.Below, s.Rect.H() > 2*workspace.LeastHeight, scene.Rect{X0: r.X0, Y0: s.Rect.Y0 + s.Rect.H()/2, X1: r.X1, Y1: r.Y1}},
	} {
		if e.room && e.distance < best {
			best, side, rect = e.distance, e.side, e.rect
		}
	}
	if side == workspace.AsTab && own {
		return target{}, false
	}
	return target{put: func(w *workspace.Workspace, id int) { w.Move(id, near, side) }, rect: rect}, true
}

// without returns the panes of a list except one.
func without(panes []int, id int) []int {
	return slices.DeleteFunc(slices.Clone(panes), func(p int) bool { return p == id })
}

// beside puts a pane at an index among the tabs of others.
func beside(others []int, index int) func(w *workspace.Workspace, id int) {
	return func(w *workspace.Workspace, id int) {
		if index < len(others) {
			w.Insert(id, others[index], false)
		} else {
			w.Insert(id, others[len(others)-1], true)
		}
	}
}

// MoveTo moves the focused pane to a side: one of several tabs gets a place of its own there, and a pane alone becomes a tab of the next leaf there.
func (t *Tiles) MoveTo(side workspace.Side) {
	id := t.model.Focus
	i := slices.IndexFunc(t.Spots, func(s Spot) bool { return slices.Contains(s.Node.Panes, id) })
	if i < 0 {
		return
	}
	s := &t.Spots[i]
	others := without(s.Node.Panes, id)
	rows := side == workspace.Above || side == workspace.Below
	room := s.Rect.W() > 2*workspace.LeastWidth
	if rows {
		room = s.Rect.H() > 2*workspace.LeastHeight
	}
	next := t.nextSpot(s.Rect, side)
	switch {
	case len(others) > 0 && room:
		t.actions.Move(id, func(w *workspace.Workspace, id int) { w.Move(id, others[0], side) })
	case next != nil:
		t.actions.Move(id, func(w *workspace.Workspace, id int) { w.Move(id, next.Node.Shown, workspace.AsTab) })
	default:
		t.out.Notify(ui.Info, outbox.AboutAction, "There is no room for the pane on that side")
	}
}

// nextSpot returns the leaf that shares the longest border with a rectangle on a side, nil if there is none.
func (t *Tiles) nextSpot(r scene.Rect, side workspace.Side) (next *Spot) {
	const bar = 12 // more than the width of a bar between two leaves
	longest := 0.0
	for i := range t.Spots {
		q := t.Spots[i].Rect
		gap, shared := 0.0, 0.0
		switch side {
		case workspace.ToLeft:
			gap = r.X0 - q.X1
		case workspace.ToRight:
			gap = q.X0 - r.X1
		case workspace.Above:
			gap = r.Y0 - q.Y1
		case workspace.Below:
			gap = q.Y0 - r.Y1
		}
		if side == workspace.ToLeft || side == workspace.ToRight {
			shared = min(r.Y1, q.Y1) - max(r.Y0, q.Y0)
		} else {
			shared = min(r.X1, q.X1) - max(r.X0, q.X0)
		}
		if gap >= 0 && gap < bar && shared > longest {
			longest, next = shared, &t.Spots[i]
		}
	}
	return next
}
