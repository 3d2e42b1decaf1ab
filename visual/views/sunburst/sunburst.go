// Package sunburst shows calling contexts as rings around a disc in the middle, which is the program. The chart is that of P. Moret et al.,
// "Visualizing and exploring profiles with calling context ring charts" (2010), for the merged tree of all processes.
//
// A context is an arc, and its callees lie outside it, within its angles. The angle of an arc is its share of the metric. Colours show the
// function, its file, the mean of the processes, their spread, or the difference between the shown processes and all. A double click makes a
// context the middle, and a click on the middle leads back.
package sunburst

import (
	"slices"
	"strings"

	"whorl/tracer"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/layout/sunburst"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// The values of the parameter colorBy.
const (
	byFunction   = "function"
	byModule     = "module"
	byMean       = "mean"
	bySpread     = "spread"
	byDifference = "difference"
)

var (
	colorBy = view.Param{
		Name: "color", Label: "Colour by", Doc: "colour by function, file, mean of the processes, their spread, or the difference between the shown processes and all", Default: byFunction,
		Choices: []string{byFunction, byModule, byMean, bySpread, byDifference},
	}
	rings = view.Param{Name: "rings", Label: "Number of rings", Doc: "at most; 0 shows as many as have room for names", Default: int64(0), Min: 0, Max: 1000}
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "sunburst",
		Title: "Ring chart",
		Doc:   "calling contexts as rings: angles are shares of the metric, and callees lie outside their callers",
		Icon:  icon.Wheel,
		Positions: []view.Position{
			{In: view.Samples, Rank: 3},
			{In: view.Processes, Rank: 1},
			{In: view.Profiles, Slot: view.Right},
			{In: view.Compared, Slot: view.Under, Rank: 2, Needs: tracer.Kinds(tracer.Sample)},
			{In: view.Contexts, Slot: view.Right},
		},
		Needs:    contexts.Needs,
		Picture:  view.Draws(geometryStage),
		Params:   append(contexts.Params(), colorBy, rings, contexts.Find, contexts.Root, view.Palette, view.Background),
		Keys:     keys,
		Contexts: true,
		Windowed: true,
	}
}

var keys = append([]view.Key{
	{Key: "1", Doc: "colouring 1: by function", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byFunction}},
	{Key: "2", Doc: "colouring 2: by file", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byModule}},
	{Key: "3", Doc: "colouring 3: by the mean of the processes", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byMean}},
	{Key: "4", Doc: "colouring 4: by the spread of the processes", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: bySpread}},
	{Key: "5", Doc: "colouring 5: by the difference between the shown processes and all", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byDifference}},
	{Key: "Enter", Doc: "go into the selection: show the context and its callees alone, as a double click does", Action: view.Action{Do: view.EnterSubtree}},
	{Key: "Backspace", Doc: "go back out: to the previous root, as a click on the middle does", Action: view.Action{Do: view.Back}},
	{Key: "r", Doc: "go back to the whole tree", Action: view.Action{Do: view.LeaveTo}},
}, slices.Concat(view.MatchKeys, contexts.Keys)...)

var layoutStage = flow.Derive("rings", "the arc of each calling context",
	flow.In(contexts.All, contexts.ValuesStage),
	flow.Params{view.Root},
	func(c *flow.Call[*sunburst.Layout]) (*sunburst.Layout, error) {
		all, v := contexts.All.In(c), contexts.ValuesStage.In(c)
		order := v.In // siblings keep their order whichever processes are shown
		if all != v.Contexts {
			order = make([]int64, all.Nodes())
			for n := range order {
				order[n] = all.Total(int32(n), v.Metric, true)
			}
		}
		root := v.Root(uint64(c.Params.Int(view.Root)))
		return sunburst.New(sunburst.Tree{End: v.End, Weight: v.In, Order: order}, root), nil
	})

var geometryStage = flow.Derive("ringchart", "the ring chart",
	flow.In(contexts.SpreadStage, layoutStage, coloursStage),
	flow.Params{view.Root, rings.Name, contexts.Find.Name, view.Window},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p := c.Params
		g := &Geometry{
			Spreads: contexts.SpreadStage.In(c), layout: layoutStage.In(c), colours: coloursStage.In(c),
			sought: strings.TrimSpace(p.Text(contexts.Find.Name)),
		}
		g.root = g.Root(uint64(p.Int(view.Root)))
		most := int(p.Int(rings.Name))
		if most == 0 {
			most = max(int(float64(p.Int(view.Window))/2/named-hole), 6)
		}
		g.shown = min(g.layout.Depth(), most+1)
		var err error
		if g.found, err = g.Search(g.sought); err != nil { // the user may still be typing
			g.sought, g.wrong = "", err
		}
		for _, v := range g.found {
			if a := g.layout.Arc(v); a >= 0 {
				g.lit = append(g.lit, a)
			}
		}
		slices.Sort(g.lit)
		return g, nil
	})

var _ interface {
	view.Overlayer
	view.Linked
	view.Plane
	view.Responder
	view.Revealer
	view.Chooser
	view.Doubter
} = (*Geometry)(nil)

// Geometry is the picture of the view.
type Geometry struct {
	*contexts.Spreads
	layout  *sunburst.Layout
	colours *colours
	root    int32
	shown   int     // number of rings, including the middle
	found   []int32 // matches of sought, nodes
	lit     []int32 // their arcs, ascending
	sought  string
	wrong   error // sought is not a regular expression

	marked view.Memo[view.Selection, *marks]
}

// hole is the radius of the middle. The width of a ring is 1.
const hole = 1.4

// named is the least width in pixels of a ring with room for names.
const named = 19

// radius returns the outer radius of a ring.
func radius(ring int) float64 { return hole + float64(ring) }

// Bounds returns the square around the rings and the rim. The unit of the world is the width of a ring, its origin the middle.
func (g *Geometry) Bounds() scene.Rect {
	r := radius(max(g.shown-1, 0)) + rim
	return scene.Rect{X0: -r, Y0: -r, X1: r, Y1: r}
}

// rim is the width of the grey rim that marks deeper contexts.
const rim = 0.12

// Wrong reports which of the user's settings were ignored: an invalid search or unknown processes.
func (g *Geometry) Wrong() error {
	return g.Contexts.Wrong(g.wrong, nil)
}
