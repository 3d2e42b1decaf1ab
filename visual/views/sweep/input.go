package sweep

import (
	"math"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// reach is the distance in em within which the pointer meets a mark.
const reach = 0.8

// near returns the runs at a pixel, nil for none.
func (s *sheet) near(x, y float64) (rows []int) {
	best := reach * s.em
	us := s.uprights()
	for i := range s.g.runs {
		row := s.g.runs[i].rows[0]
		if d := scene.Distance(s.way(us, row), x, y); d < best {
			best, rows = d, s.g.runs[i].rows
		}
	}
	for i := range s.frames {
		fr := &s.frames[i]
		if !fr.room.Contains(x, y) {
			continue
		}
		for k := range fr.cells {
			if s.cellRect(fr, &fr.cells[k]).Contains(x, y) {
				return fr.cells[k].rows
			}
		}
		for k := range fr.marks {
			m := &fr.marks[k]
			if d := math.Hypot(s.px(fr, m.x)-x, s.py(fr, m.y)-y); d < best {
				best, rows = d, m.rows
			}
		}
		for k := range fr.boxes {
			if rows == nil && s.boxRect(fr, &fr.boxes[k]).Contains(x, y) {
				return fr.boxes[k].rows
			}
		}
	}
	return rows
}

// Hit returns the runs at a pixel as tasks.
func (g *Geometry) Hit(f *view.Frame, x, y float64) (view.Selection, bool) {
	rows := newSheet(f, g).near(x, y)
	if len(rows) == 0 {
		return view.Selection{}, false
	}
	var tasks []view.Tasks
	for _, row := range rows {
		tasks = append(tasks, view.Tasks{First: uint64(row + 1), Last: uint64(row + 1)})
	}
	return view.Selection{Trace: f.Trace, Tasks: view.JoinedTasks(tasks)}, true
}

// Tip describes the runs that Hit returns: the settings that vary, and their numbers.
func (g *Geometry) Tip(f *view.Frame, x, y float64) (view.Tip, bool) {
	rows := newSheet(f, g).near(x, y)
	if len(rows) == 0 {
		return view.Tip{}, false
	}
	return view.Tip{X: x, Y: y, Lines: g.described(rows)}, true
}

// described returns the name of runs and their known values.
func (g *Geometry) described(rows []int) []string {
	d, row := g.data, rows[0]
	lines := []string{d.named(row)}
	if len(rows) > 1 {
		lines = []string{figures.Counted(int64(len(rows)), "run")}
	}
	add := func(i int) {
		name := label(d.name(i))
		if slices.ContainsFunc(rows, func(r int) bool { return d.distinct[i][r] != d.distinct[i][row] }) {
			if c := &d.table.Columns[i]; c.Numbers != nil {
				sum := 0.0
				for _, r := range rows {
					sum += c.Numbers[r]
				}
				lines = append(lines, "mean "+name+": "+written(sum/float64(len(rows)), c.Unit))
			}
			return
		}
		lines = append(lines, name+": "+d.text(i, row))
	}
	for _, i := range d.settings {
		add(i)
	}
	if i := d.index("seed"); i >= 0 && len(rows) == 1 {
		add(i)
	}
	for _, i := range d.measures[:min(len(d.measures), 4)] {
		add(i)
	}
	return lines
}

// named returns the program of a row with its arguments.
func (d *data) named(row int) string {
	var words []string
	for _, name := range []string{"program", "arguments"} {
		if c := d.table.Column(name); c != nil && c.Texts != nil && c.Texts[row] != "" {
			words = append(words, c.Texts[row])
		} else if c != nil && c.Numbers != nil && !math.IsNaN(c.Numbers[row]) {
			words = append(words, d.text(d.index(name), row))
		}
	}
	if len(words) == 0 {
		return "run " + figures.Count(int64(row+1))
	}
	return strings.Join(words, " ")
}

// selects returns whether a selection of the frame's trace has a row.
func selects(f *view.Frame, s view.Selection, row int) bool {
	return s.Trace == f.Trace && slices.ContainsFunc(s.Tasks, func(t view.Tasks) bool {
		last := t.Last
		if t.Subtree || last == 0 {
			last = t.First
		}
		return uint64(row+1) >= t.First && uint64(row+1) <= last
	})
}

// Locate returns the boxes of the selected runs.
func (g *Geometry) Locate(f *view.Frame, sel view.Selection) (out []scene.Rect) {
	if sel.Trace != f.Trace || len(sel.Tasks) == 0 {
		return nil
	}
	s := newSheet(f, g)
	chosen := func(rows []int) bool {
		return slices.ContainsFunc(rows, func(row int) bool { return selects(f, sel, row) })
	}
	half := 0.5 * s.em
	around := func(x, y float64) {
		out = append(out, scene.Rect{X0: x - half, Y0: y - half, X1: x + half, Y1: y + half})
	}
	for i := range s.frames {
		fr := &s.frames[i]
		for k := range fr.cells {
			if chosen(fr.cells[k].rows) {
				out = append(out, s.cellRect(fr, &fr.cells[k]))
			}
		}
		for k := range fr.boxes {
			if chosen(fr.boxes[k].rows) {
				out = append(out, s.boxRect(fr, &fr.boxes[k]))
			}
		}
		for k := range fr.marks {
			if chosen(fr.marks[k].rows) {
				around(s.px(fr, fr.marks[k].x), s.py(fr, fr.marks[k].y))
			}
		}
	}
	us := s.uprights()
	for i := range g.runs {
		if !chosen(g.runs[i].rows) {
			continue
		}
		points := s.way(us, g.runs[i].rows[0])
		for k := 0; k+1 < len(points); k += 2 {
			around(float64(points[k]), float64(points[k+1]))
		}
	}
	return out
}

// Base draws the chart.
func (g *Geometry) Base(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	for i := range s.frames {
		s.draw(out, &s.frames[i])
	}
	s.drawParallel(out)
	if len(g.panels) == 0 && len(g.axes) == 0 && len(g.notes) > 0 {
		view.Say(f, out, g.notes[len(g.notes)-1])
	}
}

// Overlay marks the selected runs, and the one under the pointer.
func (g *Geometry) Overlay(f *view.Frame, out *scene.List) {
	s := newSheet(f, g)
	us := s.uprights()
	for _, sel := range []view.Selection{f.Selected(), f.State.Personal.Hover} {
		for i := range g.runs {
			if row := g.runs[i].rows[0]; selects(f, sel, row) {
				out.Polyline(s.way(us, row), scene.Stroke{Width: 3 * s.hair(), Color: s.Style.Accent})
			}
		}
		if len(g.runs) > 0 {
			continue
		}
		for _, r := range g.Locate(f, sel) {
			out.Frame(float32(r.X0), float32(r.Y0), float32(r.X1), float32(r.Y1), 1.5*s.hair(), s.Style.Accent)
		}
	}
}

// Input handles the input of the view: drags along a parallel axis keep its runs. Other input is handled as in every view.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	s := newSheet(f, g)
	switch in.Kind {
	case view.Wheel, view.DragStart:
		return nil
	case view.Drag, view.DragEnd:
		return s.brushed(in)
	case view.Click:
		if rows := s.near(in.X, in.Y); len(rows) == 1 && !in.Shift && !in.Ctrl && !in.Alt {
			return append(view.Navigate(g, keys, f, in), g.openRun(in.Pane, rows[0])...)
		}
		if u := s.axisAt(in.X, in.Y); u != nil && len(s.near(in.X, in.Y)) == 0 {
			return g.setKeep(in, g.keep.with(condition{column: u.column, low: math.Inf(-1), high: math.Inf(1)}))
		}
	case view.Press:
		switch in.Key {
		case "Enter":
			for row := range g.data.table.Rows {
				if selects(f, f.Selected(), row) {
					return g.openRun(in.Pane, row)
				}
			}
			return view.Refuse(in.Pane, "select a run to open")
		case "g":
			return chartParam.Set(in.Pane, charts[(slices.Index(charts, g.chart)+1)%len(charts)])
		case "+", "-", "=", "f", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown":
			return nil
		}
	}
	return view.Navigate(g, keys, f, in)
}

// openRun returns the action that opens a run, none for a table without commands.
func (g *Geometry) openRun(pane, row int) []view.Action {
	text := func(name string) string {
		if c := g.data.table.Column(name); c != nil && c.Texts != nil {
			return c.Texts[row]
		}
		return ""
	}
	if text("command") == "" {
		return nil
	}
	return []view.Action{{Do: view.OpenRun, Pane: pane, Name: text("trace"), Value: text("command")}}
}

// axisAt returns the parallel axis at a pixel, nil for none.
func (s *sheet) axisAt(x, y float64) *upright {
	us := s.uprights()
	for i := range us {
		if u := &us[i]; math.Abs(u.x-x) <= 1.2*s.em && y >= u.y0-s.em && y <= u.y1+s.em {
			return u
		}
	}
	return nil
}

// brushed returns the action of a drag: it keeps the runs between its start and the pointer.
func (s *sheet) brushed(in view.Input) []view.Action {
	u := s.axisAt(in.FromX, in.FromY)
	if u == nil {
		return nil
	}
	share := func(y float64) float64 { return min(max((u.y1-y)/(u.y1-u.y0), 0), 1) }
	a, b := share(in.FromY), share(in.Y)
	low, high := u.value(min(a, b)), u.value(max(a, b))
	c := condition{column: u.column, low: low, high: high}
	if u.names != nil {
		c.values = []string{}
		texts := s.g.data.table.Columns[u.column].Texts
		for row := range texts {
			if k := slices.Index(u.names, s.g.data.text(u.column, row)); float64(k) >= low-0.5 && float64(k) <= high+0.5 && !slices.Contains(c.values, texts[row]) {
				c.values = append(c.values, texts[row])
			}
		}
	}
	actions := s.g.setKeep(in, s.g.keep.with(c))
	for i := range actions {
		actions[i].More = in.Kind == view.DragEnd || math.Abs(in.Y-in.FromY) > math.Abs(in.DY)
	}
	return actions
}

// setKeep returns the action that sets the conditions.
func (g *Geometry) setKeep(in view.Input, k keep) []view.Action {
	return keepParam.Set(in.Pane, k.text(g.data))
}

// Legend explains the chart.
func (g *Geometry) Legend(f *view.Frame) view.Legend {
	l := view.Legend{Title: g.run.Meta.Program, Subtitle: view.Capital(g.subject)}
	if g.wrong != nil {
		l.Warning = view.Capital(g.wrong.Error())
	}
	if g.ramp != nil {
		l.Blocks = append(l.Blocks, view.Block{Title: g.rampOf, Ramp: g.ramp})
	}
	l.Blocks = append(l.Blocks, g.blocks()...)
	l.Blocks = append(l.Blocks, view.Block{Title: "Reading it", Notes: g.readings(f)}, view.Block{Title: "Table", Facts: []view.Fact{
		{Label: "Runs", Value: figures.Count(int64(g.data.table.Rows))},
		{Label: "Columns", Value: figures.Count(int64(len(g.data.table.Columns)))},
	}})
	return l
}

// readings returns the notes of the legend.
func (g *Geometry) readings(f *view.Frame) []string {
	notes := slices.Clone(g.notes)
	if !f.Still {
		notes = append(notes, "A click on a run opens it.")
		if g.chart == parallel {
			notes = append(notes, "A drag along an axis keeps its runs, a click on the axis all.")
		}
	}
	for i := range g.panels {
		if slices.ContainsFunc(g.panels[i].marks, func(m mark) bool { return m.high > m.low }) {
			return append(notes, "Bars are 95 % confidence intervals of the means (bootstrap).")
		}
	}
	return notes
}
