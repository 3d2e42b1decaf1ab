//go:build browser

package serve_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"whorl/serve"
	"whorl/testdata/must"
	"whorl/visual/app"
	"whorl/visual/app/paint"
	"whorl/visual/glyph"
	"whorl/visual/screen"
)

// TestFirstPicture loads the page, and logs the times of the first visit and of this one.
func TestFirstPicture(t *testing.T) {
	start := time.Now()
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	m := p.picture()
	t.Logf("the picture stood after %v; the page took %.0f ms to its first picture, and %.0f ms when its program was compiled",
		time.Since(start).Round(time.Millisecond), first, eval[float64](p, "whorl.first"))
	if m.Rect != image.Rect(0, 0, 1024, 640) {
		t.Errorf("canvas of %v", m.Rect)
	}
	if n := colours(m); n < 20 {
		t.Errorf("picture of %d colours", n)
	}
	if words := eval[string](p, `document.getElementById("words").textContent`); words != "" {
		t.Errorf("the page still says %q", words)
	}
}

func colours(m *image.NRGBA) int {
	seen := map[[4]byte]bool{}
	for i := 0; i < len(m.Pix); i += 4 {
		seen[[4]byte(m.Pix[i:])] = true
	}
	return len(seen)
}

// TestSamePixels compares the page's picture with the picture that the same viewer paints in this process.
func TestSamePixels(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pascal 三角形.whorl") // including letters of the fallback font
	must.Do(t, os.Rename(pascal(t), path))
	p := openPage(t, server(t, path), 1024, 640, 2)
	p.until(`document.title.startsWith("pascal")`)
	got := p.picture()

	glyphs := glyph.New()
	a := app.New(app.Options{Text: glyphs, Runner: screen.NewRunner()})
	defer a.Close()
	a.OpenFile(screen.PathFile(path))
	painter := paint.New(glyphs)
	var want *image.RGBA
	for begin := time.Now(); time.Since(begin) < enough; {
		out := a.Step(app.Input{Now: time.Since(begin), W: 1024, H: 640, Scale: 2})
		want, _ = painter.Paint(out.Layers, 2048, 1280)
		if out.Next < 0 {
			break
		}
		time.Sleep(time.Millisecond) // files are read between steps
	}
	if got.Rect != want.Rect {
		t.Fatalf("%v in the page, %v here", got.Rect, want.Rect)
	}
	n := 0
	for i := 0; i < len(want.Pix); i += 4 {
		if [4]byte(want.Pix[i:]) != [4]byte(got.Pix[i:]) {
			n++
		}
	}
	if n > 0 {
		t.Errorf("%d pixels of the page differ from the window", n)
	}
}

// TestStatic serves the page with a plain file server, under a path.
func TestStatic(t *testing.T) {
	if err := serve.Built(); err != nil {
		t.Skipf("the page in a browser was not tested: %v", err)
	}
	s := httptest.NewServer(http.StripPrefix("/some/where", http.FileServer(http.Dir("dist"))))
	defer s.Close()
	p := openPage(t, s.URL+"/some/where/", 1024, 640, 1)
	p.until("whorl.pictures > 0")
	if n := colours(p.glance()); n < 5 {
		t.Errorf("picture of %d colours", n)
	}
	p.do(chromedp.KeyEvent("R"))
	x, y := field(t, p.glance(), 2)
	p.do(chromedp.MouseClickXY(x, y), chromedp.KeyEvent(kb.Enter))
	p.until(`document.title.startsWith("pascal")`)
	if n := colours(p.picture()); n < 20 {
		t.Errorf("after a run, picture of %d colours", n)
	}
	loaded := eval[string](p, `performance.getEntriesByType("resource").map(e => e.name).join(" ")`)
	for _, url := range strings.Fields(loaded) {
		if !strings.HasPrefix(url, s.URL+"/some/where/") {
			t.Errorf("the page loads %s", url)
		}
	}
	if !strings.Contains(loaded, "whorl.wasm.gz") {
		t.Errorf("the page loads %s", loaded)
	}
}

// TestOldBrowsers opens the page without features that some browsers lack.
func TestOldBrowsers(t *testing.T) {
	for _, c := range []struct{ name, without string }{
		{"no sizes in pixels, no clipboard", `Object.defineProperty(navigator, "clipboard", {value: undefined});
			ResizeObserver.prototype.observe = (of => function (e, box) {
			if (box) throw new TypeError("box");
			return of.call(this, e);
		})(ResizeObserver.prototype.observe)`},
		{"no observer", "delete window.ResizeObserver"},
	} {
		p := openWith(t, server(t, pascal(t)), 1024, 640, 1.5, c.without)
		p.until(`document.title.startsWith("pascal")`)
		if m := p.picture(); m.Rect.Size() != image.Pt(1536, 960) || colours(m) < 20 {
			t.Errorf("%s: picture of %v, %d colours", c.name, m.Rect, colours(m))
		}
	}
	p := openWith(t, server(t), 1024, 640, 1, "HTMLCanvasElement.prototype.getContext = () => null")
	p.until(`document.getElementById("words").textContent.includes("no canvas")`)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errors = nil // the message is on the console too
}

// TestSizes opens windows of many sizes. The canvas has one pixel for each device pixel.
func TestSizes(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	for _, c := range []struct {
		w, h  int64
		scale float64
		want  image.Point
	}{
		{1024, 640, 2, image.Pt(2048, 1280)},
		{2560, 1440, 1, image.Pt(2560, 1440)},
		{1024, 640, 1.25, image.Pt(1280, 800)},
		{1001, 641, 1.5, image.Pt(1502, 962)},
		{640, 480, 3, image.Pt(1920, 1440)},
		{1, 1, 1, image.Pt(1, 1)},
		{1024, 640, 1, image.Pt(1024, 640)},
	} {
		p.do(chromedp.EmulateViewport(c.w, c.h, chromedp.EmulateScale(c.scale)), chromedp.KeyEvent(kb.F8)) // Chromium reports the new ratio late
		p.until(fmt.Sprintf("Math.abs(document.getElementById('picture').width - %d) <= 1", c.want.X))
		m := p.picture()
		if d := m.Rect.Size().Sub(c.want); d.X < -1 || d.X > 1 || d.Y < -1 || d.Y > 1 {
			t.Errorf("%d by %d at %v: canvas of %v", c.w, c.h, c.scale, m.Rect.Size())
		}
		if n := colours(m); n < 20 && c.w > 100 {
			t.Errorf("%d by %d at %v: %d colours", c.w, c.h, c.scale, n)
		}
		if dir := os.Getenv("WHORL_SCREENSHOTS"); dir != "" {
			var b bytes.Buffer
			must.Do(t, png.Encode(&b, m))
			name := fmt.Sprintf("page-%dx%d@%v.png", c.w, c.h, c.scale)
			must.Do(t, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666))
		}
	}
	p.do(chromedp.EmulateViewport(1024, 640))
	before := p.picture()
	eval[string](p, `document.getElementById("picture").style.display = "none"`) // size zero
	p.do(chromedp.KeyEvent(kb.F8))
	p.until("document.getElementById('picture').width == 1")
	eval[string](p, `document.getElementById("picture").style.display = ""`)
	p.until("document.getElementById('picture').width == 1024")
	if d := differ(before, p.picture()); d > 0 {
		t.Errorf("hidden and shown again, %.4f of the picture differs", d)
	}
}

// TestHidden checks that a hidden page is not painted, and is up to date when it is shown again.
func TestHidden(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	before := p.picture()
	hide := func(hidden bool) {
		eval[bool](p, fmt.Sprintf(`Object.defineProperty(document, "hidden", {value: %v, configurable: true});
			document.dispatchEvent(new Event("visibilitychange"))`, hidden))
	}
	hide(true)
	p.until(atRest)
	painted, stepped := eval[int](p, "whorl.pictures"), eval[int](p, "whorl.steps")
	p.do(chromedp.KeyEvent("2"), chromedp.KeyEvent("3"))
	p.until(fmt.Sprintf("whorl.steps > %d && %s", stepped, atRest))
	if n := eval[int](p, "whorl.pictures"); n != painted {
		t.Errorf("%d pictures were painted while the page was hidden", n-painted)
	}
	hide(false)
	if d := differ(before, p.picture()); d == 0 {
		t.Error("shown again, the picture is still the old one")
	}
}

// TestLostCanvas checks that the page recovers when the browser reclaims the canvas and returns it empty.
func TestLostCanvas(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	before := p.picture()
	eval[bool](p, `(c => { c.getContext("2d").clearRect(0, 0, 1024, 640); return c.dispatchEvent(new Event("contextlost")) })(document.getElementById("picture"))`)
	if words := eval[string](p, `document.getElementById("words").textContent`); !strings.Contains(words, "reclaimed") {
		t.Errorf("the page says %q", words)
	}
	p.do(chromedp.KeyEvent("2"), chromedp.KeyEvent("1"))
	if d := differ(before, p.picture()); d < 0.1 {
		t.Errorf("painted on a lost canvas: %.4f differ", d)
	}
	eval[bool](p, `document.getElementById("picture").dispatchEvent(new Event("contextrestored"))`)
	eval[bool](p, `whorl.pictures > 0`)
	if d := differ(before, p.picture()); d > 0.02 {
		t.Errorf("after the canvas returned, %.4f of the picture differs", d)
	}
	if words := eval[string](p, `document.getElementById("words").textContent`); words != "" {
		t.Errorf("the page still says %q", words)
	}
}

// TestDrop drops files on the page, which opens traces and rejects other files.
func TestDrop(t *testing.T) {
	trace := must.Get(os.ReadFile(pascal(t)))(t)
	p := openPage(t, server(t), 1024, 640, 1)
	p.until("whorl.pictures > 0")
	drop := func(name string, content []byte) {
		eval[bool](p, fmt.Sprintf(`(() => {
			const d = new DataTransfer();
			d.items.add(new File([Uint8Array.from(atob(%q), c => c.charCodeAt(0))], %q));
			return window.dispatchEvent(new DragEvent("drop", {dataTransfer: d, clientX: 300, clientY: 300, cancelable: true}));
		})()`, base64.StdEncoding.EncodeToString(content), name))
	}
	for _, c := range []struct {
		name    string
		content []byte
	}{{"letter.txt", []byte("Dear friend,\n")}, {"empty.whorl", nil}, {"noise.whorl", bytes.Repeat([]byte{0xfe, 0x00, 0x37}, 5000)}} {
		drop(c.name, c.content)
		p.until(fmt.Sprintf(`[...document.querySelectorAll("#controls [role=status]")].some(e => e.textContent.includes(%q))`, c.name)) // a message
		if title := eval[string](p, "document.title"); strings.Contains(title, c.name) {
			t.Errorf("%s: the title is %q", c.name, title)
		}
	}
	drop("cut.whorl", trace[:len(trace)/2])
	p.until(`document.title.startsWith("cut")`)
	before := p.picture()
	drop("whole.whorl", trace)
	if d := differ(before, p.changed(before, 0.02)); d < 0.02 {
		t.Errorf("with a valid trace beside it, %.4f of the picture changed", d)
	}
}
