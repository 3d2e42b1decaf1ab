package widget

import (
	"math/rand/v2"
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestNoCollisions draws the gallery in random windows. No text overlaps another, and no text is cut outside the parts that scroll.
func TestNoCollisions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 120 {
		scale := []float32{1, 1.25, 1.5, 2, 3}[rnd.IntN(5)]
		w, h := float32(640+rnd.IntN(1400)), float32(560+rnd.IntN(700))
		g := newGallery()
		g.split, g.lower = rnd.Float32(), rnd.Float32()
		g.dialog = rnd.IntN(4) == 0
		u := &usertest.User{TB: t, In: ui.Input{W: ui.Whole(w * scale), H: ui.Whole(h * scale), Scale: scale}, Frame: g.frame}
		u.Run()
		if rnd.IntN(2) == 0 && !g.dialog {
			u.ClickOn("bar/view")
		}
		source, procedures := u.Where("source"), u.Where("procedures")
		runs := ui.Rect{X0: 0, Y0: 80 * scale, X1: u.Where("split").X0 + 8*scale, Y1: u.In.H} // the panel that scrolls
		inside := func(r ui.Rect, w usertest.Text) bool {
			return r.Contains((w.Box.X0+w.Box.X1)/2, (w.Box.Y0+w.Box.Y1)/2) || !r.Cut(w.Box).Empty()
		}
		scrolls := func(w usertest.Text) bool {
			return w.Clip.H() == ui.Whole(ui.Bar*scale) || inside(source, w) || inside(procedures, w) || inside(runs, w)
		}
		for _, l := range []*scene.List{&u.Base, &u.Over} {
			for _, s := range usertest.Collisions(l, scrolls) {
				t.Errorf("%g x %g at %g, split %g %g: %s", w, h, scale, g.split, g.lower, s)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestCollisionsAreSeen draws an overlap and a cut, which Collisions finds.
func TestCollisionsAreSeen(t *testing.T) {
	never := func(usertest.Text) bool { return false }
	l := scene.New(200, 100)
	st := scene.TextStyle{Size: 13, VAlign: scene.Center}
	l.Text(10, 20, "one text", st)
	l.Text(10, 60, "another", st)
	if bad := usertest.Collisions(l, never); len(bad) != 0 {
		t.Errorf("collisions %q in a picture without any", bad)
	}
	l.Text(50, 22, "over the first", st)
	if bad := usertest.Collisions(l, never); len(bad) != 1 {
		t.Errorf("collisions %q, want one overlap", bad)
	}
	l.Clip(0, 80, 40, 100)
	l.Text(10, 90, "too long for its clip", st)
	l.Pop()
	if bad := usertest.Collisions(l, never); len(bad) != 2 {
		t.Errorf("collisions %q, want an overlap and a cut", bad)
	}
}
