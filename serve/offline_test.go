//go:build browser

package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"whorl/benchmarks"
	"whorl/serve"
	"whorl/testdata/must"
)

// kept is an expression that is true when the page has what it needs without its server: scripts of workers, and a service worker that answers.
const kept = `(navigator.serviceWorker.ready.then(() => whorl.offline = true), !!(whorl.scripts && whorl.offline))`

// TestOffline runs a program of each kind after the server has gone, in the page of the command, with its headers, and in a saved folder below others.
// Then the page is loaded again and runs a program.
func TestOffline(t *testing.T) {
	if err := serve.Built(); err != nil {
		t.Skipf("the page in a browser was not tested: %v", err)
	}
	for name, start := range map[string]func(t *testing.T) (url string, end func()){
		"command": func(t *testing.T) (string, func()) {
			l := must.Get(serve.Listen("127.0.0.1:0", false))(t)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			h := must.Get(serve.Handler([]string{pascal(t)}))(t)
			go func() { ended <- serve.Run(ctx, l, h) }()
			return serve.URL(l), func() { cancel(); must.Do(t, <-ended) }
		},
		"folder": func(t *testing.T) (string, func()) {
			folder := t.TempDir()
			must.Do(t, os.CopyFS(folder, os.DirFS("dist")))
			must.Do(t, os.Rename(pascal(t), filepath.Join(folder, "pascal.whorl")))
			must.Do(t, os.WriteFile(filepath.Join(folder, "whorl.json"), []byte(`{"traces": [{"name": "pascal.whorl", "url": "pascal.whorl"}]}`), 0o666))
			s := httptest.NewServer(http.StripPrefix("/some/where", http.FileServer(http.Dir(folder))))
			return s.URL + "/some/where/", s.Close
		},
	} {
		t.Run(name, func(t *testing.T) {
			url, end := start(t)
			p := openPage(t, url, 1024, 640, 1)
			p.until("whorl.pictures > 0")
			p.until(kept)
			end()
			p.do(chromedp.KeyEvent("R"))
			for _, program := range []string{"fghc/primes", "dts/fibonacci", "hpf/pascal"} {
				p.runs(program)
			}
			p.do(chromedp.Reload())
			p.until("globalThis.whorl?.pictures > 0")
			p.do(chromedp.KeyEvent("R"))
			p.runs("fghc/pascal")
		})
	}
}

// runs chooses a benchmark in the panel by the keys of its menu, and runs it.
func (p *page) runs(program string) {
	p.Helper()
	p.picture()
	m := p.picture()
	x, y := field(p.T, m, 1)
	p.do(chromedp.MouseClickXY(x, y), chromedp.KeyEvent(kb.Home))
	for _, b := range benchmarks.All {
		if b.Name == program {
			break
		}
		p.do(chromedp.KeyEvent(kb.ArrowDown))
	}
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until(fmt.Sprintf(`[...document.querySelectorAll("#controls [role=button]")].some(e => e.getAttribute("aria-label") == %q)`, "program: "+program))
	p.picture()
	press := `[...document.querySelectorAll("#controls [role=button]")].some(e => e.getAttribute("aria-label") == "Run" && e.getBoundingClientRect().y > 60 && (e.click(), true))`
	p.until(press)
	_, short, _ := strings.Cut(program, "/")
	p.until(fmt.Sprintf("document.title.startsWith(%q) && whorl.workers == 0", short))
	if n := colours(p.picture()); n < 20 {
		p.Errorf("%s: picture of %d colours", program, n)
	}
}
