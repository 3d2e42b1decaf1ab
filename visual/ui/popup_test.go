package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"whorl/visual/icon"
	"whorl/visual/scene"
)

func TestTooltip(t *testing.T) {
	u := newUser(t, 300, 200, func(c *Context) {
		c.Press(Rect{10, 10, 38, 38}, "a", Press{Icon: icon.Play, Tip: "starts it"})
		c.Label(Rect{10, 60, 60, 80}, "a long label that has no room", Type{})
		c.Label(Rect{10, 90, 290, 110}, "a short one", Type{})
	})
	at := func(x, y float32) []string {
		u.move(x, y)
		u.wait(time.Second)
		return texts(&u.over)
	}
	u.move(20, 20)
	if len(texts(&u.over)) != 0 || u.last.Next != u.in.Now+tipDelay {
		t.Error("a tooltip at once, or no wish to come back for it:", u.last.Next)
	}
	if s := at(20, 20); !slices.Equal(s, []string{"starts it"}) {
		t.Error(s)
	}
	if s := at(20, 70); !slices.Equal(s, []string{"a long label that has no room"}) {
		t.Error(s)
	}
	if s := at(20, 100); len(s) != 0 {
		t.Error("a tooltip for what can be read:", s)
	}
	at(20, 20)
	u.down(20, 20)
	u.up(20, 20)
	if s := texts(&u.over); len(s) != 0 {
		t.Error("the tooltip stays after a press:", s)
	}
}

func TestToasts(t *testing.T) {
	u := newUser(t, 500, 300, func(*Context) {})
	u.st.Notify(Info, "soon gone")
	u.st.Notify(Failure, "stays")
	u.run()
	if s := texts(&u.over); !slices.Equal(s, []string{"soon gone", "stays"}) {
		t.Error(s)
	}
	u.wait(u.last.Next - u.in.Now)
	if s := texts(&u.over); !slices.Equal(s, []string{"stays"}) {
		t.Error("after a while:", s)
	}
	w := written(&u.over)[0]
	u.clickAt(w.box.X1+18, (w.box.Y0+w.box.Y1)/2)
	if s := texts(&u.over); len(s) != 0 {
		t.Error("after its cross was pressed:", s)
	}
}

// TestManyToasts: of many messages the newest show, and the others when those have been closed; none is lost.
func TestManyToasts(t *testing.T) {
	u := newUser(t, 500, 600, func(*Context) {})
	seen := map[string]bool{}
	u.st.Notify(Warning, "file 0")
	for i := range 6 {
		u.st.Notify(Failure, fmt.Sprint("file ", i+1))
	}
	u.run()
	u.in.Now += time.Hour
	u.run()
	if s := texts(&u.over); !slices.Equal(s, []string{"3 earlier messages: close others to see them", "file 3", "file 4", "file 5", "file 6"}) {
		t.Error(s)
	}
	for range 20 {
		all := written(&u.over)
		if len(all) == 0 {
			break
		}
		last := all[len(all)-1]
		seen[last.text] = true
		u.clickAt(last.box.X1+18, (last.box.Y0+last.box.Y1)/2)
	}
	for i := range 7 {
		if !seen[fmt.Sprint("file ", i)] {
			t.Errorf("file %d was not told; %v were", i, seen)
		}
	}
}

// TestToastsCoverNothing puts a button into all corners but one: messages show there. Where a dialog is open only its own controls count.
func TestToastsCoverNothing(t *testing.T) {
	corners := []Rect{{40, 280, 140, 308}, {560, 280, 660, 308}, {40, 30, 140, 58}, {560, 30, 660, 58}}
	for free := range corners {
		open := false
		u := newUser(t, 700, 400, func(c *Context) {
			c.Toasts(Rect{0, 0, 700, 350})
			for i, r := range corners {
				if i != free {
					c.Button(r, fmt.Sprint("b", i), "Press")
				}
			}
			c.Dialog("ask", &open, Dialog{Title: "Ask", W: 620, H: 10, Buttons: []string{"OK"}}, func(Rect) {})
		})
		u.st.Notify(Failure, "What happened is told here.")
		u.run()
		for i, r := range corners {
			w := written(&u.over)[0].box
			if covers := !w.Cut(r.Inset(-30, -10)).Empty(); covers != (i == free) {
				t.Errorf("with corner %d free the message at %v is near %v", free, w, r)
			}
		}
		open = true
		u.run()
		u.run()
		all := written(&u.over)
		if w := all[len(all)-1].box; w.X0 > 350 || w.Y0 < 200 {
			t.Errorf("over a dialog the message is at %v, want the first corner, which is free of the dialog's controls", w)
		}
	}
}

func TestDialog(t *testing.T) {
	open, below, name, got := false, 0, "x", -2
	off := false
	u := newUser(t, 500, 400, func(c *Context) {
		if c.Button(Rect{10, 10, 110, 38}, "open", "Open") {
			open = true
		}
		if c.Button(Rect{10, 350, 110, 378}, "below", "Below") {
			below++
		}
		n := c.Dialog("ask", &open, Dialog{Title: "Name", W: 200, H: 60, Buttons: []string{"Cancel", "Save"}, Off: off}, func(r Rect) {
			c.Field(r.CutTop(28), "name", &name, FieldLook{First: true})
		})
		if n >= 0 {
			got, open = n, false
		}
	})
	u.st.Focus(Name("below"))
	u.click("open")
	if !open || u.st.Focused() != Name("ask/name") {
		t.Fatal("the field of the dialog has no focus")
	}
	u.clickAt(20, 360)
	if below != 0 || !open {
		t.Error("a press went through the dialog")
	}
	u.typed("yz")
	if name != "xyz" && name != "yz" {
		t.Errorf("typed %q", name)
	}
	for range 9 { // round and round, never out
		u.keys("Tab")
		if f := u.st.Focused(); f == Name("below") || f == Name("open") {
			t.Error("Tab left the dialog")
		}
	}
	u.st.Focus(Name("ask/name"))
	u.keys("Enter")
	if got != 1 || open {
		t.Error("Enter pressed", got)
	}
	if u.st.Focused() != Name("below") {
		t.Error("the focus did not go back to where it was")
	}
	got, off = -2, true
	u.click("open")
	u.keys("Enter")
	u.click("ask/Save")
	if got != -2 || !open {
		t.Error("a button that is off was pressed:", got)
	}
	u.click("ask/Cancel")
	if got != 0 {
		t.Error("Cancel gave", got)
	}
	u.click("open")
	u.keys("Escape")
	if open {
		t.Error("Escape did not close it")
	}
}

// TestOneList draws popups at the end of the one list there is.
func TestOneList(t *testing.T) {
	at, st := 0, State{}
	var l scene.List
	pass := func(es ...Event) Result {
		return Run(&st, Input{W: 300, H: 300, Events: es}, NewTheme(true), letters, &l, nil, func(c *Context) {
			c.Dropdown(Rect{0, 0, 100, 28}, "d", []string{"one", "two"}, &at)
			c.Label(Rect{0, 30, 100, 60}, "below", Type{})
		})
	}
	if r := pass(Event{Kind: Down, X: 10, Y: 10}, Event{Kind: Up, X: 10, Y: 10}); !r.Changed || r.Base != r.Over {
		t.Error("changed", r.Changed, "sums", r.Base, r.Over)
	}
	if got := texts(&l); !slices.Equal(got, []string{"one", "below", "one", "two"}) {
		t.Error(got)
	}
	if r := pass(); r.Changed || r.Next != -1 {
		t.Error("nothing happened, but changed is", r.Changed, "and next", r.Next)
	}
}

// TestPopupInDialog opens a choice in a dialog: Escape and a press beside it close the choice and leave the dialog.
func TestPopupInDialog(t *testing.T) {
	open, at, below := true, 0, 0
	u := newUser(t, 500, 400, func(c *Context) {
		if c.Button(Rect{200, 200, 300, 228}, "below", "Below") {
			below++
		}
		c.Dialog("ask", &open, Dialog{Title: "Choose", W: 200, H: 30, Buttons: []string{"OK"}}, func(r Rect) {
			c.Dropdown(r.CutTop(28), "d", []string{"one", "two", "three"}, &at)
		})
	})
	u.click("ask/d")
	u.keys("Escape")
	if !open || len(texts(&u.over)) != 3 {
		t.Error("after Escape: open", open, texts(&u.over))
	}
	u.click("ask/d")
	u.clickAt(5, 5)
	if !open || len(texts(&u.over)) != 3 {
		t.Error("after a press beside it: open", open, texts(&u.over))
	}
	u.click("ask/d")
	u.click("ask/d/three")
	if at != 2 || below != 0 || !open {
		t.Error("chose", at, "pressed below", below)
	}
	u.keys("Escape")
	if open {
		t.Error("Escape does not close the dialog")
	}
	u.click("below")
	if below != 1 {
		t.Error("what lies below cannot be pressed afterwards")
	}
}

// TestMenuHasRoom opens menus of one column: the longest line is not cut, whatever stands beside it.
func TestMenuHasRoom(t *testing.T) {
	for _, items := range [][]Item{
		{{Label: "ring"}, {Label: "Policy least-loaded"}},
		{{Label: "ring"}, {Label: "Policy least-loaded", Keys: "Ctrl+L"}},
		{{Label: "ring", Check: true}, {Label: "Policy least-loaded, or another"}},
	} {
		u := newUser(t, 500, 300, func(c *Context) { c.MenuButton(Rect{10, 10, 38, 38}, "more", Press{Icon: icon.More}, items) })
		u.clickAt(20, 20)
		if s := texts(&u.over); !slices.Contains(s, items[1].Label) {
			t.Errorf("%q is shown as %q", items[1].Label, s)
		}
	}
}
