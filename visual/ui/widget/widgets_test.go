package widget

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestButton presses a button with the pointer and the keys.
func TestButton(t *testing.T) {
	n, disabled := 0, false
	u := usertest.New(t, 300, 200, func(c *ui.Context) {
		c.Disabled = disabled
		if button(c, ui.Rect{X0: 10, Y0: 10, X1: 110, Y1: 38}, "run", "Run") {
			n++
		}
	})
	want := func(action string, count int) {
		t.Helper()
		if n != count {
			t.Errorf("%s: pressed %d times, want %d", action, n, count)
		}
	}
	u.ClickOn("run")
	want("click", 1)
	u.Drag(20, 20, 200, 20)
	want("released outside", 1)
	u.Drag(200, 20, 20, 20)
	want("pressed outside", 1)
	u.Run(ui.Event{Kind: ui.Move, X: 20, Y: 20}, ui.Event{Kind: ui.Down, X: 20, Y: 20}, ui.Event{Kind: ui.Up, X: 20, Y: 20})
	want("a click within one frame", 2)
	u.Run(ui.Event{Kind: ui.Down, X: 20, Y: 20, Button: ui.Secondary}, ui.Event{Kind: ui.Up, X: 20, Y: 20, Button: ui.Secondary})
	want("the secondary button", 2)
	u.Keys("Enter")
	want("a key without the focus", 2)
	u.Keys("Tab", "Enter", " ")
	want("keys", 4)
	disabled = true
	u.ClickOn("run")
	u.Keys("Enter")
	want("disabled", 4)
}

// TestToggles changes a switch, a check box and segments with the pointer and the keys.
func TestToggles(t *testing.T) {
	var on, tick bool
	seg := 0
	u := usertest.New(t, 300, 200, func(c *ui.Context) {
		r := c.Window()
		Toggle(c, r.CutTop(28), "on", "On", &on)
		Check(c, r.CutTop(28), "tick", "Tick", &tick)
		Segments(c, r.CutTop(28), "seg", []string{"a", "b", "c"}, &seg)
	})
	u.ClickOn("on")
	u.ClickOn("tick")
	if !on || !tick {
		t.Errorf("after a click the switch is %v and the box %v, want true", on, tick)
	}
	u.Keys("Tab", " ", "Tab", " ")
	if on || tick {
		t.Errorf("after the space bar the switch is %v and the box %v, want false", on, tick)
	}
	u.ClickAt(290, 70)
	if seg != 2 {
		t.Errorf("a click chose segment %d, want 2", seg)
	}
	u.Keys("Tab", "ArrowLeft")
	if seg != 1 {
		t.Errorf("the left arrow chose segment %d, want 1", seg)
	}
	u.Keys("Home", "ArrowLeft")
	if seg != 0 {
		t.Errorf("the left arrow at the left end chose segment %d, want 0", seg)
	}
}

// TestSlider moves a slider with the pointer and the keys.
func TestSlider(t *testing.T) {
	v := 0.5
	g := SliderOptions{Range: Range{Min: 0, Max: 10, Step: 0.5}, Format: func(v float64) string { return fmt.Sprintf("<%g>", v) }}
	u := usertest.New(t, 212, 200, func(c *ui.Context) { Slider(c, ui.Rect{X0: 0, Y0: 100, X1: 212, Y1: 128}, "v", &v, g) })
	u.Down(6+100, 114)
	if v != 5 {
		t.Errorf("a press in the middle gives %g, want 5", v)
	}
	u.Move(6+131, 114)
	if v != 6.5 {
		t.Errorf("a drag to 6.55 gives %g, want 6.5", v)
	}
	if s := usertest.Strings(&u.Over); !slices.Contains(s, "<6.5>") {
		t.Errorf("while the slider is held %q shows, want a bubble with <6.5>", s)
	}
	u.Move(5000, -50)
	if v != 10 {
		t.Errorf("a drag beyond the end gives %g, want 10", v)
	}
	u.Up(5000, -50)
	u.Move(20, 114)
	if v != 10 || len(usertest.Strings(&u.Over)) > 0 {
		t.Errorf("after the button was released the value is %g, want 10, and the texts %q, want none", v, usertest.Strings(&u.Over))
	}
	for _, k := range []struct {
		key  string
		want float64
	}{{"ArrowLeft", 9.5}, {"Shift+ArrowLeft", 4.5}, {"Home", 0}, {"ArrowDown", 0}, {"PageUp", 5}, {"End", 10}, {"ArrowUp", 10}} {
		if u.Keys(k.key); v != k.want {
			t.Errorf("%s gives %g, want %g", k.key, v, k.want)
		}
	}
	v = math.NaN()
	u.Keys("ArrowLeft")
	if v != 0 {
		t.Errorf("NaN becomes %g, want 0", v)
	}
}

// TestSplitter moves the divider between two parts, down to their least sizes.
func TestSplitter(t *testing.T) {
	ratio := float32(0.5)
	var a, b ui.Rect
	u := usertest.New(t, 401, 100, func(c *ui.Context) {
		a, b = Splitter(c, c.Window(), "s", &ratio, SplitterOptions{First: 100, Other: 50})
	})
	if (a != ui.Rect{X0: 0, Y0: 0, X1: 200, Y1: 100} || b != ui.Rect{X0: 201, Y0: 0, X1: 401, Y1: 100}) {
		t.Errorf("the parts are %v and %v, want halves with a line between", a, b)
	}
	u.Move(202, 50)
	if u.Last.Cursor != ui.ResizeColumns {
		t.Errorf("the cursor over the divider is %d, want %d", u.Last.Cursor, ui.ResizeColumns)
	}
	u.Drag(202, 50, 252, 50)
	if a.W() != 250 {
		t.Errorf("after a drag by 50 the first part is %g wide, want 250", a.W())
	}
	u.Drag(251, 50, 20, 50)
	if a.W() != 100 {
		t.Errorf("after a drag far left the first part is %g wide, want its least width of 100", a.W())
	}
	u.Drag(101, 50, 400, 50)
	if b.W() != 50 {
		t.Errorf("after a drag far right the other part is %g wide, want its least width of 50", b.W())
	}
	x, y := u.Mid("s")
	u.In.Now += time.Second
	for range 2 {
		u.Down(x, y)
		u.Up(x, y)
	}
	if a.W() != 200 {
		t.Errorf("after a double click the first part is %g wide, want 200", a.W())
	}
	u.Widgets.Focus(usertest.Name("s"))
	u.Keys("ArrowRight")
	if a.W() != 216 {
		t.Errorf("after the right arrow the first part is %g wide, want 216", a.W())
	}
	u.In.W = 60
	u.Run()
	if a.W()+b.W() != 59 || a.W() <= 0 || b.W() <= 0 {
		t.Errorf("in a small window the parts are %v and %v, want both visible", a, b)
	}
}

// TestDropdown chooses with the pointer and the keys. The popup covers a button, which no press reaches.
func TestDropdown(t *testing.T) {
	labels := []string{"one", "two", "three", "four"}
	at, under := 0, 0
	u := usertest.New(t, 300, 300, func(c *ui.Context) {
		if button(c, ui.Rect{X0: 0, Y0: 60, X1: 200, Y1: 88}, "under", "Under") {
			under++
		}
		Dropdown(c, ui.Rect{X0: 0, Y0: 0, X1: 200, Y1: 28}, "d", labels, &at)
	})
	u.ClickOn("d")
	if s := usertest.Strings(&u.Over); !slices.Equal(s, labels) {
		t.Fatalf("the popup shows %q, want %q", s, labels)
	}
	if s := usertest.Strings(&u.Base); !slices.Equal(s, []string{"Under", "one"}) {
		t.Errorf("below the popup %q shows, want the button and the chosen label", s)
	}
	u.ClickAt(100, 28+2+4+28+14) // the second item lies over the button
	if at != 1 || under != 0 {
		t.Errorf("the second item chose %d, want 1; the button below was pressed %d times, want 0", at, under)
	}
	if u.Over.Len() != 0 || u.Last.Popup {
		t.Error("the popup is open after a choice")
	}
	u.ClickOn("d")
	u.ClickAt(100, 70+190) // beside it
	if u.Last.Popup || at != 1 || under != 0 {
		t.Errorf("after a press beside the popup it is open: %v; chosen %d, want 1; the button below was pressed %d times, want 0", u.Last.Popup, at, under)
	}
	u.Drag(100, 14, 100, 28+2+4+3*28+14) // press, drag to an item, release
	if at != 3 || u.Last.Popup {
		t.Errorf("a drag to the last item chose %d, want 3, and the popup is open: %v", at, u.Last.Popup)
	}
	u.Widgets.Focus(usertest.Name("d"))
	u.Keys("ArrowUp")
	if at != 2 {
		t.Errorf("the up arrow chose %d, want 2", at)
	}
	u.Keys("Enter", "t", "Enter") // "two" is the next after "three" that begins with t
	if at != 1 {
		t.Errorf("the letter t and Enter chose %d, want 1", at)
	}
	u.Keys("Enter", "ArrowDown", "Escape")
	if at != 1 || u.Last.Popup {
		t.Errorf("after Escape %d is chosen, want 1, and the popup is open: %v", at, u.Last.Popup)
	}
}

// TestMenu opens a menu with the secondary button and chooses with the pointer and the keys. Disabled items cannot be chosen.
func TestMenu(t *testing.T) {
	chosen := -1
	items := []Item{{Label: "First"}, {Label: "Off", Off: true}, {}, {Label: "Last", Keys: "Ctrl+L"}}
	u := usertest.New(t, 300, 300, func(c *ui.Context) {
		id := c.ID("area")
		if c.Touch(id, ui.Rect{X0: 0, Y0: 0, X1: 200, Y1: 200}, 0, ""); c.PressedBy(id, ui.Secondary) {
			x, y := c.Pointer()
			OpenMenu(c, "menu", x, y)
		}
		if n := Menu(c, "menu", items); n >= 0 {
			chosen = n
		}
	})
	u.Run(ui.Event{Kind: ui.Down, X: 50, Y: 50, Button: ui.Secondary}, ui.Event{Kind: ui.Up, X: 50, Y: 50, Button: ui.Secondary})
	if s := usertest.Strings(&u.Over); !slices.Equal(s, []string{"First", "Off", "Ctrl+L", "Last"}) {
		t.Fatalf("the menu shows %q, want its labels and the shortcut", s)
	}
	u.Keys("ArrowDown", "ArrowDown", "Enter")
	if chosen != 3 {
		t.Errorf("the keys chose item %d, want 3, beyond the disabled item and the line", chosen)
	}
	chosen = -1
	u.Run(ui.Event{Kind: ui.Down, X: 50, Y: 50, Button: ui.Secondary}, ui.Event{Kind: ui.Up, X: 50, Y: 50, Button: ui.Secondary})
	u.ClickOn("menu/First")
	if chosen != 0 {
		t.Errorf("a press chose item %d, want 0", chosen)
	}
	chosen = -1
	u.Run(ui.Event{Kind: ui.Down, X: 50, Y: 50, Button: ui.Secondary}, ui.Event{Kind: ui.Up, X: 50, Y: 50, Button: ui.Secondary})
	u.ClickAt(70, 50+2+4+28+14)
	if chosen != -1 || !u.Last.Popup {
		t.Errorf("a press of a disabled item chose item %d, want none; the menu is open: %v, want true", chosen, u.Last.Popup)
	}
	// At the lower right corner of the window it opens upwards and to the left.
	u.In.W, u.In.H = 210, 205
	u.Keys("Escape")
	u.Run(ui.Event{Kind: ui.Down, X: 195, Y: 195, Button: ui.Secondary}, ui.Event{Kind: ui.Up, X: 195, Y: 195, Button: ui.Secondary})
	for _, w := range usertest.Written(&u.Over) {
		if w.Box.X1 > 210 || w.Box.Y1 > 205 {
			t.Errorf("%q at %v is outside the window", w.Text, w.Box)
		}
	}
}

// TestMenuByName types the beginnings of labels. Letters in quick succession make one word; the same letter repeated steps through items.
func TestMenuByName(t *testing.T) {
	items := []Item{{Label: "Bars"}, {Label: "Bodies"}, {}, {Label: "Ring chart"}, {Label: "Rows"}, {Label: "Ring"}, {Label: "Off", Off: true}, {Label: "Boxes"}}
	for _, test := range []struct{ typed, want string }{
		{"b", "Bars"},
		{"bo", "Bodies"},
		{"box", "Boxes"},
		{"bb", "Bodies"},
		{"bbb", "Boxes"},
		{"bbbb", "Bars"},
		{"boz", "Bodies"},
		{"o", ""},
		{"r", "Ring chart"},
		{"ro", "Rows"},
		{"ring", "Ring chart"},
		{"ring c", "Ring chart"},
		{"rrr", "Ring"},
		{"b…r", "Ring chart"},
		{"bo…b", "Boxes"},
	} {
		chosen := ""
		u := usertest.New(t, 300, 400, func(c *ui.Context) {
			if n := MenuButton(c, ui.Rect{X0: 0, Y0: 0, X1: 80, Y1: 30}, "more", ButtonOptions{Label: "More"}, items); n >= 0 {
				chosen = items[n].Label
			}
		})
		u.ClickOn("more")
		for _, r := range test.typed {
			if r == '…' {
				u.Wait(2 * time.Second)
				continue
			}
			u.Keys(string(r))
			if chosen != "" {
				t.Errorf("%q: the letter %q chose %q at once", test.typed, r, chosen)
			}
		}
		u.Keys("Enter")
		if chosen != test.want {
			t.Errorf("%q and Enter chose %q, want %q", test.typed, chosen, test.want)
		}
	}
}
