package waits

import (
	"slices"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/waits"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// A lit says which rows a selection lights.
type lit struct {
	steps *match.Steps    // nil for none
	tasks bool            // the selection has tasks
	codes map[uint32]bool // of selected steps or tasks
}

// lit returns the rows of a selection. It keeps the last results.
func (s *sheet) lit(sel view.Selection) *lit {
	if sel.Trace != s.Trace {
		return &lit{}
	}
	return s.g.memo.Get(sel, view.Selection.Equal, func() *lit { return s.g.light(s.Trace, sel) })
}

func (g *Geometry) light(trace string, sel view.Selection) *lit {
	l := &lit{steps: match.New(g.run, &match.Index{Nodes: g.nodes}, trace, sel), tasks: len(sel.Tasks) > 0, codes: map[uint32]bool{}}
	if l.steps == nil || l.steps.OnlyPlace() {
		return &lit{}
	}
	if !l.tasks {
		for c := range g.run.Codes {
			if l.steps.Code(uint32(c)) {
				l.codes[g.run.Owner(uint32(c))], l.codes[uint32(c)] = true, true
			}
		}
		return l
	}
	for i := range g.waits.Tasks {
		if t := &g.waits.Tasks[i]; l.steps.Admits(t.Code) && !l.codes[t.Code] && l.steps.Task(t.ID) {
			l.codes[t.Code] = true
		}
	}
	return l
}

// lights reports whether a row is lit.
func (g *Geometry) lights(l *lit, r *row) bool {
	if l.steps == nil {
		return false
	}
	e := g.entry(r.entry)
	switch {
	case r.cause >= 0:
		by := g.causesOf(&e)[r.cause].By
		return !l.tasks && by != 0 && l.codes[by]
	case g.byTask && l.tasks:
		return l.steps.Task(e.id) && l.steps.Admits(e.code)
	}
	return l.codes[e.code]
}

// selection returns what a row selects: a task, a function, or the function that ended the waits of a cause.
func (g *Geometry) selection(trace string, i int) view.Selection {
	r := &g.rows[i]
	e := g.entry(r.entry)
	code := e.code
	if r.cause >= 0 {
		if by := g.causesOf(&e)[r.cause].By; by != 0 {
			code = by
		}
	} else if g.byTask {
		return view.Selection{Trace: trace, Tasks: []view.Tasks{{First: e.id}}}
	}
	if code == 0 {
		return view.Selection{}
	}
	return view.Selection{Trace: trace, Codes: []uint32{code}}
}

// wait returns the longest wait of a row, or false if it has none whose chain can be followed.
func (g *Geometry) wait(i int) (waits.Span, bool) {
	r := &g.rows[i]
	e := g.entry(r.entry)
	s := e.most
	if r.cause >= 0 {
		b := &g.causesOf(&e)[r.cause]
		if s = b.Most; b.Kind == waits.ForBinding {
			return s, false
		}
	} else if causes := e.causes; len(causes) > 0 && causes[0].Kind == waits.ForBinding {
		return s, false
	}
	return s, s.To > s.From && g.run.Counts[tracer.Reduce] == 0
}

// Hit selects the function or task of the row at a pixel, or the task of a line of the chain.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	s := layout(f, g)
	if i, ok := s.segmentAt(x, y); ok {
		switch {
		case i < -1:
			return view.Selection{}, false
		case i == -1:
			return view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: g.chain.span.Task}}}, true
		}
		task := g.chain.segments[i].task
		return view.Selection{Trace: f.Trace, Tasks: []view.Tasks{{First: task}}}, task != 0
	}
	if i, ok := s.RowAt(x, y); ok {
		sel := g.selection(f.Trace, i)
		return sel, !sel.Empty()
	}
	return view.Selection{}, false
}

// Tip describes a row or a line of the chain.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	s := layout(f, g)
	if i, ok := s.segmentAt(x, y); ok && i >= -1 {
		return view.Tip{X: x, Y: y, Lines: g.describeSegment(i)}, true
	}
	i, ok := s.RowAt(x, y)
	if !ok {
		return view.Tip{}, false
	}
	r := &g.rows[i]
	e := g.entry(r.entry)
	lines := []string{g.name(&e)}
	if place := g.run.Place(e.code); place != "" {
		lines = append(lines, place)
	}
	if r.cause >= 0 {
		return view.Tip{X: x, Y: y, Lines: append(lines, g.describeCause(&g.causesOf(&e)[r.cause], &e)...)}, true
	}
	if !g.byTask {
		lines = append(lines, figures.Counted(e.tasks, "task"))
	}
	if e.alive > 0 {
		lines = append(lines, figures.Count(e.alive)+" without an end in the trace")
	}
	whole := e.times.Sum()
	lines = append(lines, "life "+figures.Duration(whole))
	for st, ns := range e.times {
		if ns > 0 {
			lines = append(lines, waits.State(st).String()+" "+figures.Duration(ns)+", "+figures.Percent(ns, whole))
		}
	}
	if e.waits > 0 {
		lines = append(lines, figures.Counted(e.waits, "wait")+", the longest "+figures.Duration(e.most.To-e.most.From))
	}
	return view.Tip{X: x, Y: y, Lines: lines}, true
}

func (g *Geometry) describeCause(b *waits.Block, e *entry) []string {
	lines := []string{"waits for " + g.reason(b)}
	switch {
	case b.By != 0 && b.Inferred:
		lines = append(lines, "ended by "+g.run.Name(b.By)+", as inferred")
	case b.By != 0:
		lines = append(lines, "ended by "+g.run.Name(b.By))
	default:
		lines = append(lines, "ended by no task that the trace names")
	}
	lines = append(lines, figures.Duration(b.Time)+", "+figures.Percent(b.Time, e.times[waits.Blocked])+" of the blocked time", figures.Counted(b.Count, "wait"))
	if b.Open > 0 {
		lines = append(lines, figures.Count(b.Open)+" until the end of the trace")
	}
	return append(lines, "the longest "+figures.Duration(b.Most.To-b.Most.From)+", of "+g.run.TaskName(b.Most.Task, b.Code))
}

func (g *Geometry) describeSegment(i int) []string {
	c := g.chain
	instant := func(t int64) string { return timeplot.Instant(t-g.run.From, c.span.To-c.span.From) }
	if i < 0 {
		return []string{g.run.TaskName(c.span.Task, g.codeOf(c.span.Task)), "waits from " + instant(c.span.From) + " to " + instant(c.span.To)}
	}
	s := &c.segments[i]
	lines := []string{g.run.TaskName(s.task, s.code), "from " + instant(s.from) + " to " + instant(s.to)}
	var sums [waits.NumActivities]int64
	for _, p := range s.pieces {
		sums[p.Activity] += p.To - p.From
	}
	for w, ns := range sums {
		if ns > 0 {
			lines = append(lines, waits.Activity(w).String()+" "+figures.Duration(ns))
		}
	}
	return lines
}

// Locate returns the visible rows that a selection lights.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) (places []scene.Rect) {
	s := layout(f, g)
	l := s.lit(sel)
	first, end := s.Shown()
	for i := first; i < end; i++ {
		if g.lights(l, &g.rows[i]) {
			places = append(places, s.Row(i))
		}
	}
	return places
}

// Overlay lights the selected and the hovered rows.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	out.ClipTo(f.Area)
	defer out.Pop()
	lineplot.LightRows(g, f, out)
}

// first returns the first row that a selection lights, or -1.
func (s *sheet) first(sel view.Selection) int {
	l := s.lit(sel)
	if l.steps == nil {
		return -1
	}
	return slices.IndexFunc(s.g.rows, func(r row) bool { return s.g.lights(l, &r) })
}

// Reveal scrolls to the first selected row if none is visible.
func (g *Geometry) Reveal(f *view.Frame, sel view.Selection) (view.Camera, bool) {
	if len(g.Locate(f, sel)) > 0 {
		return view.Camera{}, false
	}
	s := layout(f, g)
	if i := s.first(sel); i >= 0 {
		return s.CameraAt(i - s.Visible/2), true
	}
	return view.Camera{}, false
}
