package play

import (
	"testing"
	"time"

	"whorl/visual/app/testdata/desktest"
)

// TestPlayer: the time plays from the start to the end and then rests, and begins again after that.
func TestPlayer(t *testing.T) {
	k := desktest.Open(t, "on-demand")
	p := NewPlayer(&k.Model.Clock, k.Actions, k.Window, k.Out)
	h := NewHearing(k.Model, k.Cameras, p, k.Window, k.Out)
	p.Toggle()
	from, to := k.Model.Clock.Span()
	if u := k.Model.State.Shared.Until; !p.On || u == nil || *u != from {
		t.Fatalf("it plays: %v, from %v", p.On, u)
	}
	last := from
	for range 10000 {
		k.Window.Now += PlayEvery
		h.Animate()
		u := k.Model.State.Shared.Until
		if u == nil {
			break
		}
		if *u < last || *u > to {
			t.Fatalf("after %d the time is %d", last, *u)
		}
		last = *u
	}
	if p.On || k.Model.State.Shared.Until != nil {
		t.Errorf("at the end it plays: %v", p.On)
	}
	p.Toggle()
	k.Window.Now += time.Second
	h.Animate()
	p.PauseAt(from+1, false)
	if u := k.Model.State.Shared.Until; p.On || u == nil || *u != from+1 {
		t.Errorf("paused at %d, the time is %v and plays: %v", from+1, u, p.On)
	}
}

// TestSoundOfReductions: while the time plays and the sound is on, goals are heard.
func TestSoundOfReductions(t *testing.T) {
	k := desktest.Open(t, "on-demand")
	p := NewPlayer(&k.Model.Clock, k.Actions, k.Window, k.Out)
	h := NewHearing(k.Model, k.Cameras, p, k.Window, k.Out)
	k.Actions.SetFocus(k.Pane("kaleidoscope", "on-demand").ID)
	h.Toggle()
	p.Toggle()
	tones := 0
	for end := time.Now().Add(time.Minute); p.On && time.Now().Before(end); {
		k.Window.Now += PlayEvery
		h.Animate()
		more, _ := h.Sounds()
		tones += len(more)
	}
	if tones == 0 {
		t.Error("nothing is heard")
	}
	h.NoSound("no device")
	if h.On {
		t.Error("without a device the sound is on")
	}
}
