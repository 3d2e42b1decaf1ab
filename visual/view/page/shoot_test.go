package page_test

import (
	"fmt"
	"slices"
	"testing"

	"whorl/testdata/must"
	"whorl/visual/glyph"
	"whorl/visual/scene"
	"whorl/visual/testdata/bars"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/testdata/viewtest"
	"whorl/visual/view"
	"whorl/visual/view/page"
)

func TestRenderParameters(t *testing.T) {
	k := bars.Kind(view.Legend{Title: "t"})
	for _, c := range []struct {
		params map[string]string
		want   string
	}{
		{nil, ""},
		{map[string]string{"scale": "2", "background": "dark"}, ""},
		{map[string]string{"scael": "2"}, `unknown parameter of the bars view "scael"; did you mean scale?`},
		{map[string]string{"zzz": "2"}, `unknown parameter of the bars view "zzz"; known are background, scale`},
		{map[string]string{"scale": "two"}, `scale "two" is not a whole number from 1 to 100`},
		{map[string]string{"scale": "101"}, `scale "101" is not a whole number from 1 to 100`},
		{map[string]string{"background": "drak"}, `unknown background "drak"; did you mean dark?`},
		{map[string]string{"scale": "13"}, "unlucky"},
	} {
		l, err := drawtest.Render(t.Context(), k, bars.Trace(bars.TwoReductions...), c.params, 300, 200, glyph.New())
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && got != c.want {
			t.Errorf("%v: %v, want %s", c.params, err, c.want)
		}
		if err == nil && (l.Open() != 0 || l.W != 300 || l.H != 200) {
			t.Errorf("%v: %d groups open, %g x %g", c.params, l.Open(), l.W, l.H)
		}
	}
	if _, err := drawtest.Render(t.Context(), k, bars.Trace(bars.TwoReductions...), nil, 300, 40000, glyph.New()); err == nil {
		t.Error("a picture of 300x40000 was drawn")
	}
}

// TestPasteTitle pastes a view that has a subtitle, which follows the title of its kind unless it begins with it.
func TestPasteTitle(t *testing.T) {
	for _, c := range [][2]string{{"", "Bars"}, {"by time", "Bars: by time"}, {"Bars by time", "Bars by time"}} {
		subtitle, want := c[0], c[1]
		k := bars.Kind(view.Legend{Subtitle: subtitle})
		k.Title = "Bars"
		o := must.Get(view.Open(k, bars.Trace(bars.TwoReductions...), glyph.New()))(t)
		out := scene.New(400, 300)
		must.Get(page.Paste(t.Context(), o, scene.Rect{X1: 400, Y1: 300}, 12, out))(t)
		o.Close()
		if texts := viewtest.Strings(out); !slices.Contains(texts, want) {
			t.Errorf("the subtitle %q is pasted with %q, want %q", subtitle, texts, want)
		}
	}
}
