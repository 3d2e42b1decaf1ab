package measures

import (
	"math"

	"whorl/internal/figures"
	"whorl/tracer/derive/activity"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// A table has a title, columns, n rows and, except for the run, a first row with the sums. Cells are formatted when they are drawn, since a
// machine may have a million PEs.
type table struct {
	title      string
	columns    []column
	n          int
	name       func(i int) string         // name of row i
	sums       bool                       // row -1 has the sums
	choice     func(i int) view.Selection // selection of a click on row i; nil for none
	bar        func(i int) activity.Share // bar of row i; nil for none
	tip        func(i int) []string       // lines of the tool tip of row i
	highlights highlighter                // nil for none
	states     bool                       // the bar shows busy, overhead and idle time; otherwise a share of a whole
}

// A highlighter reports for each row from first to end-1 whether a selection highlights it.
type highlighter func(m *match.Steps, sel view.Selection, first, end int) []bool

// rowByRow returns a highlighter that decides on each row by itself.
func rowByRow(highlighted func(m *match.Steps, sel view.Selection, row int) bool) highlighter {
	return func(m *match.Steps, sel view.Selection, first, end int) []bool {
		rows := make([]bool, max(end-first, 0))
		for i := range rows {
			rows[i] = highlighted(m, sel, first+i)
		}
		return rows
	}
}

// A column is right-aligned. Its widest cell is that of the sums or, without sums, any.
type column struct {
	title  string
	cell   func(i int) string
	widest string // a text as wide as any cell, unless the sums' cell is the widest

	value   func(i int) int64    // of row i; nil unless cells are numbers that can be subtracted
	format  func(n int64) string // formats a value or a difference as a cell
	percent bool                 // cells are shares of the row's or the table's whole
}

// number returns a column of numbers.
func number(title string, value func(i int) int64, format func(n int64) string) column {
	return column{title: title, cell: func(i int) string { return format(value(i)) }, value: value, format: format}
}

// lines returns the height of the table in lines: headings, sums and rows.
func (t *table) lines() int {
	n := t.n + 1
	if t.sums {
		n++
	}
	return n
}

// counts adds a column of whole numbers; value(-1) is their sum. It omits a column whose sum is 0.
func (t *table) counts(title string, value func(i int) int64) {
	if t.sums && value(-1) == 0 {
		return
	}
	t.columns = append(t.columns, number(title, value, figures.Count))
}

// times adds a column of times in the unit of a typical time, named in the heading, with the given number of digits for the mean row.
func (t *table) times(title string, typical int64, digits int, value func(i int) int64) {
	sum := value(-1)
	if sum == 0 {
		return
	}
	name, ns := figures.TimeUnit(float64(typical))
	decimals := 0
	if ns > 1 {
		mean := float64(sum) / float64(max(t.n, 1)) / ns
		decimals = min(max(digits-1-int(math.Floor(math.Log10(mean))), 0), 3)
	}
	t.columns = append(t.columns, number(title+", "+name, value, func(n int64) string { return figures.Fixed(float64(n)/ns, decimals) }))
}

// shares adds a column of percentages.
func (t *table) shares(title string, part, whole func(i int) int64) {
	t.columns = append(t.columns, column{
		title: title, cell: func(i int) string { return figures.PercentTo(part(i), whole(i), 1) }, widest: "> 99.9 %", percent: true,
	})
}

func (g *Geometry) peTable() table {
	t := table{title: "PE", n: g.act.PEs, sums: true, states: true, highlights: rowByRow(highlightedPE)}
	var all activity.Share
	counts := struct{ commits, suspends, sent, received int64 }{}
	for pe := range g.act.PEs {
		s := g.act.Total(pe)
		all = timeplot.Plus(all, s)
	}
	for i := range g.totals.PEs {
		p := &g.totals.PEs[i]
		counts.commits += p.Reductions
		counts.suspends += p.Suspensions
		counts.sent += p.Sent
		counts.received += p.Received
	}
	t.name = func(i int) string {
		if i < 0 {
			return "all"
		}
		return g.run.Row(i)
	}
	share := func(i int) activity.Share {
		if i < 0 {
			return all
		}
		return g.act.Total(i)
	}
	count := func(sum int64, f func(pe int) int64) func(int) int64 {
		return func(i int) int64 {
			switch {
			case i < 0:
				return sum
			case i < len(g.totals.PEs):
				return f(i)
			}
			return 0
		}
	}
	t.counts("reductions", count(counts.commits, func(i int) int64 { return g.totals.PEs[i].Reductions }))
	t.counts("suspensions", count(counts.suspends, func(i int) int64 { return g.totals.PEs[i].Suspensions }))
	t.counts("sent", count(counts.sent, func(i int) int64 { return g.totals.PEs[i].Sent }))
	t.counts("received", count(counts.received, func(i int) int64 { return g.totals.PEs[i].Received }))
	most := max(all.Busy, all.Over)
	if !g.act.Separate {
		most = max(most, all.Idle)
	}
	most /= int64(max(g.act.PEs, 1))
	t.times("busy", most, 3, func(i int) int64 { return share(i).Busy })
	t.times("overhead", most, 3, func(i int) int64 { return share(i).Over })
	if whole := all.Busy + all.Over + all.Idle; whole > 0 && !g.act.Separate {
		t.times("idle", most, 3, func(i int) int64 { return share(i).Idle })
		t.shares("busy", func(i int) int64 { return share(i).Busy }, func(i int) int64 { s := share(i); return s.Busy + s.Over + s.Idle })
		t.bar = share
	}
	t.tip = func(i int) []string {
		lines := []string{g.run.PEName(i, i)}
		if i < len(g.run.Meta.PEInfo) {
			lines = append(lines, place(&g.run.Meta.PEInfo[i])...)
		}
		return lines
	}
	t.choice = func(i int) view.Selection {
		if i < 0 {
			return view.Selection{}
		}
		return view.Selection{PEs: []view.Span{{First: int64(i), Last: int64(i)}}}
	}
	return t
}
