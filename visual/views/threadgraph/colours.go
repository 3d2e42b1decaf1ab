package threadgraph

import (
	"math"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/tracer/derive/threadgraph"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// colours holds a class for each thread and a colour for each class. Where a thread changes its class, the classes of its nodes count.
type colours struct {
	by     string
	class  []uint8 // by thread of the trace
	pe     []uint8 // class by PE, the last entry for unknown PEs; nil unless the PE decides the class
	code   []uint8 // class by code, the last entry for unknown codes; nil unless the code decides the class
	color  []scene.Color
	light  [][3]float32 // linear RGB by class
	legend view.Block
}

// loadSteps is the number of classes when colours show load.
const loadSteps = 64

// A painter computes the colours of a thread graph.
type painter struct {
	run    *view.Run
	graph  *threadgraph.Graph
	work   *work
	pes    *view.PEs
	ranks  *view.Procedures
	scheme palette.Scheme
	dark   bool
	out    *colours
	count  []int64  // threads by class
	ran    []int64  // run time by class, in ns
	label  []string // by class
}

func (w *painter) paint(p flow.Values) (*colours, error) {
	scheme, err := palette.Named(p.Text(view.Palette.Name))
	if err != nil {
		return nil, err
	}
	w.scheme, w.dark = scheme, p.Text(view.Background.Name) == "dark"
	w.out = &colours{by: p.Text(colorBy.Name), class: make([]uint8, w.graph.Len())}
	switch w.out.by {
	case byPE:
		w.byPE()
	case byHost:
		w.byHost()
	case byProcedure:
		w.byProcedure()
	case byLoad:
		w.byLoad()
	default:
		return nil, nearest.Unknown("colouring", w.out.by, colorBy.Choices)
	}
	for _, c := range w.out.color {
		w.out.light = append(w.out.light, [3]float32{float32(palette.Linear(c.R)), float32(palette.Linear(c.G)), float32(palette.Linear(c.B))})
	}
	return w.out, nil
}

func (w *painter) add(label string, c scene.Color) uint8 {
	w.out.color = append(w.out.color, c)
	w.label = append(w.label, label)
	return uint8(len(w.out.color) - 1)
}

func (w *painter) byPE() {
	c := w.pes.Colours(w.scheme, w.dark)
	for k := range c.Set {
		w.add(c.Label(k), c.Set[k])
	}
	w.perPE("PE", func(pe int) uint8 { return uint8(c.Index(pe)) }, w.add("unknown PE", scene.NRGBA(palette.Unknown(w.dark))))
	if s := c.Note(); s != "" {
		w.out.legend.Notes = append(w.out.legend.Notes, s)
	}
}

// perPE fills the classes by PE and the legend.
func (w *painter) perPE(title string, class func(pe int) uint8, other uint8) {
	w.out.pe = make([]uint8, w.pes.N+1)
	for pe := range w.pes.N {
		w.out.pe[pe] = class(pe)
	}
	w.out.pe[w.pes.N] = other
	w.tally()
	w.block(title, other)
}

// byHost gives each host a colour, in the order of their PEs; the nodes of a cluster on one host have one each. When colours run out, the remaining
// hosts share one.
func (w *painter) byHost() {
	set := w.scheme.Set(w.dark)
	hosts := map[string]uint8{}
	own := min(len(set), 250)
	rest := 0
	var hostClass []uint8 // by PE
	for i := range w.run.Meta.PEInfo {
		name := w.run.Meta.PEInfo[i].Node()
		k, ok := hosts[name]
		if !ok && name != "" {
			if k = 255; len(w.out.color) < own {
				k = w.add(name, scene.NRGBA(set[len(w.out.color)]))
			} else {
				rest++
			}
			hosts[name] = k
		} else if name == "" {
			k = 255
		}
		hostClass = append(hostClass, k)
	}
	name := "unknown host"
	if rest > 0 {
		name = figures.Count(int64(rest)) + " others or unknown"
	}
	other := w.add(name, scene.NRGBA(palette.Unknown(w.dark)))
	w.perPE("Host", func(pe int) uint8 {
		if pe < len(hostClass) && hostClass[pe] < other {
			return hostClass[pe]
		}
		return other
	}, other)
}

// byProcedure gives the procedures with the most threads or goals a colour each. The remaining procedures share one.
func (w *painter) byProcedure() {
	set := w.ranks.Colours(w.scheme, w.dark)
	for i, c := range set {
		w.add(w.run.Name(w.ranks.Owners[i]), c)
	}
	name := "others"
	if n := len(w.ranks.Owners) - len(set); n > 0 {
		name = figures.Count(int64(n)) + " others"
	}
	other := w.add(name, scene.NRGBA(palette.Unknown(w.dark)))
	w.out.code = make([]uint8, len(w.run.Codes)+1)
	for c := range w.out.code {
		w.out.code[c] = other
		if r := w.ranks.Rank(uint32(c)); r >= 0 && r < len(set) {
			w.out.code[c] = uint8(r)
		}
	}
	w.tally()
	w.block(view.Capital(w.run.Unit()), other)
}

// byLoad shades threads by their run time, on a logarithmic scale.
func (w *painter) byLoad() {
	least, most := int64(math.MaxInt64), int64(0)
	for _, o := range w.work.own {
		if o > 0 {
			least, most = min(least, o), max(most, o)
		}
	}
	least = min(least, most)
	for k := range loadSteps {
		w.add("", scene.NRGBA(w.scheme.Ramp(float64(k)/(loadSteps-1), w.dark)))
	}
	factor := math.Log(float64(max(most, 1)) / float64(max(least, 1)))
	for t, o := range w.work.own {
		if o > 0 && factor > 0 {
			w.out.class[t] = uint8(math.Log(float64(o)/float64(least)) / factor * (loadSteps - 1))
		}
	}
	w.out.legend = view.Block{Title: "Run time, logarithmic", Ramp: &view.Ramp{Colors: w.out.color}}
	ticks := []int64{least, int64(math.Sqrt(float64(least) * float64(most))), most}
	for _, t := range ticks {
		w.out.legend.Ramp.Ticks = append(w.out.legend.Ramp.Ticks, figures.Duration(t))
	}
}

// tally assigns classes to the threads and sums the run time of each class.
func (w *painter) tally() {
	g, c := w.graph, w.out
	if g.Condensed != nil {
		w.tallyCondensed()
		return
	}
	w.count, w.ran = make([]int64, len(c.color)), make([]int64, len(c.color))
	for t := range int32(g.Len()) {
		c.class[t] = c.classOf(g.PE[t], g.Code[t])
		w.count[c.class[t]]++
		from, to := g.Chain(t)
		class := c.class[t]
		for v := from; v < to; v++ {
			w.ran[class] += g.Run[v]
			class = c.classAfter(g, v, class)
		}
	}
}

// tallyCondensed does what tally does for a condensed graph, whose trace was counted while it was read.
func (w *painter) tallyCondensed() {
	g, c := w.graph, w.out
	w.count, w.ran = make([]int64, len(c.color)), make([]int64, len(c.color))
	for t := range int32(g.Len()) {
		c.class[t] = c.classOf(g.PE[t], g.Code[t])
	}
	amounts := g.Condensed.PE
	if c.pe == nil {
		amounts = g.Condensed.Code
	}
	for i, a := range amounts {
		class := c.classOf(int32(i), uint32(i))
		w.count[class] += a.Threads
		w.ran[class] += a.Run
	}
}

// classOf returns the class of a thread on a PE with a code.
func (c *colours) classOf(pe int32, code uint32) uint8 {
	if c.pe != nil {
		return c.pe[min(uint32(pe), uint32(len(c.pe)-1))]
	}
	return c.code[min(code, uint32(len(c.code)-1))]
}

// classAfter returns the class of the edge after a node, given the class of the edge before it.
func (c *colours) classAfter(g *threadgraph.Graph, node int32, before uint8) uint8 {
	switch {
	case c.pe != nil:
		return c.pe[min(uint32(g.NodePE[node]), uint32(len(c.pe)-1))]
	case c.code != nil && g.Goal != nil && g.Goal[node] != 0:
		return c.code[min(g.Line[node], uint32(len(c.code)-1))]
	}
	return before
}

// block builds the legend of the classes.
func (w *painter) block(title string, other uint8) {
	b := view.Block{Title: title, Columns: []string{"threads", "ran"}, Notes: w.out.legend.Notes}
	var ran []int64
	for k, n := range w.count {
		if n == 0 && w.ran[k] == 0 && (uint8(k) == other || title != "PE") {
			continue
		}
		b.Swatches = append(b.Swatches, view.Swatch{Colors: w.out.color[k : k+1], Label: w.label[k], Values: []string{figures.Count(n)}})
		ran = append(ran, w.ran[k])
	}
	for i, s := range figures.Durations(ran) {
		b.Swatches[i].Values = append(b.Swatches[i].Values, s)
	}
	w.out.legend = b
}
