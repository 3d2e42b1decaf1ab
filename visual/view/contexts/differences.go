package contexts

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// Against says with whom the processes that are shown are compared.
var Against = view.Param{
	Name: "against", Doc: "compare the processes that are shown with others: rest, a list such as 0-31,64, or trace for the run beside this one", Default: "",
}

// What Against says besides a list of processes.
const (
	AgainstRest  = "rest"
	AgainstTrace = "trace"
)

// A Beside is a tree of another run, to compare with: what the view.Beside of a graph holds. It is not changed.
type Beside struct {
	Name string // of the run
	*Contexts
}

// Open reads the calling contexts of a trace alone, to compare others with.
func Open(name string, src tracer.Source) (*Beside, error) {
	run, err := view.ReadRun(src)
	if err != nil {
		return nil, err
	}
	tree, err := callingcontext.Of(src, nil)
	if err != nil {
		return nil, err
	}
	return &Beside{Name: name, Contexts: New(run, tree)}, nil
}

// Itself are the contexts that a geometry holds, which another run can be compared with.
func (c *Contexts) Itself() *Contexts { return c }

// Differences say how much more the processes that are shown spend than others, by node: as a part of what a process spends in all.
type Differences struct {
	By       []float64
	A, B     []float64 // means
	One, Two string    // who they are
	Most     float64   // the largest of By, either way
	Missing  int       // contexts of the other run that are not in this one
	Wrong    error     // why there are none, or what is not as it was asked for; nil where nothing is wrong
}

// DifferenceStage compares the processes: *Differences, of which By is nil where nothing is compared.
var DifferenceStage = flow.Derive("contextdifferences", "how the processes that are shown differ from others in each calling context",
	flow.In(ValuesStage, Timed, view.Beside),
	flow.Params{Against.Name},
	func(c *flow.Call[*Differences]) (*Differences, error) {
		other, _ := view.Beside.In(c).(*Beside)
		return ValuesStage.In(c).against(Timed.In(c), other, strings.TrimSpace(c.Params.Text(Against.Name))), nil
	})

func (v *Values) against(all *Contexts, other *Beside, what string) *Differences {
	if what == "" {
		return &Differences{}
	}
	if what == AgainstTrace {
		return v.beside(other)
	}
	shown := v.PE // which are the processes of the tree of all
	them, two := all.Rest(shown), "all others"
	var odd error
	if what != AgainstRest {
		spans, err := ParseSpans(Against.Name, what)
		if err != nil {
			return &Differences{Wrong: err}
		}
		odd = all.outside(Against.Name, spans)
		them = all.within(spans)
		if two = "PEs " + FormatSpans(spans); len(shown) == len(all.PE) { // one list makes two groups
			shown = all.Rest(them)
		}
	}
	switch {
	case len(them) == 0 && odd != nil:
		return &Differences{Wrong: odd}
	case len(them) == 0:
		return &Differences{Wrong: fmt.Errorf("against %s: all processes are shown, and none are left: choose some by processes", what)}
	case len(shown) == 0:
		return &Differences{Wrong: fmt.Errorf("against %s: these are all processes, and none are left", what)}
	}
	one := "PEs " + FormatSpans(all.SelectProcesses("", shown).PEs)
	d := made(all.Difference(v.Metric, v.Inclusive, shown, them), one, two)
	d.Wrong = odd
	return d
}

func made(d *callingcontext.Difference, one, two string) *Differences {
	x := &Differences{By: make([]float64, len(d.A)), A: d.A, B: d.B, One: one, Two: two}
	for v := range x.By {
		x.By[v] = d.Share(int32(v))
		x.Most = max(x.Most, math.Abs(x.By[v]))
	}
	return x
}

// beside compares the means of two runs: contexts are the same where their numbers are, which are made of names.
func (v *Values) beside(other *Beside) *Differences {
	if other == nil || other.Contexts == nil {
		return &Differences{Wrong: errors.New("no other run stands beside this one, in a view of contexts")}
	}
	want := v.Metrics[v.Metric]
	metric := slices.IndexFunc(other.Metrics, func(m callingcontext.Metric) bool { return m.Name == want.Name && m.Unit == want.Unit })
	if metric < 0 {
		return &Differences{Wrong: fmt.Errorf("against %s: it counts no %s", other.Name, want.Name)}
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
		d.A[node] = float64(v.At(node)) / n
		if u, ok := other.Node(v.ID(node)); ok {
			d.B[node] = theirs(u, v.Inclusive)
		}
	}
	x := made(d, "this run", other.Name)
	for u := range int32(other.Nodes()) {
		if _, ok := v.Node(other.ID(u)); !ok {
			x.Missing++
		}
	}
	return x
}

// On says whether anything is compared.
func (d *Differences) On() bool { return d != nil && d.By != nil }

// Color is that of a node.
func (d *Differences) Color(node int32, dark bool) scene.Color {
	if d.Most == 0 {
		return Diverging{dark}.At(0)
	}
	return Diverging{dark}.At(d.By[node] / d.Most)
}

// Percent is a difference as text, with its sign where it is not nothing.
func Percent(share float64) string {
	switch s := figures.Fixed(100*math.Abs(share), 1) + " %"; {
	case s == "0.0 %":
		return s
	case share < 0:
		return "–" + s
	default:
		return "+" + s
	}
}

// Sum is the difference at some nodes together.
func (d *Differences) Sum(nodes []int32) (share float64) {
	for _, v := range nodes {
		share += d.By[v]
	}
	return share
}

// Told tells of the difference at a node, or at several together.
func (d *Differences) Told(v *Values, nodes ...int32) []string {
	if !d.On() {
		return nil
	}
	var a, b float64
	for _, node := range nodes {
		a, b = a+d.A[node], b+d.B[node]
	}
	amount := func(x float64) string { return v.Amount(callingcontext.Rounded(x)) }
	return []string{
		d.One + ": mean " + amount(a), d.Two + ": mean " + amount(b), Percent(d.Sum(nodes)) + " of what a process spends in all",
	}
}

// Block is what colours of differences stand for, in a legend; false where nothing is compared.
func (d *Differences) Block(dark bool) (view.Block, bool) {
	if !d.On() {
		return view.Block{}, false
	}
	b := view.Block{Title: view.Capital(d.One + " beside " + d.Two), Ramp: Diverging{dark}.Ramp(d.Most)}
	if d.Missing > 0 {
		b.Notes = append(b.Notes, figures.Count(int64(d.Missing))+" contexts of "+d.Two+" are not in this run.")
	}
	return b, true
}

// Compare is what the key d asks for: to compare the selected processes with all others, or, where none are selected, this run with the one
// beside it; and back.
func (v *Values) Compare(f *view.Frame, pane int, d *Differences, other bool) []view.Action {
	set := func(p view.Param, value string) view.Action {
		return view.Action{Do: view.SetParam, Pane: pane, Name: p.Name, Value: value}
	}
	if d.On() || d != nil && d.Wrong != nil {
		return []view.Action{set(Against, ""), set(Processes, "")}
	}
	if f.State != nil {
		if l := v.Lit(f.Trace, f.State.Shared.Selection); l != nil && len(l.Processes) > 0 && len(l.Processes) < len(v.PE) {
			return []view.Action{set(Processes, FormatSpans(v.SelectProcesses("", l.Processes).PEs)), set(Against, AgainstRest)}
		}
	}
	if len(v.PE) < v.Run.Meta.PEs {
		return []view.Action{set(Against, AgainstRest)}
	}
	if other && (f.State == nil || len(f.State.Shared.Traces) != 1) { // beside the only trace stands none
		return []view.Action{set(Against, AgainstTrace)}
	}
	return view.Refuse(pane, "select the processes to compare with the others: in kinds, in a histogram, in the timeline")
}
