package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
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
