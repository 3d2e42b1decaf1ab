package efficiency

import (
	"math"

	"whorl/internal/figures"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/efficiency"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// colours returns the colours of the steps and of the measured time. Lightness differs where hues may look alike.
func colours(dark bool) (c [bars]scene.Color) {
	states := timeplot.StateColours(dark)
	lch := func(l, c, h float64) scene.Color { return scene.NRGBA(palette.LCh{L: l, C: c, H: h}.RGB()) }
	c = [bars]scene.Color{
		efficiency.Ideal: states.Busy, efficiency.Imbalance: lch(0.80, 0.012, 250), efficiency.Serialisation: lch(0.50, 0.13, 305),
		efficiency.Transfer: states.Over, efficiency.Scheduling: lch(0.70, 0.10, 165), efficiency.Collector: lch(0.55, 0.14, 25),
		efficiency.System: lch(0.42, 0.05, 130), bars - 1: lch(0.38, 0.012, 250),
	}
	if dark {
		c[efficiency.Imbalance], c[efficiency.Serialisation] = lch(0.42, 0.012, 250), lch(0.60, 0.13, 305)
		c[efficiency.System], c[bars-1] = lch(0.56, 0.06, 130), lch(0.85, 0.012, 250)
	}
	return c
}

// Base draws the factors, the waterfall and the bars of PEs.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	if !g.eff.Known() {
		view.Say(f, out, "The efficiency is unknown: "+g.eff.Doubt+".")
		return
	}
	s := layout(f, g)
	s.title(out)
	if s.row == 0 {
		return
	}
	s.waterfall(out)
	if len(s.edges) > 1 {
		s.drawPEs(out)
	}
}

// title writes the factors, as many as fit.
func (s *sheet) title(out *scene.List) {
	text := view.Capital(s.factor(efficiency.Parallel))
	whole := text + " = " + s.factor(efficiency.LoadBalance)
	for f := efficiency.Serialised; f < efficiency.NumFactors; f++ {
		whole += " × " + s.factor(f)
	}
	room := s.Area.W() - s.em
	style := scene.TextStyle{Size: s.font, Color: s.Style.Ink, Face: scene.Bold}
	if float64(s.Text.Width(whole, s.font, scene.Bold)) <= room {
		text = whole
	}
	if s.Area.H() > 2*s.em {
		s.Write(out, s.Area.X0+0.5*s.em, s.Area.Y0+math.Round(1.3*s.em), text, room, style)
	}
}

func (s *sheet) factor(f efficiency.Factor) string {
	if x, ok := s.g.eff.Factor(f); ok {
		return f.String() + " " + figures.Share(x, 1)
	}
	return f.String() + " unknown"
}

func (s *sheet) waterfall(out *scene.List) {
	c := colours(s.Style.Dark)
	line := float32(max(math.Round(s.em/14), 1))
	for i := range bars {
		r := s.bar(i)
		base := math.Round((r.Y0+r.Y1)/2 + 0.35*s.em)
		ink := s.Style.Ink
		if i < bars-1 && s.g.eff.Steps[i] == 0 {
			ink = s.Style.Muted
		}
		style := scene.TextStyle{Size: s.font, Color: ink, Anchor: scene.End}
		s.Write(out, s.fall.X0-0.6*s.em, base, s.steps[i], s.labels+0.1*s.em, style)
		if s.values != nil {
			s.Write(out, s.Area.X1-0.5*s.em, base, s.values[i], s.Area.X1-s.fall.X1, style)
		}
		out.Fill(r, c[i])
		if i < bars-1 { // to the next bar, through one without length
			top := r.Y1
			if r.X0 == r.X1 {
				top = r.Y0
			}
			if x, next := float32(r.X1), s.bar(i+1); next.Y0 > top {
				out.Rect(x-line, float32(top), x, float32(next.Y0), s.Style.Muted)
			}
		}
	}
	out.Rect(float32(s.fall.X0)-line, float32(s.fall.Y0), float32(s.fall.X0), float32(s.fall.Y1), s.Style.Line)
}

// stacked lists the steps whose classes the bars of PEs stack, from the bottom.
var stacked = []efficiency.Step{
	efficiency.Ideal, efficiency.Scheduling, efficiency.Collector, efficiency.System, efficiency.Transfer, efficiency.Serialisation, efficiency.Imbalance,
}

// drawPEs draws the bars of PEs, and lines at the mean and at the most work of a PE.
func (s *sheet) drawPEs(out *scene.List) {
	c := colours(s.Style.Dark)
	n := len(s.edges) - 1
	for i := range n {
		x0, x1 := s.column(i)
		if x1-x0 > 4 {
			x1--
		}
		t := s.g.between(s.edges[i], s.edges[i+1])
		count := float64(s.edges[i+1] - s.edges[i])
		base, below := s.pes.Y1, int64(0)
		for _, step := range stacked {
			below += part(&t, step)
			if top := s.y(float64(below) / count); top < base {
				out.Rect(float32(x0), float32(top), float32(x1), float32(base), c[step])
				base = top
			}
		}
		if count > 1 { // one PE with much work among many stays visible
			most := int64(0)
			for pe := s.edges[i]; pe < s.edges[i+1]; pe++ {
				most = max(most, s.g.account.Row(pe).Times[account.Work])
			}
			y := s.y(float64(most))
			out.Rect(float32(x0), float32(y), float32(x1), float32(y+1), s.Style.Ink)
		}
	}
	muted := scene.TextStyle{Size: s.font, Color: s.Style.Muted}
	y := s.pes.Y1 + math.Round(1.3*s.em)
	s.Write(out, s.pes.X0, y, "PE 0", s.pes.W()/2, muted)
	if s.g.account.PEs > 1 {
		muted.Anchor = scene.End
		s.Write(out, s.pes.X1, y, view.PEName(s.g.account.PEs-1, s.g.account.PEs-1), s.pes.W()/2-s.em, muted)
	}
	most := s.y(float64(s.g.eff.Most))
	if s.g.account.PEs == 1 {
		s.level(out, "most", most, most)
	} else {
		mean := s.y(float64(s.g.eff.Work) / float64(s.g.eff.PEs))
		apart := max(1.2*s.em-(mean-most), 0) / 2 // names of lines that lie close give way
		s.level(out, "most", most, most-apart)
		s.level(out, "mean", mean, mean+apart)
	}
	s.Write(out, s.pes.X0, s.pes.Y0-0.7*s.em, "Time of each PE", s.pes.W(), scene.TextStyle{Size: s.font, Color: s.Style.Ink, Face: scene.Bold})
}

// level draws a line at the height y, with its name on the left at the height label.
func (s *sheet) level(out *scene.List, name string, y, label float64) {
	width := float32(max(math.Round(s.em/12), 1))
	from := float32(s.pes.X0 - 0.4*s.em)
	out.Polyline([]float32{from, float32(y), float32(s.pes.X1), float32(y)}, scene.Stroke{Width: width, Color: s.Style.Ink, Dash: []float32{4 * width, 3 * width}})
	style := scene.TextStyle{Size: s.font, Color: s.Style.Ink, Anchor: scene.End, VAlign: scene.Center}
	s.Write(out, s.pes.X0-0.6*s.em, label, name, s.labels, style)
}

// Overlay marks the PEs with a part in the selection, and the thing under the pointer.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := layout(f, g)
	for _, r := range g.Locate(f, f.State.Shared.Selection) {
		out.Frame(float32(r.X0)-0.5, float32(r.Y0)-0.5, float32(r.X1)+0.5, float32(r.Y1)+0.5, float32(max(math.Round(s.em/8), 1)), f.Style.Accent)
	}
	if h := f.State.Personal.Hover; !h.Equal(f.State.Shared.Selection) {
		for _, r := range g.Locate(f, h) {
			out.Fill(r, f.Style.Accent.Alpha(60))
		}
	}
}

// Locate returns the bars of the PEs with a part in the selection, those of neighbours joined.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) []scene.Rect {
	m := match.New(g.run, g.index, f.Trace, sel)
	if m == nil || !g.eff.Known() {
		return nil
	}
	s := layout(f, g)
	var places []scene.Rect
	last := -2
	for i := range max(len(s.edges)-1, 0) {
		if !m.Any(s.edges[i], s.edges[i+1]) {
			continue
		}
		x0, x1 := s.column(i)
		if last == i-1 {
			places[len(places)-1].X1 = x1
		} else {
			places = append(places, scene.Rect{X0: x0, Y0: s.pes.Y0, X1: x1, Y1: s.pes.Y1})
		}
		last = i
	}
	return places
}
