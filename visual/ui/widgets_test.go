package ui

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

// TestButton presses a button with the pointer and the keys.
func TestButton(t *testing.T) {
	n, disabled := 0, false
	u := newUser(t, 300, 200, func(c *Context) {
		c.Disabled = disabled
		if button(c, Rect{10, 10, 110, 38}, "run", "Run") {
			n++
		}
	})
	want := func(action string, count int) {
		t.Helper()
		if n != count {
			t.Errorf("%s: pressed %d times, want %d", action, n, count)
		}
	}
	u.click("run")
	want("click", 1)
	u.drag(20, 20, 200, 20)
	want("released outside", 1)
	u.drag(200, 20, 20, 20)
	want("pressed outside", 1)
	u.run(Event{Kind: Move, X: 20, Y: 20}, Event{Kind: Down, X: 20, Y: 20}, Event{Kind: Up, X: 20, Y: 20})
	want("a click within one frame", 2)
	u.run(Event{Kind: Down, X: 20, Y: 20, Button: Secondary}, Event{Kind: Up, X: 20, Y: 20, Button: Secondary})
	want("the secondary button", 2)
	u.keys("Enter")
	want("a key without the focus", 2)
	u.keys("Tab", "Enter", " ")
	want("keys", 4)
	disabled = true
	u.click("run")
	u.keys("Enter")
	want("disabled", 4)
}

// TestToggles changes a switch, a check box and segments with the pointer and the keys.
func TestToggles(t *testing.T) {
	var on, tick bool
	seg := 0
	u := newUser(t, 300, 200, func(c *Context) {
		r := c.Window()
		c.Toggle(r.CutTop(28), "on", "On", &on)
		c.Check(r.CutTop(28), "tick", "Tick", &tick)
		c.Segments(r.CutTop(28), "seg", []string{"a", "b", "c"}, &seg)
	})
	u.click("on")
	u.click("tick")
	if !on || !tick {
		t.Errorf("after a click the switch is %v and the box %v, want true", on, tick)
	}
	u.keys("Tab", " ", "Tab", " ")
	if on || tick {
		t.Errorf("after the space bar the switch is %v and the box %v, want false", on, tick)
	}
	u.clickAt(290, 70)
	if seg != 2 {
		t.Errorf("a click chose segment %d, want 2", seg)
	}
	u.keys("Tab", "ArrowLeft")
	if seg != 1 {
		t.Errorf("the left arrow chose segment %d, want 1", seg)
	}
	u.keys("Home", "ArrowLeft")
	if seg != 0 {
		t.Errorf("the left arrow at the left end chose segment %d, want 0", seg)
	}
}

// TestSlider moves a slider with the pointer and the keys.
func TestSlider(t *testing.T) {
	v := 0.5
	g := Range{Min: 0, Max: 10, Step: 0.5, Format: func(v float64) string { return fmt.Sprintf("<%g>", v) }}
	u := newUser(t, 212, 200, func(c *Context) { c.Slider(Rect{0, 100, 212, 128}, "v", &v, g) })
	u.down(6+100, 114)
	if v != 5 {
		t.Errorf("a press in the middle gives %g, want 5", v)
	}
	u.move(6+131, 114)
	if v != 6.5 {
		t.Errorf("a drag to 6.55 gives %g, want 6.5", v)
	}
	if s := texts(&u.over); !slices.Contains(s, "<6.5>") {
		t.Errorf("while the slider is held %q shows, want a bubble with <6.5>", s)
	}
	u.move(5000, -50)
	if v != 10 {
		t.Errorf("a drag beyond the end gives %g, want 10", v)
	}
	u.up(5000, -50)
	u.move(20, 114)
	if v != 10 || len(texts(&u.over)) > 0 {
		t.Errorf("after the button was released the value is %g, want 10, and the texts %q, want none", v, texts(&u.over))
	}
	for _, k := range []struct {
		key  string
		want float64
	}{{"ArrowLeft", 9.5}, {"Shift+ArrowLeft", 4.5}, {"Home", 0}, {"ArrowDown", 0}, {"PageUp", 5}, {"End", 10}, {"ArrowUp", 10}} {
		if u.keys(k.key); v != k.want {
			t.Errorf("%s gives %g, want %g", k.key, v, k.want)
		}
	}
	v = math.NaN()
	u.keys("ArrowLeft")
	if v != 0 {
		t.Errorf("NaN becomes %g, want 0", v)
	}
}

// TestSplitter moves the divider between two parts, down to their least sizes.
func TestSplitter(t *testing.T) {
	ratio := float32(0.5)
	var a, b Rect
	u := newUser(t, 401, 100, func(c *Context) { a, b = c.Splitter(c.Window(), "s", &ratio, Split{First: 100, Other: 50}) })
	if (a != Rect{0, 0, 200, 100} || b != Rect{201, 0, 401, 100}) {
		t.Errorf("the parts are %v and %v, want halves with a line between", a, b)
	}
	u.move(202, 50)
	if u.last.Cursor != ResizeColumns {
		t.Errorf("the cursor over the divider is %d, want %d", u.last.Cursor, ResizeColumns)
	}
	u.drag(202, 50, 252, 50)
	if a.W() != 250 {
		t.Errorf("after a drag by 50 the first part is %g wide, want 250", a.W())
	}
	u.drag(251, 50, 20, 50)
	if a.W() != 100 {
		t.Errorf("after a drag far left the first part is %g wide, want its least width of 100", a.W())
	}
	u.drag(101, 50, 400, 50)
	if b.W() != 50 {
		t.Errorf("after a drag far right the other part is %g wide, want its least width of 50", b.W())
	}
	x, y := u.mid("s")
	u.in.Now += time.Second
	for range 2 {
		u.down(x, y)
		u.up(x, y)
	}
	if a.W() != 200 {
		t.Errorf("after a double click the first part is %g wide, want 200", a.W())
	}
	u.st.Focus(Name("s"))
	u.keys("ArrowRight")
	if a.W() != 216 {
		t.Errorf("after the right arrow the first part is %g wide, want 216", a.W())
	}
	u.in.W = 60
	u.run()
	if a.W()+b.W() != 59 || a.W() <= 0 || b.W() <= 0 {
		t.Errorf("in a small window the parts are %v and %v, want both visible", a, b)
	}
}

// TestDropdown chooses with the pointer and the keys. The popup covers a button, which no press reaches.
func TestDropdown(t *testing.T) {
	labels := []string{"one", "two", "three", "four"}
	at, under := 0, 0
	u := newUser(t, 300, 300, func(c *Context) {
		if button(c, Rect{0, 60, 200, 88}, "under", "Under") {
			under++
		}
		c.Dropdown(Rect{0, 0, 200, 28}, "d", labels, &at)
	})
	u.click("d")
	if s := texts(&u.over); !slices.Equal(s, labels) {
		t.Fatalf("the popup shows %q, want %q", s, labels)
	}
	if s := texts(&u.base); !slices.Equal(s, []string{"Under", "one"}) {
		t.Errorf("below the popup %q shows, want the button and the chosen label", s)
	}
	u.clickAt(100, 28+2+4+28+14) // the second item lies over the button
	if at != 1 || under != 0 {
		t.Errorf("the second item chose %d, want 1; the button below was pressed %d times, want 0", at, under)
	}
	if u.over.Len() != 0 || u.last.Popup {
		t.Error("the popup is open after a choice")
	}
	u.click("d")
	u.clickAt(100, 70+190) // beside it
	if u.last.Popup || at != 1 || under != 0 {
		t.Errorf("after a press beside the popup it is open: %v; chosen %d, want 1; the button below was pressed %d times, want 0", u.last.Popup, at, under)
	}
	u.drag(100, 14, 100, 28+2+4+3*28+14) // press, drag to an item, release
	if at != 3 || u.last.Popup {
		t.Errorf("a drag to the last item chose %d, want 3, and the popup is open: %v", at, u.last.Popup)
	}
	u.st.Focus(Name("d"))
	u.keys("ArrowUp")
	if at != 2 {
		t.Errorf("the up arrow chose %d, want 2", at)
	}
	u.keys("Enter", "t", "Enter") // "two" is the next after "three" that begins with t
	if at != 1 {
		t.Errorf("the letter t and Enter chose %d, want 1", at)
	}
	u.keys("Enter", "ArrowDown", "Escape")
	if at != 1 || u.last.Popup {
		t.Errorf("after Escape %d is chosen, want 1, and the popup is open: %v", at, u.last.Popup)
	}
}

// TestMenu opens a menu with the secondary button and chooses with the pointer and the keys. Disabled items cannot be chosen.
func TestMenu(t *testing.T) {
	chosen := -1
	items := []Item{{Label: "First"}, {Label: "Off", Off: true}, {}, {Label: "Last", Keys: "Ctrl+L"}}
	u := newUser(t, 300, 300, func(c *Context) {
		id := c.ID("area")
		if c.touch(id, Rect{0, 0, 200, 200}, 0, ""); c.pressedBy(id, Secondary) {
			x, y := c.Pointer()
			c.OpenMenu("menu", x, y)
		}
		if n := c.Menu("menu", items); n >= 0 {
			chosen = n
		}
	})
	u.run(Event{Kind: Down, X: 50, Y: 50, Button: Secondary}, Event{Kind: Up, X: 50, Y: 50, Button: Secondary})
	if s := texts(&u.over); !slices.Equal(s, []string{"First", "Off", "Ctrl+L", "Last"}) {
		t.Fatalf("the menu shows %q, want its labels and the shortcut", s)
	}
	u.keys("ArrowDown", "ArrowDown", "Enter")
	if chosen != 3 {
		t.Errorf("the keys chose item %d, want 3, beyond the disabled item and the line", chosen)
	}
	chosen = -1
	u.run(Event{Kind: Down, X: 50, Y: 50, Button: Secondary}, Event{Kind: Up, X: 50, Y: 50, Button: Secondary})
	u.click("menu/First")
	if chosen != 0 {
		t.Errorf("a press chose item %d, want 0", chosen)
	}
	chosen = -1
	u.run(Event{Kind: Down, X: 50, Y: 50, Button: Secondary}, Event{Kind: Up, X: 50, Y: 50, Button: Secondary})
	u.clickAt(70, 50+2+4+28+14)
	if chosen != -1 || !u.last.Popup {
		t.Errorf("a press of a disabled item chose item %d, want none; the menu is open: %v, want true", chosen, u.last.Popup)
	}
	// At the lower right corner of the window it opens upwards and to the left.
	u.in.W, u.in.H = 210, 205
	u.keys("Escape")
	u.run(Event{Kind: Down, X: 195, Y: 195, Button: Secondary}, Event{Kind: Up, X: 195, Y: 195, Button: Secondary})
	for _, w := range written(&u.over) {
		if w.box.X1 > 210 || w.box.Y1 > 205 {
			t.Errorf("%q at %v is outside the window", w.text, w.box)
		}
	}
}

// TestMenuByName types the beginnings of labels. Letters in quick succession make one word; the same letter repeated steps through items.
func TestMenuByName(t *testing.T) {
	items := []Item{{Label: "Bars"}, {Label: "Bodies"}, {}, {Label: "Ring chart"}, {Label: "Rows"}, {Label: "Ring"}, {Label: "Off", Off: true}, {Label: "Boxes"}}
	for typed, want := range map[string]string{
		"b": "Bars", "bo": "Bodies", "box": "Boxes", "bb": "Bodies", "bbb": "Boxes", "bbbb": "Bars", "boz": "Bodies", "o": "",
		"r": "Ring chart", "ro": "Rows", "ring": "Ring chart", "ring c": "Ring chart", "rrr": "Ring", "b…r": "Ring chart", "bo…b": "Boxes",
	} {
		chosen := ""
		u := newUser(t, 300, 400, func(c *Context) {
			if n := c.MenuButton(Rect{0, 0, 80, 30}, "more", Press{Label: "More"}, items); n >= 0 {
				chosen = items[n].Label
			}
		})
		u.click("more")
		for _, r := range typed {
			if r == '…' {
				u.wait(2 * time.Second)
				continue
			}
			u.keys(string(r))
			if chosen != "" {
				t.Errorf("%q: the letter %q chose %q at once", typed, r, chosen)
			}
		}
		u.keys("Enter")
		if chosen != want {
			t.Errorf("%q and Enter chose %q, want %q", typed, chosen, want)
		}
	}
}
