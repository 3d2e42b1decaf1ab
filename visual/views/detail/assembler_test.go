package detail

import (
	"strings"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/kindtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestInstructions reads the listed instructions and their ticks for several details.
func TestInstructions(t *testing.T) {
	k := Assembler()
	g, f := kindtest.Shown[*Listing](t, k, viewtest.Sampled(), 900, 400)
	read := func() string {
		out := scene.New(1000, 500)
		view.Draw(g, f, out)
		s := g.sheet(f)
		var b strings.Builder
		for i := range out.Len() {
			if o := out.Op(i); o.Kind == scene.OpText {
				if _, y, text, _ := o.Text(); s.itemAt(float64(y)) >= 0 {
					b.WriteString(strings.Join(strings.Fields(string(text)), " ") + "|")
				}
			}
		}
		return b.String()
	}
	if got, want := read(), "12|x(i) = y * y|15|0|10|muls f1, f1, f1|25|20|0|sts x(i), f1|"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.Detail = &view.Lines{File: "spin.f90", First: 1, Last: 11}
	if got := read(); got != "" {
		t.Errorf("the listing of lines 1 to 11 is %q, want no instructions", got)
	}
	f.Detail = &view.Lines{File: "spin.f90", First: 12, Last: 12}
	s := g.sheet(f)
	sel, ok := g.Hit(f, s.x(1)+2, s.y(2)+3)
	if !ok || sel.Lines[0].First != 12 || len(sel.PEs) != 1 || sel.PEs[0].First != 1 {
		t.Errorf("the second instruction on PE 1 is %+v", sel)
	}
	if at := g.Locate(f, view.Selection{Trace: "t", Codes: []uint32{viewtest.Step12}}); len(at) != 1 || at[0].H() != 3*s.line {
		t.Errorf("line 12 is at %v", at)
	}
	tip, ok := g.Tip(f, s.x(1)+2, s.y(2)+3)
	if want := "sts x(i), f1|spin.f90:12|PE 1: 20 ticks|45 ticks, 51 %|from 0 on PE 2 to 25 on PE 0"; !ok || strings.Join(tip.Lines, "|") != want {
		t.Errorf("%q, want %q", strings.Join(tip.Lines, "|"), want)
	}
}
