package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"whorl/testdata/must"
)

func TestHandler(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "a b.whorl")
	must.Do(t, os.WriteFile(trace, []byte("0123456789"), 0o600))
	pages := fstest.MapFS{
		"index.html": {Data: []byte("<p>")}, "whorl.js": {Data: []byte("js")}, "whorl.wasm.gz": {Data: []byte("\x1f\x8b")}, "README": {Data: []byte("no")},
	}
	built := must.Get(handler(pages, []string{trace}, nil, nil))(t)
	bare := must.Get(handler(fstest.MapFS{"README": {}}, nil, nil, nil))(t)
	for _, c := range []struct {
		h                       http.Handler
		method, url, span       string
		status                  int
		kind, body, contentSpan string
	}{
		{h: built, url: "/", status: 200, kind: "text/html", body: "<p>"},
		{h: built, url: "/index.html", status: 200, kind: "text/html", body: "<p>"},
		{h: built, url: "/whorl.js", status: 200, kind: "text/javascript", body: "js"},
		{h: built, url: "/whorl.wasm.gz", status: 200, kind: "application/gzip", body: "\x1f\x8b"},
		{h: built, url: "/whorl.json", status: 200, kind: "application/json", body: `{"traces":[{"name":"a b.whorl","url":"traces/1/a%20b.whorl"}]}`},
		{h: built, url: "/traces/1/a%20b.whorl", status: 200, kind: "application/octet-stream", body: "0123456789"},
		{h: built, url: "/traces/1/a%20b.whorl", span: "bytes=3-5", status: 206, body: "345", contentSpan: "bytes 3-5/10"},
		{h: built, url: "/traces/1/a%20b.whorl", span: "bytes=30-", status: 416},
		{h: built, url: "/traces/1/other", status: 404},
		{h: built, url: "/traces/2/a%20b.whorl", status: 404},
		{h: built, url: "/README", status: 404},
		{h: built, url: "/..%2fserve.go", status: 404},
		{h: built, url: "/nothing", status: 404},
		{h: built, method: "POST", url: "/", status: 405},
		{h: bare, url: "/", status: 200, kind: "text/html", body: "make build"},
		{h: bare, url: "/whorl.json", status: 200, body: `{"traces":[]}`},
		{h: bare, url: "/whorl.wasm.gz", status: 404},
	} {
		if c.method == "" {
			c.method = "GET"
		}
		r := httptest.NewRequest(c.method, c.url, nil)
		if c.span != "" {
			r.Header.Set("Range", c.span)
		}
		w := httptest.NewRecorder()
		c.h.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s %s: status %d, want %d", c.method, c.url, w.Code, c.status)
		}
		if c.status < 300 && (!strings.HasPrefix(w.Header().Get("Content-Type"), c.kind) || !strings.Contains(w.Body.String(), c.body)) {
			t.Errorf("%s: %s %q, want %s %q", c.url, w.Header().Get("Content-Type"), w.Body, c.kind, c.body)
		}
		if got := w.Header().Get("Content-Range"); c.contentSpan != "" && got != c.contentSpan {
			t.Errorf("%s: range %q, want %q", c.url, got, c.contentSpan)
		}
	}
	// A browser does not load cached files again.
	w := httptest.NewRecorder()
	built.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/whorl.js", nil))
	r := httptest.NewRequest(http.MethodGet, "/whorl.js", nil)
	r.Header.Set("If-None-Match", w.Header().Get("ETag"))
	w = httptest.NewRecorder()
	if built.ServeHTTP(w, r); w.Code != http.StatusNotModified {
		t.Errorf("second request: status %d", w.Code)
	}
}

func TestHandlerErrors(t *testing.T) {
	dir := t.TempDir()
	for _, file := range []string{filepath.Join(dir, "missing.whorl"), dir} {
		if _, err := Handler([]string{file}); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestRun(t *testing.T) {
	l := must.Get(Listen("127.0.0.1:0", false))(t)
	if _, err := Listen(l.Addr().String(), false); err == nil {
		t.Error("listened twice on a port")
	}
	second, err := Listen(l.Addr().String(), true)
	if err != nil {
		t.Errorf("no free port: %v", err)
	} else {
		second.Close()
	}
	if _, err := Listen("7070", false); err == nil || !strings.Contains(err.Error(), "HOST:PORT") {
		t.Errorf("address without a host: %v", err)
	}
	h := must.Get(Handler(nil))(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- Run(ctx, l, h) }()
	for _, c := range []struct {
		host string
		want int
	}{{"", 200}, {"localhost", 200}, {"[::1]:80", 200}, {"example.com", 421}, {"127.0.0.1.example.com:80", 421}} {
		r := must.Get(http.NewRequest(http.MethodGet, URL(l)+"whorl.json", nil))(t)
		if c.host != "" {
			r.Host = c.host
		}
		answer, err := http.DefaultClient.Do(r)
		must.Do(t, err)
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("host %q: status %d, want %d", c.host, answer.StatusCode, c.want)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("ended with %v", err)
	}
}

// TestPageIsSmall checks the sizes of the packed files: what a browser loads at once, and the program that it loads
// later, for runs. The viewer contains no compiler and no engine.
func TestPageIsSmall(t *testing.T) {
	if err := Built(); err != nil {
		t.Skip(err)
	}
	entries := must.Get(dist.ReadDir("dist"))(t)
	var page, runner int64
	for _, e := range entries {
		info := must.Get(e.Info())(t)
		switch e.Name() {
		case "runner.wasm.gz":
			runner = info.Size()
		case "lessons.json": // loaded when somebody opens the lessons
		default:
			page += info.Size()
		}
	}
	packed := must.Get(dist.Open("dist/whorl.wasm.gz"))(t)
	defer packed.Close()
	module := must.Get(io.ReadAll(must.Get(gzip.NewReader(packed))(t)))(t)
	for _, function := range []string{"whorl/fghc/compile.Compile", "whorl/fghc/engine.(*", "whorl/fghc/emulator.", "whorl/hpfsim/exec.(*Machine)"} {
		if bytes.Contains(module, []byte(function)) {
			t.Errorf("the viewer contains %s, which only whorl-runner needs", function)
		}
	}
	most := int64(6_500_000)
	if _, err := exec.LookPath("7zz"); err != nil {
		most = 6_300_000 // packed by gzip
	}
	if t.Logf("%d bytes at once, %d bytes for the first run", page, runner); page > most || runner == 0 || runner > 4_500_000 {
		t.Errorf("%d bytes at once, want 6,500,000 at most; %d bytes for the first run, want 4,500,000 at most", page, runner)
	}
}

// TestOfflineFiles checks that the service worker keeps all files of the page.
func TestOfflineFiles(t *testing.T) {
	script := string(must.Get(os.ReadFile("page/offline.js"))(t))
	names := []string{"wasm_exec.js", "whorl.wasm.gz", "runner.wasm.gz"}
	for _, e := range must.Get(os.ReadDir("page"))(t) {
		names = append(names, e.Name())
	}
	for _, name := range names {
		switch name {
		case "offline.js": // the browser keeps it
			continue
		case "index.html":
			name = "./" // servers may answer to the other name with this one
		}
		if !strings.Contains(script, `"`+name+`"`) {
			t.Errorf("offline.js does not keep %s", name)
		}
	}
	if !strings.Contains(script, `const version = "unversioned"`) {
		t.Error("offline.js has no place for the version")
	}
}
