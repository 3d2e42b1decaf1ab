package widget

import (
	"slices"
	"testing"

	"whorl/visual/icon"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestDialog opens a dialog: it takes the focus and every press, and gives the focus back when it closes.
func TestDialog(t *testing.T) {
	open, below, name, got := false, 0, "x", -2
	off := false
	u := usertest.New(t, 500, 400, func(c *ui.Context) {
		if button(c, ui.Rect{X0: 10, Y0: 10, X1: 110, Y1: 38}, "open", "Open") {
			open = true
		}
		if button(c, ui.Rect{X0: 10, Y0: 350, X1: 110, Y1: 378}, "below", "Below") {
			below++
		}
		n := Dialog(c, "ask", &open, DialogOptions{Title: "Name", W: 200, H: 60, Buttons: []string{"Cancel", "Save"}, Off: off}, func(r ui.Rect) {
			Field(c, r.CutTop(28), "name", &name, FieldOptions{First: true})
		})
		if n >= 0 {
			got, open = n, false
		}
	})
	u.Widgets.Focus(usertest.Name("below"))
	u.ClickOn("open")
	if !open || u.Widgets.Focused() != usertest.Name("ask/name") {
		t.Fatal("the field of the dialog does not have the focus")
	}
	u.ClickAt(20, 360)
	if below != 0 || !open {
		t.Error("a press beside the dialog reached a button below or closed the dialog")
	}
	u.Type("yz")
	if name != "xyz" && name != "yz" {
		t.Errorf("the field holds %q, want yz or xyz", name)
	}
	for range 9 {
		u.Keys("Tab")
		if f := u.Widgets.Focused(); f == usertest.Name("below") || f == usertest.Name("open") {
			t.Error("Tab moved the focus out of the dialog")
		}
	}
	u.Widgets.Focus(usertest.Name("ask/name"))
	u.Keys("Enter")
	if got != 1 || open {
		t.Errorf("Enter pressed button %d, want 1; the dialog is open: %v", got, open)
	}
	if u.Widgets.Focused() != usertest.Name("below") {
		t.Error("the focus did not return when the dialog closed")
	}
	got, off = -2, true
	u.ClickOn("open")
	u.Keys("Enter")
	u.ClickOn("ask/Save")
	if got != -2 || !open {
		t.Error("a disabled button was pressed:", got)
	}
	u.ClickOn("ask/Cancel")
	if got != 0 {
		t.Errorf("Cancel pressed button %d, want 0", got)
	}
	u.ClickOn("open")
	u.Keys("Escape")
	if open {
		t.Error("Escape did not close the dialog")
	}
}

// TestPopupInDialog opens a dropdown in a dialog. Escape and a press beside the dropdown close it and leave the dialog open.
func TestPopupInDialog(t *testing.T) {
	open, at, below := true, 0, 0
	u := usertest.New(t, 500, 400, func(c *ui.Context) {
		if button(c, ui.Rect{X0: 200, Y0: 200, X1: 300, Y1: 228}, "below", "Below") {
			below++
		}
		Dialog(c, "ask", &open, DialogOptions{Title: "Choose", W: 200, H: 30, Buttons: []string{"OK"}}, func(r ui.Rect) {
			Dropdown(c, r.CutTop(28), "d", []string{"one", "two", "three"}, &at)
		})
	})
	u.ClickOn("ask/d")
	u.Keys("Escape")
	if !open || len(usertest.Strings(&u.Over)) != 3 {
		t.Errorf("after Escape the dialog is open: %v, and shows %q", open, usertest.Strings(&u.Over))
	}
	u.ClickOn("ask/d")
	u.ClickAt(5, 5)
	if !open || len(usertest.Strings(&u.Over)) != 3 {
		t.Errorf("after a press beside the dropdown the dialog is open: %v, and shows %q", open, usertest.Strings(&u.Over))
	}
	u.ClickOn("ask/d")
	u.ClickOn("ask/d/three")
	if at != 2 || below != 0 || !open {
		t.Errorf("the dropdown chose %d, want 2; the button below was pressed %d times, want 0; the dialog is open: %v", at, below, open)
	}
	u.Keys("Escape")
	if open {
		t.Error("Escape did not close the dialog")
	}
	u.ClickOn("below")
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
		u := usertest.New(t, 500, 300, func(c *ui.Context) {
			MenuButton(c, ui.Rect{X0: 10, Y0: 10, X1: 38, Y1: 38}, "more", ButtonOptions{Icon: icon.More}, items)
		})
		u.ClickAt(20, 20)
		if s := usertest.Strings(&u.Over); !slices.Contains(s, items[1].Label) {
			t.Errorf("the menu shows %q, want %q in full", s, items[1].Label)
		}
	}
}

// TestMenuSearch types into a menu whose items say what they are for: items with the text in their label or doc remain, and Enter chooses among them.
func TestMenuSearch(t *testing.T) {
	chosen := -1
	items := []Item{{Label: "Disc", Doc: "time in rings"}, {Label: "Tree", Doc: "who calls whom"}, {}, {Label: "Rings", Doc: "calls"}}
	u := usertest.New(t, 600, 400, func(c *ui.Context) {
		if i := MenuButton(c, ui.Rect{X0: 10, Y0: 10, X1: 110, Y1: 38}, "view", ButtonOptions{Label: "View"}, items); i >= 0 {
			chosen = i
		}
	})
	u.ClickOn("view")
	if !u.Shows("Type to search") || !u.Shows("who calls whom") {
		t.Errorf("the menu shows\n%s", u.Texts())
	}
	u.Keys("r", "i", "n", "G")
	if !u.Shows("Disc") || !u.Shows("Rings") || u.Shows("Tree") {
		t.Errorf("the search for ring shows\n%s", u.Texts())
	}
	u.Keys("Backspace", "Backspace", "Backspace", "Backspace", "c", "a", "l", "l", "s", " ", "w")
	if u.Shows("Disc") || u.Shows("Rings") || !u.Shows("Tree") {
		t.Errorf("the search for calls w shows\n%s", u.Texts())
	}
	u.Keys("Enter")
	if chosen != 1 {
		t.Errorf("Enter chooses item %d, want 1", chosen)
	}
}
