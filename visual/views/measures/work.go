package measures

import (
	"strconv"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/activity"
	"whorl/visual/view"
	"whorl/visual/view/match"
)

func (g *Geometry) procedureTable() table {
	p := g.procedures
	t := table{title: view.Capital(g.run.Unit()), n: len(p.rows), sums: true, highlights: g.highlightedProcedures}
	code := func(i int) *account.Code {
		if i < 0 {
			return &p.all
		}
		return &p.rows[i].Code
	}
	t.name = func(i int) string {
		if i < 0 {
			return "all"
		}
		return g.run.Name(p.rows[i].Owner)
	}
	t.counts("reductions", func(i int) int64 { return code(i).Reductions })
	t.counts("suspensions", func(i int) int64 { return code(i).Suspensions })
	t.counts("failures", func(i int) int64 { return code(i).Failures })
	runs := "runs"
	if g.act.Basis == account.Samples {
		runs = "samples"
	}
	t.counts(runs, func(i int) int64 { return code(i).Runs })
	time := func(i int) int64 { return code(i).Work }
	t.times("time", time(-1), 4, time)
	t.portions(time, time(-1))
	t.tip = func(i int) []string {
		c := &g.run.Codes[p.rows[i].Owner]
		lines := []string{c.Name}
		if c.File != "" && c.Line > 0 {
			lines = append(lines, c.Type.String()+" at "+g.run.Place(p.rows[i].Owner))
		}
		return append(lines, figures.Percent(time(i), time(-1))+" of the work")
	}
	t.choice = func(i int) view.Selection {
		if i < 0 || p.rows[i].Owner == 0 {
			return view.Selection{}
		}
		return view.Selection{Codes: []uint32{p.rows[i].Owner}}
	}
	return t
}

// portions adds the share of each row in a whole, such as the work of the run, as a number and as a bar.
func (t *table) portions(time func(i int) int64, whole int64) {
	if whole > 0 {
		t.shares("share", time, func(int) int64 { return whole })
		t.bar = func(i int) activity.Share { return activity.Share{Busy: time(i), Idle: whole - time(i)} }
	}
}

// lineTable lists the lines of a sampled program. Work without a line is in one row.
func (g *Geometry) lineTable() table {
	t := table{title: "Line", sums: true}
	if g.run.Counts[tracer.Sample] == 0 {
		return t
	}
	var all, rest int64
	var lines []account.Part
	for _, l := range g.times.Lines(g.run.Codes) {
		if all += l.Work; l.Work > 0 && g.run.Codes[l.Owner].Type == tracer.Line {
			lines = append(lines, l)
		} else {
			rest += l.Work
		}
	}
	if len(lines) == 0 {
		return t
	}
	if t.n = len(lines); rest > 0 {
		t.n++
	}
	t.name = func(i int) string {
		switch {
		case i < 0:
			return "all"
		case i == len(lines):
			return "unknown"
		}
		return g.run.Place(lines[i].Owner)
	}
	time := func(i int) int64 {
		switch {
		case i < 0:
			return all
		case i == len(lines):
			return rest
		}
		return lines[i].Work
	}
	t.times("time", all, 4, time)
	t.portions(time, all)
	t.choice = func(i int) view.Selection {
		if i < 0 || i == len(lines) {
			return view.Selection{}
		}
		c := &g.run.Codes[lines[i].Owner]
		return view.Selection{Lines: []view.Lines{{File: c.File, First: c.Line}}}
	}
	t.tip = func(i int) []string {
		return append(g.run.Described(lines[i].Owner), figures.Percent(time(i), all)+" of the work")
	}
	t.highlights = rowByRow(func(m *match.Steps, _ view.Selection, row int) bool {
		return row < len(lines) && m.Code(lines[row].Owner)
	})
	return t
}

// taskTable lists the tasks with the most work, and all others in one row.
func (g *Geometry) taskTable() table {
	t := table{title: "Task", sums: true}
	if g.times.Tasks == nil {
		return t
	}
	most := g.times.Tasks.Most
	others, rest := g.times.Tasks.Others(len(most))
	if t.n = len(most); others > 0 {
		t.n++
	}
	spent := func(i int) *account.Spent {
		switch {
		case i < 0:
			return &g.times.Tasks.All
		case i == len(most):
			return &rest
		}
		return &most[i].Spent
	}
	t.name = func(i int) string {
		switch {
		case i < 0:
			return "all"
		case i == len(most):
			return figures.Count(others) + " others"
		}
		return strconv.FormatUint(most[i].ID, 10) + " " + g.run.Name(most[i].Code)
	}
	work := func(i int) int64 { return spent(i).Work }
	t.times("work", work(-1), 4, work)
	t.times("waiting", spent(-1).Waiting, 4, func(i int) int64 { return spent(i).Waiting })
	t.counts("messages", func(i int) int64 { return spent(i).Messages })
	whole := g.times.Total()[account.Work] // part of it may belong to no task
	t.portions(work, whole)
	t.choice = func(i int) view.Selection {
		if i < 0 || i == len(most) {
			return view.Selection{}
		}
		return view.Selection{Tasks: []view.Tasks{{First: most[i].ID}}}
	}
	t.tip = func(i int) []string {
		lines := append(g.run.Described(most[i].Code), "task "+strconv.FormatUint(most[i].ID, 10), figures.Percent(work(i), whole)+" of the work")
		if w := most[i].Waiting; w > 0 {
			lines = append(lines, "waits "+figures.Duration(w)+" for bindings and in joins")
		}
		return lines
	}
	t.highlights = rowByRow(func(m *match.Steps, sel view.Selection, row int) bool {
		return len(sel.Tasks) > 0 && row < len(most) && m.Task(most[row].ID)
	})
	return t
}
