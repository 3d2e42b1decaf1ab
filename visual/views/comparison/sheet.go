package comparison

import (
	"math"
	"slices"
	"strconv"

	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is the layout of a frame.
type sheet struct {
	*view.Frame
	view.Rows // below the headings
	g         *Geometry
	em        float64
	small     float32 // size of the differences
	fields    []field // from left to right; the first has the numbers of the rows
	hidden    int     // columns without room
}

// A field is a column at its position in pixels. A number ends at value, its difference at x1.
type field struct {
	*column       // nil for the numbers of the rows
	x0, x1, value float64
	bars          bool
}

// names are the widest and the least room of a column of names, in ems.
const (
	widestName = 22
	leastName  = 4
)

func layout(f *view.Frame, g *Geometry) *sheet {
	s := &sheet{Frame: f, g: g, em: float64(f.Style.Font), small: f.Style.Font * 0.85}
	line := math.Round(1.9 * s.em)
	body := scene.Rect{X0: f.Area.X0, X1: f.Area.X1 - math.Round(0.6*s.em), Y0: f.Area.Y0 + line, Y1: f.Area.Y1 - math.Round(0.3*s.em)}
	if float64(len(g.rows))*line > body.H() { // a line says how many more there are
		body.Y1 -= line
	}
	s.Rows = view.NewRows(body, line, len(g.rows), f.Camera)
	s.share()
	return s
}

func (s *sheet) width(t string, size float32) float64 {
	return math.Ceil(float64(s.Text.Width(t, size, scene.Regular)))
}

// widest returns the width of the widest of some texts.
func (s *sheet) widest(texts []string, size float32) (w float64) {
	for _, t := range texts {
		w = max(w, s.width(t, size))
	}
	return w
}

// share divides the width among the columns. Those without room are left out, the ones of highest rank first. Numbers lose their differences
// before one of the first three columns of numbers is left out. What is left over widens the bars.
func (s *sheet) share() {
	gap := s.em
	number := s.widest([]string{"#", strconv.Itoa(len(s.g.rows))}, s.Style.Font) + 0.5*gap
	room := s.Body.W() - 0.5*s.em - number
	type part struct {
		c                *column
		value, diff, sum float64
	}
	parts := make([]part, len(s.g.columns))
	order := make([]int, len(parts))
	for i := range parts {
		c := &s.g.columns[i]
		p := part{c: c, value: s.widest(c.texts, s.Style.Font)}
		heading := s.width(c.heading, s.Style.Font) + s.em // with the arrow
		if c.values == nil {
			p.value = min(max(p.value, heading, leastName*s.em), widestName*s.em)
		} else if c.changes != nil {
			p.diff = s.widest(c.changes, s.small) + 0.7*s.em
		}
		p.sum = max(p.value+p.diff, heading)
		parts[i], order[i] = p, i
	}
	slices.SortStableFunc(order, func(a, b int) int { return parts[a].c.rank - parts[b].c.rank })
	const most = 3 // columns of numbers that are worth more than differences
	need, numbers := 0.0, 0
	for _, i := range order {
		if p := &parts[i]; p.c.bars && numbers < most {
			numbers++
			need += p.sum + gap
		} else if !p.c.bars {
			need += p.sum + gap
		}
	}
	if need > room {
		for i := range parts {
			p := &parts[i]
			p.sum -= p.diff
			p.sum, p.diff = max(p.sum, p.value, s.width(p.c.heading, s.Style.Font)+s.em), 0
		}
	}
	shown, bars := map[int]bool{}, 0.0
	for _, i := range order {
		if w := parts[i].sum + gap; w <= room {
			room -= w
			shown[i] = true
			if parts[i].c.bars {
				bars++
			}
		} else {
			s.hidden++
		}
	}
	extra := 0.0
	if bars > 0 {
		extra = math.Floor(min(room/bars, 5*s.em))
	}
	x := s.Body.X0 + 0.5*s.em
	s.fields = append(s.fields, field{x0: x, x1: x + number - 0.5*gap})
	x += number
	for i := range parts {
		if p := &parts[i]; shown[i] {
			w := p.sum
			if p.c.bars {
				w += extra
			}
			f := field{column: p.c, x0: math.Round(x + gap/2), x1: math.Round(x + gap/2 + w), bars: p.c.bars}
			f.value = f.x1 - p.diff
			s.fields = append(s.fields, f)
			x += w + gap
		}
	}
}

// heading returns the column whose heading is at a pixel, or nil.
func (s *sheet) heading(x, y float64) *field {
	if y < s.Area.Y0 || y >= s.Body.Y0 {
		return nil
	}
	i := slices.IndexFunc(s.fields, func(f field) bool { return x >= f.x0-s.em/2 && x < f.x1+s.em/2 })
	if i < 0 {
		return nil
	}
	return &s.fields[i]
}

// key returns the value of the parameter sort of a field.
func (f *field) key() string {
	if f.column == nil {
		return byOrder
	}
	return f.column.key
}

// title returns the heading of a field.
func (f *field) title() string {
	if f.column == nil {
		return "#"
	}
	return f.heading
}

// showsDifferences reports whether any column has room for differences.
func (s *sheet) showsDifferences() bool {
	return slices.ContainsFunc(s.fields, func(f field) bool { return f.bars && f.value < f.x1 })
}
