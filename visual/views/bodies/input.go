package bodies

import (
	"math"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// pick returns the body at a pixel: the frontmost one there, else the nearest within four pixels.
func (s *stage) pick(x, y float64) (body int, ok bool) {
	if !s.room().Contains(x, y) {
		return 0, false
	}
	best := 4.0
	for _, i := range slices.Backward(s.order) {
		b := &s.balls[i]
		if !b.seen {
			continue
		}
		d := math.Hypot(x-b.x, y-b.y) - b.r
		if d <= 0 {
			return int(i), true
		}
		if d < best {
			best, body, ok = d, int(i), true
		}
	}
	return body, ok
}

// linkAt returns the link at a pixel, the one with the most traffic if there are several, or nil.
func (s *stage) linkAt(x, y float64) *rope {
	if s.clouds() || !s.room().Contains(x, y) {
		return nil
	}
	var best *rope
	for k := range s.ropes {
		r := &s.ropes[k]
		a, b := &s.balls[r.a], &s.balls[r.b]
		dx, dy := b.x-a.x, b.y-a.y
		long := dx*dx + dy*dy
		if !a.seen || !b.seen || long < 1 {
			continue
		}
		t := min(max(((x-a.x)*dx+(y-a.y)*dy)/long, 0), 1)
		if math.Hypot(x-a.x-t*dx, y-a.y-t*dy) < 4 && (best == nil || r.there+r.back > best.there+best.back) {
			best = r
		}
	}
	return best
}

// selection selects the PEs of bodies, or their procedures.
func (s *stage) selection(bodies ...int32) view.Selection {
	sel := view.Selection{Trace: s.Trace}
	for _, b := range bodies {
		if s.g.procedures != nil {
			sel.Codes = append(sel.Codes, s.g.procedures[b])
			continue
		}
		first, last := s.span(int(b))
		sel.PEs = append(sel.PEs, view.Span{First: int64(first), Last: int64(last)})
	}
	return sel
}

// Hit selects the PEs or the procedure of the body at a pixel, or those of both ends of a link.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	s := setStage(f, g)
	if i, ok := s.pick(x, y); ok {
		return s.selection(int32(i)), true
	}
	if r := s.linkAt(x, y); r != nil {
		return s.selection(r.a, r.b), true
	}
	return view.Selection{}, false
}

// Tip describes a body or a link in the recent intervals, a point of the measures, or the clock.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := setStage(f, g)
	if lines := s.clockTip(x, y); lines != nil {
		return view.Tip{X: x, Y: y, Lines: lines}, true
	}
	if t, ok := s.strip(); ok && t.plot.Contains(x, y) {
		return view.Tip{X: x, Y: y, Lines: t.describe(x, y)}, true
	}
	if i, ok := s.pick(x, y); ok {
		return view.Tip{X: x, Y: y, Lines: s.describe(i)}, true
	}
	r := s.linkAt(x, y)
	if r == nil {
		return view.Tip{}, false
	}
	a, b := s.title(int(r.a)), s.title(int(r.b))
	lines := []string{a + " – " + b}
	for _, way := range [2]struct{ from, to int32 }{{r.a, r.b}, {r.b, r.a}} {
		messages, bytes := s.trafficBetween(way.from, way.to)
		if g.procedures != nil {
			lines = append(lines, s.title(int(way.from))+" called "+s.title(int(way.to))+" "+s.called(messages))
			continue
		}
		lines = append(lines, s.title(int(way.from))+" sent "+g.sentText(messages, bytes))
	}
	return view.Tip{X: x, Y: y, Lines: append(lines, "in "+figures.Duration(s.recently()))}, true
}

// title returns the name of a body in a tip.
func (s *stage) title(body int) string {
	if s.g.procedures != nil {
		return s.name(body)
	}
	if s.g.Traffic.Group > 1 {
		return "PEs " + s.name(body)
	}
	return s.g.run.PEName(body, body)
}

// recently returns the length of the recent intervals in ns.
func (s *stage) recently() int64 { return s.g.Traffic.Length(s.first, s.last) }

// trafficBetween sums the traffic from one body to another in the recent intervals.
func (s *stage) trafficBetween(from, to int32) (messages, bytes int64) {
	for _, f := range s.g.Traffic.FlowsOf(s.first, s.last) {
		if f.From == from && f.To == to {
			messages += f.Messages
			bytes += f.Bytes
		}
	}
	return messages, bytes
}

// sentText returns an amount of traffic in words.
func (g *Geometry) sentText(messages, bytes int64) string {
	noun := "messages"
	if g.Traffic.Moves {
		noun = "tasks"
	}
	if g.Traffic.Wakes {
		noun = "wake-ups"
	}
	if messages == 1 {
		noun = noun[:len(noun)-1]
	}
	s := figures.Count(messages) + " " + noun
	if bytes > 0 {
		s += ", " + figures.Count(bytes) + " bytes"
	}
	return s
}

// describe returns the lines of the tip of a body.
func (s *stage) describe(body int) []string {
	if s.g.procedures != nil {
		return s.describeProcedure(body)
	}
	t := s.g.Traffic
	lines := []string{s.title(body), "busy " + strconv.Itoa(int(math.Round(100*s.load[body]))) + " % of the last " + figures.Duration(s.recently())}
	var messages, bytes, queue, done int64
	for _, f := range t.FlowsOf(s.first, s.last) {
		if int(f.From) == body && f.To != f.From {
			messages += f.Messages
			bytes += f.Bytes
		}
	}
	for _, l := range t.LoadsOf(s.first, s.last) {
		if int(l.Node) == body {
			queue += l.Queue
			done += l.Reductions
		}
	}
	lines = append(lines, "sent "+s.g.sentText(messages, bytes))
	if q := float64(queue) / float64(s.recently()); q >= 0.05 {
		lines = append(lines, figures.Fixed(q, 1)+" tasks waiting on average")
	}
	if done > 0 {
		lines = append(lines, figures.Count(done)+" "+s.g.run.Noun(done))
	}
	if s.g.Mass != "nothing" {
		lines = append(lines, "mass "+figures.Fixed(s.g.Masses(s.last)[body], 2))
	}
	return lines
}

// selected returns the bodies that a selection contains, wholly or in part.
func (s *stage) selected(sel view.Selection) (bodies []int32) {
	if s.g.Motion != nil && s.g.procedures != nil {
		return s.selectedProcedures(sel)
	}
	if s.g.Motion == nil || len(sel.PEs) == 0 || sel.Trace != s.Trace {
		return nil
	}
	for _, span := range sel.PEs {
		t := s.g.Traffic
		first, last := max(span.First, 0), min(max(span.Last, span.First), int64(t.PEs-1))
		for b := first / int64(t.Group); b <= last/int64(t.Group) && first <= last; b++ {
			bodies = append(bodies, int32(b))
		}
	}
	return bodies
}

// Locate returns a square around each selected body that is visible.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	s := setStage(f, g)
	var places []scene.Rect
	for _, i := range s.selected(sel) {
		b := &s.balls[i]
		if r := (scene.Rect{X0: b.x - b.r, Y0: b.y - b.r, X1: b.x + b.r, Y1: b.y + b.r}); b.seen && r.Meets(f.Clip) {
			places = append(places, r)
		}
	}
	return places
}

// Overlay draws rings around selected bodies and those under the pointer, the time window and the speed.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	out.ClipTo(f.Area)
	defer out.Pop()
	s := bare(f, g)
	if t, ok := s.strip(); ok {
		t.over(out)
	}
	s.speed(out)
	ring := func(sel view.Selection, width float32, c scene.Color) {
		for _, r := range g.Locate(f, sel) {
			x, y, around := float32(r.X0+r.X1)/2, float32(r.Y0+r.Y1)/2, max(float32(r.W()/2), 3)+1.5*width
			out.Ring(x, y, around, width+2, scene.Hex(0x101010).Alpha(170))
			out.Ring(x, y, around, width, c)
		}
	}
	width := f.Style.Font / 5
	ring(f.State.Shared.Selection, width, lineplot.Yellow)
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		ring(h, width/2, scene.Hex(0xffffff))
	}
}

// Input turns the bodies on a drag and on the arrow keys, and moves them on a drag with Shift. A click on the clock
// plays or pauses. A click or a drag in the measures sets the time. All other input is handled as in every view.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	turn := func(dx, dy float64) []view.Action {
		c := f.Camera
		c.Turn = math.Remainder(c.Turn+min(max(dx, -1e6), 1e6), 360)
		c.Tilt = min(max(c.Tilt+min(max(dy, -1e6), 1e6), -90-tilted), 90-tilted)
		return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: &c}}
	}
	s := bare(f, g)
	if acts, ok := s.onClock(in.X, in.Y); ok && in.Kind == view.Click {
		return acts
	}
	if t, ok := s.strip(); ok && in.Kind != view.Press {
		x, y := in.X, in.Y
		if in.Kind == view.DragStart || in.Kind == view.Drag || in.Kind == view.DragEnd { // it is for where it began
			x, y = in.FromX, in.FromY
		}
		if t.all.Contains(x, y) {
			return t.input(in)
		}
	}
	switch in.Kind {
	case view.Drag:
		if !in.Shift {
			perPixel := 0.4 * 13 / float64(f.Style.Font) // degrees
			return turn(-in.DX*perPixel, in.DY*perPixel)
		}
	case view.DragStart, view.DragEnd:
		return nil
	case view.Press:
		switch in.Key {
		case "ArrowLeft":
			return turn(-5, 0)
		case "ArrowRight":
			return turn(5, 0)
		case "ArrowUp":
			return turn(0, -5)
		case "ArrowDown":
			return turn(0, 5)
		case "y":
			return colorBy.Set(in.Pane, after(colorBy.Choices, g.by))
		case "g":
			return model.Set(in.Pane, after(model.Choices, g.model))
		case "b":
			return lines.Set(in.Pane, strconv.FormatBool(!g.lines))
		case "w":
			return s.windowed()
		case "t":
			return trails.Set(in.Pane, strconv.FormatBool(!g.trails))
		case "l":
			return labels.Set(in.Pane, strconv.FormatBool(!g.labels))
		}
	}
	return view.Navigate(g, keys, f, in)
}

// after returns the choice that follows now, the first after the last.
func after(choices []string, now string) string {
	return choices[(slices.Index(choices, now)+1)%len(choices)]
}
