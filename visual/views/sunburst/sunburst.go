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
	"whorl/visual/scene"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
	"whorl/visual/view/contexts/shares"
)

var rings = view.Param{Name: "rings", Label: "Number of rings", Doc: "at most; 0 shows as many as have room for names", Default: int64(0), Min: 0, Max: 1000}

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
		Params:   append(contexts.Params(), contexts.Against, shares.ColorBy, rings, contexts.Find, contexts.Root, view.Palette, view.Background),
		Keys:     keys,
		Contexts: true,
		Windowed: true,
	}
}

var keys = slices.Concat(shares.ColorKeys, []view.Key{
	{Key: "Enter", Doc: "go into the selection: show the context and its callees alone, as a double click does", Action: view.Action{Do: view.EnterSubtree}},
	{Key: "Backspace", Doc: "go back out: to the previous root, as a click on the middle does", Action: view.Action{Do: view.Back}},
	{Key: "r", Doc: "go back to the whole tree", Action: view.Action{Do: view.LeaveTo}},
	contexts.CompareKey,
}, view.MatchKeys, contexts.Keys)

var geometryStage = flow.Derive("ringchart", "the ring chart",
	flow.In(shares.DrawnStage),
	flow.Params{rings.Name, contexts.Find.Name, view.Window},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		p, g := c.Params, &Geometry{&shares.Chart{Drawn: shares.DrawnStage.In(c)}}
		most := int(p.Int(rings.Name))
		if most == 0 {
			most = max(int(float64(p.Int(view.Window))/2/named-hole), 6)
		}
		g.Shown = min(g.Layout.Depth(), most+1)
		g.Seek(strings.TrimSpace(p.Text(contexts.Find.Name)))
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
type Geometry struct{ *shares.Chart }

// hole is the radius of the middle. The width of a ring is 1.
const hole = 1.4

// named is the least width in pixels of a ring with room for names.
const named = 19

// radius returns the outer radius of a ring.
func radius(ring int) float64 { return hole + float64(ring) }

// Bounds returns the square around the rings and the rim. The unit of the world is the width of a ring, its origin the middle.
func (g *Geometry) Bounds() scene.Rect {
	r := radius(max(g.Shown-1, 0)) + rim
	return scene.Rect{X0: -r, Y0: -r, X1: r, Y1: r}
}

// rim is the width of the grey rim that marks deeper contexts.
const rim = 0.12
