package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/visual/icon"
	"whorl/visual/scene"
)

// TestTabs shows, closes and moves tabs with the pointer and the keys, and lists many of them in a menu.
func TestTabs(t *testing.T) {
	tabs := []Tab{{ID: "a", Title: "Alpha"}, {ID: "b", Title: "Beta"}, {ID: "c", Title: "Gamma"}}
	active := 0
	var last Tabbed
	u := newUser(t, 400, 200, func(c *Context) {
		res := c.Tabs(Rect{0, 0, 400, 36}, "t", tabs, active)
		active = res.Active
		if res.Closed >= 0 || res.From >= 0 || res.Out >= 0 || res.Changed {
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
		t.Errorf("a click shows tab %d, want 1", active)
	}
	u.move(u.mid("t/a")) // a tab in the back has a cross while the pointer is over it
	if _, ok := u.st.Where(Name("t/a/close")); !ok {
		t.Error("the tab under the pointer has no cross")
	}
	u.click("t/b/close")
	if last.Closed != 1 {
		t.Errorf("the cross closed tab %d, want 1", last.Closed)
	}
	last.Closed = -1
	x, y := u.mid("t/a")
	u.run(Event{Kind: Down, X: x, Y: y, Button: Middle}, Event{Kind: Up, X: x, Y: y, Button: Middle})
	if last.Closed != 0 || active != 1 {
		t.Errorf("the middle button closed tab %d, want 0, and shows tab %d, want 1", last.Closed, active)
	}
	x, y = u.mid("t/a")
	cx, _ := u.mid("t/c")
	u.drag(x, y, cx+30, y)
	if order() != "bca" || active != 2 {
		t.Errorf("order after a drag to the right: %s, want bca; active %d, want 2", order(), active)
	}
	x, y = u.mid("t/a")
	u.drag(x, y, 2, y)
	if order() != "abc" {
		t.Errorf("order after a drag to the left: %s, want abc", order())
	}
	x, y = u.mid("t/b")
	u.drag(x, y, 200, 150)
	if last.Out != 1 || last.X != 200 || last.Y != 150 || order() != "abc" {
		t.Errorf("tab b dropped at 200, 150: %+v, order %s", last, order())
	}
	u.st.Focus(Name("t/b"))
	u.keys("ArrowRight")
	if active != 2 || u.st.Focused() != Name("t/c") {
		t.Errorf("the right arrow shows tab %d, want 2 with the focus", active)
	}
	u.keys("Shift+ArrowLeft")
	if order() != "acb" {
		t.Errorf("order after Shift and the left arrow: %s, want acb", order())
	}
	// Of many tabs the active one is visible, and a menu lists all.
	tabs = nil
	for i := range 30 {
		tabs = append(tabs, Tab{ID: fmt.Sprint(i), Title: fmt.Sprintf("Tab %d", i)})
	}
	active = 25
	u.in.H = 700
	u.run()
	u.run()
	if r := u.where("t/25"); r.W() < 40 {
		t.Errorf("the active tab lies at %v, want at least 40 of its width", r)
	}
	u.click("t//all")
	if n := len(texts(&u.over)); n < 15 {
		t.Errorf("the menu of all tabs shows %d texts, want at least 15", n)
	}
	u.keys("Home", "Enter")
	if active != 0 {
		t.Errorf("the menu chose tab %d, want 0", active)
	}
}

// TestTabTitles narrows bars of tabs step by step: tabs in the back lose their titles first, then all titles become short. Tooltips show
// the titles that are not written in full.
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
					t.Errorf("%g wide: tab %d is not visible", c.w, i)
				}
				x, y := u.mid("t/" + tab.ID)
				u.move(x, y)
				u.wait(time.Second)
				if said := slices.Contains(texts(&u.over), tab.Title); said != (title != tab.Title) {
					t.Errorf("%g wide, tab %d: the label is %q, the tooltip shows the title: %v", c.w, i, title, said)
				}
				u.move(300, 150)
				u.wait(time.Second)
			}
			if g := strings.Join(got, "|"); g != want {
				t.Errorf("%g wide, tab %d in front: labels %q, want %q", c.w, active, g, want)
			}
		}
	}
}

// TestTabTitlesAgree narrows one of two bars. Both change to short titles, and back when there is room.
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
			t.Errorf("with %g pixels for the second bar the labels are %q, want %q", room, got, want)
		}
		room = 450 - room
	}
}

// TestTabMarks looks for upright strokes: one stands between two tabs in the back, none after the last. The tab in front has a line in the
// accent colour if its content has the keys.
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
						t.Errorf("tab %d in front: a stroke at %g, after the last tab", active, x1)
					}
				}
				lit = lit || o.Color == th.Accent
			}
			if strokes != want || lit != keys {
				t.Errorf("tab %d in front, keys %v: %g strokes, want %g; line in the accent colour: %v", active, keys, strokes, want, lit)
			}
			tabs[active].Keys = false
		}
	}
}
