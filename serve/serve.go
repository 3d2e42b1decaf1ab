// Package serve serves the page of the viewer and the traces that it shows.
//
// The page is built from visual/screen for js and embedded from the folder dist (make page). A build without it
// serves a page that explains how to build it. The page runs programs itself; the server only provides files.
package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

//go:embed all:dist
var dist embed.FS

// ErrNoPage reports that the command was built without the page.
var ErrNoPage = errors.New("built without the page: make build")

// Built returns ErrNoPage if the command was built without the page, else nil.
func Built() error {
	if _, err := fs.Stat(dist, "dist/whorl.wasm.gz"); err != nil {
		return ErrNoPage
	}
	return nil
}

// An offer lists what the page opens first. The page reads it from whorl.json.
type offer struct {
	Traces  []offered `json:"traces"`
	Run     string    `json:"run,omitempty"`     // the start of the addresses of a run that goes on
	Session string    `json:"session,omitempty"` // the start of the addresses of a shared session
}

type offered struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// Handler serves the page and the traces with the given paths, and supports range requests. It returns an error that
// names a path that is not a readable file.
func Handler(traces []string) (http.Handler, error) {
	pages, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return handler(pages, traces, nil, nil)
}

// RunHandler serves the page, which shows a run while it goes on. feed feeds the run to one page, as session.Audience does.
func RunHandler(feed func(io.ReadWriteCloser) error) (http.Handler, error) {
	pages, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return handler(pages, nil, newLive(feed), nil)
}

// SessionHandler serves the page, which joins a shared session.
func SessionHandler(session http.Handler) (http.Handler, error) {
	pages, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return handler(pages, nil, nil, session)
}

// handler serves the page from a file system, traces, and a run and a session unless they are nil.
func handler(pages fs.FS, traces []string, run *live, session http.Handler) (http.Handler, error) {
	mux := http.NewServeMux()
	offers := offer{Traces: []offered{}}
	for i, file := range traces {
		info, err := os.Stat(file)
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s: not a file", file)
		}
		if err != nil {
			return nil, err
		}
		name := filepath.Base(file)
		at := fmt.Sprintf("traces/%d/", i+1)
		offers.Traces = append(offers.Traces, offered{Name: name, URL: at + url.PathEscape(name)})
		mux.HandleFunc("GET /"+at+"{name}", func(w http.ResponseWriter, r *http.Request) {
			if r.PathValue("name") != name {
				http.NotFound(w, r)
				return
			}
			serveTrace(w, r, file)
		})
	}
	if run != nil {
		offers.Run = run.handle(mux)
	}
	if session != nil {
		offers.Session = "session/"
		mux.Handle("GET /session/", session)
		mux.Handle("POST /session/", session)
		mux.Handle("PUT /session/", session)
	}
	list, err := json.Marshal(offers)
	if err != nil {
		return nil, err
	}
	mux.HandleFunc("GET /whorl.json", func(w http.ResponseWriter, r *http.Request) { serveBytes(w, r, "whorl.json", list) })
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		b, err := fs.ReadFile(pages, name)
		switch {
		case err == nil && name != "README":
			serveBytes(w, r, name, b)
		case name == "index.html":
			serveBytes(w, r, name, []byte(noPage))
		default:
			http.NotFound(w, r)
		}
	})
	return mux, nil
}

// noPage is served if there is no page.
const noPage = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Whorl</title>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 15vh auto; padding: 0 1em">
<h1 style="font-size: 1.3em">This whorl was built without the page</h1>
<p>To build the viewer for browsers, run</p>
<pre>    make build</pre>
<p>in the source of Whorl. The command <code>bin/whorl</code> then contains it.</p>
`

// types are the media types of served files. The system's table is not used because it varies.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".json": "application/json",
	".gz": "application/gzip", ".wasm": "application/wasm", ".whorl": "application/octet-stream",
}

// head sets the headers of a file. Those of all answers are in package guard.
func head(w http.ResponseWriter, name string) {
	h := w.Header()
	kind := types[path.Ext(name)]
	if kind == "" {
		kind = "application/octet-stream"
	}
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-cache")
}

func serveBytes(w http.ResponseWriter, r *http.Request, name string, b []byte) {
	head(w, name)
	sum := sha256.Sum256(b)
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(b))
}

func serveTrace(w http.ResponseWriter, r *http.Request, file string) {
	f, err := os.Open(file)
	if err != nil {
		http.Error(w, filepath.Base(file)+" cannot be read", http.StatusNotFound)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		http.Error(w, filepath.Base(file)+" cannot be read", http.StatusNotFound)
		return
	}
	head(w, ".whorl")
	http.ServeContent(w, r, "", info.ModTime(), f)
}

// Listen listens on an address. If other is set and the port is in use, it chooses a free port.
func Listen(addr string, other bool) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: expected HOST:PORT, as in 127.0.0.1:7070", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil && other && port != "0" {
		l, err = net.Listen("tcp", net.JoinHostPort(host, "0"))
	}
	return l, err
}

// URL returns the address of the page for a browser.
func URL(l net.Listener) string {
	a, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return l.Addr().String()
	}
	if a.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d/", a.Port)
	}
	return "http://" + a.String() + "/"
}

// Private reports whether only this machine can reach a listener.
func Private(l net.Listener) bool {
	a, ok := l.Addr().(*net.TCPAddr)
	return ok && a.IP.IsLoopback()
}
