package source

import (
	"fmt"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/view"
)

// long is a program of n clauses; clause i runs i times.
func long(n int) *tracer.Memory {
	m := tracer.NewMemory()
	var b strings.Builder
	s := m.Stream(tracer.StreamInfo{})
	task := uint64(0)
	for i := range n {
		fmt.Fprintf(&b, "p%d(X) :-\n    true.\n", i)
		c := m.Dict().Add(tracer.Code{Type: tracer.Clause, Name: fmt.Sprintf("p%d/1", i), File: "long.fghc", Line: int32(2*i + 1)})
		for range i % 5 {
			task++
			*s.Slot() = tracer.Event{Kind: tracer.Reduce, Task: task, Ref: task - 1, Code: c, Time: int64(task), Value: int64(i)}
		}
	}
	s.Sync()
	m.SetMeta(tracer.Meta{Program: "long", Substrate: "fghc", PEs: 1, Source: []tracer.SourceFile{{Name: "long.fghc", Text: b.String()}}})
	return m
}

func TestScrolling(t *testing.T) {
	g, f := shown(t, long(100), 500, 300)
	input := func(in view.Input) {
		for _, a := range g.Input(f, in) {
			if a.Do == view.SetCamera && a.Camera != nil {
				f.Camera = *a.Camera
			} else if a.Do == view.SetCamera {
				f.Camera = view.Fit(g.Bounds(), f.Area, 6)
			}
		}
	}
	top := func() int { return int(g.layout(f).top) }
	visible := g.layout(f).visible
	for _, c := range []struct {
		in   view.Input
		want int
	}{
		{view.Input{Kind: view.Wheel, DY: 5}, 0},
		{view.Input{Kind: view.Wheel, DY: -2}, 6},
		{view.Input{Kind: view.Press, Key: "ArrowDown"}, 7},
		{view.Input{Kind: view.Press, Key: "PageDown"}, 7 + visible - 2},
		{view.Input{Kind: view.Press, Key: "End"}, 201 - visible},
		{view.Input{Kind: view.Press, Key: "PageDown"}, 201 - visible},
		{view.Input{Kind: view.Press, Key: "Home"}, 0},
		{view.Input{Kind: view.Click, X: f.Area.X1 - 2, Y: f.Area.Y0 + f.Area.H()/2}, 100 - visible/2},
		{view.Input{Kind: view.Drag, DY: 18, X: 100, Y: 100, FromX: 100, FromY: 82}, 99 - visible/2},
		{view.Input{Kind: view.Press, Key: "f"}, 0},
	} {
		input(c.in)
		if got := top(); got != c.want {
			t.Errorf("after %+v the top is row %d, want %d", c.in, got, c.want)
		}
	}
	sel := view.Selection{Trace: "t", Codes: []uint32{g.parts[60].code, g.parts[80].code}}
	f.State.Shared.Selection = sel
	for i, k := range []int{60, 80, 60, 80, 60} {
		key := "n"
		if i >= 3 {
			key = "N"
		}
		input(view.Input{Kind: view.Press, Key: key})
		if places := g.Locate(f, sel); len(places) == 0 || !places[0].Meets(f.Area) || g.rows[g.row(g.layout(f), places[0].Y0+1)].part != int32(k) {
			t.Errorf("clause %d is not seen: %v", k, places)
		}
	}
}

func TestReveal(t *testing.T) {
	g, f := shown(t, long(100), 500, 300)
	for _, c := range []struct {
		parts []int
		moves bool
	}{{[]int{3}, false}, {[]int{60}, true}, {[]int{3, 60}, false}, {nil, false}, {[]int{99}, true}} {
		s := view.Selection{Trace: "t"}
		for _, k := range c.parts {
			s.Codes = append(s.Codes, g.parts[k].code)
		}
		camera, ok := g.Reveal(f, s)
		if ok != c.moves {
			t.Errorf("%d: moved %v, want %v", c.parts, ok, c.moves)
		}
		if ok {
			h := *f
			h.Camera = camera
			places := g.Locate(&h, s)
			if len(places) != 1 || places[0].Y0 < f.Area.Y0 || places[0].Y1 > f.Area.Y1 {
				t.Errorf("%d: %v is not seen", c.parts, places)
			}
		}
	}
}

// TestRevealsTheClauseOfATask selects a subtree with other clauses visible.
func TestRevealsTheClauseOfATask(t *testing.T) {
	g, f := shown(t, long(100), 500, 300)
	task := uint64(0) // of a clause above the visible ones
	for i, c := range g.tree.Code.All() {
		if c == g.parts[91].code {
			task = g.tree.Task.At(i)
			break
		}
	}
	f.Camera.Y = float64(g.parts[91].last) + 1 // only its descendants are visible
	camera, ok := g.Reveal(f, view.Subtree("t", task))
	if h := *f; ok {
		h.Camera = camera
		f = &h
	}
	for _, r := range g.Locate(f, view.Selection{Trace: "t", Tasks: []view.Tasks{{First: task}}}) {
		if r.Y0 >= f.Area.Y0 && r.Y1 <= f.Area.Y1 {
			return
		}
	}
	t.Errorf("the clause of task %d is not seen: moved %v", task, ok)
}
