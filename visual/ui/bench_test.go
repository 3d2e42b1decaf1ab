package ui

import (
	"strconv"
	"strings"
	"testing"

	"whorl/visual/edit"
)

// BenchmarkGallery draws one pass over a window with every widget.
func BenchmarkGallery(b *testing.B) {
	g := newGallery()
	u := &user{in: Input{W: 1100, H: 720, Scale: 1}, frame: g.frame}
	u.run()
	b.ReportAllocs()
	for b.Loop() {
		u.run()
	}
}

// BenchmarkTyping types a letter in the middle of a program of 10,000 lines and draws the editor.
func BenchmarkTyping(b *testing.B) {
	var text strings.Builder
	for i := range 10_000 {
		text.WriteString("\tp" + strconv.Itoa(i) + "(X, Y) :- X > 0 | q(X, Y), r(Y).\n")
	}
	var d edit.Buffer
	d.SetText(text.String())
	th := NewTheme(false)
	u := &user{in: Input{W: 1100, H: 720, Scale: 1}, frame: func(c *Context) {
		c.Edit(c.Window(), "text", &d, Editor{Color: colours(th)})
	}}
	u.run()
	u.st.Focus(Name("text"))
	d.Select(edit.Pos{Line: 5000, Col: 3}, edit.Pos{Line: 5000, Col: 3})
	d.Reveal()
	u.run()
	b.ReportAllocs()
	for b.Loop() {
		u.keys("x")
	}
}

// BenchmarkRows scrolls through a list of a million rows.
func BenchmarkRows(b *testing.B) {
	chosen := 0
	u := &user{in: Input{W: 400, H: 720, Scale: 1}, frame: func(c *Context) {
		c.List(c.Window(), "list", textRows(c, 1e6, strconv.Itoa), &chosen)
	}}
	u.run()
	b.ReportAllocs()
	for b.Loop() {
		u.run(Event{Kind: Wheel, X: 20, Y: 100, DY: -3})
	}
}
