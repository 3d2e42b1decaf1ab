package runs

import (
	"testing"

	"whorl/experiment/session"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestControls presses every button in every state. A button that a state does not allow does nothing.
func TestControls(t *testing.T) {
	var pressed Control
	var st session.Status
	u := usertest.New(t, 600, 40, func(c *ui.Context) {
		in := c.Window()
		if got := DrawControls(c, &in, &st, "step", "back"); got != None {
			pressed = got
		}
	})
	for _, c := range []struct {
		st      session.Status
		buttons map[string]Control
	}{
		{session.Status{State: session.Running, Reductions: 3}, map[string]Control{"pause": Pause, "back": None, "step": None, "stop": Stop}},
		{session.Status{State: session.Running, Unpausable: true}, map[string]Control{"pause": None, "stop": Stop}},
		{session.Status{State: session.Paused}, map[string]Control{"resume": Resume, "back": None, "step": Step, "stop": Stop}},
		{session.Status{State: session.Paused, Reductions: 3}, map[string]Control{"back": Back}},
		{session.Status{State: session.Finished, Reductions: 3}, map[string]Control{"again": Again, "back": Back}},
	} {
		for name, want := range c.buttons {
			st, pressed = c.st, None
			u.Step()
			u.TryClickOn(name)
			if pressed != want {
				t.Errorf("%+v: the button %s is control %d, want %d", c.st, name, pressed, want)
			}
		}
	}
}

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		st   session.Status
		want string
	}{
		{session.Status{State: session.Running, Reductions: 1200}, "Running: 1,200 reductions"},
		{session.Status{State: session.Paused, Reductions: 3, Steps: true}, "Paused at 3 forks and joins"},
		{session.Status{State: session.Running, Reductions: 3, Virtual: 2000, Steps: true}, "Running: 2 µs"},
		{session.Status{State: session.Finished, Reductions: 3, Err: "stopped"}, "Stopped at 3 reductions"},
		{session.Status{State: session.Finished, Reductions: 3, Virtual: 5000, Unpausable: true}, "Done: 5 µs"},
		{session.Status{State: session.Finished, Virtual: 5000}, "Done: 5 µs"},
	} {
		st := c.st
		u := usertest.New(t, 600, 40, func(c *ui.Context) {
			in := c.Window()
			DrawProgress(c, &in, &st, false)
		})
		if !u.Shows(c.want) {
			t.Errorf("%+v is shown as %q, want %q", c.st, u.Texts(), c.want)
		}
		u = usertest.New(t, 600, 40, func(c *ui.Context) {
			in := c.Window()
			DrawProgress(c, &in, &st, true)
		})
		if u.Shows(" ") || !u.Shows(c.want[:4]) {
			t.Errorf("covered, %+v is shown as %q", c.st, u.Texts())
		}
	}
}
