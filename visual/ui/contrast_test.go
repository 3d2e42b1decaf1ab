package ui

import (
	"testing"
	"time"

	"whorl/visual/scene"
)

// TestContrastSeen measures the contrast of each text in pictures of all widgets against the rectangle below it.
func TestContrastSeen(t *testing.T) {
	for _, dark := range []bool{false, true} {
		u, g := newGalleryUser(t, dark, 1)
		look := func(state string, l *scene.List) {
			faint := NewTheme(dark).Faint
			for _, w := range written(l) {
				if w.color == faint || w.ground.A == 0 {
					continue
				}
				if got := contrast(w.color, w.ground); got < 4.5 {
					t.Errorf("dark %v, %s: contrast of %q is %.2f (%v on %v), want at least 4.5", dark, state, w.text, got, w.color, w.ground)
				}
			}
		}
		look("at rest", &u.base)
		u.move(u.mid("bar/step"))
		u.wait(time.Second)
		look("tooltip", &u.over)
		u.click("bar/view")
		u.keys("ArrowDown")
		look("menu", &u.over)
		u.keys("Escape")
		for _, id := range []string{"bar/run", "again", "discard", "bar/colour", "tabs/t", "runs", "procedures"} {
			x, y := u.mid(id)
			u.move(x, y)
			look("pointer over "+id, &u.base)
			u.down(x, y)
			look("press of "+id, &u.base)
			u.up(x, y)
			g.dialog = false
		}
	}
}
