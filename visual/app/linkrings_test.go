package app

import (
	"slices"
	"testing"

	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/app/panes"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// TestRingsAndTablesLink clicks in each view of calling contexts, and in some of lines and PEs, and checks what each view of contexts lights:
// the context, all contexts of a function, or none, from the table of viewtest.Called.
func TestRingsAndTablesLink(t *testing.T) {
	src := viewtest.Called()
	tree, err := callingcontext.Grow(src, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := &view.Run{Meta: src.Meta(), Codes: src.Dict().Codes()}
	all := contexts.New(run, tree)
	if all.Nodes() != 11 {
		t.Fatalf("the trace has %d contexts", all.Nodes())
	}
	// function returns the function of a code, 0 for none: each has 4 lines.
	function := func(code uint32) uint32 {
		switch c := run.Codes[code]; c.Type {
		case tracer.Function:
			return code
		case tracer.Line:
			return c.Parent
		}
		return 0
	}
	at := func(l view.Lines, code uint32) bool { // they hold one of its four lines
		first := run.Codes[code].Line
		return l.First <= first+3 && first <= l.End()
	}
	// holds returns the contexts that a selection names, by their paths.
	holds := func(s view.Selection) set {
		out := set{}
		for v := int32(0); int(v) < all.Nodes(); v++ {
			code := tree.Code[v]
			in := len(s.Contexts)+len(s.Codes)+len(s.Lines) > 0
			if len(s.Contexts) > 0 {
				in = slices.Contains(s.Contexts, all.ID(v))
			} else if v == 0 {
				in = false
			} else {
				in = in && (len(s.Codes) == 0 || slices.ContainsFunc(s.Codes, func(c uint32) bool { return function(c) == code }))
				in = in && (len(s.Lines) == 0 || slices.ContainsFunc(s.Lines, func(l view.Lines) bool { return at(l, code) }))
			}
			if in {
				out["context "+all.Path(v)] = true
			}
		}
		return out
	}
	for _, from := range []string{"sunburst", "contexts", "functions", "halo", "procedures", "detail", "overview", "source"} {
		for _, to := range []string{"sunburst", "contexts", "functions", "halo"} {
			if from == to {
				continue
			}
			t.Run(from+" to "+to, func(t *testing.T) {
				d := sideBySide(t, src, 1800, 900, from, to)
				d.settle()
				a, b := d.paneOf(from), d.paneOf(to)
				for i, p := range []*panes.Pane{a, b} {
					for _, c := range []struct{ name, value string }{{"open", "0"}, {"top", "100"}, {"least", "0"}} {
						if p.Kind.Contexts && panes.HasParam(p.Kind, c.name) {
							d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: i, Name: c.name, Value: c.value})
						}
					}
				}
				d.settle()
				f := d.app.cameras.Frame(b)
				place := func(s view.Selection) []scene.Rect {
					s.Trace = "t"
					return drawtest.Locate(b.Picture(), f, s)
				}
				var seen []view.Selection
				for y := a.Area.Y0 + 3; y < a.Area.Y1 && len(seen) < 25; y += 7 {
					for x := a.Area.X0 + 190; x < a.Area.X1 && len(seen) < 25; x += 31 { // behind the signs of rows
						s, ok := view.Hit(a.Picture(), d.app.cameras.Frame(a), x, y)
						if !ok || slices.ContainsFunc(seen, s.Equal) {
							continue
						}
						seen = append(seen, s)
						d.in.Now += 1e9 // no double click
						d.move(x, y)
						d.press(x, y, ui.Main, 0)
						s = d.app.model.State.Shared.Selection
						places := place(s)
						got, want := set{}, set{}
						for v := int32(0); int(v) < all.Nodes(); v++ {
							one, name := all.Select("t", v), "context "+all.Path(v)
							if to == "functions" {
								one = view.Selection{Codes: []uint32{tree.Code[v]}}
								name = "function " + all.Name(v)
							}
							if own := place(one); v > 0 || to != "functions" {
								if len(own) != 1 {
									t.Fatalf("%s is at %v, want one place", name, own)
								}
								if slices.Contains(places, own[0]) {
									got[name] = true
								}
								if holds(s)["context "+all.Path(v)] {
									want[name] = true
								}
							}
						}
						if to == "halo" && len(s.PEs) > 0 && len(s.Contexts)+len(s.Codes)+len(s.Lines) == 0 { // the root stands for processes
							want["context "+all.Path(0)] = true
						}
						if got.String() != want.String() {
							t.Errorf("a click at %g,%g selects %+v: %v are lit, want %v", x, y, s, got, want)
						}
					}
				}
				if len(seen) < 3 {
					t.Errorf("clicks in the view %[2]s have selected only %[1]d different things", len(seen), from)
				}
			})
		}
	}
}

// TestRingAndTreeRoots enters a subtree by a double click and leaves it by the trail.
func TestRingAndTreeRoots(t *testing.T) {
	for _, name := range []string{"sunburst", "contexts"} {
		d := sideBySide(t, viewtest.Called(), 1400, 800, name, "functions")
		d.settle()
		p := d.paneOf(name)
		sweep := view.Selection{Trace: "t", Codes: []uint32{viewtest.CalledSweep}}
		at := d.locate(p, sweep)
		if len(at) != 1 {
			t.Fatalf("%s: the context sweep is at %v, want one place", name, at)
		}
		x, y := at[0].X0+120, (at[0].Y0+at[0].Y1)/2
		if name == "sunburst" { // in its ring
			for x, y = at[0].X0, at[0].Y0; ; x++ {
				if s, ok := view.Hit(p.Picture(), d.app.cameras.Frame(p), x, y); ok && slices.Equal(s.Codes, sweep.Codes) {
					break
				}
				if x > at[0].X1 {
					x, y = at[0].X0, y+3
				}
				if y > at[0].Y1 {
					t.Fatal("no point of the ring hits the context sweep")
				}
			}
		}
		d.doubleClick(x, y)
		d.settle()
		w := d.app.model.Pane(p.ID)
		if w.Root() == 0 || len(w.Trail) != 1 {
			t.Fatalf("%s: after the double click the root is %d and the trail %v", name, w.Root(), w.Trail)
		}
		d.in.Now += 1e9
		em := float64(d.app.cameras.Frame(p).Style.Font)
		d.click(p.Area.X0+1.2*em, p.Area.Y0+1.2*em)
		d.settle()
		if w = d.app.model.Pane(p.ID); w.Root() != 0 || len(w.Trail) != 0 {
			t.Errorf("%s: after a click on the trail the root is %d", name, w.Root())
		}
	}
}
