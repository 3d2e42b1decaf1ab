package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"whorl/visual/icon"
	"whorl/visual/scene"
)

func TestTabs(t *testing.T) {
	tabs := []Tab{{ID: "a", Title: "Alpha"}, {ID: "b", Title: "Beta"}, {ID: "c", Title: "Gamma", Fixed: true}}
	active := 0
	var last Tabbed
	u := newUser(t, 400, 200, func(c *Context) {
		res := c.Tabs(Rect{0, 0, 400, 36}, "t", tabs, active)
		active = res.Active
		if res.Closed >= 0 || res.From >= 0 || res.Out >= 0 || res.Changed || res.Menu >= 0 {
			last = res
		}
		if res.From >= 0 {
			moved := tabs[res.From]
			tabs = slices.Insert(slices.Delete(slices.Clone(tabs), res.From, res.From+1), res.To, moved)
			active = res.To
		}
	})
	order := func() string {
		var s []string
		for _, tab := range tabs {
			s = append(s, tab.ID)
		}
		return strings.Join(s, "")
	}
	u.click("t/b")
	if active != 1 || !last.Changed {
		t.Error("active:", active)
	}
	u.move(u.mid("t/a")) // the cross of a tab that is not shown comes with the pointer
	if _, ok := u.st.Where(Name("t/a/close")); !ok {
		t.Error("the tab under the pointer has no cross")
	}
	u.click("t/b/close")
	if last.Closed != 1 {
		t.Error("closed:", last.Closed)
	}
	last.Closed = -1
	x, y := u.mid("t/a")
	u.run(Event{Kind: Down, X: x, Y: y, Button: Middle}, Event{Kind: Up, X: x, Y: y, Button: Middle})
	if last.Closed != 0 || active != 1 {
		t.Error("the middle button closed", last.Closed, "and shows", active)
	}
	x, y = u.mid("t/c")
	last.Closed = -1
	u.run(Event{Kind: Down, X: x, Y: y, Button: Middle}, Event{Kind: Up, X: x, Y: y, Button: Middle})
	if last.Closed != -1 {
		t.Error("the middle button closed a tab that stays")
	}
	x, y = u.mid("t/a")
	cx, _ := u.mid("t/c")
	u.drag(x, y, cx+30, y)
	if order() != "bca" || active != 2 {
		t.Error("order after a drag to the right:", order(), active)
	}
	x, y = u.mid("t/a")
	u.drag(x, y, 2, y)
	if order() != "abc" {
		t.Error("order after a drag to the left:", order())
	}
	x, y = u.mid("t/b")
	u.drag(x, y, 200, 150)
	if last.Out != 1 || last.X != 200 || last.Y != 150 || order() != "abc" {
		t.Errorf("dropped outside: %+v", last)
	}
	u.st.Focus(Name("t/b"))
	u.keys("ArrowRight")
	if active != 2 || u.st.Focused() != Name("t/c") {
		t.Error("the right arrow shows", active)
	}
	u.keys("Shift+ArrowLeft")
	if order() != "acb" {
		t.Error("order after Shift and the left arrow:", order())
	}
	// Many tabs: a menu lists all, and the active one can be seen.
	tabs = nil
	for i := range 30 {
		tabs = append(tabs, Tab{ID: fmt.Sprint(i), Title: fmt.Sprintf("Tab %d", i)})
	}
	active = 25
	u.in.H = 700
	u.run()
	u.run()
	if r := u.where("t/25"); r.W() < 40 {
		t.Error("the active tab is at", r)
	}
	u.click("t//all")
	if n := len(texts(&u.over)); n < 15 {
		t.Error("the menu of all tabs shows", n)
	}
	u.keys("Home", "Enter")
	if active != 0 {
		t.Error("the menu chose", active)
	}
}

// TestTabTitles narrows two bars that differ in which tab is shown: both give up the same things in the same order, a title is never cut
// inside a word as long as its tab can be made out without, and what is not written in full is in a tooltip.
func TestTabTitles(t *testing.T) {
	tabs := []Tab{
		{ID: "a", Title: "Kaleidoscope · pascal, steal-half", Short: "steal-half", Icon: icon.Wheel},
		{ID: "b", Title: "Utilisation · pascal, steal-half", Short: "steal-half", Icon: icon.Chart},
	}
	for _, c := range []struct {
		w    float32
		want []string // by which tab is shown
	}{
		{640, []string{"Kaleidoscope · pascal, steal-half|Utilisation · pascal, steal-half", "Kaleidoscope · pascal, steal-half|Utilisation · pascal, steal-half"}},
		{360, []string{"Kaleidoscope · pascal, steal-half|", "|Utilisation · pascal, steal-half"}},
		{270, []string{"steal-half|steal-half", "steal-half|steal-half"}},
		{190, []string{"steal-half|", "|steal-half"}},
	} {
		for active, want := range c.want {
			u := newUser(t, 700, 200, func(x *Context) { x.Tabs(Rect{0, 0, c.w, 36}, "t", tabs, active) })
			var got []string
			for i, tab := range tabs {
				title := ""
				for _, w := range written(&u.base) {
					if r := u.where("t/" + tab.ID); w.box.X0 >= r.X0 && w.box.X1 <= r.X1 {
						title += w.text
					}
				}
				got = append(got, title)
				if _, ok := u.st.Where(Name("t/" + tab.ID)); !ok {
					t.Errorf("%g wide: tab %d cannot be seen", c.w, i)
				}
				x, y := u.mid("t/" + tab.ID)
				u.move(x, y)
				u.wait(2 * tipDelay)
				if said := slices.Contains(texts(&u.over), tab.Title); said != (title != tab.Title) {
					t.Errorf("%g wide, tab %d: it reads %q and the tooltip with the whole shows is %v", c.w, i, title, said)
				}
				u.move(300, 150)
				u.wait(2 * tipDelay)
			}
			if g := strings.Join(got, "|"); g != want {
				t.Errorf("%g wide, tab %d shown: %q, want %q", c.w, active, g, want)
			}
		}
	}
}

// TestTabTitlesAgree narrows one of two bars: both give up the same part of their titles, and have it back with the room.
func TestTabTitlesAgree(t *testing.T) {
	room := float32(300)
	tabs := func(view, trace string) []Tab {
		return []Tab{{ID: "a", Title: view + " · " + trace, Short: trace, Icon: icon.Wheel}}
	}
	u := newUser(t, 700, 200, func(c *Context) {
		c.Tabs(Rect{0, 0, 300, 36}, "wide", tabs("Kaleidoscope", "steal-half"), 0)
		c.Tabs(Rect{300, 0, 300 + room, 36}, "narrow", tabs("Kaleidoscope", "on-demand"), 0)
	})
	for _, want := range []string{"Kaleidoscope · steal-half Kaleidoscope · on-demand", "steal-half on-demand", "Kaleidoscope · steal-half Kaleidoscope · on-demand"} {
		u.run()
		if got := strings.Join(texts(&u.base), " "); got != want {
			t.Errorf("with %g pixels for the second bar they read %q, want %q", room, got, want)
		}
		room = 450 - room
	}
}

// TestTabMarks looks for upright strokes: one stands between two tabs that are not shown, none after the last.
func TestTabMarks(t *testing.T) {
	tabs := []Tab{{ID: "a", Title: "Alpha"}, {ID: "b", Title: "Beta"}, {ID: "c", Title: "Gamma"}}
	th := NewTheme(false)
	for active, want := range []float32{0: 1, 1: 0, 2: 1} {
		for _, keys := range []bool{false, true} {
			tabs[active].Keys = keys
			u := newUser(t, 600, 200, func(c *Context) { c.Tabs(Rect{0, 0, 600, 36}, "t", tabs, active) })
			strokes, lit := float32(0), false
			last := u.where("t/c").X1
			for i := range u.base.Len() {
				o := u.base.Op(i)
				if o.Kind != scene.OpRect {
					continue
				}
				x0, y0, x1, y1 := o.Rect()
				if o.Color == th.Border && x1-x0 < 3 && y1-y0 > 5 {
					strokes++
					if x1 >= last {
						t.Errorf("tab %d shown: a stroke at %g, after the last tab", active, x1)
					}
				}
				lit = lit || o.Color == th.Accent
			}
			if strokes != want || lit != keys {
				t.Errorf("tab %d shown, keys %v: %g strokes, want %g; a line in the accent colour is %v", active, keys, strokes, want, lit)
			}
			tabs[active].Keys = false
		}
	}
}
