package calltable

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
	"whorl/visual/view/trail"
)

// A sheet is the layout of a frame.
type sheet struct {
	*view.Frame
	view.Rows // below the headings
	g         *Geometry
	em        float64
	x1        float64 // right end of the rows
	trail     trail.Trail
	columns   []column // from left to right
}

// A column is a field at its position in pixels.
type column struct {
	*field
	x0, x1 float64
}

// A field is the content of a column.
type field struct {
	sort  string // value of the parameter sort; "" if the column cannot be sorted by
	title func(g *Geometry) string
	text  func(g *Geometry, r *row) string // nil for columns of graphics
	left  bool                             // it is aligned to the left
	rank  int                              // narrow panes have the columns of lowest rank
	ems   float64                          // least width of graphics and names
}

// The ranks of the columns of graphics.
const (
	differing = -1
	strip     = 5
	bars      = 6
)

func titled(s string) func(*Geometry) string { return func(*Geometry) string { return s } }

// fields are all columns after the name, from left to right.
var fields = []field{
	{sort: byDiffers, rank: differing, title: (*Geometry).compared, text: func(_ *Geometry, r *row) string { return contexts.Percent(r.share) }, ems: 11},
	{sort: byInclusive, rank: 1, title: titled("inclusive"), text: func(g *Geometry, r *row) string { return g.short(r.in) }},
	{sort: byInclusive, rank: 2, title: titled("share"), text: func(g *Geometry, r *row) string { return figures.SignedPercent(r.in, g.In[0]) }},
	{rank: bars, title: titled(""), ems: 5},
	{sort: byExclusive, rank: 3, title: titled("exclusive"), text: func(g *Geometry, r *row) string { return g.short(r.ex) }},
	{sort: byVisits, rank: 9, title: (*Geometry).visited, text: func(_ *Geometry, r *row) string { return figures.Count(r.visits) }},
	{sort: byMean, rank: 8, title: titled("mean"), text: func(g *Geometry, r *row) string { return g.mean(r.spread.Mean) }},
	{sort: byLeast, rank: 10, title: titled("least"), text: func(g *Geometry, r *row) string { return g.short(r.spread.Least) }},
	{sort: byMost, rank: 7, title: titled("most"), text: func(g *Geometry, r *row) string { return g.short(r.spread.Most) }},
	{sort: bySpread, rank: 4, title: titled("spread"), text: func(_ *Geometry, r *row) string { return figures.Share(r.spread.Relative(), 0) }},
	{rank: strip, title: (*Geometry).processes, ems: 7},
	{sort: byModule, rank: 11, title: (*Geometry).files, text: func(g *Geometry, r *row) string { return r.module }, left: true, ems: 8},
}

// visited returns the heading of the visits, or "" if there are none.
func (g *Geometry) visited() string {
	if m, ok := g.Visits(); ok {
		return g.Metrics[m].Name
	}
	return ""
}

// files returns the heading of the files, or "" if none is known.
func (g *Geometry) files() string {
	if g.filed {
		return "file"
	}
	return ""
}

// compared returns the heading of the differences, or "" if nothing is compared.
func (g *Geometry) compared() string {
	if g.diff.Compared() {
		return "difference"
	}
	return ""
}

func (g *Geometry) processes() string {
	if len(g.PE) < 2 {
		return ""
	}
	return "PEs " + figures.Count(int64(g.PE[0])) + "–" + figures.Count(int64(g.PE[len(g.PE)-1]))
}

// short formats an amount without the name of the metric. Times have the unit of the total, or their own if it would leave less than two
// digits.
func (g *Geometry) short(n int64) string {
	m := &g.Metrics[g.Metric]
	scale := cmp.Or(m.Scale, 1)
	if m.Unit != "ns" && m.Unit != "nanoseconds" {
		if scale != 1 {
			return strconv.FormatFloat(float64(n)*scale, 'g', 4, 64)
		}
		return figures.Count(n)
	}
	whole := math.Abs(float64(g.In[0])) * scale
	unit, ns := figures.TimeUnit(whole)
	decimals := 0
	for x := whole / ns; ns > 1 && x < 1000 && decimals < 3; x *= 10 {
		decimals++
	}
	switch text := figures.Fixed(float64(n)*scale/ns, decimals); {
	case n == 0:
		return "0"
	case ns > 1 && math.Abs(float64(n))*scale/ns*math.Pow10(decimals) < 10:
		return g.Amount(n)
	default:
		return text + " " + unit
	}
}

// mean formats a mean like short; means of small counts have decimals.
func (g *Geometry) mean(x float64) string {
	if m := &g.Metrics[g.Metric]; m.Unit != "ns" && m.Unit != "nanoseconds" && cmp.Or(m.Scale, 1) == 1 {
		if all := math.Abs(g.Of(0).Mean); all < 1000 {
			return figures.Fixed(x, 2)
		}
	}
	return g.short(callingcontext.Rounded(x))
}

func layout(f *view.Frame, g *Geometry) *sheet {
	s := &sheet{Frame: f, g: g, em: float64(f.Style.Font)}
	line := math.Round(1.7 * s.em)
	s.x1 = f.Area.X1 - math.Round(0.6*s.em)
	y := f.Area.Y0
	s.trail = g.Trail(f, g.root)
	if len(s.trail.Boxes()) > 0 {
		y += 2.3 * s.em
	}
	body := scene.Rect{X0: f.Area.X0, X1: s.x1, Y0: y + line, Y1: f.Area.Y1 - math.Round(0.3*s.em)}
	if s.Rows = view.NewRows(body, line, len(s.g.rows), f.Camera); s.Visible > 1 && s.Visible < s.N { // a line says how many more there are
		body.Y1 = body.Y0 + line*float64(s.Visible-1)
		s.Rows = view.NewRows(body, line, s.N, f.Camera)
	}
	s.share()
	return s
}

func (s *sheet) width(t string) float64 {
	return math.Ceil(float64(s.Text.Width(t, s.Style.Font, scene.Regular)))
}

// share divides the width among the columns. Columns that do not fit are left out, those of highest rank first; names get the rest.
func (s *sheet) share() {
	room := s.x1 - s.Area.X0 - 0.5*s.em
	names := min(max(11*s.em, 0.3*room), 34*s.em)
	left := room - names
	var chosen []*field
	for i := range fields {
		chosen = append(chosen, &fields[i])
	}
	slices.SortStableFunc(chosen, func(a, b *field) int { return a.rank - b.rank })
	needs := map[*field]float64{}
	for _, f := range chosen {
		title := f.title(s.g)
		if f.text != nil && title == "" || f.rank == strip && (title == "" || len(s.g.PE) < 2) { // no such values, or one process
			continue
		}
		if len(s.g.PE) < 2 && (f.sort == byMean || f.sort == byLeast || f.sort == byMost || f.sort == bySpread) {
			continue
		}
		need := max(f.ems*s.em, s.need(f, title)) + s.em
		if need > left {
			continue
		}
		left -= need
		needs[f] = need
	}
	x := s.Area.X0 + 0.5*s.em
	s.columns = append(s.columns, column{&nameField, x, x + names + min(left, 30*s.em)})
	x = s.columns[0].x1
	for i := range fields {
		if need := needs[&fields[i]]; need > 0 {
			s.columns = append(s.columns, column{&fields[i], x + s.em, x + need})
			x += need
		}
	}
}

// showsColumn reports whether a column of a sort is shown.
func (s *sheet) showsColumn(sort string) bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return c.sort == sort })
}

// showsBars reports whether the bars are shown.
func (s *sheet) showsBars() bool {
	return slices.ContainsFunc(s.columns, func(c column) bool { return c.rank == bars })
}

var nameField = field{sort: byName, title: func(g *Geometry) string { return view.Capital(g.Word()) }, left: true}

// need returns the width of the texts of a column, including its heading with the arrow. It is computed once, because tables are long.
func (s *sheet) need(f *field, title string) float64 {
	key := title + strconv.FormatFloat(s.em, 'f', 1, 64)
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	w, ok := s.g.widest[key]
	if !ok {
		if w = s.width(title) + s.em; f.text != nil && !f.left {
			rows := s.g.rows
			for i := range rows[:min(len(rows), 500)] {
				w = max(w, s.width(f.text(s.g, &rows[i])))
			}
			if len(rows) > 500 { // later rows may be wider
				most := rows[0]
				most.share = -s.g.differs
				for i := range rows {
					r := &rows[i]
					most.in, most.ex, most.visits = max(most.in, r.in), max(most.ex, r.ex), max(most.visits, r.visits)
					most.spread.Mean, most.spread.Most = max(most.spread.Mean, r.spread.Mean), max(most.spread.Most, r.spread.Most)
				}
				w = max(w, s.width(f.text(s.g, &most)))
			}
		}
		s.g.widest[key] = w
	}
	return w
}

// heading returns the column whose heading is at a pixel, or nil.
func (s *sheet) heading(x, y float64) *column {
	if y < s.Body.Y0-s.Line || y >= s.Body.Y0 || y > s.Area.Y1 {
		return nil
	}
	for i := range s.columns {
		if c := &s.columns[i]; c.sort != "" && x >= c.x0-s.em/2 && x <= c.x1+s.em/2 {
			return c
		}
	}
	return nil
}

// indent returns the x of the sign that opens and closes a row. Deep trees have smaller steps.
func (s *sheet) indent(r *row) float64 {
	c := s.columns[0]
	step := 1.1 * s.em
	if most := (c.x1 - c.x0) * 0.5; s.g.deep > 0 {
		step = min(step, most/float64(s.g.deep))
	}
	return c.x0 + float64(r.depth)*step
}

// sign returns the box of this sign.
func (s *sheet) sign(i int) scene.Rect {
	r := s.Row(i)
	x := s.indent(&s.g.rows[i])
	return scene.Rect{X0: x - 0.2*s.em, Y0: r.Y0, X1: x + 1.1*s.em, Y1: r.Y1}
}
