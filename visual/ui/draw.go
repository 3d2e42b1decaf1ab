package ui

import (
	"math"
	"strings"
	"unicode"

	"whorl/visual/icon"
	"whorl/visual/scene"
)

// Out is the display list that widgets draw into here: that of the innermost popup or the base. What the caller draws into it is clipped
// like the widgets.
func (c *Context) Out() *scene.List { return c.out }

// Window is the whole window.
func (c *Context) Window() Rect { return Rect{0, 0, c.in.W, c.in.H} }

// Clip restricts drawing and the pointer to r until Unclip.
func (c *Context) Clip(r Rect) {
	c.clips = append(c.clips, c.clip)
	c.clip = c.clip.Cut(r)
	c.out.Clip(c.clip.X0, c.clip.Y0, c.clip.X1, c.clip.Y1)
}

// Unclip ends the innermost Clip.
func (c *Context) Unclip() {
	if n := len(c.clips); n > 0 {
		c.clip, c.clips = c.clips[n-1], c.clips[:n-1]
		c.out.Pop()
	}
}

// Fill fills a rectangle.
func (c *Context) Fill(r Rect, col scene.Color) {
	if !r.Empty() && col.A > 0 {
		c.out.Rect(r.X0, r.Y0, r.X1, r.Y1, col)
	}
}

// Round fills a rectangle with round corners, the radius in pixels.
func (c *Context) Round(r Rect, radius float32, col scene.Color) {
	if r.Empty() || col.A == 0 {
		return
	}
	if radius = min(radius, r.W()/2, r.H()/2); radius < 0.5 {
		c.Fill(r, col)
		return
	}
	var buf [8 * cornerSteps]float32
	c.out.Polygon(corners(buf[:0], r, radius, radius), scene.NonZero, col)
}

// Box fills a rectangle with round corners and draws a border inside it.
func (c *Context) Box(r Rect, radius float32, fill, border scene.Color) {
	w := c.Hair()
	if r.W() <= 2*w || r.H() <= 2*w {
		c.Round(r, radius, border)
		return
	}
	c.Round(r.Inset(w, w), radius-w, fill)
	c.outline(r, radius, w, border)
}

// outline draws a border of width w inside the edge of r.
func (c *Context) outline(r Rect, radius, w float32, col scene.Color) {
	if r.Empty() || col.A == 0 {
		return
	}
	radius = min(radius, r.W()/2, r.H()/2)
	var buf [16 * cornerSteps]float32
	p := corners(buf[:0], r, radius, radius)
	n := len(p) / 2
	p = corners(p, r.Inset(w, w), radius-w, radius-w)
	c.out.Polygons(p, []int{n}, scene.EvenOdd, col)
}

const cornerSteps = 7

// quarter holds the cosines of the corners' points, from 0 to 90 degrees.
var quarter = func() (q [cornerSteps]float32) {
	for i := range q {
		q[i] = float32(math.Cos(float64(i) * math.Pi / 2 / (cornerSteps - 1)))
	}
	return
}()

// corners appends the outline of a rectangle whose upper corners and lower corners are round.
func corners(p []float32, r Rect, upper, lower float32) []float32 {
	const n = cornerSteps - 1
	corner := func(cx, cy, radius float32, turn int) {
		if radius <= 0 {
			p = append(p, cx, cy)
			return
		}
		for i := range cornerSteps {
			co, si := quarter[i], quarter[n-i]
			switch turn {
			case 0: // from the left side to the top
				p = append(p, cx-float32(co*radius), cy-float32(si*radius))
			case 1:
				p = append(p, cx+float32(si*radius), cy-float32(co*radius))
			case 2:
				p = append(p, cx+float32(co*radius), cy+float32(si*radius))
			case 3:
				p = append(p, cx-float32(si*radius), cy+float32(co*radius))
			}
		}
	}
	upper, lower = max(upper, 0), max(lower, 0)
	corner(r.X0+upper, r.Y0+upper, upper, 0)
	corner(r.X1-upper, r.Y0+upper, upper, 1)
	corner(r.X1-lower, r.Y1-lower, lower, 2)
	corner(r.X0+lower, r.Y1-lower, lower, 3)
	return p
}

// Hair is the width of a thin line.
func (c *Context) Hair() float32 { return max(float32(math.Floor(float64(c.Scale+0.25))), 1) }

// shadow draws the shadow of what floats, denser towards it.
func (c *Context) shadow(r Rect, radius float32) {
	const rings = 8
	alpha := uint8(5)
	if c.Theme.Dark {
		alpha = 17
	}
	for i := rings; i >= 1; i-- {
		d := c.Px(float32(i*i) * 0.28)
		c.Round(Rect{r.X0 - d, r.Y0 - d + c.Px(4), r.X1 + d, r.Y1 + d + c.Px(2)}, radius+d, c.Theme.Shade.Alpha(alpha))
	}
}

// focusRing shows that the widget in r gets the keys: a line around it, with a gap between.
func (c *Context) focusRing(r Rect, radius float32) {
	w, gap := c.Px(2), c.Hair()
	c.outline(r.Inset(-w-gap, -w-gap), radius+w+gap, w, c.ringColor())
}

func (c *Context) ringColor() scene.Color { return c.Theme.Accent.Mix(c.Theme.Link, 0.5) }

// A Type is how a line of text is set. Size is in points.
type Type struct {
	Size  float32 // 0 is Body
	Face  scene.Face
	Color scene.Color // 0 is Ink
	Align scene.Anchor
	Mid   bool // what is too long is cut in its middle
}

func (c *Context) style(t Type) scene.TextStyle {
	if t.Size == 0 {
		t.Size = Body
	}
	if t.Color == (scene.Color{}) {
		t.Color = c.Theme.Ink
	}
	if c.Disabled {
		t.Color = c.Theme.Faint
	}
	return scene.TextStyle{Size: c.em(t.Size), Color: t.Color, Face: t.Face, Anchor: scene.Start, VAlign: scene.Center}
}

// TextWidth is how wide a line of text is, in whole pixels.
func (c *Context) TextWidth(s string, t Type) float32 {
	st := c.style(t)
	return float32(math.Ceil(float64(c.Text.Width(s, st.Size, st.Face))))
}

// write sets a line of text in the middle of r's height, cut with an ellipsis where it is too long, and says whether it was.
func (c *Context) write(r Rect, s string, t Type) (cut bool) {
	st := c.style(t)
	shown := elide(c.Text, s, r.W(), st, t.Mid)
	if shown == "" || r.H() < c.Text.Metrics(st.Size, st.Face).CapHeight {
		return s != ""
	}
	x := r.X0
	switch t.Align {
	case scene.Middle:
		x = whole(x + (r.W()-c.Text.Width(shown, st.Size, st.Face))/2)
	case scene.End:
		x = r.X1 - c.Text.Width(shown, st.Size, st.Face) // its last digit stands where that of the next row does
	}
	c.out.Text(x, c.middle(r, st), shown, st)
	return shown != s
}

// middle is the y of a text centred in r: its capitals have as many pixels above as below.
func (c *Context) middle(r Rect, st scene.TextStyle) float32 {
	capital := whole(c.Text.Metrics(st.Size, st.Face).CapHeight)
	return whole((r.Y0+r.Y1-capital)/2) + capital/2
}

// elide cuts a text to a width, with an ellipsis at its end or in its middle, and between words where it can; "" where not even a letter
// with that has room.
func elide(m scene.Measurer, s string, width float32, st scene.TextStyle, mid bool) string {
	fits := func(s string) bool { return m.Width(s, st.Size, st.Face) <= width+0.01 }
	if fits(s) {
		return s
	}
	s = s[:min(len(s), 4096)]
	if words := strings.Fields(s); mid && len(words) > 1 {
		for keep := len(words) - 1; keep > 0; keep-- { // more of the end: names differ there
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
	lo, hi := 0, len(runes)
	for lo+1 < hi {
		if k := (lo + hi) / 2; fits(cut(k)) {
			lo = k
		} else {
			hi = k
		}
	}
	if lo == 0 {
		return ""
	}
	for k := lo; !mid && k > lo*2/3; k-- {
		if unicode.IsSpace(runes[k]) { // a word ends here
			return cut(k)
		}
	}
	return cut(lo)
}

// Label writes a line of text, cut where it is too long; the whole then comes as a tooltip.
func (c *Context) Label(r Rect, s string, t Type) {
	if c.write(r, s, t) {
		c.Tip(r, s)
	}
}

// Paragraph writes text broken into lines, as many as have room in r, and returns the height they took.
func (c *Context) Paragraph(r Rect, s string, t Type) float32 {
	st := c.style(t)
	line := whole(st.Size * 1.45)
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

// ParagraphHeight is the height that Paragraph takes at a width where there is room for all.
func (c *Context) ParagraphHeight(width float32, s string, t Type) float32 {
	st := c.style(t)
	return whole(st.Size*1.45) * float32(len(wrap(c.Text, s, width, st)))
}

// wrap breaks a text into lines between words and at its own line ends.
func wrap(m scene.Measurer, s string, width float32, st scene.TextStyle) []string {
	var lines []string
	for part := range strings.SplitSeq(s, "\n") {
		line := ""
		for _, word := range strings.Fields(part) {
			longer := strings.TrimPrefix(line+" "+word, " ")
			if line != "" && m.Width(longer, st.Size, st.Face) > width {
				lines = append(lines, line)
				longer = word
			}
			line = longer
		}
		lines = append(lines, line)
	}
	return lines
}

// Icon draws an icon in the middle of r. The zero colour is Ink.
func (c *Context) Icon(r Rect, i icon.Icon, col scene.Color) {
	if r.Empty() {
		return
	}
	if col == (scene.Color{}) {
		col = c.Theme.Ink
	}
	side := min(c.Px(Icon), r.W(), r.H())
	icon.Draw(c.out, i, whole((r.X0+r.X1-side)/2), whole((r.Y0+r.Y1-side)/2), side, col)
}
