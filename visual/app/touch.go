package app

import (
	"math"
	"time"

	"whorl/visual/ui"
	"whorl/visual/ui/gesture"
	"whorl/visual/view"
)

// touch is what fingers do in the window. A tap is a click; a finger drags a widget, scrolls what scrolls, or pans a picture; two fingers pan and zoom a
// picture. A finger that rests shows the tip of what is there; it then selects in a picture as a drag with Shift does, or opens the menu when it leaves.
type touch struct {
	machine gesture.Machine
	grip    ui.Grip // of the drag
	presses bool    // the finger holds a widget as the pointer does
	pane    int     // the pane that fingers move, 0 for none
	still   bool    // the finger has stopped what was gliding, and is no tap
	glide   glide
	coarse  bool // controls are large enough for fingers
}

// A glide is the movement of what scrolls after a finger has left it.
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

// touched handles an event of a finger.
func (a *App) touched(e *Event) {
	t := &a.touch
	if e.Finger.Phase == gesture.Down && t.machine.Down() == 0 {
		t.still = t.glide.moves()
		t.glide = glide{}
		if a.pointer.in { // the last tip goes
			a.handleInput(&Event{Kind: ui.Leave})
		}
	}
	finger := e.Finger
	finger.X, finger.Y = e.X, e.Y
	for _, g := range t.machine.Touch(a.window.Now, finger) {
		a.gesture(&g)
	}
	if t.machine.Down() == 0 && !t.coarse { // not before the finger has done what it meant
		t.coarse = true
		a.out.Redraw()
	}
}

// restFingers handles fingers that rest, and moves what glides.
func (a *App) restFingers() {
	for _, g := range a.touch.machine.Tick(a.window.Now) {
		a.gesture(&g)
	}
	g := &a.touch.glide
	if !g.moves() {
		return
	}
	passed := min(a.window.Now-g.last, time.Second/10)
	g.last = a.window.Now
	a.scroll(g.x, g.y, g.dx*passed.Seconds(), g.dy*passed.Seconds())
	slower := math.Exp(-passed.Seconds() / slowing.Seconds())
	g.dx, g.dy = g.dx*slower, g.dy*slower
}

func (g *glide) moves() bool { return math.Hypot(g.dx, g.dy) >= leastGlide }

// fingersNext returns when restFingers has something to do, false for never.
func (a *App) fingersNext() (time.Duration, bool) {
	if a.touch.glide.moves() {
		return a.window.Now, true
	}
	return a.touch.machine.Next()
}

// gesture does what fingers ask for.
func (a *App) gesture(g *gesture.Gesture) {
	t := &a.touch
	switch g.Kind {
	case gesture.Tap:
		if !t.still {
			a.point(ui.Move, g.X, g.Y)
			a.point(ui.Down, g.X, g.Y)
			a.point(ui.Up, g.X, g.Y)
			a.point(ui.Leave, g.X, g.Y)
		}
	case gesture.Hold:
		a.hold(g)
	case gesture.HoldEnd:
		a.endHold(g)
	case gesture.DragStart:
		a.beginDrag(g)
	case gesture.Drag:
		a.dragBy(g)
	case gesture.DragEnd:
		a.endDrag(g)
		if t.grip == ui.GripScroll {
			t.glide = glide{g.FromX, g.FromY, g.DX, g.DY, a.window.Now}
		}
	case gesture.Release:
		if t.presses { // back to where it was
			a.point(ui.Move, g.FromX, g.FromY)
			g.X, g.Y = g.FromX, g.FromY
		}
		a.endDrag(g)
	case gesture.PinchStart:
		t.pane = 0
		if p := a.paneAt(g.X, g.Y); p != nil && a.gripAt(g.X, g.Y, 0, 0, false) == ui.GripGround {
			a.actions.SetFocus(p.ID)
			t.pane = p.ID
			a.dragPane(view.DragStart, g, moving)
		}
	case gesture.Pinch:
		a.dragPane(view.Drag, g, moving)
		if p := a.model.Panes[t.pane]; p != nil {
			a.send(p, view.Input{Kind: view.Wheel, X: g.X, Y: g.Y, DY: math.Log(g.Zoom) / math.Log(view.Zoomed(1)), Pinch: true}, 0)
		}
	case gesture.PinchEnd:
		a.dragPane(view.DragEnd, g, moving)
		t.pane = 0
	}
}

// point moves or presses the pointer in the name of a finger.
func (a *App) point(kind ui.EventKind, x, y float64) { a.handleInput(&Event{Kind: kind, X: x, Y: y}) }

func (a *App) gripAt(x, y, dx, dy float64, held bool) ui.Grip {
	s := a.window.Scale
	return a.widgets.GripAt(float32(x*s), float32(y*s), float32(dx), float32(dy), held)
}

// hold shows the tip at a finger that rests, or presses a widget that such a finger drags.
func (a *App) hold(g *gesture.Gesture) {
	t := &a.touch
	a.widgets.ShowTip(a.window.Now)
	a.point(ui.Move, g.X, g.Y)
	if a.gripAt(g.X, g.Y, 0, 0, true) == ui.GripWidget {
		a.point(ui.Down, g.X, g.Y)
		t.presses = true
	}
}

// endHold lets a widget go, or opens the menu of what lies in a picture.
func (a *App) endHold(g *gesture.Gesture) {
	switch p := a.paneAt(g.X, g.Y); {
	case a.touch.presses:
		a.letGo(g)
	case p != nil && a.gripAt(g.X, g.Y, 0, 0, true) == ui.GripGround:
		a.handleInput(&Event{Kind: ui.Down, X: g.X, Y: g.Y, Button: ui.Secondary})
		a.handleInput(&Event{Kind: ui.Up, X: g.X, Y: g.Y, Button: ui.Secondary})
	}
}

// letGo releases the widget that a finger holds.
func (a *App) letGo(g *gesture.Gesture) {
	a.point(ui.Up, g.X, g.Y)
	a.point(ui.Leave, g.X, g.Y)
	a.touch.presses = false
}

// beginDrag finds out what a finger moves.
func (a *App) beginDrag(g *gesture.Gesture) {
	t := &a.touch
	if t.presses { // since it has rested
		t.grip = ui.GripWidget
		return
	}
	t.pane = 0
	switch t.grip = a.gripAt(g.FromX, g.FromY, g.X-g.FromX, g.Y-g.FromY, g.Held); t.grip {
	case ui.GripWidget:
		a.point(ui.Move, g.FromX, g.FromY)
		a.point(ui.Down, g.FromX, g.FromY)
		t.presses = true
	case ui.GripGround:
		if g.Held {
			a.point(ui.Leave, g.X, g.Y)
		}
		if p := a.paneAt(g.FromX, g.FromY); p != nil {
			a.actions.SetFocus(p.ID)
			t.pane = p.ID
			a.dragPane(view.DragStart, g, dragMods(g))
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
func (a *App) dragBy(g *gesture.Gesture) {
	switch t := &a.touch; {
	case t.presses:
		a.point(ui.Move, g.X, g.Y)
	case t.grip == ui.GripScroll:
		a.scroll(g.FromX, g.FromY, g.DX, g.DY)
	default:
		a.dragPane(view.Drag, g, dragMods(g))
	}
}

// endDrag lets go what the finger of a drag holds.
func (a *App) endDrag(g *gesture.Gesture) {
	if a.touch.presses {
		a.letGo(g)
		return
	}
	a.dragPane(view.DragEnd, g, dragMods(g))
	a.touch.pane = 0
}

// scroll scrolls what lies at a point.
func (a *App) scroll(x, y, dx, dy float64) {
	s := a.window.Scale
	a.runWidgets([]ui.Event{{
		Kind: ui.Wheel, X: float32(x * s), Y: float32(y * s), DX: float32(dx / ui.WheelStep), DY: float32(dy / ui.WheelStep), Finger: true,
	}})
}

// dragPane passes a drag to the pane that fingers move.
func (a *App) dragPane(kind view.InputKind, g *gesture.Gesture, mods ui.Mods) {
	p := a.model.Panes[a.touch.pane]
	if p == nil {
		return
	}
	s := a.window.Scale
	in := view.Input{Kind: kind, X: g.X, Y: g.Y, FromX: g.FromX * s, FromY: g.FromY * s}
	if g.Kind >= gesture.PinchStart {
		in.FromX, in.FromY = g.X*s, g.Y*s
	}
	if kind == view.Drag {
		in.DX, in.DY = g.DX*s, g.DY*s
	}
	a.send(p, in, mods)
}
