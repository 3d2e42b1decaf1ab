package ui_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"whorl/visual/icon"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/ui/widget"
)

// TestTooltip rests the pointer on a button and on labels: buttons and labels that are cut have a tooltip, until a press.
func TestTooltip(t *testing.T) {
	u := usertest.New(t, 300, 200, func(c *ui.Context) {
		widget.Button(c, ui.Rect{10, 10, 38, 38}, "a", widget.ButtonOptions{Icon: icon.Play, Tip: "starts it"})
		c.Label(ui.Rect{10, 60, 60, 80}, "a long label that has no room", ui.Type{})
		c.Label(ui.Rect{10, 90, 290, 110}, "a short one", ui.Type{})
	})
	at := func(x, y float32) []string {
		u.Move(x, y)
		u.Wait(time.Second)
		return usertest.Strings(&u.Over)
	}
	u.Move(20, 20)
	if len(usertest.Strings(&u.Over)) != 0 || u.Last.Next != u.In.Now+500*time.Millisecond {
		t.Errorf("tooltips %q at once, want none; the next pass is at %v, want half a second from now", usertest.Strings(&u.Over), u.Last.Next)
	}
	if s := at(20, 20); !slices.Equal(s, []string{"starts it"}) {
		t.Errorf("tooltip of the button: %q, want \"starts it\"", s)
	}
	if s := at(20, 70); !slices.Equal(s, []string{"a long label that has no room"}) {
		t.Errorf("tooltip of a label that is cut: %q, want the whole label", s)
	}
	if s := at(20, 100); len(s) != 0 {
		t.Errorf("tooltip of a label in full: %q, want none", s)
	}
	at(20, 20)
	u.Down(20, 20)
	u.Up(20, 20)
	if s := usertest.Strings(&u.Over); len(s) != 0 {
		t.Errorf("tooltip after a press: %q, want none", s)
	}
}

// TestToasts shows a message, which goes after a while, and a failure, which stays until its cross is pressed.
func TestToasts(t *testing.T) {
	u := usertest.New(t, 500, 300, func(*ui.Context) {})
	u.Widgets.Notify(ui.Info, "soon gone")
	u.Widgets.Notify(ui.Failure, "stays")
	u.Run()
	if s := usertest.Strings(&u.Over); !slices.Equal(s, []string{"soon gone", "stays"}) {
		t.Errorf("messages %q, want both", s)
	}
	u.Wait(u.Last.Next - u.In.Now)
	if s := usertest.Strings(&u.Over); !slices.Equal(s, []string{"stays"}) {
		t.Errorf("messages after a while: %q, want the failure alone", s)
	}
	w := usertest.Written(&u.Over)[0]
	u.ClickAt(w.Box.X1+18, (w.Box.Y0+w.Box.Y1)/2)
	if s := usertest.Strings(&u.Over); len(s) != 0 {
		t.Errorf("messages after a press of the cross: %q, want none", s)
	}
}

// TestManyToasts shows many failures: first the newest, and the others when those are closed. None is lost.
func TestManyToasts(t *testing.T) {
	u := usertest.New(t, 500, 600, func(*ui.Context) {})
	seen := map[string]bool{}
	u.Widgets.Notify(ui.Warning, "file 0")
	for i := range 6 {
		u.Widgets.Notify(ui.Failure, fmt.Sprint("file ", i+1))
	}
	u.Run()
	u.In.Now += time.Hour
	u.Run()
	if s := usertest.Strings(&u.Over); !slices.Equal(s, []string{"3 earlier messages: close others to see them", "file 3", "file 4", "file 5", "file 6"}) {
		t.Errorf("messages %q, want the newest four and the number of others", s)
	}
	for range 20 {
		all := usertest.Written(&u.Over)
		if len(all) == 0 {
			break
		}
		last := all[len(all)-1]
		seen[last.Text] = true
		u.ClickAt(last.Box.X1+18, (last.Box.Y0+last.Box.Y1)/2)
	}
	for i := range 7 {
		if !seen[fmt.Sprint("file ", i)] {
			t.Errorf("the message of file %d never showed; shown: %v", i, seen)
		}
	}
}

// TestToastsCoverNothing puts a button into all corners but one. A message shows in the free corner. Below an open dialog no button counts.
func TestToastsCoverNothing(t *testing.T) {
	corners := []ui.Rect{{40, 280, 140, 308}, {560, 280, 660, 308}, {40, 30, 140, 58}, {560, 30, 660, 58}}
	for free := range corners {
		open := false
		u := usertest.New(t, 700, 400, func(c *ui.Context) {
			c.Toasts(ui.Rect{0, 0, 700, 350})
			for i, r := range corners {
				if i != free {
					widget.Button(c, r, fmt.Sprint("b", i), widget.ButtonOptions{Label: "Press"})
				}
			}
			widget.Dialog(c, "ask", &open, widget.DialogOptions{Title: "Ask", W: 620, H: 10, Buttons: []string{"OK"}}, func(ui.Rect) {})
		})
		u.Widgets.Notify(ui.Failure, "What happened is told here.")
		u.Run()
		for i, r := range corners {
			w := usertest.Written(&u.Over)[0].Box
			if covers := !w.Cut(r.Inset(-30, -10)).Empty(); covers != (i == free) {
				t.Errorf("corner %d is free, but the message lies at %v; the button of corner %d at %v", free, w, i, r)
			}
		}
		open = true
		u.Run()
		u.Run()
		all := usertest.Written(&u.Over)
		if w := all[len(all)-1].Box; w.X0 > 350 || w.Y0 < 200 {
			t.Errorf("over a dialog the message lies at %v, want the first corner, which none of the dialog's controls covers", w)
		}
	}
}
