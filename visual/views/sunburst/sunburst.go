// Package sunburst shows calling contexts as rings about the program, which is the disc in the middle: P. Moret et al., "Visualizing and
// exploring profiles with calling context ring charts" (2010), with the values of all processes in one tree.
//
// A context is an arc, and what it called lies outside of it, within its angles; the angle is its share of what was counted. Colours stand
// for the function, for the file that it is from, for the mean of the processes, for how far they lie apart, or for how the processes that
// are shown differ from all. A double click makes a context the middle, and a click on the middle leads back.
package sunburst

import (
	"slices"
	"strings"

	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/layout/sunburst"
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
)

// What the colours can stand for.
const (
	byFunction   = "function"
	byModule     = "module"
	byMean       = "mean"
	bySpread     = "spread"
	byDifference = "difference"
)

var (
	colorBy = view.Param{
		Name: "color", Doc: "what colours stand for: function, file, mean of the processes, their spread, or the difference of those shown from all", Default: byFunction,
		Choices: []string{byFunction, byModule, byMean, bySpread, byDifference},
	}
	rings = view.Param{Name: "rings", Doc: "how many rings there are at most; 0: as many as have room for names", Default: int64(0), Min: 0, Max: 1000}
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "sunburst",
		Title: "Ring chart",
		Doc:   "calling contexts as rings: angles are shares of what was counted, what a context called lies outside of it",
		Icon:  icon.Wheel,
		Positions: []view.Position{
			{In: view.Samples, Rank: 3},
			{In: view.Processes, Rank: 1},
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
	{Key: "1", Doc: "colour by function", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byFunction}},
	{Key: "2", Doc: "colour by file", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byModule}},
	{Key: "3", Doc: "colour by the mean of the processes", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byMean}},
	{Key: "4", Doc: "colour by the spread over the processes", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: bySpread}},
	{Key: "5", Doc: "colour by the difference of the processes shown from all", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byDifference}},
	{Key: "Enter", Doc: "show the selected context alone, with what it called; a double click shows one too", Action: view.Action{Do: view.EnterSubtree}},
	{Key: "Backspace", Doc: "go back to what was shown before; a click on the middle does, too", Action: view.Action{Do: view.Back}},
	{Key: "r", Doc: "go back to the whole tree", Action: view.Action{Do: view.LeaveTo}},
	{Key: "n", Doc: "select the next context that was found"},
}, contexts.Keys...)

var layoutStage = flow.Derive("rings", "the arc of each calling context",
	flow.In(contexts.All, contexts.ValuesStage),
	flow.Params{view.Root},
	func(c *flow.Call[*sunburst.Layout]) (*sunburst.Layout, error) {
		all, v := contexts.All.In(c), contexts.ValuesStage.In(c)
		order := v.In // the place of a context is the same whichever processes are shown
		if all != v.Contexts {
			order = make([]int64, all.Nodes())
			for n := range order {
				order[n] = all.Total(int32(n), v.Metric, true)
			}
		}
		root := v.Root(uint64(c.Params.Int(view.Root)))
		return sunburst.New(sunburst.Tree{End: v.End, Weight: v.In, Order: order}, root), nil
	})

var geometryStage = flow.Derive("ringchart", "all that the picture needs",
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
		if g.found, err = g.Search(g.sought); err != nil { // it may be half typed
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
	view.Responder
	view.Revealer
	view.Chooser
	view.Doubter
} = (*Geometry)(nil)

// Geometry is what the view draws.
type Geometry struct {
	*contexts.Spreads
	layout  *sunburst.Layout
	colours *colours
	root    int32
	shown   int     // rings, the middle among them
	found   []int32 // nodes
	lit     []int32 // their arcs, ascending
	sought  string
	wrong   error // with what is sought

	marked marked
}

// The world: the middle has a radius of hole, and each ring is one broad.
const hole = 1.4

// named is how many pixels broad a ring is in which names have room.
const named = 19

// radius is where a ring ends.
func radius(ring int) float64 { return hole + float64(ring) }

// Bounds returns the square around the rings, with the rim. The world's unit is the breadth of a ring, its origin the
// middle.
func (g *Geometry) Bounds() scene.Rect {
	r := radius(max(g.shown-1, 0)) + rim
	return scene.Rect{X0: -r, Y0: -r, X1: r, Y1: r}
}

// rim is how broad the rim is that tells of deeper contexts.
const rim = 0.12

// Wrong is what is wrong with what is looked for, or with the processes.
func (g *Geometry) Wrong() error {
	return g.Contexts.Wrong(g.wrong, nil)
}
