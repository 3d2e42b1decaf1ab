package waits

import (
	"math"
	"slices"

	"whorl/internal/figures"
	"whorl/tracer/derive/waits"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// A sheet is the layout of a frame.
type sheet struct {
	*view.Frame
	view.Rows // below the headings and the sums
	g         *Geometry
	em        float64
	x0, x1    float64
	columns   []column
	chain     chainBox
	rest      string // the line below the rows that lists the parts left out
}

// A chainBox is the part of a sheet below the table. Its Y0 is Y1 if there is none.
type chainBox struct {
	scene.Rect
	lines int // segments that fit
}

func (c *chainBox) shown() bool { return c.Y1 > c.Y0 }

// A column is a field at its position in pixels.
type column struct {
	*field
	x0, x1 float64
}

// A field is the content of a column.
type field struct {
	sort, title string
	rank        int // narrow panes have the columns of lowest rank
	value       func(e *entry) int64
	cause       func(b *waits.Block) int64 // nil for none
	count       bool                       // a number, otherwise a time
	kept        bool                       // shown although all values are 0
}

func state(s waits.State) func(e *entry) int64 { return func(e *entry) int64 { return e.times[s] } }

// fields are the columns of numbers from left to right.
var fields = []field{
	{sort: sortTasks, title: "tasks", rank: 4, value: func(e *entry) int64 { return e.tasks }, count: true},
	{sort: sortLife, title: "life", rank: 6, value: func(e *entry) int64 { return e.times.Sum() }},
	{sort: "running", title: "running", rank: 2, value: state(waits.Running), kept: true},
	{sort: "kernel", title: "kernel", rank: 8, value: state(waits.Kernel)},
	{sort: "runtime", title: "runtime", rank: 11, value: state(waits.Runtime)},
	{sort: "collector", title: "collector", rank: 9, value: state(waits.Collector)},
	{sort: "messages", title: "messages", rank: 10, value: state(waits.Messaging)},
	{sort: "ready", title: "ready", rank: 3, value: state(waits.Ready)},
	{sort: "blocked", title: "blocked", rank: 1, value: state(waits.Blocked), cause: func(b *waits.Block) int64 { return b.Time }, kept: true},
	{sort: sortWaits, title: "waits", rank: 5, value: func(e *entry) int64 { return e.waits }, cause: func(b *waits.Block) int64 { return b.Count + b.Open }, count: true},
	{sort: sortLongest, title: "longest", rank: 7, value: func(e *entry) int64 { return e.most.To - e.most.From }, cause: func(b *waits.Block) int64 { return b.Most.To - b.Most.From }},
}

// text formats a number of a field.
func (f *field) text(n int64) string {
	switch {
	case f.count:
		return figures.Count(n)
	case n == 0:
		return "0"
	}
	return figures.Duration(n)
}

// all returns the sums of all rows.
func (l *list) all() entry {
	a := &l.waits.All
	return entry{tasks: a.Tasks, alive: a.Alive, waits: a.Waits, most: a.Most, times: &a.Times}
}

func layout(f *view.Frame, g *Geometry) *sheet {
	s := &sheet{Frame: f, g: g, em: float64(f.Style.Font)}
	line := math.Round(1.7 * s.em)
	s.x0, s.x1 = f.Area.X0+math.Round(0.5*s.em), f.Area.X1-math.Round(0.6*s.em)
	body := scene.Rect{X0: f.Area.X0, X1: s.x1, Y0: f.Area.Y0 + 2*line, Y1: f.Area.Y1 - math.Round(0.3*s.em)}
	s.chain.Rect = scene.Rect{X0: s.x0, X1: s.x1, Y0: body.Y1, Y1: body.Y1}
	if c := g.chain; c != nil && body.H() > 8*line {
		s.chain.lines = min(len(c.segments), int(0.5*body.H()/line)-2)
		lines := s.chain.lines + 2
		if s.chain.lines < len(c.segments) {
			lines++
		}
		s.chain.Y0 = body.Y1 - float64(lines)*line
		body.Y1 = s.chain.Y0 - math.Round(0.5*s.em)
	}
	s.Rows = view.NewRows(body, line, len(g.rows), f.Camera)
	if unlisted := g.unlisted(); s.Visible > 1 && (s.Visible < s.N || unlisted > 0) { // a line says how many more there are
		body.Y1 = body.Y0 + line*float64(s.Visible-1)
		s.Rows = view.NewRows(body, line, s.N, f.Camera)
		_, end := s.Shown()
		switch more := int64(s.N - end); {
		case more > 0:
			s.rest = "and " + figures.Count(more) + " more rows"
			if unlisted > 0 {
				s.rest += ", and " + figures.Count(unlisted) + " tasks that are listed by function only"
			}
		case unlisted > 0:
			s.rest = "and " + figures.Count(unlisted) + " tasks that are listed by function only"
		}
	}
	s.share()
	return s
}

func (s *sheet) width(t string) float64 {
	return math.Ceil(float64(s.Text.Width(t, s.Style.Font, scene.Bold)))
}

// The least and the largest width of the bars, in ems.
const leastBar, mostBar = 6, 22

// share divides the width among the columns. Columns that do not fit are left out, those of highest rank first; names and bars get the rest.
func (s *sheet) share() {
	room := s.x1 - s.x0
	names := min(max(11*s.em, 0.28*room), 40*s.em)
	left := room - names
	bar := 0.0
	if left > (leastBar+8)*s.em {
		bar = leastBar * s.em
		left -= bar + s.em
	}
	all := s.g.all()
	needs := make([]float64, len(fields))
	byRank := make([]int, len(fields))
	for i := range fields {
		byRank[i] = i
	}
	slices.SortFunc(byRank, func(a, b int) int { return fields[a].rank - fields[b].rank })
	for _, i := range byRank {
		f := &fields[i]
		sum := f.value(&all)
		if sum == 0 && !f.kept || f.sort == sortTasks && s.g.byTask {
			continue
		}
		need := s.width(f.title) + 1.1*s.em
		if f.count {
			need = max(need, s.width(f.text(sum)))
		} else {
			need = max(need, s.width("99.9 ms"))
		}
		if need += s.em; need <= left {
			left -= need
			needs[i] = need
		}
	}
	if bar > 0 {
		more := min(left*0.6, (mostBar-leastBar)*s.em)
		bar, left = bar+more, left-more
	}
	x := s.x0 + names + min(left, 20*s.em)
	s.columns = append(s.columns, column{&nameField, s.x0, x})
	if bar > 0 {
		s.columns = append(s.columns, column{&barField, x + s.em, x + s.em + math.Round(bar)})
		x += bar + s.em
	}
	for i := range fields {
		if needs[i] > 0 {
			s.columns = append(s.columns, column{&fields[i], x + s.em, x + needs[i]})
			x += needs[i]
		}
	}
}

var nameField, barField = field{sort: sortName}, field{}

// heading returns the column whose heading is at a pixel, or nil.
func (s *sheet) heading(x, y float64) *column {
	if y < s.Area.Y0 || y >= s.Area.Y0+s.Line || y > s.Area.Y1 {
		return nil
	}
	for i := range s.columns {
		if c := &s.columns[i]; c.sort != "" && x >= c.x0-s.em/2 && x <= c.x1+s.em/2 {
			return c
		}
	}
	return nil
}

// sign returns the box of the sign that opens and closes a row.
func (s *sheet) sign(i int) scene.Rect {
	r := s.Row(i)
	return scene.Rect{X0: r.X0, Y0: r.Y0, X1: s.x0 + 1.1*s.em, Y1: r.Y1}
}

// segment returns the box of a line of the chain.
func (s *sheet) segment(i int) scene.Rect {
	y := s.chain.Y0 + float64(i+2)*s.Line
	return scene.Rect{X0: s.Area.X0, Y0: y, X1: s.x1, Y1: y + s.Line}
}

// segmentAt returns the line of the chain at a pixel: -2 and -1 are its title and the wait.
func (s *sheet) segmentAt(x, y float64) (int, bool) {
	if !s.chain.shown() || x < s.Area.X0 || x > s.x1 || y < s.chain.Y0 || y >= s.chain.Y1 {
		return 0, false
	}
	i := int((y-s.chain.Y0)/s.Line) - 2
	return i, i < s.chain.lines
}
