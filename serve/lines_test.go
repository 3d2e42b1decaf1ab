//go:build browser

package serve_test

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"

	"whorl/experiment/testdata/experimenttest"
	"whorl/testdata/must"
)

// TestLinesInThePage uses the line views in a page: clicking a spot of the overview, pressing its keys, dragging the end of the detail
// and clicking a line of the listing update the panes. WHORL_PICTURES names a folder for pictures.
func TestLinesInThePage(t *testing.T) {
	const w, h = 1400, 900
	p := openPage(t, server(t, experimenttest.File(t, "lu", "hpf/lu", 4)), w, h, 1)
	p.until(`document.title.startsWith("lu")`)
	save := func(name string, m image.Image) { // for people to look at
		if dir := os.Getenv("WHORL_PICTURES"); dir != "" {
			f := must.Get(os.Create(filepath.Join(dir, name+".png")))(t)
			defer f.Close()
			must.Do(t, png.Encode(f, m))
		}
	}
	before := p.picture()
	save("0", before)
	drag := func(x0, y0, x1, y1 float64) []chromedp.Action[chromedp.Void] {
		left := chromedp.Button("left")
		return []chromedp.Action[chromedp.Void]{
			chromedp.MouseEvent(chromedp.MousePressed, x0, y0, left, chromedp.ClickCount(1)),
			chromedp.MouseEvent(chromedp.MouseMoved, (x0+x1)/2, (y0+y1)/2, left),
			chromedp.MouseEvent(chromedp.MouseMoved, x1, y1, left),
			chromedp.MouseEvent(chromedp.MouseReleased, x1, y1, left, chromedp.ClickCount(1)),
		}
	}
	for k, c := range []struct {
		name  string
		steps []chromedp.Action[chromedp.Void]
		least float64 // minimum share of the picture that changes
	}{
		{"a click in the overview", []chromedp.Action[chromedp.Void]{chromedp.MouseClickXY(80, 300)}, 0.005},
		{"bins have sums", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent("m")}, 0.0005},
		{"columns are groups", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent("p")}, 0.001},
		{"the end of the detail is dragged", drag(96, 404, 96, 250), 0.1},
		{"the listing", []chromedp.Action[chromedp.Void]{chromedp.MouseClickXY(775, 52)}, 0.02},
		{"a click in it", []chromedp.Action[chromedp.Void]{chromedp.MouseClickXY(860, 400)}, 0.005},
	} {
		p.do(c.steps...)
		after := p.changed(before, c.least)
		save(strconv.Itoa(k+1), after)
		if d := differ(before, after); d < c.least {
			t.Errorf("%s changes %.4f of the picture, want at least %.4f", c.name, d, c.least)
		}
		before = after
	}
}
