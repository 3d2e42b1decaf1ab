package detail

import (
	"math"
	"path"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Bounds returns a point: lines are not scaled to the pane.
func (l *Listing) Bounds() scene.Rect { return scene.Rect{} }

// Base draws the lines and their instructions.
func (l *Listing) Base(f *view.Frame, out *scene.List) {
	s := l.sheet(f)
	if len(s.items) == 0 {
		const none = "The trace has no instructions of these lines: their procedure has no samples, or the trace no instructions."
		for i, t := range view.Wrap(f.Text, none, float32(f.Area.W()-2*s.em), s.size, scene.Regular) {
			out.Text(float32(f.Area.X0+s.em), float32(s.top+(float64(i)+1.2)*s.line), t, scene.TextStyle{Size: s.size, Color: f.Style.Muted})
		}
		return
	}
	lower := float32(s.top - math.Round(0.45*s.em))
	upper := float32(0)
	if s.top-f.Area.Y0 > 2*s.em {
		upper = float32(f.Area.Y0 + math.Round(1.0*s.em))
		l := s.items[s.first].line
		room := f.Area.X1 - s.text
		f.Write(out, s.text, float64(upper), path.Base(s.g.Place(l)), room, scene.TextStyle{Size: 0.92 * s.size, Color: f.Style.Ink, Face: scene.Bold})
		f.WriteName(out, s.text, float64(lower), s.g.Named(s.g.Profile.FunctionAt(l)), room, scene.TextStyle{Size: 0.92 * s.size, Color: f.Style.Muted})
	}
	s.headings(out, upper, lower, s.text-0.9*s.em)
	out.Line(float32(f.Area.X0), float32(s.top)-0.5, float32(f.Area.X1), float32(s.top)-0.5, 1, f.Style.Line)
	scale := s.scale()
	counts := make([]int64, s.across.N)
	end := min(s.first+s.visible, len(s.items))
	for k := s.first; k < end; k++ {
		s.item(out, k, counts, scale)
	}
}

// item draws item k. counts is scratch space.
func (s *sheet) item(out *scene.List, k int, counts []int64, scale lineplot.Scale) {
	f, it := s.f, s.items[k]
	y0, y1 := s.y(k), s.y(k+1)
	room := f.Area.X1 - s.text - 0.3*s.em
	baseline := float64(baseline(y0, y1, s.size))
	if it.code == 0 {
		if !s.bare {
			out.Rect(float32(f.Area.X0), float32(y0), float32(f.Area.X1), float32(y1)-1, f.Style.Ground.Mix(f.Style.Line, 0.45))
		} else {
			out.Rect(float32(s.x(0)), float32(y0), float32(s.end()), float32(y1), s.g.colours.None)
			if pes, ns, ok := s.ticks(it); ok {
				s.across.Fold(pes, ns, counts)
				s.cells(out, y0, y1, counts, scale)
			}
		}
		if s.number > f.Area.X0+s.em {
			out.Text(float32(s.number), float32(baseline), strconv.Itoa(int(it.line.Line)), scene.TextStyle{Size: s.size, Color: f.Style.Muted, Face: scene.Mono, Anchor: scene.End})
		}
		f.Write(out, s.text, baseline, strings.TrimSpace(s.g.text.Line(it.line)), room, scene.TextStyle{Size: s.size, Color: f.Style.Ink, Face: scene.Mono})
		return
	}
	out.Rect(float32(s.x(0)), float32(y0), float32(s.end()), float32(y1), s.g.colours.None)
	ink := f.Style.Muted
	if pes, ns, ok := s.ticks(it); ok {
		s.across.Fold(pes, ns, counts)
		s.cells(out, y0, y1, counts, scale)
		ink = f.Style.Ink
	}
	f.Write(out, s.text, baseline, "  "+s.g.Run.Codes[it.code].Name, room, scene.TextStyle{Size: s.size, Color: ink, Face: scene.Mono})
}

// Legend explains the heat scale and the listed lines.
func (l *Listing) Legend(f *view.Frame) view.Legend {
	s := l.sheet(f)
	legend := l.Plot.Legend(f, "Instructions by processors: "+f.DetailName())
	heat := lineplot.Ramp(l.Plot, s.scale())
	heat.Notes = append(heat.Notes, s.across.Notes()...)
	legend.Blocks = append(legend.Blocks, heat, view.Block{Title: "Run", Facts: l.Run.Facts()})
	if len(s.items) > 0 {
		lines := func(first, last int32) string {
			if first == last {
				return "line " + figures.Count(int64(first))
			}
			return "lines " + figures.Count(int64(first)) + "–" + figures.Count(int64(last))
		}
		first, last := s.items[s.first].line, s.items[min(s.first+s.visible, len(s.items))-1].line
		shown := "Instructions of " + lines(first.Line, last.Line) + " of " + path.Base(l.Profile.Files[first.File].Name) + " are shown."
		if from, to := s.items[0].line.Line, s.items[len(s.items)-1].line.Line; from < first.Line || last.Line < to {
			shown += " The listing has those of " + lines(from, to) + "."
		}
		if s.bare {
			shown = "The trace has no instructions: lines are shown without them."
		}
		legend.Blocks = append(legend.Blocks, view.Block{Title: "Listing", Notes: append([]string{shown}, l.Notes()...)})
	}
	return legend
}
