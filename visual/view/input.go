package view

// InputKind is the kind of an Input.
type InputKind uint8

// The kinds of input. A double click arrives as Click, Click, DoubleClick. A drag arrives as DragStart, any number of Drag, and DragEnd,
// without a Click.
const (
	Move        InputKind = iota // the pointer moved to X, Y
	Leave                        // the pointer left the view
	Click                        // the main button was pressed and released at X, Y
	Drag                         // the pointer moved by DX, DY to X, Y with the main button held since FromX, FromY
	Wheel                        // the wheel turned at X, Y; DY in steps, upwards positive
	Press                        // Key was pressed
	DoubleClick                  // the main button was pressed a second time at X, Y
	Secondary                    // the secondary button was pressed and released at X, Y
	DragStart                    // the pointer began to move with the main button held since FromX, FromY
	DragEnd                      // the main button was released at X, Y after a drag
)

// An Input is one input event in a view.
type Input struct {
	Kind         InputKind
	X, Y         float64 // pixels
	DX, DY       float64 // pixels; steps of the wheel
	FromX, FromY float64 // start of a drag, in pixels
	Shift, Ctrl  bool    // keys held; a click with Shift adds to the selection (Kind.Answer)
	Alt          bool    // a click with Alt takes away from the selection
	Pinch        bool    // of Wheel: two fingers have moved apart by DY steps, which zooms and never scrolls
	Key          string  // "a", "A", "Escape", "0"
	Pane         int     // index of the pane, for the resulting actions
}

// Keys lists the keys with the same action in every view, which Navigate handles. A Kind lists only its own keys. A key has one meaning in all
// views: the part of Key.Doc before the first colon.
var Keys = []Key{
	{Key: "f", Doc: "fit: show everything", Action: Action{Do: SetCamera}},
	{Key: "0", Doc: "fit: show everything", Action: Action{Do: SetCamera}},
	{Key: "+", Doc: "zoom in"},
	{Key: "-", Doc: "zoom out"},
	{Key: "ArrowLeft", Doc: "move left"},
	{Key: "ArrowRight", Doc: "move right"},
	{Key: "ArrowUp", Doc: "move up"},
	{Key: "ArrowDown", Doc: "move down"},
	{Key: "Escape", Doc: "select nothing", Action: Action{Do: Select}},
	{Key: "n", Doc: "go to the next match", Action: Action{Do: NextMatch, Index: 1}},
	{Key: "N", Doc: "go to the previous match", Action: Action{Do: NextMatch, Index: -1}},
}

// MatchKeys are the keys of views with a search of their own, which go from match to match.
var MatchKeys = []Key{
	{Key: "n", Doc: "go to the next match"},
	{Key: "N", Doc: "go to the previous match"},
}

// Navigate returns the actions for input with the same meaning in every view: hover and selection by Hit, dragging and zooming the camera,
// the keys of the view's kind, and Keys. Pictures call it from Input for all input that they do not handle themselves.
func Navigate(p Picture, keys []Key, f *Frame, in Input) []Action {
	camera := func(c Camera) []Action { return []Action{{Do: SetCamera, Pane: in.Pane, Camera: &c}} }
	switch in.Kind {
	case Move:
		s, ok := Hit(p, f, in.X, in.Y)
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
		if s, ok := Hit(p, f, in.X, in.Y); ok {
			return []Action{{Do: Select, Selection: &s}}
		}
		return []Action{{Do: Select}}
	case Secondary: // selects the thing under the pointer; the caller opens its menu
		if s, ok := Hit(p, f, in.X, in.Y); ok && (f.State == nil || !f.State.Shared.Selection.Equal(s)) {
			return []Action{{Do: Select, Selection: &s}}
		}
	case Drag:
		c := f.Camera
		sx, sy := c.Scales()
		c.X -= in.DX / sx
		c.Y -= in.DY / sy
		return camera(c)
	case Wheel:
		return zoom(f, in, in.DY)
	case Press:
		for _, key := range keys {
			if key.Key == in.Key && key.Action.Do != "" {
				a := key.Action
				a.Pane = in.Pane
				return []Action{a}
			}
		}
		return common(f, in)
	}
	return nil
}

// zoom returns the actions that change the scale by steps of the wheel and keep the world point at the pointer in place.
func zoom(f *Frame, in Input, steps float64) []Action {
	x, y := f.ToWorld(in.X, in.Y)
	c := f.Camera
	by := Zoomed(steps)
	c.Scale *= by
	c.ScaleY *= by
	c.X = x + (c.X-x)/by
	c.Y = y + (c.Y-y)/by
	if !(c.Scale > 1e-9 && c.Scale < 1e12) {
		return nil
	}
	return []Action{{Do: SetCamera, Pane: in.Pane, Camera: &c}}
}

// common returns the actions for Keys.
func common(f *Frame, in Input) []Action {
	in.X, in.Y = (f.Area.X0+f.Area.X1)/2, (f.Area.Y0+f.Area.Y1)/2
	dx, dy := 0.0, 0.0
	switch in.Key {
	case "+", "=":
		return zoom(f, in, 1)
	case "-":
		return zoom(f, in, -1)
	case "ArrowLeft":
		dx = -1
	case "ArrowRight":
		dx = 1
	case "ArrowUp":
		dy = -1
	case "ArrowDown":
		dy = 1
	default:
		for _, key := range Keys {
			if key.Key == in.Key {
				a := key.Action
				a.Pane = in.Pane
				return []Action{a}
			}
		}
		return nil
	}
	const share = 0.1 // of the area
	c := f.Camera
	sx, sy := c.Scales()
	if !(sx > 0 && sy > 0) { // the camera fits everything, in a view with separate scales
		return nil
	}
	c.X += dx * share * f.Area.W() / sx
	c.Y += dy * share * f.Area.H() / sy
	return []Action{{Do: SetCamera, Pane: in.Pane, Camera: &c}}
}
