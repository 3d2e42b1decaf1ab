package ui

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"whorl/visual/scene"
)

// write is a text in a list: where it is, how it is clipped, and the colour of the last rectangle or polygon below it.
type write struct {
	text          string
	box, clip     Rect
	color, ground scene.Color
}

func written(l *scene.List) []write {
	type patch struct {
		r Rect
		c scene.Color
	}
	var all []write
	var clips []Rect
	var under []patch
	clip := Rect{0, 0, l.W, l.H}
	for i := range l.Len() {
		o := l.Op(i)
		switch o.Kind {
		case scene.OpClip:
			clips = append(clips, clip)
			x0, y0, x1, y1 := o.Rect()
			clip = clip.Cut(Rect{x0, y0, x1, y1})
		case scene.OpPop:
			clip, clips = clips[len(clips)-1], clips[:len(clips)-1]
		case scene.OpRect:
			x0, y0, x1, y1 := o.Rect()
			under = append(under, patch{Rect{x0, y0, x1, y1}.Cut(clip), o.Color})
		case scene.OpPolygon:
			p, rule := o.Polygon()
			if rule != scene.NonZero || o.Color.A != 255 || len(p) < 8*cornerSteps {
				continue
			}
			r := Rect{p[0], p[1], p[0], p[1]}
			for k := 0; k+1 < len(p); k += 2 {
				r = Rect{min(r.X0, p[k]), min(r.Y0, p[k+1]), max(r.X1, p[k]), max(r.Y1, p[k+1])}
			}
			under = append(under, patch{r.Cut(clip), o.Color})
		case scene.OpText:
			x, y, s, st := o.Text()
			m := letters.Metrics(st.Size, st.Face)
			w := write{text: string(s), clip: clip, color: o.Color}
			y += m.Shift(st.VAlign)
			w.box = Rect{x, y - m.CapHeight, x + letters.Width(string(s), st.Size, st.Face), y}
			mx, my := (w.box.X0+w.box.X1)/2, (w.box.Y0+w.box.Y1)/2
			for _, p := range under {
				if p.r.Has(mx, my) && p.c.A == 255 {
					w.ground = p.c
				}
			}
			all = append(all, w)
		}
	}
	return all
}

// collisions says which texts overlap, and which are cut off where nothing scrolls.
func collisions(l *scene.List, scrolls func(w write) bool) []string {
	var bad []string
	all := written(l)
	for i, a := range all {
		seen := a.box.Cut(a.clip)
		if seen.Empty() {
			continue
		}
		if cut := a.box.X0 < a.clip.X0-1 || a.box.X1 > a.clip.X1+1 || a.box.Y0 < a.clip.Y0-1 || a.box.Y1 > a.clip.Y1+1; cut && !scrolls(a) {
			bad = append(bad, fmt.Sprintf("%q at %v is cut to %v", a.text, a.box, a.clip))
		}
		for _, b := range all[:i] {
			if o := seen.Cut(b.box.Cut(b.clip)); o.W() > 0.5 && o.H() > 0.5 {
				bad = append(bad, fmt.Sprintf("%q at %v lies over %q at %v", a.text, a.box, b.text, b.box))
			}
		}
	}
	return bad
}

// TestNoCollisions draws the gallery in windows of many sizes and densities.
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
		procedures.Y0 -= whole(Ctl * scale)                                // its head scrolls sideways too
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

// TestCollisionsAreSeen tries the test above on what it must find.
func TestCollisionsAreSeen(t *testing.T) {
	never := func(write) bool { return false }
	l := scene.New(200, 100)
	st := scene.TextStyle{Size: 13, VAlign: scene.Center}
	l.Text(10, 20, "one text", st)
	l.Text(10, 60, "another", st)
	if bad := collisions(l, never); len(bad) != 0 {
		t.Error("found what is not there:", bad)
	}
	l.Text(50, 22, "over the first", st)
	if bad := collisions(l, never); len(bad) != 1 {
		t.Error("want one overlap:", bad)
	}
	l.Clip(0, 80, 40, 100)
	l.Text(10, 90, "too long for its clip", st)
	l.Pop()
	if bad := collisions(l, never); len(bad) != 2 {
		t.Error("want an overlap and a cut:", bad)
	}
}
