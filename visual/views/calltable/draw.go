package calltable

import (
	"math"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// Base draws the headings and the visible rows.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := layout(f, g)
	s.heads(out)
	first, end := s.Shown()
	for i := first; i < end; i++ {
		s.write(out, i)
	}
	if len(g.rows) == 0 && s.Visible > 0 {
		s.text(out, s.Area.X0+s.em, s.Body.Y0, "No calls here.", float32(s.x1-s.Area.X0-s.em), scene.TextStyle{Size: f.Style.Font, Color: f.Style.Muted})
	}
	if more := len(g.rows) - end; more > 0 && s.Visible > 0 {
		s.text(out, s.Area.X0+0.5*s.em, s.Body.Y1, "and "+figures.Count(int64(more))+" more", float32(s.x1-s.Area.X0-s.em), scene.TextStyle{Size: f.Style.Font, Color: f.Style.Muted})
	}
	s.Thumb(out, s.Area.X1, s.em, s.Style.Line)
}

// text writes a line into the row at y, shortened to a width.
func (s *sheet) text(out *scene.List, x, y float64, t string, room float32, style scene.TextStyle) {
	s.Write(out, x, y+math.Round(1.15*s.em), t, float64(room), style)
}

// heads draws the headings.
func (s *sheet) heads(out *scene.List) {
	y := s.Body.Y0 - s.Line
	if s.Body.Y0 > s.Area.Y1 {
		return
	}
	for _, c := range s.columns {
		style := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Muted}
		sorted := c.sort == s.g.sort && c.title(s.g) != "share"
		if sorted {
			style.Color = s.Style.Ink
		}
		x, room := c.x0, float32(c.x1-c.x0)
		if !c.left && c.text != nil {
			style.Anchor, x = scene.End, c.x1
		}
		if sorted {
			room -= float32(s.em)
		}
		title := c.title(s.g)
		s.text(out, x, y, title, room, style)
		if sorted {
			w := s.width(scene.Elide(s.Text, title, room, style.Size, style.Face)) + 0.55*s.em
			if style.Anchor == scene.End {
				w = -w
			}
			s.arrow(out, x+w, y+0.8*s.em)
		}
	}
	rule := float32(max(math.Round(s.em/14), 1))
	out.Rect(float32(s.Area.X0), float32(y+s.Line)-rule, float32(s.x1), float32(y+s.Line), s.Style.Line)
}

// arrow draws the direction of the order.
func (s *sheet) arrow(out *scene.List, x, y float64) {
	d := 0.28 * s.em
	names := s.g.sort == byName || s.g.sort == byModule
	if s.g.reverse != names {
		d = -d
	}
	out.Polygon([]float32{float32(x - 0.32*s.em), float32(y - d/2), float32(x + 0.32*s.em), float32(y - d/2), float32(x), float32(y + d)}, scene.NonZero, s.Style.Ink)
}

// write draws row i.
func (s *sheet) write(out *scene.List, i int) {
	r := &s.g.rows[i]
	y := s.Row(i).Y0
	plain := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Ink}
	s.name(out, i, plain)
	for _, c := range s.columns[1:] {
		switch {
		case c.rank == differing:
			s.difference(out, r, c, y, plain)
		case c.text != nil && c.left:
			muted := plain
			muted.Color = s.Style.Muted
			if t := scene.ElideMiddle(s.Text, c.text(s.g, r), float32(c.x1-c.x0), muted.Size, muted.Face); t != "" {
				s.text(out, c.x0, y, t, float32(c.x1-c.x0), muted)
			}
		case c.text != nil:
			right := plain
			right.Anchor = scene.End
			if t := c.text(s.g, r); strings.Trim(t, "0. %nµms") == "" {
				right.Color = s.Style.Muted
			}
			s.text(out, c.x1, y, c.text(s.g, r), float32(c.x1-c.x0+s.em/2), right)
		case c.rank == strip:
			s.across(out, r, c, y)
		default:
			s.bar(out, r, c, y)
		}
	}
}

// name writes the name of a row with its sign, and the number of matches below it.
func (s *sheet) name(out *scene.List, i int, style scene.TextStyle) {
	r := &s.g.rows[i]
	c := s.columns[0]
	y := s.Row(i).Y0
	x := c.x0
	if s.g.flat == nil {
		x = s.indent(r)
		if r.calls {
			mid, cx, d := float32(y+s.Line/2), float32(x+0.35*s.em), float32(0.3*s.em)
			points := []float32{cx - d/2, mid - d, cx + d/2, mid, cx - d/2, mid + d}
			if r.open {
				points = []float32{cx - d, mid - d/2, cx, mid + d/2, cx + d, mid - d/2}
			}
			out.Polyline(points, scene.Stroke{Width: max(float32(0.11*s.em), 1), Color: s.Style.Muted})
		}
		x += 1.1 * s.em
	}
	name := s.g.FunctionName(r.code)
	if r.node == 0 {
		name, style.Face = s.g.Name(0), scene.Bold
	}
	room := c.x1 - x
	below := ""
	if r.inside > 0 {
		below = figures.Count(int64(r.inside)) + " found below"
		room -= s.width(below) + s.em
	}
	t := scene.ElideMiddle(s.Text, name, float32(max(room, 0)), style.Size, style.Face)
	w := math.Ceil(float64(s.Text.Width(t, style.Size, style.Face)))
	if r.marked && t != "" {
		out.Rect(float32(x-0.2*s.em), float32(y+0.15*s.Line), float32(x+w+0.2*s.em), float32(y+0.88*s.Line), s.found())
	}
	s.text(out, x, y, t, float32(w+1), style)
	if below != "" && room > 0 {
		style.Face, style.Color = scene.Regular, s.Style.Muted
		s.text(out, x+w+0.8*s.em, y, below, float32(c.x1-x-w), style)
	}
}

// found returns the background of a match.
func (s *sheet) found() scene.Color {
	if s.Style.Dark {
		return scene.Hex(0x6a5600)
	}
	return scene.Hex(0xffe27a)
}

// bar draws the inclusive value as a share of the root's, and the exclusive one within it.
func (s *sheet) bar(out *scene.List, r *row, c column, y float64) {
	whole := float64(max(s.g.In[s.g.root], 1))
	x0, w := math.Round(c.x0), math.Round(c.x1-c.x0)
	y0, y1 := float32(math.Round(y+0.42*s.em)), float32(math.Round(y+s.Line-0.42*s.em))
	part := func(n int64) float32 {
		p := min(max(float64(n)/whole, 0), 1) * w
		if n > 0 {
			p = max(p, 1)
		}
		return float32(x0 + math.Round(p))
	}
	strong := scene.NRGBA(palette.LCh{L: 0.56, C: 0.13, H: 250}.RGB())
	out.Rect(float32(x0), y0, float32(x0+w), y1, s.Style.Ground.Mix(s.Style.Line, 0.45))
	if r.in > 0 {
		out.Rect(float32(x0), y0, part(r.in), y1, s.Style.Ground.Mix(strong, 0.45))
	}
	if r.ex > 0 {
		out.Rect(float32(x0), y0, part(r.ex), y1, strong)
	}
}

// difference draws the difference of the compared processes as a number and as a bar from the middle, to the right for more and to the left
// for less, in the colours of halos.
func (s *sheet) difference(out *scene.List, r *row, c column, y float64, style scene.TextStyle) {
	text := contexts.Percent(r.share)
	style.Anchor = scene.End
	if strings.HasPrefix(text, "0.0") {
		style.Color = s.Style.Muted
	}
	s.text(out, c.x1, y, text, float32(c.x1-c.x0), style)
	x0, x1 := math.Round(c.x0), math.Round(c.x1-max(s.width(contexts.Percent(-s.g.differs)), s.width(text))-0.6*s.em)
	y0, y1 := float32(math.Round(y+0.42*s.em)), float32(math.Round(y+s.Line-0.42*s.em))
	middle := math.Round((x0 + x1) / 2)
	if x1-x0 < 2*s.em {
		return
	}
	t := 0.0
	if s.g.differs > 0 {
		t = max(-1, min(1, r.share/s.g.differs))
	}
	if w := math.Round(math.Abs(t) * (x1 - x0) / 2); w >= 1 {
		color := view.Diverging{Dark: s.g.dark}.Color(t)
		if t > 0 {
			out.Rect(float32(middle), y0, float32(middle+w), y1, color)
		} else {
			out.Rect(float32(middle-w), y0, float32(middle), y1, color)
		}
	}
	line := float32(max(math.Round(s.em/14), 1))
	out.Rect(float32(middle), y0-line, float32(middle)+line, y1+line, s.Style.Muted)
}

// across draws a column for each process, relative to the largest value. If there is no room for all, a column shows the largest of several.
func (s *sheet) across(out *scene.List, r *row, c column, y float64) {
	values := s.g.values(r)
	n := min(len(values), int((c.x1-c.x0)/2))
	if n == 0 || r.spread.Most <= 0 {
		return
	}
	y0, y1 := math.Round(y+0.25*s.em), math.Round(y+s.Line-0.3*s.em)
	rest := scene.NRGBA(palette.Unknown(s.Style.Dark))
	for k := range n {
		most := slices.Max(values[k*len(values)/n : (k+1)*len(values)/n])
		if most <= 0 {
			continue
		}
		x0, x1 := math.Round(c.x0+(c.x1-c.x0)*float64(k)/float64(n)), math.Round(c.x0+(c.x1-c.x0)*float64(k+1)/float64(n))
		if x1-x0 >= 4 {
			x1--
		}
		h := max(math.Round((y1-y0)*float64(most)/float64(r.spread.Most)), 1)
		out.Rect(float32(x0), float32(y1-h), float32(x1), float32(y1), rest)
	}
	out.Rect(float32(c.x0), float32(y1), float32(c.x1), float32(y1+1), s.Style.Line)
}

// values returns the values of a row by process.
func (g *Geometry) values(r *row) []int64 {
	if r.function < 0 {
		return g.Tree.Values(r.node, g.Metric, g.Inclusive, nil)
	}
	return g.FlatValues(&g.flat.functions[r.function].Function, g.Metric, g.Inclusive, nil)
}
