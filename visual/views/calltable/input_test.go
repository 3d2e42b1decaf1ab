package calltable

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestLitRows compares the rows of selections with those of each context taken alone, for several open rows.
func TestLitRows(t *testing.T) {
	for _, params := range [][]string{{"open", "101"}, {"open", "20"}, {"open", "20", "least", "5"}, {"open", "0"}} {
		g, f := shown(t, Tree(), viewtest.Tangle(400, 4, 1), 500, 400, params...)
		s := layout(f, g)
		for _, code := range g.Code[1:40] {
			sel := view.Selection{Trace: "t", Codes: []uint32{code}}
			rows, above := map[int]bool{}, map[int]bool{}
			for v, c := range g.Code {
				if c != code {
					continue
				}
				if i := g.shownBy(int32(v)); i >= 0 && g.rows[i].node == int32(v) {
					rows[i] = true
				} else if i >= 0 {
					above[i] = true
				}
			}
			l := s.lit(sel)
			if !slices.Equal(l.rows, slices.Sorted(maps.Keys(rows))) || !slices.Equal(l.above, slices.Sorted(maps.Keys(above))) {
				t.Errorf("%v, code %d: rows %v, above %v; want %v and %v", params, code, l.rows, l.above, rows, above)
			}
		}
	}
}

// apply carries out the actions of an input and returns the table with the new parameters.
func apply(t *testing.T, k *view.Kind, g *Geometry, f *view.Frame, params map[string]string, in view.Input) (*Geometry, *view.Frame) {
	t.Helper()
	for _, a := range g.Input(f, in) {
		switch a.Do {
		case view.SetParam:
			params[a.Name] = a.Value
		case view.SetCamera:
			f.Camera = *a.Camera
		case view.EnterSubtree:
			params[view.Root] = strconv.FormatUint(a.Task, 10)
		case view.Back, view.Nothing:
			params["did"] = string(a.Do)
		default:
			if err := f.State.Apply(a); err != nil {
				t.Fatalf("%+v: %v", in, err)
			}
		}
	}
	var list []string
	for name, value := range params {
		if name != "did" {
			list = append(list, name, value)
		}
	}
	g, n := shown(t, k, viewtest.Called(), f.Area.W(), f.Area.H(), list...)
	n.State, n.Camera = f.State, f.Camera
	return g, n
}

// TestKeys goes through the tree by the keyboard.
func TestKeys(t *testing.T) {
	k := Tree()
	g, f := shown(t, k, viewtest.Called(), 700, 400)
	params := map[string]string{}
	for i, c := range []struct {
		key, now string // now is the selected row after the key
		rows     int
	}{
		{"ArrowDown", "called.f90", 8},
		{"ArrowDown", ".main", 8},
		{"ArrowRight", "..sweep", 8}, // it is open
		{"ArrowLeft", "..sweep", 5},
		{"ArrowLeft", ".main", 5},
		{"ArrowDown", "..sweep", 5},
		{"ArrowRight", "..sweep", 8},
		{"End", "..setup", 8},
		{"ArrowRight", "..setup", 9},
		{"ArrowRight", "...alloc", 9},
		{"ArrowRight", "...alloc", 9}, // no callees
		{"ArrowLeft", "..setup", 9},
		{"PageUp", "called.f90", 9},
		{"PageDown", "...alloc", 9},
		{"Home", "called.f90", 9},
		{"c", "called.f90", 2},
		{"x", "called.f90", 11},
		{"ArrowUp", "called.f90", 11},
		{"ArrowDown", ".main", 11},
		{"ArrowDown", "..sweep", 11},
		{"Enter", "sweep", 4},
	} {
		g, f = apply(t, k, g, f, params, view.Input{Kind: view.Press, Key: c.key})
		now := layout(f, g).now()
		if now < 0 || g.names()[now] != c.now || len(g.rows) != c.rows {
			t.Fatalf("%d, %s: row %d of %q, want %s of %d", i, c.key, now, g.names(), c.now, c.rows)
		}
	}
}

// TestMouse clicks headings, which sort and reverse the order, and signs, which open and close rows; a double click enters a context.
func TestMouse(t *testing.T) {
	k := Tree()
	g, f := shown(t, k, viewtest.Called(), 900, 400)
	params := map[string]string{}
	heading := func(title string) (x, y float64) {
		s := layout(f, g)
		for _, c := range s.columns {
			if c.title(g) == title {
				return (c.x0 + c.x1) / 2, s.Body.Y0 - 4
			}
		}
		t.Fatalf("there is no column %q", title)
		return 0, 0
	}
	for i, c := range []struct {
		title, sort string
		reverse     bool
		third       string // below main
	}{
		{"Procedure", "name", false, "..output"},
		{"Procedure", "name", true, "..sweep"},
		{"spread", "spread", false, "..output"},
		{"exclusive", "exclusive", false, "..sweep"},
		{"exclusive", "exclusive", true, "..output"},
		{"share", "inclusive", false, "..sweep"},
	} {
		x, y := heading(c.title)
		g, f = apply(t, k, g, f, params, view.Input{Kind: view.Click, X: x, Y: y})
		if g.sort != c.sort || g.reverse != c.reverse || g.names()[2] != c.third {
			t.Errorf("%d: by %s, %v, %q", i, g.sort, g.reverse, g.names())
		}
	}
	i := slices.Index(g.names(), "..sweep")
	sign := layout(f, g).sign(i)
	for _, rows := range []int{5, 8} {
		g, f = apply(t, k, g, f, params, view.Input{Kind: view.Click, X: (sign.X0 + sign.X1) / 2, Y: sign.Y0 + 5})
		if len(g.rows) != rows || !f.State.Shared.Selection.Empty() {
			t.Errorf("%q, %+v", g.names(), f.State.Shared.Selection)
		}
	}
	x, y := sign.X1+20, sign.Y0+5
	g, f = apply(t, k, g, f, params, view.Input{Kind: view.Click, X: x, Y: y})
	if s := f.State.Shared.Selection; !slices.Equal(s.Contexts, []uint64{g.ID(g.node("main › sweep"))}) || !slices.Equal(s.Codes, []uint32{viewtest.CalledSweep}) {
		t.Errorf("a click selects %+v", s)
	}
	g, f = apply(t, k, g, f, params, view.Input{Kind: view.DoubleClick, X: x, Y: y})
	if g.names()[0] != "sweep" {
		t.Errorf("%q", g.names())
	}
	apply(t, k, g, f, params, view.Input{Kind: view.Press, Key: "Backspace"})
	if params["did"] != "back" {
		t.Errorf("%v", params)
	}
	flat, f := shown(t, Functions(), viewtest.Called(), 900, 400) // kernel has two contexts
	params = map[string]string{}
	apply(t, Functions(), flat, f, params, view.Input{Kind: view.DoubleClick, X: 30, Y: layout(f, flat).Row(0).Y0 + 4})
	if params["did"] != "nothing" {
		t.Errorf("%v", params)
	}
}

// TestScroll scrolls through all rows, and reveals one that another view selected.
func TestScroll(t *testing.T) {
	g, f := shown(t, Functions(), viewtest.Tangle(1200, 3, 1), 600, 300)
	if len(g.rows) < 90 {
		t.Fatalf("%d rows", len(g.rows))
	}
	kindtest.Rows(t, g, f, len(g.rows), func() (int, int) { return layout(f, g).Shown() }, view.Selection{Trace: "t", Codes: []uint32{g.rows[3].code}})
}
