package ui

import (
	"math/rand/v2"
	"testing"

	"whorl/visual/scene"
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
		u := &user{t: t, in: Input{W: whole(w * scale), H: whole(h * scale), Scale: scale}, frame: g.frame}
		u.run()
		if rnd.IntN(2) == 0 && !g.dialog {
			u.click("bar/view")
		}
		source, procedures := u.where("source"), u.where("procedures")
		runs := Rect{0, 80 * scale, u.where("split").X0 + 8*scale, u.in.H} // the panel that scrolls
		inside := func(r Rect, w write) bool {
			return r.Has((w.box.X0+w.box.X1)/2, (w.box.Y0+w.box.Y1)/2) || !r.Cut(w.box).Empty()
		}
		scrolls := func(w write) bool {
			return w.clip.H() == whole(Bar*scale) || inside(source, w) || inside(procedures, w) || inside(runs, w)
		}
		for _, l := range []*scene.List{&u.base, &u.over} {
			for _, s := range collisions(l, scrolls) {
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
	never := func(write) bool { return false }
	l := scene.New(200, 100)
	st := scene.TextStyle{Size: 13, VAlign: scene.Center}
	l.Text(10, 20, "one text", st)
	l.Text(10, 60, "another", st)
	if bad := collisions(l, never); len(bad) != 0 {
		t.Errorf("collisions %q in a picture without any", bad)
	}
	l.Text(50, 22, "over the first", st)
	if bad := collisions(l, never); len(bad) != 1 {
		t.Errorf("collisions %q, want one overlap", bad)
	}
	l.Clip(0, 80, 40, 100)
	l.Text(10, 90, "too long for its clip", st)
	l.Pop()
	if bad := collisions(l, never); len(bad) != 2 {
		t.Errorf("collisions %q, want an overlap and a cut", bad)
	}
}
