// Package flame shows calling contexts as a flame graph (B. Gregg, "The flame graph", CACM 2016): a box for each context, as wide as its share of the
// metric, with its callees in the next row. With the root at the top the picture is known as icicles.
//
// Boxes stand in the order of their values or of time. The tree can be turned round, so that callers lie behind the functions that they call, or show
// the callers of a function on one side and its callees on the other. Processes have a graph together, or one each. Colours are those of the ring
// chart, or the difference from other processes or another run.
package flame

import (
	"cmp"
	"slices"
	"strings"

	"whorl/tracer"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/layout/partition"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
	"whorl/visual/view/contexts/shares"
)

// The values of the parameters.
const (
	top    = "top"
	bottom = "bottom"

	byValue = "value"
	byTime  = "time"
)

var (
	rootAt = view.Param{Name: "rootat", Label: "Root", Doc: "the program is at the top, with callees below their callers, or at the bottom", Default: top, Choices: []string{top, bottom}}
	order  = view.Param{
		Name: "order", Label: "Order", Doc: "the largest value first, or as the samples of each process came in time", Default: byValue, Choices: []string{byValue, byTime},
	}
	calls = view.Param{
		Name: "calls", Label: "Calls", Doc: "the callees of each function, its callers, or the callers of one function on one side and its callees on the other",
		Default: callees, Choices: []string{callees, callers, both},
	}
	function = view.Param{Name: "function", Label: "Function", Doc: "the function for both callers and callees: its name, or a regular expression", Default: ""}
	apart    = view.Param{Name: "apart", Label: "Each process", Doc: "a graph for each process instead of one for their sum", Default: false}
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "flame",
		Title: "Flame graph",
		Doc:   "calling contexts as boxes: widths are shares of the metric, and callees lie below or above their callers",
		Icon:  icon.Flame,
		Positions: []view.Position{
			{In: view.Samples, Rank: 5},
			{In: view.Processes, Rank: 6},
			{In: view.Profiles},
			{In: view.Compared, Slot: view.Under, Rank: 3, Needs: tracer.Kinds(tracer.Sample)},
			{In: view.Contexts, Slot: view.Under},
		},
		Needs:    contexts.Needs,
		Picture:  view.Draws(geometryStage),
		Params:   append(contexts.Params(), contexts.Against, rootAt, order, calls, function, apart, shares.ColorBy, contexts.Find, contexts.Root, view.Palette, view.Background),
		Keys:     keys,
		Contexts: true,
		Windowed: true,
	}
}

// Keys of the view alone.
const (
	keyTurned = ":"
	keyBoth   = ";"
	keyTime   = "'"
	keyApart  = "p"
)

var keys = slices.Concat(shares.ColorKeys, []view.Key{
	{Key: "Enter", Doc: "go into the selection: show the context and its callees alone, as a double click does", Action: view.Action{Do: view.EnterSubtree}},
	{Key: "Backspace", Doc: "go back out: to the previous root", Action: view.Action{Do: view.Back}},
	{Key: "r", Doc: "go back to the whole tree", Action: view.Action{Do: view.LeaveTo}},
	{Key: "g", Doc: "switch the geometry: root at the top or at the bottom"},
	{Key: keyTurned, Doc: "show the callers or the callees of each function"},
	{Key: keyBoth, Doc: "show the callers and the callees of the selected function, or the whole tree again"},
	{Key: keyTime, Doc: "order by time or by value"},
	{Key: keyApart, Doc: "switch columns between processors, groups of processors and ranks: a graph for each process, or one"},
	contexts.CompareKey,
}, view.MatchKeys, contexts.Keys)

// A panel is one of the graphs of the picture.
type panel struct {
	*shares.Chart
	name  string // of its process, "" for all
	width float64
	above []int32 // the callers of the root, the program first: each has a row
	up    bool    // rows go upwards
	from  int     // the first level that is drawn
	head  bool    // the name stands above the graph
	top   float64 // in rows, without the name
}

// rows returns the number of rows.
func (p *panel) rows() int { return len(p.above) + p.Layout.Depth() }

// Geometry is the picture of the view. The world is 1 wide, and its height counts rows.
type Geometry struct {
	*shares.Chart // of all shown processes; with callers and callees of a function, that of the callees
	panels        []*panel
	wrong         error // a setting of the view alone that was ignored
	mode          string
	ordered       string // the order that was asked for
	inTime        bool
	fromBottom    bool
	height        float64
	notes         []string
}

var geometryStage = flow.Derive("flamegraph", "the flame graph",
	flow.In(treesStage, runsStage),
	flow.Params{rootAt.Name, order.Name, calls.Name, apart.Name, contexts.Find.Name},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p, trees, runs := c.Params, treesStage.In(c), runsStage.In(c)
		g := &Geometry{mode: p.Text(calls.Name), ordered: p.Text(order.Name), fromBottom: p.Text(rootAt.Name) == bottom, notes: trees.notes, wrong: trees.wrong}
		if g.mode == both && len(trees.drawn) == 1 { // no such function
			g.mode = callees
		}
		sought := strings.TrimSpace(p.Text(contexts.Find.Name))
		if runs.why != "" {
			g.notes = append(slices.Clip(g.notes), runs.why)
		}
		g.inTime = g.ordered == byTime && runs.why == ""
		switch d := trees.drawn[0]; {
		case len(trees.drawn) == 2: // callers and callees of a function
			for k, d := range trees.drawn {
				g.add(d, sought, &panel{width: 1, up: k == 0, from: 1 - k}) // the callees have the row of the function
			}
		case g.inTime || p.Bool(apart.Name) && len(d.Processes) > 1:
			g.each(d, sought, runs.runs)
			g.Chart = newChart(d, sought)
		default:
			g.add(d, sought, &panel{width: 1, up: g.fromBottom})
		}
		if g.Chart == nil {
			g.Chart = g.panels[len(g.panels)-1].Chart
		}
		g.place()
		return g, nil
	})

func newChart(d *shares.Drawn, sought string) *shares.Chart {
	c := &shares.Chart{Drawn: d, Shown: d.Layout.Depth()}
	c.Seek(sought)
	return c
}

// add adds a panel.
func (g *Geometry) add(d *shares.Drawn, sought string, p *panel) {
	p.Chart = newChart(d, sought)
	for v := d.Root; v > 0; {
		v = d.Parent[v]
		p.above = append(p.above, v)
	}
	slices.Reverse(p.above)
	if g.mode == both {
		p.above = nil
	}
	g.panels = append(g.panels, p)
}

// mostValues bounds the contexts of all panels of processes together.
const mostValues = 1 << 23

// each adds a panel for each process. runs, by PE, is nil for the order of values.
func (g *Geometry) each(d *shares.Drawn, sought string, runs [][]partition.Run) {
	n := min(len(d.Processes), 256, max(mostValues/d.Nodes(), 2))
	if n < len(d.Processes) {
		g.notes = append(slices.Clip(g.notes), "Shown are the first "+figure(n)+" of "+figure(len(d.Processes))+" processes. Name others in “Processes”.")
	}
	most := int64(1)
	for k := range n {
		v, err := d.Contexts.Only(int32(k)).Values(d.Metrics[d.Metric].Name, d.Inclusive)
		if err != nil {
			continue // no values of the metric
		}
		one := *d
		one.Spreads = contexts.NewSpreads(v)
		if runs != nil {
			one.Layout = partition.Sequence(d.Parent, d.Root, runs[d.PE[k]])
		} else {
			one.Layout = partition.New(partition.Tree{End: d.End, Weight: v.In, Order: d.Order}, d.Root)
		}
		most = max(most, v.In[d.Root])
		p := &panel{name: d.Process(k), up: g.fromBottom, head: len(d.Processes) > 1}
		g.add(&one, sought, p)
	}
	for _, p := range g.panels {
		p.width = min(max(float64(p.In[p.Root])/float64(most), 0), 1)
	}
}

// Heights in rows.
const (
	heading = 1.1 // the name of a process
	between = 0.5 // panels
)

// place stacks the panels.
func (g *Geometry) place() {
	y := 0.0
	for k, p := range g.panels {
		if p.head {
			y += heading
		}
		p.top = y
		y += float64(p.rows())
		switch {
		case k == len(g.panels)-1:
		case g.mode == both:
			y-- // they share the row of the function
		default:
			y += between
		}
	}
	g.height = max(y, 1)
}

var _ interface {
	view.Overlayer
	view.Linked
	view.Plane
	view.Responder
	view.Revealer
	view.Chooser
	view.Doubter
} = (*Geometry)(nil)

// Wrong reports which of the user's settings were ignored: an unknown function, an invalid search or unknown processes.
func (g *Geometry) Wrong() error { return cmp.Or(g.wrong, g.Chart.Wrong()) }

// Bounds returns the width, 1, and the rows.
func (g *Geometry) Bounds() scene.Rect { return scene.Rect{X1: 1, Y1: g.height} }

// runs are the amounts of each PE in the order of time, or the reason why there is no order.
type runs struct {
	runs [][]partition.Run
	why  string
}

var runsStage = flow.Derive("flameruns", "the order of the samples in time",
	flow.In(view.Trace, contexts.Timed), flow.Params{order.Name, calls.Name, contexts.Metric.Name},
	func(c *flow.Call[*runs]) (*runs, error) {
		if c.Params.Text(order.Name) != byTime {
			return &runs{}, nil
		}
		if c.Params.Text(calls.Name) != callees {
			return &runs{why: "Only the callees of each function can be shown in the order of time."}, nil
		}
		all := contexts.Timed.In(c)
		v, err := all.Values(c.Params.Text(contexts.Metric.Name), true)
		if err != nil {
			return nil, err
		}
		list, why, err := v.Runs(view.Trace.In(c), c.Tick)
		r := &runs{why: why, runs: make([][]partition.Run, len(all.PE))}
		for pe := range min(len(list), len(r.runs)) {
			r.runs[pe] = coarse(list[pe])
		}
		return r, err
	})

// finest is the number of amounts of a process up to which each of them has its place. Of more, those that lie together in one of as many equal parts of
// the width are sorted by context.
const finest = 1 << 18

// coarse prepares amounts for partition.Sequence.
func coarse(list []callingcontext.Run) []partition.Run {
	out := make([]partition.Run, len(list))
	whole := 0.0
	for k, r := range list {
		out[k] = partition.Run(r)
		whole += float64(max(r.Amount, 0))
	}
	if len(out) <= finest || whole == 0 {
		return out
	}
	some := out[:0]
	before, from, bin := 0.0, 0, 0
	flush := func(to int) {
		part := out[from:to]
		slices.SortStableFunc(part, func(a, b partition.Run) int { return cmp.Compare(a.Node, b.Node) })
		for k, r := range part {
			if k > 0 && r.Node == some[len(some)-1].Node {
				some[len(some)-1].Amount = callingcontext.Plus(some[len(some)-1].Amount, r.Amount)
				continue
			}
			some = append(some, r)
		}
		from = to
	}
	for k := range out {
		if at := int(before / whole * finest); at != bin {
			flush(k)
			bin = at
		}
		before += float64(max(list[k].Amount, 0))
	}
	flush(len(out))
	return some
}
