//go:build browser

package serve_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"whorl/experiment"
	"whorl/serve"
)

// A page is the viewer in a browser without a window.
type page struct {
	*testing.T
	ctx context.Context

	mu     sync.Mutex
	errors []string // of the page's scripts
}

// open shows the page of a server in a window of that size.
func open(t *testing.T, url string, w, h int64, scale float64) *page {
	t.Helper()
	p := &page{T: t}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-background-networking", true), chromedp.WindowSize(int(w), int(h)))
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			opts = append(opts, chromedp.ExecPath(path))
			break
		}
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...) // which outlives the test for its cleaning up
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	p.ctx = ctx
	p.do(chromedp.EmulateViewport(w, h, chromedp.EmulateScale(scale)))
	err := chromedp.Listen(ctx, func(e any) {
		p.mu.Lock()
		defer p.mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			p.errors = append(p.errors, fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception))
		case *runtime.EventConsoleAPICalled:
			for _, a := range e.Args {
				p.errors = append(p.errors, string(e.Type)+" "+string(a.Value))
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Navigate(url))
	t.Cleanup(p.quiet)
	t.Cleanup(func() {
		if dir := os.Getenv("WHORL_SCREENSHOTS"); dir != "" && t.Failed() {
			if b, err := chromedp.Run(ctx, chromedp.CaptureScreenshot()); err == nil {
				os.WriteFile(filepath.Join(dir, "failed-"+t.Name()+".png"), b, 0o666)
			}
		}
	})
	return p
}

// quiet fails when the page had anything to say to its console, which nobody sees.
func (p *page) quiet() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.errors {
		p.Errorf("the page's console: %s", e)
	}
	p.errors = nil
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

// eval is the value of an expression in the page.
func eval[T any](p *page, expression string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits until an expression is true.
func (p *page) until(expression string) {
	p.Helper()
	_, err := chromedp.Run(p.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(30*time.Second)))
	if err != nil {
		p.Log(eval[string](p, `[document.title, devicePixelRatio, innerWidth, innerHeight, whorl.steps, whorl.pictures].join(" ")`))
		words := eval[string](p, `document.getElementById("words").textContent`)
		p.Fatalf("%s does not come true: %v; the page says %q and %q", expression, err, words, p.errors)
	}
}

// picture is what the canvas shows, once it has not changed for a moment.
func (p *page) picture() *image.NRGBA {
	p.Helper()
	for last, now := -1, -2; last != now; {
		last = now
		time.Sleep(150 * time.Millisecond)
		now = eval[int](p, "whorl.pictures")
	}
	url := eval[string](p, `document.getElementById("picture").toDataURL("image/png")`)
	b, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
	if err != nil {
		p.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		p.Fatal(err)
	}
	out := image.NewNRGBA(m.Bounds())
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			out.Set(x, y, m.At(x, y))
		}
	}
	return out
}

// differ is the share of the pixels in which two pictures differ.
func differ(a, b *image.NRGBA) float64 {
	if a.Rect != b.Rect {
		return 1
	}
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]byte(a.Pix[i:]) != [4]byte(b.Pix[i:]) {
			n++
		}
	}
	return float64(n) / float64(len(a.Pix)/4)
}

// pascal is a trace of Pascal's triangle on 5 PEs.
func pascal(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pascal.whorl")
	w, err := experiment.CreateTrace(path)
	if err != nil {
		t.Fatal(err)
	}
	r := experiment.Defaults("fghc/pascal")
	r.PEs = 5
	prepared, err := r.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := prepared.Run(t.Context(), w, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func server(t *testing.T, traces ...string) string {
	t.Helper()
	if err := serve.Built(); err != nil {
		t.Skipf("the page in a browser was not tested: %v", err)
	}
	h, err := serve.Handler(traces)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// TestFirstPicture loads the page as a person does who has never seen it, and says how long it takes.
func TestFirstPicture(t *testing.T) {
	start := time.Now()
	p := open(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	m := p.picture()
	t.Logf("the browser was started, and the picture stood, after %v; the page took %.0f ms to its first picture",
		time.Since(start).Round(time.Millisecond), eval[float64](p, "whorl.first"))
	if m.Rect != image.Rect(0, 0, 1024, 640) {
		t.Errorf("a canvas of %v", m.Rect)
	}
	if n := colours(m); n < 20 {
		t.Errorf("a picture of %d colours", n)
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

// TestStatic loads the page from a server that knows of files alone, under a path of its own.
func TestStatic(t *testing.T) {
	if err := serve.Built(); err != nil {
		t.Skipf("the page in a browser was not tested: %v", err)
	}
	s := httptest.NewServer(http.StripPrefix("/some/where", http.FileServer(http.Dir("dist"))))
	defer s.Close()
	p := open(t, s.URL+"/some/where/", 1024, 640, 1)
	p.until("whorl.pictures > 0")
	if n := colours(p.picture()); n < 5 {
		t.Errorf("a picture of %d colours", n)
	}
}

// TestPointerAndKeys does what a person does, and sees that the picture answers.
func TestPointerAndKeys(t *testing.T) {
	p := open(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	before := p.picture()
	for _, c := range []struct {
		name     string
		do       []chromedp.Action[chromedp.Void]
		from, to float64 // the share of the picture that changes
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
		{"a key that means nothing", []chromedp.Action[chromedp.Void]{chromedp.KeyEvent(kb.F8)}, 0, 0},
	} {
		p.do(c.do...)
		now := p.picture()
		if d := differ(before, now); d < c.from || d > c.to {
			t.Errorf("%s: %.4f of the picture changed, want %v to %v", c.name, d, c.from, c.to)
		}
		before = now
	}
}

func wheel(x, y, dy float64) chromedp.Action[chromedp.Void] {
	return chromedp.MouseEvent("mouseWheel", x, y, func(e *input.DispatchMouseEventParams) { e.DeltaX, e.DeltaY = 1e-9, dy })
}

// TestSizes shows the page in windows of many sizes; the canvas has a pixel for each of the device's.
func TestSizes(t *testing.T) {
	p := open(t, server(t, pascal(t)), 1024, 640, 1)
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
		{1, 1, 1, image.Pt(1, 1)},
		{1024, 640, 1, image.Pt(1024, 640)},
	} {
		p.do(chromedp.EmulateViewport(c.w, c.h, chromedp.EmulateScale(c.scale)), chromedp.KeyEvent(kb.F8)) // Chromium tells of another ratio late
		p.until(fmt.Sprintf("Math.abs(document.getElementById('picture').width - %d) <= 1", c.want.X))
		m := p.picture()
		if d := m.Rect.Size().Sub(c.want); d.X < -1 || d.X > 1 || d.Y < -1 || d.Y > 1 {
			t.Errorf("%d by %d at %v: a canvas of %v", c.w, c.h, c.scale, m.Rect.Size())
		}
		if n := colours(m); n < 20 && c.w > 100 {
			t.Errorf("%d by %d at %v: %d colours", c.w, c.h, c.scale, n)
		}
		if dir := os.Getenv("WHORL_SCREENSHOTS"); dir != "" {
			var b bytes.Buffer
			if err := png.Encode(&b, m); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("page-%dx%d@%v.png", c.w, c.h, c.scale)
			if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	p.do(chromedp.EmulateViewport(1024, 640))
	before := p.picture()
	eval[string](p, `document.getElementById("picture").style.display = "none"`) // no size at all
	p.do(chromedp.KeyEvent(kb.F8))
	time.Sleep(200 * time.Millisecond)
	eval[string](p, `document.getElementById("picture").style.display = ""`)
	p.until("document.getElementById('picture').width == 1024")
	if d := differ(before, p.picture()); d > 0 {
		t.Errorf("hidden and shown again, %.4f of the picture is another", d)
	}
}

// TestHidden sees that a page nobody sees is not painted, and is right when it is seen again.
func TestHidden(t *testing.T) {
	p := open(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	before := p.picture()
	hide := func(hidden bool) {
		eval[bool](p, fmt.Sprintf(`Object.defineProperty(document, "hidden", {value: %v, configurable: true});
			document.dispatchEvent(new Event("visibilitychange"))`, hidden))
	}
	hide(true)
	painted := eval[int](p, "whorl.pictures")
	p.do(chromedp.KeyEvent("2"), chromedp.KeyEvent("3"))
	p.until("whorl.steps > 1")
	time.Sleep(200 * time.Millisecond)
	if n := eval[int](p, "whorl.pictures"); n != painted {
		t.Errorf("%d pictures were painted that nobody sees", n-painted)
	}
	hide(false)
	if d := differ(before, p.picture()); d == 0 {
		t.Error("seen again, the picture is still the old one")
	}
}

// TestLostCanvas takes the canvas away and gives it back, empty.
func TestLostCanvas(t *testing.T) {
	p := open(t, server(t, pascal(t)), 1024, 640, 1)
	p.until(`document.title.startsWith("pascal")`)
	before := p.picture()
	eval[bool](p, `(c => { c.getContext("2d").clearRect(0, 0, 1024, 640); return c.dispatchEvent(new Event("contextlost")) })(document.getElementById("picture"))`)
	if words := eval[string](p, `document.getElementById("words").textContent`); !strings.Contains(words, "taken") {
		t.Errorf("the page says %q", words)
	}
	p.do(chromedp.KeyEvent("2"), chromedp.KeyEvent("1"))
	if d := differ(before, p.picture()); d < 0.1 {
		t.Errorf("painted on a canvas that is lost: %.4f differ", d)
	}
	eval[bool](p, `document.getElementById("picture").dispatchEvent(new Event("contextrestored"))`)
	eval[bool](p, `whorl.pictures > 0`)
	if d := differ(before, p.picture()); d > 0.02 {
		t.Errorf("given back, %.4f of the picture is another", d)
	}
	if words := eval[string](p, `document.getElementById("words").textContent`); words != "" {
		t.Errorf("the page still says %q", words)
	}
}

// TestDrop drops files that are traces and files that are none.
func TestDrop(t *testing.T) {
	trace, err := os.ReadFile(pascal(t))
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, server(t), 1024, 640, 1)
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
		p.until(fmt.Sprintf("whorl.pictures > %d", painted)) // it says so
		if d := differ(before, p.picture()); d == 0 {
			t.Errorf("%s: nothing is said", c.name)
		}
		if title := eval[string](p, "document.title"); strings.Contains(title, c.name) {
			t.Errorf("%s: the title is %q", c.name, title)
		}
	}
	drop("cut.whorl", trace[:len(trace)/2])
	p.until(`document.title.startsWith("cut")`)
	before = p.picture()
	drop("whole.whorl", trace)
	time.Sleep(time.Second)
	if d := differ(before, p.picture()); d < 0.02 {
		t.Errorf("a whole trace beside it: %.4f of the picture changed", d)
	}
}
