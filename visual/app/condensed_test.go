package app

import (
	"slices"
	"strings"
	"testing"

	"whorl/visual/ui"
	"whorl/visual/view"
)

// TestCondensed opens a trace that is larger than its memory: views that can condense it do so and say so, and can be used like others.
func TestCondensed(t *testing.T) {
	d := drive(t, Options{Memory: 16 << 20}, 800, 500, 1)
	d.app.Open("large", run(t, "queens", 4, "", "9"))
	d.settle()
	for _, c := range []struct{ view, says string }{
		{"kaleidoscope", "The tree was"}, {"timeline", "To save memory, steps are left out"}, {"measures", "the number of tasks and the span are left out"},
	} {
		p := d.alone(c.view, "large")
		if p.err != nil || p.opened.Kind == p.kind {
			t.Errorf("%s: condensed %v, %v", c.view, p.opened.Kind != p.kind, p.err)
			continue
		}
		var notes []string
		for _, b := range p.result.Value.Legend(d.app.cameras.frame(p)).Blocks {
			notes = append(notes, b.Notes...)
		}
		if !strings.Contains(strings.Join(notes, " "), c.says) {
			t.Errorf("%s: the legend says %q", c.view, notes)
		}
		x, y := d.middle(p.area)
		d.move(x, y)
		d.click(x+20, y+10)
		d.press(x, y, ui.Secondary, 0)
		d.key("Escape", 0)
		d.settle()
		if p.err != nil {
			t.Errorf("%s: after a click: %v", c.view, p.err)
		}
	}
	p := d.alone("timeline", "large")
	i := slices.IndexFunc(p.settings(), func(q view.Param) bool { return q.Name == "color" })
	if got := p.settings()[i].Choices; !slices.Equal(got, []string{"state", "pe"}) {
		t.Errorf("the colours of a timeline without steps can be those of %q", got)
	}
}
