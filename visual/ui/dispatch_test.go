package ui

import (
	"fmt"
	"strings"
	"testing"
)

// TestFirstEvents presses a button in the first Run, before any widget has a place.
func TestFirstEvents(t *testing.T) {
	n := 0
	u := &user{t: t, in: Input{W: 300, H: 200, Scale: 1}, frame: func(c *Context) {
		if button(c, Rect{10, 10, 110, 38}, "run", "Run") {
			n++
		}
	}}
	u.run(Event{Kind: Down, X: 20, Y: 20}, Event{Kind: Up, X: 20, Y: 20})
	if n != 1 {
		t.Errorf("the button was pressed %d times, want 1", n)
	}
}

// TestScroll reaches a button below the edge with the wheel, the Tab key and the scroll bar.
func TestScroll(t *testing.T) {
	pressed := ""
	u := newUser(t, 200, 100, func(c *Context) {
		c.Scroll(c.Window(), "s", 400, func(r Rect) {
			for i := range 10 {
				if button(c, r.CutTop(40), fmt.Sprint(i), "Button "+fmt.Sprint(i)) {
					pressed = fmt.Sprint(i)
				}
			}
		})
	})
	if _, ok := u.st.Where(Name("9")); ok {
		t.Error("the last button is visible before scrolling")
	}
	u.run(Event{Kind: Wheel, X: 50, Y: 50, DY: -100})
	u.click("9")
	if pressed != "9" {
		t.Errorf("button %q was pressed, want 9", pressed)
	}
	u.st.Focus(Name("1"))
	u.run()
	u.keys("Shift+Tab")
	if r := u.where("0"); r.H() != 40 {
		t.Errorf("the button with the focus lies at %v, want its whole height of 40", r)
	}
	u.drag(197, 10, 197, 90)
	if r := u.where("9"); r.H() != 40 {
		t.Errorf("after a drag of the bar the last button lies at %v, want its whole height of 40", r)
	}
}

// TestShortcut presses shortcuts with and without the focus on a field, which takes letters.
func TestShortcut(t *testing.T) {
	var log []string
	text := ""
	u := newUser(t, 300, 100, func(c *Context) {
		c.Field(Rect{0, 0, 100, 28}, "f", &text, FieldLook{})
		if c.Shortcut(0, "1") {
			log = append(log, "1")
		}
		if c.Shortcut(Control, "s") {
			log = append(log, "save")
		}
	})
	u.keys("1", "Control+S", "Meta+s", "Control+Shift+s")
	if got := strings.Join(log, " "); got != "1 save save" {
		t.Errorf("shortcuts %q, want \"1 save save\"", got)
	}
	u.click("f")
	u.keys("1", "Control+s")
	if got := strings.Join(log, " "); got != "1 save save save" || text != "1" {
		t.Errorf("shortcuts while typing %q and the text %q, want \"1 save save save\" and 1", got, text)
	}
	if len(u.run(Event{Kind: Key, Name: "F5"}).Unused) != 1 {
		t.Error("Result.Unused lacks a key that no widget took")
	}
}
