package timeline

import (
	"cmp"
	"math"
	"slices"

	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
)

// A spot describes the place under a pixel.
type spot struct {
	row         int
	first, last int             // PEs of the row
	label       bool            // the pixel is on the row's name
	step        *account.Step   // nil if none is within reach
	piece       *activity.Piece // state of the PE; nil if the row stands for several PEs
	from, to    int64           // of the piece, in ns
	instant     int64
}

// reach is the largest distance between the pointer and a step that it hits, in pixels.
const reach = 2

// spot returns the place under a pixel, and false outside the rows or after the end of the frame's time.
func (r *rows) spot(x, y float64) (s spot, ok bool) {
	s.row = r.rowAt(y)
	if s.row < 0 || x < r.Area.X0 || x > r.In.X1 {
		return s, false
	}
	var t *activity.Track
	t, s.first, s.last = r.g.groups.Group(r.level, s.row)
	if x < r.In.X0 {
		s.label = true
		return s, true
	}
	s.instant = r.Instant(x)
	until := r.Last(r.g.Act.To)
	if s.instant > until {
		return s, false
	}
	if r.level > 0 || s.first >= len(r.g.Act.Lanes) {
		return s, true
	}
	s.step = r.near(&r.g.Act.Lanes[s.first], x, until)
	if i := t.Find(s.instant); i >= 0 && s.instant < t.End {
		s.piece = &t.Pieces[i]
		s.from, s.to = t.Span(i)
	} else {
		s.piece, s.from, s.to = &activity.Piece{}, t.End, r.g.Act.To
		if len(t.Pieces) == 0 || s.instant < t.Pieces[0].Start {
			s.from, s.to = r.g.Act.From, r.g.Act.To
			if len(t.Pieces) > 0 {
				s.to = t.Pieces[0].Start
			}
		}
	}
	return s, true
}

// near returns the step at x, or else the nearest one within reach, or nil.
func (r *rows) near(l *activity.Lane, x float64, until int64) *account.Step {
	var best *account.Step
	least := float64(reach)
	for i := l.First(int64(math.Floor(r.Time(x - reach)))); i < l.Steps.Len(); i++ {
		s := l.Steps.Step(i)
		x0, x1 := r.X(s.Time), r.X(s.End)
		if x0 > x+reach || s.Time > until {
			break
		}
		d := max(x0-x, x-x1, 0)
		if d < least || d == least && best == nil {
			best, least = &s, d
		}
		if d == 0 {
			break
		}
	}
	return best
}

// Hit returns the step under a pixel, or the PE and its time in the state there. On a name, or in a row of several PEs, it returns the PEs.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	s, ok := layout(f, g).spot(x, y)
	if !ok {
		return view.Selection{}, false
	}
	place := g.place(f.Trace, s.first, s.last)
	switch {
	case s.label || s.first != s.last || s.piece == nil && s.step == nil:
		return place, !place.Empty()
	case s.step != nil && s.step.Kind == tracer.Sample:
		return g.sampled(place, s.step), true
	case s.step != nil:
		return view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: s.step.Task}}}, true
	}
	if g.Rows == nil {
		place.Time = &view.Span{First: s.from, Last: s.to}
	}
	return place, true
}

// Locate returns a rectangle for each visible selected step; steps of a row that touch or share a pixel have one together. A row that tasks share is
// selected as a whole with any of them, or with their function. For PEs without tasks or codes it returns their rows, limited to the selected time if
// there is one. For a time alone it returns a band over all rows.
func (g *Geometry) Locate(f *view.Frame, s view.Selection) []scene.Rect {
	m := match.New(g.Run, g.index, f.Trace, s)
	if m == nil || g.Rows != nil && len(s.PEs) > 0 { // rows are no PEs
		return nil
	}
	r := layout(f, g)
	x0, x1 := r.within(s.Time)
	if m.OnlyPlace() {
		if len(s.PEs) == 0 {
			if band, ok := r.Within(scene.Rect{X0: x0, Y0: r.In.Y0, X1: x1, Y1: r.In.Y1}); ok {
				return []scene.Rect{band}
			}
			return nil
		}
	}
	var places []scene.Rect
	first, end := r.visible()
	for i := first; i < end; i++ {
		from, to := i*r.size, min((i+1)*r.size, g.Act.PEs)-1
		y0, y1 := r.bar(i)
		if !m.PE(from, to) || y1 <= y0 {
			continue
		}
		if m.OnlyPlace() {
			if place, ok := r.Within(scene.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1}); ok {
				places = append(places, place)
			}
			continue
		}
		var found spans
		for pe := from; pe <= min(to, len(g.Act.Lanes)-1); pe++ {
			switch {
			case g.Rows != nil && len(g.Rows.Members(pe)) > 1:
				if g.meets(pe, m, s) {
					found.add(r.within(s.Time))
				}
			case m.PE(pe, pe):
				r.selected(pe, m, &found)
			}
		}
		for _, s := range found.joined() {
			if place, ok := r.Within(scene.Rect{X0: s[0], Y0: y0, X1: s[1], Y1: y1}); ok {
				places = append(places, place)
			}
		}
	}
	return places
}

// within returns the ends of a time along x, those of the data without one.
func (r *rows) within(t *view.Span) (x0, x1 float64) {
	if t == nil {
		return r.In.X0, r.In.X1
	}
	return r.X(t.First), r.X(t.Last)
}

// selected collects the visible stretches of the selected steps of a PE.
func (r *rows) selected(pe int, m *match.Steps, found *spans) {
	l := &r.g.Act.Lanes[pe]
	until := r.Last(r.g.Act.To)
	perNs := r.In.W() / (r.To - r.From)
	last := math.Inf(-1) // end of the last stretch
	for i := m.Next(pe, l.First(int64(math.Floor(r.From))-1)); i < l.Steps.Len(); i = m.Next(pe, i+1) {
		s := l.Steps.Step(i)
		if float64(s.Time) > r.To || s.Time > until {
			return
		}
		x0, x1 := r.X(s.Time), r.X(s.End)
		found.add(x0, x1)
		if x1-x0 < 0.5 && x1-last < 0.5 { // skip further steps in this pixel
			i = max(i, l.FirstFrom(i, s.Time+int64(0.5/perNs))-1)
		}
		last = x1
	}
}

// spans are stretches along x, in pixels.
type spans [][2]float64

// add appends a stretch, or extends the last one if they touch and one is narrower than a pixel.
func (s *spans) add(x0, x1 float64) {
	const touch = 0.5 // pixels
	if n := len(*s); n > 0 && x0 >= (*s)[n-1][0] && x0-(*s)[n-1][1] < touch && (x1-x0 < 1 || (*s)[n-1][1]-(*s)[n-1][0] < 1) {
		(*s)[n-1][1] = max((*s)[n-1][1], x1)
		return
	}
	*s = append(*s, [2]float64{x0, x1})
}

// joined returns the stretches in ascending order, with overlapping ones merged.
func (s spans) joined() spans {
	slices.SortFunc(s, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var out spans
	for _, x := range s {
		if n := len(out); n > 0 && x[0] < out[n-1][1]-1e-6 {
			out[n-1][1] = max(out[n-1][1], x[1])
		} else {
			out.add(x[0], x[1])
		}
	}
	return out
}
