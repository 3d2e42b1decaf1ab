package app

import (
	"errors"

	"whorl/visual/app/outbox"
	"whorl/visual/app/panes"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// A pointer is the state of the pointer between events. Widgets get events first. An event that no widget takes goes to the pane below.
type pointer struct {
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

// handle passes events to the widgets and the panes, and updates the widgets.
func (a *App) handle(events []Event) {
	for i := range events {
		e := &events[i]
		if e.Kind == ui.Move && i+1 < len(events) && events[i+1].Kind == ui.Move {
			continue
		}
		switch e.Kind {
		case Drop:
			a.OpenFile(e.File)
			a.out.Redraw()
		case NoSound:
			a.hearing.NoSound(e.Text)
		case Saved:
			a.saving.Saved(e.Text)
		case Failed:
			a.out.Fail(outbox.AboutWriting, errors.New(e.Text))
		case Answer:
			a.out.Say(outbox.AboutWriting, e.Text)
		case Scheme:
			a.model.Dark = e.Text == "dark"
			a.out.Redraw()
		case Pointer:
			a.touch.coarse = e.Text == "coarse"
			a.out.Redraw()
		case Finger:
			a.touched(e)
		default:
			a.handleInput(e)
		}
	}
	for range 4 { // a change by one widget may move others
		a.out.Changed = false
		a.runWidgets(nil)
		if !a.out.Changed {
			break
		}
	}
	over := 0
	if p := a.paneAt(a.pointer.x, a.pointer.y); p != nil {
		over = p.ID
	}
	// The tip of a pane goes where a menu covers it, or where the panes have moved under the pointer.
	switch moved := over != a.pointer.over; {
	case a.popup && a.pointer.over != 0, len(events) == 0 && a.pointer.pane == 0 && !a.popup && moved:
		a.hover(0)
	}
}

// handleInput passes an event of the pointer or the keyboard to the widgets, then to the panes.
func (a *App) handleInput(e *Event) {
	if a.spent(e) {
		return
	}
	typed := a.typing
	if e.Kind == ui.Down && a.keyRing {
		a.keyRing = false
		a.out.Redraw()
	}
	free := a.runWidgets([]ui.Event{widgetEvent(e, a.window.Scale)})
	pt := &a.pointer
	switch e.Kind {
	case ui.Move, ui.Down, ui.Up, ui.Wheel:
		pt.x, pt.y, pt.in = e.X, e.Y, true
	case ui.Leave:
		pt.in = false
	case ui.Key:
		if !free && !typed {
			a.spentKey = e.Key
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
		a.toPanes(e)
	}
	if e.Kind == ui.Up {
		pt.widget = false
	}
}

// spent reports whether an event is the text of a key that has run a command. A tip goes while the user types.
func (a *App) spent(e *Event) bool {
	key := a.spentKey
	switch e.Kind {
	case ui.Key:
		a.spentKey = ""
	case ui.Text:
		a.spentKey = ""
		if p := a.model.Panes[a.pointer.over]; p != nil {
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

// paneAt returns the pane whose picture is at a point, nil for none.
func (a *App) paneAt(x, y float64) *panes.Pane {
	for _, p := range a.model.Visible() {
		px, py := x*a.window.Scale, y*a.window.Scale
		if px >= p.Area.X0 && px < p.Area.X1 && py >= p.Area.Y0 && py < p.Area.Y1 {
			return p
		}
	}
	return nil
}

// toPanes passes an event that no widget took to its pane.
func (a *App) toPanes(e *Event) {
	pt := &a.pointer
	switch e.Kind {
	case ui.Move:
		if p := a.model.Panes[pt.pane]; pt.pane != 0 {
			if p != nil {
				a.drag(p, e)
			}
			return
		}
		a.hover(e.Mods)
	case ui.Leave:
		a.hover(e.Mods)
	case ui.Down:
		p := a.paneAt(e.X, e.Y)
		if a.popup || pt.pane != 0 {
			return
		}
		if p == nil { // beside a picture, perhaps on its legend
			for _, q := range a.model.Visible() {
				if q.Body.Contains(e.X, e.Y) {
					a.actions.SetFocus(q.ID)
				}
			}
			return
		}
		a.actions.SetFocus(p.ID)
		pt.pane, pt.button, pt.fromX, pt.fromY, pt.dragging = p.ID, e.Button, e.X, e.Y, false
	case ui.Up:
		if pt.pane != 0 && e.Button == pt.button {
			p := a.model.Panes[pt.pane]
			pt.pane = 0
			if p != nil {
				a.release(p, e)
			}
			a.hover(e.Mods)
		}
	case ui.Wheel:
		if p := a.paneAt(e.X, e.Y); p != nil && !a.popup {
			a.send(p, view.Input{Kind: view.Wheel, X: e.X, Y: e.Y, DX: e.DX, DY: e.DY}, e.Mods)
			a.hover(e.Mods)
		}
	case ui.Key:
		if p := a.model.Panes[a.model.Focus]; p != nil && !a.popup && e.Mods&(ui.Control|ui.Meta|ui.Alt) == 0 {
			a.send(p, view.Input{Kind: view.Press, X: pt.x, Y: pt.y, Key: e.Key}, e.Mods)
		}
	}
}

// drag handles a move with the main or the middle button held.
func (a *App) drag(p *panes.Pane, e *Event) {
	pt := &a.pointer
	if pt.button == ui.Secondary || !pt.dragging && !ui.Moved(pt.fromX, pt.fromY, e.X, e.Y, 1) {
		return
	}
	in := view.Input{X: e.X, Y: e.Y, FromX: pt.fromX * a.window.Scale, FromY: pt.fromY * a.window.Scale}
	if !pt.dragging {
		pt.dragging = true
		pt.lastX, pt.lastY = pt.fromX, pt.fromY
		in.Kind = view.DragStart
		a.send(p, in, e.Mods)
	}
	in.Kind = view.Drag
	in.DX, in.DY = (e.X-pt.lastX)*a.window.Scale, (e.Y-pt.lastY)*a.window.Scale
	pt.lastX, pt.lastY = e.X, e.Y
	pt.clickPane = 0
	p.Hovered = false
	a.send(p, in, e.Mods)
}

// release handles the end of a drag or of a click.
func (a *App) release(p *panes.Pane, e *Event) {
	pt := &a.pointer
	in := view.Input{X: e.X, Y: e.Y, FromX: pt.fromX * a.window.Scale, FromY: pt.fromY * a.window.Scale}
	switch {
	case pt.dragging:
		pt.dragging = false
		in.Kind = view.DragEnd
		a.send(p, in, e.Mods)
		return
	case pt.button == ui.Secondary:
		in.Kind = view.Secondary
		a.send(p, in, e.Mods)
		a.menu = nodeMenu{open: true, x: e.X, y: e.Y, pane: p.ID}
		a.out.Redraw()
		return
	case pt.button != ui.Main:
		return
	}
	if pt.clickPane != p.ID {
		pt.clicks = ui.Clicks{}
	}
	pt.clickPane = p.ID
	clicks := pt.clicks.Count(a.window.Now, e.X, e.Y, 1)
	if clicks > 2 { // a hand that has not stopped yet: the picture is another one by now
		return
	}
	in.Kind = view.Click
	a.send(p, in, e.Mods)
	if clicks == 2 {
		in.Kind = view.DoubleClick
		a.send(p, in, e.Mods)
	}
}

// hover tells the pane under the pointer that it is there, and the pane that it has left.
func (a *App) hover(mods ui.Mods) {
	pt := &a.pointer
	var p *panes.Pane
	if pt.in && !pt.widget && !a.popup {
		p = a.paneAt(pt.x, pt.y)
	}
	if old := a.model.Panes[pt.over]; old != nil && old != p {
		old.Hovered = false
		a.send(old, view.Input{Kind: view.Leave}, mods)
	}
	pt.over = 0
	if p == nil {
		return
	}
	pt.over = p.ID
	p.Hovered = true
	p.HoverX, p.HoverY = pt.x*a.window.Scale, pt.y*a.window.Scale
	a.send(p, view.Input{Kind: view.Move, X: pt.x, Y: pt.y}, mods)
}

// send passes an input, with its place in points, to the view of a pane and applies the actions that it answers.
func (a *App) send(p *panes.Pane, in view.Input, mods ui.Mods) {
	i := a.model.Index(p.ID)
	if i < 0 || !p.Answers() {
		return
	}
	in.X, in.Y = in.X*a.window.Scale, in.Y*a.window.Scale
	in.Pane = i
	in.Shift, in.Ctrl, in.Alt = mods&ui.Shift != 0, mods.Command(), mods&ui.Alt != 0
	for _, do := range p.Kind.Answer(p.Picture(), a.cameras.Frame(p), in) {
		d := a.model.Document(p)
		switch {
		case do.Do == view.TogglePlay:
			a.play()
			continue
		case do.Do == view.NextMatch:
			a.finder.step(p.ID, p.Trace, do.Index)
			continue
		case do.Do == view.OpenRun:
			a.launcher.OpenRun(d, do)
			continue
		case do.Do == view.ShowTrace:
			a.actions.ShowTrace(do.Name)
			continue
		case do.Do == view.SetUntil && do.Until != nil: // as the slider does
			a.player.PauseAt(a.model.Clock.OnClock(*do.Until, d), do.More)
			continue
		case do.Do == view.SetWindow && do.Window != nil:
			do.Window = &view.Span{First: a.model.Clock.OnClock(do.Window.First, d), Last: a.model.Clock.OnClock(do.Window.Last, d)}
		}
		a.actions.Apply(do)
	}
}
