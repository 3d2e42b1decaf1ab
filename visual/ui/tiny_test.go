package ui

import (
	"testing"

	"whorl/visual/icon"
	"whorl/visual/scene"
)

// TestTiny calls every widget with rectangles that have no room for it: nothing is drawn outside, but for the ring of the focus.
func TestTiny(t *testing.T) {
	for _, size := range []Rect{{50, 50, 50, 50}, {50, 50, 53, 53}, {50, 50, 60, 90}, {50, 50, 150, 56}, {50, 50, 58, 58}} {
		for name, draw := range map[string]func(c *Context){
			"button":   func(c *Context) { c.Press(size, "x", Press{Label: "Label", Icon: icon.Play}) },
			"toggle":   func(c *Context) { on := true; c.Toggle(size, "x", "Label", &on) },
			"check":    func(c *Context) { on := true; c.Check(size, "x", "Label", &on) },
			"segments": func(c *Context) { at := 0; c.Segments(size, "x", []string{"a", "b"}, &at) },
			"slider": func(c *Context) {
				v := 0.5
				c.Slider(size, "x", &v, Range{Max: 1, Ticks: []Tick{{0, "none"}, {1, "all"}}})
			},
			"progress": func(c *Context) { c.Progress(size, 0.5) },
			"dropdown": func(c *Context) { at := 0; c.Dropdown(size, "x", []string{"one"}, &at) },
			"field":    func(c *Context) { s := "text"; c.Field(size, "x", &s, FieldLook{Icon: icon.Search}) },
			"list":     func(c *Context) { at := 0; c.List(size, "x", Rows{N: 9, Text: func(int) string { return "row" }}, &at) },
			"table":    func(c *Context) { c.Table(size, "x", procedureTable(9)) },
			"editor": func(c *Context) {
				c.Edit(size, "x", NewDocument(program), Editor{Problems: []Problem{{Line: 0, To: 3, Text: "wrong"}}})
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
				t.Errorf("%s in %v draws in %v", name, size, out)
			}
		}
	}
}

// ink is the rectangle around all that a list draws, save for its lines' width.
func ink(l *scene.List) Rect {
	var all Rect
	add := func(r Rect) {
		if r.Empty() {
			return
		}
		if all.Empty() {
			all = r
		}
		all = Rect{min(all.X0, r.X0), min(all.Y0, r.Y0), max(all.X1, r.X1), max(all.Y1, r.Y1)}
	}
	around := func(p []float32) Rect {
		r := Rect{p[0], p[1], p[0], p[1]}
		for i := 0; i+1 < len(p); i += 2 {
			r = Rect{min(r.X0, p[i]), min(r.Y0, p[i+1]), max(r.X1, p[i]), max(r.Y1, p[i+1])}
		}
		return r
	}
	clip := Rect{0, 0, l.W, l.H}
	var clips []Rect
	for i := range l.Len() {
		o := l.Op(i)
		switch o.Kind {
		case scene.OpClip:
			clips = append(clips, clip)
			x0, y0, x1, y1 := o.Rect()
			clip = clip.Cut(Rect{x0, y0, x1, y1})
		case scene.OpPop:
			clip, clips = clips[len(clips)-1], clips[:len(clips)-1]
		case scene.OpRect:
			x0, y0, x1, y1 := o.Rect()
			add(Rect{x0, y0, x1, y1}.Cut(clip))
		case scene.OpPolygon:
			p, _ := o.Polygon()
			add(around(p).Cut(clip))
		case scene.OpPolyline:
			p, _ := o.Polyline()
			add(around(p).Cut(clip))
		case scene.OpCircle:
			x, y, r := o.Circle()
			add(Rect{x - r, y - r, x + r, y + r}.Cut(clip))
		case scene.OpArc:
			x, y, _, r, _, _ := o.Arc()
			add(Rect{x - r, y - r, x + r, y + r}.Cut(clip))
		}
	}
	for _, w := range written(l) {
		add(w.box.Cut(w.clip))
	}
	return all
}
