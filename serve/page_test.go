//go:build browser

package serve_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"whorl/serve"
	"whorl/testdata/must"
	"whorl/visual/app"
	"whorl/visual/app/paint"
	"whorl/visual/glyph"
	"whorl/visual/screen"
)

// TestFirstPicture loads the page as for a first visit and logs the time.
func TestFirstPicture(t *testing.T) {
	start := time.Now()
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	m := p.picture()
	t.Logf("the browser was started, and the picture stood, after %v; the page took %.0f ms to its first picture",
		time.Since(start).Round(time.Millisecond), eval[float64](p, "whorl.first"))
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
	if n := colours(p.picture()); n < 5 {
		t.Errorf("picture of %d colours", n)
	}
	p.do(chromedp.KeyEvent("R"))
	x, y := field(t, p.picture(), 2)
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

// TestPointerAndKeys compares how much of the picture changes after input with the expected share.
func TestPointerAndKeys(t *testing.T) {
	p := openPage(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	before := p.picture()
	for _, c := range []struct {
		name     string
		do       []chromedp.Action[chromedp.Void]
		from, to float64 // share of the picture that changes
	}{
		{"key 2", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent("2")}, 0.002, 1},
		{"wheel", []chromedp.Action[chromedp.Void]{wheel(500, 330, -300)}, 0.01, 1},
		{"drag", []chromedp.Action[chromedp.Void]{
			chromedp.MouseEvent(chromedp.MousePressed, 400, 300, chromedp.Button("left"), chromedp.ClickCount(1)),
			chromedp.MouseEvent(chromedp.MouseMoved, 430, 340, chromedp.Button("left")),
			chromedp.MouseEvent(chromedp.MouseMoved, 450, 360, chromedp.Button("left")),
			chromedp.MouseEvent(chromedp.MouseReleased, 450, 360, chromedp.Button("left"), chromedp.ClickCount(1)),
		}, 0.01, 1},
		{"nothing", nil, 0, 0},
		{"fit", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent("0")}, 0.01, 1},
		{"pinch", []chromedp.Action[chromedp.Void]{pinch(300, 300, -20)}, 0.01, 1},
		{"pinch back", []chromedp.Action[chromedp.Void]{pinch(300, 300, 20)}, 0.01, 1},
		{"fit again", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent("0")}, 0, 0.3},
		{"a key that means nothing", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent(kb.F8)}, 0, 0},
	} {
		p.do(c.do...)
		now := p.changed(before, c.from)
		if d := differ(before, now); d < c.from || d > c.to {
			t.Errorf("%s: %.4f of the picture changed, want %v to %v", c.name, d, c.from, c.to)
		}
		before = now
	}
}

func wheel(x, y, dy float64) chromedp.Action[chromedp.Void] {
	return chromedp.MouseEvent("mouseWheel", x, y, func(e *input.DispatchMouseEventParams) { e.DeltaX, e.DeltaY = 1e-9, dy })
}

// pinch sends the events of a two-finger pinch on a touch pad.
func pinch(x, y, dy float64) chromedp.Action[chromedp.Void] {
	return chromedp.MouseEvent("mouseWheel", x, y, func(e *input.DispatchMouseEventParams) {
		e.DeltaX, e.DeltaY, e.Modifiers = 1e-9, dy, int64(kb.ModifierCtrl)
	})
}

// TestTyped compares text from a picker and composed text with typed text.
func TestTyped(t *testing.T) {
	p := openPage(t, server(t), 1024, 640, 1)
	p.until("whorl.pictures > 0")
	p.do(chromedp.KeyEvent("R"))
	goal := func(do ...chromedp.Action[chromedp.Void]) *image.NRGBA {
		x, y := field(t, p.glance(), 3)
		p.do(chromedp.MouseClickXY(x, y), chromedp.KeyEvent("a", chromedp.KeyModifiers(kb.ModifierCtrl)), chromedp.KeyEvent(kb.Delete))
		p.do(do...)
		p.do(chromedp.KeyEvent("z"), chromedp.KeyEvent(kb.Backspace)) // the caret is in the field, blinking or not
		m := p.glance()
		out := image.NewNRGBA(image.Rect(0, 0, 180, 20))
		draw.Draw(out, out.Rect, m, image.Pt(92, int(y)-10), draw.Src)
		return out
	}
	keys := goal(chromedp.KeyEvent("go(5, X)"))
	picked := func(text string) chromedp.Action[chromedp.Void] {
		return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, input.InsertText, input.InsertTextParams{Text: text})
			return chromedp.Void{}, err
		}
	}
	composing := func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, input.ImeSetComposition, input.ImeSetCompositionParams{Text: "go(4", SelectionStart: 4, SelectionEnd: 4})
		return chromedp.Void{}, err
	}
	for _, c := range []struct {
		name string
		do   chromedp.Action[chromedp.Void]
	}{
		{"a picker", picked("go(5, X)")},
		{"composed", chromedp.Steps(composing, picked("go(5, X)"))},
	} {
		if d := differ(keys, goal(c.do)); d > 0.01 { // at most a caret
			t.Errorf("%s: %.4f of the field differs", c.name, d)
		}
	}
	if d := differ(keys, goal(picked("日本語(5, X)"))); d < 0.02 {
		t.Errorf("other letters differ only in %.4f of the field", d)
	}
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
	p.do(chromedp.MouseClickXY(button(t, p.picture(), head)))
	panel := image.Rect(0, 420, 300, 640)
	form := p.picture()
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

// TestDrop drops files on the page, which opens traces and rejects other files.
func TestDrop(t *testing.T) {
	trace := must.Get(os.ReadFile(pascal(t)))(t)
	p := openPage(t, server(t), 1024, 640, 1)
	p.until("whorl.pictures > 0")
	before := p.picture()
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
		painted := eval[int](p, "whorl.pictures")
		drop(c.name, c.content)
		p.until(fmt.Sprintf("whorl.pictures > %d", painted)) // it shows a message
		if d := differ(before, p.changed(before, 1e-9)); d == 0 {
			t.Errorf("%s: no message", c.name)
		}
		if title := eval[string](p, "document.title"); strings.Contains(title, c.name) {
			t.Errorf("%s: the title is %q", c.name, title)
		}
	}
	drop("cut.whorl", trace[:len(trace)/2])
	p.until(`document.title.startsWith("cut")`)
	before = p.picture()
	drop("whole.whorl", trace)
	if d := differ(before, p.changed(before, 0.02)); d < 0.02 {
		t.Errorf("with a valid trace beside it, %.4f of the picture changed", d)
	}
}
