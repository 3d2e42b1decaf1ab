package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/visual/testdata/viewtest"
	"whorl/visual/ui"
)

// devices are screens for fingers: a phone upright and on its side, and a tablet.
var devices = []struct{ w, h, scale float64 }{{390, 844, 3}, {844, 390, 3}, {820, 1180, 2}, {1180, 820, 2}}

// onDevice returns a driver of a window for fingers, with a run of Pascal's triangle.
func onDevice(t *testing.T, w, h, scale float64, dark bool) *driver {
	t.Helper()
	d := drive(t, Options{Runner: native{}, Dark: dark}, w, h, scale)
	d.step(Event{Kind: Pointer, Text: "coarse"})
	d.settle()
	return d
}

// touchLooks are states of the window. Each begins with the state before it.
var touchLooks = []struct {
	name string
	do   func(d *driver)
}{
	{"welcome", func(*driver) {}},
	{"panes", func(d *driver) {
		d.app.launcher.Begin(pascalRun())
		d.until("the end", func() bool { return d.app.model.Focused().Live.Over })
		d.app.widgets = ui.State{} // and with it the message of the end
		d.app.out.Redraw()
		d.settle()
	}},
	{"pane menu", func(d *driver) { d.tapOn("More for this pane") }},
	{"settings", func(d *driver) { d.key("Escape", 0); d.key("S", 0) }},
	{"what if", func(d *driver) { d.key("S", 0); d.key("W", 0) }},
	{"run", func(d *driver) { d.key("W", 0); d.key("R", 0) }},
	{"picture", func(d *driver) { d.key("R", 0); d.key("P", 0) }},
	{"display", func(d *driver) { d.key("Escape", 0); d.key("Z", 0) }},
	{"quick", func(d *driver) { d.key("Escape", 0); d.key("k", ui.Control) }},
	{"compare", func(d *driver) { d.key("Escape", 0); d.key("C", 0) }},
	{"questions", func(d *driver) { d.key("Escape", 0); d.key("I", 0) }},
	{"help", func(d *driver) { d.key("Escape", 0); d.key("h", 0) }},
	{"overflow", func(d *driver) {
		d.key("Escape", 0)
		if d.in.W < 600 {
			d.tapOn("All commands")
		}
	}},
}

// tapOn taps a control.
func (d *driver) tapOn(name string) {
	d.Helper()
	d.tap(d.control(name))
}

// TestTouchLooks shows the window on phones and tablets: the texts of bars, panels and dialogs neither cover each other nor leave the window, and
// whatever is pressed is large enough for a finger. With WHORL_SHOTS it leaves pictures for people to look at.
func TestTouchLooks(t *testing.T) {
	for _, s := range devices {
		for _, dark := range []bool{false, true} {
			if dark && s.w != 390 {
				continue
			}
			name := fmt.Sprintf("touch-%gx%g-%v", s.w, s.h, dark)
			d := onDevice(t, s.w, s.h, s.scale, dark)
			for _, l := range touchLooks {
				l.do(d)
				if id := d.app.widgets.Twice(); id != 0 {
					t.Errorf("%s, %s: two widgets share a name", name, l.name)
				}
				d.shot(name + "-" + l.name)
				wrong := viewtest.Texts(&d.app.chrome, glyphs)
				wrong = append(wrong, viewtest.Texts(&d.app.popups, glyphs)...)
				wrong = append(wrong, d.small()...)
				for _, w := range wrong {
					if strings.Contains(w, "leaves the picture") || strings.Contains(w, `lies in "the drawing"`) {
						continue // what is scrolled to, which is clipped
					}
					t.Errorf("%s, %s: %s", name, l.name, w)
				}
			}
			d.app.Close()
		}
	}
}

// small lists the controls that are too small for a finger. One that a scroll cuts has a neighbour that is large enough.
func (d *driver) small() (all []string) {
	for _, c := range d.out.Controls {
		w, h := float64(c.Rect.W())/d.in.Scale, float64(c.Rect.H())/d.in.Scale
		large := func(o ui.Accessible) bool {
			return o.Rect.X0 == c.Rect.X0 && o.Rect.X1 == c.Rect.X1 && float64(o.Rect.H())/d.in.Scale >= ui.Finger-0.5
		}
		if c.Role == ui.RoleStatus || c.Role == ui.RoleGroup || w >= ui.Finger-0.5 && (h >= ui.Finger-0.5 || slices.ContainsFunc(d.out.Controls, large)) {
			continue
		}
		all = append(all, fmt.Sprintf("the %s %q is %.0f by %.0f points at %.0f,%.0f", c.Role, c.Name, w, h, float64(c.Rect.X0)/d.in.Scale, float64(c.Rect.Y0)/d.in.Scale))
	}
	return all
}

// TestPhone uses a phone: one pane is shown, a tap on a tab shows another, the menu has the commands, one panel is open at a time, its content scrolls, and
// a drag closes it.
func TestPhone(t *testing.T) {
	d := onDevice(t, 390, 844, 2, false)
	d.app.launcher.Begin(pascalRun())
	d.until("the end", func() bool { return d.app.model.Focused().Live.Over })
	d.settle()
	front := func(want string) {
		t.Helper()
		if all := d.app.model.Visible(); len(all) != 1 || all[0].Kind.Name != want {
			t.Errorf("%d panes are visible, want one, %s", len(all), want)
		}
	}
	front("kaleidoscope")
	d.tapOn("Timeline")
	front("timeline")
	d.tapOn("All commands")
	d.tapOn("What if")
	if !d.app.whatIf.Open {
		t.Fatalf("the menu does not open the panel:\n%s", d.texts())
	}
	for range 4 {
		d.swipe(60, 720, 60, 520)
	}
	for _, text := range []string{"Speed of a part of the program", "Copy command"} {
		if _, y, ok := d.place(text); !ok || y > 740 {
			t.Errorf("%q is not scrolled to: %v %v", text, y, ok)
		}
	}
	d.tapOn("Run")
	if d.app.whatIf.Open || !d.app.runs.Open {
		t.Error("two panels are open")
	}
	_, y := d.control("run, height")
	d.swipe(150, y, 150, 800)
	if d.app.runs.Open {
		t.Error("a drag to the bottom does not close the panel")
	}
	d.tapOn("More for this pane")
	d.tapOn("Settings of the pane")
	if !d.shows("Settings: Timeline") {
		t.Errorf("the menu of the pane does not open its settings:\n%s", d.texts())
	}
	d.tapOn("Close the settings")
	if d.shows("Settings: Timeline") {
		t.Error("the button does not close the settings")
	}
}
