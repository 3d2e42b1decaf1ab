package sunburst

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestSelections checks the arcs of selections: a function has those of all its contexts, and a context without an arc that of its lowest
// ancestor with one.
func TestSelections(t *testing.T) {
	g, _ := shown(t, viewtest.Called(), 600, 600)
	shallow, _ := shown(t, viewtest.Called(), 600, 600, "rings", "2")
	for _, c := range []struct {
		name      string
		s         view.Selection
		want, two []string // arcs with all rings and with two
	}{
		{"a function", view.Selection{Codes: []uint32{viewtest.CalledAlloc}}, []string{"main › setup › alloc", "main › sweep › alloc", "main › output › alloc"}, []string{"main › setup", "main › sweep", "main › output"}},
		{"a context", g.Select("", g.way("main › sweep › kernel")), []string{"main › sweep › kernel"}, []string{"main › sweep"}},
		{"a line", view.Selection{Lines: []view.Lines{{File: "called.f90", First: 21, Last: 22}}}, []string{"main › sweep › bcast"}, []string{"main › sweep"}},
		{"a PE", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}, nil, nil},
		{"another trace", view.Selection{Trace: "u", Codes: []uint32{viewtest.CalledMain}}, nil, nil},
	} {
		if c.s.Trace == "" {
			c.s.Trace = "t"
		}
		for i, want := range [][]string{c.want, c.two} {
			g := []*Geometry{g, shallow}[i]
			var got []string
			for _, a := range g.Marks("t", c.s).Parts {
				got = append(got, g.Path(g.Layout.Node[a]))
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s with %d rings lights %q, want %q", c.name, g.Shown-1, got, want)
			}
		}
	}
}

// TestFind checks that matches keep their colours and the rest is pale, that n selects one match after the other, and that half an
// expression is only a warning.
func TestFind(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 600, "find", "^(alloc|bcast)$")
	if len(g.Lit) != 4 {
		t.Fatalf("%d arcs are highlighted, want 4", len(g.Lit))
	}
	out := scene.New(700, 700)
	view.Draw(g, f, out)
	full := map[scene.Color]int{}
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpArc {
			full[o.Color]++
		}
	}
	for _, name := range []string{"main › sweep › alloc", "main › sweep › bcast"} {
		if full[g.Colours.Node[g.way(name)]] == 0 {
			t.Errorf("%s is pale", name)
		}
	}
	if c := g.Colours.Node[g.way("main › sweep › kernel")]; full[c] != 0 {
		t.Error("kernel does not match and is not pale")
	}
	var seen []string
	for _, key := range []string{"n", "n", "n", "n", "n", "N", "N"} {
		a := act(t, f, g, view.Input{Kind: view.Press, Key: key})
		f.State.Shared.Selection = *a.Selection
		seen = append(seen, g.Path(g.Highlight("t", *a.Selection).Nodes[0]))
	}
	if want := []string{"main › setup › alloc", "main › sweep › bcast", "main › sweep › alloc", "main › output › alloc", "main › setup › alloc", "main › output › alloc", "main › sweep › alloc"}; !slices.Equal(seen, want) {
		t.Errorf("n and N lead to %q, want %q", seen, want)
	}
	half, f := shown(t, viewtest.Called(), 600, 600, "find", "(")
	if says := half.Legend(f).Warning; !strings.Contains(says, "not a regular expression") {
		t.Errorf("warning %q, want one about the regular expression", says)
	}
}

// TestMiddle checks that a selection veils the rest, unless it is the context in the middle.
func TestMiddle(t *testing.T) {
	g, f := shown(t, viewtest.Called(), 600, 600)
	sweep := g.way("main › sweep")
	drawn := func(g *Geometry, f *view.Frame, s view.Selection) int {
		f.State.Shared.Selection = s
		out := scene.New(700, 700)
		g.Overlay(f, out)
		return out.Len()
	}
	if none, some := drawn(g, f, view.Selection{}), drawn(g, f, g.Select("t", sweep)); some < none+4 {
		t.Errorf("%d ops with a selection, %d without", some, none)
	}
	g, f = shown(t, viewtest.Called(), 600, 600, "root", strconv.FormatUint(g.ID(sweep), 10))
	if none, some := drawn(g, f, view.Selection{}), drawn(g, f, g.Select("t", sweep)); some != none {
		t.Errorf("%d ops with the middle selected, %d without", some, none)
	}
}
