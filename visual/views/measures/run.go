package measures

import (
	"whorl/internal/figures"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/efficiency"
)

// runTable lists the numbers of the whole run. It omits those that are 0 or unknown.
func (g *Geometry) runTable() table {
	var names, values []string
	row := func(name, value string) {
		if value != "" {
			names, values = append(names, name), append(values, value)
		}
	}
	count := func(name string, n int64) {
		if n != 0 {
			row(name, figures.Count(n))
		}
	}
	t, e := g.totals, g.efficiency
	pes := int64(g.act.PEs)
	work, span := e.Work, t.Span
	if g.threads != nil {
		span = g.threads.Span
	}
	if g.shared { // the clocks of processes are unrelated
		work = g.threads.Work
	} else {
		row("elapsed", figures.Duration(e.Elapsed))
	}
	if work > 0 {
		row("work", figures.Duration(work))
	}
	if span > 0 {
		row("span", figures.Duration(span))
		row("parallelism", ratio(work, span))
	}
	if e.Known() {
		row("PEs at work", ratio(work, e.Elapsed))
	}
	if g.act.Basis == account.Samples {
		busy := g.times.Total()[account.Work]
		row("work", "≈ "+figures.Duration(busy))
		row("PEs at work", "≈ "+ratio(busy, e.Elapsed))
		row("samples", figures.Count(g.act.Steps))
		if !g.act.Lasting && g.act.Tick > 0 {
			row("from sample to sample", figures.Duration(g.act.Tick))
		}
	}
	for i := range efficiency.NumFactors {
		if x, ok := e.Factor(i); ok {
			row(i.String(), figures.Share(x, 1))
		}
	}
	if m := g.threads; m != nil {
		if m.BurdenedSpan >= 0 {
			row("burdened span", figures.Duration(m.BurdenedSpan))
		}
		if least, most, ok := m.Bounds(g.run.Meta.PEs); ok {
			row("speedup bounds", figures.Fixed(least, 2)+" to "+figures.Fixed(most, 2))
		}
	}
	if e.Known() {
		all := g.times.Total()
		row("idle", figures.PercentTo(all.Idle(), all.Sum(), 1))
		if over := all.Overhead(); over > 0 {
			row("overhead", figures.PercentTo(over, all.Sum(), 1))
		}
	}
	count("PEs", pes)
	count("PEs that worked", int64(g.times.Active()))
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

func ratio(a, b int64) string {
	if b <= 0 {
		return ""
	}
	return figures.Fixed(float64(a)/float64(b), 2)
}
