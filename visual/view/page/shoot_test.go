package page_test

import (
	"fmt"
	"testing"

	"whorl/visual/testdata/bars"
	"whorl/visual/testdata/drawtest"
	"whorl/visual/view"

	"whorl/visual/glyph"
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
