package widget

import (
	"whorl/visual/edit"
	"whorl/visual/glyph"
	"whorl/visual/ui"
)

var letters = glyph.New()

// button draws a button with a label. It reports whether the button was pressed.
func button(c *ui.Context, r ui.Rect, name, label string) bool {
	return Button(c, r, name, ButtonOptions{Label: label})
}

// textRows returns n rows of a list that show texts.
func textRows(c *ui.Context, n int, text func(i int) string) ListOptions {
	return ListOptions{N: n, Draw: func(i int, r ui.Rect) { c.Label(r.Inset(c.Px(ui.Gap), 0), text(i), ui.Type{}) }}
}

// newBuffer returns a buffer with a text and the caret at its start.
func newBuffer(text string) *edit.Buffer {
	b := &edit.Buffer{}
	b.SetText(text)
	return b
}
