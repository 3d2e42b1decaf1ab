package sweep

import (
	"math"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A panel is a chart with two axes.
type panel struct {
	title  string
	x, y   scale
	marks  []mark
	joined [][]int // indices of marks that a line joins
	curves []curve
	boxes  []box
	cells  []cell
}

// A mark stands for some runs.
type mark struct {
	x, y      float64
	low, high float64 // of the interval of confidence; NaN for none
	rows      []int
	color     int
	shape     int
}

// A curve is a line that no run lies on: an ideal or a bound.
type curve struct {
	xs, ys []float64
	dash   []float32 // in widths
}

// A cell of a heat map shows the mean of some runs.
type cell struct {
	x, y  int
	mean  float64
	t     float64 // from 0 to 1
	rows  []int
	label string
}

// A sheet is the layout of a frame.
type sheet struct {
	*view.Frame
	g      *Geometry
	em     float64
	frames []frame
}

// A frame is the place of a panel.
type frame struct {
	*panel
	plot scene.Rect // between the axes
	room scene.Rect // with titles and labels
}

// newSheet lays out the panels in rows.
func newSheet(f *view.Frame, g *Geometry) *sheet {
	s := &sheet{Frame: f, g: g, em: float64(f.Style.Font)}
	across := max(g.across, 1)
	down := (len(g.panels) + across - 1) / across
	area := scene.Rect{X0: f.Area.X0 + 0.4*s.em, Y0: f.Area.Y0 + 0.2*s.em, X1: f.Area.X1 - 0.6*s.em, Y1: f.Area.Y1 - 0.2*s.em}
	gap := 0.9 * s.em
	w, h := (area.W()-float64(across-1)*gap)/float64(across), (area.H()-float64(max(down-1, 0))*gap)/float64(max(down, 1))
	if w < 3*s.em || h < 3*s.em {
		return s
	}
	for i := range g.panels {
		p := &g.panels[i]
		x, y := area.X0+float64(i%across)*(w+gap), area.Y0+float64(i/across)*(h+gap)
		room := scene.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
		left := 0.0
		for _, t := range p.y.ticks(int(h / (3 * s.em))) {
			left = max(left, float64(f.Text.Width(t.text, f.Style.Font, scene.Regular)))
		}
		left = min(left+0.6*s.em, w/2)
		plot := scene.Rect{X0: math.Round(room.X0 + left), Y0: math.Round(room.Y0 + s.head(p)), X1: math.Round(room.X1), Y1: math.Round(room.Y1 - 2.9*s.em)}
		if plot.W() < s.em || plot.H() < s.em {
			continue
		}
		s.frames = append(s.frames, frame{p, plot, room})
	}
	return s
}

// head returns the height of the texts above a panel.
func (s *sheet) head(p *panel) float64 {
	if p.title == "" {
		return 1.7 * s.em
	}
	return 3.0 * s.em
}

// inset is the distance of the ends of a scale from those of its axis, in em.
const inset = 0.5

func (s *sheet) px(fr *frame, v float64) float64 {
	m := s.margin(&fr.x)
	return fr.plot.X0 + m + fr.x.share(v)*(fr.plot.W()-2*m)
}

func (s *sheet) py(fr *frame, v float64) float64 {
	m := s.margin(&fr.y)
	return fr.plot.Y1 - m - fr.y.share(v)*(fr.plot.H()-2*m)
}

func (s *sheet) margin(c *scale) float64 {
	if c.names != nil {
		return 0
	}
	return inset * s.em
}

// hair is the width of thin lines.
func (s *sheet) hair() float32 { return float32(max(s.em/13, 1)) }

// draw draws a panel.
func (s *sheet) draw(out *scene.List, fr *frame) {
	font, style := s.Style.Font, s.Style
	y := fr.room.Y0 + 1.1*s.em
	if fr.title != "" {
		s.WriteName(out, fr.room.X0, y, fr.title, fr.room.W(), scene.TextStyle{Size: font, Color: style.Ink, Face: scene.Bold})
		y += 1.3 * s.em
	}
	s.Write(out, fr.room.X0, y, fr.y.title, fr.room.W(), scene.TextStyle{Size: font, Color: style.Muted})
	s.drawTicks(out, fr)
	out.ClipTo(scene.Rect{X0: fr.plot.X0 - 1, Y0: fr.plot.Y0 - 1, X1: fr.plot.X1 + 1, Y1: fr.plot.Y1 + 1})
	for _, c := range fr.cells {
		s.drawCell(out, fr, &c)
	}
	for _, c := range fr.curves {
		s.drawCurve(out, fr, &c)
	}
	for i := range fr.boxes {
		s.drawBox(out, fr, &fr.boxes[i])
	}
	for _, line := range fr.joined {
		s.drawLine(out, fr, line)
	}
	for i := range fr.marks {
		s.drawMark(out, fr, &fr.marks[i])
	}
	out.Pop()
}

// drawTicks draws the axes, their ticks and the title of the horizontal one. Ticks whose texts would meet others have none.
func (s *sheet) drawTicks(out *scene.List, fr *frame) {
	font, style, p := s.Style.Font, s.Style, fr.plot
	hair := s.hair()
	lowest := math.Inf(1)
	for _, t := range fr.y.ticks(int(p.H() / (3 * s.em))) {
		m := s.margin(&fr.y)
		y := math.Round(p.Y1 - m - t.share*(p.H()-2*m))
		if fr.cells == nil {
			out.Line(float32(p.X0), float32(y), float32(p.X1), float32(y), hair, style.Line)
		}
		if lowest-y >= 1.15*s.em {
			s.WriteName(out, p.X0-0.4*s.em, y, t.text, p.X0-fr.room.X0-0.4*s.em, scene.TextStyle{Size: font, Color: style.Muted, Anchor: scene.End, VAlign: scene.Center})
			lowest = y
		}
	}
	out.Line(float32(p.X0), float32(p.Y1), float32(p.X1), float32(p.Y1), hair, style.Muted)
	end := math.Inf(-1)
	ticks := fr.x.ticks(int(p.W() / (4 * s.em)))
	room := p.W() / float64(max(len(ticks), 1))
	for _, t := range ticks {
		m := s.margin(&fr.x)
		x := math.Round(p.X0 + m + t.share*(p.W()-2*m))
		out.Line(float32(x), float32(p.Y1), float32(x), float32(p.Y1+0.3*s.em), hair, style.Muted)
		text := t.text
		if fr.x.names != nil {
			text = scene.ElideMiddle(s.Text, text, float32(room-0.5*s.em), font, scene.Regular)
		}
		half := float64(s.Text.Width(text, font, scene.Regular)) / 2
		if x-half >= end+0.5*s.em && x+half <= fr.room.X1+0.6*s.em && text != "" {
			out.Text(float32(x), float32(p.Y1+1.4*s.em), text, scene.TextStyle{Size: font, Color: style.Muted, Anchor: scene.Middle})
			end = x + half
		}
	}
	s.Write(out, p.X0+p.W()/2, p.Y1+2.7*s.em, fr.x.title, p.W(), scene.TextStyle{Size: font, Color: style.Muted, Anchor: scene.Middle})
}

func (s *sheet) drawCurve(out *scene.List, fr *frame, c *curve) {
	var points []float32
	for i := range c.xs {
		points = append(points, float32(s.px(fr, c.xs[i])), float32(s.py(fr, c.ys[i])))
	}
	width := s.hair() * 1.3
	var dash []float32
	for _, d := range c.dash {
		dash = append(dash, d*width)
	}
	out.Polyline(points, scene.Stroke{Width: width, Color: s.Style.Muted, Dash: dash})
}

func (s *sheet) drawLine(out *scene.List, fr *frame, line []int) {
	var points []float32
	for _, i := range line {
		points = append(points, float32(s.px(fr, fr.marks[i].x)), float32(s.py(fr, fr.marks[i].y)))
	}
	first := &fr.marks[line[0]]
	width := 1.6 * s.hair()
	out.Polyline(points, scene.Stroke{Width: width, Color: s.g.styles.ink(first.color), Dash: dashOf(first.shape, width)})
}

func (s *sheet) drawMark(out *scene.List, fr *frame, m *mark) {
	x, y := float32(s.px(fr, m.x)), float32(s.py(fr, m.y))
	color := s.g.styles.ink(m.color)
	if m.high > m.low {
		y0, y1, wing := float32(s.py(fr, m.low)), float32(s.py(fr, m.high)), float32(0.2*s.em)
		out.Line(x, y0, x, y1, s.hair(), color)
		out.Line(x-wing, y0, x+wing, y0, s.hair(), color)
		out.Line(x-wing, y1, x+wing, y1, s.hair(), color)
	}
	out.Mark(shapeOf(m.shape), s.markSize(), x, y, color)
}

func (s *sheet) markSize() float32 { return float32(0.55 * s.em) }
