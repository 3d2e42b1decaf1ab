package ui

import (
	"math"

	"whorl/visual/icon"
	"whorl/visual/scene"
)

// A Canvas draws rectangles, icons and texts in the looks of a theme. Lengths are in device pixels.
type Canvas struct {
	Theme    Theme
	Text     scene.Measurer
	Scale    float32 // device pixels in a point
	Disabled bool    // widgets called while it is set are shown, but do nothing

	out   *scene.List
	clip  Rect
	clips []Rect
}

// NewCanvas returns a canvas that draws into r of a list with scale pixels in a point.
func NewCanvas(out *scene.List, r Rect, scale float32, th Theme, text scene.Measurer) *Canvas {
	return &Canvas{Theme: th, Text: text, Scale: scale, out: out, clip: r}
}

// Out returns the display list that widgets draw into: the list of the innermost popup, or the base. Drawing into it is clipped.
func (c *Canvas) Out() *scene.List { return c.out }

// Clip restricts drawing and the pointer to r until Unclip.
func (c *Canvas) Clip(r Rect) {
	c.clips = append(c.clips, c.clip)
	c.clip = c.clip.Cut(r)
	c.out.Clip(c.clip.X0, c.clip.Y0, c.clip.X1, c.clip.Y1)
}

// Unclip ends the innermost Clip.
func (c *Canvas) Unclip() {
	if n := len(c.clips); n > 0 {
		c.clip, c.clips = c.clips[n-1], c.clips[:n-1]
		c.out.Pop()
	}
}

// Fill fills a rectangle.
func (c *Canvas) Fill(r Rect, col scene.Color) {
	if !r.Empty() && col.A > 0 {
		c.out.Rect(r.X0, r.Y0, r.X1, r.Y1, col)
	}
}

// Round fills a rectangle with round corners.
func (c *Canvas) Round(r Rect, radius float32, col scene.Color) {
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
func (c *Canvas) Box(r Rect, radius float32, fill, border scene.Color) {
	w := c.Hair()
	if r.W() <= 2*w || r.H() <= 2*w {
		c.Round(r, radius, border)
		return
	}
	c.Round(r.Inset(w, w), radius-w, fill)
	c.Outline(r, radius, w, border)
}

// Outline draws a border of width w inside the edge of r.
func (c *Canvas) Outline(r Rect, radius, w float32, col scene.Color) {
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

// quarter holds the cosines of the points of a corner, from 0 to 90 degrees.
var quarter = func() (q [cornerSteps]float32) {
	for i := range q {
		q[i] = float32(math.Cos(float64(i) * math.Pi / 2 / (cornerSteps - 1)))
	}
	return
}()

// corners appends the outline of a rectangle with radii for its upper and its lower corners.
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

// Hair returns the width of a thin line.
func (c *Canvas) Hair() float32 { return max(float32(math.Floor(float64(c.Scale+0.25))), 1) }

// shadow draws the shadow of a floating rectangle, denser towards it.
func (c *Canvas) shadow(r Rect, radius float32) {
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

// FocusRing shows that the widget in r gets the keys: a line around the widget, with a gap between.
func (c *Canvas) FocusRing(r Rect, radius float32) {
	w, gap := c.Px(2), c.Hair()
	c.Outline(r.Inset(-w-gap, -w-gap), radius+w+gap, w, c.RingColor())
}

// InnerRing draws the focus ring inside the edge of r, for a widget that fills its place.
func (c *Canvas) InnerRing(r Rect) { c.Outline(r, 0, c.Px(2), c.RingColor()) }

// RingColor returns the colour of focus rings.
func (c *Canvas) RingColor() scene.Color { return c.Theme.Accent.Mix(c.Theme.Link, 0.5) }

// Style returns the style of a Type in the theme.
func (c *Canvas) Style(t Type) scene.TextStyle {
	if t.Size == 0 {
		t.Size = Body
	}
	if t.Color == (scene.Color{}) {
		t.Color = c.Theme.Ink
	}
	if c.Disabled {
		t.Color = c.Theme.Faint
	}
	return scene.TextStyle{Size: c.FontSize(t.Size), Color: t.Color, Face: t.Face, Anchor: scene.Start, VAlign: scene.Center}
}

// TextWidth returns the width of a line of text in whole pixels.
func (c *Canvas) TextWidth(s string, t Type) float32 {
	st := c.Style(t)
	return float32(math.Ceil(float64(c.Text.Width(s, st.Size, st.Face))))
}

// Write sets a line of text in the middle of r's height. It cuts a text that is too long with an ellipsis and reports that.
func (c *Canvas) Write(r Rect, s string, t Type) (cut bool) {
	st := c.Style(t)
	elide := scene.Elide
	if t.Mid {
		elide = scene.ElideMiddle
	}
	shown := elide(c.Text, s, r.W(), st.Size, st.Face)
	if shown == "" || r.H() < c.Text.Metrics(st.Size, st.Face).CapHeight {
		return s != ""
	}
	x := r.X0
	switch t.Align {
	case scene.Middle:
		x = Whole(x + (r.W()-c.Text.Width(shown, st.Size, st.Face))/2)
	case scene.End:
		x = r.X1 - c.Text.Width(shown, st.Size, st.Face) // the last digits of rows are aligned
	}
	c.out.Text(x, c.TextY(r, st), shown, st)
	return shown != s
}

// TextY returns the y of a text centred in r: its capitals have the same number of pixels above and below.
func (c *Canvas) TextY(r Rect, st scene.TextStyle) float32 {
	capital := Whole(c.Text.Metrics(st.Size, st.Face).CapHeight)
	return Whole((r.Y0+r.Y1-capital)/2) + capital/2
}

// ParagraphHeight returns the height of a paragraph of a width.
func (c *Canvas) ParagraphHeight(width float32, s string, t Type) float32 {
	st := c.Style(t)
	return Whole(st.Size*1.45) * float32(len(wrap(c.Text, s, width, st)))
}

// Icon draws an icon in the middle of r. The zero colour is Ink.
func (c *Canvas) Icon(r Rect, i icon.Icon, col scene.Color) {
	if r.Empty() {
		return
	}
	if col == (scene.Color{}) {
		col = c.Theme.Ink
	}
	side := min(c.Px(Icon), r.W(), r.H())
	icon.Draw(c.out, i, Whole((r.X0+r.X1-side)/2), Whole((r.Y0+r.Y1-side)/2), side, col)
}

// Px returns a length in points as whole device pixels, at least one unless it is 0.
func (c *Canvas) Px(points float32) float32 {
	if points > 0 {
		return max(Whole(points*c.Scale), 1)
	}
	return Whole(points * c.Scale)
}

// FontSize returns a size of type in device pixels, in quarters. The glyphs of this size are cached.
func (c *Canvas) FontSize(points float32) float32 { return Whole(points*c.Scale*4) / 4 }
