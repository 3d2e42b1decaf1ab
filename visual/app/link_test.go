package app

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"whorl/experiment"
	"whorl/tracer"
	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// linked are the views whose marks this test can read.
var linked = []string{"kaleidoscope", "threadgraph", "timeline", "utilisation", "source", "measures", "detail"}

const small = `% Sums of a list, halves in parallel.
main(X) :- true | sum([1,2,3,4], A)@node(1), sum([5,6], B)@node(2), add(A, B, X).
sum([], S) :- true | S = 0.
sum([H|T], S) :- true | sum(T, R), add(H, R, S).
add(A, B, C) :- integer(A), integer(B) | C := A + B.
`

// An oracle computes the contents of a selection directly from the events.
type oracle struct {
	codes  []tracer.Code
	steps  []tracer.Event // tries and commits
	busy   []tracer.Event // when a PE was: Value is how long
	parent map[uint64]uint64
	pes    int
	from   int64
	to     int64
}

func newOracle(t *testing.T, src tracer.Source) *oracle {
	o := &oracle{codes: src.Dict().Codes(), parent: map[uint64]uint64{}, pes: src.Meta().PEs}
	o.from, o.to = src.Span()
	err := src.Scan(tracer.Kinds(tracer.Reduce, tracer.Suspend, tracer.Fail), func(es []tracer.Event) error {
		for _, e := range es {
			if e.Value > 0 { // what took no time is part of the reduction that it stands in
				o.steps = append(o.steps, e)
			}
			if e.Kind == tracer.Reduce {
				o.parent[e.Task] = e.Ref
			}
		}
		return nil
	})
	if err != nil || len(o.steps) < 15 {
		t.Fatalf("the trace has %d tries and commits, %v", len(o.steps), err)
	}
	last := map[int32]*tracer.Event{}
	err = src.Scan(tracer.Kinds(tracer.Busy, tracer.Idle, tracer.Overhead, tracer.Exit), func(es []tracer.Event) error {
		for _, e := range es {
			if b := last[e.PE]; b != nil && b.Kind == tracer.Busy {
				b.Value = e.Time - b.Time
				o.busy = append(o.busy, *b)
			}
			last[e.PE] = &e
		}
		return nil
	})
	if err != nil || len(o.busy) < 3 {
		t.Fatalf("the trace has %d times of work, %v", len(o.busy), err)
	}
	return o
}

func (o *oracle) procedure(code uint32) uint32 {
	if o.codes[code].Type == tracer.Clause {
		return o.codes[code].Parent
	}
	return code
}

func (o *oracle) selects(s view.Selection, e *tracer.Event) bool {
	task := len(s.Tasks) == 0
	for _, r := range s.Tasks {
		if r.Subtree {
			for t := e.Task; t != 0 && !task; t = o.parent[t] {
				task = t == r.First
			}
		} else {
			task = task || e.Task >= r.First && e.Task <= max(r.First, r.Last)
		}
	}
	code := len(s.Codes) == 0 || slices.Contains(s.Codes, e.Code) || slices.Contains(s.Codes, o.procedure(e.Code))
	if len(s.Lines) > 0 { // commits at these lines
		c := o.codes[e.Code]
		code = code && c.Type == tracer.Clause && slices.ContainsFunc(s.Lines, func(l view.Lines) bool { return l.First <= c.Line && c.Line <= l.End() })
	}
	pe := len(s.PEs) == 0 || slices.ContainsFunc(s.PEs, func(p view.Span) bool { return p.Contains(int64(e.PE)) })
	return !s.Empty() && task && code && pe && (s.Time == nil || s.Time.Contains(e.Time))
}

func (o *oracle) reduced(task uint64) bool {
	_, is := o.parent[task]
	return is
}

// A set holds the names of things, for comparison and for messages.
type set map[string]bool

func (s set) String() string { return fmt.Sprint(slices.Sorted(maps.Keys(s))) }

// reductions returns the tasks of a selection that reduced.
func (o *oracle) reductions(s view.Selection) set {
	out := set{}
	for i := range o.steps {
		if e := &o.steps[i]; e.Kind == tracer.Reduce && o.selects(s, e) {
			out[fmt.Sprint("task ", e.Task)] = true
		}
	}
	return out
}

// A looker finds the things that a pane lights.
type looker struct {
	*driver
	*oracle
	p *panes.Pane
	f *view.Frame
}

func (l *looker) locate(s view.Selection) []scene.Rect {
	s.Trace = l.p.Trace
	return drawtest.Locate(l.p.Picture(), l.f, s)
}

func (l *looker) hit(r scene.Rect) view.Selection {
	s, _ := view.Hit(l.p.Picture(), l.f, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2)
	return s
}

// lit returns the things that a pane lights for a selection and those that it should light.
func (l *looker) lit(s view.Selection) (got, want set) {
	got, want = set{}, set{}
	rects := drawtest.Locate(l.p.Picture(), l.f, s)
	switch l.p.Kind.Name {
	case "kaleidoscope":
		want = l.reductions(s)
		for _, r := range rects {
			for _, t := range l.hit(r).Tasks {
				got[fmt.Sprint("task ", t.First)] = true
			}
		}
	case "threadgraph": // a part of a line for each goal that was tried; those that never reduce are in no tree, and hang from their parents here
		for i := range l.steps {
			if e := &l.steps[i]; l.selects(s, e) && l.reduced(e.Task) {
				want[fmt.Sprint("task ", e.Task)] = true
			}
		}
		for _, r := range rects {
			for _, t := range l.hit(r).Tasks {
				if l.reduced(t.First) {
					got[fmt.Sprint("task ", t.First)] = true
				}
			}
		}
	case "source":
		for i := range l.steps {
			if e := &l.steps[i]; e.Kind == tracer.Reduce && l.selects(s, e) {
				want[l.clause(e.Code)] = true
			}
		}
		for _, r := range rects {
			for _, c := range l.hit(r).Codes {
				got[l.clause(c)] = true
			}
		}
	case "detail": // lines that ran, among the lines of procedures
		ran := map[int32]string{}
		for i := range l.steps {
			if e := &l.steps[i]; e.Kind == tracer.Reduce {
				name := l.clause(e.Code)
				ran[l.codes[e.Code].Line] = name
				if l.selects(s, e) {
					want[name] = true
				}
			}
		}
		for _, r := range rects {
			for y := r.Y0 + 1; y < r.Y1; y += 3 {
				for _, n := range l.hit(scene.Rect{X0: r.X0, X1: r.X0 + 20, Y0: y, Y1: y}).Lines {
					if name, found := ran[n.First]; found {
						got[name] = true
					}
				}
			}
		}
	case "timeline":
		l.onTimeline(s, rects, got, want)
	case "utilisation":
		l.onUtilisation(s, rects, got, want)
	case "measures":
		for i := range l.steps {
			if e := &l.steps[i]; l.selects(s, e) {
				want["procedure "+l.codes[l.procedure(e.Code)].Name] = true
				want[fmt.Sprint("PE ", e.PE)] = true
			}
		}
		for _, r := range rects {
			h := l.hit(r)
			for _, c := range h.Codes {
				got["procedure "+l.codes[l.procedure(c)].Name] = true
			}
			for _, p := range h.PEs {
				got[fmt.Sprint("PE ", p.First)] = true
			}
		}
		if len(s.Tasks)+len(s.Codes)+len(s.Lines) == 0 { // that of a PE is lit though it was idle
			for pe := range l.pes {
				if name := fmt.Sprint("PE ", pe); !want[name] {
					delete(got, name)
				}
			}
		}
	}
	return got, want
}

func (l *looker) clause(code uint32) string {
	c := l.codes[code]
	return fmt.Sprintf("%v at line %d", c.Type, c.Line)
}

// plot returns the rectangle of all times.
func (l *looker) plot() scene.Rect {
	all := l.locate(view.Selection{Time: &view.Span{First: l.from, Last: l.to}})
	if len(all) != 1 {
		l.Fatalf("the time of the whole trace is at %v, want one place", all)
	}
	return all[0]
}

func (l *looker) onTimeline(s view.Selection, rects []scene.Rect, got, want set) {
	plot := l.plot()
	x := func(t int64) float64 { return plot.X0 + plot.W()*float64(t-l.from)/float64(l.to-l.from) }
	place := len(s.Tasks)+len(s.Codes)+len(s.Lines) == 0
	for i := range l.steps {
		e := &l.steps[i]
		name := fmt.Sprintf("%v of %d at %d", e.Kind, e.Task, e.Time)
		middle := e.Time + e.Value/2
		y := l.locate(view.Selection{PEs: []view.Span{{First: int64(e.PE), Last: int64(e.PE)}}})[0]
		at := func(r scene.Rect) bool { return r.Contains(x(middle), (y.Y0+y.Y1)/2) }
		if slices.ContainsFunc(rects, at) {
			got[name] = true
		}
		if place && !s.Empty() { // a piece of the plane: everything inside
			inside := (s.Time == nil || s.Time.Contains(middle)) && (len(s.PEs) == 0 || slices.ContainsFunc(s.PEs, func(p view.Span) bool { return p.Contains(int64(e.PE)) }))
			near := s.Time != nil && min(math.Abs(x(middle)-x(s.Time.First)), math.Abs(x(middle)-x(s.Time.Last))) < 1
			if near {
				delete(got, name)
			} else if inside {
				want[name] = true
			}
		} else if l.selects(s, e) {
			want[name] = true
		}
	}
}

// onUtilisation compares areas: each rectangle stands on the axis, as high as its share of the machine.
func (l *looker) onUtilisation(s view.Selection, rects []scene.Rect, got, want set) {
	plot := l.plot()
	var area, expected float64
	for _, r := range rects {
		area += r.W() * r.H()
	}
	ns := plot.W() * plot.H() / float64(l.to-l.from) / float64(l.pes)
	switch {
	case s.Empty():
	case len(s.Tasks)+len(s.Codes)+len(s.Lines)+len(s.PEs) == 0:
		expected = plot.H() * plot.W() * float64(s.Time.Last-s.Time.First) / float64(l.to-l.from)
	default:
		spent := l.steps
		if len(s.Tasks)+len(s.Codes)+len(s.Lines) == 0 {
			spent = l.busy
		}
		for i := range spent {
			e := &spent[i]
			from, to := e.Time, e.Time+e.Value
			if len(s.Tasks)+len(s.Codes)+len(s.Lines) == 0 { // everything that lies in the time, not only what begins there
				if s.Time != nil {
					from, to = max(from, s.Time.First), min(to, s.Time.Last)
				}
				if !slices.ContainsFunc(s.PEs, func(p view.Span) bool { return p.Contains(int64(e.PE)) }) {
					continue
				}
			} else if !l.selects(s, e) {
				continue
			}
			expected += float64(max(to-from, 0)) * ns
		}
	}
	name := func(a float64) string { return fmt.Sprintf("%.0f %% of the plot", 100*a/(plot.W()*plot.H())) }
	if math.Abs(area-expected) <= 0.01*plot.W()*plot.H() && (area > 0) == (expected > plot.W()) {
		area = expected
	}
	if area > 0 {
		got[name(area)] = true
	}
	if expected > 0 && (area > 0 || expected > plot.W()) {
		want[name(expected)] = true
	}
}

// TestLinks clicks in each view and checks what every other view lights.
func TestLinks(t *testing.T) {
	r := experiment.Defaults("small.fghc")
	r.Text, r.Goal, r.PEs, r.Policy = small, "main(X)", 3, "static"
	p, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	src := tracer.NewMemory()
	if _, err := p.Run(t.Context(), src, nil); err != nil {
		t.Fatal(err)
	}
	o := newOracle(t, src)
	for _, from := range linked {
		t.Run(from, func(t *testing.T) { clickThrough(t, src, o, from) })
	}
}

// clickThrough clicks on different things in one view and checks what every other view lights.
func clickThrough(t *testing.T, src tracer.Source, o *oracle, from string) {
	d := sideBySide(t, src, 900*float64(len(linked)), 900, linked...)
	d.settle()
	a := d.paneOf(from)
	var looks []*looker
	for _, to := range linked {
		if to != from {
			b := d.paneOf(to)
			looks = append(looks, &looker{d, o, b, d.app.cameras.Frame(b)})
		}
	}
	var seen []view.Selection
	full, void := 0, 0
	for y := a.Area.Y0 + 5; y < a.Area.Y1; y += 17 {
		inRow := 0
		for x := a.Area.X0 + 5; x < a.Area.X1 && inRow < 4; x++ {
			s, ok := view.Hit(a.Picture(), d.app.cameras.Frame(a), x, y)
			if !ok || slices.ContainsFunc(seen, s.Equal) {
				continue
			}
			if len(o.reductions(s)) > 0 {
				if full++; full > 20 {
					continue
				}
			} else if void++; void > 4 {
				continue
			}
			inRow++
			seen = append(seen, s)
			d.in.Now += 1e9 // no double click
			d.move(x, y)
			d.press(x, y, ui.Main, 0)
			if got := d.app.model.State.Shared.Selection; !got.Equal(s) {
				t.Fatalf("a click on %+v selects %+v", s, got)
			}
			for _, look := range looks {
				look.f = d.app.cameras.Frame(look.p)
				if got, want := look.lit(s); got.String() != want.String() {
					t.Errorf("a click at %g,%g selects %+v; the view %s lights\n%v, want\n%v", x, y, s, look.p.Kind.Name, got, want)
				}
			}
		}
	}
	if full < 3 {
		t.Fatalf("clicks have selected only %d different things", full)
	}
	d.key("Escape", 0)
	if !d.app.model.State.Shared.Selection.Empty() {
		t.Fatal("Escape does not clear the selection")
	}
	other := seen[0]
	other.Trace = "u"
	for _, look := range looks {
		if got, _ := look.lit(d.app.model.State.Shared.Selection); len(got) > 0 {
			t.Errorf("without a selection the view %s lights %v", look.p.Kind.Name, got)
		}
		if got := look.locate(view.Selection{Trace: "t", Tasks: []view.Tasks{{First: 1 << 40}}}); len(got) > 0 {
			t.Errorf("the view %s lights a task that is not in the trace, at %v", look.p.Kind.Name, got)
		}
		if got := drawtest.Locate(look.p.Picture(), look.f, other); len(got) > 0 {
			t.Errorf("the view %s lights a selection of another trace, at %v", look.p.Kind.Name, got)
		}
	}
}
