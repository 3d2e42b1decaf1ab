package settings

import (
	"testing"

	"whorl/visual/testdata/usertest"
	"whorl/visual/ui"
	"whorl/visual/view"
)

// setting returns a setting with its default.
func setting(q view.Param, value string) Setting { return Setting{Param: q, Value: value, Chosen: -1} }

// user returns a user of the bar of pane 1, and the last change.
func user(t *testing.T, b *Bars, w, h float32, all func() []Setting) (*usertest.User, *Change) {
	var last Change
	var u *usertest.User
	focus := func(id ui.ID) { u.Widgets.Focus(id) }
	frame := func(c *ui.Context) {
		r := c.Window()
		if did := b.Draw(c, &r, 1, all(), false, focus); did != (Change{}) {
			last = did
		}
	}
	u = usertest.New(t, w, h, frame)
	return u, &last
}

// TestControls changes a parameter of each type. The bar shows labels, and changes have keys.
func TestControls(t *testing.T) {
	b := New()
	all := []Setting{
		setting(view.Param{Name: "grid", Label: "Grid lines", Default: false}, "false"),
		setting(view.Param{Name: "color", Label: "Colour by", Default: "pe", Choices: []string{"pe", "time"}}, "pe"),
		setting(view.Param{Name: "parts", Label: "Parts", Default: int64(5), Min: 1, Max: 9}, "5"),
		setting(view.Param{Name: "speed", Label: "Speed", Default: 1.5}, "1.5"),
	}
	u, did := user(t, &b, 900, 300, func() []Setting { return all })
	if b.Open(1) || u.Shows("Grid lines") {
		t.Error("the bar is shown at first")
	}
	b.Toggle(1)
	if u.Step(); !b.Open(1) || b.Open(2) || !u.Shows("Grid lines") {
		t.Fatalf("the bar is not shown:\n%s", u.Texts())
	}
	if u.ClickOn("params/grid"); *did != (Change{Set: true, Name: "grid", Value: "true"}) {
		t.Errorf("the switch changes %+v", *did)
	}
	u.ClickOn("params/color")
	if u.Click("time"); *did != (Change{Set: true, Name: "color", Value: "time"}) {
		t.Errorf("the choice changes %+v", *did)
	}
	u.ClickOn("params/parts")
	if u.Keys("Home"); *did != (Change{Set: true, Name: "parts", Value: "1", More: true}) {
		t.Errorf("the slider of whole numbers changes %+v", *did)
	}
	u.ClickOn("params/speed")
	if u.Keys("Home"); *did != (Change{Set: true, Name: "speed", Value: "0", More: true}) {
		t.Errorf("the slider changes %+v", *did)
	}
	b.Toggle(1)
	if u.Step(); b.Open(1) || u.Shows("Grid lines") {
		t.Error("the bar is not hidden")
	}
}

// TestSearch: the search field gets the keys, reports each letter, and keeps the keys while the user goes from match to match. Escape gives them
// back and hides a bar that was opened for the search.
func TestSearch(t *testing.T) {
	for _, shown := range []bool{false, true} {
		b := New()
		value, note := "", ""
		u, did := user(t, &b, 600, 300, func() []Setting {
			s := setting(view.Param{Name: view.Find, Label: "Find", Default: ""}, value)
			s.Note = note
			return []Setting{s}
		})
		if b.open[1] = shown; shown {
			u.Step()
		}
		b.Find(1)
		u.Step()
		if u.Type("q"); *did != (Change{Set: true, Name: view.Find, Value: "q", More: true}) {
			t.Fatalf("a letter changes %+v", *did)
		}
		value, note = "q", "1 of 3: qsort/3"
		u.Step()
		if !u.Shows(note) {
			t.Errorf("what was found is not shown:\n%s", u.Texts())
		}
		for _, c := range []struct {
			key  string
			want int
		}{{"Enter", 1}, {"Enter", 1}, {"Shift+Enter", -1}} {
			if u.Keys(c.key); did.Found != c.want || u.Widgets.Focused() != usertest.Name("params/"+view.Find) {
				t.Errorf("%s leads to %+v, and widget %d has the keys", c.key, *did, u.Widgets.Focused())
			}
		}
		if u.Keys("Escape"); b.Open(1) != shown || u.Widgets.Focused() != 0 {
			t.Errorf("after Escape the bar is open: %v, and widget %d has the keys", b.Open(1), u.Widgets.Focused())
		}
	}
}

// TestManySettingsScroll: settings take less than half of a pane and scroll to the last one.
func TestManySettingsScroll(t *testing.T) {
	var all []Setting
	for _, name := range []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "last"} {
		all = append(all, setting(view.Param{Name: name, Label: view.Capital(name), Default: int64(5), Min: 1, Max: 9}, "5"))
	}
	b := New()
	b.Toggle(1)
	var rest ui.Rect
	u := usertest.New(t, 300, 300, func(c *ui.Context) {
		rest = c.Window()
		b.Draw(c, &rest, 1, all, false, func(ui.ID) {})
	})
	if rest.H() < 150 {
		t.Errorf("the picture has %g of 300 pixels", rest.H())
	}
	if u.TryClickOn("params/last") {
		t.Error("the last setting has room at once: the window is too large for the test")
	}
	for range 20 {
		u.Step(ui.Event{Kind: ui.Move, X: 20, Y: 30}, ui.Event{Kind: ui.Wheel, X: 20, Y: 30, DY: -3})
	}
	if !u.TryClickOn("params/last") {
		t.Errorf("the last setting is not reached:\n%s", u.Texts())
	}
}

// TestRangesStay: the range of a slider depends on the value, but stays while the pointer holds the slider.
func TestRangesStay(t *testing.T) {
	b := New()
	d := bar{bars: &b, pane: 1}
	q := setting(view.Param{Name: "parts", Default: int64(5), Max: 1e9}, "5")
	first := d.rangeOf(&q, 5)
	d.held = true
	if got := d.rangeOf(&q, 5000); got.Max != first.Max {
		t.Errorf("the range of a held slider is %+v, want %+v", got, first)
	}
	d.held = false
	if got := d.rangeOf(&q, 5000); got.Max < 5000 {
		t.Errorf("the range for 5000 is %+v", got)
	}
}

// TestSliderRanges: a slider offers all values, or those near the current one if these are few of all. It always has the current one.
func TestSliderRanges(t *testing.T) {
	for _, c := range []struct {
		q    view.Param
		v    float64
		want [3]float64 // least, largest, step
	}{
		{view.Param{Default: int64(5), Min: 1, Max: 9}, 5, [3]float64{1, 9, 1}},
		{view.Param{Default: int64(5), Min: 1, Max: 9}, 30, [3]float64{1, 30, 1}},
		{view.Param{Default: 2.0}, 2, [3]float64{0, 10, 0}},
		{view.Param{Default: 2.0}, 50, [3]float64{0, 200, 0}},
		{view.Param{Default: 1.0, Max: 60}, 1, [3]float64{0, 4, 0}},
		{view.Param{Default: 1.0, Max: 1e6}, 10, [3]float64{0, 40, 0}},
	} {
		g := sliderRange(&c.q, c.v)
		if got := [3]float64{g.Min, g.Max, g.Step}; got != c.want {
			t.Errorf("%+v at %g has the range %v, want %v", c.q, c.v, got, c.want)
		}
	}
}
