package app

import (
	"slices"
	"time"

	"whorl/visual/ui"
	"whorl/visual/view"
	"whorl/visual/workspace"
)

// pointer is what the app remembers of the pointer between events. Widgets come first; what none of them takes goes to the pane below.
type pointer struct {
	x, y     float64 // in points
	in       bool    // it is over the window
	widget   bool    // a widget has it, from press to release
	pane     int     // the pane that has it, 0 for none
	button   Button
	fromX    float64 // where it was pressed, in points
	fromY    float64
	dragging bool
	over     int // the pane under it

	lastPane     int // where and when the last click was, and the how-manieth it was there
	lastX, lastY float64
	lastAt       time.Duration
	clicks       int
}

// keys is where the keyboard has led.
type keys struct {
	ring bool // the focused pane shows that it is the one, until the pointer is used
	edit bool // the editor of the focused pane is to get the keys

	spent string // the key that has done something, and that is not to be typed where it has led
}

// How far the pointer may move in a click, in points, and how soon the second click of two comes.
const (
	clickSlack = 4
	doubleTime = 400 * time.Millisecond
)

// handle brings events to the widgets and to the panes, and the widgets up to date.
func (a *App) handle(events []Event) {
	for i := range events {
		e := &events[i]
		if e.Kind == PointerMove && i+1 < len(events) && events[i+1].Kind == PointerMove {
			continue
		}
		switch e.Kind {
		case Drop:
			a.OpenFile(e.File)
			a.changed = true
			continue
		case NoSound:
			a.noSound(e.Text)
			continue
		case Saved:
			a.say("Saved as " + e.Text)
			continue
		case Told:
			a.say(e.Text)
			continue
		}
		if a.spent(e) {
			continue
		}
		typed := a.typing
		if e.Kind == PointerDown && a.keys.ring {
			a.keys.ring = false
			a.changed = true
		}
		free := a.runWidgets([]ui.Event{widgetEvent(e, a.scale)})
		a.place(e)
		if e.Kind == KeyDown && !free && !typed {
			a.keys.spent = e.Key
		}
		if e.Kind == PointerDown && !free {
			a.pointer.widget = true
		}
		switch e.Kind {
		case PointerMove, PointerUp, PointerLeave:
			free = !a.pointer.widget
		}
		if free {
			a.toPanes(e)
		}
		if e.Kind == PointerUp {
			a.pointer.widget = false
		}
	}
	for range 4 { // what the widgets changed may move others
		a.changed = false
		a.runWidgets(nil)
		if !a.changed {
			break
		}
	}
	over := 0
	if p := a.paneAt(a.pointer.x, a.pointer.y); p != nil {
		over = p.id
	}
	switch moved := over != a.pointer.over; {
	case a.popup && a.pointer.over != 0, len(events) == 0 && a.pointer.pane == 0 && !a.popup && moved:
		a.hover(0) // a menu covers what was told, or the panes have moved under the pointer
	}
}

// spent says whether an event is the text of a key that has done something else already. What is told of a node goes while one types.
func (a *App) spent(e *Event) bool {
	key := a.keys.spent
	switch e.Kind {
	case KeyDown:
		a.keys.spent = ""
	case Text:
		a.keys.spent = ""
		if p := a.panes[a.pointer.over]; p != nil {
			p.hovered = false
		}
		return e.Text == key
	}
	return false
}

// place notes where the pointer is.
func (a *App) place(e *Event) {
	switch e.Kind {
	case PointerMove, PointerDown, PointerUp, Wheel:
		a.pointer.x, a.pointer.y, a.pointer.in = e.X, e.Y, true
	case PointerLeave:
		a.pointer.in = false
	}
}

// widgetEvent is an event as the widgets know it: in pixels.
func widgetEvent(e *Event, scale float64) ui.Event {
	kinds := [...]ui.EventKind{
		PointerMove: ui.Move, PointerDown: ui.Down, PointerUp: ui.Up, PointerLeave: ui.Leave, Wheel: ui.Wheel, KeyDown: ui.Key, Text: ui.Text,
	}
	return ui.Event{
		Kind: kinds[e.Kind], X: float32(e.X * scale), Y: float32(e.Y * scale), DX: float32(e.DX), DY: float32(e.DY),
		Button: ui.Button(e.Button), Mods: ui.Mods(e.Mods), Name: e.Key, Text: e.Text,
	}
}

// paneAt is the pane whose picture is at a point, nil for none.
func (a *App) paneAt(x, y float64) *pane {
	for _, p := range a.visible() {
		px, py := x*a.scale, y*a.scale
		if px >= p.area.X0 && px < p.area.X1 && py >= p.area.Y0 && py < p.area.Y1 {
			return p
		}
	}
	return nil
}

// toPanes gives an event that no widget took to the pane that it is meant for.
func (a *App) toPanes(e *Event) {
	pt := &a.pointer
	switch e.Kind {
	case PointerMove:
		if p := a.panes[pt.pane]; pt.pane != 0 {
			if p != nil {
				a.drag(p, e)
			}
			return
		}
		a.hover(e.Mods)
	case PointerLeave:
		a.hover(e.Mods)
	case PointerDown:
		p := a.paneAt(e.X, e.Y)
		if a.popup || pt.pane != 0 {
			return
		}
		if p == nil { // beside a picture, on its legend perhaps
			for _, q := range a.visible() {
				if q.body.Has(e.X, e.Y) {
					a.setFocus(q.id)
				}
			}
			return
		}
		a.setFocus(p.id)
		pt.pane, pt.button, pt.fromX, pt.fromY, pt.dragging = p.id, e.Button, e.X, e.Y, false
	case PointerUp:
		if pt.pane != 0 && e.Button == pt.button {
			p := a.panes[pt.pane]
			pt.pane = 0
			if p != nil {
				a.release(p, e)
			}
			a.hover(e.Mods)
		}
	case Wheel:
		if p := a.paneAt(e.X, e.Y); p != nil && !a.popup {
			a.tell(p, view.Input{Kind: view.Wheel, X: e.X, Y: e.Y, DX: e.DX, DY: e.DY}, e.Mods)
			a.hover(e.Mods)
		}
	case KeyDown:
		if p := a.panes[a.focus]; p != nil && !a.popup && e.Mods&(Control|Meta|Alt) == 0 {
			a.tell(p, view.Input{Kind: view.Press, X: pt.x, Y: pt.y, Key: e.Key}, e.Mods)
		}
	}
}

// drag moves with a button held: the main or the middle one moves what is seen.
func (a *App) drag(p *pane, e *Event) {
	pt := &a.pointer
	far := max(e.X-pt.fromX, pt.fromX-e.X, e.Y-pt.fromY, pt.fromY-e.Y) > clickSlack
	in := view.Input{X: e.X, Y: e.Y, FromX: pt.fromX * a.scale, FromY: pt.fromY * a.scale}
	if pt.button == Secondary || !far && !pt.dragging {
		return
	}
	if !pt.dragging {
		pt.dragging = true
		pt.lastX, pt.lastY = pt.fromX, pt.fromY
		in.Kind = view.DragStart
		a.tell(p, in, e.Mods)
	}
	in.Kind = view.Drag
	in.DX, in.DY = (e.X-pt.lastX)*a.scale, (e.Y-pt.lastY)*a.scale
	pt.lastX, pt.lastY = e.X, e.Y
	pt.lastPane = 0
	p.hovered = false
	a.tell(p, in, e.Mods)
}

// release ends a drag, or is a click, the second of two perhaps.
func (a *App) release(p *pane, e *Event) {
	pt := &a.pointer
	in := view.Input{X: e.X, Y: e.Y, FromX: pt.fromX * a.scale, FromY: pt.fromY * a.scale}
	switch {
	case pt.dragging:
		pt.dragging = false
		in.Kind = view.DragEnd
		a.tell(p, in, e.Mods)
		return
	case pt.button == Secondary:
		in.Kind = view.Secondary
		a.tell(p, in, e.Mods)
		a.menuAt(p, e.X, e.Y)
		return
	case pt.button != Main:
		return
	}
	near := max(e.X-pt.lastX, pt.lastX-e.X, e.Y-pt.lastY, pt.lastY-e.Y) <= clickSlack
	if pt.lastPane == p.id && near && a.now-pt.lastAt <= doubleTime {
		pt.clicks++
	} else {
		pt.clicks = 1
	}
	pt.lastPane, pt.lastX, pt.lastY, pt.lastAt = p.id, e.X, e.Y, a.now
	if pt.clicks > 2 {
		return // a hand that has not stopped yet: what is there now is something else
	}
	in.Kind = view.Click
	a.tell(p, in, e.Mods)
	if pt.clicks == 2 {
		in.Kind = view.DoubleClick
		a.tell(p, in, e.Mods)
	}
}

// hover tells the pane under the pointer that it is there, and the one that it has left.
func (a *App) hover(mods Mods) {
	pt := &a.pointer
	var p *pane
	if pt.in && !pt.widget && !a.popup {
		p = a.paneAt(pt.x, pt.y)
	}
	if old := a.panes[pt.over]; old != nil && old != p {
		old.hovered = false
		a.tell(old, view.Input{Kind: view.Leave}, mods)
	}
	pt.over = 0
	if p == nil {
		return
	}
	pt.over = p.id
	p.hovered = true
	p.hoverX, p.hoverY = pt.x*a.scale, pt.y*a.scale
	a.tell(p, view.Input{Kind: view.Move, X: pt.x, Y: pt.y}, mods)
}

// tell hands an input, whose place is in points, to a pane's view and makes the changes that this answers.
func (a *App) tell(p *pane, in view.Input, mods Mods) {
	i := a.Index(p.id)
	if i < 0 || p.result.Value == nil || p.shows != p.trace || p.err != nil || p.area.W() < 1 || p.area.H() < 1 {
		return
	}
	in.X, in.Y = in.X*a.scale, in.Y*a.scale
	in.Pane = i
	in.Shift, in.Ctrl, in.Alt = mods&Shift != 0, mods&(Control|Meta) != 0, mods&Alt != 0
	for _, do := range p.kind.Answer(p.result.Value, a.frame(p), in) {
		switch {
		case do.Do == view.SetUntil && do.Until != nil: // as the slider does it
			a.play.on = false
			a.until(a.onClock(*do.Until, a.docs[p.trace]), do.More)
			continue
		case do.Do == view.SetWindow && do.Window != nil:
			d := a.docs[p.trace]
			do.Window = &view.Span{First: a.onClock(do.Window.First, d), Last: a.onClock(do.Window.Last, d)}
		}
		a.act(do)
	}
}

// setFocus gives the keys to a pane.
func (a *App) setFocus(id int) {
	if a.focus != id {
		a.focus = id
		a.attend()
		a.changed = true
	}
}

// attend shows the run of the focused pane in the panes for text, unless its program is edited there.
func (a *App) attend() {
	w := a.Pane(a.focus)
	if w == nil {
		return
	}
	edited := func(n *workspace.Node) bool {
		return slices.ContainsFunc(n.Panes, func(id int) bool { return a.panes[id] != nil && a.editing(a.panes[id]) != nil })
	}
	if a.arranger.Attend(&a.Workspace, w.Trace, edited) { // like which tab is in front, this is no step of the undo
		a.changed = true
	}
}
