package sunburst

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"whorl/internal/figures"
	"whorl/tracer/derive/callingcontext"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// colours are those of the contexts, and what is to be said of them.
type colours struct {
	by    string
	dark  bool
	node  []scene.Color // by node
	block view.Block
	notes []string
}

var coloursStage = flow.Derive("ringcolours", "the colour of each calling context, and what the colours stand for",
	flow.In(contexts.All, contexts.SpreadStage, view.ProcedureStage),
	flow.Params{colorBy.Name, view.Palette.Name, view.Background.Name, view.Root},
	func(c *flow.Call[*colours]) (*colours, error) {
		p := c.Params
		scheme, _, _ := palette.Named(p.Text(view.Palette.Name))
		w := &painter{
			Spreads: contexts.SpreadStage.In(c), all: contexts.All.In(c), ranks: view.ProcedureStage.In(c),
			scheme: scheme,
		}
		w.root = w.Root(uint64(p.Int(view.Root)))
		w.colours = &colours{dark: p.Text(view.Background.Name) == "dark", by: p.Text(colorBy.Name), node: make([]scene.Color, w.Nodes())}
		switch w.by {
		case byMean:
			w.mean()
		case bySpread:
			w.spread()
		case byDifference:
			w.difference()
		default:
			w.sets()
		}
		return w.colours, nil
	})

// A painter makes the colours of one stage.
type painter struct {
	*contexts.Spreads
	*colours
	all    *contexts.Contexts
	ranks  *view.Procedures
	root   int32
	scheme palette.Scheme
}

// sets gives functions, or the files that they are from, colours of their own, those with most first.
func (w *painter) sets() {
	unknown := scene.Color(palette.Unknown(w.dark))
	set := w.scheme.Set(w.dark)
	key := func(code uint32) string { return w.all.Module(code) }
	title, rest := "Files", "other files"
	if w.by == byFunction {
		title, rest = view.Capital(w.Word())+"s", "other "+w.Word()+"s"
		key = func(code uint32) string { return "" }
	}
	// Classes by what all processes spent in them, so that one has its colour whatever is shown.
	type class struct {
		code     uint32
		name     string
		all, now int64
	}
	var classes []class
	at := map[string]int{}
	ofCode := map[uint32]int{}
	for v := int32(1); int(v) < w.Nodes(); v++ {
		code := w.Code[v]
		k, ok := ofCode[code]
		if !ok {
			name := key(code)
			if k, ok = at[name]; !ok || w.by == byFunction {
				k = len(classes)
				at[name] = k
				classes = append(classes, class{code: code, name: name})
			}
			ofCode[code] = k
		}
		classes[k].all = callingcontext.Plus(classes[k].all, w.all.Total(v, w.Metric, false))
		if v >= w.root && v < w.End[w.root] {
			classes[k].now = callingcontext.Plus(classes[k].now, w.Ex[v])
		}
	}
	order := make([]int, len(classes))
	for k := range order {
		order[k] = k
	}
	rank := func(k int) int { // of procedures of a spawn tree, as all views have them
		if w.by == byFunction {
			if r := w.ranks.Rank(classes[k].code); r >= 0 {
				return r
			}
		}
		return math.MaxInt
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(classes[b].all, classes[a].all))
	})
	color := make([]scene.Color, len(classes))
	whole := max(w.In[w.root], 1)
	w.block = view.Block{Title: title, Columns: []string{"exclusive"}}
	others, n := int64(0), 0
	for i, k := range order {
		c := &classes[k]
		if i >= len(set) { // neighbours can be told apart, and that is all
			color[k] = unknown.Mix(scene.Color(set[i%len(set)]), 0.4)
			others = callingcontext.Plus(others, c.now)
			n++
			continue
		}
		color[k] = scene.Color(set[i])
		w.block.Swatches = append(w.block.Swatches, view.Swatch{Colors: []scene.Color{color[k]}, Label: w.classed(c.code, c.name), Values: []string{share(c.now, whole)}})
	}
	if n > 0 {
		label := figures.Count(int64(n)) + " " + rest
		var several []scene.Color
		for i, k := range order[len(set):] {
			if i < len(set) {
				several = append(several, color[k])
			}
		}
		w.block.Swatches = append(w.block.Swatches, view.Swatch{Colors: several, Label: label, Values: []string{share(others, whole)}})
	}
	for v := range w.node {
		if w.node[v] = unknown; v > 0 {
			w.node[v] = color[ofCode[w.Code[v]]]
		}
	}
}

// share is a part of a whole, of which it may be less than nothing.
func share(part, whole int64) string {
	if part < 0 {
		return "–" + figures.Percent(-part, whole)
	}
	return figures.Percent(part, whole)
}

// classed is what a class is called.
func (w *painter) classed(code uint32, file string) string {
	switch {
	case w.by == byFunction:
		return w.FunctionName(code)
	case file == "":
		return "no file is known"
	}
	return path.Base(strings.ReplaceAll(file, `\`, "/"))
}

// steps is how many colours a ramp has in a legend.
const steps = 52

// ramp paints each context by a quantity from 0 to 1, and says what stands at its ends.
func (w *painter) ramp(title string, quantity func(node int) float64, color func(t float64) scene.Color, ticks ...string) {
	for v := range w.node {
		w.node[v] = color(quantity(v))
	}
	r := &view.Ramp{Ticks: ticks}
	for i := range steps {
		r.Colors = append(r.Colors, color(float64(i)/(steps-1)))
	}
	w.block = view.Block{Title: title, Ramp: r}
}

// heat runs from near the background to the strongest colour of the scheme.
func (w *painter) heat(t float64) scene.Color {
	if w.scheme.Name == palette.Schemes[0].Name {
		pale, strong := scene.Hex(0xf1e6d8), scene.Color(palette.LCh{L: 0.46, C: 0.18, H: 25}.RGB())
		middle := scene.Color(palette.LCh{L: 0.75, C: 0.15, H: 65}.RGB())
		if w.dark {
			pale, strong = scene.Hex(0x343a42), scene.Color(palette.LCh{L: 0.88, C: 0.16, H: 95}.RGB())
			middle = scene.Color(palette.LCh{L: 0.62, C: 0.18, H: 40}.RGB())
		}
		if t < 0.5 {
			return pale.Mix(middle, float32(2*t))
		}
		return middle.Mix(strong, float32(2*t-1))
	}
	return scene.Color(w.scheme.Ramp(1-t, w.dark))
}

func (w *painter) mean() {
	most := 0.0
	for v := w.root + 1; v < w.End[w.root]; v++ {
		most = max(most, w.ByNode[v].Mean)
	}
	if most == 0 {
		most = max(w.ByNode[w.root].Mean, 1)
	}
	w.ramp(w.title("Mean of the processes"), func(v int) float64 { return min(max(w.ByNode[v].Mean/most, 0), 1) }, w.heat,
		"0", w.Amount(int64(math.Round(most/2))), w.Amount(int64(math.Round(most))))
}

func (w *painter) spread() {
	w.ramp(w.title("Spread over the processes"), func(v int) float64 { return min(w.ByNode[v].Relative(), 1) }, w.heat, "0", "50 %", "100 % or more")
	w.notes = append(w.notes, "The spread is the standard deviation of the processes as a part of their mean.")
	if len(w.Processes) < 2 {
		w.notes = []string{"There is one process, and so no spread."}
	}
}

// title says of what a quantity is.
func (w *painter) title(s string) string {
	if w.Inclusive {
		return s + ", inclusive"
	}
	return s + ", exclusive"
}

// difference paints the mean of the processes that are shown by how it lies to that of all: blue where they have less, red where more.
func (w *painter) difference() {
	n := float64(max(len(w.all.Processes), 1))
	w.ramp(w.title("Mean of those shown beside all"), func(v int) float64 {
		return ratio(w.ByNode[v].Mean, float64(w.all.Total(int32(v), w.Metric, w.Inclusive))/n)
	}, w.beside, "half or less", "equal", "twice or more")
	if w.all == w.Contexts {
		w.notes = append(w.notes, "All processes are shown: select some PEs and press s to see how they differ.")
	}
}

// ratio is where an amount lies to another one, from 0 for half of it or less to 1 for twice as much or more.
func ratio(here, all float64) float64 {
	switch {
	case here == all:
		return 0.5
	case here <= 0:
		return 0
	case all <= 0:
		return 1
	}
	return min(max(0.5+math.Log2(here/all)/2, 0), 1)
}

// beside is the colour of a ratio.
func (c *colours) beside(t float64) scene.Color {
	middle, less, more := scene.Hex(0xe4e4e0), scene.Hex(0x2166ac), scene.Hex(0xb2182b)
	if c.dark {
		middle, less, more = scene.Hex(0x4a4f57), scene.Hex(0x67a9ff), scene.Hex(0xff6b5e)
	}
	if t < 0.5 {
		return middle.Mix(less, float32(1-2*t))
	}
	return middle.Mix(more, float32(2*t-1))
}
