package widget

import (
	"math/rand/v2"
	"testing"
	"time"

	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// play turns bytes into random input for the gallery and returns the window afterwards.
func play(t *testing.T, script []byte) (*usertest.User, *gallery) {
	g := newGallery()
	u := &usertest.User{TB: t, In: ui.Input{W: 900, H: 640, Scale: 1}, Frame: g.frame}
	names := []string{
		"Tab", "Enter", " ", "Escape", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", "Backspace",
		"Delete", "a", "c", "x", "v", "z", "y", "F1",
	}
	x, y := float32(0), float32(0)
	for len(script) >= 4 {
		op, a, b, m := script[0], script[1], script[2], script[3]
		script = script[4:]
		mods := ui.Mods(m & 15)
		var es []ui.Event
		switch op % 12 {
		case 0, 1, 2:
			x, y = float32(a)*4, float32(b)*3
			es = []ui.Event{{Kind: ui.Move, X: x, Y: y, Mods: mods}}
		case 3, 4:
			es = []ui.Event{{Kind: ui.Down, X: x, Y: y, Button: ui.Button(m % 3), Mods: mods}}
		case 5, 6:
			es = []ui.Event{{Kind: ui.Up, X: x, Y: y, Button: ui.Button(m % 3), Mods: mods}}
		case 7:
			es = []ui.Event{{Kind: ui.Wheel, X: x, Y: y, DX: float32(int8(a)) / 16, DY: float32(int8(b)) / 16, Mods: mods}}
		case 8, 9:
			es = []ui.Event{{Kind: ui.Key, Name: names[int(a)%len(names)], Mods: mods}}
		case 10:
			es = []ui.Event{{Kind: ui.Text, Text: []string{"x", "ä", "\n", "日本", "\xff", "a\tb\r\nc", "é", ""}[a%8]}}
		case 11:
			switch a % 8 {
			case 0:
				u.In.W, u.In.H = float32(b)*8, float32(m)*6
			case 1:
				u.In.Scale = []float32{1, 1.5, 2, 3.33}[b%4]
			case 2:
				g.dialog = true
			case 3:
				u.Widgets.Notify(ui.Severity(b%4), "", "something happened")
			case 4:
				es = []ui.Event{{Kind: ui.Leave}}
			default:
				u.In.Now += time.Duration(b) * 10 * time.Millisecond
			}
		}
		u.Run(es...)
		if n := u.Base.Open() + u.Over.Open(); n != 0 {
			t.Fatalf("%d clips are open after a pass, want none", n)
		}
	}
	return u, g
}

func FuzzEvents(f *testing.F) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 6 {
		script := make([]byte, 400)
		for i := range script {
			script[i] = byte(rnd.Uint32())
		}
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		script = script[:min(len(script), 2000)]
		u, g := play(t, script)
		v, h := play(t, script)
		if u.Last.Base != v.Last.Base || u.Last.Over != v.Last.Over || g.doc.Text() != h.doc.Text() {
			t.Error("two runs with the same events draw different pictures")
		}
		if u.Last.Next == u.In.Now {
			t.Error("the widgets still request passes")
		}
		if id := u.Widgets.Twice(); id != 0 {
			t.Error("two widgets share the name", id)
		}
		before, over := u.Last.Base, u.Last.Over
		if u.Run(); u.Last.Next < 0 && (u.Last.Base != before || u.Last.Over != over) {
			t.Error("the picture changed without an event")
		}
	})
}
