// Package utilisation shows how much of the machine was used over time: the share of the PEs that were busy, had overhead and were idle in
// every column of pixels, stacked, with the mean of the time that is seen as a line.
//
// A drag selects a time. What else is selected, PEs, tasks or procedures, shows as the part of the curve that it takes.
package utilisation

import (
	"context"
	"fmt"

	"whorl/tracer/derive/activity"
	"whorl/visual/flow"
	"whorl/visual/palette"
	"whorl/visual/view"
	"whorl/visual/view/match"
	"whorl/visual/view/timeplot"
)

// What the colour of busy time stands for.
const (
	byState = "state"
	byPE    = "pe"
)

var colorBy = view.Param{
	Name: "color", Doc: "what the colour of busy time stands for", Default: byState, Choices: []string{byState, byPE},
}

// Kind describes the view.
func Kind() *view.Kind {
	return &view.Kind{
		Name:     "utilisation",
		Title:    "Utilisation",
		Doc:      "the share of the PEs that are busy, have overhead and are idle, over time",
		Needs:    timeplot.Needs,
		Stages:   []flow.Stage{view.RunStage, view.SpawnTree, view.PEStage, match.Stage, timeplot.ActivityStage, match.IndexStage, timeplot.PyramidStage, geometryStage},
		Geometry: geometryStage.Name,
		Params:   []view.Param{colorBy, view.Palette, view.Background},
		Keys:     keys,
		View:     picture{},
	}
}

var keys = []view.Key{
	{Key: "s", Doc: "colour busy time by state", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byState}},
	{Key: "p", Doc: "colour busy time by PE", Action: view.Action{Do: view.SetParam, Name: colorBy.Name, Value: byPE}},
	{Key: "z", Doc: "show the selected time"},
	{Key: "w", Doc: "make the selected time the window of all views; without one, take the window away"},
}

// Geometry is what the view draws.
type Geometry struct {
	run    *view.Run
	act    *activity.Activity
	groups *activity.Pyramid
	index  *match.Index
	pes    *view.PEs
	scheme palette.Scheme
	byPE   bool    // the layers are PEs
	layers []layer // from below; one of all PEs, or one for each colour of PEs
}

// A layer is the busy time of some PEs.
type layer struct {
	first, last int
	track       activity.Track
}

var geometryStage = flow.Stage{
	Name: "utilisation", Doc: "all that the picture needs", In: []string{"run", "activity", "pyramid", "index", "pes"},
	Params: []string{colorBy.Name, view.Palette.Name},
	Run: func(_ context.Context, in []any, _ any, p flow.Params, _ flow.Tick) (any, error) {
		scheme, _, ok := palette.Named(p.Text(view.Palette.Name))
		if !ok {
			return nil, fmt.Errorf("there is no palette %q", p.Text(view.Palette.Name))
		}
		g := &Geometry{
			run: in[0].(*view.Run), act: in[1].(*activity.Activity), groups: in[2].(*activity.Pyramid), index: in[3].(*match.Index), scheme: scheme,
			pes: in[4].(*view.PEs),
		}
		last := max(g.act.PEs, 1) - 1
		if g.byPE = p.Text(colorBy.Name) == byPE; !g.byPE {
			g.layers = []layer{g.layer(0, last)}
			return g, nil
		}
		colours := g.pes.Colours(scheme, false)
		for k := range colours.Len() {
			from, to := colours.Span(k)
			if k == colours.Len()-1 {
				to = last
			}
			g.layers = append(g.layers, g.layer(min(from, last), min(to, last)))
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
	a := geometry.(*Geometry).act
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
	return view.Navigate(v, keys, f, geometry, in)
}
