package report

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"whorl/internal/nearest"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/tracer/derive/labels"
)

// A ProfileQuery says what a table of a profile counts. Regular expressions match names of functions and of files, as those of pprof do; nil ones are
// left out.
type ProfileQuery struct {
	By        string // function, line, file, instruction or context
	Metric    string // "" for the default of the profile, or the first with values
	Processes string // numbers and ranges; "" for all
	Focus     *regexp.Regexp
	Ignore    *regexp.Regexp
	Show      *regexp.Regexp
	Hide      *regexp.Regexp
	Labels    labels.Query
}

// ProfileRows are the values of ProfileQuery.By.
var ProfileRows = []string{"function", "line", "file", "instruction", "context"}

// A profiled holds the calling contexts that a query chooses of one trace, or of two to compare.
type profiled struct {
	tree   *callingcontext.Tree // codes are numbers of names
	names  []string
	metric int
	first  []int     // the first process of each run, and the number of all
	totals []float64 // of each run before the contexts were chosen, in the metric's unit
	kept   []float64
	where  []string // names of processes
}

// profileOf reads traces for a query.
func profileOf(names []string, traces []tracer.Source, q *ProfileQuery) (*profiled, error) {
	if !slices.Contains(ProfileRows, q.By) {
		return nil, nearest.Unknown("kind of row", q.By, ProfileRows)
	}
	frame := callingcontext.ByFunction
	switch q.By {
	case "line", "file":
		frame = callingcontext.ByLine
	case "instruction":
		frame = callingcontext.ByInstruction
	}
	p := &profiled{first: []int{0}}
	var trees, chosen []*callingcontext.Tree
	var metrics []string
	for k, src := range traces {
		t, some, where, err := q.trees(src, frame)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", names[k], err)
		}
		own := counted(t)
		if k > 0 {
			metrics = slices.DeleteFunc(metrics, func(m string) bool { return !slices.Contains(own, m) })
		} else {
			metrics = own
		}
		trees, chosen = append(trees, t), append(chosen, some)
		p.first = append(p.first, p.first[k]+len(t.Processes))
		p.where = append(p.where, where...)
	}
	if len(metrics) == 0 && len(traces) > 1 {
		return nil, noCommonMetric([2]string(names), trees[0], trees[1])
	}
	if len(metrics) == 0 {
		return nil, fmt.Errorf("%s has no values", names[0])
	}
	first, err := findMetric(trees[0], metrics, q.Metric)
	if err != nil {
		return nil, err
	}
	metric, unit := trees[0].Metrics[first].Name, trees[0].Metrics[first].Unit
	for k, t := range trees {
		m := t.Metric(metric)
		if t.Metrics[m].Unit != unit {
			return nil, fmt.Errorf("%s counts %s in %q, %s in %q", names[0], metric, unit, names[k], t.Metrics[m].Unit)
		}
		p.totals = append(p.totals, absolute(t, m))
		trees[k] = chosen[k].Select(q.selection(traces[k].Dict())).Tree
	}
	rows := make([]func(code uint32) string, len(traces))
	for k, src := range traces {
		rows[k] = rowNames(src, q.By)
	}
	p.tree, p.names = callingcontext.Join(trees, func(k int, code uint32) string { return rows[k](code) })
	p.metric = p.tree.Metric(metric)
	if p.tree.Saturated(p.metric) {
		return nil, fmt.Errorf("the values of %s overflow", metric)
	}
	some := false
	for k, t := range trees {
		p.kept = append(p.kept, absolute(t, t.Metric(metric)))
		some = some || p.kept[k] != 0
	}
	if !some {
		return nil, errors.New("no calling context is left by the regular expressions")
	}
	return p, nil
}

// trees returns the calling contexts of the processes that a query counts, those of them that it chooses by labels, and the names of the processes.
func (q *ProfileQuery) trees(src tracer.Source, frame callingcontext.Frame) (all, some *callingcontext.Tree, where []string, err error) {
	l, err := labels.Parse(q.Labels, src.Dict())
	if err == nil {
		all, err = contextsOf(src, frame, nil)
	}
	if some = all; err == nil && l != nil {
		some, err = contextsOf(src, frame, l)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	where = processNames(src, len(all.Processes))
	if q.Processes == "" {
		return all, some, where, nil
	}
	own := where
	if all, where, err = onlyProcesses(all, own, q.Processes); err == nil && l != nil {
		some, _, err = onlyProcesses(some, own, q.Processes)
	} else {
		some = all
	}
	return all, some, where, err
}

// absolute returns the sum of the absolute exclusive values of a metric, in its unit: the whole that go tool pprof takes shares of.
func absolute(t *callingcontext.Tree, metric int) float64 {
	total := int64(0)
	for _, v := range t.Exclusive[metric] {
		total = callingcontext.Plus(total, max(v, -v))
	}
	return float64(total) * scaleOf(t.Metrics[metric])
}

// counted returns the metrics of a tree with values other than zero.
func counted(t *callingcontext.Tree) (names []string) {
	for m, x := range t.Metrics {
		if slices.ContainsFunc(t.Exclusive[m], func(v int64) bool { return v != 0 }) {
			names = append(names, x.Name)
		}
	}
	return names
}

// onlyProcesses returns the tree of some processes, and their names.
func onlyProcesses(t *callingcontext.Tree, names []string, some string) (*callingcontext.Tree, []string, error) {
	list, err := parseProcesses(some, len(t.Processes))
	if err != nil {
		return nil, nil, err
	}
	keep, kept := make([]bool, len(t.Processes)), []string{}
	for _, p := range list {
		keep[p], kept = true, append(kept, names[p])
	}
	return t.Only(keep), kept, nil
}

// processNames names the processes of a trace by their places, or by their numbers.
func processNames(src tracer.Source, n int) []string {
	meta := src.Meta()
	places := meta.Places()
	names := make([]string, n)
	for k := range names {
		if names[k] = places.Name(k); names[k] == "" {
			names[k] = fmt.Sprint(k)
		}
	}
	return names
}

// selection returns the frames that the query chooses among the codes of a trace.
func (q *ProfileQuery) selection(d *tracer.Dict) callingcontext.Selection {
	codes := d.Codes()
	by := func(re *regexp.Regexp) func(code uint32) bool {
		if re == nil {
			return nil
		}
		owner := func(code uint32) uint32 { return tracer.Owner(codes, code) }
		return callingcontext.Matching(re,
			func(code uint32) string { return procedureName(d, owner(code)) },
			func(code uint32) string { return d.Code(code).File },
			func(code uint32) string { return d.Code(owner(code)).File })
	}
	return callingcontext.Selection{Focus: by(q.Focus), Ignore: by(q.Ignore), Show: by(q.Show), Hide: by(q.Hide)}
}

// rowNames returns the function that names the rows of a trace.
func rowNames(src tracer.Source, by string) func(code uint32) string {
	d := src.Dict()
	codes, name := d.Codes(), procedureNames(src)
	switch by {
	case "file":
		return func(code uint32) string {
			for at := code; at != 0; at = d.Code(at).Parent {
				if f := d.Code(at).File; f != "" {
					return f
				}
			}
			return "unknown"
		}
	case "line", "instruction":
		return func(code uint32) string {
			c := d.Code(code)
			owner := tracer.Owner(codes, code)
			if owner == code || owner == 0 {
				return name(code)
			}
			s, line := name(owner), c
			if c.Type == tracer.Instruction {
				line = d.Code(c.Parent)
			}
			if line.Type == tracer.Line && line.File != "" {
				s += fmt.Sprintf(" %s:%d", line.File, line.Line)
			}
			if c.Type == tracer.Instruction {
				s += " " + c.Name
			}
			return s
		}
	}
	return name
}

// sum returns the sum of values by process over those of a run, in the metric's unit.
func (p *profiled) sum(run int, values []int64) float64 {
	total := int64(0)
	for _, v := range values[p.first[run]:p.first[run+1]] {
		total = callingcontext.Plus(total, v)
	}
	return float64(total) * scaleOf(p.tree.Metrics[p.metric])
}
