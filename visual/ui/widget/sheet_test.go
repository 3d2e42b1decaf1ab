package widget

import (
	"fmt"
	"os"
	"testing"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// sheet draws the states of controls, and every icon.
func sheet(c *ui.Context) {
	c.Fill(c.Window(), c.Theme.Surface)
	heading := func(r ui.Rect, s string) { c.Label(r, s, ui.Type{Size: ui.Title, Face: scene.Bold}) }
	r := c.Window().Inset(c.Px(24), c.Px(24))
	heading(r.CutTop(c.Px(32)), "Icons")
	var row ui.Rect
	for g := icon.Play; int(g) < icon.Count; g++ {
		if int(g-1)%16 == 0 {
			row = r.CutTop(c.Px(40))
		}
		IconButton(c, row.CutLeft(c.Px(ui.Ctl)), fmt.Sprint("g", g), g, "")
		row.CutLeft(c.Px(12))
	}
	r.CutTop(c.Px(16))
	heading(r.CutTop(c.Px(32)), "Buttons")
	for _, look := range []Look{Plain, Primary, Quiet} {
		row := r.CutTop(c.Px(ui.Ctl))
		r.CutTop(c.Px(8))
		for i, state := range []string{"Rest", "On", "Disabled", "Focus"} {
			b := ButtonOptions{Label: state, Look: look, On: i == 1, Icon: []icon.Icon{icon.None, icon.Check}[i%2]}
			c.Disabled = i == 2
			cell := row.CutLeft(c.Px(120))
			if i == 3 {
				c.Focus(c.ID(fmt.Sprint(look, i)))
			}
			Button(c, cell, fmt.Sprint(look, i), b)
			c.Disabled = false
			row.CutLeft(c.Px(16))
		}
	}
	r.CutTop(c.Px(16))
	heading(r.CutTop(c.Px(32)), "Fields and choices, disabled")
	c.Disabled = true
	text, at, on, off, v := "some text", 1, true, false, 0.4
	cells := r.CutTop(c.Px(36)).Columns(c.Px(16), 0, 0, 0, 0, 0)
	top := func(r ui.Rect) ui.Rect { return r.CutTop(c.Px(ui.Ctl)) }
	Field(c, top(cells[0]), "f", &text, FieldOptions{})
	Dropdown(c, top(cells[1]), "d", []string{"one", "two"}, &at)
	Toggle(c, top(cells[2]), "t", "on", &on)
	Toggle(c, top(cells[3]), "u", "off", &off)
	Check(c, top(cells[4]), "k", "ticked", &on)
	cells = r.CutTop(c.Px(36)).Columns(c.Px(16), 0, 0, 0, 0, 0)
	Slider(c, top(cells[0]), "s", &v, SliderOptions{Range: Range{Max: 1}})
	Segments(c, top(cells[1]), "g", []string{"one", "two"}, &at)
	c.Disabled = false
	Message(c, top(cells[3]), ui.Success, "it went well")
	Message(c, top(cells[4]), ui.Info, "something to know")
	tabs := []Tab{{ID: "1", Title: "A very long title that must be cut somewhere in its middle"}}
	for i := range 9 {
		tabs = append(tabs, Tab{ID: fmt.Sprint(i + 2), Title: fmt.Sprintf("Trace %d", i+2), Icon: icon.Wheel})
	}
	r.CutTop(c.Px(8))
	Tabs(c, r.CutTop(c.Px(ui.Bar)), "tabs", tabs, 3)
	r.CutTop(c.Px(16))
	heading(r.CutTop(c.Px(32)), "Text")
	c.Paragraph(r, "A paragraph is broken into lines between its words. What has no room ends in an ellipsis, and the whole of it comes as a tooltip when the pointer rests on it.\nA line end in the text ends a line.", ui.Type{})
}

func TestSheet(t *testing.T) {
	dir := os.Getenv("WHORL_PICTURES")
	if dir == "" {
		dir = t.TempDir()
	}
	for _, dark := range []bool{false, true} {
		for _, scale := range []float32{1, 2} {
			u := &usertest.User{TB: t, In: ui.Input{W: 760 * scale, H: 720 * scale, Scale: scale, Now: 1e9}, Dark: dark, Frame: sheet}
			u.Run()
			picture(u, dir, fmt.Sprintf("sheet-%v-%g", dark, scale))
			if bad := usertest.Collisions(&u.Base, func(w usertest.Text) bool { return w.Clip.H() == ui.Whole(ui.Bar*scale) }); len(bad) > 0 {
				t.Error(bad)
			}
			if id := u.Widgets.Twice(); id != 0 {
				t.Error("two widgets share the name", id)
			}
		}
	}
}
