package ui_test

import (
	"fmt"
	"slices"
	"strings"
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

// newMessages returns a user of a window with a bar for messages and a pane below, whose place the returned pointer has.
func newMessages(t *testing.T, w, h float32) (*usertest.User, *ui.Rect) {
	pane := &ui.Rect{}
	u := usertest.New(t, w, h, func(c *ui.Context) {
		*pane = c.Window()
		bar := pane.CutTop(40)
		c.PlaceMessage(bar.Inset(20, 0), pane)
		c.Fill(*pane, c.Theme.Raised)
	})
	return u, pane
}

// TestMessages shows a message, which goes after a while, and a failure, which stays until its cross is pressed.
func TestMessages(t *testing.T) {
	u, _ := newMessages(t, 500, 300)
	u.Widgets.Notify(ui.Failure, "", "stays")
	u.Widgets.Notify(ui.Info, "", "soon gone")
	u.Run()
	if s := usertest.Strings(&u.Over); !slices.Equal(s, []string{"+1", "soon gone"}) {
		t.Errorf("messages %q, want the newest and the number of others", s)
	}
	u.Wait(u.Last.Next - u.In.Now)
	if s := usertest.Strings(&u.Over); !slices.Equal(s, []string{"stays"}) {
		t.Errorf("messages after a while: %q, want the failure alone", s)
	}
	u.ClickOn("message") // its cross
	if s := usertest.Strings(&u.Over); len(s) != 0 {
		t.Errorf("messages after a press of the cross: %q, want none", s)
	}
}

// TestManyMessages notifies many failures: one is shown at a time, the newest first, and none is lost. A success replaces an earlier one.
func TestManyMessages(t *testing.T) {
	u, _ := newMessages(t, 500, 600)
	u.Widgets.Notify(ui.Success, "", "saved once")
	u.Widgets.Notify(ui.Warning, "", "file 0")
	for i := range 6 {
		u.Widgets.Notify(ui.Failure, "", fmt.Sprint("file ", i+1))
	}
	u.Widgets.Notify(ui.Failure, "", "file 3") // again
	for n, want := range []string{"file 3", "file 6", "file 5", "file 4", "file 2", "file 1", "file 0"} {
		u.Run()
		all := []string{fmt.Sprintf("+%d", 6-n), want}
		if n == 6 {
			all = all[1:]
		}
		if s := usertest.Strings(&u.Over); !slices.Equal(s, all) {
			t.Errorf("message %d is %q, want %q", n+1, s, all)
		}
		u.ClickOn("message") // its cross
	}
	if s := usertest.Strings(&u.Over); len(s) != 0 {
		t.Errorf("messages when all are closed: %q, want none", s)
	}
}

// TestMend removes the message of a topic alone. A newer message replaces an older one of its topic.
func TestMend(t *testing.T) {
	u, _ := newMessages(t, 500, 300)
	u.Widgets.Notify(ui.Failure, "run", "no such program")
	u.Widgets.Notify(ui.Failure, "file", "no such file")
	u.Widgets.Notify(ui.Failure, "run", "no such policy")
	u.Run()
	if s := usertest.Strings(&u.Over); !slices.Equal(s, []string{"+1", "no such policy"}) {
		t.Errorf("messages %q, want the newer one of two about runs, and one other", s)
	}
	if !u.Widgets.Mend("run") || u.Widgets.Mend("run") {
		t.Error("Mend does not report that there was one message, then none")
	}
	u.Run()
	if s := usertest.Strings(&u.Over); !slices.Equal(s, []string{"no such file"}) {
		t.Errorf("messages %q, want the other one alone", s)
	}
}

// TestMessageCoversNothing shows messages of all lengths in windows of several widths. A message lies in the bar if it fits there; otherwise
// the pane below makes room, also with another message waiting. All of a text is shown, in up to eight lines.
func TestMessageCoversNothing(t *testing.T) {
	for _, w := range []float32{390, 700, 1280} {
		for _, words := range []int{1, 12, 40} {
			u, pane := newMessages(t, w, 600)
			text := strings.Repeat("message ", words)
			u.Widgets.Notify(ui.Failure, "", "another")
			u.Widgets.Notify(ui.Failure, "", strings.TrimSpace(text))
			u.Run()
			shown := 0
			for _, l := range usertest.Written(&u.Over) {
				shown += strings.Count(l.Text, "message")
				if !l.Box.Cut(*pane).Empty() || l.Box.X1 > w {
					t.Errorf("width %g, %d words: the line at %v covers the pane at %v", w, words, l.Box, *pane)
				}
			}
			if shown != words {
				t.Errorf("width %g: %d of %d words are shown", w, shown, words)
			}
			if inBar := pane.Y0 == 40; inBar != (words == 1 || words == 12 && w > 900) {
				t.Errorf("width %g, %d words: the pane begins at %g", w, words, pane.Y0)
			}
		}
	}
}
