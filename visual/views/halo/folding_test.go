package halo

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func TestFilter(t *testing.T) {
	for _, c := range []struct {
		params []string
		want   string
		hidden string // function: node amount, ...
	}{
		{nil, "main setup alloc sweep kernel bcast alloc output alloc kernel", ""},
		// At least 66.4 of 664; the exclusive values are 32 of alloc, 16 of setup and 16 of output.
		{[]string{"least", "10"}, "main sweep kernel bcast", "alloc: main 16, sweep 16; output: main 16; setup: main 16"},
		{[]string{"least", "10", "top", "0"}, "main sweep kernel bcast", ""},
		{[]string{"least", "100"}, "main", "alloc: main 32; bcast: main 108; kernel: main 404; output: main 16; setup: main 16; sweep: main 80"},
		{[]string{"processes", "0", "least", "12.5"}, "main sweep kernel bcast output", "alloc: main 1, sweep 2, output 1; setup: main 2"},
	} {
		g, _ := shownOf(t, viewtest.Called(), 800, 600, c.params...)
		if got := drawn(g); got != c.want {
			t.Errorf("%v: %s, want %s", c.params, got, c.want)
		}
		if got := hiddenOf(g); got != c.hidden {
			t.Errorf("%v: %q, want %q", c.params, got, c.hidden)
		}
	}
}

func hiddenOf(g *Geometry) string {
	var all []string
	for i := range g.functions {
		f := &g.functions[i]
		sum := int64(0)
		var links []string
		for _, l := range f.links {
			sum += l.amount
			links = append(links, g.Name(g.nodes[l.to])+" "+figures.Count(l.amount))
		}
		if sum != f.exclusive {
			return g.FunctionName(f.code) + ": the links do not add up to the exclusive value"
		}
		all = append(all, g.FunctionName(f.code)+": "+strings.Join(links, ", "))
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// TestFolding hides callees and shows them again. Hidden functions that are drawn nowhere else stand at the bottom.
func TestFolding(t *testing.T) {
	g, f := shownOf(t, viewtest.Called(), 800, 600)
	s := newSheet(f, g)
	k := node(t, g, "main sweep")
	x, y, _, _ := s.signOf(k)
	acts := g.Input(f, view.Input{Kind: view.Click, X: x, Y: y})
	if len(acts) != 1 || acts[0].Name != folded.Name {
		t.Fatalf("%+v", acts)
	}
	g, f = shownOf(t, viewtest.Called(), 800, 600, folded.Name, acts[0].Value)
	if got, want := drawn(g), "main setup alloc sweep output alloc kernel"; got != want {
		t.Errorf("drawn: %s, want %s", got, want)
	}
	if got, want := hiddenOf(g), "bcast: sweep 108"; got != want {
		t.Errorf("at the bottom: %s, want %s", got, want)
	}
	x, y, _, _ = newSheet(f, g).signOf(node(t, g, "main sweep"))
	if acts := g.Input(f, view.Input{Kind: view.Click, X: x, Y: y}); len(acts) != 1 || acts[0].Value != "" {
		t.Errorf("again: %+v", acts)
	}
	f.State.Shared.Selection = g.Select("t", g.nodes[node(t, g, "main output alloc")])
	if acts := g.Input(f, view.Input{Kind: view.Press, Key: "c"}); len(acts) != 1 || acts[0].Do != view.Nothing {
		t.Errorf("a leaf: %+v", acts)
	}
}

// TestSubtree enters a subtree, in which shares refer to its root, and leaves it again.
func TestSubtree(t *testing.T) {
	g, f := shownOf(t, viewtest.Called(), 800, 600)
	sel := g.Select("t", g.nodes[node(t, g, "main output")])
	x, y := newSheet(f, g).position(node(t, g, "main output"))
	twice := g.Input(f, view.Input{Kind: view.DoubleClick, X: x, Y: y})
	f.State.Shared.Selection = sel
	acts := g.Input(f, view.Input{Kind: view.Press, Key: "Enter"})
	if !reflect.DeepEqual(acts, twice) {
		t.Errorf("Enter does %+v, a double click %+v", acts, twice)
	}
	if len(acts) != 1 || acts[0].Do != view.EnterSubtree || acts[0].Task != sel.Contexts[0] {
		t.Fatalf("%+v", acts)
	}
	var st view.State
	for _, a := range append([]view.Action{{Do: view.OpenTrace, Name: "t"}, {Do: view.AddPane, Name: "halo", Value: "t"}}, acts...) {
		if err := st.Apply(a); err != nil {
			t.Fatal(err)
		}
	}
	p := st.Personal.Panes[0]
	g, f = shownOf(t, viewtest.Called(), 800, 600, "root", p.Params["root"])
	if got := drawn(g); got != "alloc kernel" || g.Name(g.nodes[0]) != "output" || math.Abs(g.share(g.nodes[1])-8.0/48) > 1e-9 || g.isHot(1) || !g.isHot(2) {
		t.Errorf("%s below %s, share %v", got, g.Name(g.nodes[0]), g.share(g.nodes[1]))
	}
	f.Trail = p.Trail
	out := scene.New(900, 700)
	g.Overlay(f, out)
	boxes := g.Trail(f, g.root).Boxes()
	if len(boxes) != 2 {
		t.Fatalf("the trail has %d entries", len(boxes))
	}
	acts = g.Input(f, view.Input{Kind: view.Click, X: (boxes[0].X0 + boxes[0].X1) / 2, Y: (boxes[0].Y0 + boxes[0].Y1) / 2})
	if len(acts) != 1 || acts[0].Do != view.LeaveTo || st.Apply(acts[0]) != nil || st.Personal.Panes[0].Root() != 0 {
		t.Errorf("back: %+v, root %d", acts, st.Personal.Panes[0].Root())
	}
}
