//go:build browser

package serve_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"whorl/experiment"
	"whorl/serve"
	"whorl/testdata/must"
	"whorl/tracer/open"
)

// half answers with the first half of what a handler writes, and with the rest when a gate is open.
type half struct {
	http.ResponseWriter
	left int
	gate chan struct{}
}

func (h *half) Write(b []byte) (n int, err error) {
	if h.left > 0 {
		n, err = h.ResponseWriter.Write(b[:min(h.left, len(b))])
		if h.left -= n; err != nil || h.left > 0 {
			return n, err
		}
		h.ResponseWriter.(http.Flusher).Flush()
		<-h.gate
	}
	m, err := h.ResponseWriter.Write(b[n:])
	return n + m, err
}

// TestBeginningInPage serves a long trace slowly: the page shows its beginning until it has the rest.
func TestBeginningInPage(t *testing.T) {
	if err := serve.Built(); err != nil {
		t.Skipf("the page in a browser was not tested: %v", err)
	}
	path := t.TempDir() + "/pascal.whorl"
	w := must.Get(open.Create(path))(t)
	r := experiment.Defaults("fghc/pascal")
	r.Args = []string{"300"}
	must.Get(must.Get(r.Resolve())(t).Run(t.Context(), w, nil))(t)
	must.Do(t, w.Close())
	size := must.Get(os.Stat(path))(t).Size()
	gate := make(chan struct{})
	page := must.Get(serve.Handler([]string{path}))(t)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/traces/1/pascal.whorl" {
			w = &half{w, int(size / 2), gate}
		}
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	p := openPage(t, s.URL, 1280, 800, 1)
	p.until(`document.title.startsWith("pascal")`)
	p.until(`document.getElementById("twin").textContent.includes("the rest is being read")`)
	before := p.pictureWhen("true")
	close(gate)
	if d := differ(before, p.changed(before, 0.01)); d < 0.01 {
		t.Errorf("with the rest, %.4f of the picture changed", d)
	}
	p.until(`!document.getElementById("twin").textContent.includes("Incomplete")`)
}
