package widget

import (
	"strconv"
	"strings"
	"testing"

	"whorl/visual/edit"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// BenchmarkGallery draws one pass over a window with every widget.
func BenchmarkGallery(b *testing.B) {
	g := newGallery()
	u := &usertest.User{In: ui.Input{W: 1100, H: 720, Scale: 1}, Frame: g.frame}
	u.Run()
	b.ReportAllocs()
	for b.Loop() {
		u.Run()
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
	th := ui.NewTheme(false)
	u := &usertest.User{In: ui.Input{W: 1100, H: 720, Scale: 1}, Frame: func(c *ui.Context) {
		Editor(c, c.Window(), "text", &d, EditorOptions{Color: colours(th)})
	}}
	u.Run()
	u.Widgets.Focus(usertest.Name("text"))
	d.Select(edit.Pos{Line: 5000, Col: 3}, edit.Pos{Line: 5000, Col: 3})
	d.Reveal()
	u.Run()
	b.ReportAllocs()
	for b.Loop() {
		u.Keys("x")
	}
}

// BenchmarkRows scrolls through a list of a million rows.
func BenchmarkRows(b *testing.B) {
	chosen := 0
	u := &usertest.User{In: ui.Input{W: 400, H: 720, Scale: 1}, Frame: func(c *ui.Context) {
		List(c, c.Window(), "list", textRows(c, 1e6, strconv.Itoa), &chosen)
	}}
	u.Run()
	b.ReportAllocs()
	for b.Loop() {
		u.Run(ui.Event{Kind: ui.Wheel, X: 20, Y: 100, DY: -3})
	}
}
