package timeplot

import (
	"math"

	"whorl/visual/view"
)

// FitRows is the ScaleY of a camera that fits all rows into the area. It is smaller than any other ScaleY above 0.
const FitRows = 1e-9

// Camera returns the camera that shows span ns starting at from, clamped to the run. y and scaleY are the camera's Y and ScaleY.
func (p *Plot) Camera(from, span, y, scaleY float64) *view.Camera {
	all := float64(p.end) - float64(p.start)
	span = min(max(span, p.In.W()/maxZoom), all)
	from = min(max(from, float64(p.start)), float64(p.end)-span)
	if scaleY <= 0 {
		scaleY = FitRows
	}
	return &view.Camera{X: from + span/2, Y: y, Scale: p.In.W() / span, ScaleY: scaleY}
}

// Move returns the actions for input that moves the camera in time: the wheel zooms at the pointer or, sideways or with Shift, pans; + and -
// zoom in the middle; the arrow keys pan. y and scaleY are kept. It returns nil for other input.
func (p *Plot) Move(in view.Input, y, scaleY float64) []view.Action {
	span := p.To - p.From
	set := func(from, span float64) []view.Action {
		return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: p.Camera(from, span, y, scaleY)}}
	}
	zoom := func(x, steps float64) []view.Action {
		next := span * math.Pow(0.8, min(max(steps, -20), 20))
		next = min(max(next, p.In.W()/maxZoom), float64(p.end)-float64(p.start))
		t := min(max(p.Time(x), p.From), p.To)
		return set(t-(t-p.From)/span*next, next) // t keeps its place
	}
	middle := (p.In.X0 + p.In.X1) / 2
	switch {
	case in.Kind == view.Wheel && (in.DX != 0 && in.DY == 0 || in.Shift):
		return set(p.From-(in.DX+in.DY)*0.1*span, span)
	case in.Kind == view.Wheel:
		return zoom(in.X, in.DY)
	case in.Kind != view.Press:
	case in.Key == "+" || in.Key == "=":
		return zoom(middle, 1)
	case in.Key == "-":
		return zoom(middle, -1)
	case in.Key == "ArrowLeft":
		return set(p.From-0.1*span, span)
	case in.Key == "ArrowRight":
		return set(p.From+0.1*span, span)
	}
	return nil
}

// Pan returns the actions for a drag that moves the visible time. y and scaleY are kept.
func (p *Plot) Pan(in view.Input, y, scaleY float64) []view.Action {
	span := p.To - p.From
	return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: p.Camera(p.From-in.DX/p.In.W()*span, span, y, scaleY)}}
}

// Sweep returns the actions for a drag that selects the time between its start and the pointer.
func (p *Plot) Sweep(in view.Input) []view.Action {
	a, b := p.Instant(max(min(in.FromX, p.In.X1), p.In.X0)), p.Instant(max(min(in.X, p.In.X1), p.In.X0))
	s := view.Selection{Trace: p.Trace, Time: &view.Span{First: min(a, b), Last: max(a, b)}}
	return []view.Action{{Do: view.Select, Selection: &s, More: in.Kind != view.DragStart}}
}

// Zoomed returns the actions that fit the selected time into the plot, or nil if no time is selected.
func (p *Plot) Zoomed(in view.Input, y, scaleY float64) []view.Action {
	if p.State == nil || p.State.Shared.Selection.Trace != p.Trace || p.State.Shared.Selection.Time == nil {
		return nil
	}
	t := p.State.Shared.Selection.Time
	return []view.Action{{Do: view.SetCamera, Pane: in.Pane, Camera: p.Camera(float64(t.First), float64(t.Last)-float64(t.First), y, scaleY)}}
}

// Windowed returns the actions that make the selected time the window of all views. If no time is selected, or it is the window already,
// they remove the window.
func (p *Plot) Windowed() []view.Action {
	a := view.Action{Do: view.SetWindow}
	if p.State != nil && p.State.Shared.Selection.Trace == p.Trace && p.State.Shared.Selection.Time != nil {
		if w := *p.State.Shared.Selection.Time; p.State.Shared.Window == nil || *p.State.Shared.Window != w {
			a.Window = &w
		}
	}
	return []view.Action{a}
}

// OnAxis returns the actions for clicks on the time axis: a double click sets or removes the window, and a click does nothing. It returns
// false for other input.
func (p *Plot) OnAxis(in view.Input) ([]view.Action, bool) {
	if in.Y < p.In.Y1 || in.X < p.In.X0 || in.Kind != view.Click && in.Kind != view.DoubleClick {
		return nil, false
	}
	if in.Kind == view.Click {
		return nil, true
	}
	return p.Windowed(), true
}
