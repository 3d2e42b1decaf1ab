package ui_test

import (
	"testing"

	"whorl/visual/scene"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

func TestContrast(t *testing.T) {
	if c := usertest.Contrast(scene.Hex(0), scene.Hex(0xffffff)); c < 20.9 || c > 21.1 {
		t.Fatalf("contrast of black on white is %g, want 21", c)
	}
	for _, dark := range []bool{false, true} {
		th := ui.NewTheme(dark)
		grounds := map[string]scene.Color{
			"ground": th.Ground, "surface": th.Surface, "raised": th.Raised, "sunken": th.Sunken, "hover": th.Hover, "press": th.Press, "soft": th.Soft,
		}
		check := func(pair string, ink, ground scene.Color, least float64) {
			t.Helper()
			if got := usertest.Contrast(ink, ground); got < least {
				t.Errorf("dark %v: contrast of %s is %.2f, want at least %.1f", dark, pair, got, least)
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
		check("text on accent", th.On, th.Accent, 4.5)
		check("text on accent under the pointer", th.On, th.Lifted, 4.5)
		check("accent on the surface", th.Accent, th.Surface, 3)
		check("focus ring on the surface", th.Accent.Mix(th.Link, 0.5), th.Surface, 3)
	}
}
