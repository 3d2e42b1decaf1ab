// Package utilisation shows how much of the machine was used over time. Each column of pixels stacks the shares of the PEs that were busy, had
// overhead and were idle. A line shows the mean of the visible time. If rows are tasks
// or functions, a column stacks the numbers of tasks that run and of those that wait for a PE.
//
// A drag selects a time. Selected PEs, tasks and procedures are marked as the part of the curve that they take.
package utilisation

import (
	"slices"

	"whorl/internal/figures"
	"whorl/tracer/derive/activity"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/view"
	"whorl/visual/view/contexts"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:  "utilisation",
		Title: "Utilisation",
		Doc:   "the share of the PEs that are busy, have overhead and are idle, over time",
		Icon:  icon.Chart,
		Positions: []view.Position{
			{In: view.Goals, Slot: view.Right, Rank: 1},
			{In: view.Threads, Slot: view.Right, Rank: 1},
			{In: view.Profiles, Rank: 6},
			{In: view.Compared, Slot: view.Under},
			{In: view.BalanceOfTasks, Slot: view.Right, Set: "color=pe"},
			{In: view.BalanceOfCode, Slot: view.Right, Set: "color=pe"},
			{In: view.WaitingThreads, Slot: view.Right, Rank: 1},
			{In: view.WaitingPEs, Slot: view.Under},
			{In: view.Policies, Slot: view.Under},
		},
		Examples: []string{"dts/mandelbrot"},
		Needs:    timeplot.Needs,
		Timed:    true,
		Picture:  view.Draws(geometryStage).With(timeplot.ByQueue),
		Params:   []view.Param{timeplot.ColorBy, timeplot.Rows, timeplot.Depth, contexts.Focus, view.CompareRuns, view.Palette, view.Background},
		Keys:     keys,

		Condensation: timeplot.Outlined(Kind),
	}
}

var keys = append(slices.Clip(timeplot.Keys), view.CompareKey)

var _ interface {
	view.Overlayer
	view.Linked
	view.Responder
	view.Timed
} = (*Geometry)(nil)

// Geometry is the picture of the view.
type Geometry struct {
	*timeplot.Busy
	timeplot.Chart // from none to all of the PEs
	groups         *activity.Pyramid
	index          *match.Index
	layers         []layer // from the bottom: one of all PEs, or one for each colour
	most           int     // tasks at the top of the chart; 0 if rows are PEs
	other          *timeplot.Other
}

// A layer is the busy time of a range of PEs. When colours show procedures, the layers are empty and Classes has their times.
type layer struct {
	first, last int
	track       activity.Track
}

var geometryStage = flow.Derive("utilisation", "the picture",
	append(flow.In(timeplot.BusyStage, timeplot.PyramidStage, match.IndexStage), timeplot.OtherRun...), flow.Params{view.Against},
	func(c *flow.Call[*Geometry]) (*Geometry, error) {
		g := &Geometry{Busy: timeplot.BusyStage.In(c), groups: timeplot.PyramidStage.In(c), index: match.IndexStage.In(c)}
		g.other = timeplot.OtherOf(c, c.Params, g.Busy)
		g.Chart = timeplot.Chart{From: g.Act.From, To: g.other.To(g.Act.To), Label: "100 %"}
		if g.Rows != nil {
			g.most = top(g.groups.All())
			g.Label = figures.Count(int64(g.most))
		}
		last := max(g.Act.PEs, 1) - 1
		switch g.By {
		case timeplot.ByPE:
			colours := g.PEs.Colours(g.Scheme, false)
			for k := range colours.Len() {
				from, to := colours.Span(k)
				if k == colours.Len()-1 {
					to = last
				}
				g.layers = append(g.layers, g.layer(min(from, last), min(to, last)))
			}
		case timeplot.ByState:
			g.layers = []layer{g.layer(0, last)}
		default:
			g.layers = make([]layer, g.Classes.N)
		}
		return g, nil
	})

// top returns the end of an axis for the number of tasks that are not blocked: at least their largest number, and 4 equal parts if there are many.
func top(t *activity.Track) int {
	most := 1
	for i := range t.Pieces {
		most = max(most, int(t.Pieces[i].NBusy)+int(t.Pieces[i].NOver))
	}
	if most > 4 {
		most = (most + 3) / 4 * 4
	}
	return most
}

// layer sums the PEs first to last.
func (g *Geometry) layer(first, last int) layer {
	return layer{first, last, activity.Sum(g.groups.Cover(first, last))}
}

// Input selects a time by a drag, and zooms and pans in time by the wheel and the keys.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	if in.Kind == view.Press {
		switch in.Key {
		case "y":
			return g.Recolour(in)
		case view.CompareKey.Key:
			return view.Comparing(in.Pane, g.other != nil)
		}
	}
	return g.Respond(g, keys, f, in)
}

// Wrong returns the reason why the run is not compared with another, or nil.
func (g *Geometry) Wrong() error { return g.other.Wrong() }
