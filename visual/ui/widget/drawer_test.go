package widget

import (
	"testing"

	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
)

// TestDrawer drags a drawer by its bar and moves it with keys. It closes when it is let go near the bottom, with its button, and with Escape.
func TestDrawer(t *testing.T) {
	var above, body ui.Rect
	closed, pressed := 0, 0
	u := usertest.New(t, 390, 800, func(c *ui.Context) {
		r := c.Window()
		if Drawer(c, &r, "settings", func(r ui.Rect) {
			body = Panel(c, r, "Settings")
			if CloseButton(c, r, "Close") {
				pressed++
			}
		}) {
			closed++
		}
		above = r
	})
	if above.H() != 320 || body.Y1 != 800 || body.W() != 390 {
		t.Fatalf("the drawer leaves %v and has %v", above, body)
	}
	u.Drag(195, 330, 195, 130)
	if above.H() != 120 {
		t.Errorf("a drag by 200 upwards leaves %v", above)
	}
	u.Drag(195, 130, 195, 730)
	if closed != 1 || above.H() != 320 {
		t.Errorf("let go near the bottom it closes %d times, and leaves %v when it opens again", closed, above)
	}
	u.ClickOn("close")
	if pressed != 1 || closed != 1 {
		t.Errorf("the button was pressed %d times, and the drawer closed %d times", pressed, closed)
	}
	for _, c := range []struct {
		key    string
		left   float32
		closed int
	}{{"ArrowUp", 240, 1}, {"ArrowUp", 160, 1}, {"ArrowUp", 80, 1}, {"ArrowUp", 80, 1}, {"ArrowDown", 160, 1}, {"x", 160, 1}, {"Escape", 160, 2}} {
		u.Widgets.Focus(usertest.Name("drawer settings"))
		if u.Keys(c.key); above.H() != c.left || closed != c.closed {
			t.Errorf("%s: %v is left, closed %d times, want %v and %d", c.key, above.H(), closed, c.left, c.closed)
		}
	}
}

// TestFingersReachSmallButtons presses beside a small button: with controls for fingers it has 44 points, and the handle of a divider too.
func TestFingersReachSmallButtons(t *testing.T) {
	ratio := float32(0.5)
	hits := 0
	large := false
	u := usertest.New(t, 800, 400, func(c *ui.Context) {
		if large {
			c.Theme = c.Theme.ForFingers()
		}
		Splitter(c, c.Window(), "split", &ratio, SplitterOptions{First: 50, Other: 50})
		r := ui.Rect{X0: 100, Y0: 100, X1: 120, Y1: 120}
		if c.SmallButton(r, c.ID("small"), 0, "Close", 0).Clicked {
			hits++
		}
	})
	for _, c := range []struct {
		large bool
		hits  int
		drags bool
	}{{false, 0, false}, {true, 1, true}} {
		large, ratio, hits = c.large, 0.5, 0
		u.Run()
		u.ClickAt(90, 90)
		if hits != c.hits {
			t.Errorf("for fingers %v: %d hits beside the button, want %d", c.large, hits, c.hits)
		}
		u.Drag(415, 300, 515, 300)
		if drags := ratio != 0.5; drags != c.drags {
			t.Errorf("for fingers %v: a drag beside the divider moves it to %v", c.large, ratio)
		}
	}
}

// TestFocusStaysVisible makes a window lower, as the keyboard of a touch screen does: what scrolls shows the field that has the keys.
func TestFocusStaysVisible(t *testing.T) {
	texts := make([]string, 10)
	u := usertest.New(t, 300, 500, func(c *ui.Context) {
		c.Scroll(c.Window(), "form", 440, func(r ui.Rect) {
			for i := range texts {
				Field(c, r.CutTop(44), "field "+string(rune('0'+i)), &texts[i], FieldOptions{})
			}
		})
	})
	u.ClickOn("field 8")
	u.In.H = 200
	u.Run()
	if r := u.Where("field 8"); r.H() != 44 || r.Y1 > 200 {
		t.Errorf("the field with the keys is at %v", r)
	}
}
