package procedures

import (
	"math"
	"slices"
	"strconv"

	"whorl/tracer/derive/lineprofile"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet holds the positions of rows and columns in a frame.
type sheet struct {
	*view.Frame
	view.Rows // the listed rows, between the title row and the bottom row
	g         *Geometry
	l         *list
	em        float64
	x1        float64 // right end of the rows
	rank      float64 // right end of the ranks

	name, place, inclusive, ticks, share, bar, heat column
}

// A column has its ends in pixels; both are 0 if it does not fit.
type column struct{ x0, x1 float64 }

func (c column) shown() bool { return c.x1 > c.x0 }

// layout places the rows and columns of a frame.
func layout(f *view.Frame, g *Geometry) *sheet {
	s := &sheet{Frame: f, g: g, l: g.list(f.Counted(), g.across.In(f.Window)), em: float64(f.Style.Font)}
	line := math.Round(1.7 * s.em)
	s.x1 = f.Area.X1 - math.Round(0.6*s.em)
	body := scene.Rect{X0: f.Area.X0, X1: s.x1, Y0: f.Area.Y0 + line, Y1: f.Area.Y1 - line - math.Round(0.3*s.em)}
	s.Rows = view.NewRows(body, line, len(s.l.rows), f.Camera)
	s.columns()
	return s
}

// columns distributes the width, to the most important columns first.
func (s *sheet) columns() {
	width := func(t string) float64 { return math.Ceil(float64(s.Text.Width(t, s.Style.Font, scene.Regular))) }
	pad := s.em
	s.rank = s.Area.X0 + 0.4*s.em + width(strconv.Itoa(max(len(s.l.all), 10)))
	s.name.x0 = s.rank + 0.7*s.em
	widest := 0.0
	for i := range s.l.rows[:min(len(s.l.rows), 200)] {
		widest = max(widest, width(s.g.Named(s.l.rows[i].function)))
	}
	names := max(min(widest, 22*s.em), 6*s.em)
	left := s.x1 - s.name.x0 - names
	ask := func(need float64) float64 {
		if need += pad; left < need {
			return 0
		}
		left -= need
		return need
	}
	number := max(width(s.g.Noun()), width(s.l.widest))
	ticks, share := ask(number), ask(max(width("share"), width("100 %")))
	inclusive := 0.0
	if s.g.Profile.Stacks {
		inclusive = ask(max(width("with calls"), width(s.g.Short(s.l.total))))
	}
	heat := ask(min(max(float64(s.g.across.N)*0.35, 5), 14) * s.em)
	bar := ask(barEms * s.em)
	place := 0.0
	if s.g.placed() {
		place = ask(min(max(left-pad, 8*s.em), 14*s.em))
	}
	// Names in a wide pane may be longer. The rest is for the bars of PEs, which become at most twice as wide.
	spare := max(left-(nameEms*s.em-names), 0)
	wider := min(spare, heat)
	heat += wider
	end := s.x1 - (spare - wider)
	put := func(w float64) (c column) {
		if w > 0 {
			c = column{end - w + pad, end}
			end -= w
		}
		return c
	}
	s.heat, s.bar, s.share, s.ticks, s.inclusive, s.place = put(heat), put(bar), put(share), put(ticks), put(inclusive), put(place)
	s.name.x1 = end
}

// The width of the bars of shares and the largest width of names, in ems.
const barEms, nameEms = 7, 34

// placed reports whether any procedure has a known place.
func (g *Geometry) placed() bool {
	return slices.ContainsFunc(g.Profile.Functions, func(f lineprofile.Function) bool {
		return f.File >= 0 && f.First > 0 && !g.Profile.Files[f.File].Bare
	})
}

// row returns the rectangle of row i; the bottom row is len(rows).
func (s *sheet) row(i int) scene.Rect {
	r := s.Row(i)
	if i == s.N {
		r.Y0, r.Y1 = s.Area.Y1-s.Line, s.Area.Y1
	}
	return r
}

// rowAt returns the row at a pixel: -1 for the title row, len(rows) for the bottom row.
func (s *sheet) rowAt(x, y float64) (int, bool) {
	if x < s.Area.X0 || x > s.x1 || y < s.Area.Y0 || y > s.Area.Y1 {
		return 0, false
	}
	if y < s.Body.Y0 {
		return -1, true
	}
	if i, ok := s.RowAt(x, y); ok {
		return i, true
	}
	if s.row(len(s.l.rows)).Contains(x, y) && s.row(len(s.l.rows)).Y0 >= s.Body.Y0 {
		return len(s.l.rows), true
	}
	return 0, false
}
