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

// colours holds the colours of the contexts, their legend block and its notes.
type colours struct {
	by    string
	dark  bool
	node  []scene.Color // by node
	block view.Block
	notes []string
}

var coloursStage = flow.Derive("ringcolours", "the colour of each calling context",
	flow.In(contexts.All, contexts.SpreadStage, view.ProcedureStage),
	flow.Params{colorBy.Name, view.Palette.Name, view.Background.Name, view.Root},
	func(c *flow.Call[*colours]) (*colours, error) {
		p := c.Params
		scheme, _ := palette.Named(p.Text(view.Palette.Name))
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

// A painter computes colours.
type painter struct {
	*contexts.Spreads
	*colours
	all    *contexts.Contexts
	ranks  *view.Procedures
	root   int32
	scheme palette.Scheme
}

// sets gives colours to functions or files, in descending order of their exclusive values. Those beyond the palette get greyish ones.
func (w *painter) sets() {
	unknown := scene.NRGBA(palette.Unknown(w.dark))
	set := w.scheme.Set(w.dark)
	key := func(code uint32) string { return w.all.Module(code) }
	title, rest := "Files", "other files"
	if w.by == byFunction {
		title, rest = view.Capital(w.Word())+"s", "other "+w.Word()+"s"
		key = func(code uint32) string { return "" }
	}
	// The order is that of the values of all processes, so that colours do not depend on the shown part.
	type class struct {
		code     uint32
		name     string
		all, now int64
		drawn    bool // it has an arc
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
			classes[k].drawn = classes[k].drawn || w.In[v] > 0
		}
	}
	order := make([]int, len(classes))
	for k := range order {
		order[k] = k
	}
	rank := func(k int) int { // procedures of a spawn tree have the same colours in all views
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
		if i >= len(set) { // only to distinguish neighbours
			color[k] = unknown.Mix(scene.NRGBA(set[i%len(set)]), 0.4)
			if others = callingcontext.Plus(others, c.now); c.drawn {
				n++
			}
			continue
		}
		if color[k] = scene.NRGBA(set[i]); !c.drawn {
			continue
		}
		w.block.Swatches = append(w.block.Swatches, view.Swatch{Colors: []scene.Color{color[k]}, Label: w.classed(c.code, c.name), Values: []string{figures.SignedPercent(c.now, whole)}})
	}
	if n == 1 {
		rest = strings.TrimSuffix(rest, "s")
	}
	if n > 0 {
		label := figures.Count(int64(n)) + " " + rest
		var several []scene.Color
		for i, k := range order[len(set):] {
			if i < len(set) && classes[k].drawn {
				several = append(several, color[k])
			}
		}
		w.block.Swatches = append(w.block.Swatches, view.Swatch{Colors: several, Label: label, Values: []string{figures.SignedPercent(others, whole)}})
	}
	for v := range w.node {
		if w.node[v] = unknown; v > 0 {
			w.node[v] = color[ofCode[w.Code[v]]]
		}
	}
}

// classed returns the name of a function or file in the legend.
func (w *painter) classed(code uint32, file string) string {
	switch {
	case w.by == byFunction:
		return w.FunctionName(code)
	case file == "":
		return "unknown file"
	}
	return path.Base(strings.ReplaceAll(file, `\`, "/"))
}

// steps is the number of colours of a ramp in a legend.
const steps = 52

// ramp colours each context by a quantity from 0 to 1 and makes the legend block.
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

// heat returns colours from near the background (0) to the strongest one of the scheme (1).
func (w *painter) heat(t float64) scene.Color {
	if w.scheme.Name == palette.Schemes[0].Name {
		pale, strong := scene.Hex(0xf1e6d8), scene.NRGBA(palette.LCh{L: 0.46, C: 0.18, H: 25}.RGB())
		middle := scene.NRGBA(palette.LCh{L: 0.75, C: 0.15, H: 65}.RGB())
		if w.dark {
			pale, strong = scene.Hex(0x343a42), scene.NRGBA(palette.LCh{L: 0.88, C: 0.16, H: 95}.RGB())
			middle = scene.NRGBA(palette.LCh{L: 0.62, C: 0.18, H: 40}.RGB())
		}
		if t < 0.5 {
			return pale.Mix(middle, float32(2*t))
		}
		return middle.Mix(strong, float32(2*t-1))
	}
	return scene.NRGBA(w.scheme.Ramp(1-t, w.dark))
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
	w.ramp(w.title("Spread of the processes"), func(v int) float64 { return min(w.ByNode[v].Relative(), 1) }, w.heat, "0", "50 %", "100 % or more")
	w.notes = append(w.notes, "The spread is the standard deviation of the processes divided by their mean.")
	if len(w.Processes) < 2 {
		w.notes = []string{"One process has no spread."}
	}
}

// title adds the kind of the values to a title.
func (w *painter) title(s string) string {
	if w.Inclusive {
		return s + ", inclusive"
	}
	return s + ", exclusive"
}

// difference colours contexts by the ratio of the mean of the shown processes to that of all: blue for less, red for more.
func (w *painter) difference() {
	n := float64(max(len(w.all.Processes), 1))
	w.ramp(w.title("Shown processes and all, logarithmic"), func(v int) float64 {
		return ratio(w.ByNode[v].Mean, float64(w.all.Total(int32(v), w.Metric, w.Inclusive))/n)
	}, w.beside, "half or less", "equal", "twice or more")
	if w.all == w.Contexts {
		w.notes = append(w.notes, "All processes are shown. Show some of them alone to see how they differ from all.")
	}
}

// ratio maps the ratio of two amounts to a number from 0 (half or less) to 1 (twice or more), logarithmically.
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

// beside returns the colour of a value of ratio.
func (c *colours) beside(t float64) scene.Color {
	return contexts.Diverging{Dark: c.dark}.Color(2*t - 1)
}
