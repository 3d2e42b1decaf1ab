package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/visual/app/panes"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestContextLinks clicks on halos and on procedures elsewhere, and checks what the other view lights: the contexts of a procedure or the
// procedure of a context, from the table of viewtest.Called.
func TestContextLinks(t *testing.T) {
	src := viewtest.Called()
	codes := src.Dict().Codes()
	names := func(s view.Selection) set { // of the procedures of codes and lines
		out := set{}
		for _, c := range s.Codes {
			for codes[c].Parent != 0 {
				c = codes[c].Parent
			}
			out[codes[c].Name] = true
		}
		for _, l := range s.Lines {
			for _, k := range codes[viewtest.CalledMain : viewtest.CalledAlloc+1] {
				if k.Line <= l.First && l.First < k.Line+4 {
					out[k.Name] = true
				}
			}
		}
		return out
	}
	contexts := map[string]int{"main": 1, "setup": 1, "sweep": 1, "output": 1, "kernel": 2, "bcast": 1, "alloc": 3}
	// lit returns what a pane lights of the selection, by hits at its places.
	lit := func(d *driver, p *panes.Pane) (out []view.Selection) {
		f := d.app.cameras.Frame(p)
		for _, r := range drawtest.Locate(p.Picture(), f, d.app.model.State.Shared.Selection) {
			if s, ok := view.Hit(p.Picture(), f, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2); ok {
				out = append(out, s)
			}
		}
		return out
	}
	for _, other := range []string{"procedures", "overview", "source", "detail"} {
		t.Run("halo to "+other, func(t *testing.T) {
			d := sideBySide(t, src, 1800, 1400, "halo", other)
			d.settle()
			a, b := d.paneOf("halo"), d.paneOf(other)
			for code := viewtest.CalledMain; code <= viewtest.CalledAlloc; code++ {
				name := codes[code].Name
				places := d.locate(a, view.Selection{Trace: "t", Codes: []uint32{code}})
				if len(places) != contexts[name] {
					t.Fatalf("%s is at %v, want one place", name, places)
				}
				for _, r := range places {
					d.in.Now += 1e9
					d.click(d.middle(r))
					d.settle()
					s := d.app.model.State.Shared.Selection
					if len(s.Contexts) != 1 || !slices.Equal(s.Codes, []uint32{code}) {
						t.Fatalf("a click on %s selects %+v", name, s)
					}
					got := lit(d, b)
					if len(got) == 0 {
						t.Errorf("%s: no place is lit", name)
					}
					for _, g := range got {
						if fmt.Sprint(names(g)) != fmt.Sprint(set{name: true}) {
							t.Errorf("%s: the lit places select %+v", name, g)
						}
					}
				}
			}
		})
	}
}

// TestPicturesMoveIntoEachOther hides contexts: the picture moves for a moment, and then rests as it would without the motion.
func TestPicturesMoveIntoEachOther(t *testing.T) {
	d := sideBySide(t, viewtest.Called(), 1200, 800, "halo", "procedures")
	d.settle()
	p := d.paneOf("halo")
	looks := func(d *driver) string {
		var b strings.Builder
		if err := d.base(p).List.Dump(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	before := looks(d)
	d.app.actions.Apply(view.Action{Do: view.SetParam, Pane: d.app.model.Index(p.ID), Name: "least", Value: "10"})
	steps := []string{before}
	for n := 0; n < 5000 && (len(steps) == 1 || p.Busy() || p.Moving(d.in.Now) != 0); n++ {
		d.step()
		if s := looks(d); s != steps[len(steps)-1] {
			steps = append(steps, s)
		}
		if len(steps) > 1 && p.Moving(d.in.Now) != 0 && d.out.Next > d.in.Now+16*time.Millisecond {
			t.Fatalf("the picture moves, but the next step is in %v", d.out.Next-d.in.Now)
		}
	}
	d.settle()
	after := looks(d)
	if len(steps) < 10 || slices.Contains(steps[1:len(steps)-1], after) {
		t.Errorf("there are %d pictures between the two, want more", len(steps))
	}
	still := sideBySide(t, viewtest.Called(), 1200, 800, "halo", "procedures")
	still.app.actions.Apply(view.Action{Do: view.SetParam, Pane: 0, Name: "least", Value: "10"})
	still.settle()
	p = still.paneOf("halo")
	if looks(still) != after {
		t.Error("at rest the picture differs from the one without the motion")
	}
}
