package ui

import (
	"strconv"
	"strings"
	"testing"
)

// BenchmarkGallery is one pass over a window with every widget.
func BenchmarkGallery(b *testing.B) {
	g := newGallery()
	u := &user{in: Input{W: 1100, H: 720, Scale: 1}, frame: g.frame}
	u.run()
	b.ReportAllocs()
	for b.Loop() {
		u.run()
	}
}

// BenchmarkTyping is a letter typed in the middle of a program of 10,000 lines, as seen.
func BenchmarkTyping(b *testing.B) {
	var text strings.Builder
	for i := range 10_000 {
		text.WriteString("\tp" + strconv.Itoa(i) + "(X, Y) :- X > 0 | q(X, Y), r(Y).\n")
	}
	d := NewDocument(text.String())
	th := NewTheme(false)
	u := &user{in: Input{W: 1100, H: 720, Scale: 1}, frame: func(c *Context) {
		c.Edit(c.Window(), "text", d, Editor{Color: colours(th)})
	}}
	u.run()
	u.st.Focus(Name("text"))
	d.Select(Pos{5000, 3}, Pos{5000, 3})
	d.Reveal()
	u.run()
	b.ReportAllocs()
	for b.Loop() {
		u.keys("x")
	}
}

// BenchmarkRows scrolls through a list and a table of a million rows.
func BenchmarkRows(b *testing.B) {
	at := 0
	u := &user{in: Input{W: 1100, H: 720, Scale: 1}, frame: func(c *Context) {
		left, right := c.Window(), c.Window()
		left.X1, right.X0 = 400, 400
		c.List(left, "list", Rows{N: 1e6, Text: strconv.Itoa}, &at)
		c.Table(right, "table", procedureTable(1e6))
	}}
	u.run()
	b.ReportAllocs()
	for b.Loop() {
		u.run(Event{Kind: Wheel, X: 20, Y: 100, DY: -3}, Event{Kind: Wheel, X: 420, Y: 100, DY: -3})
	}
}
