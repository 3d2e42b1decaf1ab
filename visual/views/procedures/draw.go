package procedures

import (
	"math"
	"path"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/lineplot"
)

// Base draws the visible rows.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := layout(f, g)
	s.heads(out)
	first, end := s.Shown()
	for i := first; i < end; i++ {
		s.entry(out, s.l.rows[i], i, s.row(i).Y0)
	}
	if len(s.l.rows) == 0 && s.Visible > 0 {
		none := scene.TextStyle{Size: f.Style.Font, Color: f.Style.Muted}
		s.Write(out, s.name.x0, s.baseline(s.Body.Y0), "The trace has no counts in a known "+g.Word()+".", s.x1-s.Area.X0-s.em, none)
	}
	s.Thumb(out, s.Area.X1, s.em, s.Style.Line)
}

// baseline returns the baseline of the text of a row with its top at y.
func (s *sheet) baseline(y float64) float64 { return y + math.Round(1.15*s.em) }

func (s *sheet) text(out *scene.List, x, y float64, t string, style scene.TextStyle) {
	out.Text(float32(x), float32(s.baseline(y)), t, style)
}

func (s *sheet) heads(out *scene.List) {
	if s.Area.H() < s.Line {
		return
	}
	y := s.Area.Y0
	bold := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Ink, Face: scene.Bold}
	muted := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Muted}
	s.Write(out, s.name.x0, s.baseline(y), view.Capital(s.g.Word()), s.name.x1-s.name.x0, bold)
	for _, c := range []struct {
		column
		text   string
		anchor scene.Anchor
	}{
		{s.ticks, s.g.Noun(), scene.End},
		{s.share, "share", scene.End},
		{s.inclusive, "with calls", scene.End},
		{s.place, "at", scene.Start},
		{s.heat, s.columnsName(), scene.Start},
	} {
		if c.shown() {
			muted.Anchor = c.anchor
			x := c.x0
			if c.anchor == scene.End {
				x = c.x1
			}
			s.Write(out, x, s.baseline(y), c.text, c.x1-c.x0, muted)
		}
	}
	rule := float32(max(math.Round(s.em/14), 1))
	out.Rect(float32(s.Area.X0), float32(y+s.Line)-rule, float32(s.x1), float32(y+s.Line), s.Style.Line)
}

func (s *sheet) columnsName() string {
	switch {
	case s.g.across.Mode == lineplot.Ranks:
		return "least to most"
	case s.g.Profile.PEs == 1:
		return "PE 0"
	}
	if !slices.IsSorted(s.l.across.PEs) {
		return "PEs"
	}
	return "PEs 0–" + figures.Count(int64(s.g.Profile.PEs-1))
}

// entry draws a procedure at y. A procedure without ticks has a negative rank.
func (s *sheet) entry(out *scene.List, e entry, rank int, y float64) {
	plain := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Ink}
	muted := scene.TextStyle{Size: s.Style.Font, Color: s.Style.Muted}
	right := plain
	right.Anchor = scene.End
	if rank >= 0 {
		r := muted
		r.Anchor = scene.End
		s.text(out, s.rank, y, strconv.Itoa(rank+1), r)
	}
	s.WriteName(out, s.name.x0, s.baseline(y), s.g.Named(e.function), s.name.x1-s.name.x0, plain)
	total := int64(0)
	if e.row != nil {
		total = e.row.Total
	}
	if s.ticks.shown() {
		s.text(out, s.ticks.x1, y, e.ticks, right)
	}
	if s.share.shown() {
		s.text(out, s.share.x1, y, figures.Percent(total, max(s.l.total, 1)), right)
	}
	if s.inclusive.shown() {
		s.text(out, s.inclusive.x1, y, s.g.Short(e.inclusive), right)
	}
	if f := &s.g.Profile.Functions[e.function]; s.place.shown() && f.File >= 0 && f.First > 0 && !s.g.Profile.Files[f.File].Bare {
		file, line := s.g.Profile.Files[f.File].Name, ":"+strconv.Itoa(int(f.First))
		place := file + line
		if float64(s.Text.Width(place, s.Style.Font, scene.Regular)) > s.place.x1-s.place.x0 {
			place = path.Base(file) + line
		}
		s.WriteName(out, s.place.x0, s.baseline(y), place, s.place.x1-s.place.x0, muted)
	}
	y0, y1 := float32(math.Round(y+0.4*s.em)), float32(math.Round(y+s.Line-0.4*s.em))
	if s.bar.shown() {
		x0, w := math.Round(s.bar.x0), math.Round(s.bar.x1-s.bar.x0)
		out.Rect(float32(x0), y0, float32(x0+w), y1, s.Style.Ground.Mix(s.Style.Line, 0.5))
		share := float64(total) / float64(s.l.most)
		amount := int64(float64(s.l.scale.Full()) * share)
		if part := math.Round(w * math.Abs(share)); part > 0 {
			if amount == 0 {
				amount = 1
			}
			out.Rect(float32(x0), y0, float32(x0+part), y1, s.l.scale.Color(amount))
		}
	}
	if s.heat.shown() {
		n, w := float64(len(e.heat)), s.heat.x1-s.heat.x0
		out.Rect(float32(s.heat.x0), y0, float32(s.heat.x1), y1, s.g.colours.None)
		for k, c := range e.heat {
			x0, x1 := math.Round(s.heat.x0+w*float64(k)/n), math.Round(s.heat.x0+w*float64(k+1)/n)
			if w/n >= 5 && k+1 < len(e.heat) {
				x1--
			}
			if c != 0 {
				out.Rect(float32(x0), y0, float32(max(x1, x0+1)), y1, s.l.scale.Color(c))
			}
		}
	}
}
