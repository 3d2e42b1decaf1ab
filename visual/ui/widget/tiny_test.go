package widget

import (
	"testing"

	"whorl/visual/icon"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestTiny draws every widget into rectangles that are too small for it. No widget draws outside its rectangle.
func TestTiny(t *testing.T) {
	for _, size := range []ui.Rect{{X0: 50, Y0: 50, X1: 50, Y1: 50}, {X0: 50, Y0: 50, X1: 53, Y1: 53}, {X0: 50, Y0: 50, X1: 60, Y1: 90}, {X0: 50, Y0: 50, X1: 150, Y1: 56}, {X0: 50, Y0: 50, X1: 58, Y1: 58}} {
		for _, c := range []struct {
			name string
			draw func(c *ui.Context)
		}{
			{"button", func(c *ui.Context) { Button(c, size, "x", ButtonOptions{Label: "Label", Icon: icon.Play}) }},
			{"toggle", func(c *ui.Context) { on := true; Toggle(c, size, "x", "Label", &on) }},
			{"check", func(c *ui.Context) { on := true; Check(c, size, "x", "Label", &on) }},
			{"segments", func(c *ui.Context) { at := 0; Segments(c, size, "x", []string{"a", "b"}, &at) }},
			{"slider", func(c *ui.Context) {
				v := 0.5
				Slider(c, size, "x", &v, SliderOptions{Range: Range{Max: 1}})
			}},
			{"dropdown", func(c *ui.Context) { at := 0; Dropdown(c, size, "x", []string{"one"}, &at) }},
			{"field", func(c *ui.Context) { s := "text"; Field(c, size, "x", &s, FieldOptions{Icon: icon.Search}) }},
			{"list", func(c *ui.Context) {
				at := 0
				List(c, size, "x", textRows(c, 9, func(int) string { return "row" }), &at)
			}},
			{"editor", func(c *ui.Context) {
				Editor(c, size, "x", newBuffer(program), EditorOptions{Problems: []Problem{{Line: 0, To: 3, Text: "wrong"}}})
			}},
			{"tabs", func(c *ui.Context) {
				Tabs(c, size, "x", []Tab{{ID: "a", Title: "Title", Icon: icon.Wheel, Dirty: true}}, 0)
			}},
			{"message", func(c *ui.Context) { Message(c, size, ui.Failure, "Something is wrong") }},
			{"panel", func(c *ui.Context) { Panel(c, size, "Title") }},
			{"bar", func(c *ui.Context) { Bar(c, size) }},
		} {
			u := usertest.New(t, 200, 200, c.draw)
			if out := usertest.Ink(&u.Base); !out.Empty() && out.Cut(size.Inset(-1, -1)) != out {
				t.Errorf("the %s in %v draws in %v", c.name, size, out)
			}
		}
	}
}
