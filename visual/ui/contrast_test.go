package ui

import (
	"image/color"
	"testing"

	"whorl/visual/palette"
	"whorl/visual/scene"
)

// contrast is the ratio of WCAG 2, from 1 to 21.
func contrast(a, b scene.Color) float64 {
	l := func(c scene.Color) float64 {
		n := color.NRGBA{c.R, c.G, c.B, 255}
		return 0.2126*palette.Linear(n.R) + 0.7152*palette.Linear(n.G) + 0.0722*palette.Linear(n.B)
	}
	x, y := l(a), l(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestContrast(t *testing.T) {
	if c := contrast(scene.Hex(0), scene.Hex(0xffffff)); c < 20.9 || c > 21.1 {
		t.Fatalf("black on white has %g, want 21", c)
	}
	for _, dark := range []bool{false, true} {
		th := NewTheme(dark)
		grounds := map[string]scene.Color{
			"ground": th.Ground, "surface": th.Surface, "raised": th.Raised, "sunken": th.Sunken, "hover": th.Hover, "press": th.Press, "soft": th.Soft,
		}
		check := func(what string, ink, ground scene.Color, least float64) {
			t.Helper()
			if got := contrast(ink, ground); got < least {
				t.Errorf("dark %v: %s has a contrast of %.2f, want %.1f", dark, what, got, least)
			}
		}
		for name, g := range grounds {
			check("ink on "+name, th.Ink, g, 7)
		}
		for _, name := range []string{"ground", "surface", "raised", "sunken", "hover"} {
			check("muted on "+name, th.Muted, grounds[name], 4.5)
		}
		for _, name := range []string{"ground", "surface", "raised"} {
			check("link on "+name, th.Link, grounds[name], 4.5)
			check("danger on "+name, th.Danger, grounds[name], 4.5)
			check("warn on "+name, th.Warn, grounds[name], 4.5)
			check("good on "+name, th.Good, grounds[name], 4.5)
		}
		check("link on a selection", th.Link, th.Soft, 4.5)
		check("danger on a button under the pointer", th.Danger, th.Hover, 4.5)
		check("text on accent", th.On, th.Accent, 4.5)
		check("text on accent under the pointer", th.On, th.Lifted, 4.5)
		check("accent on the surface", th.Accent, th.Surface, 3)
		check("focus ring on the surface", th.Accent.Mix(th.Link, 0.5), th.Surface, 3)
		var c Context
		c.Theme = th
		ground, ink := c.tipColors()
		check("tooltip", ink, ground, 7)
	}
}

// TestContrastSeen looks at what is written in the pictures, on what was painted below it.
func TestContrastSeen(t *testing.T) {
	for _, dark := range []bool{false, true} {
		u, g := newGalleryUser(t, dark, 1)
		look := func(what string, l *scene.List) {
			faint := NewTheme(dark).Faint
			for _, w := range written(l) {
				if w.color == faint || w.ground.A == 0 {
					continue
				}
				if got := contrast(w.color, w.ground); got < 4.5 {
					t.Errorf("dark %v, %s: %q has a contrast of %.2f (%v on %v)", dark, what, w.text, got, w.color, w.ground)
				}
			}
		}
		look("at rest", &u.base)
		u.click("bar/view")
		u.keys("ArrowDown")
		look("menu", &u.over)
		u.keys("Escape")
		for _, id := range []string{"bar/run", "again", "discard", "colour", "tabs/t", "runs", "procedures"} {
			x, y := u.mid(map[string]string{"colour": "bar/colour"}[id] + map[bool]string{true: id}[id != "colour"])
			u.move(x, y)
			look("pointer over "+id, &u.base)
			u.down(x, y)
			look("press of "+id, &u.base)
			u.up(x, y)
			g.dialog = false
		}
	}
}
