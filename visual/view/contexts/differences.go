package contexts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Against is the parameter that names the processes to compare with.
var Against = view.Param{
	Name: view.Against, Label: "Compare with", Doc: "compare the shown processes with the rest, with a list such as 0-31,64, or with the run beside this one (trace)", Default: "",
}

// CompareKey is the key for Values.Compare.
var CompareKey = view.Key{Key: "d", Doc: "compare, or stop comparing: the selected processes with all others, or this run with the one beside it"}

// The values of Against other than a list of processes.
const (
	AgainstRest  = "rest"
	AgainstTrace = view.AgainstTrace
)

// An Other is the run to compare with.
type Other struct {
	Name string
	*Contexts
	Wrong error // why it has no contexts, or nil
}

// otherTimed is Timed of the other run: the same contexts in the same time.
var otherTimed = Timed.Mirrored(view.OfOther)

// OtherRun are the inputs of a stage that calls OtherOf.
var OtherRun = flow.In(view.OtherName, otherTimed)

// OtherOf returns the run to compare with, nil for none.
func OtherOf(c flow.Reading) *Other {
	all, err := otherTimed.In(c)
	if all == nil && err == nil {
		return nil
	}
	return &Other{view.OtherName.In(c), all, err}
}

// Differences holds how much more the shown processes spend than others, by node, as a share of the total of a process.
type Differences struct {
	Share        []float64 // difference by node, as a share; nil if nothing is compared
	A, B         []float64 // means of the two sides
	NameA, NameB string    // names of the two sides
	Most         float64   // the largest absolute value of Share
	Missing      int       // contexts of the other run that are not in this one
	Wrong        error     // why nothing is compared, or which processes do not exist; or nil
}

// DifferenceStage derives the comparison of the shown processes.
var DifferenceStage = flow.Derive("contextdifferences", "the difference between the shown processes and others in each calling context",
	append(flow.In(ValuesStage, Timed), OtherRun...),
	append(flow.Params{Against.Name}, Choosing...),
	func(c *flow.Call[*Differences]) (*Differences, error) {
		return ValuesStage.In(c).Against(Timed.In(c), OtherOf(c), c.Params.Text(Against.Name)), nil
	})

// Against compares v with what the parameter Against names: the same contexts of other processes, which all has, or those of another run.
func (v *Values) Against(all *Contexts, other *Other, what string) *Differences {
	if what = strings.TrimSpace(what); what == "" || what == view.AgainstNone {
		return &Differences{}
	}
	if what == AgainstTrace {
		return v.beside(other)
	}
	shown := v.PE // all has a process for each PE
	them, two := all.Rest(shown), "all others"
	var odd error
	if what != AgainstRest {
		spans, err := ParseSpans(Against.Name, what)
		if err != nil {
			return &Differences{Wrong: err}
		}
		odd = all.outside(Against.Name, spans)
		them = all.within(spans)
		if two = "PEs " + FormatSpans(spans); len(shown) == len(all.PE) { // compare the others with the list
			shown = all.Rest(them)
		}
	}
	switch {
	case len(them) == 0 && odd != nil:
		return &Differences{Wrong: odd}
	case len(them) == 0:
		return &Differences{Wrong: fmt.Errorf("against %s: all processes are shown, and none are left to compare with: select some, or set processes", what)}
	case len(shown) == 0:
		return &Differences{Wrong: fmt.Errorf("against %s: the list holds all processes, and none are left to compare", what)}
	}
	one := "PEs " + FormatSpans(all.SelectProcesses("", shown).PEs)
	d := newDifferences(all.Difference(v.Metric, v.Inclusive, shown, them), one, two)
	d.Wrong = odd
	return d
}

func newDifferences(d *callingcontext.Difference, one, two string) *Differences {
	x := &Differences{Share: make([]float64, len(d.A)), A: d.A, B: d.B, NameA: one, NameB: two}
	for v := range x.Share {
		x.Share[v] = d.Share(int32(v))
		x.Most = max(x.Most, math.Abs(x.Share[v]))
	}
	return x
}

// beside compares the means of two runs. Contexts are the same if their numbers are equal, that is, the names on their call paths.
func (v *Values) beside(other *Other) *Differences {
	switch {
	case other == nil:
		return &Differences{Wrong: view.ErrAlone}
	case other.Wrong != nil:
		return &Differences{Wrong: fmt.Errorf("against %s: %w", other.Name, other.Wrong)}
	}
	want := v.Metrics[v.Metric]
	metric := slices.IndexFunc(other.Metrics, func(m callingcontext.Metric) bool { return m.Name == want.Name && m.Unit == want.Unit })
	if metric < 0 {
		return &Differences{Wrong: fmt.Errorf("against %s: that run has no metric %s", other.Name, want.Name)}
	}
	scale := 1.0
	if m := other.Metrics[metric]; m.Scale != 0 && want.Scale != 0 {
		scale = m.Scale / want.Scale
	}
	n, m := float64(max(len(v.PE), 1)), float64(max(len(other.PE), 1))
	theirs := func(node int32, inclusive bool) float64 {
		return float64(other.Total(node, metric, inclusive)) * scale / m
	}
	d := &callingcontext.Difference{A: make([]float64, v.Nodes()), B: make([]float64, v.Nodes())}
	d.Base = (math.Abs(float64(v.In[0])/n) + math.Abs(theirs(0, true))) / 2
	for node := range int32(v.Nodes()) {
		d.A[node] = float64(v.Value(node)) / n
		if u, ok := other.Node(v.ID(node)); ok {
			d.B[node] = theirs(u, v.Inclusive)
		}
	}
	x := newDifferences(d, "this run", other.Name)
	for u := range int32(other.Nodes()) {
		if _, ok := v.Node(other.ID(u)); !ok {
			x.Missing++
		}
	}
	return x
}

// Compared reports whether anything is compared.
func (d *Differences) Compared() bool { return d != nil && d.Share != nil }

// Color returns the colour of a node's difference.
func (d *Differences) Color(node int32, dark bool) scene.Color {
	if d.Most == 0 {
		return view.Diverging{Dark: dark}.Color(0)
	}
	return view.Diverging{Dark: dark}.Color(d.Share[node] / d.Most)
}

// Percent formats a difference with its sign, unless it rounds to 0.
func Percent(share float64) string {
	switch s := figures.Share(math.Abs(share), 1); {
	case s == "0.0 %":
		return s
	case share < 0:
		return "–" + s
	default:
		return "+" + s
	}
}

// Sum returns the sum of the differences of nodes.
func (d *Differences) Sum(nodes []int32) (share float64) {
	for _, v := range nodes {
		share += d.Share[v]
	}
	return share
}

// Describe returns the lines of a tip about the difference at nodes, summed; nil if nothing is compared.
func (d *Differences) Describe(v *Values, nodes ...int32) []string {
	if !d.Compared() {
		return nil
	}
	var a, b float64
	for _, node := range nodes {
		a, b = a+d.A[node], b+d.B[node]
	}
	amount := func(x float64) string { return v.Amount(callingcontext.Rounded(x)) }
	return []string{
		d.NameA + ": mean " + amount(a), d.NameB + ": mean " + amount(b), Percent(d.Sum(nodes)) + " of what a process spends in total",
	}
}

// Block returns the legend block of the colours of differences, or false if nothing is compared.
func (d *Differences) Block(dark bool) (view.Block, bool) {
	if !d.Compared() {
		return view.Block{}, false
	}
	b := view.Block{Title: view.Capital(d.NameA + " compared with " + d.NameB), Ramp: view.Diverging{Dark: dark}.Ramp(figures.Share(d.Most, 1))}
	if d.Missing > 0 {
		b.Notes = append(b.Notes, figures.Count(int64(d.Missing))+" contexts of "+d.NameB+" are not in this run.")
	}
	return b, true
}

// Compare returns the actions of the key d: compare the selected processes with all others, or, without a selection, this run with the one
// beside it; and end a comparison. other says whether the view can compare runs.
func (v *Values) Compare(f *view.Frame, pane int, d *Differences, other bool) []view.Action {
	set := func(p view.Param, value string) view.Action {
		return view.Action{Do: view.SetParam, Pane: pane, Name: p.Name, Value: value}
	}
	if d.Compared() || d != nil && d.Wrong != nil {
		return []view.Action{set(Against, ""), set(Processes, "")}
	}
	if l := v.Highlight(f.Trace, f.Selected()); l != nil && len(l.Processes) > 0 && len(l.Processes) < len(v.PE) {
		return []view.Action{set(Processes, FormatSpans(v.SelectProcesses("", l.Processes).PEs)), set(Against, AgainstRest)}
	}
	if len(v.PE) < v.Run.Meta.PEs {
		return []view.Action{set(Against, AgainstRest)}
	}
	if other && (f.State == nil || len(f.State.Shared.Traces) != 1) { // with one trace there is no other
		return []view.Action{set(Against, AgainstTrace)}
	}
	return view.Refuse(pane, "first select the processes to compare with all others: in kinds, in a histogram or in the timeline")
}
