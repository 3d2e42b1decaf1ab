package comparison

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/report"
)

// Values of the parameter sort that are no keys of numbers.
const (
	byOrder     = "order"
	byTitle     = "run"
	byProgram   = "program"
	byArguments = "arguments"
	byOutcome   = "outcome"
)

// A property is a setting of a run, which has a column if the runs differ in it.
type property struct {
	key, heading string
	label        string // in the legend
	text         func(x *report.Cell) string
	value        func(x *report.Cell) float64 // of properties that are numbers, otherwise nil
}

// properties lists the settings of runs.
var properties = []property{
	{key: byProgram, heading: "program", label: "Program", text: func(x *report.Cell) string { return x.Program }},
	{key: byArguments, heading: "arguments", label: "Arguments", text: func(x *report.Cell) string { return cmp.Or(x.Args, x.Goal) }},
	{
		key: "pes", heading: "PEs", label: "PEs", text: func(x *report.Cell) string { return figures.Count(int64(x.PEs)) },
		value: func(x *report.Cell) float64 { return float64(x.PEs) },
	},
	{key: "policy", heading: "policy", label: "Policy", text: func(x *report.Cell) string { return x.Policy }},
	{key: "machine", heading: "machine", label: "Machine", text: func(x *report.Cell) string { return x.Machine }},
	{key: "network", heading: "network", label: "Network", text: func(x *report.Cell) string { return x.Network }},
	{key: "mode", heading: "mode", label: "Mode", text: func(x *report.Cell) string {
		return map[string]string{tracer.Sim: "simulated", tracer.Live: "real cores"}[x.Mode]
	}},
	{
		key: "seed", heading: "seed", label: "Seed", value: func(x *report.Cell) float64 { return float64(x.Seed) },
		text: func(x *report.Cell) string {
			text := strconv.FormatUint(x.Seed, 10)
			if x.Total > 1 {
				text += " and " + figures.Count(int64(x.Total-1)) + " more"
			}
			return text
		},
	},
}

// A column is a column of the table. Its texts and values are those of the cells of the comparison, by their index.
type column struct {
	key, heading string
	texts        []string
	values       []float64 // for sorting and for bars; nil for names, NaN if unknown
	changes      []string  // differences to the first cell; nil for none
	bars         bool
	rank         int // narrow panes have the columns of lowest rank
}

// ranks orders the columns by how much they matter; the others follow in their order.
var ranks = []report.Number{
	report.ElapsedTime, report.BestSpeedup, report.ParallelEfficiency, report.IdleShare, report.WorkTime, report.SpanTime,
	report.MessageCount, report.SpeedupEfficiency, report.LoadBalance, report.ByteCount,
}

// same reports whether all cells have the same text of a property.
func (g *Geometry) same(f property) bool {
	first := f.text(&g.compared.Cells[0])
	return !slices.ContainsFunc(g.compared.Cells, func(x report.Cell) bool { return f.text(&x) != first })
}

// columnsOf returns the columns of the table after the number of the row.
func (g *Geometry) columnsOf(changes bool) []column {
	cells := g.compared.Cells
	var out []column
	for _, f := range properties {
		if g.same(f) {
			continue
		}
		c := column{key: f.key, heading: f.heading, rank: -1}
		for i := range cells {
			c.texts = append(c.texts, f.text(&cells[i]))
			if f.value != nil {
				c.values = append(c.values, f.value(&cells[i]))
			}
		}
		out = append(out, c)
	}
	if g.alike(out) {
		c := column{key: byTitle, heading: "run", rank: -1}
		for i := range cells {
			c.texts = append(c.texts, g.rows[i].run.Title)
		}
		out = append([]column{c}, out...)
	}
	for _, n := range g.compared.Columns() {
		c := column{key: n.Number.Key(), heading: n.Heading, texts: n.Texts, bars: true, rank: len(ranks) + len(out)}
		if i := slices.Index(ranks, n.Number); i >= 0 {
			c.rank = i
		}
		for i := range cells {
			value := math.NaN()
			if e := cells[i].Numbers[n.Number]; e.Known {
				value = e.Mean
			}
			c.values = append(c.values, value)
		}
		if !slices.ContainsFunc(c.values, func(x float64) bool { return x != 0 }) { // no run has any
			continue
		}
		if changes && len(cells) > 1 {
			for _, x := range c.values {
				c.changes = append(c.changes, change(x, c.values[0], n.Share))
			}
			c.changes[0] = ""
		}
		out = append(out, c)
	}
	if slices.ContainsFunc(cells, func(x report.Cell) bool { return !x.Done() }) {
		c := column{key: byOutcome, heading: "outcome", rank: -1}
		for i := range cells {
			c.texts = append(c.texts, cells[i].Outcome)
		}
		out = append(out, c)
	}
	return out
}

// alike reports whether the columns do not tell all rows apart.
func (g *Geometry) alike(columns []column) bool {
	seen := map[string]bool{}
	for i := range g.compared.Cells {
		var texts []string
		for _, c := range columns {
			texts = append(texts, c.texts[i])
		}
		key := strings.Join(texts, "\n")
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return len(g.compared.Cells) == 1
}

// change returns the difference of a number to the first one, "" if it is not known.
func change(x, first float64, share bool) string {
	signed := func(t string) string {
		if strings.HasPrefix(t, "-") || strings.HasPrefix(t, "−") || strings.Trim(t, "0.") == "" {
			return t
		}
		return "+" + t
	}
	switch ratio := x / first; {
	case math.IsNaN(x) || math.IsNaN(first):
		return ""
	case share:
		return signed(figures.Fixed((x-first)*100, 1)) + " pp"
	case first <= 0:
		return ""
	case ratio >= 10:
		return "× " + figures.Fixed(ratio, 1)
	default:
		return signed(figures.Fixed((ratio-1)*100, 1)) + " %"
	}
}

// keys lists the values of the parameter sort.
func (g *Geometry) keys() []string {
	all := []string{byOrder}
	for _, c := range g.columns {
		all = append(all, c.key)
	}
	return all
}

// Choices lists the columns for the parameter sort.
func (g *Geometry) Choices(param string) (values []string, now int) {
	if param != sortParam.Name {
		return nil, 0
	}
	return g.keys(), max(slices.Index(g.keys(), g.sort), 0)
}

// Wrong reports a column to sort by that the table does not have.
func (g *Geometry) Wrong() error {
	if slices.Contains(g.keys(), g.sort) {
		return nil
	}
	return nearest.Unknown("column", g.sort, g.keys())
}

// order sorts the rows by the column of the parameter sort: the largest number or the first name comes first, unknown numbers last.
func (g *Geometry) order() {
	i := slices.IndexFunc(g.columns, func(c column) bool { return c.key == g.sort })
	if i < 0 {
		if g.reverse {
			slices.Reverse(g.rows)
		}
		return
	}
	c := &g.columns[i]
	slices.SortStableFunc(g.rows, func(a, b row) int {
		d := 0
		if c.values == nil {
			d = cmp.Compare(c.texts[a.index], c.texts[b.index])
		} else {
			x, y := c.values[a.index], c.values[b.index]
			if math.IsNaN(x) || math.IsNaN(y) {
				return cmp.Compare(unknown(x), unknown(y))
			}
			d = cmp.Compare(y, x)
		}
		if g.reverse {
			return -d
		}
		return d
	})
}

// unknown returns 1 for an unknown number and 0 for a known one.
func unknown(x float64) int {
	if math.IsNaN(x) {
		return 1
	}
	return 0
}

// Table returns the whole table in the order shown.
func (g *Geometry) Table() (title string, headings []string, rows [][]string) {
	headings = []string{"#"}
	for _, c := range g.columns {
		headings = append(headings, c.heading)
		if c.changes != nil {
			headings = append(headings, c.heading+", difference to the first row")
		}
	}
	for _, r := range g.rows {
		line := []string{strconv.Itoa(r.index + 1)}
		for _, c := range g.columns {
			line = append(line, c.texts[r.index])
			if c.changes != nil {
				line = append(line, c.changes[r.index])
			}
		}
		rows = append(rows, line)
	}
	return "Numbers of the compared runs", headings, rows
}

// CSV returns the comparison as whorl compare writes it.
func (g *Geometry) CSV() string {
	var b strings.Builder
	if g.compared.WriteCSV(&b) != nil {
		return ""
	}
	return b.String()
}
