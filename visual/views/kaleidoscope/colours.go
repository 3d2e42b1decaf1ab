package kaleidoscope

import (
	"runtime"

	"whorl/internal/figures"
	"whorl/internal/nearest"
	"whorl/internal/packed"
	"whorl/internal/parallel"
	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// colours holds a class for each drawn node and a colour for each class.
type colours struct {
	by     string
	class  []uint8 // by drawn node
	color  []scene.Color
	light  []palette.Light
	legend view.Block
	timed  bool // nodes have durations
}

// Numbers of classes of time.
const (
	timeSteps  = 256 // colours by time: all values of a class
	shadeSteps = 40  // most colours by PE and time, for each group of PEs
)

// A painter computes the colours of a tree.
type painter struct {
	run    *view.Run
	pes    *view.PEs
	ranks  *view.Procedures
	tree   *spawntree.Tree
	tally  *spawntree.Tally
	levels *levels
	scheme palette.Scheme
	dark   bool
	first  int64             // start of the range of the colours of time, in ns
	length int64             // length of that range, in ns
	totals []spawntree.Total // by swatch
	out    *colours
}

// paint computes the colours for the parameters p. run, pes, ranks, tree, tally and levels have to be set.
func (w *painter) paint(p flow.Values) (*colours, error) {
	scheme, err := palette.Named(p.Text(view.Palette.Name))
	if err != nil {
		return nil, err
	}
	w.scheme, w.dark = scheme, p.Text(view.Background.Name) == "dark"
	w.first, w.length = w.tally.From, w.tally.To-w.tally.From
	w.out = &colours{by: p.Text(colorBy.Name), class: make([]uint8, w.levels.Len()), timed: w.tally.Timed()}
	if n := p.Int(timeRange.Name); n > 0 {
		w.first, w.length = w.run.From, n
	}
	switch w.out.by {
	case byPE:
		w.byPE()
	case byProcedure:
		w.byProcedure()
	case byTime:
		w.byTime()
	case byPETime:
		w.byPETime()
	default:
		return nil, nearest.Unknown("colouring", w.out.by, colorBy.Choices)
	}
	w.values()
	for _, c := range w.out.color {
		w.out.light = append(w.out.light, palette.ToLight(c.NRGBA()))
	}
	return w.out, nil
}

func (w *painter) add(c scene.Color) uint8 {
	w.out.color = append(w.out.color, c)
	return uint8(len(w.out.color) - 1)
}

// block begins a legend with swatches. Its times are those of the nodes: a try that suspends is busy time of its PE, but not of a node.
func (w *painter) block(title string) {
	w.out.legend = view.Block{Title: title, Columns: []string{w.run.Noun(2), "time"}}
}

func (w *painter) swatch(label string, t spawntree.Total, colors ...scene.Color) {
	w.out.legend.Swatches = append(w.out.legend.Swatches, view.Swatch{Colors: colors, Label: label})
	w.totals = append(w.totals, t)
}

// values fills in the numbers of the swatches. A record without durations has no times.
func (w *painter) values() {
	if len(w.totals) == 0 {
		return
	}
	if !w.out.timed {
		w.out.legend.Columns = w.out.legend.Columns[:1]
		for i, t := range w.totals {
			w.out.legend.Swatches[i].Values = []string{figures.Count(t.Nodes)}
		}
		return
	}
	w.out.legend.ValuesNote = w.run.CostNote()
	cost := make([]int64, len(w.totals))
	for i, t := range w.totals {
		cost[i] = t.Cost
	}
	for i, busy := range figures.Durations(cost) {
		w.out.legend.Swatches[i].Values = []string{figures.Count(w.totals[i].Nodes), busy}
	}
}

// shared returns the totals of each colour of the PEs.
func (w *painter) shared(c view.PEColours) []spawntree.Total {
	totals := make([]spawntree.Total, c.Len())
	for pe, t := range w.tally.PE {
		totals[c.Index(pe)].Add(t)
	}
	return totals
}

// noPE adds the class of nodes with an unknown PE, and a swatch if there are any.
func (w *painter) noPE() uint8 {
	class := w.add(scene.NRGBA(palette.Unknown(w.dark)))
	if w.tally.NoPE.Nodes > 0 {
		w.swatch("unknown PE", w.tally.NoPE, w.out.color[class])
	}
	return class
}

func (w *painter) byPE() {
	w.block("PE")
	c := w.pes.Colours(w.scheme, w.dark)
	for k, t := range w.shared(c) {
		w.add(c.Set[k])
		w.swatch(c.Label(k), t, c.Set[k])
	}
	w.note(c.Note())
	classify(w, w.peTable(func(pe int) int { return c.Index(pe) }, w.noPE()), &w.tree.PE)
}

func (w *painter) note(s string) {
	if s != "" {
		w.out.legend.Notes = append(w.out.legend.Notes, s)
	}
}

// peTable returns the class of each PE; the last entry is for unknown PEs.
func (w *painter) peTable(class func(pe int) int, other uint8) []uint8 {
	table := make([]uint8, len(w.tally.PE)+1)
	for pe := range w.tally.PE {
		table[pe] = uint8(class(pe))
	}
	table[len(table)-1] = other
	return table
}

// classify looks up the class of each drawn node by the key of its node. Keys outside the table have the last entry.
func classify[T int32 | uint32](w *painter, table []uint8, key *packed.Column[T]) {
	last := uint32(len(table) - 1)
	shares(w, key, func(class []uint8, keys []T) {
		for i, k := range keys {
			class[i] = table[min(uint32(k), last)]
		}
	})
}

// shares calls f for shares of the drawn nodes in parallel, with their classes and the values of a column of the tree.
func shares[T packed.Integer](w *painter, column *packed.Column[T], f func(class []uint8, values []T)) {
	parallel.Range(w.levels.Len(), share, runtime.GOMAXPROCS(0), func(_, from, to int) {
		values := make([]T, min(to-from, 1<<12))
		for ; from < to; from += len(values) {
			values = values[:min(len(values), to-from)]
			read(w.levels, values, column, from)
			f(w.out.class[from:from+len(values)], values)
		}
	})
}

// byProcedure gives the procedures with the most nodes a colour each. The remaining procedures share one.
func (w *painter) byProcedure() {
	colours := w.ranks.Colours(w.scheme, w.dark)
	own := len(colours)
	for _, c := range colours {
		w.add(c)
	}
	other := w.add(scene.NRGBA(palette.Unknown(w.dark)))
	totals := make([]spawntree.Total, len(w.ranks.Owners))
	class := make([]uint8, len(w.tally.Code)) // by code; the last entry is for codes outside the table
	for c, t := range w.tally.Code {
		class[c] = other
		if r := w.ranks.Rank(uint32(c)); r >= 0 {
			totals[r].Add(t)
			class[c] = uint8(min(r, own))
		}
	}
	w.block(view.Capital(w.run.Unit()))
	var rest spawntree.Total
	others := int64(0)
	for r, t := range totals {
		switch {
		case t.Nodes == 0: // none in this subtree
		case r < own:
			w.swatch(w.run.Name(w.ranks.Owners[r]), t, colours[r])
		default:
			rest.Add(t)
			others++
		}
	}
	if others > 0 {
		w.swatch(figures.Count(others)+" others", rest, w.out.color[other])
	}
	classify(w, class, &w.tree.Code)
}

// A clock divides a range of time into steps.
type clock struct {
	from, span float64
	steps      int
}

func (w *painter) clock(steps int) clock {
	return clock{float64(w.first), max(float64(w.length), 1), steps}
}

func (c *clock) step(t int64) int {
	return max(min(int((float64(t)-c.from)/c.span*float64(c.steps)), c.steps-1), 0)
}

// fraction maps the first step to 0 and the last to 1.
func (c *clock) fraction(step int) float64 { return float64(step) / float64(c.steps-1) }

// ramp adds the colour scale of time to the legend.
func (w *painter) ramp(colors []scene.Color) {
	first := w.first - w.run.From
	ticks := []string{figures.Duration(first), figures.Duration(first + w.length/2), figures.Duration(first + w.length)}
	if first == 0 {
		ticks[0] = "0"
	}
	w.out.legend.Ramp = &view.Ramp{Colors: colors, Ticks: ticks}
}

func (w *painter) byTime() {
	c := w.clock(timeSteps)
	for s := range timeSteps {
		w.add(scene.NRGBA(w.scheme.Ramp(c.fraction(s), w.dark)))
	}
	w.out.legend = view.Block{Title: "Time of the " + w.run.Noun(1)}
	scale := make([]scene.Color, 0, timeSteps/5+1) // looks as smooth as all steps
	for s := 0; s < timeSteps; s += 5 {
		scale = append(scale, w.out.color[s])
	}
	w.ramp(scale)
	shares(w, &w.tree.Time, func(class []uint8, times []int64) {
		for i, t := range times {
			class[i] = uint8(c.step(t))
		}
	})
}

func (w *painter) byPETime() {
	pes := w.pes.Hues(w.scheme, w.dark)
	steps := min(shadeSteps, 255/pes.Len()) // a class is a byte, and one is for unknown PEs
	c := w.clock(steps)
	w.block("PE, and time as lightness")
	for k, t := range w.shared(pes) {
		shades := make([]scene.Color, steps)
		for s := range shades {
			shades[s] = w.out.color[w.add(pes.Shade(k, c.fraction(s)))]
		}
		w.swatch(pes.Label(k), t, shades...)
	}
	w.note(pes.Note())
	none := w.noPE()
	grey := palette.Scheme{Hues: []palette.Hue{{}}}
	greys := make([]scene.Color, steps)
	for s := range greys {
		greys[s] = scene.NRGBA(grey.Shade(0, c.fraction(s), w.dark))
	}
	w.ramp(greys)
	table := w.peTable(func(pe int) int { return pes.Index(pe) * steps }, none)
	classify(w, table, &w.tree.PE)
	shares(w, &w.tree.Time, func(class []uint8, times []int64) {
		for i, t := range times {
			if class[i] != none {
				class[i] += uint8(c.step(t))
			}
		}
	})
}
