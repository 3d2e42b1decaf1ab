package pointing

import (
	"math"
	"time"

	"whorl/visual/ui"
	"whorl/visual/ui/gesture"
	"whorl/visual/view"
)

// Fingers handles what fingers do in the window. A tap is a click; a finger drags a widget, scrolls what scrolls, or pans a picture; two fingers pan and zoom a
// picture. A finger that rests shows the tip at its place; it then selects in a picture as a drag with Shift does, or opens the menu when it leaves.
type Fingers struct {
	pointer *Pointer
	widgets *ui.State

	machine gesture.Machine
	grip    ui.Grip // of the drag
	presses bool    // the finger holds a widget as the pointer does
	pane    int     // the pane that fingers move, 0 for none
	still   bool    // the finger has stopped a glide, and is no tap
	glide   glide

	Coarse bool // controls are large enough for fingers
}

// A glide is the movement of a scrolled text after the finger has left it.
type glide struct {
	x, y   float64 // where the finger went down
	dx, dy float64 // velocity in points per second, 0 for none
	last   time.Duration
}

// A glide slows down to 1/e in slowing, and ends below leastGlide, in points per second.
const (
	slowing    = 325 * time.Millisecond
	leastGlide = 20
)

// Modifiers of the drags of fingers: one finger pans pictures whose drags select, a finger that has rested selects, and two fingers pan.
const (
	panning  = ui.Control
	brushing = ui.Shift
	moving   = ui.Control | ui.Shift
)

// NewFingers returns the fingers, which use the pointer and the widgets.
func NewFingers(pointer *Pointer, widgets *ui.State) *Fingers {
	return &Fingers{pointer: pointer, widgets: widgets}
}

// Touch handles an event of a finger. A tap stays one when the viewer was too busy to see it at once.
func (t *Fingers) Touch(e *Event) {
	finger, now := e.Finger, t.pointer.window.Now
	finger.X, finger.Y = e.X, e.Y
	if e.Time > 0 {
		now = min(now, e.Time)
	}
	if finger.Phase == gesture.Down && t.machine.Down() == 0 {
		t.still = t.glide.moves()
		t.glide = glide{}
		if t.pointer.in { // the last tip goes
			t.pointer.Handle(&Event{Kind: ui.Leave})
		}
	}
	for _, g := range t.machine.Touch(now, finger) {
		t.gesture(&g)
	}
	if t.machine.Down() == 0 && !t.Coarse { // after the gesture of the finger has had its effect
		t.Coarse = true
		t.pointer.out.Redraw()
	}
}

// Rest handles fingers that rest, and moves what glides.
func (t *Fingers) Rest() {
	for _, g := range t.machine.Tick(t.pointer.window.Now) {
		t.gesture(&g)
	}
	g := &t.glide
	if !g.moves() {
		return
	}
	passed := min(t.pointer.window.Now-g.last, time.Second/10)
	g.last = t.pointer.window.Now
	t.scroll(g.x, g.y, g.dx*passed.Seconds(), g.dy*passed.Seconds())
	slower := math.Exp(-passed.Seconds() / slowing.Seconds())
	g.dx, g.dy = g.dx*slower, g.dy*slower
}

func (g *glide) moves() bool { return math.Hypot(g.dx, g.dy) >= leastGlide }

// Next returns when Rest has something to do, false for never.
func (t *Fingers) Next() (time.Duration, bool) {
	if t.glide.moves() {
		return t.pointer.window.Now, true
	}
	return t.machine.Next()
}

// gesture does what fingers ask for.
func (t *Fingers) gesture(g *gesture.Gesture) {
	switch g.Kind {
	case gesture.Tap:
		t.tap(g)
	case gesture.Hold:
		t.hold(g)
	case gesture.HoldEnd:
		t.endHold(g)
	case gesture.DragStart:
		t.beginDrag(g)
	case gesture.Drag:
		t.dragBy(g)
	case gesture.DragEnd:
		t.endDrag(g)
		if t.grip == ui.GripScroll {
			t.glide = glide{g.FromX, g.FromY, g.DX, g.DY, t.pointer.window.Now}
		}
	case gesture.Release:
		if t.presses { // back to where it was
			t.point(ui.Move, g.FromX, g.FromY)
			g.X, g.Y = g.FromX, g.FromY
		}
		t.endDrag(g)
	case gesture.PinchStart:
		t.pane = 0
		if p := t.pointer.PaneAt(g.X, g.Y); p != nil && t.gripAt(g.X, g.Y, 0, 0, false) == ui.GripGround {
			t.pointer.actions.SetFocus(p.ID)
			t.pane = p.ID
			t.dragPane(view.DragStart, g, moving)
		}
	case gesture.Pinch:
		t.dragPane(view.Drag, g, moving)
		if p := t.pointer.model.Panes[t.pane]; p != nil {
			t.pointer.Send(p, view.Input{Kind: view.Wheel, X: g.X, Y: g.Y, DY: math.Log(g.Zoom) / math.Log(view.Zoomed(1)), Pinch: true}, 0)
		}
	case gesture.PinchEnd:
		t.dragPane(view.DragEnd, g, moving)
		t.pane = 0
	}
}

// point moves or presses the pointer in the name of a finger.
func (t *Fingers) point(kind ui.EventKind, x, y float64) {
	t.pointer.Handle(&Event{Kind: kind, X: x, Y: y})
}

func (t *Fingers) gripAt(x, y, dx, dy float64, held bool) ui.Grip {
	s := t.pointer.window.Scale
	return t.widgets.GripAt(float32(x*s), float32(y*s), float32(dx), float32(dy), held)
}

// hold shows the tip at a finger that rests, or presses a widget that such a finger drags.
func (t *Fingers) hold(g *gesture.Gesture) {
	t.widgets.ShowTip(t.pointer.window.Now)
	t.point(ui.Move, g.X, g.Y)
	if t.gripAt(g.X, g.Y, 0, 0, true) == ui.GripWidget {
		t.point(ui.Down, g.X, g.Y)
		t.presses = true
	}
}

func (t *Fingers) tap(g *gesture.Gesture) {
	if t.still {
		return
	}
	t.point(ui.Move, g.X, g.Y)
	t.point(ui.Down, g.X, g.Y)
	t.point(ui.Up, g.X, g.Y)
	t.point(ui.Leave, g.X, g.Y)
}

// endHold lets a widget go, or opens the menu of the thing at its place in a picture.
func (t *Fingers) endHold(g *gesture.Gesture) {
	switch p := t.pointer.PaneAt(g.X, g.Y); {
	case t.presses:
		t.letGo(g)
	case g.Brief:
		t.tap(g)
	case p != nil && t.gripAt(g.X, g.Y, 0, 0, true) == ui.GripGround:
		t.pointer.Handle(&Event{Kind: ui.Down, X: g.X, Y: g.Y, Button: ui.Secondary})
		t.pointer.Handle(&Event{Kind: ui.Up, X: g.X, Y: g.Y, Button: ui.Secondary})
	}
}

// letGo releases the widget that a finger holds.
func (t *Fingers) letGo(g *gesture.Gesture) {
	t.point(ui.Up, g.X, g.Y)
	t.point(ui.Leave, g.X, g.Y)
	t.presses = false
}

// beginDrag finds out what a finger moves.
func (t *Fingers) beginDrag(g *gesture.Gesture) {
	if t.presses { // since it has rested
		t.grip = ui.GripWidget
		return
	}
	t.pane = 0
	switch t.grip = t.gripAt(g.FromX, g.FromY, g.X-g.FromX, g.Y-g.FromY, g.Held); t.grip {
	case ui.GripWidget:
		t.point(ui.Move, g.FromX, g.FromY)
		t.point(ui.Down, g.FromX, g.FromY)
		t.presses = true
	case ui.GripGround:
		if g.Held {
			t.point(ui.Leave, g.X, g.Y)
		}
		if p := t.pointer.PaneAt(g.FromX, g.FromY); p != nil {
			t.pointer.actions.SetFocus(p.ID)
			t.pane = p.ID
			t.dragPane(view.DragStart, g, dragMods(g))
		}
	}
}

// dragMods returns the modifiers of a drag in a picture.
func dragMods(g *gesture.Gesture) ui.Mods {
	if g.Held {
		return brushing
	}
	return panning
}

// dragBy moves what the finger of a drag holds.
func (t *Fingers) dragBy(g *gesture.Gesture) {
	switch {
	case t.presses:
		t.point(ui.Move, g.X, g.Y)
	case t.grip == ui.GripScroll:
		t.scroll(g.FromX, g.FromY, g.DX, g.DY)
	default:
		t.dragPane(view.Drag, g, dragMods(g))
	}
}

// endDrag lets go what the finger of a drag holds.
func (t *Fingers) endDrag(g *gesture.Gesture) {
	if t.presses {
		t.letGo(g)
		return
	}
	t.dragPane(view.DragEnd, g, dragMods(g))
	t.pane = 0
}

// scroll scrolls what lies at a point.
func (t *Fingers) scroll(x, y, dx, dy float64) {
	s := t.pointer.window.Scale
	t.pointer.shell.Widgets([]ui.Event{{
		Kind: ui.Wheel, X: float32(x * s), Y: float32(y * s), DX: float32(dx / ui.WheelStep), DY: float32(dy / ui.WheelStep), Finger: true,
	}})
}

// dragPane passes a drag to the pane that fingers move.
func (t *Fingers) dragPane(kind view.InputKind, g *gesture.Gesture, mods ui.Mods) {
	p := t.pointer.model.Panes[t.pane]
	if p == nil {
		return
	}
	s := t.pointer.window.Scale
	in := view.Input{Kind: kind, X: g.X, Y: g.Y, FromX: g.FromX * s, FromY: g.FromY * s}
	if g.Kind >= gesture.PinchStart {
		in.FromX, in.FromY = g.X*s, g.Y*s
	}
	if kind == view.Drag {
		in.DX, in.DY = g.DX*s, g.DY*s
	}
	t.pointer.Send(p, in, mods)
}
