package measures

import "whorl/visual/view"

// runTable lists the numbers of the run as a whole; those that are nothing are left out.
func (g *Geometry) runTable() table {
	var names, values []string
	row := func(name, value string) {
		if value != "" {
			names, values = append(names, name), append(values, value)
		}
	}
	count := func(name string, n int64) {
		if n != 0 {
			row(name, view.Count(n))
		}
	}
	t := g.totals
	pes := int64(g.act.PEs)
	row("elapsed", view.Duration(t.Elapsed))
	if t.Work > 0 {
		row("work", view.Duration(t.Work))
	}
	if t.Span > 0 {
		row("span", view.Duration(t.Span))
		row("parallelism", ratio(t.Work, t.Span))
	}
	if t.Work > 0 {
		row("speed-up", ratio(t.Work, t.Elapsed))
		row("efficiency", view.Percent(t.Work, pes*t.Elapsed))
	}
	if t.Idle >= 0 {
		row("idle", view.Percent(t.Idle, pes*t.Elapsed))
	}
	if t.Overhead > 0 {
		row("overhead", view.Percent(t.Overhead, pes*t.Elapsed))
	}
	count("PEs", pes)
	count("PEs that worked", g.worked())
	count("tasks", t.Tasks)
	count("reductions", t.Reductions)
	count("suspensions", t.Suspensions)
	count("resumptions", t.Resumptions)
	count("failures", t.Failures)
	count("forks", t.Forks)
	count("moves", t.Moves)
	count("bytes moved", t.MovedBytes)
	count("messages", t.Messages)
	count("bytes sent", t.Bytes)
	count("events", t.Events)
	return table{
		title: "Run", n: len(names), name: func(i int) string { return names[i] },
		columns: []column{{cell: func(i int) string { return values[i] }}},
	}
}

func (g *Geometry) worked() (n int64) {
	for pe := range g.act.Lanes {
		if s := g.act.Total(pe); s.Busy > 0 || g.act.Lanes[pe].Steps.Len() > 0 {
			n++
		}
	}
	return n
}

func ratio(a, b int64) string {
	if b <= 0 {
		return ""
	}
	return view.Fixed(float64(a)/float64(b), 2)
}
