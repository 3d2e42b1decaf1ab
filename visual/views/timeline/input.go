package timeline

import (
	"math"
	"strconv"

	"whorl/visual/view"
	"whorl/visual/view/timeplot"
)

// Input pans and zooms in time. The wheel zooms rows over the names of the PEs or with Control, a drag along the axis or with Shift selects
// a time (with Control too it pans), and a double click zooms to a step.
func (g *Geometry) Input(f *view.Frame, in view.Input) []view.Action {
	r := layout(f, g)
	if actions, ok := r.OnAxis(in); ok {
		return actions
	}
	switch in.Kind {
	case view.DragStart, view.Drag, view.DragEnd:
		switch {
		case in.Shift && !in.Ctrl || in.FromY >= r.In.Y1:
			return r.Sweep(in)
		case in.Kind != view.Drag:
			return nil
		case in.FromX < r.In.X0:
			in.DX = 0
		}
		return r.Pan(in, r.middle()-in.DY/r.pitch, r.scale())
	case view.Wheel:
		if in.Ctrl || in.X < r.In.X0 {
			return r.zoomRows(in, in.Y, in.DY)
		}
	case view.DoubleClick:
		if s, ok := r.spot(in.X, in.Y); ok && s.step != nil {
			return r.show(in, s.step.Time, s.step.End)
		}
		return nil
	case view.Press:
		switch in.Key {
		case "ArrowUp":
			return r.panRows(in, -0.1)
		case "ArrowDown":
			return r.panRows(in, 0.1)
		case "e":
			return withMessages.Set(in.Pane, strconv.FormatBool(g.mail == nil))
		case "g":
			to := timeplot.RowsByTask
			switch {
			case g.Rows == nil:
			case g.Rows.By == timeplot.RowsByGroup:
				to = timeplot.RowsByPE
			default:
				to = timeplot.RowsByGroup
			}
			return append(timeplot.Rows.Set(in.Pane, to), view.Action{Do: view.SetCamera, Pane: in.Pane, Camera: &view.Camera{}})
		case "y":
			return g.Recolour(in)
		case view.CompareKey.Key:
			return view.Comparing(in.Pane, g.other != nil)
		case "k":
			return timeplot.WithPath.Set(in.Pane, strconv.FormatBool(!g.strung))
		case "z":
			return r.Zoomed(in, r.middle(), r.scale())
		case "w":
			return r.Windowed()
		}
	}
	if actions := r.Move(in, r.middle(), r.scale()); actions != nil {
		return actions
	}
	return view.Navigate(g, keys, f, in)
}

// Seen returns the visible time.
func (g *Geometry) Seen(f *view.Frame) (from, to float64) {
	r := layout(f, g)
	return r.From, r.To
}

// See returns a camera that shows a time and the rows of the frame.
func (g *Geometry) See(f *view.Frame, from, to float64) view.Camera {
	r := layout(f, g)
	return *r.Camera(from, to-from, r.middle(), r.scale())
}

// show moves to a time so that it is the middle third of the visible time.
func (r *rows) show(in view.Input, from, to int64) []view.Action {
	span := float64(to - from)
	in.Kind, in.DX = view.Drag, 0
	p := *r.Plot
	p.From, p.To = float64(from)-span, float64(to)+span
	return p.Pan(in, r.middle(), r.scale())
}

// zoomRows scales rows and keeps the PE at y in place.
func (r *rows) zoomRows(in view.Input, y, steps float64) []view.Action {
	pitch := min(max(r.pitch*math.Pow(1.25, min(max(steps, -20), 20)), r.fit), r.In.H())
	pe := r.pe(y)
	middle := pe + ((r.In.Y0+r.In.Y1)/2-y)/pitch
	return r.rowCamera(in, middle, pitch)
}

func (r *rows) panRows(in view.Input, part float64) []view.Action {
	return r.rowCamera(in, r.middle()+part*r.In.H()/r.pitch, r.pitch)
}

func (r *rows) rowCamera(in view.Input, middle, pitch float64) []view.Action {
	scale := pitch
	if pitch <= r.fit*1.0001 {
		scale = timeplot.FitRows
	}
	half := r.In.H() / pitch / 2
	in.DX = 0
	return r.Pan(in, min(max(middle, half), max(float64(r.g.Act.PEs)-half, half)), scale)
}
