//go:build browser

package serve_test

import (
	"fmt"
	"image"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"whorl/experiment"
	"whorl/experiment/session"
	"whorl/serve"
	"whorl/testdata/must"
)

// button returns the center of the main button in an area. Most coloured pixels of the area have its colour.
func button(t *testing.T, m *image.NRGBA, area image.Rectangle) (x, y float64) {
	t.Helper()
	count := map[[4]byte]int{}
	box := map[[4]byte]image.Rectangle{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			c := [4]byte(m.Pix[m.PixOffset(x, y):])
			if int(c[2])-int(c[0]) > 100 { // a strong blue
				count[c]++
				box[c] = box[c].Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	var best [4]byte
	for c, n := range count {
		if n > count[best] {
			best = c
		}
	}
	if count[best] < 300 {
		t.Fatalf("no button in %v", area)
	}
	at := box[best].Min.Add(box[best].Max).Div(2)
	return float64(at.X), float64(at.Y)
}

// field returns the center of a field of the run panel, numbered from 1: a white box, visible if no field contains
// text.
func field(t *testing.T, m *image.NRGBA, number int) (x, y float64) {
	t.Helper()
	white := 0
	for y := 72; y < 600; y++ {
		if [3]byte(m.Pix[m.PixOffset(282, y):]) == [3]byte{255, 255, 255} {
			white++
			continue
		}
		if white > 16 {
			if number--; number == 0 {
				return 187, float64(y - white/2)
			}
		}
		white = 0
	}
	t.Fatal("the panel has fewer fields")
	return 0, 0
}

// TestRunInPage runs a benchmark in the page, from the first click to the picture. The page responds while a longer benchmark runs.
func TestRunInPage(t *testing.T) {
	p := openPage(t, server(t), 1024, 640, 1)
	p.until("whorl.pictures > 0")
	head := image.Rect(0, 0, 1024, 36)
	p.do(chromedp.MouseClickXY(button(t, p.glance(), head))) // the page of examples is not at rest for long
	panel := image.Rect(0, 420, 300, 640)
	form := p.glance()
	start := time.Now()
	p.do(chromedp.MouseClickXY(button(t, form, panel)))
	p.until(`document.title.includes("pascal")`)
	m := p.picture()
	t.Logf("from the click to the picture of the run at rest: %v", time.Since(start).Round(time.Millisecond))
	if d := differ(form, m); d < 0.05 {
		t.Errorf("after the run, %.4f of the picture differs", d)
	}

	// A longer one has many more rows. Their field is below the choice of the program.
	away := chromedp.MouseEvent(chromedp.MouseMoved, 150, 450) // away from an item whose tip covers the button
	p.do(away)
	p.do(chromedp.MouseClickXY(field(t, p.picture(), 2)), chromedp.KeyEvent("a", chromedp.KeyModifiers(kb.ModifierCtrl)), chromedp.KeyEvent("300"),
		chromedp.MouseClickXY(button(t, p.picture(), panel)))
	p.until("whorl.workers > 0")
	eval[bool](p, `(whorl.gap = 0, whorl.last = performance.now(), whorl.watch = () => {
		const now = performance.now();
		whorl.gap = Math.max(whorl.gap, now - whorl.last);
		whorl.last = now;
		requestAnimationFrame(whorl.watch);
	}, whorl.watch(), true)`)
	pictures := eval[int](p, "whorl.pictures")
	p.until(fmt.Sprintf("whorl.workers > 0 && whorl.pictures > %d", pictures+5)) // the picture changes during the run
	t.Logf("while it ran the page's longest frame took %.0f ms", eval[float64](p, "whorl.gap"))
	p.do(chromedp.KeyEvent("2"))
	p.until(fmt.Sprintf("whorl.pictures > %d", pictures+6))
	p.until("whorl.workers == 0")
	if n := colours(p.picture()); n < 20 {
		t.Errorf("picture of %d colours", n)
	}
}

// TestRunnerIsLoadedOnce checks that the page loads the program that runs programs once, when the first picture rests, so that the first run needs no
// server (a page without a trace runs programs for its first picture); that later runs try again; and that it reports a server that does not provide it.
func TestRunnerIsLoadedOnce(t *testing.T) {
	p := openWith(t, server(t, pascal(t)), 1024, 640, 1, `globalThis.asked = []; globalThis.missing = 2; globalThis.fetch = (of => (url, ...rest) => {
		asked.push([String(url), whorl.pictures]);
		return of(url == "runner.wasm.gz" && missing-- > 0 ? "missing.gz" : url, ...rest);
	})(globalThis.fetch)`)
	asked := `asked.filter(([url]) => url == "runner.wasm.gz").length`
	p.until(asked + " == 1")
	if n := eval[int](p, `asked.find(([url]) => url == "runner.wasm.gz")[1]`); n == 0 {
		t.Error("the page loads the runner before its first picture")
	}
	run := func() {
		p.do(chromedp.MouseClickXY(button(t, p.picture(), image.Rect(0, 420, 300, 600))))
	}
	p.do(chromedp.KeyEvent("R"))
	p.until(`[...document.querySelectorAll("#controls [role=button]")].some(e => e.getAttribute("aria-label").startsWith("program: "))`)
	run()
	p.until(asked + ` == 2 && whorl.workers == 0`)
	failed := p.picture()
	run()
	p.until(asked + " == 3 && whorl.workers == 0")
	p.changed(failed, 0.05)
	run()
	p.until("whorl.workers == 0")
	if n := eval[int](p, asked); n != 3 {
		t.Errorf("the page asks for the runner %d times, want 3: twice in vain", n)
	}
}

// TestPageShowsARun shows a run that the server executes: it grows in the page, and the space bar pauses it.
func TestPageShowsARun(t *testing.T) {
	if err := serve.Built(); err != nil {
		t.Skipf("the page in a browser was not tested: %v", err)
	}
	r := experiment.Defaults("fghc/fibonacci")
	r.Args = []string{"40"}
	s := must.Get(session.Start(r))(t)
	audience := must.Get(session.NewAudience(s, r))(t)
	server := httptest.NewServer(must.Get(serve.RunHandler(audience.Feed))(t))
	t.Cleanup(func() {
		s.Do(session.Command{Do: session.Stop})
		must.Do(t, audience.Close())
		server.CloseClientConnections()
		server.Close()
	})
	p := openPage(t, server.URL, 1024, 640, 1)
	p.until(`document.title.startsWith("fibonacci")`)
	state := func(want session.State) {
		t.Helper()
		for end := time.Now().Add(enough); s.Status().State != want; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the run is %+v, want state %d", s.Status(), want)
			}
		}
	}
	pictures := eval[int](p, "whorl.pictures")
	p.until(fmt.Sprintf("whorl.pictures > %d", pictures+3))
	press := func(name string) {
		t.Helper()
		p.until(fmt.Sprintf(`[...document.querySelectorAll("#controls [role=button]")].some(e => e.getAttribute("aria-label").startsWith(%q) && !e.hasAttribute("aria-disabled") && (e.click(), true))`, name))
	}
	press("Pause")
	state(session.Paused)
	at := s.Status().Reductions
	press("One reduction forward")
	for end := time.Now().Add(enough); s.Status().Reductions == at && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	if n := s.Status().Reductions; n != at+1 {
		t.Errorf("one step leads from reduction %d to %d", at, n)
	}
}
