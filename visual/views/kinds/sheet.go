package kinds

import (
	"math"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is the layout of a frame.
type sheet struct {
	*view.Frame
	g     *Geometry
	em    float64
	row   float64 // height of a line
	shown int     // number of cards that fit
	lines int     // number of lines that fit in a card
	rest  bool    // a line at the bottom counts the cards that do not fit
	x0    float64
	x1    float64
}

// Heights of the parts of a card, in lines.
const (
	titled   = 1.25 // title
	stripped = 0.75 // strip
	parted   = 0.8  // gap to the next card
)

func newSheet(f *view.Frame, g *Geometry) *sheet {
	em := float64(f.Style.Font)
	s := &sheet{Frame: f, g: g, em: em, row: math.Round(1.55 * em), x0: f.Area.X0 + math.Round(0.5*em), x1: f.Area.X1 - math.Round(0.5*em)}
	n := len(g.cards)
	room := f.Area.H() / s.row // in lines
	if n == 0 || s.x1-s.x0 < 4*em {
		return s
	}
	least := titled + stripped + parted
	if s.shown = n; float64(n)*least-parted > room {
		s.rest = true
		s.shown = max(int((room-1+parted)/least), 0)
		return s
	}
	most := 0
	for i := range g.cards {
		most = max(most, len(g.cards[i].lines))
	}
	for s.lines < most {
		used := -parted
		for i := range g.cards {
			used += least + float64(min(s.lines+1, len(g.cards[i].lines)))
		}
		if used > room {
			break
		}
		s.lines++
	}
	return s
}

// box returns the box of a card, without the gap to the next one.
func (s *sheet) box(card int) scene.Rect {
	y := s.Area.Y0
	for i := range card {
		y += s.height(i) + math.Round(parted*s.row)
	}
	return scene.Rect{X0: s.Area.X0, Y0: y, X1: s.Area.X1, Y1: y + s.height(card)}
}

func (s *sheet) height(card int) float64 {
	return math.Round((titled+stripped)*s.row) + s.row*float64(min(s.lines, len(s.g.cards[card].lines)))
}

// strip returns the box of a card's strip.
func (s *sheet) strip(card int) scene.Rect {
	y := s.box(card).Y0 + math.Round(titled*s.row)
	return scene.Rect{X0: s.x0, Y0: y, X1: s.x1, Y1: y + math.Round(0.45*s.row)}
}

// line returns the box of a line of a card.
func (s *sheet) line(card, line int) scene.Rect {
	y := s.box(card).Y0 + math.Round((titled+stripped)*s.row) + s.row*float64(line)
	return scene.Rect{X0: s.Area.X0, Y0: y, X1: s.Area.X1, Y1: y + s.row}
}

// hit returns the card and the line at a pixel, each -1 for none.
func (s *sheet) hit(x, y float64) (card, line int) {
	if !s.Area.Contains(x, y) {
		return -1, -1
	}
	for i := range s.shown {
		if !s.box(i).Contains(x, y) {
			continue
		}
		for k := range min(s.lines, len(s.g.cards[i].lines)) {
			if s.line(i, k).Contains(x, y) {
				return i, k
			}
		}
		return i, -1
	}
	return -1, -1
}

// Base draws the cards.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	for i := range s.shown {
		if s.box(i).Meets(f.Clip) {
			s.card(out, i)
		}
	}
	if left := len(s.g.cards) - s.shown; s.rest && left > 0 && s.Area.H() > s.row {
		text := figures.Count(int64(left)) + " more do not fit here"
		if left == 1 {
			text = "1 more does not fit here"
		}
		s.text(out, s.x0, s.Area.Y1-s.row, text, s.x1-s.x0, scene.TextStyle{Size: s.Style.Font, Color: s.Style.Muted})
	}
}

func (s *sheet) text(out *scene.List, x, y float64, t string, room float64, style scene.TextStyle) {
	s.Write(out, x, y+math.Round(1.1*s.em), t, room, style)
}

func (s *sheet) card(out *scene.List, i int) {
	c := &s.g.cards[i]
	y := s.box(i).Y0
	bold := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Ink, Face: scene.Bold}
	title := c.counted()
	if len(s.g.cards) == 1 && len(c.members) > 1 {
		title += ", all alike"
	}
	s.text(out, s.x0, y, title, s.x1-s.x0, bold)
	wide := float64(s.Text.Width(title, bold.Size, bold.Face)) + s.em
	if room := s.x1 - s.x0 - wide; room > 3*s.em {
		s.text(out, s.x0+wide, y, c.list, room, scene.TextStyle{Size: s.Style.Font, Color: s.Style.Muted})
	}
	s.marks(out, s.strip(i), c.runs, c.color)
	for k := range min(s.lines, len(c.lines)) {
		s.bar(out, s.line(i, k), &c.lines[k])
	}
}

// marks draws runs of processes on a strip of all processes, each at least a pixel wide.
func (s *sheet) marks(out *scene.List, r scene.Rect, runs [][2]int, c scene.Color) {
	out.Fill(r, s.Style.Ground.Mix(s.Style.Line, 0.55))
	n := float64(max(len(s.g.Processes), 1))
	last := math.Inf(-1)
	for _, x := range runs {
		x0, x1 := math.Round(r.X0+r.W()*float64(x[0])/n), math.Round(r.X0+r.W()*float64(x[1])/n)
		if x1 = max(x1, x0+1); x1 <= last {
			continue
		}
		last = x1
		out.Rect(float32(x0), float32(r.Y0), float32(min(x1, r.X1)), float32(r.Y1), c)
	}
}

// bar draws a line: the name of the context on the left, the difference as a bar from the middle of the rest and as a number.
func (s *sheet) bar(out *scene.List, r scene.Rect, l *line) {
	value := float64(s.Text.Width("+100.0 %", s.Style.Font, scene.Regular)) + 0.5*s.em
	name := math.Round(min((s.x1-s.x0)*0.45, 22*s.em))
	x0, x1 := s.x0+name+0.5*s.em, s.x1-value
	plain := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Ink}
	if x1-x0 < 3*s.em { // no bars
		name, x0 = s.x1-s.x0-value-0.5*s.em, s.x1
	}
	text := s.g.Name(l.node)
	if path := s.g.Path(l.node); float64(s.Text.Width(path, plain.Size, plain.Face)) <= name {
		text = path
	}
	s.text(out, s.x0, r.Y0, text, name, plain)
	if x1 > x0 {
		middle, half, color := math.Round((x0+x1)/2), (x1-x0)/2, s.g.scales.Color(l.share/s.g.most)
		if s.g.alone() {
			middle, half, color = math.Round(x0), x1-x0, s.g.cards[0].color
		}
		y0, y1 := float32(r.Y0+math.Round(0.2*s.row)), float32(r.Y1-math.Round(0.2*s.row))
		to := middle + math.Round(half*l.share/s.g.most)
		out.Rect(float32(min(middle, to)), y0, float32(max(middle, to)), y1, color)
		out.Rect(float32(middle), float32(r.Y0), float32(middle+1), float32(r.Y1), s.Style.Line)
	}
	plain.Anchor = scene.End
	plain.Color = s.Style.Muted
	s.text(out, s.x1, r.Y0, s.g.percent(l.share), value, plain)
}

// Overlay veils the kinds without selected processes, and marks the selected processes, the selected contexts and the hovered cards.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	out.ClipTo(f.Area)
	defer out.Pop()
	l := g.Highlight(f.Trace, f.State.Shared.Selection)
	if cards, ok := g.lit(l); ok && len(cards) > 0 {
		for i, next := 0, 0; i < s.shown; i++ {
			if next < len(cards) && cards[next] == i {
				next++
				continue
			}
			b := s.box(i)
			out.Fill(b, f.Style.Ground.Alpha(170))
		}
		for i := range s.shown { // the selected processes, below the strips
			r := s.strip(i)
			r.Y0 = r.Y1 + 1
			r.Y1 += max(2, math.Round(0.12*s.row))
			n := float64(max(len(g.Processes), 1))
			for _, x := range runs(l.Processes) {
				x0, x1 := math.Round(r.X0+r.W()*float64(x[0])/n), math.Round(r.X0+r.W()*float64(x[1])/n)
				out.Rect(float32(x0), float32(r.Y0), float32(max(x1, x0+1)), float32(r.Y1), f.Style.Accent.Alpha(150))
			}
		}
	}
	bar := max(math.Round(0.2*s.em), 2)
	for _, r := range s.rows(l) {
		out.Rect(float32(r.X0), float32(r.Y0), float32(r.X0+bar), float32(r.Y1), f.Style.Accent)
	}
	if h := f.State.Personal.Hover; !h.Empty() && !h.Equal(f.State.Shared.Selection) {
		for _, r := range g.Locate(f, h) {
			out.Fill(r, f.Style.Accent.Alpha(16))
		}
	}
}
