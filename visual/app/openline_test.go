package app

import (
	"testing"

	"whorl/visual/app/outbox"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
)

// TestOpenLine asks for the selected line, or for the line of the selected code.
func TestOpenLine(t *testing.T) {
	d := sideBySide(t, viewtest.Sampled(), 800, 500, "detail")
	d.app.model.Docs.Get("t").Path = "/runs/t.whorl"
	d.settle()
	for _, c := range []struct {
		name string
		s    view.Selection
		want int // 0 for nothing
	}{
		{"a line", view.Selection{Lines: []view.Lines{{File: "spin.f90", First: 13}}}, 13},
		{"an instruction", view.Selection{Codes: []uint32{viewtest.Step12b}}, 12},
		{"a procedure", view.Selection{Codes: []uint32{viewtest.Last}}, 80},
		{"a metric", view.Selection{Codes: []uint32{viewtest.Ticks}}, 0},
		{"a PE", view.Selection{PEs: []view.Span{{First: 1, Last: 1}}}, 0},
	} {
		c.s.Trace = "t"
		d.asks = nil
		d.app.actions.Apply(view.Action{Do: view.Select, Selection: &c.s})
		d.key("O", 0)
		if c.want == 0 {
			if len(d.asks) != 0 {
				t.Errorf("%s: the requests are %+v, want none", c.name, d.asks)
			}
			continue
		}
		if len(d.asks) != 1 || d.asks[0].Do != outbox.EditLine || d.asks[0].Line != c.want || d.asks[0].Name != "spin.f90" || d.asks[0].Path != "/runs/t.whorl" || len(d.asks[0].Text) < 90 {
			t.Errorf("%s: the requests are %+v, want line %d", c.name, d.asks, c.want)
		}
	}
}
