package app

import (
	"fmt"
	"strings"
	"testing"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/testdata/testenv"
	"whorl/visual/edit"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// looks are states of the window. Each begins with the state before it.
var looks = []struct {
	name string
	do   func(d *driver)
}{
	{"welcome", func(*driver) {}},
	{"default", func(d *driver) {
		d.app.launcher.Begin(pascalRun())
		d.until("the end", func() bool { return d.app.model.Focused().Live.Over })
		d.app.widgets = ui.State{} // and with it the message of the end
		d.app.out.Redraw()
		d.settle()
	}},
	{"selected", func(d *driver) {
		p := d.paneOf("kaleidoscope")
		d.app.settings.Toggle(p.ID)
		d.app.out.Redraw()
		d.settle()
		x, y := d.middle(p.Area)
		d.click(x+40, y-60)
		d.move(x+40, y-60)
		d.settle()
	}},
	{"menu", func(d *driver) { d.menuOn(20) }},
	{"note", func(d *driver) { d.key("Escape", 0); d.key("A", 0); d.typed("Here the wave of rows begins.") }},
	{"placing", func(d *driver) { d.key("Enter", 0); d.key("G", 0) }},
	{"help", func(d *driver) { d.key("Escape", 0); d.key("h", 0) }},
	{"compare", func(d *driver) { d.key("Escape", 0); d.key("C", 0) }},
	{"run", func(d *driver) { d.key("Escape", 0); d.key("R", 0) }},
	{"own", func(d *driver) {
		r := d.app.model.Focused().Edited(d.app.model.Focused().Source.Meta().Source[0].Text)
		r.Program, r.Goal = "pascal.fghc", "go(35, X)"
		d.app.runs.Fill(r)
		d.app.out.Redraw()
		d.settle()
	}},
	{"edit", func(d *driver) {
		d.key("R", 0)
		d.key("E", 0)
		d.program(d.app.model.Focused()).Select(edit.Pos{Line: 13, Col: 10}, edit.Pos{Line: 13, Col: 10})
		d.typed(" x y")
	}},
	{"subtree", func(d *driver) {
		d.key("Escape", 0)
		d.program(d.app.model.Focused()).Open = false
		p := d.paneOf("kaleidoscope")
		d.app.actions.SetFocus(p.ID)
		d.app.actions.Apply(view.Action{Do: view.EnterSubtree, Pane: d.app.model.Index(p.ID), Task: 20})
		d.drop(file("broken.whorl", "nonsense"))
	}},
	{"notices", func(d *driver) { d.app.out.Say("", "Saved as pascal.whorl"); d.drop(file("empty.whorl", "")) }},
	{"beside", func(d *driver) {
		d.app.widgets = ui.State{}
		d.app.actions.Apply(view.Action{Do: view.Back, Pane: d.app.model.Index(d.paneOf("kaleidoscope").ID)})
		r := pascalRun()
		r.Policy = "round-robin"
		d.app.launcher.RunBeside(d.app.model.Focused(), r, "")
		d.rest()
	}},
	{"columns", func(d *driver) {
		d.app.widgets = ui.State{}
		d.key("C", 0)
		d.on("Run 2 columns")
		d.rest()
	}},
	{"step", func(d *driver) {
		d.app.widgets = ui.State{}
		d.app.start(true)
		d.app.launcher.Steer(d.app.model.Focused(), session.Command{Do: session.StepTo, N: 700})
		d.until("reduction 700", func() bool { return d.app.model.Focused().Live.Status.Reductions == 700 })
		d.settle()
	}},
}

// rest waits until all runs have ended and everything is drawn.
func (d *driver) rest() {
	d.until("the ends", func() bool {
		for _, e := range d.app.model.Docs.All() {
			if e.Live != nil && !e.Live.Over {
				return false
			}
		}
		return true
	})
	d.settle()
}

// TestLooks shows the window at several sizes and compares the places of the texts of its bars and dialogs: none covers another or leaves
// the window. With WHORL_SHOTS it leaves pictures for people to look at.
func TestLooks(t *testing.T) {
	looksAt(t, 1024, 640, 1, false)
	looksAt(t, 1440, 900, 2, true)
	looksAt(t, 1100, 700, 1.25, false)
}

// TestLooksSoak is TestLooks at more sizes, light and dark.
func TestLooksSoak(t *testing.T) {
	testenv.OnlySoak(t)
	for _, c := range []struct{ w, h, scale float64 }{{1024, 640, 1}, {1440, 900, 2}, {2560, 1440, 1}, {1100, 700, 1.25}, {1280, 800, 1.5}} {
		for _, dark := range []bool{false, true} {
			looksAt(t, c.w, c.h, c.scale, dark)
		}
	}
}

func looksAt(t *testing.T, w, h, scale float64, dark bool) {
	t.Helper()
	name := fmt.Sprintf("%gx%g@%g-%v", w, h, scale, map[bool]string{true: "dark", false: "light"}[dark])
	d := drive(t, Options{Runner: native{}, Dark: dark}, w, h, scale)
	for _, l := range looks {
		l.do(d)
		d.shot(name + "-" + l.name)
		wrong := viewtest.Texts(&d.app.chrome, glyphs)
		if strings.Contains("note placing help compare menu", l.name) {
			wrong = append(wrong, viewtest.Texts(&d.app.popups, glyphs)...)
		}
		for _, wrong := range wrong {
			if strings.Contains("welcome own edit help", l.name) && strings.Contains(wrong, "leaves the picture") {
				continue // long lines of the program, and rows and cards to scroll to, which are clipped
			}
			t.Errorf("%s, %s: %s", name, l.name, wrong)
		}
	}
	d.app.Close()
}

func pascalRun() experiment.Run {
	r := experiment.Defaults("fghc/pascal")
	r.PEs = 8
	return r
}
