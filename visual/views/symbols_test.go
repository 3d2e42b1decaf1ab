package views

import (
	"context"
	"slices"
	"strings"
	"testing"

	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

// TestWithoutLines checks that views of lines show the functions of a profile without lines, the hottest first, and say what is missing.
func TestWithoutLines(t *testing.T) {
	src, text := viewtest.Symbols(), glyph.New()
	for _, name := range []string{"detail", "minmax", "assembler", "source", "overview", "procedures", "surface", "cascade"} {
		k := All[slices.IndexFunc(All, func(k *view.Kind) bool { return k.Name == name })]
		o, err := view.Open(k, src, text)
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		l, err := page.Shoot(context.Background(), o, 1200, 900, page.Shot{})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for i := range l.Len() {
			if op := l.Op(i); op.Kind == scene.OpText {
				_, _, s, _ := op.Text()
				said = append(said, string(s))
			}
		}
		first, second := slices.Index(said, "sweep"), slices.Index(said, "memcpy")
		switch all := strings.Join(said, " "); {
		case !strings.Contains(all, "3 functions have no known lines") || !strings.Contains(all, "--binary"):
			t.Errorf("%s: no note about the missing lines in %q", name, all)
		case name == "overview", name == "surface": // these views show no names
			r, err := o.Geometry(context.Background(), 0, 500)
			if err != nil {
				t.Fatal(err)
			}
			area := scene.Rect{X1: 800, Y1: 500}
			f := &view.Frame{Area: area, Clip: area, Style: view.NewStyle(false, 12), Text: text, Trace: "t", State: &view.State{}}
			f.Camera = view.Fit(r.Value.Bounds(), area, 6)
			sweep := view.Selection{Trace: "t", Codes: []uint32{6}}
			if places := drawtest.Locate(r.Value, f, sweep); len(places) != 1 {
				t.Errorf("%s locates a function at %d places, want 1", name, len(places))
			} else if name == "surface" { // its places are lines above the surface
				continue
			} else if tip, ok := view.TipAt(r.Value, f, places[0].X0+4, (places[0].Y0+places[0].Y1)/2); !ok || !slices.Contains(tip.Lines, "sweep") {
				t.Errorf("%s: the tip of function sweep is %q", name, tip.Lines)
			}
		case first < 0 || name != "cascade" && (second < 0 || second < first):
			t.Errorf("%s: sweep is text %d and memcpy text %d of %q, want sweep first", name, first, second, all)
		}
	}
}
