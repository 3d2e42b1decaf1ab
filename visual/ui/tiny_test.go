package ui

import (
	"testing"

	"whorl/visual/icon"
)

// TestTiny draws every widget into rectangles that are too small for it. No widget draws outside its rectangle.
func TestTiny(t *testing.T) {
	for _, size := range []Rect{{50, 50, 50, 50}, {50, 50, 53, 53}, {50, 50, 60, 90}, {50, 50, 150, 56}, {50, 50, 58, 58}} {
		for name, draw := range map[string]func(c *Context){
			"button":   func(c *Context) { c.Button(size, "x", Press{Label: "Label", Icon: icon.Play}) },
			"toggle":   func(c *Context) { on := true; c.Toggle(size, "x", "Label", &on) },
			"check":    func(c *Context) { on := true; c.Check(size, "x", "Label", &on) },
			"segments": func(c *Context) { at := 0; c.Segments(size, "x", []string{"a", "b"}, &at) },
			"slider": func(c *Context) {
				v := 0.5
				c.Slider(size, "x", &v, Range{Max: 1})
			},
			"dropdown": func(c *Context) { at := 0; c.Dropdown(size, "x", []string{"one"}, &at) },
			"field":    func(c *Context) { s := "text"; c.Field(size, "x", &s, FieldLook{Icon: icon.Search}) },
			"list":     func(c *Context) { at := 0; c.List(size, "x", textRows(c, 9, func(int) string { return "row" }), &at) },
			"editor": func(c *Context) {
				c.Edit(size, "x", newBuffer(program), Editor{Problems: []Problem{{Line: 0, To: 3, Text: "wrong"}}})
			},
			"tabs": func(c *Context) {
				c.Tabs(size, "x", []Tab{{ID: "a", Title: "Title", Icon: icon.Wheel, Dirty: true}}, 0)
			},
			"message": func(c *Context) { c.Message(size, Failure, "Something is wrong") },
			"panel":   func(c *Context) { c.Panel(size, "Title") },
			"bar":     func(c *Context) { c.Bar(size) },
		} {
			u := newUser(t, 200, 200, draw)
			if out := ink(&u.base); !out.Empty() && out.Cut(size.Inset(-1, -1)) != out {
				t.Errorf("the %s in %v draws in %v", name, size, out)
			}
		}
	}
}
