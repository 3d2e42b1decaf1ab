package pointing

import (
	"time"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/documents"
	"whorl/visual/ui"
	"whorl/visual/ui/gesture"
	"whorl/visual/view"
)

// An Event is one thing that the user or the shell did. It is no ui.Event: its positions are in points, and it may carry a file.
type Event struct {
	Kind   ui.EventKind // one of package ui, or one of package app beside them, which the pointer does not get
	X, Y   float64      // in points
	DX, DY float64
	Button ui.Button
	Mods   ui.Mods
	Key    string
	Text   string
	File   *documents.File
	Finger gesture.Touch // of a finger, without its place
	Time   time.Duration // when the finger did it, as Input.Now; 0: now
}

// A Shell holds the parts of the window that the pointer needs beside the pictures.
type Shell struct {
	Widgets func(events []ui.Event) (free bool) // updates the widgets with at most one event, and reports whether none took it
	Do      func(p *panes.Pane, do view.Action) // does what the view of a pane answers
	Menu    func(p *panes.Pane, x, y float64)   // opens the menu of the thing at a point of a pane
}

// A Pointer is the state of the pointer between events.
type Pointer struct {
	model   *panes.Model
	cameras *panes.Cameras
	actions *panes.Actions
	window  *panes.Window
	out     *outbox.Outbox
	shell   Shell

	Popup   bool // a menu or dialog is open
	Typing  bool // the widget with the focus takes text
	KeyRing bool // the focused pane shows a ring, until the pointer is used

	spentKey string // the key that has run a command; its text is not typed into a dialog that the command has opened

	x, y     float64 // in points
	in       bool    // it is over the window
	widget   bool    // a widget has it, from press to release
	pane     int     // the pane that has it, 0 for none
	over     int     // the pane under it, 0 for none
	button   ui.Button
	fromX    float64 // where it was pressed, in points
	fromY    float64
	dragging bool
	lastX    float64 // the last place of a drag
	lastY    float64

	clicks    ui.Clicks // for double clicks
	clickPane int       // the pane of the last click
}

// New returns a pointer outside of the window.
func New(model *panes.Model, cameras *panes.Cameras, actions *panes.Actions, window *panes.Window, out *outbox.Outbox, shell Shell) *Pointer {
	return &Pointer{model: model, cameras: cameras, actions: actions, window: window, out: out, shell: shell}
}

// OnWidget reports whether a widget has the pointer, from press to release.
func (pt *Pointer) OnWidget() bool { return pt.widget }

// Handle passes an event of the pointer or the keyboard to the widgets, then to the panes.
func (pt *Pointer) Handle(e *Event) {
	if pt.spent(e) {
		return
	}
	typed := pt.Typing
	if e.Kind == ui.Down && pt.KeyRing {
		pt.KeyRing = false
		pt.out.Redraw()
	}
	free := pt.shell.Widgets([]ui.Event{widgetEvent(e, pt.window.Scale)})
	switch e.Kind {
	case ui.Move, ui.Down, ui.Up, ui.Wheel:
		pt.x, pt.y, pt.in = e.X, e.Y, true
	case ui.Leave:
		pt.in = false
	case ui.Key:
		if !free && !typed {
			pt.spentKey = e.Key
		}
	}
	if e.Kind == ui.Down && !free {
		pt.widget = true
	}
	switch e.Kind {
	case ui.Move, ui.Up, ui.Leave:
		free = !pt.widget
	}
	if free && !(e.Kind == ui.Key && typed) {
		pt.toPanes(e)
	}
	if e.Kind == ui.Up {
		pt.widget = false
	}
}

// spent reports whether an event is the text of a key that has run a command. A tip goes while the user types.
func (pt *Pointer) spent(e *Event) bool {
	key := pt.spentKey
	switch e.Kind {
	case ui.Key:
		pt.spentKey = ""
	case ui.Text:
		pt.spentKey = ""
		if p := pt.model.Panes[pt.over]; p != nil {
			p.Hovered = false
		}
		return e.Text == key
	}
	return false
}

// widgetEvent returns an event in the form of the widgets, in pixels.
func widgetEvent(e *Event, scale float64) ui.Event {
	return ui.Event{
		Kind: e.Kind, X: float32(e.X * scale), Y: float32(e.Y * scale), DX: float32(e.DX), DY: float32(e.DY),
		Button: e.Button, Mods: e.Mods, Name: e.Key, Text: e.Text,
	}
}

// Settle lets the tip of a pane go where a menu covers it, or where the panes have moved under a pointer that rests.
func (pt *Pointer) Settle(rests bool) {
	over := 0
	if p := pt.PaneAt(pt.x, pt.y); p != nil {
		over = p.ID
	}
	switch moved := over != pt.over; {
	case pt.Popup && pt.over != 0, rests && pt.pane == 0 && !pt.Popup && moved:
		pt.hover(0)
	}
}

// PaneAt returns the pane whose picture is at a point, nil for none.
func (pt *Pointer) PaneAt(x, y float64) *panes.Pane {
	for _, p := range pt.model.Visible() {
		px, py := x*pt.window.Scale, y*pt.window.Scale
		if px >= p.Area.X0 && px < p.Area.X1 && py >= p.Area.Y0 && py < p.Area.Y1 {
			return p
		}
	}
	return nil
}

// toPanes passes an event that no widget took to its pane.
func (pt *Pointer) toPanes(e *Event) {
	switch e.Kind {
	case ui.Move:
		if p := pt.model.Panes[pt.pane]; pt.pane != 0 {
			if p != nil {
				pt.drag(p, e)
			}
			return
		}
		pt.hover(e.Mods)
	case ui.Leave:
		pt.hover(e.Mods)
	case ui.Down:
		p := pt.PaneAt(e.X, e.Y)
		if pt.Popup || pt.pane != 0 {
			return
		}
		if p == nil { // beside a picture, perhaps on its legend
			for _, q := range pt.model.Visible() {
				if q.Body.Contains(e.X, e.Y) {
					pt.actions.SetFocus(q.ID)
				}
			}
			return
		}
		pt.actions.SetFocus(p.ID)
		pt.pane, pt.button, pt.fromX, pt.fromY, pt.dragging = p.ID, e.Button, e.X, e.Y, false
	case ui.Up:
		if pt.pane != 0 && e.Button == pt.button {
			p := pt.model.Panes[pt.pane]
			pt.pane = 0
			if p != nil {
				pt.release(p, e)
			}
			pt.hover(e.Mods)
		}
	case ui.Wheel:
		if p := pt.PaneAt(e.X, e.Y); p != nil && !pt.Popup {
			pt.Send(p, view.Input{Kind: view.Wheel, X: e.X, Y: e.Y, DX: e.DX, DY: e.DY}, e.Mods)
			pt.hover(e.Mods)
		}
	case ui.Key:
		if p := pt.model.Panes[pt.model.Focus]; p != nil && !pt.Popup && e.Mods&(ui.Control|ui.Meta|ui.Alt) == 0 {
			pt.Send(p, view.Input{Kind: view.Press, X: pt.x, Y: pt.y, Key: e.Key}, e.Mods)
		}
	}
}

// drag handles a move with the main or the middle button held.
func (pt *Pointer) drag(p *panes.Pane, e *Event) {
	if pt.button == ui.Secondary || !pt.dragging && !ui.Moved(pt.fromX, pt.fromY, e.X, e.Y, 1) {
		return
	}
	in := view.Input{X: e.X, Y: e.Y, FromX: pt.fromX * pt.window.Scale, FromY: pt.fromY * pt.window.Scale}
	if !pt.dragging {
		pt.dragging = true
		pt.lastX, pt.lastY = pt.fromX, pt.fromY
		in.Kind = view.DragStart
		pt.Send(p, in, e.Mods)
	}
	in.Kind = view.Drag
	in.DX, in.DY = (e.X-pt.lastX)*pt.window.Scale, (e.Y-pt.lastY)*pt.window.Scale
	pt.lastX, pt.lastY = e.X, e.Y
	pt.clickPane = 0
	p.Hovered = false
	pt.Send(p, in, e.Mods)
}

// release handles the end of a drag or of a click.
func (pt *Pointer) release(p *panes.Pane, e *Event) {
	in := view.Input{X: e.X, Y: e.Y, FromX: pt.fromX * pt.window.Scale, FromY: pt.fromY * pt.window.Scale}
	switch {
	case pt.dragging:
		pt.dragging = false
		in.Kind = view.DragEnd
		pt.Send(p, in, e.Mods)
		return
	case pt.button == ui.Secondary:
		in.Kind = view.Secondary
		pt.Send(p, in, e.Mods)
		pt.shell.Menu(p, e.X, e.Y)
		pt.out.Redraw()
		return
	case pt.button != ui.Main:
		return
	}
	if pt.clickPane != p.ID {
		pt.clicks = ui.Clicks{}
	}
	pt.clickPane = p.ID
	clicks := pt.clicks.Count(pt.window.Now, e.X, e.Y, 1)
	if clicks > 2 { // a hand that has not stopped yet: the picture is another one by now
		return
	}
	in.Kind = view.Click
	pt.Send(p, in, e.Mods)
	if clicks == 2 {
		in.Kind = view.DoubleClick
		pt.Send(p, in, e.Mods)
	}
}

// hover tells the pane under the pointer that it is there, and the pane that it has left.
func (pt *Pointer) hover(mods ui.Mods) {
	var p *panes.Pane
	if pt.in && !pt.widget && !pt.Popup {
		p = pt.PaneAt(pt.x, pt.y)
	}
	if old := pt.model.Panes[pt.over]; old != nil && old != p {
		old.Hovered = false
		pt.Send(old, view.Input{Kind: view.Leave}, mods)
	}
	pt.over = 0
	if p == nil {
		return
	}
	pt.over = p.ID
	p.Hovered = true
	p.HoverX, p.HoverY = pt.x*pt.window.Scale, pt.y*pt.window.Scale
	pt.Send(p, view.Input{Kind: view.Move, X: pt.x, Y: pt.y}, mods)
}

// Send passes an input, with its place in points, to the view of a pane, and lets the shell do what it answers.
func (pt *Pointer) Send(p *panes.Pane, in view.Input, mods ui.Mods) {
	i := pt.model.Index(p.ID)
	if i < 0 || !p.Answers() {
		return
	}
	in.X, in.Y = in.X*pt.window.Scale, in.Y*pt.window.Scale
	in.Pane = i
	in.Shift, in.Ctrl, in.Alt = mods&ui.Shift != 0, mods.Command(), mods&ui.Alt != 0
	for _, do := range p.Kind.Answer(p.Picture(), pt.cameras.Frame(p), in) {
		pt.shell.Do(p, do)
	}
}
