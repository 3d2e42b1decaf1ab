package sweep

import (
	"math"
	"slices"

	"whorl/visual/scene"
)

// mostAxes is the largest number of parallel axes.
const mostAxes = 12

// makeParallel makes an axis for each setting and for the numbers that tell most of a run. A run is a line across all axes.
func (g *Geometry) makeParallel(rows []int) {
	d := g.data
	columns := slices.Clone(d.settings)
	for _, name := range []string{"time_ns", "speedup", "parallel_efficiency", "messages", "idle_share"} {
		if i := d.index(name); slices.Contains(d.measures, i) {
			columns = append(columns, i)
		}
	}
	for _, i := range d.measures {
		if len(columns) < 2 {
			columns = append(columns, i)
		}
	}
	if len(columns) < 2 {
		g.notes = append(g.notes, "Parallel axes need two columns that vary.")
		return
	}
	columns = columns[:min(len(columns), mostAxes)]
	color := g.column(colorParam.Name, d.firstName(d.settings))
	g.style(rows, color, nil)
	g.subject = "All runs"
	all := make([]int, d.table.Rows)
	for row := range all {
		all[row] = row
	}
	for _, i := range columns {
		if d.table.Columns[i].Texts != nil {
			s, _ := d.categories(i, all)
			g.axes = append(g.axes, s)
			continue
		}
		g.axes = append(g.axes, d.numbers(i, d.table.Columns[i].Numbers, slices.Contains(d.settings, i)))
	}
	g.notes = append(g.notes, "Each line is a run.")
	m := mark{low: math.NaN(), high: math.NaN()}
	for _, row := range rows {
		m.rows = []int{row}
		m.color, _ = g.styleOf(row)
		g.runs = append(g.runs, m)
	}
}

// An upright is the place of a parallel axis.
type upright struct {
	*scale
	x, y0, y1 float64
	room      float64 // to the next axis
}

// least is the least distance of two axes, in em.
const least = 3

// uprights lays out the parallel axes.
func (s *sheet) uprights() (out []upright) {
	n := len(s.g.axes)
	if n == 0 {
		return nil
	}
	left := 0.0 // for the labels of the first axis; no line goes further left
	for _, t := range s.g.axes[0].ticks(int(s.Area.H() / (4 * s.em))) {
		left = max(left, float64(s.Text.Width(t.text, s.Style.Font, scene.Regular)))
	}
	left = max(min(left, s.Area.W()/float64(n+1))+0.9*s.em, 1.5*s.em)
	left = max(min(left, s.Area.W()-least*s.em*float64(n)), 1.5*s.em) // the axes come first
	step := (s.Area.W() - left) / float64(n)
	for i := range s.g.axes {
		out = append(out, upright{
			&s.g.axes[i], math.Round(s.Area.X0 + left + float64(i)*step), math.Round(s.Area.Y0 + 3.6*s.em), math.Round(s.Area.Y1 - 1.2*s.em), step,
		})
	}
	return out
}

// place returns the height of a row on an axis, or false if it has no value there.
func (u *upright) place(d *data, row int) (float64, bool) {
	v := 0.0
	if c := &d.table.Columns[u.column]; c.Numbers != nil {
		v = c.Numbers[row]
	} else {
		v = float64(slices.Index(u.names, d.text(u.column, row)))
	}
	if math.IsNaN(v) || v < 0 && u.names != nil {
		return 0, false
	}
	return u.y1 - u.share(v)*(u.y1-u.y0), true
}

// way returns the points of a run on the axes; an unknown value interrupts it.
func (s *sheet) way(us []upright, row int) (points []float32) {
	for i := range us {
		if y, ok := us[i].place(s.g.data, row); ok {
			points = append(points, float32(us[i].x), float32(y))
		}
	}
	return points
}

func (s *sheet) drawParallel(out *scene.List) {
	us := s.uprights()
	if len(us) == 0 || us[0].room < least*s.em || us[0].y1-us[0].y0 < 3*s.em {
		return
	}
	alpha := uint8(max(40, min(255, 12000/max(len(s.g.runs), 1))))
	for i := range s.g.runs {
		m := &s.g.runs[i]
		out.Polyline(s.way(us, m.rows[0]), scene.Stroke{Width: 1.2 * s.hair(), Color: s.g.styles.ink(m.color).Alpha(alpha)})
	}
	font := s.Style.Font
	for i := range us {
		u := &us[i]
		x := float32(u.x)
		out.Line(x, float32(u.y0), x, float32(u.y1), 1.5*s.hair(), s.Style.Ink)
		s.drawBrush(out, u)
		room := 2 * u.room
		if i+1 == len(us) {
			room = u.room
		}
		y := u.y0 - (1.0+1.3*float64(1-i%2))*s.em // titles alternate between two lines, so that each has the room of two axes
		s.Write(out, u.x-0.4*s.em, y, u.title, room-0.6*s.em, scene.TextStyle{Size: font, Color: s.Style.Ink, Face: scene.Bold})
		lowest := math.Inf(1)
		for _, t := range u.ticks(int((u.y1 - u.y0) / (4 * s.em))) {
			y := u.y1 - t.share*(u.y1-u.y0)
			out.Line(x-float32(0.25*s.em), float32(y), x, float32(y), s.hair(), s.Style.Ink)
			room, style := u.room-0.9*s.em, scene.TextStyle{Size: font, Color: s.Style.Ink, VAlign: scene.Center}
			if i == 0 {
				room = u.x - s.Area.X0 - 0.5*s.em
			}
			text := scene.ElideMiddle(s.Text, t.text, float32(room), font, scene.Regular)
			if lowest-y < 1.3*s.em || text == "" {
				continue
			}
			lowest = y
			if i == 0 {
				style.Anchor = scene.End
				out.Text(x-float32(0.4*s.em), float32(y), text, style)
				continue
			}
			w := s.Text.Width(text, font, scene.Regular)
			ground := scene.Rect{X0: u.x + 0.35*s.em, Y0: y - 0.6*s.em, X1: u.x + 0.65*s.em + float64(w), Y1: y + 0.6*s.em}
			out.Fill(ground, s.Style.Ground.Alpha(240)) // over the lines
			out.Text(x+float32(0.5*s.em), float32(y), text, style)
		}
	}
}

// drawBrush draws the range of an axis whose runs are kept.
func (s *sheet) drawBrush(out *scene.List, u *upright) {
	for _, c := range s.g.keep {
		if c.column != u.column {
			continue
		}
		half := 0.45 * s.em
		if c.values == nil {
			low, high := max(c.low, u.lo), min(c.high, u.hi)
			y0, y1 := u.y1-u.share(high)*(u.y1-u.y0), u.y1-u.share(low)*(u.y1-u.y0)
			s.brush(out, scene.Rect{X0: u.x - half, Y0: y0, X1: u.x + half, Y1: max(y1, y0+2)})
			continue
		}
		for row := range s.g.data.table.Rows {
			if y, ok := u.place(s.g.data, row); ok && c.meets(s.g.data, row) {
				s.brush(out, scene.Rect{X0: u.x - half, Y0: y - half, X1: u.x + half, Y1: y + half})
				if u.names != nil && len(c.values) == 1 {
					break
				}
			}
		}
	}
}

func (s *sheet) brush(out *scene.List, r scene.Rect) {
	out.Fill(r, s.Style.Accent.Alpha(90))
	out.Frame(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), s.hair(), s.Style.Accent)
}
