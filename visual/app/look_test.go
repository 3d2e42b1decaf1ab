package app

import (
	"fmt"
	"strings"
	"testing"

	"whorl/visual/view"
	"whorl/visual/view/viewtest"
)

// TestLooks shows the window at several sizes and holds the texts of its bars against each other: none covers another or leaves the
// window. With WHORL_SHOTS it leaves pictures for people to look at.
func TestLooks(t *testing.T) {
	src := run(t, "pascal", 8, "")
	for _, c := range []struct{ w, h, scale float64 }{{1024, 640, 1}, {1440, 900, 2}, {2560, 1440, 1}, {1100, 700, 1.25}} {
		for _, dark := range []bool{false, true} {
			name := fmt.Sprintf("%gx%g@%g-%v", c.w, c.h, c.scale, map[bool]string{true: "dark", false: "light"}[dark])
			d := drive(t, Options{Runner: native{}, Dark: dark}, c.w, c.h, c.scale)
			check := func(what string) {
				t.Helper()
				d.shot(name + "-" + what)
				for _, wrong := range viewtest.Texts(&d.app.chrome, glyphs) {
					if what == "own" && strings.Contains(wrong, "leaves the picture") {
						continue // long lines of the program, which are clipped
					}
					t.Errorf("%s, %s: %s", name, what, wrong)
				}
			}
			check("welcome")
			d.app.Open("pascal", src)
			d.settle()
			check("default")
			p := d.paneOf("kaleidoscope")
			d.app.settings[p.id] = true
			d.app.changed = true
			x, y := d.at(p.area)
			d.click(x+40, y-60)
			d.move(x+40, y-60)
			d.settle()
			check("selected")
			d.key("h", 0)
			check("help")
			d.key("Escape", 0)
			d.key("R", 0)
			check("run")
			d.app.editProgram("pascal.fghc", d.app.docs["pascal"].src.Meta().Source[0].Text)
			d.settle()
			check("own")
			d.key("R", 0)
			d.app.act(view.Action{Do: view.EnterSubtree, Pane: d.app.index(p.id)})
			d.drop(file("broken.whorl", "nonsense"))
			check("subtree")
		}
	}
}
