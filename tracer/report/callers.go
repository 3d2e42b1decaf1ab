package report

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
)

// A Callers table lists the callers and the callees of each function, line, file or instruction of a trace.
type Callers struct {
	By     string      `json:"by"`
	Metric string      `json:"metric"`
	Unit   string      `json:"unit"`
	Run    TopRun      `json:"run"`
	Rows   []CallerRow `json:"rows"` // the largest exclusive values first, or inclusive ones
}

// A CallerRow is a function with those that called it and those that it called. Values are in the unit.
type CallerRow struct {
	Name      string  `json:"name"`
	Exclusive float64 `json:"exclusive"`
	Inclusive float64 `json:"inclusive"`
	Callers   []Call  `json:"callers"` // the largest values first
	Callees   []Call  `json:"callees"`
}

// A Call is the part of a function's inclusive value that was spent in calls by a caller, or of a callee. A function that calls itself is neither.
type Call struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// CallersOf returns the callers and callees in a trace of the functions whose names match a regular expression, of all for nil.
func CallersOf(name string, src tracer.Source, q ProfileQuery, cumulative bool, some *regexp.Regexp) (*Callers, error) {
	if q.By == "context" {
		return nil, errors.New("a context has no other callers than those in its path")
	}
	p, err := profileOf([]string{name}, []tracer.Source{src}, &q)
	if err != nil {
		return nil, err
	}
	top := p.top([]string{name}, q.By, cumulative)
	c := &Callers{By: q.By, Metric: top.Metric, Unit: top.Unit, Run: top.Runs[0]}
	callers, callees := p.calls()
	for _, r := range top.Rows {
		if some == nil || some.MatchString(r.Name) {
			c.Rows = append(c.Rows, CallerRow{r.Name, r.Exclusive[0], r.Inclusive[0], append([]Call{}, callers[r.Name]...), append([]Call{}, callees[r.Name]...)})
		}
	}
	if len(c.Rows) == 0 && some != nil {
		return nil, fmt.Errorf("%s: no %s matches %q", name, q.By, some)
	}
	return c, nil
}

// calls returns the calls of each function by its name. A context counts once for each pair of functions on its path.
func (p *profiled) calls() (callers, callees map[string][]Call) {
	type pair struct{ from, to uint32 }
	until := map[pair]int32{} // end of the subtree of the last outermost call
	sums := map[pair]int64{}
	t := p.tree
	for v := int32(1); int(v) < t.Nodes(); v++ {
		up := t.Parent[v]
		x := pair{t.Code[up], t.Code[v]}
		if up == callingcontext.Root || x.from == x.to || v < until[x] {
			continue
		}
		until[x] = t.End[v]
		sums[x] = callingcontext.Plus(sums[x], t.Total(v, p.metric, true))
	}
	callers, callees = map[string][]Call{}, map[string][]Call{}
	scale := scaleOf(t.Metrics[p.metric])
	for x, v := range sums {
		if v != 0 {
			from, to := p.names[x.from], p.names[x.to]
			callers[to] = append(callers[to], Call{from, float64(v) * scale})
			callees[from] = append(callees[from], Call{to, float64(v) * scale})
		}
	}
	for _, all := range []map[string][]Call{callers, callees} {
		for _, calls := range all {
			slices.SortFunc(calls, func(a, b Call) int { return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Name, b.Name)) })
		}
	}
	return callers, callees
}

// Cut keeps the first n rows, all for 0, and returns the number of the others.
func (c *Callers) Cut(n int) (left int) { return firstRows(&c.Rows, n) }

// WriteJSON writes the table as one object.
func (c *Callers) WriteJSON(w io.Writer) error { return WriteJSON(w, c) }

// WriteCSV writes a line of headings, and for each row a line, one for each caller and one for each callee.
func (c *Callers) WriteCSV(w io.Writer) error {
	lines := [][]string{{c.By, "relation", "other", "exclusive", "inclusive"}}
	for _, r := range c.Rows {
		lines = append(lines, []string{r.Name, "self", "", plain(r.Exclusive), plain(r.Inclusive)})
		for _, x := range r.Callers {
			lines = append(lines, []string{r.Name, "caller", x.Name, "", plain(x.Value)})
		}
		for _, x := range r.Callees {
			lines = append(lines, []string{r.Name, "callee", x.Name, "", plain(x.Value)})
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// WriteTable writes a block for each row: its callers, the row itself, and its callees. Left is the number of rows that were cut off.
func (c *Callers) WriteTable(w io.Writer, left int) error {
	var b strings.Builder
	c.Run.write(&b, "", c.Metric, c.Unit)
	text := func(v float64) string { return amount(v, c.Unit) }
	lines := [][]string{{"", "exclusive", "", "inclusive", "", c.By}}
	for k, r := range c.Rows {
		if k > 0 {
			lines = append(lines, []string{""})
		}
		calls := func(all []Call) {
			for _, x := range all {
				lines = append(lines, []string{"", "", "", text(x.Value), share(x.Value, r.Inclusive), "  " + x.Name})
			}
		}
		calls(r.Callers)
		lines = append(lines, []string{"", text(r.Exclusive), share(r.Exclusive, c.Run.Total), text(r.Inclusive), share(r.Inclusive, c.Run.Total), r.Name})
		calls(r.Callees)
	}
	b.WriteString("\n")
	writeColumns(&b, lines, len(lines[0])-1)
	if left > 0 {
		b.WriteString("\n" + figures.Counted(int64(left), c.By) + " with smaller values\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
