package kaleidoscope

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"whorl/tracer/derive/spawntree"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
)

// colours gives each drawn node a class, and each class a colour.
type colours struct {
	by     string
	class  []uint8 // of the nodes that are drawn
	color  []scene.Color
	light  []palette.Light
	legend view.Block
}

// Classes of time: what eight bits hold, and with a hue for the PE what is left of them.
const (
	timeSteps  = 256
	shadeSteps = 40
)

// A painter computes colours for one tree.
type painter struct {
	run    *view.Run
	tree   *spawntree.Tree
	from   []int32 // the tree's nodes that are drawn
	scheme palette.Scheme
	dark   bool
	out    *colours
}

func paint(run *view.Run, tree *spawntree.Tree, from []int32, p flow.Params) (*colours, error) {
	scheme, _, ok := palette.Named(p.Text(view.Palette.Name))
	if !ok {
		return nil, fmt.Errorf("there is no palette %q", p.Text(view.Palette.Name))
	}
	w := &painter{
		run: run, tree: tree, from: from, scheme: scheme, dark: p.Text(view.Background.Name) == "dark",
		out: &colours{by: p.Text(colorBy.Name), class: make([]uint8, len(from))},
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
		return nil, fmt.Errorf("there is no colouring %q", w.out.by)
	}
	for _, c := range w.out.color {
		w.out.light = append(w.out.light, palette.ToLight(color.NRGBA(c)))
	}
	return w.out, nil
}

func (w *painter) add(c color.NRGBA) uint8 {
	w.out.color = append(w.out.color, scene.Color(c))
	return uint8(len(w.out.color) - 1)
}

// total counts the nodes of a class and adds up their costs.
type total struct{ nodes, cost int64 }

// pes shares the PEs among at most most colours. Nodes whose PE is not known fall into the group after the last.
type pes struct {
	palette.Groups
	totals []total
	per    int // PE / per is the group
}

func (w *painter) pes(most int) pes {
	last := int32(-1)
	for _, pe := range w.tree.PE {
		last = max(last, pe)
	}
	g := palette.Group(max(w.run.Meta.PEs, int(last)+1, 1), most)
	p := pes{Groups: g, totals: make([]total, g.Len()+1), per: g.Size}
	for i, pe := range w.tree.PE {
		t := &p.totals[p.of(pe)]
		t.nodes++
		t.cost += w.tree.Cost[i]
	}
	return p
}

func (p *pes) of(pe int32) int {
	if pe < 0 {
		return len(p.totals) - 1
	}
	return int(pe) / p.per
}

// name says which PEs a group holds.
func (p *pes) name(k int) string {
	first, last := p.Range(k)
	if first == last {
		return "PE " + view.Count(int64(first))
	}
	return "PEs " + view.Count(int64(first)) + "–" + view.Count(int64(last))
}

func (w *painter) block(title string) {
	w.out.legend = view.Block{Title: title, Columns: []string{w.run.Noun(2), "busy"}}
}

func (w *painter) swatch(label string, t total, colors ...scene.Color) {
	w.out.legend.Swatches = append(w.out.legend.Swatches, view.Swatch{
		Colors: colors, Label: label, Values: []string{view.Count(t.nodes), view.Duration(t.cost)},
	})
}

func (w *painter) byPE() {
	set := w.scheme.Set(w.dark)
	p := w.pes(len(set))
	w.block("PE")
	for k := range p.Len() {
		w.add(set[k])
		w.swatch(p.name(k), p.totals[k], scene.Color(set[k]))
	}
	w.unknown(w.add(palette.Unknown(w.dark)), "PE not known", p.totals[p.Len()])
	w.grouped(&p)
	for i, at := range w.from {
		w.out.class[i] = uint8(p.of(w.tree.PE[at]))
	}
}

// grouped says so when a colour stands for several PEs.
func (w *painter) grouped(p *pes) {
	if p.Size > 1 {
		w.out.legend.Notes = append(w.out.legend.Notes, "Each colour stands for "+view.Count(int64(p.Size))+" PEs.")
	}
}

func (w *painter) unknown(class uint8, label string, t total) {
	if t.nodes > 0 {
		w.swatch(label, t, w.out.color[class])
	}
}

// byProcedure gives the procedures with most nodes a colour each; where there are too many, the rest share one.
func (w *painter) byProcedure() {
	owner := make([]uint32, len(w.run.Codes)+1) // of each code; codes that are not in the table are the last
	for c := range owner {
		owner[c] = w.run.Owner(uint32(c))
	}
	at := func(code uint32) uint32 { return owner[min(int(code), len(owner)-1)] }
	totals := make([]total, len(owner))
	for i, c := range w.tree.Code {
		t := &totals[at(c)]
		t.nodes++
		t.cost += w.tree.Cost[i]
	}
	var used []uint32
	for o, t := range totals {
		if t.nodes > 0 {
			used = append(used, uint32(o))
		}
	}
	slices.SortFunc(used, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(totals[b].nodes, totals[a].nodes), cmp.Compare(w.run.Name(a), w.run.Name(b)), cmp.Compare(a, b))
	})
	set := w.scheme.Set(w.dark)
	own := min(len(used), len(set))
	w.block("Procedure")
	class := make([]uint8, len(owner))
	for k, o := range used[:own] {
		class[o] = w.add(set[k])
		w.swatch(w.run.Name(o), totals[o], scene.Color(set[k]))
	}
	if rest := used[own:]; len(rest) > 0 {
		var sum total
		other := w.add(palette.Unknown(w.dark))
		for _, o := range rest {
			class[o] = other
			sum.nodes += totals[o].nodes
			sum.cost += totals[o].cost
		}
		w.swatch(view.Count(int64(len(rest)))+" others", sum, w.out.color[other])
	}
	for c := range owner {
		class[c] = class[owner[c]]
	}
	for i, n := range w.from {
		w.out.class[i] = class[min(int(w.tree.Code[n]), len(class)-1)]
	}
}

// clock maps the times of the tree to steps.
type clock struct {
	from, to int64
	k        float64
	steps    int
}

func (w *painter) clock(steps int) clock {
	c := clock{from: math.MaxInt64, to: math.MinInt64, steps: steps}
	for _, t := range w.tree.Time {
		c.from, c.to = min(c.from, t), max(c.to, t)
	}
	if c.to > c.from {
		c.k = float64(steps) / (float64(c.to) - float64(c.from))
	}
	return c
}

func (c *clock) step(t int64) int {
	return min(int((float64(t)-float64(c.from))*c.k), c.steps-1)
}

// at is the middle of a step, from 0 to 1: the first is 0 and the last is 1.
func (c *clock) at(step int) float64 { return float64(step) / float64(c.steps-1) }

func (w *painter) ramp(c *clock, colors []scene.Color) {
	var ticks []string
	if w.tree.Len() > 0 {
		for i := range int64(3) {
			ticks = append(ticks, view.Duration(c.from+(c.to-c.from)/2*i-w.run.From))
		}
	}
	w.out.legend.Ramp = &view.Ramp{Colors: colors, Ticks: ticks}
}

func (w *painter) byTime() {
	c := w.clock(timeSteps)
	for s := range timeSteps {
		w.add(w.scheme.Ramp(c.at(s), w.dark))
	}
	w.out.legend = view.Block{Title: "Time of the " + w.run.Noun(1)}
	w.ramp(&c, w.out.color)
	for i, n := range w.from {
		w.out.class[i] = uint8(c.step(w.tree.Time[n]))
	}
}

func (w *painter) byPETime() {
	c := w.clock(shadeSteps)
	p := w.pes(len(w.scheme.Hues))
	w.block("PE, and time as lightness")
	for k := range p.Len() {
		var shades []scene.Color
		for s := range shadeSteps {
			shades = append(shades, w.out.color[w.add(w.scheme.Shade(k, c.at(s), w.dark))])
		}
		w.swatch(p.name(k), p.totals[k], shades...)
	}
	w.unknown(w.add(palette.Unknown(w.dark)), "PE not known", p.totals[p.Len()])
	unknown := len(w.out.color) - 1
	grey := palette.Scheme{Hues: []palette.Hue{{}}}
	var greys []scene.Color
	for s := range shadeSteps {
		greys = append(greys, scene.Color(grey.Shade(0, c.at(s), w.dark)))
	}
	w.ramp(&c, greys)
	w.grouped(&p)
	for i, n := range w.from {
		if pe := w.tree.PE[n]; pe < 0 {
			w.out.class[i] = uint8(unknown)
		} else {
			w.out.class[i] = uint8(p.of(pe)*shadeSteps + c.step(w.tree.Time[n]))
		}
	}
}
