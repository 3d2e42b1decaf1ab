// Package utilisation shows how much of the machine was used over time: the share of the PEs that were busy, had overhead and were idle in
// every column of pixels, stacked, with the mean of the time that is seen as a line.
//
// A drag selects a time. What else is selected, PEs, tasks or procedures, shows as the part of the curve that it takes.
package utilisation

import (
	"context"

	"whorl/tracer/derive/activity"
	"whorl/visual/flow"
	"whorl/visual/icon"
	"whorl/visual/view"
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
			{In: view.Compared, Slot: view.Under},
		},
		Needs: timeplot.Needs,
		Stages: []flow.Stage{
			view.RunStage, view.SpawnTree, view.PEStage, view.ProcedureStage, match.Stage, timeplot.ActivityStage, match.IndexStage,
			timeplot.PyramidStage, timeplot.BusyStage, geometryStage,
		},
		Geometry: geometryStage.Name,
		Params:   []view.Param{timeplot.ColorBy, view.Palette, view.Background},
		Keys:     timeplot.Keys,
		View:     picture{},
	}
}

// Geometry is what the view draws.
type Geometry struct {
	*timeplot.Busy
	groups *activity.Pyramid
	index  *match.Index
	layers []layer // from below; one of all PEs, or one for each colour
}

// A layer is the busy time of some PEs, or of a class of steps.
type layer struct {
	first, last int
	track       activity.Track
}

var geometryStage = flow.Stage{
	Name: "utilisation", Doc: "all that the picture needs", In: []string{"busy", "pyramid", "index"},
	Run: func(_ context.Context, in []any, _ any, _ flow.Params, _ flow.Tick) (any, error) {
		g := &Geometry{Busy: in[0].(*timeplot.Busy), groups: in[1].(*activity.Pyramid), index: in[2].(*match.Index)}
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
		case timeplot.ByProcedure:
			g.layers = make([]layer, g.Classes.N)
		default:
			g.layers = []layer{g.layer(0, last)}
		}
		return g, nil
	},
}

// layer adds up some PEs.
func (g *Geometry) layer(first, last int) layer {
	return layer{first, last, activity.Sum(g.groups.Cover(first, last))}
}

// picture implements view.View over *Geometry. The world is ns to the right and the share of the PEs, from 1 at the top to 0.
type picture struct{}

// Bounds is the whole run, from none to all of the PEs.
func (picture) Bounds(geometry any) view.Rect {
	a := geometry.(*Geometry).Act
	return view.Rect{X0: float64(a.From), X1: float64(max(a.To, a.From+1)), Y1: 1}
}

// Seen is the time that the frame shows.
func (picture) Seen(f *view.Frame, geometry any) (from, to float64) {
	p := layout(f, geometry.(*Geometry)).Plot
	return p.From, p.To
}

// See is the camera that shows a time.
func (picture) See(f *view.Frame, geometry any, from, to float64) view.Camera {
	return *layout(f, geometry.(*Geometry)).Camera(from, to-from, 0.5, 0)
}

// Input selects a time by a drag, and zooms and pans in time by the wheel and the keys.
func (v picture) Input(f *view.Frame, geometry any, in view.Input) []view.Action {
	p := layout(f, geometry.(*Geometry)).Plot
	if actions, ok := p.OnAxis(in); ok {
		return actions
	}
	switch {
	case in.Kind == view.DragStart || in.Kind == view.Drag || in.Kind == view.DragEnd:
		if in.Ctrl && in.Kind == view.Drag {
			return p.Pan(in, 0.5, 0)
		}
		if in.Ctrl {
			return nil
		}
		return p.Sweep(in)
	case in.Kind == view.DoubleClick, in.Kind == view.Press && in.Key == "z":
		return p.Zoomed(in, 0.5, 0)
	case in.Kind == view.Press && in.Key == "w":
		return p.Windowed()
	}
	if actions := p.Move(in, 0.5, 0); actions != nil {
		return actions
	}
	return view.Navigate(v, timeplot.Keys, f, geometry, in)
}
