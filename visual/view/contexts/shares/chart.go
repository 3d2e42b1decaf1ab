// Package shares holds what the charts share in which a calling context is as large as its share of a metric: flame graphs and ring charts.
package shares

import (
	"slices"
	"strings"
	"sync"

	"whorl/internal/figures"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/layout/partition"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// Drawn is a laid out subtree of contexts with its colours. It is immutable.
type Drawn struct {
	*contexts.Spreads
	Differences *contexts.Differences
	Layout      *partition.Layout
	Order       []int64 // by node: siblings stand by falling order, whichever processes are shown
	Colours     *Colours
	Root        int32
}

// DrawnStage lays out and colours the shown contexts.
var DrawnStage = flow.Derive("contextshares", "the part of each calling context and its colour",
	flow.In(contexts.Recorded, contexts.All, contexts.Timed, contexts.SpreadStage, contexts.DifferenceStage, view.ProcedureStage),
	append(flow.Params{view.Root}, ColorParams...),
	func(c *flow.Call[*Drawn]) (*Drawn, error) {
		s := contexts.SpreadStage.In(c)
		return Draw(Canvas{
			Spreads: s, Root: s.Contexts.Root(uint64(c.Params.Int(view.Root))), All: contexts.Timed.In(c), Whole: contexts.Recorded.In(c),
			Ranks: view.ProcedureStage.In(c), Differences: contexts.DifferenceStage.In(c),
		}, contexts.All.In(c), c.Params), nil
	})

// Draw lays out and colours contexts. Siblings have the order of their values in ordered, which has the same contexts.
func Draw(c Canvas, ordered *contexts.Contexts, p flow.Values) *Drawn {
	d := &Drawn{Spreads: c.Spreads, Differences: c.Differences, Root: c.Root, Order: c.In}
	if ordered != c.Contexts {
		d.Order = order(ordered, c.Metrics[c.Metric].Name)
	}
	d.Layout = partition.New(partition.Tree{End: c.End, Weight: c.In, Order: d.Order}, c.Root)
	d.Colours = Paint(c, p)
	return d
}

// A Chart is what a user looks at in it.
type Chart struct {
	*Drawn
	Shown  int     // levels
	Sought string  // the regular expression of a search, "" for none or a wrong one
	Found  []int32 // its matches: nodes
	Lit    []int32 // their parts, ascending

	wrong  error // the search is not a regular expression
	marked view.Memo[view.Selection, *Marks]
}

// Seek fills in the matches of a search.
func (c *Chart) Seek(expression string) {
	var err error
	if c.Found, err = c.Search(expression); err != nil { // the user may still be typing
		c.Sought, c.wrong = "", err
		return
	}
	c.Sought = expression
	for _, v := range c.Found {
		for a := c.Layout.Part(v); a >= 0; a = c.Layout.Next(a) {
			c.Lit = append(c.Lit, a)
		}
	}
	slices.Sort(c.Lit)
}

// Matches returns a sentence about the matches of the search and their share of the root's value, "" without a search. A match within another one
// counts once.
func (c *Chart) Matches() string {
	if c.Sought == "" {
		return ""
	}
	sum, end := int64(0), int32(-1)
	for _, v := range c.Found {
		if v >= max(end, c.Root) && v < c.End[c.Root] {
			sum, end = callingcontext.Plus(sum, c.In[v]), c.End[v]
		}
	}
	s := "Matches of “" + c.Sought + "”: " + figures.Count(int64(len(c.Found)))
	if len(c.Found) > 0 {
		s += ", " + figures.SignedPercent(sum, max(c.In[c.Root], 1)) + " of what is shown"
	}
	return s + "."
}

// Wrong reports which of the user's settings were ignored: an invalid search or unknown processes.
func (c *Chart) Wrong() error { return c.Contexts.Wrong(c.wrong, c.Differences) }

// Heaviest returns the node of the widest of a piece's first parts, whose colour represents the piece.
func (c *Chart) Heaviest(p partition.Piece) int32 {
	const looked = 64
	l := c.Layout
	best := p.First
	for a := p.First + 1; a < min(p.End, p.First+looked); a++ {
		if l.To[a]-l.From[a] > l.To[best]-l.From[best] {
			best = a
		}
	}
	return l.Node[best]
}

// Holds reports whether a piece contains any of some parts, which are ascending.
func Holds(parts []int32, p partition.Piece) bool {
	k, _ := slices.BinarySearch(parts, p.First)
	return k < len(parts) && parts[k] < p.End
}

// Ink returns a legible text colour on a background.
func Ink(on scene.Color) scene.Color {
	if 0.299*float64(on.R)+0.587*float64(on.G)+0.114*float64(on.B) > 125 {
		return scene.Hex(0x101010)
	}
	return scene.Hex(0xffffff)
}

// Pale returns a colour as it is drawn for parts that a search does not find.
func Pale(c scene.Color, style view.Style) scene.Color { return style.Ground.Mix(c, 0.25) }

// Part returns the first part of a node, or of its lowest ancestor with one; -1 for nodes outside the subtree of the root.
func (c *Chart) Part(node int32) int32 {
	for ; node >= c.Root; node = c.Parent[node] {
		if a := c.Layout.Part(node); a >= 0 && c.Layout.Level(a) < c.Shown {
			return a
		}
	}
	return -1
}

// Marks holds the parts and processes of a selection.
type Marks struct {
	Selection view.Selection
	Parts     []int32 // ascending; a context without a part is represented by its lowest ancestor with one
	Processes []int32 // of the tree; nil if the selection has no PEs
	Named     bool    // the selection has contexts, codes or lines

	mu   sync.Mutex
	part map[int32]float64 // by node; see Ratio
}

// Marks returns the marks of a selection of a trace. It keeps the last results, because every frame needs them.
func (c *Chart) Marks(trace string, s view.Selection) *Marks {
	if s.Trace != trace {
		return &Marks{}
	}
	return c.marked.Get(s, view.Selection.Equal, func() *Marks { return c.mark(trace, s) })
}

func (c *Chart) mark(trace string, s view.Selection) *Marks {
	m := &Marks{Selection: s, part: map[int32]float64{}}
	if lit := c.Highlight(trace, s); lit != nil {
		m.Named, m.Processes = lit.Named, lit.Processes
		end, part := int32(-1), int32(-1)
		for _, v := range lit.Nodes {
			if v < end && part >= 0 { // below a part of the last level, which represents its descendants
				continue
			}
			if part = c.Part(v); part < 0 {
				continue
			}
			for a := part; a >= 0; a = c.Layout.Next(a) {
				m.Parts = append(m.Parts, a)
			}
			if end = v; c.Layout.Level(part) == c.Shown-1 {
				end = c.End[c.Layout.Node[part]]
			}
		}
		slices.Sort(m.Parts)
		m.Parts = slices.Compact(m.Parts)
	}
	return m
}

// Some reports whether the selection consists of some of the processes and nothing else.
func (m *Marks) Some(c *Chart) bool {
	return !m.Named && len(m.Processes) > 0 && len(m.Processes) < len(c.Processes)
}

// Ratio compares the mean of the selected processes at a node with that of the shown ones, from 0 (half or less) to 1 (twice or more),
// logarithmically. It computes a ratio at its first call, and locks, because several frames may be drawn of one chart at a time.
func (m *Marks) Ratio(c *Chart, node int32) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	part, ok := m.part[node]
	if !ok {
		part = ratio(c.sum(node, m.Processes)/float64(len(m.Processes)), c.Of(node).Mean)
		m.part[node] = part
	}
	return part
}

// sum returns the value of some processes at a node.
func (c *Chart) sum(node int32, processes []int32) (sum float64) {
	values := c.Tree.Exclusive[c.Metric]
	if c.Inclusive {
		values = c.Tree.Inclusive[c.Metric]
	}
	for i := c.Start[node]; i < c.Start[node+1]; i++ {
		if _, in := slices.BinarySearch(processes, c.Tree.Process[i]); in {
			sum += float64(values[i])
		}
	}
	return sum
}

// Beside returns the colour of a ratio.
func (c *Chart) Beside(ratio float64) scene.Color { return c.Colours.beside(ratio) }

// Tip describes a context, and the selected processes in it.
func (c *Chart) Tip(f *view.Frame, node int32) []string {
	lines := append(c.Describe(node), c.Differences.Describe(c.Values, node)...)
	if m := c.Marks(f.Trace, f.Selected()); m.Some(c) {
		who := c.Process(int(m.Processes[0]))
		if n := len(m.Processes); n > 1 {
			who = figures.Count(int64(n)) + " selected PEs, mean"
		}
		lines = append(lines, who+": "+c.Amount(callingcontext.Rounded(c.sum(node, m.Processes)/float64(len(m.Processes)))))
	}
	return lines
}

// Nothing writes why there are no parts.
func (c *Chart) Nothing(f *view.Frame, out *scene.List) {
	em := float64(f.Style.Font)
	if f.Area.H() > 2*em {
		f.Write(out, (f.Area.X0+f.Area.X1)/2, (f.Area.Y0+f.Area.Y1)/2, "No values of "+c.Metrics[c.Metric].Name+" here.", f.Area.W()-em,
			scene.TextStyle{Size: f.Style.Font, Color: f.Style.Muted, Anchor: scene.Middle, VAlign: scene.Center})
	}
}

// Facts returns the facts of the legend about the contexts.
func (c *Chart) Facts() []view.Fact {
	facts := []view.Fact{
		{Label: "Contexts", Value: figures.Count(int64(c.End[c.Root] - c.Root))},
		{Label: "Depth", Value: figures.Count(int64(max(c.Layout.Depth()-1, 0)))},
		{Label: "Total", Value: c.Amount(c.In[0])},
	}
	if c.Root != 0 {
		facts = append(facts, view.Fact{Label: "Shown", Value: figures.Percent(c.In[c.Root], max(c.In[0], 1))})
	}
	return append(facts, view.Fact{Label: "Processes", Value: c.Counted()})
}

// Remarks returns the sentences of the legend: own about the chart, and those about the search, the parts, the selection and the colours. shape is what
// a context is drawn as.
func (c *Chart) Remarks(f *view.Frame, shape string, own ...string) (notes []string) {
	if s := c.Matches(); s != "" {
		notes = append(notes, s)
	}
	notes = append(notes, own...)
	drawn := 0
	for v := c.Root; v < c.End[c.Root]; v++ {
		if c.Layout.Part(v) >= 0 {
			drawn++
		}
	}
	notes = contexts.Without(notes, int(c.End[c.Root]-c.Root)-drawn, "context", shape)
	if c.Marks(f.Trace, f.Selected()).Some(c) {
		notes = append(notes, "The strips compare the mean of the selected PEs with that of all: from blue (half) to red (twice).")
	}
	return append(append(notes, c.Colours.Notes...), c.Notes()...)
}

// Shorter returns a name, the name without folders, and the name after the last dot or colon, as far as they differ.
func Shorter(name string) []string {
	names := []string{name}
	if strings.HasPrefix(name, "[") { // a binary without symbols
		return names
	}
	if i := strings.LastIndexByte(outside(name), '/'); i >= 0 && i+2 < len(name) { // but keep fib/2
		name = name[i+1:]
		names = append(names, name)
	}
	if i := strings.LastIndexAny(outside(name), ".:"); i >= 0 && i+2 < len(name) {
		names = append(names, name[i+1:])
	}
	return names
}

// outside returns a name with blanks in place of what stands in brackets: parameters of types, arguments and receivers.
func outside(name string) string {
	b, depth := []byte(name), 0
	for i, c := range b {
		switch c {
		case '[', '<', '(':
			depth++
		case ']', '>', ')':
			depth = max(depth-1, 0)
		default:
			if depth > 0 {
				b[i] = ' '
			}
		}
	}
	return string(b)
}

// Label returns the longest form of the name of a node that fits into a width in pixels, shortened if none does. It is "" if next to nothing fits.
func (c *Chart) Label(f *view.Frame, node int32, width float64) (text string) {
	size := f.Style.Font
	for _, text = range append([]string{c.Name(node)}, Shorter(c.Short(node))...) {
		if float64(f.Text.Width(text, size, scene.Regular)) <= width {
			return text
		}
	}
	if text = scene.Elide(f.Text, text, float32(width)-scene.Slack, size, scene.Regular); f.Text.Width(text, size, scene.Regular) < 2.5*size {
		return ""
	}
	return text
}

// order returns the totals of contexts by node, so that siblings keep their order whichever processes are shown.
func order(all *contexts.Contexts, metric string) []int64 {
	totals := make([]int64, all.Nodes())
	m := all.Tree.Metric(metric)
	for v := range totals {
		totals[v] = all.Total(int32(v), m, true)
	}
	return totals
}
