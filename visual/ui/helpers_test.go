package ui

import "whorl/visual/edit"

// button draws a button with a label. It reports whether the button was pressed.
func button(c *Context, r Rect, name, label string) bool {
	return c.Button(r, name, Press{Label: label})
}

// textRows returns n rows of a list that show texts.
func textRows(c *Context, n int, text func(i int) string) Rows {
	return Rows{N: n, Draw: func(i int, r Rect) { c.Label(r.Inset(c.Px(Gap), 0), text(i), Type{}) }}
}

// newBuffer returns a buffer with a text and the caret at its start.
func newBuffer(text string) *edit.Buffer {
	b := &edit.Buffer{}
	b.SetText(text)
	return b
}
