package view

import "math"

// InputKind says what the user did.
type InputKind uint8

// The kinds of input.
const (
	Move  InputKind = iota // the mouse is at X, Y
	Leave                  // it left the view
	Click                  // the main button was pressed and released at X, Y
	Drag                   // the mouse moved by DX, DY with the main button held
	Wheel                  // the wheel turned at X, Y; DY in steps, upwards positive
	Press                  // Key was pressed
)

// An Input is one thing the user did in a view.
type Input struct {
	Kind   InputKind
	X, Y   float64 // pixels
	DX, DY float64
	Key    string // "a", "A", "Escape", "0"
	Pane   int    // which pane it was; the actions will name it
}

// Navigate answers what means the same in every view: hover and selection by v.Hit, dragging and zooming the camera, and the keys of its
// kind. Views call it from Input for whatever they do not treat themselves.
func Navigate(v View, keys []Key, f *Frame, geometry any, in Input) []Action {
	camera := func(c Camera) []Action { return []Action{{Do: SetCamera, Pane: in.Pane, Camera: &c}} }
	switch in.Kind {
	case Move:
		s, ok := v.Hit(f, geometry, in.X, in.Y)
		if f.State != nil && f.State.Personal.Hover.Equal(s) {
			return nil
		}
		if !ok {
			return []Action{{Do: Hover}}
		}
		return []Action{{Do: Hover, Selection: &s}}
	case Leave:
		return []Action{{Do: Hover}}
	case Click:
		if s, ok := v.Hit(f, geometry, in.X, in.Y); ok {
			return []Action{{Do: Select, Selection: &s}}
		}
		return []Action{{Do: Select}}
	case Drag:
		c := f.Camera
		c.X -= in.DX / c.Scale
		c.Y -= in.DY / c.Scale
		return camera(c)
	case Wheel:
		x, y := f.ToWorld(in.X, in.Y) // stays under the mouse
		c := f.Camera
		zoom := math.Pow(1.25, min(max(in.DY, -20), 20))
		c.Scale *= zoom
		c.X = x + (c.X-x)/zoom
		c.Y = y + (c.Y-y)/zoom
		if !(c.Scale > 1e-9 && c.Scale < 1e12) {
			return nil
		}
		return camera(c)
	case Press:
		for _, key := range keys {
			if key.Key == in.Key {
				a := key.Action
				a.Pane = in.Pane
				return []Action{a}
			}
		}
	}
	return nil
}
