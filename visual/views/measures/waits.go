package measures

import (
	"cmp"
	"slices"

	"whorl/internal/figures"
	"whorl/tracer/derive/account"
	"whorl/tracer/derive/workspan"
	"whorl/visual/view"
	"whorl/visual/view/match"
)

// A wait sums the waits for one reason that one procedure or function ended.
type wait struct {
	name        string
	by          uint32 // the code that ended it, 0 if unknown
	time, count int64
}

// waitTable lists the waits of PEs by their reasons and by the code that ended them.
func (g *Geometry) waitTable() table {
	type cause struct {
		reason string
		by     uint32
	}
	index := map[cause]int{}
	var all []wait
	for i := range g.times.Waits {
		w := &g.times.Waits[i]
		for _, c := range w.By {
			k := cause{w.For, g.run.Owner(c.Code)}
			n, ok := index[k]
			if !ok {
				n = len(all)
				index[k] = n
				name := k.reason
				if k.by > 0 {
					name += " by " + g.run.Name(k.by)
				}
				all = append(all, wait{name: name, by: k.by})
			}
			all[n].time, all[n].count = all[n].time+c.Time, all[n].count+c.Count
		}
	}
	slices.SortStableFunc(all, func(a, b wait) int { return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(a.name, b.name)) })
	return g.waits("PEs waited for", all, g.times.Total()[account.Waiting])
}

// blockTable lists the procedures or functions whose goals or threads were blocked, and those that ended the blocks.
func (g *Geometry) blockTable() table {
	if g.lives != nil {
		return g.causeTable()
	}
	blocks := g.totals.Blocks
	if g.threads != nil {
		blocks = g.threads.Blocks
	}
	var all []wait
	sum := int64(0)
	for _, b := range workspan.ByOwner(blocks, g.run.Owner) {
		by := g.run.Name(b.By)
		if b.Fetched {
			by = workspan.FetchedValues
		}
		all = append(all, wait{g.run.Name(b.Code) + " by " + by, g.run.Owner(b.By), b.Time, b.Count})
		sum += b.Time
	}
	return g.waits("Blocked", all, sum)
}

// causeTable lists what the threads of a real program were blocked on, and the functions of those that woke them.
func (g *Geometry) causeTable() table {
	var all []wait
	sum := int64(0)
	for _, b := range g.lives.Blocks {
		name := g.run.Name(b.Code) + " for " + b.For(g.run.Codes)
		if b.By != 0 {
			name += ", by " + g.run.Name(b.By)
		}
		all = append(all, wait{name, g.run.Owner(b.By), b.Time, b.Count + b.Open})
		sum += b.Time
	}
	return g.waits("Blocked", all, sum)
}

// mostWaits is the number of waits in a table that have rows of their own.
const mostWaits = 12

// waits returns a table of waits, longest first, with their sum. The shortest of many share a row.
func (g *Geometry) waits(title string, all []wait, sum int64) table {
	if sum == 0 {
		return table{}
	}
	count, others := int64(0), wait{name: figures.Count(int64(len(all)-mostWaits)) + " others"}
	for i, w := range all {
		if count += w.count; i >= mostWaits {
			others.time, others.count = others.time+w.time, others.count+w.count
		}
	}
	if len(all) > mostWaits+1 {
		all = append(all[:mostWaits], others)
	}
	t := table{title: title, n: len(all), sums: true}
	get := func(i int) wait {
		if i < 0 {
			return wait{"all", 0, sum, count}
		}
		return all[i]
	}
	t.name = func(i int) string { return get(i).name }
	t.counts("waits", func(i int) int64 { return get(i).count })
	time := func(i int) int64 { return get(i).time }
	t.times("time", sum, 4, time)
	t.portions(time, sum)
	t.choice = func(i int) view.Selection {
		if get(i).by == 0 {
			return view.Selection{}
		}
		return view.Selection{Codes: []uint32{all[i].by}}
	}
	t.tip = func(i int) []string {
		return []string{all[i].name, figures.Counted(all[i].count, "wait") + ", " + figures.Duration(all[i].time)}
	}
	t.highlights = rowByRow(func(m *match.Steps, _ view.Selection, row int) bool { return all[row].by > 0 && m.Code(all[row].by) })
	return t
}
