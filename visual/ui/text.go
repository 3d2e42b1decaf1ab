package ui

import (
	"strings"

	"whorl/visual/scene"
)

// A Type is the look of a line of text.
type Type struct {
	Size  float32 // in points, 0 is Body
	Face  scene.Face
	Color scene.Color // 0 is Ink
	Align scene.Anchor
	Mid   bool // a text that is too long is cut in its middle
}

// Window returns the rectangle of the window.
func (c *Context) Window() Rect { return Rect{0, 0, c.in.W, c.in.H} }

// Label writes a line of text. A text that is too long is cut and becomes the tooltip.
func (c *Context) Label(r Rect, s string, t Type) {
	if c.Write(r, s, t) {
		c.Tip(r, s)
	}
}

// Paragraph writes text broken into the lines that fit into r. It returns their height.
func (c *Context) Paragraph(r Rect, s string, t Type) float32 {
	st := c.Style(t)
	line := Whole(st.Size * 1.45)
	y := r.Y0
	lines := wrap(c.Text, s, r.W(), st)
	for i, l := range lines {
		if y+line > r.Y1+0.5 {
			break
		}
		if y+2*line > r.Y1+0.5 && i+1 < len(lines) {
			l = strings.Join(lines[i:], " ")
		}
		c.Label(Rect{r.X0, y, r.X1, y + line}, l, t)
		y += line
	}
	return y - r.Y0
}

// wrap breaks a text into lines, between words and at its line ends.
func wrap(m scene.Measurer, s string, width float32, st scene.TextStyle) []string {
	var lines []string
	for part := range strings.SplitSeq(s, "\n") {
		if wrapped := scene.Wrap(m, part, width, st.Size, st.Face); wrapped != nil {
			lines = append(lines, wrapped...)
		} else {
			lines = append(lines, "") // an empty line separates paragraphs
		}
	}
	return lines
}
