package ui

import (
	"sort"
	"strings"
	"unicode"

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

// elide cuts a text to a width with an ellipsis at its end or in its middle, between words if possible. It returns "" if there is no room
// for a letter and the ellipsis.
func elide(m scene.Measurer, s string, width float32, st scene.TextStyle, mid bool) string {
	fits := func(s string) bool { return m.Width(s, st.Size, st.Face) <= width+0.01 }
	if fits(s) {
		return s
	}
	s = s[:min(len(s), 4096)]
	if words := strings.Fields(s); mid && len(words) > 1 {
		for keep := len(words) - 1; keep > 0; keep-- { // more of the end, where names differ
			left := strings.TrimRight(strings.Join(words[:keep/2], " "), ",;:·")
			if text := left + "…" + strings.Join(words[len(words)-(keep+1)/2:], " "); fits(text) {
				return text
			}
		}
	}
	runes := []rune(s)
	cut := func(keep int) string {
		if mid {
			return string(runes[:keep-keep/3]) + "…" + string(runes[len(runes)-keep/3:])
		}
		return strings.TrimRight(string(runes[:keep]), " ,;:·") + "…"
	}
	keep := sort.Search(len(runes), func(k int) bool { return !fits(cut(k)) }) - 1
	if keep <= 0 {
		return ""
	}
	for k := keep; !mid && k > keep*2/3; k-- {
		if unicode.IsSpace(runes[k]) { // a word ends here
			return cut(k)
		}
	}
	return cut(keep)
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
