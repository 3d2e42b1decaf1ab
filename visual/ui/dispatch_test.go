package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// TestFirstEvents presses a button in the first Run, before any widget has a place.
func TestFirstEvents(t *testing.T) {
	n := 0
	u := &usertest.User{TB: t, In: ui.Input{W: 300, H: 200, Scale: 1}, Frame: func(c *ui.Context) {
		if widget.Button(c, ui.Rect{10, 10, 110, 38}, "run", widget.ButtonOptions{Label: "Run"}) {
			n++
		}
	}}
	u.Run(ui.Event{Kind: ui.Down, X: 20, Y: 20}, ui.Event{Kind: ui.Up, X: 20, Y: 20})
	if n != 1 {
		t.Errorf("the button was pressed %d times, want 1", n)
	}
}

// TestScroll reaches a button below the edge with the wheel, the Tab key and the scroll bar.
func TestScroll(t *testing.T) {
	pressed := ""
	u := usertest.New(t, 200, 100, func(c *ui.Context) {
		c.Scroll(c.Window(), "s", 400, func(r ui.Rect) {
			for i := range 10 {
				if widget.Button(c, r.CutTop(40), fmt.Sprint(i), widget.ButtonOptions{Label: "Button " + fmt.Sprint(i)}) {
					pressed = fmt.Sprint(i)
				}
			}
		})
	})
	if _, ok := u.Widgets.Where(usertest.Name("9")); ok {
		t.Error("the last button is visible before scrolling")
	}
	u.Run(ui.Event{Kind: ui.Wheel, X: 50, Y: 50, DY: -100})
	u.ClickOn("9")
	if pressed != "9" {
		t.Errorf("button %q was pressed, want 9", pressed)
	}
	u.Widgets.Focus(usertest.Name("1"))
	u.Run()
	u.Keys("Shift+Tab")
	if r := u.Where("0"); r.H() != 40 {
		t.Errorf("the button with the focus lies at %v, want its whole height of 40", r)
	}
	u.Drag(197, 10, 197, 90)
	if r := u.Where("9"); r.H() != 40 {
		t.Errorf("after a drag of the bar the last button lies at %v, want its whole height of 40", r)
	}
}

// TestShortcut presses shortcuts with and without the focus on a field, which takes letters.
func TestShortcut(t *testing.T) {
	var log []string
	text := ""
	u := usertest.New(t, 300, 100, func(c *ui.Context) {
		widget.Field(c, ui.Rect{0, 0, 100, 28}, "f", &text, widget.FieldOptions{})
		if c.Shortcut(0, "1") {
			log = append(log, "1")
		}
		if c.Shortcut(ui.Control, "s") {
			log = append(log, "save")
		}
	})
	u.Keys("1", "Control+S", "Meta+s", "Control+Shift+s")
	if got := strings.Join(log, " "); got != "1 save save" {
		t.Errorf("shortcuts %q, want \"1 save save\"", got)
	}
	u.ClickOn("f")
	u.Keys("1", "Control+s")
	if got := strings.Join(log, " "); got != "1 save save save" || text != "1" {
		t.Errorf("shortcuts while typing %q and the text %q, want \"1 save save save\" and 1", got, text)
	}
	if len(u.Run(ui.Event{Kind: ui.Key, Name: "F5"}).Unused) != 1 {
		t.Error("Result.Unused lacks a key that no widget took")
	}
}
