package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
)

// ContextComparison says in which calling contexts two groups of processes differ: those of two runs, or some of a run and the rest. Contexts
// are the same where the names of their procedures are.
type ContextComparison struct {
	Groups   [2]ContextGroup `json:"groups"`
	Metric   string          `json:"metric"`
	Unit     string          `json:"unit"`
	Contexts []ContextPart   `json:"contexts"` // those that differ, by what is spent in them alone, the largest difference first
}

// A ContextGroup are the processes that are compared with others.
type ContextGroup struct {
	Name      string  `json:"name"`
	Processes int     `json:"processes"`
	Mean      float64 `json:"mean"` // what one of them spends in all, in the unit
}

// CompareRuns compares the processes of two traces. The metric is the first that both have where "" is given.
func CompareRuns(names [2]string, traces [2]tracer.Source, metric string) (*ContextComparison, error) {
	var trees []*callingcontext.Tree
	for k, src := range traces {
		t, err := contextsOf(src)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", names[k], err)
		}
		trees = append(trees, t)
	}
	joined, called := callingcontext.Join(trees, func(tree int, code uint32) string { return called(traces[tree].Dict(), code) })
	both := slices.DeleteFunc(metricNames(trees[0]), func(name string) bool { return !slices.Contains(metricNames(trees[1]), name) })
	if len(both) == 0 {
		return nil, &InputError{fmt.Sprintf("%s counts %s, %s counts %s: nothing can be compared", names[0], strings.Join(metricNames(trees[0]), ", "), names[1],
			strings.Join(metricNames(trees[1]), ", "))}
	}
	m, err := chosenMetric(joined, both, metric)
	if err != nil {
		return nil, err
	}
	if x := joined.Metrics[m]; joined.Beyond(m) || slices.ContainsFunc(joined.Metrics[m+1:], func(y callingcontext.Metric) bool { return y.Name == x.Name && y.Unit == x.Unit }) {
		return nil, &InputError{fmt.Sprintf("%s and %s: values of %s are too large, or of scales too far apart, to be compared", names[0], names[1], x.Name)}
	}
	n := len(trees[0].Processes)
	groups := [2][]int32{{}, {}}
	for p := range joined.Processes {
		g := 0
		if p >= n {
			g = 1
		}
		groups[g] = append(groups[g], int32(p))
	}
	return compareGroups(joined, m, names, groups, func(code uint32) string { return called[code] }), nil
}

// CompareProcesses compares some processes of a trace, such as 0-31,64, with the rest.
func CompareProcesses(src tracer.Source, some, metric string) (*ContextComparison, error) {
	t, err := contextsOf(src)
	if err != nil {
		return nil, err
	}
	group, err := parseRanges(some, len(t.Processes))
	if err != nil {
		return nil, err
	}
	m, err := chosenMetric(t, metricNames(t), metric)
	if err != nil {
		return nil, err
	}
	rest := t.Rest(group)
	if len(rest) == 0 {
		return nil, &InputError{fmt.Sprintf("processes %s are all that there are", some)}
	}
	return compareGroups(t, m, [2]string{ranges(group), "the rest"}, [2][]int32{group, rest}, func(code uint32) string { return called(src.Dict(), code) }), nil
}

func contextsOf(src tracer.Source) (*callingcontext.Tree, error) {
	t, err := callingcontext.Of(src, nil)
	if err == nil && len(t.Metrics) == 0 {
		err = &InputError{"the trace has no calling contexts: samples, reductions or threads"}
	}
	return t, err
}

// metricNames are the metrics of which a tree has anything.
func metricNames(t *callingcontext.Tree) (names []string) {
	for m, x := range t.Metrics {
		if t.Total(callingcontext.Root, m, true) != 0 {
			names = append(names, x.Name)
		}
	}
	return names
}

func chosenMetric(t *callingcontext.Tree, names []string, metric string) (int, error) {
	if metric == "" && len(names) > 0 {
		return t.Metric(names[0]), nil
	}
	if !slices.Contains(names, metric) {
		if near := nearest.Names(metric, names); len(near) > 0 {
			names = near
		}
		return 0, &InputError{fmt.Sprintf("metric %s: there are %s", Quoted(metric), strings.Join(names, ", "))}
	}
	return t.Metric(metric), nil
}

func compareGroups(t *callingcontext.Tree, metric int, names [2]string, groups [2][]int32, name func(code uint32) string) *ContextComparison {
	d := t.Difference(metric, false, groups[0], groups[1])
	all := t.Difference(metric, true, groups[0], groups[1])
	x := t.Metrics[metric]
	scale := x.Scale
	if scale == 0 {
		scale = 1
	}
	return &ContextComparison{
		Groups: [2]ContextGroup{{names[0], len(groups[0]), all.A[0] * scale}, {names[1], len(groups[1]), all.B[0] * scale}},
		Metric: x.Name, Unit: x.Unit, Contexts: contextParts(t, metric, d, t.Nodes(), 0, name),
	}
}

// parseRanges reads numbers and ranges, such as 0-31,64, below n.
func parseRanges(s string, n int) ([]int32, error) {
	in := make([]bool, n)
	for part := range strings.SplitSeq(s, ",") {
		a, b, two := strings.Cut(strings.TrimSpace(part), "-")
		first, err := strconv.Atoi(a)
		last := first
		if err == nil && two {
			last, err = strconv.Atoi(b)
		}
		switch {
		case err != nil || last < first:
			return nil, &InputError{fmt.Sprintf("processes %s: expected numbers and ranges, such as 0-31,64", Quoted(s))}
		case first < 0 || last >= n:
			return nil, &InputError{fmt.Sprintf("processes %s: there are those from 0 to %d", Quoted(s), n-1)}
		}
		for p := first; p <= last; p++ {
			in[p] = true
		}
	}
	group := []int32{}
	for p, is := range in {
		if is {
			group = append(group, int32(p))
		}
	}
	return group, nil
}

// WriteJSON writes the comparison as one object.
func (c *ContextComparison) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(c)
}

// WriteCSV writes a line of headings and a line for each context.
func (c *ContextComparison) WriteCSV(w io.Writer) error {
	lines := [][]string{{"context", "mean", "other_mean", "difference", "share"}}
	for _, x := range c.Contexts {
		number := func(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }
		lines = append(lines, []string{x.Context, number(x.Mean), number(x.Other), number(x.Difference), strconv.FormatFloat(x.Share, 'f', 6, 64)})
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// A table has so many contexts, of which each differs by so much of what a process spends.
const (
	mostRows = 20
	worthRow = 0.0005
)

// WriteTable writes the comparison for a person.
func (c *ContextComparison) WriteTable(w io.Writer) error {
	if len(c.Contexts) == 0 {
		_, err := fmt.Fprintf(w, "%s and %s spend the same %s in all calling contexts\n", c.Groups[0].Name, c.Groups[1].Name, c.Metric)
		return err
	}
	lines := [][]string{{"context", "A", "B", "A - B", "of all"}}
	amount := func(v float64) string {
		if c.Unit == "ns" {
			return figures.Duration(int64(v))
		}
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	rows := append([]ContextPart{{
		Context: "in all", Mean: c.Groups[0].Mean, Other: c.Groups[1].Mean, Difference: c.Groups[0].Mean - c.Groups[1].Mean,
		Share: 2 * (c.Groups[0].Mean - c.Groups[1].Mean) / (math.Abs(c.Groups[0].Mean) + math.Abs(c.Groups[1].Mean)), // one differs, so one is not 0
	}}, c.Contexts...)
	for i, x := range rows {
		if i > mostRows || i > 0 && math.Abs(x.Share) < worthRow {
			rows = rows[:i]
			break
		}
		sign := ""
		if x.Difference > 0 {
			sign = "+"
		}
		lines = append(lines, []string{x.Context, amount(x.Mean), amount(x.Other), sign + amount(x.Difference), fmt.Sprintf("%+.1f %%", 100*x.Share)})
	}
	var b strings.Builder
	for k, g := range c.Groups {
		fmt.Fprintf(&b, "%c  %s (%s)\n", 'A'+k, g.Name, counted(g.Processes, "process", "processes"))
	}
	fmt.Fprintf(&b, "\n%s of a process in a context itself\n\n", c.Metric)
	writeColumns(&b, lines)
	if n := len(c.Contexts) + 1 - len(rows); n > 0 {
		fmt.Fprintf(&b, "\n%s with smaller differences\n", counted(n, "context", "contexts"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return figures.Count(int64(n)) + " " + more
}
