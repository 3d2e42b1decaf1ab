//go:build browser

package serve_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"whorl/experiment/testdata/experimenttest"
	"whorl/serve"
	"whorl/testdata/must"
)

// enough bounds how long a test waits. It is long because the machine may be busy.
const enough = 4 * time.Minute

// atRest is an expression that is true when the viewer has handled all input and is idle, except for removing a message.
const atRest = "whorl.rest > 1"

// A page is the viewer in a headless browser.
type page struct {
	*testing.T
	ctx context.Context

	mu     sync.Mutex
	errors []string // of the page's scripts
}

// browser is the browser that shows all pages, each in its own tab. It starts with the first. All tabs share one process, and the browser's own tab
// holds the page throughout: Chromium shares a compiled program among the pages of a process, so that it compiles the two programs of the page once.
var browser context.Context

func TestMain(m *testing.M) {
	profile, err := os.MkdirTemp("", "whorl-browser")
	if err != nil {
		log.Fatal(err)
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(profile),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("process-per-site", true), chromedp.WSURLReadTimeout(enough))
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			opts = append(opts, chromedp.ExecPath(path))
			break
		}
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	var end context.CancelFunc
	browser, end = chromedp.NewContext(ctx)
	status := m.Run()
	end()
	cancel()
	os.RemoveAll(profile)
	os.Exit(status)
}

// openPage opens the page of a server in a window of the given size.
func openPage(t *testing.T, url string, w, h int64, scale float64) *page {
	t.Helper()
	return openWith(t, url, w, h, scale, "")
}

// openWith runs a script before the page's scripts.
func openWith(t *testing.T, url string, w, h int64, scale float64, script string) *page {
	t.Helper()
	visit(t)
	p := newTab(t)
	p.do(chromedp.EmulateViewport(w, h, chromedp.EmulateScale(scale)))
	p.listen()
	if script != "" {
		p.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
			return chromedp.Void{}, err
		})
	}
	p.do(chromedp.Navigate(url))
	t.Cleanup(p.quiet)
	t.Cleanup(func() {
		if dir := os.Getenv("WHORL_SCREENSHOTS"); dir != "" && t.Failed() {
			if b, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot()); err == nil {
				os.WriteFile(filepath.Join(dir, "failed-"+t.Name()+".png"), b, 0o666)
			}
		}
	})
	return p
}

// first is the page's time to its first picture on its first visit, in milliseconds.
var first float64

// visit starts the browser for the first page, and opens the page in the browser's own tab, until it has compiled both programs.
func visit(t *testing.T) {
	t.Helper()
	if first > 0 || serve.Built() != nil {
		return
	}
	s := httptest.NewServer(must.Get(serve.Handler([]string{pascal(t)}))(t))
	defer s.Close()
	p := &page{T: t, ctx: browser}
	p.do(chromedp.EmulateViewport(640, 480), chromedp.Navigate(s.URL))
	p.until("whorl.first > 0 && " + atRest)
	first = eval[float64](p, "whorl.first")
	p.until("((whorl.runner ??= fetchRunner().then(compile)).then(() => whorl.compiled = true), !!whorl.compiled)")
}

// newTab returns a new tab of the browser, or with an option one that there is.
func newTab(t *testing.T, o ...chromedp.ContextOption) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, o...)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 4*enough)
	t.Cleanup(cancel)
	return &page{T: t, ctx: ctx}
}

// listen collects what the page writes to its console.
func (p *page) listen() {
	p.Helper()
	must.Do(p, chromedp.Listen(p.ctx, func(e any) {
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
	}))
}

// quiet fails the test if the page wrote to its console.
func (p *page) quiet() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.errors {
		p.Errorf("console of the page: %s", e)
	}
	p.errors = nil
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	must.Do(p, chromedp.Do(p.ctx, steps...))
}

// eval returns the value of an expression in the page.
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
	poll[bool](p, expression)
}

// poll waits until the value of an expression is truthy, and returns it.
func poll[T any](p *page, expression string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Poll[T](expression, chromedp.WithPollingTimeout(enough), chromedp.WithPollingInterval(20*time.Millisecond)))
	if err != nil {
		p.Log(eval[string](p, `[document.title, devicePixelRatio, innerWidth, innerHeight, whorl.steps, whorl.pictures, whorl.rest].join(" ")`))
		words := eval[string](p, `document.getElementById("words").textContent`)
		p.Fatalf("%s does not become true: %v; the page says %q and %q", expression, err, words, p.errors)
	}
	return v
}

// picture returns the content of the canvas when the viewer is at rest.
func (p *page) picture() *image.NRGBA {
	p.Helper()
	return p.pictureWhen(atRest)
}

// glance returns the content of the canvas while a blinking caret keeps the viewer busy.
func (p *page) glance() *image.NRGBA {
	p.Helper()
	return p.pictureWhen("whorl.rest > 0.1")
}

// pictureWhen returns the content of the canvas once an expression is true.
func (p *page) pictureWhen(expression string) *image.NRGBA {
	p.Helper()
	url := poll[string](p, expression+` && document.getElementById("picture").toDataURL("image/png")`)
	b := must.Get(base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,")))(p)
	m := must.Get(png.Decode(bytes.NewReader(b)))(p)
	out := image.NewNRGBA(m.Bounds())
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			out.Set(x, y, m.At(x, y))
		}
	}
	return out
}

// changed returns the picture at rest once at least the given share of it differs from before, or after waiting
// enough.
func (p *page) changed(before *image.NRGBA, least float64) *image.NRGBA {
	p.Helper()
	for end := time.Now().Add(enough); ; time.Sleep(50 * time.Millisecond) {
		if now := p.picture(); differ(before, now) >= least || time.Now().After(end) {
			return now
		}
	}
}

// differ returns the share of pixels that differ between two pictures.
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

// pascal records a trace of Pascal's triangle on 5 PEs.
func pascal(t *testing.T) string {
	t.Helper()
	return experimenttest.File(t, "pascal", "fghc/pascal", 5)
}

func server(t *testing.T, traces ...string) string {
	t.Helper()
	if err := serve.Built(); err != nil {
		t.Skipf("the page in a browser was not tested: %v", err)
	}
	h := must.Get(serve.Handler(traces))(t)
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}
