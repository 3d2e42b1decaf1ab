package calltable

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"whorl/tracer"
	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

func shown(t testing.TB, k *view.Kind, src tracer.Source, w, h float64, params ...string) (*Geometry, *view.Frame) {
	t.Helper()
	return kindtest.Shown[*Geometry](t, k, src, w, h, params...)
}

func TestGolden(t *testing.T) {
	kindtest.Golden(t, "tree.txt", Tree(), viewtest.Called(), 900, 400, nil)
	kindtest.Golden(t, "flat.txt", Functions(), viewtest.Called(), 1200, 320, map[string]string{"background": "dark", "find": "b"})
}

func TestTexts(t *testing.T) {
	for _, k := range []*view.Kind{Tree(), Functions()} {
		for _, params := range []map[string]string{nil, {"find": "e", "sort": "name"}, {"metric": "time", "value": "exclusive", "reverse": "true"}} {
			sources := []tracer.Source{viewtest.Small()}
			if params["metric"] == "" {
				sources = append(sources, viewtest.Called(), viewtest.Sampled(), viewtest.Tangle(600, 6, 1), viewtest.Tangle(-1000, 2, 1))
			}
			kindtest.Texts(t, k, params, sources...)
		}
	}
}

func TestAnyFrame(t *testing.T) {
	for _, k := range []*view.Kind{Tree(), Functions()} {
		g, _ := shown(t, k, viewtest.Called(), 500, 300, "find", "e")
		kindtest.AnyFrame(t, k, g)
	}
}

// names returns the names of the rows, with dots for their depth.
func (g *Geometry) names() (names []string) {
	for _, r := range g.rows {
		name := g.FunctionName(r.code)
		if r.node == 0 {
			name = g.Name(0)
		}
		names = append(names, strings.Repeat(".", int(r.depth))+name)
	}
	return names
}

// node returns the node with a call path.
func (g *Geometry) node(names string) int32 {
	for v := range int32(g.Nodes()) {
		if g.Path(v) == names {
			return v
		}
	}
	return -1
}

// TestTree checks the rows and their order for viewtest.Called: main 664 of 664, sweep 584 (kernel 380, bcast 108, alloc 16), output 48
// (kernel 24, alloc 8), setup 24 (alloc 8).
func TestTree(t *testing.T) {
	probe, _ := shown(t, Tree(), viewtest.Called(), 600, 400)
	id := func(sign, names string) string { return sign + strconv.FormatUint(probe.ID(probe.node(names)), 10) }
	for _, c := range []struct {
		name   string
		params []string
		want   string
	}{
		{"by itself", nil, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ..setup"},
		{"all open", []string{"open", "0"}, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ...kernel ...alloc ..setup ...alloc"},
		{"all closed", []string{"open", "101"}, "called.f90 .main"},
		{"by hand", []string{"open", "101", "opened", id("+", "main") + ", " + id("+", "main › setup")}, "called.f90 .main ..sweep ..output ..setup ...alloc"},
		{"closed by hand", []string{"opened", id("-", "main › sweep")}, "called.f90 .main ..sweep ..output ..setup"},
		{"of another trace", []string{"opened", "+98,,-99"}, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ..setup"},
		{"of 5 % and more", []string{"open", "0", "least", "5"}, "called.f90 .main ..sweep ...kernel ...bcast ..output"},
		{"by name", []string{"sort", "name"}, "called.f90 .main ..output ..setup ..sweep ...alloc ...bcast ...kernel"},
		{"by name from the end", []string{"sort", "name", "reverse", "true"}, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..setup ..output"},
		{"by exclusive", []string{"sort", "exclusive"}, "called.f90 .main ..sweep ...kernel ...bcast ...alloc ..output ..setup"}, // output and setup both have 16: the larger inclusive value is first
		{"by spread", []string{"sort", "spread"}, "called.f90 .main ..output ..sweep ...bcast ...kernel ...alloc ..setup"},
		{"below sweep", []string{"root", id("", "main › sweep")}, "sweep .kernel .bcast .alloc"},
		{"of PE 5", []string{"processes", "5"}, "called.f90 .main ..sweep ...kernel ...alloc ...bcast ..output ..setup"}, // 2 alloc, 1 bcast
	} {
		g, _ := shown(t, Tree(), viewtest.Called(), 600, 400, c.params...)
		if got := strings.Join(g.names(), " "); got != c.want {
			t.Errorf("%s:\n     %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestOpenedNeedsNumbers(t *testing.T) {
	for _, c := range []struct{ list, wrong string }{{"+1,99x", "99x"}, {"+", "+"}, {"+x", "+x"}, {"-1,7", "7"}, {"7", "7"}} {
		want := "opened: \"" + c.wrong + "\" is not + or - and the number of a context"
		if _, err := exceptions(c.list); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", c.list, err, want)
		}
	}
}

func TestTip(t *testing.T) {
	g, f := shown(t, Functions(), viewtest.Called(), 900, 400)
	want := []string{
		"kernel", "called.f90:17", "2 contexts", "404 ticks inclusive, 61 %", "404 ticks exclusive, 61 %",
		"inclusive: mean 51 ticks ± 19 %", "from 43 ticks on PE 0 to 63 ticks on PE 5",
	}
	if tip, ok := g.Tip(f, 50, layout(f, g).Row(0).Y0+3); !ok || !slices.Equal(tip.Lines, want) {
		t.Errorf("%q, want %q", tip.Lines, want)
	}
}

// TestWrites checks the texts of a row.
func TestWrites(t *testing.T) {
	g, f := shown(t, Tree(), viewtest.Called(), 1400, 400)
	out := scene.New(1500, 500)
	view.Draw(g, f, out)
	y := layout(f, g).Row(slices.Index(g.names(), "...bcast")).Y0
	var texts []string
	for i := range out.Len() {
		if o := out.Op(i); o.Kind == scene.OpText {
			if _, ty, s, _ := o.Text(); float64(ty) > y && float64(ty) < y+layout(f, g).Line {
				texts = append(texts, string(s))
			}
		}
	}
	if got, want := fmt.Sprint(texts), fmt.Sprint([]string{"bcast", "108", "16 %", "108", "13.50", "1", "21", "72 %", "called.f90"}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
