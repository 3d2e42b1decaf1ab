package still_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whorl/testdata/must"
	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/glyph"
	"whorl/visual/network"
	"whorl/visual/network/modules"
	"whorl/visual/network/still"
	"whorl/visual/scene"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
	"whorl/visual/views"
)

// build returns a network of which the sources that are named in order have the given traces; the first trace is also that of the command.
func build(t *testing.T, text string, sources []string, traces ...tracer.Source) *still.Network {
	t.Helper()
	catalog := modules.Catalog(views.All)
	plan := must.Get((&network.Builder{Catalog: catalog}).Build(must.Get(catalog.Read("n.toml", text))(t)))(t)
	n := &still.Network{Plan: plan, Data: view.NewData(traces[0]), Text: glyph.New()}
	t.Cleanup(n.Data.Close)
	for i, name := range sources {
		o := plan.Output(name)
		if !o.Supplied() {
			t.Fatalf("the module %s needs no trace", name)
		}
		o.Supply(n.Data, traces[i])
	}
	return n
}

// matrix returns the value of an output of a network.
func matrix(n *still.Network, name string) (*network.Matrix, error) {
	r := view.Read(n.Data, n.Plan.Output(name).Stage.(*flow.Stage[*network.Matrix]))
	defer r.Rest()
	got, err := r.Get(context.Background(), 0)
	return got.Value, err
}

// turns returns a run of 100 ns on 16 PEs, of which some work all the time and the others never.
func turns(works func(pe int) bool) tracer.Source {
	m := tracer.NewMemory()
	m.SetMeta(tracer.Meta{Program: "turns", Substrate: "fghc", Mode: "sim", PEs: 16})
	s := m.Stream(tracer.StreamInfo{Name: "sim", Clock: tracer.Virtual})
	for pe := range 16 {
		e := tracer.Event{Kind: tracer.Idle, PE: int32(pe), Peer: tracer.None}
		if works(pe) {
			e.Kind, e.Task = tracer.Busy, uint64(pe+1)
		}
		*s.Slot() = e
	}
	*s.Slot() = tracer.Event{Kind: tracer.Mark, Time: 100, Peer: tracer.None}
	return m
}

// TestPolicies runs the example of two policies on runs in which each PE works always or never.
func TestPolicies(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "..", "examples", "modules", "policies.toml")))(t)
	one, other := func(pe int) bool { return pe%3 == 0 }, func(pe int) bool { return pe%2 == 0 }
	n := build(t, string(text), []string{"one", "other"}, turns(one), turns(other))
	difference := func(pe int) (x float64) {
		if one(pe) {
			x++
		}
		if other(pe) {
			x--
		}
		return x
	}
	m := must.Get(matrix(n, "differs"))(t)
	for pe := range 16 {
		for _, x := range m.Row(pe) {
			if want := difference(pe); math.Abs(x-want) > 1e-9 {
				t.Fatalf("PE %d differs by %g, want %g", pe, x, want)
			}
		}
	}
	alike := must.Get(matrix(n, "alike"))(t)
	changes := 0
	for row := 1; row < 16; row++ {
		if math.Abs(alike.At(row, 0)-alike.At(row-1, 0)) > 1e-9 {
			changes++
		}
	}
	if changes != 2 { // of three kinds of PEs
		t.Errorf("PEs that differ alike are not beside each other: %d changes between rows, want 2", changes)
	}
	list := must.Get(n.Picture(context.Background(), n.Result(), 900, 600, page.Shot{}))(t)
	for _, want := range append([]string{"Work on demand minus work with stealing, PE by PE"}, alike.Rows.Labels...) {
		if _, _, ok := find(list, want); !ok {
			t.Errorf("the picture lacks %q", want)
		}
	}
}

// find returns the place of a text in a picture.
func find(l *scene.List, text string) (x, y float32, ok bool) {
	for i := range l.Len() {
		if o := l.Op(i); o.Kind == scene.OpText {
			if x, y, s, _ := o.Text(); string(s) == text {
				return x, y, true
			}
		}
	}
	return 0, 0, false
}

const pageText = `
[modules.run]
module = "trace"

[modules.work]
module = "profile"
trace = "run"

[modules.left]
module = "sheet"
title = "the left"
table = "work"

[modules.right]
module = "sheet"
title = "the right"
table = "work"

[modules.below]
module = "sheet"
title = "the lower"
table = "work"

[modules.upper]
module = "row"
shares = "3,1"
pictures = ["left", "right"]

[modules.page]
module = "column"
pictures = ["upper", "below"]

[modules.numbers]
module = "csv"
name = "work.csv"
table = "work"

[modules.copy]
module = "save"
name = "copy.whorl"
trace = "run"

[modules.drawn]
module = "picture"
name = "page.svg"
picture = "page"
`

// TestPage puts three pictures on a page, each at its place.
func TestPage(t *testing.T) {
	n := build(t, pageText, nil, viewtest.Small())
	if n.Result().Use.Name != "page" {
		t.Fatalf("the picture of the network is %s", n.Result().Use.Name)
	}
	list := must.Get(n.Picture(context.Background(), n.Result(), 1600, 1000, page.Shot{}))(t)
	for _, c := range []struct {
		title          string
		x0, y0, x1, y1 float32
	}{{"the left", 0, 0, 1200, 500}, {"the right", 1200, 0, 1600, 500}, {"the lower", 0, 500, 1600, 1000}} {
		if x, y, ok := find(list, c.title); !ok || x < c.x0 || x > c.x1 || y < c.y0 || y > c.y1 {
			t.Errorf("%q is at %g, %g, %v", c.title, x, y, ok)
		}
	}
	alone := must.Get(n.Picture(context.Background(), n.Plan.Output("right"), 400, 300, page.Shot{}))(t)
	if _, _, ok := find(alone, "the right"); !ok {
		t.Error("a display of the page alone lacks its title")
	}
}

// TestExports lists the exports of a network and what they read.
func TestExports(t *testing.T) {
	n := build(t, pageText, nil, viewtest.Small())
	var names []string
	for _, o := range n.Exports() {
		names = append(names, o.Use.Name+" of "+still.Input(o).Use.Name)
	}
	if want := []string{"numbers of work", "copy of run", "drawn of page"}; !slices.Equal(names, want) {
		t.Fatalf("the exports are %q, want %q", names, want)
	}
}

// TestErrors: the errors name the module.
func TestErrors(t *testing.T) {
	n := build(t, pageText, nil, viewtest.Small())
	for _, c := range []struct {
		w, h int
		want string
	}{{5, 5, "size 5x5: expected each side from"}, {100, 80, "left: the picture has no room on its page"}} {
		if _, err := n.Picture(context.Background(), n.Result(), c.w, c.h, page.Shot{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d by %d: %v, want %q", c.w, c.h, err, c.want)
		}
	}
	n = build(t, `
[modules.run]
module = "trace"
[modules.none]
module = "procedure"
name = "nobody"
trace = "run"
[modules.work]
module = "profile"
trace = "none"
[modules.picture]
module = "sheet"
table = "work"
`, nil, viewtest.Small())
	_, err := n.Picture(context.Background(), n.Result(), 400, 300, page.Shot{})
	if err == nil || !strings.HasPrefix(err.Error(), "picture: ") || !strings.Contains(err.Error(), `"none", module procedure: no procedure of the trace matches "nobody"; known are main/0, work/1`) {
		t.Errorf("the error is %v", err)
	}
}
