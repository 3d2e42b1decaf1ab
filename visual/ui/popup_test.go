package ui

import (
	"slices"
	"testing"

	"whorl/visual/icon"
)

// TestDialog opens a dialog: it takes the focus and every press, and gives the focus back when it closes.
func TestDialog(t *testing.T) {
	open, below, name, got := false, 0, "x", -2
	off := false
	u := newUser(t, 500, 400, func(c *Context) {
		if button(c, Rect{10, 10, 110, 38}, "open", "Open") {
			open = true
		}
		if button(c, Rect{10, 350, 110, 378}, "below", "Below") {
			below++
		}
		n := c.ShowDialog("ask", &open, Dialog{Title: "Name", W: 200, H: 60, Buttons: []string{"Cancel", "Save"}, Off: off}, func(r Rect) {
			c.Field(r.CutTop(28), "name", &name, FieldLook{First: true})
		})
		if n >= 0 {
			got, open = n, false
		}
	})
	u.st.Focus(Name("below"))
	u.click("open")
	if !open || u.st.Focused() != Name("ask/name") {
		t.Fatal("the field of the dialog does not have the focus")
	}
	u.clickAt(20, 360)
	if below != 0 || !open {
		t.Error("a press beside the dialog reached a button below or closed the dialog")
	}
	u.typed("yz")
	if name != "xyz" && name != "yz" {
		t.Errorf("the field holds %q, want yz or xyz", name)
	}
	for range 9 {
		u.keys("Tab")
		if f := u.st.Focused(); f == Name("below") || f == Name("open") {
			t.Error("Tab moved the focus out of the dialog")
		}
	}
	u.st.Focus(Name("ask/name"))
	u.keys("Enter")
	if got != 1 || open {
		t.Errorf("Enter pressed button %d, want 1; the dialog is open: %v", got, open)
	}
	if u.st.Focused() != Name("below") {
		t.Error("the focus did not return when the dialog closed")
	}
	got, off = -2, true
	u.click("open")
	u.keys("Enter")
	u.click("ask/Save")
	if got != -2 || !open {
		t.Error("a disabled button was pressed:", got)
	}
	u.click("ask/Cancel")
	if got != 0 {
		t.Errorf("Cancel pressed button %d, want 0", got)
	}
	u.click("open")
	u.keys("Escape")
	if open {
		t.Error("Escape did not close the dialog")
	}
}

// TestPopupInDialog opens a dropdown in a dialog. Escape and a press beside the dropdown close it and leave the dialog open.
func TestPopupInDialog(t *testing.T) {
	open, at, below := true, 0, 0
	u := newUser(t, 500, 400, func(c *Context) {
		if button(c, Rect{200, 200, 300, 228}, "below", "Below") {
			below++
		}
		c.ShowDialog("ask", &open, Dialog{Title: "Choose", W: 200, H: 30, Buttons: []string{"OK"}}, func(r Rect) {
			c.Dropdown(r.CutTop(28), "d", []string{"one", "two", "three"}, &at)
		})
	})
	u.click("ask/d")
	u.keys("Escape")
	if !open || len(texts(&u.over)) != 3 {
		t.Errorf("after Escape the dialog is open: %v, and shows %q", open, texts(&u.over))
	}
	u.click("ask/d")
	u.clickAt(5, 5)
	if !open || len(texts(&u.over)) != 3 {
		t.Errorf("after a press beside the dropdown the dialog is open: %v, and shows %q", open, texts(&u.over))
	}
	u.click("ask/d")
	u.click("ask/d/three")
	if at != 2 || below != 0 || !open {
		t.Errorf("the dropdown chose %d, want 2; the button below was pressed %d times, want 0; the dialog is open: %v", at, below, open)
	}
	u.keys("Escape")
	if open {
		t.Error("Escape did not close the dialog")
	}
	u.click("below")
	if below != 1 {
		t.Error("the button below does not work after the dialog closed")
	}
}

// TestMenuHasRoom opens menus with shortcuts and check marks. No label is cut.
func TestMenuHasRoom(t *testing.T) {
	for _, items := range [][]Item{
		{{Label: "ring"}, {Label: "Policy least-loaded"}},
		{{Label: "ring"}, {Label: "Policy least-loaded", Keys: "Ctrl+L"}},
		{{Label: "ring", Check: true}, {Label: "Policy least-loaded, or another"}},
	} {
		u := newUser(t, 500, 300, func(c *Context) { c.MenuButton(Rect{10, 10, 38, 38}, "more", Press{Icon: icon.More}, items) })
		u.clickAt(20, 20)
		if s := texts(&u.over); !slices.Contains(s, items[1].Label) {
			t.Errorf("the menu shows %q, want %q in full", s, items[1].Label)
		}
	}
}
