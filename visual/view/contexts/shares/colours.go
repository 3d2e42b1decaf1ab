package shares

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

// The values of ColorBy.
const (
	byFunction   = "function"
	byModule     = "module"
	byMean       = "mean"
	bySpread     = "spread"
	byDifference = "difference"
	byPackage    = "package"
	byKind       = "kind"
)

// ColorBy is the parameter that says what colours show.
var ColorBy = view.Param{
	Name: "color", Label: "Colour by",
	Doc:     "colour by function, file, mean of the processes, their spread, the difference between the shown processes and all, package, or kind of code",
	Default: byFunction, Choices: []string{byFunction, byModule, byMean, bySpread, byDifference, byPackage, byKind},
}

// ColorKeys are the keys that set ColorBy.
var ColorKeys = []view.Key{
	colorKey("1", "by function", byFunction),
	colorKey("2", "by file", byModule),
	colorKey("3", "by the mean of the processes", byMean),
	colorKey("4", "by the spread of the processes", bySpread),
	colorKey("5", "by the difference between the shown processes and all", byDifference),
	colorKey("6", "by package", byPackage),
	{Key: "y", Doc: "next colouring: also by kind of code: user, runtime or kernel"},
}

// Press handles the keys of all views of contexts, those of ColorKeys without an action, and contexts.CompareKey. It returns nil for other keys.
func (c *Chart) Press(f *view.Frame, in view.Input) []view.Action {
	switch in.Key {
	case "d":
		return c.Compare(f, in.Pane, c.Differences, true)
	case "y":
		k := slices.Index(ColorBy.Choices, c.Colours.by)
		return ColorBy.Set(in.Pane, ColorBy.Choices[(k+1)%len(ColorBy.Choices)])
	}
	return c.Values.Press(f, in)
}

func colorKey(key, doc, value string) view.Key {
	return view.Key{Key: key, Doc: "colouring " + key + ": " + doc, Action: view.Action{Do: view.SetParam, Name: ColorBy.Name, Value: value}}
}

// ColorParams lists the names of the parameters that Paint reads.
var ColorParams = flow.Params{ColorBy.Name, view.Palette.Name, view.Background.Name}

// Colours holds the colours of contexts, their legend block and its notes.
type Colours struct {
	Node  []scene.Color // by node
	Block view.Block
	Notes []string

	by   string
	dark bool
}

// A Canvas is what Paint colours: the subtree of a root of contexts.
type Canvas struct {
	*contexts.Spreads
	Root        int32
	All         *contexts.Contexts // the same contexts of all processes
	Whole       *contexts.Contexts // of the whole run: their values order the colours, which so do not depend on the shown part
	Ranks       *view.Procedures
	Differences *contexts.Differences // nil if nothing is compared
}

// Paint computes the colours of contexts. Those of a comparison take the place of all others.
func Paint(c Canvas, p flow.Values) *Colours {
	scheme, _ := palette.Named(p.Text(view.Palette.Name))
	w := &painter{Canvas: c, scheme: scheme}
	w.Colours = &Colours{dark: p.Text(view.Background.Name) == "dark", by: p.Text(ColorBy.Name), Node: make([]scene.Color, w.Nodes())}
	if b, ok := c.Differences.Block(w.dark); ok {
		w.Block = b
		for v := range w.Node {
			w.Node[v] = c.Differences.Color(int32(v), w.dark)
		}
		return w.Colours
	}
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
	return w.Colours
}

// A painter computes colours.
type painter struct {
	Canvas
	*Colours
	scheme palette.Scheme
}

// sets gives colours to functions, files, packages or kinds of code, in descending order of their exclusive values. Those beyond the palette get
// greyish ones.
func (w *painter) sets() {
	unknown := scene.NRGBA(palette.Unknown(w.dark))
	set := w.scheme.Set(w.dark)
	_, plural, key := w.class()
	title, rest := view.Capital(plural), "other "+plural
	type class struct {
		code     uint32
		name     string
		all, now int64
		drawn    bool // it has a part
	}
	var classes []class
	at := map[string]int{}
	ofCode := make([]int, len(w.Run.Codes)+1) // plus 1, 0 if not known yet; the last is that of codes that the trace does not have
	place := func(code uint32) *int { return &ofCode[min(int(code), len(w.Run.Codes))] }
	find := func(code uint32) *class {
		p := place(code)
		if *p == 0 {
			name := key(code)
			k, ok := at[name]
			if !ok || w.by == byFunction {
				k = len(classes)
				at[name] = k
				classes = append(classes, class{code: code, name: name})
			}
			*p = k + 1
		}
		return &classes[*p-1]
	}
	metric := w.Whole.Tree.Metric(w.Metrics[w.Metric].Name)
	for v := int32(1); int(v) < w.Whole.Nodes(); v++ {
		c := find(w.Whole.Code[v])
		c.all = callingcontext.Plus(c.all, w.Whole.Total(v, metric, false))
	}
	for v := int32(1); int(v) < w.Nodes(); v++ {
		if c := find(w.Code[v]); v >= w.Root && v < w.End[w.Root] {
			c.now = callingcontext.Plus(c.now, w.Own(v))
			c.drawn = c.drawn || w.In[v] > 0
		}
	}
	order := make([]int, len(classes))
	for k := range order {
		order[k] = k
	}
	rank := func(k int) int { // procedures of a spawn tree have the same colours in all views
		if w.by == byFunction {
			if r := w.Ranks.Rank(classes[k].code); r >= 0 {
				return r
			}
		}
		return math.MaxInt
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(classes[b].all, classes[a].all), cmp.Compare(w.Run.Name(classes[a].code), w.Run.Name(classes[b].code)))
	})
	color := make([]scene.Color, len(classes))
	whole := max(w.In[w.Root], 1)
	w.Block = view.Block{Title: title, Columns: []string{"exclusive"}}
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
		w.Block.Swatches = append(w.Block.Swatches, view.Swatch{Colors: []scene.Color{color[k]}, Label: w.classed(c.code, c.name), Values: []string{figures.SignedPercent(c.now, whole)}})
	}
	if n == 1 {
		noun, _, _ := w.class()
		rest = "other " + noun
	}
	if n > 0 {
		label := figures.Count(int64(n)) + " " + rest
		var several []scene.Color
		for i, k := range order[len(set):] {
			if i < len(set) && classes[k].drawn {
				several = append(several, color[k])
			}
		}
		w.Block.Swatches = append(w.Block.Swatches, view.Swatch{Colors: several, Label: label, Values: []string{figures.SignedPercent(others, whole)}})
	}
	for v := range w.Node {
		if w.Node[v] = unknown; v > 0 {
			w.Node[v] = color[*place(w.Code[v])-1]
		}
	}
}

// class returns the noun of what has a colour, and the name of that of a code.
func (w *painter) class() (noun, plural string, name func(code uint32) string) {
	switch w.by {
	case byModule:
		return "file", "files", w.Module
	case byPackage:
		return "package", "packages", func(code uint32) string { return PackageOf(w.Run.Short(code), w.Module(code)) }
	case byKind:
		return "kind of code", "kinds of code", func(code uint32) string { return KindOf(w.Run.Short(code), w.Module(code)) }
	}
	return w.Word(), w.Word() + "s", func(uint32) string { return "" }
}

// classed returns the name of a function, file, package or kind of code in the legend.
func (w *painter) classed(code uint32, name string) string {
	switch {
	case w.by == byFunction:
		return w.FunctionName(code)
	case name == "":
		noun, _, _ := w.class()
		return "unknown " + noun
	case w.by == byModule:
		return path.Base(strings.ReplaceAll(name, `\`, "/"))
	}
	return name
}

// steps is the number of colours of a ramp in a legend.
const steps = 52

// ramp colours each context by a quantity from 0 to 1 and makes the legend block.
func (w *painter) ramp(title string, quantity func(node int) float64, color func(t float64) scene.Color, ticks ...string) {
	for v := range w.Node {
		w.Node[v] = color(quantity(v))
	}
	r := &view.Ramp{Ticks: ticks}
	for i := range steps {
		r.Colors = append(r.Colors, color(float64(i)/(steps-1)))
	}
	w.Block = view.Block{Title: title, Ramp: r}
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
	for v := w.Root + 1; v < w.End[w.Root]; v++ {
		most = max(most, w.Of(v).Mean)
	}
	if most == 0 {
		most = max(w.Of(w.Root).Mean, 1)
	}
	w.ramp(w.title("Mean of the processes"), func(v int) float64 { return min(max(w.Of(int32(v)).Mean/most, 0), 1) }, w.heat,
		"0", w.Amount(int64(math.Round(most/2))), w.Amount(int64(math.Round(most))))
}

func (w *painter) spread() {
	w.ramp(w.title("Spread of the processes"), func(v int) float64 {
		s := w.Of(int32(v))
		return min(s.Relative(), 1)
	}, w.heat, "0", "50 %", "100 % or more")
	w.Notes = append(w.Notes, "The spread is the standard deviation of the processes divided by their mean.")
	if len(w.Processes) < 2 {
		w.Notes = []string{"One process has no spread."}
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
	n := float64(max(len(w.All.Processes), 1))
	w.ramp(w.title("Shown processes and all, logarithmic"), func(v int) float64 {
		return ratio(w.Of(int32(v)).Mean, float64(w.All.Total(int32(v), w.Metric, w.Inclusive))/n)
	}, w.beside, "half or less", "equal", "twice or more")
	if len(w.Processes) == len(w.All.Processes) {
		w.Notes = append(w.Notes, "All processes are shown. Show some of them alone to see how they differ from all.")
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
func (c *Colours) beside(t float64) scene.Color {
	return view.Diverging{Dark: c.dark}.Color(2*t - 1)
}
