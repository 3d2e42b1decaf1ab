package widget

import (
	"testing"
	"time"

	"whorl/visual/scene"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestContrastSeen measures the contrast of each text in pictures of all widgets against the rectangle below it.
func TestContrastSeen(t *testing.T) {
	for _, dark := range []bool{false, true} {
		u, g := newGalleryUser(t, dark, 1)
		look := func(state string, l *scene.List) {
			faint := ui.NewTheme(dark).Faint
			for _, w := range usertest.Written(l) {
				if w.Color == faint || w.Ground.A == 0 {
					continue
				}
				if got := usertest.Contrast(w.Color, w.Ground); got < 4.5 {
					t.Errorf("dark %v, %s: contrast of %q is %.2f (%v on %v), want at least 4.5", dark, state, w.Text, got, w.Color, w.Ground)
				}
			}
		}
		look("at rest", &u.Base)
		u.Move(u.Mid("bar/step"))
		u.Wait(time.Second)
		look("tooltip", &u.Over)
		u.ClickOn("bar/view")
		u.Keys("ArrowDown")
		look("menu", &u.Over)
		u.Keys("Escape")
		for _, id := range []string{"bar/run", "again", "discard", "bar/colour", "tabs/t", "runs", "procedures"} {
			x, y := u.Mid(id)
			u.Move(x, y)
			look("pointer over "+id, &u.Base)
			u.Down(x, y)
			look("press of "+id, &u.Base)
			u.Up(x, y)
			g.dialog = false
		}
	}
}
