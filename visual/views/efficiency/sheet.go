package efficiency

import (
	"math"

	"whorl/internal/figures"
	"whorl/tracer/derive/efficiency"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// bars is the number of bars of the waterfall: the steps and the measured time.
const bars = int(efficiency.NumSteps) + 1

// A sheet is the layout of a frame.
type sheet struct {
	*view.Frame
	g      *Geometry
	em     float64
	font   float32
	row    float64      // height of a bar with its gap, 0 for no waterfall
	labels float64      // width of the names before the bars
	values []string     // times after the bars; nil if there is no room
	fall   scene.Rect   // of the waterfall's bars
	pes    scene.Rect   // of the bars of PEs; empty if there is no room
	edges  []int        // the first PE of each column of pes, and the number of PEs
	steps  [bars]string // names
}

// least and most heights of a row and of the part for PEs, in ems.
const (
	leastRow, mostRow = 1.25, 2.2
	leastPEs          = 7
)

func layout(f *view.Frame, g *Geometry) *sheet {
	em := float64(f.Style.Font)
	s := &sheet{Frame: f, g: g, em: em, font: f.Style.Font}
	for i := range efficiency.NumSteps {
		s.steps[i] = i.String()
	}
	s.steps[bars-1] = "measured"
	head := math.Round(2.2 * em)
	h := f.Area.H() - head
	if h < float64(bars)*leastRow*em || f.Area.W() < 12*em {
		s.row = math.Floor(h / float64(bars))
		if s.row < 0.95*em || f.Area.W() < 8*em {
			s.row = 0
			return s
		}
	} else {
		s.row = math.Floor(min(max((h-leastPEs*em)/float64(bars), leastRow*em), mostRow*em))
		if h-float64(bars)*s.row < leastPEs*em { // no room for PEs
			s.row = math.Floor(min(h/float64(bars), mostRow*em))
		}
	}
	width := func(t string) float64 { return math.Ceil(float64(f.Text.Width(t, s.font, scene.Regular))) }
	for _, name := range s.steps {
		s.labels = max(s.labels, width(name))
	}
	right := 0.0
	for i := range bars {
		s.values = append(s.values, s.value(i, true))
		right = max(right, width(s.values[i]))
	}
	if room := f.Area.W() - 3*em; s.labels+right > 0.6*room { // without shares
		right = 0
		for i := range bars {
			s.values[i] = s.value(i, false)
			right = max(right, width(s.values[i]))
		}
		if s.labels+right > 0.7*room {
			s.labels = max(0.7*room-right, 4*em)
		}
		if s.labels+right > 0.8*room {
			s.values, right = nil, 0
		}
	}
	s.fall = scene.Rect{
		X0: math.Round(f.Area.X0 + s.labels + 1.2*em), Y0: f.Area.Y0 + head, X1: math.Round(f.Area.X1 - right - 1.2*em),
		Y1: f.Area.Y0 + head + s.row*float64(bars),
	}
	below := scene.Rect{X0: s.fall.X0, X1: s.fall.X1, Y0: math.Round(s.fall.Y1 + 2.4*em), Y1: math.Round(f.Area.Y1 - 1.8*em)}
	if n := g.account.PEs; below.H() > 2.5*em && below.W() > 2*em && n > 0 {
		s.pes = below
		columns := min(n, int(below.W()))
		for i := range columns + 1 {
			s.edges = append(s.edges, int(int64(i)*int64(n)/int64(columns)))
		}
	}
	return s
}

// value returns the text after a bar.
func (s *sheet) value(i int, share bool) string {
	ns := s.g.eff.Elapsed
	if i < bars-1 {
		ns = s.g.eff.Steps[i]
	}
	text := figures.Duration(ns)
	if share {
		text += "  " + figures.PercentTo(ns, s.g.eff.Elapsed, 1)
	}
	return text
}

// bar returns the bar of a step, or that of the measured time.
func (s *sheet) bar(i int) scene.Rect {
	from, to := int64(0), s.g.eff.Elapsed
	if i < bars-1 {
		for _, ns := range s.g.eff.Steps[:i] {
			from += ns
		}
		to = from + s.g.eff.Steps[i]
	}
	x := func(ns int64) float64 { return math.Round(s.fall.X0 + s.fall.W()*float64(ns)/float64(s.g.length)) }
	gap := math.Max(math.Round(0.16*s.row), 1)
	r := scene.Rect{X0: x(from), X1: x(to), Y0: s.fall.Y0 + float64(i)*s.row + gap, Y1: s.fall.Y0 + float64(i+1)*s.row - gap}
	if to > from && r.X1 == r.X0 { // visible however short
		r.X1 = min(r.X0+1, s.fall.X1)
		r.X0 = r.X1 - 1
	}
	return r
}

// column returns the place of a column of PEs.
func (s *sheet) column(i int) (x0, x1 float64) {
	n := float64(len(s.edges) - 1)
	return math.Round(s.pes.X0 + s.pes.W()*float64(i)/n), math.Round(s.pes.X0 + s.pes.W()*float64(i+1)/n)
}

// y returns the height of a time in the bars of PEs.
func (s *sheet) y(ns float64) float64 {
	return math.Round(s.pes.Y1 - s.pes.H()*ns/float64(max(s.g.eff.Elapsed, 1)))
}

// stepAt returns the bar of the waterfall in the row at a pixel.
func (s *sheet) stepAt(x, y float64) (i int, ok bool) {
	if s.row == 0 || !s.g.eff.Known() || x < s.Area.X0 || x > s.Area.X1 || y < s.fall.Y0 || y >= s.fall.Y1 {
		return 0, false
	}
	i = int((y - s.fall.Y0) / s.row)
	return i, i < bars
}

// columnAt returns the column of PEs at a pixel.
func (s *sheet) columnAt(x, y float64) (i int, ok bool) {
	n := len(s.edges) - 1
	if n < 1 || !s.pes.Contains(x, y) {
		return 0, false
	}
	for i = min(max(int((x-s.pes.X0)/s.pes.W()*float64(n)), 0), n-1); i > 0; i-- {
		if x0, _ := s.column(i); x0 <= x {
			break
		}
	}
	return i, true
}
