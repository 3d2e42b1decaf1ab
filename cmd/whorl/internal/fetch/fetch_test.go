package fetch

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"whorl/testdata/must"
)

func TestPprof(t *testing.T) {
	for _, c := range []struct {
		arg  string
		want string
	}{
		{"http://localhost:6060", "http://localhost:6060/debug/pprof/trace?seconds=2.5"},
		{"https://[::1]:6060/", "https://[::1]:6060/debug/pprof/trace?seconds=2.5"},
		{"http://localhost:6060/debug/pprof/profile", "http://localhost:6060/debug/pprof/profile"},
		{"http://localhost:6060/debug/pprof/trace?x=y", "http://localhost:6060/debug/pprof/trace?x=y"},
		{"http://localhost:6060?token=1", "http://localhost:6060?token=1"},
	} {
		arg, want := c.arg, c.want
		if got := Pprof(arg, "trace", 2500*time.Millisecond); got != want {
			t.Errorf("%s: %s, want %s", arg, got, want)
		}
	}
	if got, want := Pprof("http://localhost:6060/", "heap", 0), "http://localhost:6060/debug/pprof/heap"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, c := range []struct {
		arg  string
		want string
	}{
		{"http://localhost:6060/debug/pprof/trace?seconds=5", "localhost-trace"},
		{"http://example.org/runs/stencil.pftrace", "example.org-stencil"},
		{"http://[::1]:80", "1-trace"},
	} {
		arg, want := c.arg, c.want
		if got := Name(arg); got != want && got != "--"+want {
			t.Errorf("%s: %s, want %s", arg, got, want)
		}
	}
	if Is("file:///etc/passwd") || Is("ftp://x") || Is("trace.whorl") || !Is("https://x") {
		t.Error("a file is a URL, or a URL is not")
	}
}

func TestServers(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/trace", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = io.WriteString(w, "the trace")
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<!doctype html><p>welcome") })
	mux.HandleFunc("/busy", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Could not enable tracing: tracing is already enabled", http.StatusInternalServerError)
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://192.0.2.1/trace", http.StatusFound)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "the beginning")
	})
	path, lacks, err := File(t.Context(), t.TempDir(), server.URL+"/broken")
	if got := must.Get(os.ReadFile(path))(t); err != nil || string(got) != "the beginning" || lacks == nil || lacks.Error() != server.URL+"/broken: unexpected EOF" {
		t.Errorf("got %q, lacks %v, error %v", got, lacks, err)
	}
	path, lacks, err = File(t.Context(), t.TempDir(), server.URL+"/trace")
	if lacks != nil || err != nil {
		t.Errorf("%v, %v", lacks, err)
	}
	if got := must.Get(os.ReadFile(path))(t); string(got) != "the trace" {
		t.Errorf("got %q", got)
	}
	for _, c := range []struct {
		url  string
		want string
	}{
		{server.URL + "/page", "the server sends a page, not a trace"},
		{server.URL + "/busy", `the server answers 500 Internal Server Error: "Could not enable tracing: tracing is already enabled"`},
		{server.URL + "/none", "the server answers 404 Not Found"},
		{server.URL + "/away", "the server sends elsewhere, to http://192.0.2.1/trace"},
		{"http://", "not a URL of a server"},
		{"http://127.0.0.1:1/", "connection refused"},
	} {
		url, want := c.url, c.want
		_, _, err := File(t.Context(), t.TempDir(), url)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
	}
}

// endless is a server that sends for ever, a byte after each pause, or never.
type endless struct {
	sends bool
	pause time.Duration
}

func (e endless) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: stream{e, r.Context()}, Request: r}, nil
}

type stream struct {
	endless
	ctx context.Context
}

func (s stream) Read(p []byte) (int, error) {
	switch {
	case s.pause > 0 && s.ctx.Err() == nil:
		time.Sleep(s.pause)
		return 1, nil
	case s.sends:
		return len(p), nil
	}
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func (stream) Close() error { return nil }

// TestEndless checks that the silence of a server has an end, and so has the length of its answer.
func TestEndless(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := http.DefaultTransport
		defer func() { http.DefaultTransport = before }()
		for _, c := range []struct {
			endless
			want string
		}{
			{endless{}, "http://x/?seconds=5: the server has sent nothing for 35 s"},
			{endless{pause: 4 * time.Second}, "http://x/?seconds=5: the server has sent only 8 bytes for 35 s"},
			{endless{sends: true}, "http://x/?seconds=5: longer than 2,048 MiB, the most that is read"},
		} {
			server, want := c.endless, c.want
			http.DefaultTransport = server
			in := must.Get(Open(t.Context(), "http://x/?seconds=5"))(t)
			if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, in, make([]byte, 1<<20)); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
			in.Close()
		}
	})
}
