package app

import (
	"testing"
	"time"

	"whorl/visual/ui"
	"whorl/visual/ui/gesture"
	"whorl/visual/view"
)

// finger plays an event of a finger, 20 ms after the one before.
func (d *driver) finger(id int, phase gesture.Phase, x, y float64) {
	d.in.Now += 10 * time.Millisecond
	d.step(Event{Kind: Finger, X: x, Y: y, Finger: gesture.Touch{ID: id, Phase: phase}})
}

func (d *driver) tap(x, y float64) {
	d.finger(1, gesture.Down, x, y)
	d.finger(1, gesture.Up, x, y)
	d.settle()
}

// holds rests a finger at a place.
func (d *driver) holds(x, y float64) {
	d.finger(1, gesture.Down, x, y)
	d.in.Now += time.Second
	d.step()
	d.settle()
}

// swipe moves a finger in four steps, and lets it rest before it leaves the screen.
func (d *driver) swipe(x0, y0, x1, y1 float64) {
	d.finger(1, gesture.Down, x0, y0)
	d.slide(x0, y0, x1, y1)
}

// slide moves the finger that is down.
func (d *driver) slide(x0, y0, x1, y1 float64) {
	for i := 1; i <= 4; i++ {
		d.finger(1, gesture.Move, x0+(x1-x0)*float64(i)/4, y0+(y1-y0)*float64(i)/4)
	}
	d.in.Now += 200 * time.Millisecond
	d.finger(1, gesture.Up, x1, y1)
	d.settle()
}

// touched returns a driver of a window with controls for fingers.
func touched(t *testing.T, w, h float64) *driver {
	d := opened(t, "qsort", w, h)
	d.step(Event{Kind: Pointer, Text: "coarse"})
	d.settle()
	return d
}

// TestTapsSelect taps a node of a picture: it is selected as by a click, no tip stays, and a second tap is a double click.
func TestTapsSelect(t *testing.T) {
	d := touched(t, 1180, 820)
	p := d.paneOf("kaleidoscope")
	x, y := d.middle(p.Area)
	d.tap(x, y)
	if s := d.app.model.State.Shared.Selection; len(s.Tasks) == 0 {
		t.Fatalf("a tap selects %v", s)
	}
	if p.Hovered {
		t.Error("the tip of a tap stays")
	}
	before := d.app.model.State.Personal.Panes
	place := d.locate(p, view.Selection{Trace: p.Trace, Tasks: []view.Tasks{{First: 2, Last: 2}}})
	if len(place) == 0 {
		t.Fatal("task 2 has no place")
	}
	x, y = d.middle(place[0])
	d.finger(1, gesture.Down, x, y)
	d.finger(1, gesture.Up, x, y)
	d.tap(x+9, y-9)
	if now := d.app.model.State.Personal.Panes; now[d.app.model.Index(p.ID)].Params[view.Root] == before[d.app.model.Index(p.ID)].Params[view.Root] {
		t.Error("a double tap does not enter the subtree")
	}
}

// TestLateTaps tells the viewer late what a finger did: a short touch is a tap all the same, and a long one opens the menu.
func TestLateTaps(t *testing.T) {
	for _, touch := range []time.Duration{50 * time.Millisecond, time.Second} {
		for _, steps := range []int{1, 2} {
			d := touched(t, 1180, 820)
			x, y := d.middle(d.paneOf("kaleidoscope").Area)
			event := func(phase gesture.Phase, at time.Duration) Event {
				return Event{Kind: Finger, X: x, Y: y, Finger: gesture.Touch{ID: 1, Phase: phase}, Time: at}
			}
			down, up := event(gesture.Down, d.in.Now), event(gesture.Up, d.in.Now+touch)
			d.in.Now += 2 * time.Second
			if steps == 2 {
				d.step(down)
				d.step(up)
			} else {
				d.step(down, up)
			}
			d.settle()
			if len(d.app.model.State.Shared.Selection.Tasks) == 0 {
				t.Errorf("a finger that was down for %v, known in %d steps, selects nothing", touch, steps)
			}
			if menu := d.app.pointer.Popup; menu != (touch == time.Second) {
				t.Errorf("a finger that was down for %v, known in %d steps, opens a menu: %v", touch, steps, menu)
			}
		}
	}
}

// TestFingersHold rests a finger on a picture: the tip comes and follows, a finger that leaves opens the menu, and one that moves selects a time.
func TestFingersHold(t *testing.T) {
	d := touched(t, 1180, 820)
	p := d.paneOf("kaleidoscope")
	x, y := d.middle(p.Area)
	d.holds(x, y)
	if !p.Hovered {
		t.Error("a finger that rests shows no tip")
	}
	d.finger(1, gesture.Up, x, y)
	d.settle()
	if !d.app.pointer.Popup {
		t.Error("a finger that has rested opens no menu")
	}
	d.tap(5, 400)
	if d.app.pointer.Popup {
		t.Error("a tap beside the menu does not close it")
	}
	line := d.paneOf("timeline")
	x, y = d.middle(line.Area)
	d.holds(x, y)
	d.slide(x, y, x+80, y)
	if s := d.app.model.State.Shared.Selection; s.Time == nil {
		t.Errorf("a drag after a hold selects %v, want a time", s)
	}
}

// TestFingersPanAndZoom pans a timeline with one finger, and pans and zooms a picture with two: the point between the fingers stays between them.
func TestFingersPanAndZoom(t *testing.T) {
	d := touched(t, 1180, 820)
	line := d.paneOf("timeline")
	x, y := d.middle(line.Area)
	for range 3 {
		d.step(Event{Kind: ui.Wheel, X: x, Y: y, DY: 1})
	}
	d.settle()
	cam := d.app.cameras.Frame(line).Camera
	d.swipe(x, y, x-60, y)
	if now := d.app.cameras.Frame(line).Camera; now == cam {
		t.Error("one finger does not pan the timeline")
	} else if s := d.app.model.State.Shared.Selection; s.Time != nil {
		t.Errorf("one finger selects %v", s)
	}
	p := d.paneOf("kaleidoscope")
	x, y = d.middle(p.Area)
	before := d.app.cameras.Frame(p)
	wx, wy := before.ToWorld((x-40)*d.in.Scale, y*d.in.Scale)
	d.finger(1, gesture.Down, x-80, y)
	d.finger(2, gesture.Down, x, y)
	d.finger(1, gesture.Move, x-140, y+30)
	d.finger(2, gesture.Move, x+60, y+30)
	after := d.app.cameras.Frame(p)
	px, py := after.ToPixel(wx, wy)
	if by := after.Camera.Scale / before.Camera.Scale; by < 2.4 || by > 2.6 {
		t.Errorf("fingers from 80 to 200 points apart zoom by %v", by)
	}
	if px, py = px/d.in.Scale, py/d.in.Scale; max(px-(x-40), x-40-px) > 1 || max(py-(y+30), y+30-py) > 1 {
		t.Errorf("the point between the fingers is now at %.1f, %.1f, want %.1f, %.1f", px, py, x-40, y+30)
	}
	d.finger(1, gesture.Up, x-140, y+30)
	d.finger(2, gesture.Up, x+60, y+30)
	d.settle()
	if d.app.model.State.Shared.Selection.Tasks != nil {
		t.Error("two fingers select")
	}
}

// TestFingersScroll scrolls a dialog with a finger, which presses nothing, and lets it glide; a finger stops the glide and does no more.
func TestFingersScroll(t *testing.T) {
	d := touched(t, 820, 500)
	d.key("h", 0)
	at := func() float64 {
		_, y, ok := d.place("Compare runs side by side")
		if !ok {
			return -1
		}
		return y
	}
	from := at()
	d.swipe(300, 400, 300, 340)
	if got := at(); from-got < 59 || from-got > 61 {
		t.Errorf("a finger that moves by 60 scrolls by %v", from-got)
	}
	d.finger(1, gesture.Down, 300, 400)
	d.finger(1, gesture.Move, 300, 390)
	d.finger(1, gesture.Move, 300, 380)
	d.finger(1, gesture.Up, 300, 380)
	left := at()
	d.step()
	d.step()
	if got := at(); got >= left {
		t.Errorf("nothing glides: %v after %v", got, left)
	}
	d.finger(1, gesture.Down, 300, 400)
	stopped := at()
	d.finger(1, gesture.Up, 300, 400)
	d.settle()
	if got := at(); got != stopped || !d.app.help.Open {
		t.Errorf("the finger does not stop the glide: %v after %v", got, stopped)
	}
}

// TestFingersHoldWidgets drags the slider of the time, the border between two panes, and a tab after a hold.
func TestFingersHoldWidgets(t *testing.T) {
	d := touched(t, 1180, 820)
	y := d.in.H - 26
	d.swipe(500, y, 600, y)
	if d.app.model.State.Shared.Until == nil {
		t.Error("a finger does not drag the slider")
	}
	share := d.app.model.Root.Share
	s := d.app.tiles.Spots[0].Rect
	handle := s.Y0 + s.H()*3/4
	d.swipe(s.X1, handle, s.X1-60, handle)
	if d.app.model.Root.Share == share {
		t.Error("a finger does not drag the border between panes")
	}
	panes := len(d.app.tiles.Spots[0].Node.Panes)
	last := d.app.tiles.Spots[len(d.app.tiles.Spots)-1]
	tx, ty := last.Bar.X0+20, last.Bar.Y0+10
	d.swipe(tx, ty, s.X0+40, s.Y0+10)
	if len(d.app.tiles.Spots[0].Node.Panes) != panes {
		t.Error("a finger drags a tab without a hold")
	}
	d.holds(tx, ty)
	d.slide(tx, ty, s.X0+40, s.Y0+10)
	if len(d.app.tiles.Spots[0].Node.Panes) != panes+1 {
		t.Error("a finger does not drag a tab after a hold")
	}
}
