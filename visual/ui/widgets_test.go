package ui

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestButton(t *testing.T) {
	n, disabled := 0, false
	u := newUser(t, 300, 200, func(c *Context) {
		c.Disabled = disabled
		if c.Button(Rect{10, 10, 110, 38}, "run", "Run") {
			n++
		}
	})
	want := func(what string, count int) {
		t.Helper()
		if n != count {
			t.Errorf("%s: pressed %d times, want %d", what, n, count)
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

// TestFirstEvents presses something in the very first call.
func TestFirstEvents(t *testing.T) {
	n := 0
	u := &user{t: t, in: Input{W: 300, H: 200, Scale: 1}, frame: func(c *Context) {
		if c.Button(Rect{10, 10, 110, 38}, "run", "Run") {
			n++
		}
	}}
	u.run(Event{Kind: Down, X: 20, Y: 20}, Event{Kind: Up, X: 20, Y: 20})
	if n != 1 {
		t.Errorf("pressed %d times, want 1", n)
	}
}

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
		t.Error("a click did not turn them on:", on, tick)
	}
	u.keys("Tab", " ", "Tab", " ")
	if on || tick {
		t.Error("the space bar did not turn them off:", on, tick)
	}
	u.clickAt(290, 70)
	if seg != 2 {
		t.Error("segment", seg, "is chosen, want 2")
	}
	u.keys("Tab", "ArrowLeft")
	if seg != 1 {
		t.Error("segment", seg, "is chosen after the left arrow, want 1")
	}
	u.keys("Home", "ArrowLeft")
	if seg != 0 {
		t.Error("segment", seg, "is chosen at the left end, want 0")
	}
}

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
		t.Error("no bubble with the value:", s)
	}
	u.move(5000, -50)
	if v != 10 {
		t.Errorf("a drag beyond the end gives %g, want 10", v)
	}
	u.up(5000, -50)
	u.move(20, 114)
	if v != 10 || len(texts(&u.over)) > 0 {
		t.Error("it moves after the button was released:", v)
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

func TestSplitter(t *testing.T) {
	ratio := float32(0.5)
	var a, b Rect
	u := newUser(t, 401, 100, func(c *Context) { a, b = c.Splitter(c.Window(), "s", &ratio, Split{First: 100, Other: 50}) })
	if (a != Rect{0, 0, 200, 100} || b != Rect{201, 0, 401, 100}) {
		t.Error(a, b)
	}
	u.move(202, 50)
	if u.last.Cursor != ResizeColumns {
		t.Error("cursor is", u.last.Cursor)
	}
	u.drag(202, 50, 252, 50)
	if a.W() != 250 {
		t.Error("after a drag by 50 the first has", a.W())
	}
	u.drag(251, 50, 20, 50)
	if a.W() != 100 {
		t.Error("the first is smaller than its least size:", a.W())
	}
	u.drag(101, 50, 400, 50)
	if b.W() != 50 {
		t.Error("the other is smaller than its least size:", b.W())
	}
	x, y := u.mid("s")
	u.in.Now += time.Second
	for range 2 {
		u.down(x, y)
		u.up(x, y)
	}
	if a.W() != 200 {
		t.Error("a double click gives", a.W())
	}
	u.st.Focus(Name("s"))
	u.keys("ArrowRight")
	if a.W() != 216 {
		t.Error("the right arrow gives", a.W())
	}
	u.in.W = 60
	u.run()
	if a.W()+b.W() != 59 || a.W() <= 0 || b.W() <= 0 {
		t.Error("in a small window:", a, b)
	}
}

func TestDropdown(t *testing.T) {
	labels := []string{"one", "two", "three", "four"}
	at, under := 0, 0
	u := newUser(t, 300, 300, func(c *Context) {
		if c.Button(Rect{0, 60, 200, 88}, "under", "Under") {
			under++
		}
		c.Dropdown(Rect{0, 0, 200, 28}, "d", labels, &at)
	})
	u.click("d")
	if s := texts(&u.over); !slices.Equal(s, labels) {
		t.Fatalf("the popup shows %q", s)
	}
	if s := texts(&u.base); !slices.Equal(s, []string{"Under", "one"}) {
		t.Errorf("below it %q", s)
	}
	u.clickAt(100, 28+2+4+28+14) // the second item lies over the button
	if at != 1 || under != 0 {
		t.Errorf("chose %d, and what lies below was pressed %d times", at, under)
	}
	if u.over.Len() != 0 || u.last.Popup {
		t.Error("the popup is still open")
	}
	u.click("d")
	u.clickAt(100, 70+190) // beside it
	if u.last.Popup || at != 1 || under != 0 {
		t.Error("a press beside it did not just close it", u.last.Popup, at, under)
	}
	u.drag(100, 14, 100, 28+2+4+3*28+14) // press, drag to an item, release
	if at != 3 || u.last.Popup {
		t.Errorf("drag chose %d", at)
	}
	u.st.Focus(Name("d"))
	u.keys("ArrowUp")
	if at != 2 {
		t.Errorf("the up arrow chose %d", at)
	}
	u.keys("Enter", "t", "Enter") // "two" is the next after "three" that begins with t
	if at != 1 {
		t.Errorf("a letter chose %d", at)
	}
	u.keys("Enter", "ArrowDown", "Escape")
	if at != 1 || u.last.Popup {
		t.Errorf("Escape chose %d", at)
	}
}

func TestMenu(t *testing.T) {
	chosen := -1
	items := []Item{{Label: "First"}, {Label: "Off", Off: true}, {}, {Label: "Last", Keys: "Ctrl+L"}}
	u := newUser(t, 300, 300, func(c *Context) {
		a := c.Area(Rect{0, 0, 200, 200}, "area", "", Arrow)
		for _, e := range a.Events {
			if e.Kind == Down && e.Button == Secondary {
				c.OpenMenu("menu", e.X, e.Y)
			}
		}
		if n := c.Menu("menu", items); n >= 0 {
			chosen = n
		}
	})
	u.run(Event{Kind: Down, X: 50, Y: 50, Button: Secondary}, Event{Kind: Up, X: 50, Y: 50, Button: Secondary})
	if s := texts(&u.over); !slices.Equal(s, []string{"First", "Off", "Ctrl+L", "Last"}) {
		t.Fatalf("menu shows %q", s)
	}
	u.keys("ArrowDown", "ArrowDown", "Enter")
	if chosen != 3 {
		t.Errorf("keys chose %d, want 3: over the line and what is off", chosen)
	}
	chosen = -1
	u.run(Event{Kind: Down, X: 50, Y: 50, Button: Secondary}, Event{Kind: Up, X: 50, Y: 50, Button: Secondary})
	u.click("menu/First")
	if chosen != 0 {
		t.Errorf("a press chose %d, want 0", chosen)
	}
	chosen = -1
	u.run(Event{Kind: Down, X: 50, Y: 50, Button: Secondary}, Event{Kind: Up, X: 50, Y: 50, Button: Secondary})
	u.clickAt(70, 50+2+4+28+14)
	if chosen != -1 || !u.last.Popup {
		t.Error("what is off was chosen:", chosen)
	}
	// At the lower right corner of the window it opens upwards and to the left.
	u.in.W, u.in.H = 210, 205
	u.keys("Escape")
	u.run(Event{Kind: Down, X: 195, Y: 195, Button: Secondary}, Event{Kind: Up, X: 195, Y: 195, Button: Secondary})
	for _, w := range written(&u.over) {
		if w.box.X1 > 210 || w.box.Y1 > 205 {
			t.Errorf("%q is outside the window: %v", w.text, w.box)
		}
	}
}

// TestMenuByName goes to items by the beginnings of their names: letters in quick succession are one, the same letter goes through all.
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
				t.Errorf("%q: %q chose %q", typed, r, chosen)
			}
		}
		u.keys("Enter")
		if chosen != want {
			t.Errorf("%q chose %q, want %q", typed, chosen, want)
		}
	}
}

// TestScroll reaches a button below the edge by the wheel and by the keyboard.
func TestScroll(t *testing.T) {
	pressed := ""
	u := newUser(t, 200, 100, func(c *Context) {
		c.Scroll(c.Window(), "s", 400, func(r Rect) {
			for i := range 10 {
				if c.Button(r.CutTop(40), fmt.Sprint(i), "Button "+fmt.Sprint(i)) {
					pressed = fmt.Sprint(i)
				}
			}
		})
	})
	if _, ok := u.st.Where(Name("9")); ok {
		t.Error("the last button can be seen at once")
	}
	u.run(Event{Kind: Wheel, X: 50, Y: 50, DY: -100})
	u.click("9")
	if pressed != "9" {
		t.Error("pressed", pressed)
	}
	u.st.Focus(Name("1"))
	u.run()
	u.keys("Shift+Tab")
	if r := u.where("0"); r.H() != 40 {
		t.Error("the button with the focus is at", r)
	}
	u.drag(197, 10, 197, 90)
	if r := u.where("9"); r.H() != 40 {
		t.Error("after a drag of the bar the last button is at", r)
	}
}

func TestShortcut(t *testing.T) {
	var log []string
	text := ""
	u := newUser(t, 300, 100, func(c *Context) {
		c.Field(Rect{0, 0, 100, 28}, "f", &text, FieldLook{})
		if c.Shortcut(0, "1") {
			log = append(log, "1")
		}
		if c.Shortcut(Control, "s") {
			log = append(log, "save")
		}
	})
	u.keys("1", "Control+S", "Meta+s", "Control+Shift+s")
	if got := strings.Join(log, " "); got != "1 save save" {
		t.Error("shortcuts:", got)
	}
	u.click("f")
	u.keys("1", "Control+s")
	if got := strings.Join(log, " "); got != "1 save save save" || text != "1" {
		t.Error("shortcuts while typing:", got, text)
	}
	if len(u.run(Event{Kind: Key, Name: "F5"}).Unused) != 1 {
		t.Error("a key that nobody took is not handed on")
	}
}

// TestArea follows a drag that leaves the area, with another button than the main one.
func TestArea(t *testing.T) {
	var log []string
	u := newUser(t, 300, 100, func(c *Context) {
		a := c.Area(Rect{0, 0, 100, 100}, "a", "", Cross)
		for _, e := range a.Events {
			log = append(log, fmt.Sprintf("%d@%g", e.Kind, e.X))
		}
		c.Button(Rect{40, 40, 60, 60}, "b", "B")
	})
	u.run(Event{Kind: Move, X: 10, Y: 10}, Event{Kind: Down, X: 10, Y: 10, Button: Middle}, Event{Kind: Move, X: 250, Y: 10},
		Event{Kind: Up, X: 250, Y: 10, Button: Middle}, Event{Kind: Move, X: 260, Y: 10}, Event{Kind: Wheel, X: 20, Y: 20, DY: 1},
		Event{Kind: Move, X: 50, Y: 50}, Event{Kind: Down, X: 50, Y: 50}, Event{Kind: Up, X: 50, Y: 50})
	want := "0@10 1@10 0@250 2@250 3@0 4@20 3@0"
	if got := strings.Join(log, " "); got != want {
		t.Errorf("events %s, want %s", got, want)
	}
}
