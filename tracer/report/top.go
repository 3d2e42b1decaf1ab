package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
)

// A Top is the flat profile of a trace, or of two traces to compare: the functions, lines, files, instructions or contexts with the largest values.
type Top struct {
	By     string   `json:"by"`
	Metric string   `json:"metric"`
	Unit   string   `json:"unit"`
	Runs   []TopRun `json:"runs"`
	Rows   []TopRow `json:"rows"` // those with the largest values first, or with the largest differences of two runs

	cumulative bool
}

// A TopRun is a trace of a Top.
type TopRun struct {
	Name      string  `json:"name"`
	Processes int     `json:"processes"`
	Total     float64 `json:"total"` // of all contexts, in the unit; of their absolute values if some are negative
	Kept      float64 `json:"kept"`  // of the contexts that the query keeps
}

// A TopRow is a row of a Top. Exclusive and Inclusive are by run, in the unit.
type TopRow struct {
	Name      string      `json:"name"`
	Exclusive []float64   `json:"exclusive"`
	Inclusive []float64   `json:"inclusive"`
	Processes *TopProcess `json:"processes,omitempty"` // nil for one process, and for two runs
}

// A TopProcess is the values of a row in the processes of a run: exclusive ones, or inclusive ones if the rows are sorted by these.
type TopProcess struct {
	Least float64 `json:"least"`
	Mean  float64 `json:"mean"`
	Most  float64 `json:"most"`
	Of    string  `json:"of"` // the process with the largest value; "" if all values are equal
}

// TopOf returns the flat profile of one trace, or compares those of two. If cumulative is set, rows are sorted by inclusive values.
func TopOf(names []string, traces []tracer.Source, q ProfileQuery, cumulative bool) (*Top, error) {
	p, err := profileOf(names, traces, &q)
	if err != nil {
		return nil, err
	}
	return p.top(names, q.By, cumulative), nil
}

// top returns the rows.
func (p *profiled) top(names []string, by string, cumulative bool) *Top {
	m := p.tree.Metrics[p.metric]
	t := &Top{Rows: []TopRow{}, By: by, Metric: m.Name, Unit: m.Unit, cumulative: cumulative}
	for k, name := range names {
		t.Runs = append(t.Runs, TopRun{name, p.first[k+1] - p.first[k], p.totals[k], p.kept[k]})
	}
	if by == "context" {
		for v := int32(1); int(v) < p.tree.Nodes(); v++ {
			if slices.ContainsFunc(p.tree.Values(v, p.metric, false, nil), func(x int64) bool { return x != 0 }) {
				name := contextPath(p.tree, v, func(code uint32) string { return p.names[code] })
				t.row(p, name, p.tree.Values(v, p.metric, false, nil), p.tree.Values(v, p.metric, true, nil))
			}
		}
	} else {
		for _, f := range p.tree.Flat(callingcontext.Root, func(v int32, inclusive bool) int64 { return p.tree.Total(v, p.metric, inclusive) }) {
			t.row(p, p.names[f.Code], p.tree.FlatValues(&f, p.metric, false, nil), p.tree.FlatValues(&f, p.metric, true, nil))
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b TopRow) int {
		return cmp.Or(cmp.Compare(math.Abs(t.key(&b, cumulative)), math.Abs(t.key(&a, cumulative))),
			cmp.Compare(math.Abs(t.key(&b, !cumulative)), math.Abs(t.key(&a, !cumulative))), cmp.Compare(a.Name, b.Name))
	})
	return t
}

// row adds a row with values by process, unless all are 0.
func (t *Top) row(p *profiled, name string, exclusive, inclusive []int64) {
	row := TopRow{Name: name}
	some := false
	for k := range t.Runs {
		row.Exclusive, row.Inclusive = append(row.Exclusive, p.sum(k, exclusive)), append(row.Inclusive, p.sum(k, inclusive))
		some = some || row.Exclusive[k] != 0 || row.Inclusive[k] != 0
	}
	if !some {
		return
	}
	if len(t.Runs) == 1 && t.Runs[0].Processes > 1 {
		values := exclusive
		if t.cumulative {
			values = inclusive
		}
		most := 0
		for k, v := range values {
			if v > values[most] {
				most = k
			}
		}
		scale := scaleOf(p.tree.Metrics[p.metric])
		row.Processes = &TopProcess{float64(slices.Min(values)) * scale, p.sum(0, values) / float64(len(values)), float64(values[most]) * scale, ""}
		if values[most] > slices.Min(values) {
			row.Processes.Of = p.where[most]
		}
	}
	t.Rows = append(t.Rows, row)
}

// key returns the value that a row is sorted by.
func (t *Top) key(r *TopRow, cumulative bool) float64 {
	values := r.Exclusive
	if cumulative {
		values = r.Inclusive
	}
	if len(values) > 1 {
		return values[1] - values[0]
	}
	return values[0]
}

// Cut keeps the first n rows, all for 0, and returns the number of the others.
func (t *Top) Cut(n int) (left int) { return firstRows(&t.Rows, n) }

// firstRows keeps the first n rows, all for 0, and returns the number of the others.
func firstRows[T any](rows *[]T, n int) (left int) {
	if n <= 0 || n >= len(*rows) {
		return 0
	}
	left = len(*rows) - n
	*rows = (*rows)[:n]
	return left
}

// WriteJSON writes the table as one object.
func (t *Top) WriteJSON(w io.Writer) error { return WriteJSON(w, t) }

// WriteCSV writes a line of headings and a line for each row. Values are in the unit.
func (t *Top) WriteCSV(w io.Writer) error {
	head := []string{t.By, "exclusive", "inclusive"}
	if len(t.Runs) > 1 {
		head = []string{t.By, "exclusive_a", "exclusive_b", "exclusive_difference", "inclusive_a", "inclusive_b", "inclusive_difference"}
	} else if t.Runs[0].Processes > 1 {
		head = append(head, "least", "mean", "most", "most_of")
	}
	lines := [][]string{head}
	for _, r := range t.Rows {
		line := []string{r.Name}
		for _, v := range [][]float64{r.Exclusive, r.Inclusive} {
			for _, x := range v {
				line = append(line, plain(x))
			}
			if len(v) > 1 {
				line = append(line, plain(v[1]-v[0]))
			}
		}
		if p := r.Processes; p != nil {
			line = append(line, plain(p.Least), plain(p.Mean), plain(p.Most), p.Of)
		}
		lines = append(lines, line)
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// WriteTable writes the table for people. Left is the number of rows that were cut off.
func (t *Top) WriteTable(w io.Writer, left int) error {
	var b strings.Builder
	for k, r := range t.Runs {
		mark := ""
		if len(t.Runs) > 1 {
			mark = string(rune('A'+k)) + "  "
		}
		r.write(&b, mark, t.Metric, t.Unit)
	}
	b.WriteString("\n")
	lines := t.lines()
	writeColumns(&b, lines, len(lines[0])-1)
	if left > 0 {
		what := "values"
		if len(t.Runs) > 1 {
			what = "differences"
		}
		fmt.Fprintf(&b, "\n%s with smaller %s\n", figures.Counted(int64(left), t.By), what)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write writes a line about a run, after a mark.
func (r *TopRun) write(b *strings.Builder, mark, metric, unit string) {
	fmt.Fprintf(b, "%s%s: %s %s in %s", mark, r.Name, amount(r.Total, unit), metric, figures.Counted(int64(r.Processes), "process"))
	if r.Kept != r.Total {
		fmt.Fprintf(b, ", of which %s (%s) in the contexts chosen", amount(r.Kept, unit), share(r.Kept, r.Total))
	}
	b.WriteString("\n")
}

// lines returns the texts of the table. The first is empty, so that all numbers are flush right.
func (t *Top) lines() [][]string {
	text := func(v float64) string { return amount(v, t.Unit) }
	if len(t.Runs) > 1 {
		lines := [][]string{{"", "exclusive A", "B", "B - A", "inclusive A", "B", "B - A", t.By}}
		for _, r := range t.Rows {
			line := []string{""}
			for _, v := range [][]float64{r.Exclusive, r.Inclusive} {
				sign := ""
				if v[1] > v[0] {
					sign = "+"
				}
				line = append(line, text(v[0]), text(v[1]), sign+text(v[1]-v[0]))
			}
			lines = append(lines, append(line, r.Name))
		}
		return lines
	}
	lines := [][]string{{"", "exclusive", "", "sum", "inclusive", ""}}
	several := t.Runs[0].Processes > 1
	if several {
		lines[0] = append(lines[0], "least", "mean", "most", "of process")
	}
	lines[0] = append(lines[0], t.By)
	sum, all := 0.0, t.Runs[0].Total
	for _, r := range t.Rows {
		sum += r.Exclusive[0]
		line := []string{"", text(r.Exclusive[0]), share(r.Exclusive[0], all), share(sum, all), text(r.Inclusive[0]), share(r.Inclusive[0], all)}
		if p := r.Processes; several {
			line = append(line, text(p.Least), text(p.Mean), text(p.Most), p.Of)
		}
		lines = append(lines, append(line, r.Name))
	}
	return lines
}

// share returns a part of a whole in percent.
func share(part, whole float64) string {
	if whole == 0 {
		return ""
	}
	return figures.Share(part/whole, 1)
}
