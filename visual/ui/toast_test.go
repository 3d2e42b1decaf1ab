package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"whorl/visual/icon"
)

// TestTooltip rests the pointer on a button and on labels: buttons and labels that are cut have a tooltip, until a press.
func TestTooltip(t *testing.T) {
	u := newUser(t, 300, 200, func(c *Context) {
		c.Button(Rect{10, 10, 38, 38}, "a", Press{Icon: icon.Play, Tip: "starts it"})
		c.Label(Rect{10, 60, 60, 80}, "a long label that has no room", Type{})
		c.Label(Rect{10, 90, 290, 110}, "a short one", Type{})
	})
	at := func(x, y float32) []string {
		u.move(x, y)
		u.wait(time.Second)
		return texts(&u.over)
	}
	u.move(20, 20)
	if len(texts(&u.over)) != 0 || u.last.Next != u.in.Now+500*time.Millisecond {
		t.Errorf("tooltips %q at once, want none; the next pass is at %v, want half a second from now", texts(&u.over), u.last.Next)
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
	u.down(20, 20)
	u.up(20, 20)
	if s := texts(&u.over); len(s) != 0 {
		t.Errorf("tooltip after a press: %q, want none", s)
	}
}

// TestToasts shows a message, which goes after a while, and a failure, which stays until its cross is pressed.
func TestToasts(t *testing.T) {
	u := newUser(t, 500, 300, func(*Context) {})
	u.st.Notify(Info, "soon gone")
	u.st.Notify(Failure, "stays")
	u.run()
	if s := texts(&u.over); !slices.Equal(s, []string{"soon gone", "stays"}) {
		t.Errorf("messages %q, want both", s)
	}
	u.wait(u.last.Next - u.in.Now)
	if s := texts(&u.over); !slices.Equal(s, []string{"stays"}) {
		t.Errorf("messages after a while: %q, want the failure alone", s)
	}
	w := written(&u.over)[0]
	u.clickAt(w.box.X1+18, (w.box.Y0+w.box.Y1)/2)
	if s := texts(&u.over); len(s) != 0 {
		t.Errorf("messages after a press of the cross: %q, want none", s)
	}
}

// TestManyToasts shows many failures: first the newest, and the others when those are closed. None is lost.
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
		t.Errorf("messages %q, want the newest four and the number of others", s)
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
			t.Errorf("the message of file %d never showed; shown: %v", i, seen)
		}
	}
}

// TestToastsCoverNothing puts a button into all corners but one. A message shows in the free corner. Below an open dialog no button counts.
func TestToastsCoverNothing(t *testing.T) {
	corners := []Rect{{40, 280, 140, 308}, {560, 280, 660, 308}, {40, 30, 140, 58}, {560, 30, 660, 58}}
	for free := range corners {
		open := false
		u := newUser(t, 700, 400, func(c *Context) {
			c.Toasts(Rect{0, 0, 700, 350})
			for i, r := range corners {
				if i != free {
					button(c, r, fmt.Sprint("b", i), "Press")
				}
			}
			c.ShowDialog("ask", &open, Dialog{Title: "Ask", W: 620, H: 10, Buttons: []string{"OK"}}, func(Rect) {})
		})
		u.st.Notify(Failure, "What happened is told here.")
		u.run()
		for i, r := range corners {
			w := written(&u.over)[0].box
			if covers := !w.Cut(r.Inset(-30, -10)).Empty(); covers != (i == free) {
				t.Errorf("corner %d is free, but the message lies at %v; the button of corner %d at %v", free, w, i, r)
			}
		}
		open = true
		u.run()
		u.run()
		all := written(&u.over)
		if w := all[len(all)-1].box; w.X0 > 350 || w.Y0 < 200 {
			t.Errorf("over a dialog the message lies at %v, want the first corner, which none of the dialog's controls covers", w)
		}
	}
}
