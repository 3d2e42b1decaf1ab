package widget

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"whorl/visual/icon"
	"whorl/visual/scene"
	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestTabs shows, closes and moves tabs with the pointer and the keys, and lists many of them in a menu.
func TestTabs(t *testing.T) {
	tabs := []Tab{{ID: "a", Title: "Alpha"}, {ID: "b", Title: "Beta"}, {ID: "c", Title: "Gamma"}}
	active, carried := 0, 0
	var last TabsResult
	u := usertest.New(t, 400, 200, func(c *ui.Context) {
		res := Tabs(c, ui.Rect{X0: 0, Y0: 0, X1: 400, Y1: 36}, "t", tabs, active)
		active, carried = res.Active, res.Carried
		if res.Closed >= 0 || res.From >= 0 || res.Out >= 0 || res.Twice >= 0 || res.Changed {
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
	u.ClickOn("t/b")
	if active != 1 || !last.Changed {
		t.Errorf("a click shows tab %d, want 1", active)
	}
	u.Move(u.Mid("t/a")) // a tab in the back has a cross while the pointer is over it
	if _, ok := u.Widgets.Where(usertest.Name("t/a/close")); !ok {
		t.Error("the tab under the pointer has no cross")
	}
	u.ClickOn("t/b/close")
	if last.Closed != 1 {
		t.Errorf("the cross closed tab %d, want 1", last.Closed)
	}
	last.Closed = -1
	x, y := u.Mid("t/a")
	u.Run(ui.Event{Kind: ui.Down, X: x, Y: y, Button: ui.Middle}, ui.Event{Kind: ui.Up, X: x, Y: y, Button: ui.Middle})
	if last.Closed != 0 || active != 1 {
		t.Errorf("the middle button closed tab %d, want 0, and shows tab %d, want 1", last.Closed, active)
	}
	x, y = u.Mid("t/a")
	cx, _ := u.Mid("t/c")
	u.Drag(x, y, cx+30, y)
	if order() != "bca" || active != 2 {
		t.Errorf("order after a drag to the right: %s, want bca; active %d, want 2", order(), active)
	}
	x, y = u.Mid("t/a")
	u.Drag(x, y, 2, y)
	if order() != "abc" {
		t.Errorf("order after a drag to the left: %s, want abc", order())
	}
	x, y = u.Mid("t/b")
	u.Drag(x, y, 200, 150)
	if last.Out != 1 || order() != "abc" {
		t.Errorf("tab b dropped outside the bar: %+v, order %s", last, order())
	}
	last.Out = -1
	u.Move(x, y)
	u.Down(x, y)
	u.Move(200, 150)
	if carried != 1 || !slices.Contains(usertest.Strings(&u.Over), "Beta") {
		t.Errorf("outside the bar the pointer carries tab %d and shows %q, want 1 and its title", carried, usertest.Strings(&u.Over))
	}
	u.Keys("Escape")
	u.Up(200, 150)
	if carried != -1 || last.Out != -1 || order() != "abc" || len(usertest.Strings(&u.Over)) > 0 {
		t.Errorf("after Escape the pointer carries tab %d, tab %d is dropped, and the order is %s", carried, last.Out, order())
	}
	u.Keys("Escape")
	for _, c := range []struct {
		x    float32
		want int
	}{{1, 0}, {last.Edges[1] - 1, 1}, {last.Edges[1] + 1, 1}, {last.Edges[3] + 50, 3}} {
		if i, at := last.Gap(c.x); i != c.want || at != last.Edges[c.want] {
			t.Errorf("a tab of another bar dropped at %v gets the index %d at %v, want %d", c.x, i, at, c.want)
		}
	}
	x, y = u.Mid("t/c")
	u.Down(x, y)
	u.Up(x, y)
	u.Down(x, y)
	if u.Up(x, y); last.Twice != 2 {
		t.Errorf("a double click on tab 2 is one on %d", last.Twice)
	}
	u.Widgets.Focus(usertest.Name("t/b"))
	u.Keys("ArrowRight")
	if active != 2 || u.Widgets.Focused() != usertest.Name("t/c") {
		t.Errorf("the right arrow shows tab %d, want 2 with the focus", active)
	}
	u.Keys("Shift+ArrowLeft")
	if order() != "acb" {
		t.Errorf("order after Shift and the left arrow: %s, want acb", order())
	}
	// Of many tabs the active one is visible, and a menu lists all.
	tabs = nil
	for i := range 30 {
		tabs = append(tabs, Tab{ID: fmt.Sprint(i), Title: fmt.Sprintf("Tab %d", i)})
	}
	active = 25
	u.In.H = 700
	u.Run()
	u.Run()
	if r := u.Where("t/25"); r.W() < 40 {
		t.Errorf("the active tab lies at %v, want at least 40 of its width", r)
	}
	u.ClickOn("t//all")
	if n := len(usertest.Strings(&u.Over)); n < 15 {
		t.Errorf("the menu of all tabs shows %d texts, want at least 15", n)
	}
	u.Keys("Home", "Enter")
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
			u := usertest.New(t, 700, 200, func(x *ui.Context) { Tabs(x, ui.Rect{X0: 0, Y0: 0, X1: c.w, Y1: 36}, "t", tabs, active) })
			var got []string
			for i, tab := range tabs {
				title := ""
				for _, w := range usertest.Written(&u.Base) {
					if r := u.Where("t/" + tab.ID); w.Box.X0 >= r.X0 && w.Box.X1 <= r.X1 {
						title += w.Text
					}
				}
				got = append(got, title)
				if _, ok := u.Widgets.Where(usertest.Name("t/" + tab.ID)); !ok {
					t.Errorf("%g wide: tab %d is not visible", c.w, i)
				}
				x, y := u.Mid("t/" + tab.ID)
				u.Move(x, y)
				u.Wait(time.Second)
				if said := slices.Contains(usertest.Strings(&u.Over), tab.Title); said != (title != tab.Title) {
					t.Errorf("%g wide, tab %d: the label is %q, the tooltip shows the title: %v", c.w, i, title, said)
				}
				u.Move(300, 150)
				u.Wait(time.Second)
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
	u := usertest.New(t, 700, 200, func(c *ui.Context) {
		Tabs(c, ui.Rect{X0: 0, Y0: 0, X1: 300, Y1: 36}, "wide", tabs("Kaleidoscope", "steal-half"), 0)
		Tabs(c, ui.Rect{X0: 300, Y0: 0, X1: 300 + room, Y1: 36}, "narrow", tabs("Kaleidoscope", "on-demand"), 0)
	})
	for _, want := range []string{"Kaleidoscope · steal-half Kaleidoscope · on-demand", "steal-half on-demand", "Kaleidoscope · steal-half Kaleidoscope · on-demand"} {
		u.Run()
		if got := strings.Join(usertest.Strings(&u.Base), " "); got != want {
			t.Errorf("with %g pixels for the second bar the labels are %q, want %q", room, got, want)
		}
		room = 450 - room
	}
}

// TestTabMarks looks for upright strokes: one stands between two tabs in the back, none after the last. The tab in front has a line in the
// accent colour if its content has the keys.
func TestTabMarks(t *testing.T) {
	tabs := []Tab{{ID: "a", Title: "Alpha"}, {ID: "b", Title: "Beta"}, {ID: "c", Title: "Gamma"}}
	th := ui.NewTheme(false)
	for active, want := range []float32{0: 1, 1: 0, 2: 1} {
		for _, keys := range []bool{false, true} {
			tabs[active].Keys = keys
			u := usertest.New(t, 600, 200, func(c *ui.Context) { Tabs(c, ui.Rect{X0: 0, Y0: 0, X1: 600, Y1: 36}, "t", tabs, active) })
			strokes, lit := float32(0), false
			last := u.Where("t/c").X1
			for i := range u.Base.Len() {
				o := u.Base.Op(i)
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
