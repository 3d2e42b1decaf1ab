package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/internal/ranges"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/derive/labels"
)

// A ContextComparison lists the calling contexts that distinguish two groups of processes: the processes of two runs, or some processes of a run
// and the rest. Contexts of two runs are equal if the names of their procedures are.
type ContextComparison struct {
	Groups   [2]ContextGroup `json:"groups"`
	Metric   string          `json:"metric"`
	Unit     string          `json:"unit"`
	Contexts []ContextPart   `json:"contexts"` // those that differ, the largest difference first
}

// A ContextGroup is one of two groups of processes.
type ContextGroup struct {
	Name      string  `json:"name"`
	Processes int     `json:"processes"`
	Mean      float64 `json:"mean"` // of the totals of its processes, in the unit
}

// CompareRuns compares the processes of two traces. With an empty metric it compares the first metric that both have.
func CompareRuns(names [2]string, traces [2]tracer.Source, metric string) (*ContextComparison, error) {
	var trees []*callingcontext.Tree
	for k, src := range traces {
		t, err := contextsOf(src, callingcontext.ByFunction, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", names[k], err)
		}
		trees = append(trees, t)
	}
	joined, procedures := callingcontext.Join(trees, func(tree int, code uint32) string { return procedureName(traces[tree].Dict(), code) })
	first, second := metricNames(trees[0]), metricNames(trees[1])
	both := slices.DeleteFunc(slices.Clone(first), func(name string) bool { return !slices.Contains(second, name) })
	if len(both) == 0 {
		return nil, noCommonMetric(names, trees[0], trees[1])
	}
	m, err := findMetric(joined, both, metric)
	if err != nil {
		return nil, err
	}
	if x := joined.Metrics[m]; joined.Saturated(m) || slices.ContainsFunc(joined.Metrics[m+1:], func(y callingcontext.Metric) bool { return y.Name == x.Name && y.Unit == x.Unit }) {
		return nil, fmt.Errorf("%s and %s: the values of %s overflow a common scale", names[0], names[1], x.Name)
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
	return compareGroups(joined, m, names, groups, func(code uint32) string { return procedures[code] }), nil
}

// CompareProcesses compares some processes of a trace with the rest. some lists numbers and ranges, such as 0-31,64.
func CompareProcesses(src tracer.Source, some, metric string) (*ContextComparison, error) {
	t, err := contextsOf(src, callingcontext.ByFunction, nil)
	if err != nil {
		return nil, err
	}
	group, err := parseProcesses(some, len(t.Processes))
	if err != nil {
		return nil, err
	}
	m, err := findMetric(t, metricNames(t), metric)
	if err != nil {
		return nil, err
	}
	rest := t.Rest(group)
	if len(rest) == 0 {
		return nil, fmt.Errorf("processes %s: these are all processes of the trace", some)
	}
	return compareGroups(t, m, [2]string{ranges.FormatNumbers(group), "the rest"}, [2][]int32{group, rest}, procedureNames(src)), nil
}

func noCommonMetric(names [2]string, a, b *callingcontext.Tree) error {
	return fmt.Errorf("no common metric: %s has %s, %s has %s", names[0], strings.Join(metricNames(a), ", "), names[1], strings.Join(metricNames(b), ", "))
}

// contextsOf returns the calling contexts of a trace for the samples and frames of labels that l chooses, nil for all. It fails if there are none.
func contextsOf(src tracer.Source, frame callingcontext.Frame, l *labels.Chooser) (*callingcontext.Tree, error) {
	t, err := callingcontext.BuildBy(src, frame, l, nil)
	if err == nil && len(t.Metrics) == 0 {
		err = errors.New("the trace has no calling contexts: samples, reductions or threads")
	}
	return t, err
}

// metricNames returns the metrics of a tree with a total other than zero.
func metricNames(t *callingcontext.Tree) (names []string) {
	for m, x := range t.Metrics {
		if t.Total(callingcontext.Root, m, true) != 0 {
			names = append(names, x.Name)
		}
	}
	return names
}

// findMetric returns the index of the named metric, or of the first for "".
func findMetric(t *callingcontext.Tree, names []string, metric string) (int, error) {
	if metric == "" && len(names) > 0 {
		return t.Metric(names[0]), nil
	}
	if !slices.Contains(names, metric) {
		return 0, nearest.Unknown("metric", metric, names)
	}
	return t.Metric(metric), nil
}

func compareGroups(t *callingcontext.Tree, metric int, names [2]string, groups [2][]int32, name func(code uint32) string) *ContextComparison {
	exclusive, inclusive := t.Difference(metric, false, groups[0], groups[1]), t.Difference(metric, true, groups[0], groups[1])
	x := t.Metrics[metric]
	scale := scaleOf(x)
	return &ContextComparison{
		Groups: [2]ContextGroup{{names[0], len(groups[0]), inclusive.A[0] * scale}, {names[1], len(groups[1]), inclusive.B[0] * scale}},
		Metric: x.Name, Unit: x.Unit, Contexts: contextParts(t, metric, exclusive, t.Nodes(), 0, name),
	}
}

// parseProcesses parses a list of numbers below n and ranges of them.
func parseProcesses(s string, n int) (processes []int32, err error) {
	list, err := ranges.Parse(s)
	if err != nil {
		return nil, fmt.Errorf("processes %w", err)
	}
	if len(list) == 0 {
		return nil, errors.New("no processes: expected numbers and ranges, for instance 0-31,64")
	}
	chosen := make([]bool, n)
	for _, r := range list {
		if max(r.First, r.Last) >= int64(n) {
			return nil, fmt.Errorf("processes %s: the trace has processes 0 to %d", nearest.Quote(s), n-1)
		}
		for p := min(r.First, r.Last); p <= max(r.First, r.Last); p++ {
			chosen[p] = true
		}
	}
	for p, is := range chosen {
		if is {
			processes = append(processes, int32(p))
		}
	}
	return processes, nil
}

// WriteJSON writes the comparison as one object.
func (c *ContextComparison) WriteJSON(w io.Writer) error { return WriteJSON(w, c) }

// WriteCSV writes a line of headings and a line for each context.
func (c *ContextComparison) WriteCSV(w io.Writer) error {
	lines := [][]string{{"context", "mean", "other_mean", "difference", "share"}}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }
	for _, x := range c.Contexts {
		lines = append(lines, []string{x.Context, number(x.Mean), number(x.Other), number(x.Difference), strconv.FormatFloat(x.Share, 'f', 6, 64)})
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// Limits of a table: the number of contexts, and the smallest share of a difference.
const (
	tableContexts = 20
	tableShare    = 0.0005
)

// WriteTable writes the comparison for people.
func (c *ContextComparison) WriteTable(w io.Writer) error {
	if len(c.Contexts) == 0 {
		_, err := fmt.Fprintf(w, "%s and %s spend the same %s in all calling contexts\n", c.Groups[0].Name, c.Groups[1].Name, c.Metric)
		return err
	}
	lines := [][]string{{"context", "A", "B", "A - B", "of all"}}
	amount := func(v float64) string { return amount(v, c.Unit) }
	parts := append([]ContextPart{{
		Context: "in all", Mean: c.Groups[0].Mean, Other: c.Groups[1].Mean, Difference: c.Groups[0].Mean - c.Groups[1].Mean,
		Share: 2 * (c.Groups[0].Mean - c.Groups[1].Mean) / (math.Abs(c.Groups[0].Mean) + math.Abs(c.Groups[1].Mean)), // the denominator is positive, because contexts differ
	}}, c.Contexts...)
	for i, x := range parts {
		if i > tableContexts || i > 0 && math.Abs(x.Share) < tableShare {
			parts = parts[:i]
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
		fmt.Fprintf(&b, "%c  %s (%s)\n", 'A'+k, g.Name, figures.Counted(int64(g.Processes), "process"))
	}
	fmt.Fprintf(&b, "\nexclusive %s of a context, mean of a process\n\n", c.Metric)
	writeColumns(&b, lines, len(lines[0]))
	if n := len(c.Contexts) + 1 - len(parts); n > 0 {
		fmt.Fprintf(&b, "\n%s with smaller differences\n", figures.Counted(int64(n), "context"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
